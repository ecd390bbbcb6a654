/**
 * The lists of the console in a real Chromium. In every order, keys act on the highlighted row, also while colleagues
 * decide and further pages load. Back and reading the page again return to the same position.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { before, describe } from 'node:test'
import { codeLists } from '@clearing/protocol'
import type { Page } from 'playwright-core'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { signIn as signInOutside } from '../acceptance/person.ts'
import { settle } from './browser.ts'
import { button, dialog, fill, inDialog, openDesk } from './desk.ts'
import { accountsByIndex, countPrinted, hasRows, isTopRow, keptTopRow, scrollToEnd } from './in-page.ts'
import { longLists } from './long-lists.ts'
import { waitingApplication, waitingDocument, waitingMatch } from './waiting-work.ts'

const breaksOf250 = `insert into clearing.books_break (break_id, account_number, firm_id, kind, external_id, reason, raised_at)
  select gen_random_uuid(), '30100001', firm_id, 'Unsettled', 'line-' || n, 'The ' || n || 'th of many', now() + n * interval '1 second'
  from generate_series(1, 250) as n, clearing.entity where entity_number = '301'`

const desk = openDesk()
const { as, browsing, signIn } = desk

function heading(page: Page, name: string) {
  return page.getByRole('columnheader').getByRole('button', { name })
}
function highlighted(page: Page) {
  return page.locator('tbody tr[aria-selected=true]')
}
async function linkOf(page: Page) {
  return (await highlighted(page).getByRole('link').first().getAttribute('href')) ?? ''
}
function hereOf(page: Page) {
  return new URL(page.url()).pathname + new URL(page.url()).search
}
function rowsOf(page: Page) {
  return page.locator('tbody tr[data-index]')
}
function countsOf(page: Page) {
  return page.locator('.count').innerText()
}

/** Presses Enter and waits for a screen other than the inbox. */
async function openHighlighted(page: Page) {
  const link = await linkOf(page)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => !url.pathname.endsWith('/work'))
  assert.equal(hereOf(page), link)
}

