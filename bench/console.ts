/**
 * Measures the operations console in a real Chromium: the time to the first screen with an empty cache, and
 * lists of a hundred thousand accounts, items of work, audit rows and lines of activity. It measures how soon
 * each list opens, continues and filters, and whether it stays small in the page. BENCH_CONSOLE_ROWS makes
 * the lists shorter. Without a Chromium on the machine the benchmark measures nothing.
 */
import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { sandboxPasswordFile } from '../server/src/identity/staff/sandbox-staff.ts'
import { applicationOf } from '../test/acceptance/applications.ts'
import { openAndFollow } from '../test/acceptance/calling.ts'
import { openBrowser, openWindow, settle } from '../test/console/browser.ts'
import { buildConsole } from '../test/console/built-console.ts'
import { longLists } from '../test/console/long-lists.ts'
import { loadCopiedTrades, loadMarket } from './books/feed.ts'
import { type House, openHouse, openSession } from './house.ts'
import { median, type Row } from './measure.ts'

const length = Number(process.env.BENCH_CONSOLE_ROWS ?? 100_000)
const rounds = 7
const pagesOn = 10
const firstScreenMsMax = 1_500
const firstScreenKbMax = 300
const assets = resolve(import.meta.dirname, '../console/dist/assets')
const listMsMax = 1_000
const activityMsMax = 5_000
const pageMsMax = 500
const rowsInPageMax = 80

export async function rows(): Promise<Row[]> {
  const browser = await openBrowser()
  if (browser === undefined) return []
  await buildConsole()
  await using house = await openHouse()
  try {
    const activeAccount = await fill(house)
    const password = (await readFile(sandboxPasswordFile(house.dataDir), 'utf8')).trim()
    const window = await openWindow(browser, {
      address: house.address,
      email: 'operator@example.com',
      password,
    })
    const found = await firstScreen(browser, house, await window.context.storageState())
    for (const list of listsOf(activeAccount)) found.push(...(await measureList(window.page, list)))
    if (window.wrongs.length > 0) throw new Error(window.wrongs.join('\n'))
    return found
  } finally {
    await browser.close()
  }
}

/** From the start of the navigation until the home screen shows its data, in a browser without a cache. */
async function firstScreen(browser: Browser, house: House, storageState: object): Promise<Row[]> {
  const times: number[] = []
  let kilobytes = 0
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext({
      baseURL: house.address,
      storageState: storageState as never,
    })
    const page = await context.newPage()
    await page.goto('/console/', { waitUntil: 'commit' })
    await page.waitForSelector('#screen .sentence')
    times.push(await page.evaluate(() => performance.now()))
    kilobytes = (await gzippedBytes(await page.evaluate(namesOfScriptsAndStyles))) / 1_000
    await context.close()
  }
  return [
    row('console: first screen, empty cache', median(times), firstScreenMsMax, `median of ${rounds}`),
    {
      name: 'console: scripts and styles of the first screen, gzipped',
      measured: `${Math.round(kilobytes)} kB`,
      floor: '',
      figure: kilobytes,
      target: `≤ ${firstScreenKbMax} kB`,
      met: kilobytes <= firstScreenKbMax,
      note: 'all that the page requested until it was shown',
    },
  ]
}

async function gzippedBytes(names: readonly string[]): Promise<number> {
  let bytes = 0
  for (const name of names) bytes += (await stat(join(assets, `${name}.gz`))).size
  return bytes
}

function row(name: string, ms: number, msMax: number, note: string): Row {
  return {
    name,
    measured: `${Math.round(ms).toLocaleString('en-US')} ms`,
    floor: '',
    figure: ms,
    target: `≤ ${msMax.toLocaleString('en-US')} ms`,
    met: ms <= msMax,
    note,
  }
}

interface List {
  readonly name: string
  readonly address: string
  readonly label: string
  /** The same list with a filter that excludes most of it. */
  readonly filtered: string
  readonly openMsMax: number
  /** True if the whole list comes at once; other lists come page by page. */
  readonly whole?: boolean
}

