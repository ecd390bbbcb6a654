/** Functions that tests send to the page and run in the browser. They have no access to this process. */

// The names of the browser, which the types of Node do not have.
// biome-ignore-start lint/suspicious/noExplicitAny: they are the page's own
declare const document: any
declare const window: any
declare const location: any
declare const history: any
declare const localStorage: any
declare const sessionStorage: any
declare const axe: any
declare const MutationObserver: any
// biome-ignore-end lint/suspicious/noExplicitAny: they are the page's own

export function isBusy(): boolean {
  return document.querySelector('[aria-busy=true]') !== null
}

export function countsRows([selector, count]: readonly [string, number]): boolean {
  return document.querySelectorAll(selector).length === count
}

/** Functions that are sent to the page cannot use each other, so each finds its elements itself. */
export function hasRows([label, count]: readonly [string, number]): boolean {
  return (
    Number(
      document.querySelector(`.table-region[aria-label="${label}"] table`)?.getAttribute('aria-rowcount'),
    ) >= count
  )
}

/** There are fewer, or none. */
export function hasFewerRows([label, count]: readonly [string, number]): boolean {
  return (
    Number(
      document.querySelector(`.table-region[aria-label="${label}"] table`)?.getAttribute('aria-rowcount') ??
        0,
    ) < count
  )
}

/**
 * The index of the first row of a list that is visible below the headings, as soon as the address contains it. Before
 * that the rows may still move, because they are being measured. 0 until then.
 */
export function keptTopRow([label, name]: readonly [string, string]): number {
  const region = document.querySelector(`.table-region[aria-label="${label}"]`)
  const { bottom } = region.querySelector('th').getBoundingClientRect()
  const rows = [...region.querySelectorAll('tbody tr[data-index]')]
  const row = rows.find((one) => one.getBoundingClientRect().bottom > bottom + 1)
  const index = Number(row?.getAttribute('data-index'))
  const kept = Number(new URL(location.href).searchParams.get(name))
  return kept > 0 && Math.abs(kept - index) <= 1 ? index : 0
}

/**
 * The indexes of rows of the inbox, each with the text that begins with its account. A row may just have left the page.
 */
// biome-ignore lint/suspicious/noExplicitAny: elements of the page
export function accountsByIndex(rows: any[]): [number, string][] {
  return rows.map((row) => [Number(row.getAttribute('data-index')), row.cells[3].textContent])
}

/** Whether this row of a list is the first visible row, or the one beside it. */
export function isTopRow([label, index]: readonly [string, number]): boolean {
  const region = document.querySelector(`.table-region[aria-label="${label}"]`)
  const { bottom } = region?.querySelector('th')?.getBoundingClientRect() ?? {}
  const row = region?.querySelector(`tr[data-index="${index}"]`)
  return Math.abs(row?.getBoundingClientRect().top - bottom) < 60
}

// biome-ignore lint/suspicious/noExplicitAny: an element of the page
export function scrollToEnd(region: any): void {
  region.scrollTo(0, region.scrollHeight)
}

/** Makes the page believe that it is in the background. There it does not read changes of the service. */
export function hide(): void {
  Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
}

/**
 * Brings the page to the foreground, leaves its screen, and drops its notices and everything that it has read, as
 * loading does. Returns false where only loading helps: outside the console, and with a dialog or a menu that stays
 * open.
 */
export async function startAnew(): Promise<boolean> {
  const root = document.getElementById('console')
  if (root === null) return false
  delete document.visibilityState
  for (const dismiss of document.querySelectorAll('.notices [aria-label=Dismiss]')) dismiss.click()
  history.replaceState({}, '', '/console/nowhere')
  const isLeft = () =>
    document.querySelector('#screen h1')?.textContent === 'There is no such screen' &&
    document.querySelector('[role=dialog], [role=menu], [role=listbox], .notices > *') === null
  for (let frames = 0; frames < 20 && !isLeft(); frames++)
    await new Promise((drawn) => window.requestAnimationFrame(drawn))
  if (!isLeft()) return false
  // Only React has a reference to the cache of reads.
  const key = Object.keys(root).find((name) => name.startsWith('__reactContainer$')) ?? ''
  const fibers = [root[key]?.stateNode.current]
  for (let fiber = fibers.pop(); fiber !== undefined; fiber = fibers.pop()) {
    const client = fiber.memoizedProps?.client
    if (client?.getQueryCache !== undefined) {
      client.removeQueries({ type: 'inactive' })
      await client.resetQueries()
      return true
    }
    fibers.push(...[fiber.sibling, fiber.child].filter((one) => one !== null))
  }
  return false
}

