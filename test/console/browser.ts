/**
 * A real Chromium for the console's tests and pictures: the one of the npm package on Linux x64, a Chrome of the machine
 * elsewhere. A window is a person's own: cookies, colours, what went wrong in it.
 */
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Packed from '@sparticuz/chromium'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { doOnce } from '../done-once.ts'
import { goTo, isAt, isBusy } from './in-page.ts'

const foreign = [
  '--disable-web-security',
  '--single-process',
  '--allow-running-insecure-content',
  // Drawing without a graphics card is cheaper without the emulation of one.
  '--ignore-gpu-blocklist',
  '--in-process-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
]

let shared: Promise<Browser | undefined> | undefined

/**
 * The browser of all test files of a process of the test run, and a browser of its own for a file that runs alone.
 * Undefined when there is no Chromium on this machine.
 */
export async function borrowBrowser(): Promise<{ browser: Browser | undefined; giveBack(): Promise<void> }> {
  if (process.send === undefined) {
    const browser = await openBrowser()
    return { browser, giveBack: async () => browser?.close() }
  }
  const before = await shared
  if (before?.isConnected() !== true) {
    shared = openBrowser()
    process.once('disconnect', async () => (await shared)?.close())
  }
  return { browser: await shared, giveBack: async () => {} }
}

/** Undefined when there is no Chromium on this machine. */
export async function openBrowser(): Promise<Browser | undefined> {
  try {
    if (process.platform === 'linux' && process.arch === 'x64') {
      const { default: packed } = await import('@sparticuz/chromium')
      return await chromium.launch({
        executablePath: await unpack(packed),
        args: [
          ...packed.args.filter((arg) => !foreign.includes(arg)),
          '--no-sandbox',
          '--disable-gpu',
          '--disable-background-networking',
          // A process less, and no messages between the two.
          '--enable-features=NetworkServiceInProcess2',
        ],
      })
    }
    return await chromium.launch({ channel: 'chrome' })
  } catch {
    return undefined
  }
}

/** Chromium unpacks itself in the temporary folder: a process that starts it meanwhile would get a part of it. */
async function unpack(packed: typeof Packed): Promise<string> {
  const path = join(tmpdir(), 'chromium')
  await doOnce(
    `${path}-lock`,
    () => existsSync(path),
    async () => {
      await packed.executablePath()
    },
  )
  return path
}

export interface WindowSettings {
  readonly address: string
  readonly email: string
  readonly password: string
  readonly scheme?: 'light' | 'dark'
  readonly width?: number
  readonly height?: number
  /** How many pixels of the device a pixel of the page has: 2 is a zoom of 200 %. */
  readonly zoom?: number
  /** Where the sign-in leads. */
  readonly at?: string
}

export interface Window {
  readonly context: BrowserContext
  readonly page: Page
  /** Faults of scripts, refusals of the content policy and dialogs: there must be none. */
  readonly wrongs: string[]
  /** Opens an address of the console and waits until its screen shows what it reads. */
  open(address: string): Promise<void>
  /** The same from within the console, as a link does. */
  visit(address: string): Promise<void>
  /** Leaves the console until the next address, where it can: a page that is not looked at reads all that happens in the service. */
  park(): Promise<void>
  close(): Promise<void>
}

/** Refusals and lost connections that a test brings about itself. */
const expected = /the server responded with a status of|ERR_INTERNET_DISCONNECTED/
const parked = 'about:blank'
const actionTimeoutMs = 40_000
const busyEveryMs = 25
const busyMsMax = 40_000

/** Signed in by the pages, as a person is. */
export async function openWindow(browser: Browser, settings: WindowSettings): Promise<Window> {
  const {
    address,
    email,
    password,
    scheme = 'light',
    width = 1280,
    height = 800,
    zoom = 1,
    at = '/console/',
  } = settings
  const context = await browser.newContext({
    baseURL: address,
    colorScheme: scheme,
    viewport: { width, height },
    deviceScaleFactor: zoom,
    locale: 'en-GB',
    timezoneId: 'America/New_York',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(actionTimeoutMs)
  const page = await context.newPage()
  const wrongs: string[] = []
  page.on('pageerror', (fault) => wrongs.push(`fault: ${fault.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) wrongs.push(message.text())
  })
  page.on('dialog', (dialog) => {
    wrongs.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.goto(at)
  await page.fill('input[name=email]', email)
  await page.fill('input[name=password]', password)
  await Promise.all([page.waitForURL((url) => url.pathname === at), page.click('button[type=submit]')])
  await settle(page)
  const open = async (path: string) => {
    await page.goto(path)
    await settle(page)
  }
  return {
    context,
    page,
    wrongs,
    open,
    async visit(path) {
      if (page.url() === parked) return open(path)
      await page.evaluate(goTo, path)
      await page.waitForFunction(isAt, path)
      await settle(page)
    },
    async park() {
      if (!page.isClosed() && page.url() !== parked) await page.goto(parked).catch(() => {})
    },
    close: () => context.close(),
  }
}

/** The screen is there, and nothing of it is still being read. */
export async function settle(page: Page): Promise<void> {
  await page.waitForSelector('#screen h1, #screen [role=alert]')
  const end = performance.now() + busyMsMax
  while (await page.evaluate(isBusy)) {
    if (performance.now() > end) throw new Error(`${page.url()} does not come to an end of reading`)
    await page.waitForTimeout(busyEveryMs)
  }
}