function listsOf(activeAccount: string): readonly List[] {
  return [
    {
      name: 'accounts',
      address: '/console/accounts',
      label: 'Accounts',
      filtered: '/console/accounts?accountStatus=Restricted',
      openMsMax: listMsMax,
    },
    {
      name: 'items of work',
      address: '/console/work',
      label: 'Work',
      filtered: '/console/work?queue=Application&older=168',
      openMsMax: listMsMax,
    },
    {
      name: 'audit rows',
      address: '/console/audit',
      label: 'Audit rows',
      filtered: '/console/audit?actor=nobody@example.com',
      openMsMax: listMsMax,
    },
    {
      name: 'lines of activity',
      address: `/console/accounts/${activeAccount}?tab=activity&from=2025-01-01&to=2025-12-31`,
      label: 'Activity',
      filtered: `/console/accounts/${activeAccount}?tab=activity&from=2025-01-01&to=2025-12-31&symbol=S1`,
      openMsMax: activityMsMax,
      whole: true,
    },
  ]
}

async function measureList(page: Page, list: List): Promise<Row[]> {
  const what = `console: ${length.toLocaleString('en-US')} ${list.name}`
  const opened = median(await repeat(3, () => timeOf(page, list.address)))
  const region = page.locator(`.table-region[aria-label="${list.label}"]`)
  let most = 0
  const look = async () => {
    most = Math.max(most, await page.locator('tbody tr').count())
  }
  await look()
  const steps: number[] = []
  for (let step = 0; step < pagesOn; step++) {
    const startedMs = performance.now()
    const before = Number(await region.locator('table').getAttribute('aria-rowcount'))
    await region.evaluate(
      (one, share) => {
        const scrolled = one as unknown as { scrollTo(x: number, y: number): void; scrollHeight: number }
        scrolled.scrollTo(0, scrolled.scrollHeight * share)
      },
      list.whole ? (step + 1) / pagesOn : 1,
    )
    if (!list.whole) await page.waitForFunction(hasMoreThan, [list.label, before] as const)
    else await page.waitForFunction(showsRows, list.label)
    steps.push(performance.now() - startedMs)
    await look()
  }
  const filtered = median(await repeat(3, () => timeOf(page, list.filtered)))
  return [
    row(`${what}, opened`, opened, list.openMsMax, 'from the address to its first rows'),
    row(
      `${what}, further on`,
      median(steps),
      pageMsMax,
      list.whole ? 'a tenth of the list' : 'the next hundred',
    ),
    row(`${what}, filtered`, filtered, list.openMsMax, 'from the address to the filtered rows'),
    {
      name: `${what}, rows in the page`,
      measured: `${most}`,
      floor: '',
      figure: most,
      target: `≤ ${rowsInPageMax}`,
      met: most <= rowsInPageMax,
      note: 'at most, while it was scrolled',
    },
  ]
}

async function repeat(times: number, measure: () => Promise<number>): Promise<number[]> {
  const found: number[] = []
  for (let time = 0; time < times; time++) found.push(await measure())
  return found
}

/** Milliseconds from an address to the content of its screen. */
async function timeOf(page: Page, address: string): Promise<number> {
  const startedMs = performance.now()
  await page.goto(address, { waitUntil: 'commit' })
  await settle(page)
  return performance.now() - startedMs
}

// Sent to the page and run there.
// biome-ignore lint/suspicious/noExplicitAny: the browser's own, which the types of Node do not have
declare const document: any

// biome-ignore lint/suspicious/noExplicitAny: the same
declare const performance: any

function namesOfScriptsAndStyles(): string[] {
  return performance
    .getEntriesByType('resource')
    .map(({ name }: { name: string }) => new URL(name).pathname.split('/').pop() ?? '')
    .filter((name: string) => /\.(js|css)$/.test(name))
}

function hasMoreThan([label, count]: readonly [string, number]): boolean {
  return (
    Number(
      document.querySelector(`.table-region[aria-label="${label}"] table`)?.getAttribute('aria-rowcount'),
    ) > count
  )
}

function showsRows(label: string): boolean {
  const region = document.querySelector(`.table-region[aria-label="${label}"]`)
  const { top, bottom } = region.getBoundingClientRect()
  return [...region.querySelectorAll('tbody tr[data-index]')].some((one: typeof region) => {
    const at = one.getBoundingClientRect()
    return at.top >= top && at.bottom <= bottom
  })
}

/** Fills the rows by SQL as the service would have made them. Returns the account with the activity. */
async function fill(house: House): Promise<string> {
  await using session = await openSession(house)
  for (const query of longLists) await session.query(query, [length])
  await loadMarket(house)
  const activeAccount = await openAndFollow(house.client, applicationOf({ lastName: 'ACTIVE' }))
  await loadCopiedTrades(house, session, activeAccount, length)
  await session.query('vacuum analyze')
  return activeAccount
}