/**
 * Goes to an address within the console, with a key in the history as the console gives it. The heading of the screen
 * that is left is marked.
 */
export function goTo(address: string): void {
  const { pathname } = new URL(address, location.href)
  if (pathname !== location.pathname) document.querySelector('#screen h1')?.setAttribute('data-left', '')
  history.pushState({ __TSR_key: crypto.randomUUID() }, '', address)
}

/** The address is this one, and the previous screen is gone. */
export function isAt(address: string): boolean {
  return (
    `${location.pathname}${location.search}` === address &&
    document.querySelector('#screen h1[data-left]') === null
  )
}

export function runsInlineScripts(): boolean {
  const script = document.createElement('script')
  script.textContent = 'globalThis.ranInline = true'
  document.body.append(script)
  return 'ranInline' in globalThis
}

/** Runs before any script of the page. Records calls of this function and breaches of the content policy. */
export function noticeWhatRuns(call: string): void {
  const ran: string[] = []
  const names = [call, call.toUpperCase()]
  for (const name of names)
    (globalThis as Record<string, unknown>)[name] = (value: unknown) => ran.push(`ran ${value}`)
  // biome-ignore lint/suspicious/noExplicitAny: an event of the page
  document.addEventListener('securitypolicyviolation', (event: any) => {
    ran.push(`${event.effectiveDirective} ${event.blockedURI}`)
  })
  ;(globalThis as Record<string, unknown>).whatRan = ran
}

/**
 * The scripts that ran, and every element of the page that could run one: a handler in markup, a script address, a
 * broken picture.
 */
export function findLiveMarkup(): string[] {
  // A title is shown as text. A chart gives its parts the names of their groups, which lead nowhere.
  const nameOfPart = 'svg [name]'
  const live = [...document.querySelectorAll('body *')].filter(
    (one) =>
      one
        .getAttributeNames()
        .some(
          (name: string) =>
            name.startsWith('on') ||
            (name !== 'title' &&
              !(name === 'name' && one.matches(nameOfPart)) &&
              /^\s*javascript:/i.test(one.getAttribute(name) ?? '')),
        ) || one.getAttribute('src') === 'x',
  )
  const ran = (globalThis as unknown as { whatRan: string[] }).whatRan
  return [...ran, ...live.map((one) => one.outerHTML.slice(0, 200))]
}

/** Everything that remains in the browser: address, history, storage. */
export function findTraces(): string {
  return JSON.stringify([location.href, history.state, { ...localStorage }, { ...sessionStorage }])
}

export function bytesOfScriptsAndStyles(): number {
  return performance
    .getEntriesByType('resource')
    .filter(({ name }) => /\.(js|css)$/.test(name))
    .reduce((sum, entry) => sum + (entry as unknown as { encodedBodySize: number }).encodedBodySize, 0)
}

/** Whether anything but white was drawn on a canvas. */
// biome-ignore lint/suspicious/noExplicitAny: a canvas
export function isDrawnUpon(canvas: any): boolean {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  for (let index = 0; index < data.length; index += 4)
    if (data[index] < 128 && data[index + 3] > 0) return true
  return false
}

/** The errors that the screen shows. */
export function findAlerts(): string[] {
  return [...document.querySelectorAll('#screen [role=alert]')].map(
    ({ textContent }) => `alert: ${textContent}`,
  )
}

/** The innermost elements that are too wide for a window of this width and make the page scroll sideways. */
export function findTooWide(widthPx: number): string[] {
  if (document.documentElement.scrollWidth <= widthPx) return []
  const wide = [...document.querySelectorAll('#screen *')].filter(
    (one) => one.getBoundingClientRect().right > widthPx && one.closest('.table-region, .viewer') === null,
  )
  const innermost = wide.filter((one) => !wide.some((other) => other !== one && one.contains(other)))
  return [
    `${document.documentElement.scrollWidth} pixels: ${innermost
      .slice(0, 3)
      .map((one) => one.outerHTML.slice(0, 120))
      .join(' | ')}`,
  ]
}