describe('the inbox', () => {
  const waiting: string[] = []
  before(async () => {
    if (!desk.isOpen) return
    for (const lastName of ['Oake', 'Abel', 'Zorn', 'Moss', 'Fenn', 'Kerr'])
      waiting.push(await waitingApplication(desk.service.alpha, { lastName }))
    await waitingMatch(desk.service.alpha)
    await waitingDocument(desk.service.alpha, { name: 'bill.pdf', content: samplePdf() })
    const operator = await signInOutside(desk.service, 'operator@example.com')
    const { data } = await desk.service.operations.operations.listWork({ queues: ['Application'], size: 2 })
    await operator.call('claim-work', { workIds: data.work.map(({ workId }) => workId) })
  })

  const columns = [
    ['Queue', 'queue'],
    ['Account', 'accountNumber'],
    ['Firm', 'firmName'],
    ['Waits', 'since'],
    ['Assigned to', 'assignedTo'],
  ] as const
  assert.equal(columns.length, codeLists.workSort.length)

  browsing('marks an item by one click, also if it is not the highlighted one', async () => {
    const { page, open } = await as('operator')
    await open('/console/work?queue=Application')
    const marks = rowsOf(page).getByRole('checkbox')
    for (const index of [2, 1, 3]) {
      await marks.nth(index).click()
      assert.ok(await marks.nth(index).isChecked(), `the row at ${index}`)
    }
    await page.getByRole('heading', { name: '3 marked' }).waitFor()
    await marks.nth(2).press('Space')
    await page.getByRole('heading', { name: '2 marked' }).waitFor()
  })

  browsing('shows the marks again after Back', async () => {
    const { page, open } = await as('operator')
    await open('/console/work?queue=Application')
    const marks = rowsOf(page).getByRole('checkbox')
    for (const index of [1, 3]) await marks.nth(index).click()
    await openHighlighted(page)
    await page.goBack()
    await page.getByRole('heading', { name: '2 marked' }).waitFor()
    for (const index of [0, 1, 2, 3]) assert.equal(await marks.nth(index).isChecked(), index % 2 === 1)
    await open('/console/work?queue=Application')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  })

  browsing('marks all items by the box in the heading, which also takes the marks away', async () => {
    const { page, open } = await as('operator')
    await open('/console/work')
    const all = page.getByRole('checkbox', { name: /^Mark (all|the first 100)$/ })
    const marks = rowsOf(page).getByRole('checkbox')
    await all.click()
    await page.getByRole('heading', { name: /^\d+ marked$/ }).waitFor()
    for (const mark of await marks.all()) assert.ok(await mark.isChecked())
    await all.click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.setViewportSize({ width: 400, height: 800 })
    await all.press('Space')
    assert.ok(await marks.first().isChecked())
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  for (const [column, sortBy] of columns) {
    browsing(`is sorted by ${column}, and Enter opens the highlighted row`, async () => {
      const { page, open, wrongs } = await as('operator')
      for (const sortMode of ['ascend', 'descend'] as const) {
        await open('/console/work')
        await heading(page, column).click()
        if (sortMode === 'descend') await heading(page, column).click()
        await page.locator(`th[aria-sort=${sortMode}ing]`, { hasText: column }).waitFor()
        await settle(page)
        const { data } = await desk.service.operations.operations.listWork({ sortBy, sortMode, size: 100 })
        assert.ok(data.work.length > 6)
        const accounts = data.work.map(({ accountNumber }) => accountNumber)
        for (const [index, row] of (await rowsOf(page).all()).entries())
          assert.match(await row.locator('td').nth(3).innerText(), new RegExp(`^${accounts[index]}`))
        await page.keyboard.press('j')
        await page.keyboard.press('j')
        await page.keyboard.press('j')
        await page.keyboard.press('k')
        await page.locator('tr[data-index="2"][aria-selected=true]').waitFor()
        await openHighlighted(page)
        await page.goBack()
        await settle(page)
        await page.locator('tr[data-index="2"][aria-selected=true]').waitFor()
        await page.locator(`th[aria-sort=${sortMode}ing]`, { hasText: column }).waitFor()
      }
      assert.deepEqual(wrongs, [])
    })
  }

  browsing(
    'Enter after a click on a heading opens the highlighted row, and the keys have the focus',
    async () => {
      const { page, open } = await as('operator')
      await open('/console/work?queue=Application')
      await heading(page, 'Account').click()
      await page.locator('th[aria-sort=ascending]').waitFor()
      await settle(page)
      await openHighlighted(page)
      await page.goBack()
      await settle(page)
      await page.locator('th[aria-sort=ascending]').waitFor()
      await page.keyboard.press('j')
      await page.locator('tr[data-index="1"][aria-selected=true]:focus').waitFor()
    },
  )

  browsing(
    'keeps its row highlighted when colleagues decide, and visibly moves on when that row is decided',
    async () => {
      const [principal, { page, open, wrongs }] = [
        await signInOutside(desk.service, 'principal@example.com'),
        await as('operator'),
      ]
      await open('/console/work?queue=Application')
      await heading(page, 'Account').click()
      await heading(page, 'Account').click()
      await page.locator('th[aria-sort=descending]').waitFor()
      await settle(page)
      const { data } = await desk.service.operations.operations.listWork({
        queues: ['Application'],
        sortBy: 'accountNumber',
        sortMode: 'descend',
      })
      const accounts = data.work.map(({ accountNumber }) => accountNumber)
      const decide = async (accountNumber: string | undefined) => {
        await principal.call('decide-onboarding', {
          accountNumber,
          decision: 'Rejected',
          reason: 'Not to be identified',
        })
        await page.locator('tbody tr', { hasText: accountNumber ?? '' }).waitFor({ state: 'detached' })
      }
      await page.keyboard.press('j')
      await page.keyboard.press('j')
      const isHighlighted = (accountNumber = '') =>
        highlighted(page).filter({ hasText: accountNumber }).waitFor()
      await isHighlighted(accounts[2])
      await decide(accounts[0])
      await isHighlighted(accounts[2])
      await decide(accounts[2])
      // Meant for the row that is gone.
      await page.keyboard.press('Enter')
      assert.equal(new URL(page.url()).pathname, '/console/work')
      await page.getByText('has left the list').waitFor()
      await isHighlighted(accounts[3])
      await openHighlighted(page)
      assert.match(page.url(), new RegExp(accounts[3] ?? ''))
      assert.deepEqual(wrongs, [])
    },
  )
})

describe('a view of a list', () => {
  const search = '?queue=Application&order-work=-accountNumber'
  browsing('keeps the chosen columns and density, also after reading the page again', async () => {
    const { page, open } = await as('viewer')
    await open('/console/work')
    await button(page, 'Columns of Work').click()
    await page.getByRole('checkbox', { name: 'Firm' }).uncheck()
    await page.getByRole('checkbox', { name: 'Compact rows' }).check()
    await page.getByRole('columnheader', { name: 'Firm' }).waitFor({ state: 'detached' })
    await page.reload()
    await settle(page)
    assert.equal(await page.getByRole('columnheader', { name: 'Firm' }).count(), 0)
    await page.locator('.table-region.compact').waitFor()
    await page.getByRole('columnheader', { name: 'Waits' }).waitFor()
  })

  browsing('cannot be saved without filters, and the menu states why', async () => {
    const { page, open } = await as('operator')
    await open('/console/work')
    await button(page, 'Views').focus()
    await page.keyboard.press('Enter')
    const entry = page.getByRole('menuitem', {
      name: /^Save as a view….*Choose filters, an order or columns first/,
    })
    await entry.waitFor()
    // The menu takes the focus a moment after it is shown.
    await page.locator('[role=menu]:focus-within').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.locator('[role=menuitem]:focus', { hasText: 'Save as a view…' }).waitFor()
    await page.keyboard.press('Enter')
    assert.equal(await entry.getAttribute('aria-disabled'), 'true')
    assert.equal(await dialog(page).count(), 0)
    await page.keyboard.press('Escape')
  })

  browsing('is saved for all staff, opened by a colleague, deleted, and restored by Undo', async () => {
    const { page, open } = await as('operator')
    await open(`/console/work${search}`)
    await button(page, 'Views').click()
    await page.getByRole('menuitem', { name: 'Save as a view…' }).click()
    await fill(page, { Name: 'Applications, last account first' })
    await dialog(page).getByLabel('Show it to all staff').check()
    await inDialog(page, 'Save').click()
    await button(page, 'View: Applications, last account first').waitFor()
    const colleague = await as('principal')
    await colleague.open('/console/work')
    await button(colleague.page, 'Views').click()
    await colleague.page.getByRole('menuitem', { name: /^Applications, last account first/ }).click()
    await colleague.page.locator('th[aria-sort=descending]', { hasText: 'Account' }).waitFor()
    assert.equal(await colleague.page.getByLabel('Queue', { exact: true }).inputValue(), 'Application')
    await button(colleague.page, 'View: Applications, last account first').click()
    await colleague.page.getByRole('menuitem', { name: 'Save as a view…' }).waitFor()
    assert.equal(await colleague.page.getByRole('menuitem', { name: /^Delete/ }).count(), 0)
    await button(page, 'View: Applications, last account first').click()
    await page.getByRole('menuitem', { name: /^Delete/ }).click()
    await button(page, 'Undo').click()
    await button(page, 'View: Applications, last account first').waitFor()
  })
})

describe('a long list', () => {
  const rowsPerPage = 100
  before(async () => {
    if (!desk.isOpen) return
    for (const query of longLists) await desk.service.query(query, [1_000])
    await desk.service.query('analyze')
  })

  browsing('is paged in the chosen order, and its rows open in their place', async () => {
    const { page, open, wrongs } = await as('operator')
    await open('/console/work?queue=Application')
    await heading(page, 'Account').click()
    await heading(page, 'Account').click()
    await page.locator('th[aria-sort=descending]').waitFor()
    await settle(page)
    const region = page.locator('.table-region[aria-label="Work"]')
    for (let read = rowsPerPage; read <= 3 * rowsPerPage; read += rowsPerPage) {
      await page.waitForFunction(hasRows, ['Work', read + 1] as const)
      await region.evaluate(scrollToEnd)
    }
    await settle(page)
    assert.match(await countsOf(page), /^Showing [34]00 of 1,0\d\d\.$/)
    const shown = await rowsOf(page).evaluateAll(accountsByIndex)
    assert.ok(shown.length > 10)
    for (const [index, text] of shown)
      assert.ok(text.startsWith(`L${String(1_000 - index).padStart(7, '0')}`), `${text} is row ${index}`)
    // The highlighted row is out of sight. It is scrolled into view before it is opened.
    await page.keyboard.press('Enter')
    await page.locator('tr:focus').waitFor()
    await page.locator('tr[data-index="0"][aria-selected=true]').waitFor()
    assert.equal(new URL(page.url()).pathname, '/console/work')
    await openHighlighted(page)
    assert.deepEqual(wrongs, [])
  })

  browsing('is saved as CSV and printed with all its rows, including those not read yet', async () => {
    const { page, open } = await as('operator')
    await open('/console/work?queue=Application')
    const [, total = ''] = /of ([\d,]+)\.$/.exec(await countsOf(page)) ?? []
    const count = Number(total.replace(',', ''))
    assert.ok(count > rowsPerPage)
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'CSV of Work').click()])
    const [names, ...lines] = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n')
    assert.match(names ?? '', /^workId,queue,firmId,/)
    assert.equal(lines.length, count)
    await page.evaluate(countPrinted)
    await button(page, 'Print Work').click()
    await page.locator(`body[data-printed="${count}"]`).waitFor({ state: 'attached' })
    await page.locator('.printed').waitFor({ state: 'detached' })
    // The browser's own print has the screen without its buttons.
    const claim = page.locator('#screen').getByRole('button', { name: 'Claim', exact: true })
    assert.equal(await claim.count(), 1)
    await page.emulateMedia({ media: 'print' })
    assert.equal(await claim.count(), 0)
    await page.emulateMedia({ media: null })
  })

  for (const [address, label] of [
    ['/console/work?queue=Application', 'Work'],
    ['/console/accounts?accountStatus=Open', 'Accounts'],
  ] as const) {
    browsing(`Back and reading the page again return to the same position: ${label}`, async () => {
      const { page, open, wrongs, close } = await signIn('operator')
      await open(address)
      await heading(page, 'Account').click()
      await page.locator('th[aria-sort=ascending]').waitFor()
      await settle(page)
      const region = page.locator(`.table-region[aria-label="${label}"]`)
      for (let read = rowsPerPage; read <= 3 * rowsPerPage; read += rowsPerPage) {
        await page.waitForFunction(hasRows, [label, read + 1] as const)
        await settle(page)
        await region.evaluate(scrollToEnd)
      }
      await page.waitForFunction(hasRows, [label, 3 * rowsPerPage + 2] as const)
      await settle(page)
      const kept = [label, `row-${label.toLowerCase()}`] as const
      const top = await (await page.waitForFunction(keptTopRow, kept)).jsonValue()
      assert.ok(top > rowsPerPage, `the row ${top} is on top`)
      const link = rowsOf(page).nth(14).getByRole('link').first()
      const opened = await link.getAttribute('href')
      await link.click()
      await page.waitForURL((url) => /accounts\/\w+/.test(url.pathname))
      await settle(page)
      await page.goBack()
      await settle(page)
      await page.waitForFunction(isTopRow, [label, top] as const)
      if (label === 'Work') assert.equal(await linkOf(page), opened)
      await page.reload()
      await settle(page)
      await page.waitForFunction(isTopRow, [label, top] as const)
      if (label === 'Work') assert.equal(await linkOf(page), opened)
      await page.locator('th[aria-sort=ascending]', { hasText: 'Account' }).waitFor()
      assert.deepEqual(wrongs, [])
      await close()
    })
  }

  browsing('shows all breaks with their number, and is sorted over all of them', async () => {
    const { page, open } = await as('operator')
    await desk.service.query(breaksOf250, [])
    await open('/console/books/breaks')
    const breaks = page.getByRole('group', { name: 'Breaks' })
    assert.match(await countsOf(page), /^Showing 100 of 25\d\.$/)
    for (const shown of ['200', '25\\d']) {
      await breaks.evaluate(scrollToEnd)
      await page.getByText(new RegExp(`^Showing ${shown} of 25\\d\\.$`)).waitFor()
    }
    await heading(page, 'Raised').click()
    await heading(page, 'Raised').click()
    await page.locator('th[aria-sort=descending]', { hasText: 'Raised' }).waitFor()
    await settle(page)
    assert.match(await rowsOf(page).first().innerText(), /The 250th of many/)
  })

  browsing(
    'that the service does not sort is not sorted by the browser while it is partly read',
    async () => {
      const { page, open } = await as('operator')
      await open('/console/accounts')
      for (const column of ['Title', 'Status', 'Registration', 'Firm']) {
        await page.getByRole('columnheader', { name: column }).waitFor()
        assert.equal(await heading(page, column).count(), 0, column)
      }
    },
  )
})

