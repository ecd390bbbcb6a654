/**
 * A real Chromium for the console's tests and pictures: that of the npm package on Linux x64, and an installed Chrome
 * elsewhere. A window belongs to one person: it has its own cookies and theme, and records its faults.
 */
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Packed from '@sparticuz/chromium'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { doOnce } from '../done-once.ts'
import { goTo, hide, isAt, isBusy, startAnew } from './in-page.ts'

const foreign = [
  '--disable-web-security',
  '--single-process',
  '--allow-running-insecure-content',
  // Drawing without a graphics card costs less without the emulation of one.
  '--ignore-gpu-blocklist',
  '--in-process-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
]

let shared: Promise<Browser | undefined> | undefined

/**
 * The browser that all test files of a process of the test run share. A file that runs alone has its own. Undefined
 * when this machine has no Chromium.
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

/** Undefined when this machine has no Chromium. */
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
          // Saves a process, and the messages between the two.
          '--enable-features=NetworkServiceInProcess2',
        ],
      })
    }
    return await chromium.launch({ channel: 'chrome' })
  } catch {
    return undefined
  }
}

/**
 * Chromium unpacks itself in the temporary folder. A process that starts it meanwhile would find an incomplete copy.
 */
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
  /** The number of device pixels for each pixel of the page: 2 is a zoom of 200 %. */
  readonly zoom?: number
  /** The address to which the sign-in leads. */
  readonly at?: string
}

export interface Window {
  readonly context: BrowserContext
  readonly page: Page
  /** Faults of scripts, refusals of the content policy and dialogs. The list must stay empty. */
  readonly wrongs: string[]
  /**
   * Opens an address of the console without anything that the page has read before, and waits until the screen shows
   * its data. The page is loaded only when this is necessary.
   */
  open(address: string): Promise<void>
  /** Opens an address as a link does. The page keeps the data that it has read. */
  visit(address: string): Promise<void>
  /**
   * Puts the page in the background until the next address. In the foreground it would read every change of the
   * service.
   */
  park(): Promise<void>
  close(): Promise<void>
}

/** Refusals and lost connections that a test causes itself. */
const expected = /the server responded with a status of|ERR_INTERNET_DISCONNECTED/
const actionTimeoutMs = 40_000
const busyEveryMs = 25
const busyMsMax = 40_000

/** Signs in through the pages, as a person does. */
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
    if (dialog.type() === 'beforeunload') return void dialog.accept()
    wrongs.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.goto(at)
  await page.fill('input[name=email]', email)
  await page.fill('input[name=password]', password)
  await Promise.all([page.waitForURL((url) => url.pathname === at), page.click('button[type=submit]')])
  await settle(page)
  let isParked = false
  const goWithin = async (path: string) => {
    await page.evaluate(goTo, path)
    // At intervals, because a window that has just been resized may draw no frame for a while.
    await page.waitForFunction(isAt, path, { polling: busyEveryMs })
  }
  const open = async (path: string) => {
    isParked = false
    if (await page.evaluate(startAnew)) await goWithin(path)
    else await page.goto(path)
    await settle(page)
  }
  return {
    context,
    page,
    wrongs,
    open,
    async visit(path) {
      if (isParked) return open(path)
      await goWithin(path)
      await settle(page)
    },
    async park() {
      if (isParked || page.isClosed()) return
      isParked = true
      await page.evaluate(hide)
    },
    close: () => context.close(),
  }
}

/** The screen is there, and none of its data is still loading. */
export async function settle(page: Page): Promise<void> {
  await page.waitForSelector('#screen h1, #screen [role=alert]')
  const end = performance.now() + busyMsMax
  while (await page.evaluate(isBusy)) {
    if (performance.now() > end) throw new Error(`${page.url()} does not finish loading`)
    await page.waitForTimeout(busyEveryMs)
  }
}