/** Tables of which a part is beyond the edge of their region. */
export function findCutTables(widthPx: number): string[] {
  return [...document.querySelectorAll('.table-region, .panel')]
    .filter((region) => region.querySelector('table') !== null && region.scrollWidth > region.clientWidth + 1)
    .map(
      (region) =>
        `at ${widthPx} pixels a table is cut: ${region.getAttribute('aria-label') ?? region.textContent?.slice(0, 40)}`,
    )
}

/**
 * Buttons, links and fields that cannot be pressed after scrolling to them: beyond the edge of the window, or below
 * another element.
 */
export function findUnreachable(): string[] {
  const acts = ['button', 'a[href]', 'input', 'select', 'textarea']
    .flatMap((kind) => [...document.querySelectorAll(`header ${kind}, #screen ${kind}`)])
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.clientWidth !== 1)
  const unreachable = acts
    .filter((one) => {
      one.scrollIntoView({ block: 'center', inline: 'center' })
      const [box] = one.getClientRects()
      const met = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
      return (
        met === null || !(one.contains(met) || met.contains(one) || met.closest('label')?.control === one)
      )
    })
    .map((one) => `not reachable: ${one.outerHTML.slice(0, 160)}`)
  // A list that stays scrolled writes its position into the address.
  for (const region of document.querySelectorAll('.table-region')) region.scrollTo(0, 0)
  return unreachable
}

/** Text that the edge of its element cuts off, with no other way to read it. */
export function findCutTexts(): string[] {
  const hasText = ({ childNodes }: { childNodes: Iterable<{ nodeType: number; data: string }> }) =>
    [...childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '')
  return [...document.querySelectorAll('body *')]
    .filter(
      (one) =>
        one.clientWidth > 1 &&
        one.scrollWidth > one.clientWidth + 1 &&
        ['hidden', 'clip'].includes(window.getComputedStyle(one).overflowX) &&
        hasText(one) &&
        one.closest('[title], [aria-label]') === null,
    )
    .map((one) => `text is cut: ${one.outerHTML.slice(0, 160)}`)
}

/**
 * Text that people do not write: names of members (`annualIncomeE`), times in machine notation, and labels that stopped
 * readers. Identifiers have the typeface of machines, and rejected lines the names of their file.
 */
export function findOddWords(): string[] {
  const machines = /\b[a-z]+[A-Z]\w*\b|\d{4}-\d\d-\d\dT|\[[\]"{]|\{[}"]/
  const stopped = /^(looked at|asked back|empty is now\.|give to…|request successful\.)$/i
  const texts: string[] = [...document.querySelectorAll('#screen *')]
    .filter((one) => one.closest('.mono, pre, code, .lines, [aria-label="Causes"]') === null)
    .flatMap((one) => [...one.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data))
  return texts
    .filter((text) => machines.test(text) || stopped.test(text.trim()))
    .map((text) => `odd words: ${text.slice(0, 160)}`)
}

