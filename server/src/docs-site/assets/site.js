// The documentation in the browser: search, the menu on small screens, one language for all examples.
const resultsMax = 12

const input = document.getElementById('search')
const list = document.getElementById('found')
let index

const loadIndex = () => {
  index ??= fetch('/docs/assets/search.json')
    .then((answer) => answer.text())
    .then((text) => MiniSearch.loadJSON(text, searchOptions))
  return index
}

const show = (results) => {
  list.replaceChildren(
    ...results.map(({ id, page, heading }) => {
      const link = document.createElement('a')
      link.href = id
      const where = document.createElement('small')
      where.textContent = page
      link.append(heading, where)
      const item = document.createElement('li')
      item.append(link)
      return item
    }),
  )
  if (results.length === 0) {
    const item = document.createElement('li')
    item.className = 'nothing'
    item.textContent = 'Nothing found'
    list.append(item)
  }
  list.hidden = false
}

const search = async () => {
  const query = input.value.trim()
  if (query === '') {
    list.hidden = true
    return
  }
  const found = findEntries(await loadIndex(), query)
  if (input.value.trim() === query) show(found.slice(0, resultsMax))
}

input?.addEventListener('focus', loadIndex)
input?.addEventListener('input', search)
input?.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    list.hidden = true
    input.blur()
  } else if (event.key === 'ArrowDown') {
    event.preventDefault()
    list.querySelector('a')?.focus()
  } else if (event.key === 'Enter') {
    list.querySelector('a')?.click()
  }
})
list?.addEventListener('keydown', (event) => {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  const links = [...list.querySelectorAll('a')]
  const next = links.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1)
  if (next < 0) input.focus()
  else links[next]?.focus()
})
document.addEventListener('click', (event) => {
  if (!event.target.closest('.search')) list.hidden = true
  else if (event.target.closest('#found a')) list.hidden = true
})
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input, textarea, select')) return
  event.preventDefault()
  input.focus()
})

const menuButton = document.getElementById('menu-button')
menuButton?.addEventListener('click', () => {
  const open = document.body.classList.toggle('menu-open')
  menuButton.setAttribute('aria-expanded', String(open))
})

// When the reader selects a language in one example, all examples change to it.
const choose = (language) => {
  for (const sample of document.querySelectorAll('details[data-sample]')) {
    sample.open = sample.dataset.sample === language
  }
}
document.addEventListener('click', (event) => {
  const summary = event.target.closest('details[data-sample] > summary')
  if (summary === null) return
  event.preventDefault()
  const { offsetTop } = summary
  choose(summary.parentElement.dataset.sample)
  window.scrollBy(0, summary.offsetTop - offsetTop)
  localStorage.setItem('language', summary.parentElement.dataset.sample)
})
const chosen = localStorage.getItem('language')
if (chosen !== null) choose(chosen)

for (const block of document.querySelectorAll('pre')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
  block.append(button)
}