describe('a filter in the address', () => {
  browsing('that names a queue names its actions, also before an item is marked', async () => {
    const { page, open } = await as('operator')
    await open('/console/work?queue=Break')
    const review = button(page, 'Mark as reviewed')
    assert.equal(await review.getAttribute('aria-description'), 'Select items first.')
    assert.equal(await button(page, 'Approve').count(), 0)
    // Its items are handled on their own screens.
    await open('/console/work?queue=Call')
    await button(page, 'Assign to…').waitFor()
    assert.equal(await button(page, 'Approve').count(), 0)
    await open('/console/work?queue=Match')
    assert.equal(await button(page, 'Clear').nth(1).getAttribute('aria-description'), 'Select items first.')
  })

  browsing('that compares a whole name leads to an explanation if no row has it', async () => {
    const { page, open } = await as('operator')
    await open('/console/audit?actor=operator')
    await page.getByText('Who and Action are compared as a whole.').waitFor()
    await open('/console/audit?accountNumber=99999999')
    await page.getByText('No row matches.').waitFor()
    assert.equal(await page.getByText('compared as a whole').count(), 0)
  })

  browsing('that names no firm is shown as unknown, and the list states it', async () => {
    const { page, open } = await as('operator')
    for (const screen of [
      'accounts',
      'audit',
      'renewals',
      'books/calls',
      'books/pending',
      'screening/matches',
      'screening/restrictions',
    ]) {
      await open(`/console/${screen}?firmId=${randomUUID()}`)
      await page.getByText('There is no firm with this id.').waitFor()
      const chosen = page.getByLabel('Firm', { exact: true }).locator('option:checked')
      assert.equal(await chosen.textContent(), 'Unknown firm', screen)
    }
  })

  browsing('that no row meets leads to no claim that there are no rows', async () => {
    const { page, open } = await as('operator')
    await open('/console/books/loads?state=Running')
    await page.getByText('No load matches.').waitFor()
    await open('/console/books/breaks?kind=Oversold')
    await page.getByText('No open break matches.').waitFor()
    // The counts come after the rows.
    const chosen = page.getByLabel('Cause', { exact: true }).locator('option:checked')
    await chosen.and(page.locator('option', { hasText: 'Oversold (0)' })).waitFor({ state: 'attached' })
  })
})