/** Parts of charts whose contrast with their background is below 3 to 1 (WCAG 2.2, 1.4.11). */
export function findFaintCharts(): string[] {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const ink = canvas.getContext('2d', { willReadFrequently: true })
  // A colour in any notation, as it appears on white.
  const luminance = (colour: string): number => {
    ink.fillStyle = colour
    ink.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = [...ink.getImageData(0, 0, 1, 1).data].map((part) => {
      const share = part / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const parts = '.bar > div, .intake i, .closes i, .dot, .recharts-sector, .recharts-area-curve'
  return [...document.querySelectorAll(parts)].flatMap((part) => {
    const style = window.getComputedStyle(part)
    const own = part.matches('.recharts-sector')
      ? style.fill
      : part.matches('svg *')
        ? style.stroke
        : style.backgroundColor
    const ground = window.getComputedStyle(part.closest('.panel')).backgroundColor
    const [light, dark] = [luminance(own), luminance(ground)].sort((a, b) => b - a)
    const contrast = ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
    return contrast < 3 ? [`${contrast.toFixed(2)} to 1: ${part.outerHTML.slice(0, 120)}`] : []
  })
}

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Tables that have rows and show none of them. */
export function findUnseenRows(): string[] {
  return [...document.querySelectorAll('.table-region')]
    .filter(
      (region) =>
        Number(region.querySelector('table')?.getAttribute('aria-rowcount')) > 1 &&
        region.querySelector('tbody tr[data-index]') === null,
    )
    .map((region) => `rows are not shown: ${region.getAttribute('aria-label')}`)
}

/** Elements that move by themselves although the person asked for less motion. */
export function findMotions(): string[] {
  return document
    .getAnimations()
    .filter(({ playState }: { playState: string }) => playState === 'running')
    .map(({ effect }: { effect: { target?: { className?: string } } }) => String(effect.target?.className))
}

/** The serious issues that axe finds by all rules or by these, each with its place. */
export async function findSeriousIssues(rules?: readonly string[]): Promise<string[]> {
  const { violations } = (await axe.run(document, {
    resultTypes: ['violations'],
    runOnly: rules ?? ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
  })) as { violations: Violation[] }
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) =>
      [
        id,
        ...nodes
          .slice(0, 3)
          .map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary.slice(0, 300)}`),
      ].join('\n'),
    )
}

/** Ends the session in the service, as another window of the same person does. */
export async function endSession(): Promise<void> {
  await fetch('/console/sign-out', { method: 'POST', headers: { 'X-Clearing-Console': '1' } })
}

/** Whether the browser would ask before it closes or reloads the page. */
export function asksBeforeLeaving(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

/** Whether a text is visible without scrolling. */
export function isInView(text: string): boolean {
  for (const alert of document.querySelectorAll('[role=alert], [role=status]')) {
    const { top, bottom } = alert.getBoundingClientRect()
    if (alert.textContent.includes(text)) return top >= 0 && bottom <= window.innerHeight
  }
  return false
}

/** Comes back to the window, as a person does from another. */
export function focusWindow(): void {
  window.dispatchEvent(new Event('focus'))
}

/** Records the rows and the colours of the page when the browser prints it. */
export function recordPaper(): void {
  window.addEventListener('beforeprint', () => {
    const rows = document.querySelectorAll('tbody tr[data-index]').length
    document.body.dataset.paper = `${rows} ${document.documentElement.dataset.mantineColorScheme}`
  })
}

/** Replaces the printer: records the number of printed rows. */
export function countPrinted(): void {
  window.print = () => {
    document.body.dataset.caption = document.querySelector('.printed caption')?.textContent ?? ''
    document.body.dataset.printed = String(document.querySelectorAll('.printed tbody tr').length)
    window.dispatchEvent(new Event('afterprint'))
  }
}

/**
 * Calls operations with an empty request, as the page itself may. Returns the statuses of the operations that exist.
 */
export async function callEach(names: readonly string[]): Promise<[string, number][]> {
  const found: [string, number][] = []
  for (const name of names) {
    for (const place of ['operations-api', 'account-api']) {
      const answer = await fetch(`/${place}/v1/${name}`, {
        method: 'POST',
        headers: {
          'X-Clearing-Console': '1',
          'content-type': name.startsWith('load-') ? 'application/x-ndjson' : 'application/json',
          'idempotency-key': crypto.randomUUID(),
        },
        body: '{}',
      })
      if (answer.status !== 404) found.push([name, answer.status])
    }
  }
  return found
}

/** Collects what a comparison with a list shows as the customer's date of birth, at any time from now. */
export function watchBirthDates(): void {
  const birthDates = new Set<string>()
  Object.assign(window, { birthDates })
  new MutationObserver(() => {
    for (const row of document.querySelectorAll('tr'))
      if (row.textContent?.startsWith('Date of birth')) birthDates.add(row.cells[1]?.textContent ?? '')
  }).observe(document.body, { subtree: true, childList: true, characterData: true })
}

export function birthDatesShown(): string[] {
  return [...window.birthDates]
}

/** The colours of the highlighted choice and of its quiet text. */
export function coloursOfChoice(): string[] {
  const choice = '[role=dialog] [data-combobox-selected]'
  return [choice, `${choice} .quiet`].map(
    (selector) => window.getComputedStyle(document.querySelector(selector)).color,
  )
}

/** The style of an element as it is drawn. */
// biome-ignore lint/suspicious/noExplicitAny: an element of the page
export function styleOf(element: any, name: string): string {
  return window.getComputedStyle(element).getPropertyValue(name)
}