describe('a case', () => {
  browsing('that waits for a match is in the inbox once', async () => {
    const accountNumber = await waitingMatch(desk.service.alpha)
    const { page, open } = await as('operator')
    await open('/console/work?queue=Match')
    const rows = rowsOf(page).filter({ hasText: accountNumber })
    await rows.waitFor()
    await open('/console/work?queue=Application')
    assert.equal(await rows.count(), 0)
  })

  browsing(
    'is not searched with dates in the wrong order, and the reason has the words of the screen',
    async () => {
      const { page, open } = await as('operator')
      await open('/console/accounts?createdFrom=2026-11-20&createdTo=2026-11-10')
      await page.getByText('Created from must not be after created to.').waitFor()
    },
  )

  browsing('is found by a name with an apostrophe, however it is typed', async () => {
    const accountNumber = await waitingApplication(desk.service.alpha, { lastName: "O'Brienne" })
    const { page, open } = await as('operator')
    await open('/console/accounts')
    for (const typed of ["o'brienne", 'OBRIENNE', 'O’Brienne']) {
      await page.getByLabel('Name, account number or tax id').fill(typed)
      await button(page, 'Find').click()
      await page.getByText('Showing 1 of 1.').waitFor()
      await page.getByRole('link', { name: accountNumber }).waitFor()
      await page.getByLabel('Name, account number or tax id').fill('nobody of this name')
      await button(page, 'Find').click()
      await page.getByText('No account matches.').waitFor()
    }
  })
})
