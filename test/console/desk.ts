/**
 * What the tests of a file share: one service, one browser and a window for each role, with the steps that people do in
 * all of them. On a machine without Chromium the tests are skipped and report why.
 */
import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import type { StaffRole } from '@clearing/protocol'
import type { Browser, Page, Route } from 'playwright-core'
import { staffPassword } from '../acceptance/person.ts'
import { type RunningService, startRunningService } from '../acceptance/running-service.ts'
import { borrowBrowser, openWindow, settle, type Window, type WindowSettings } from './browser.ts'
import { buildConsole } from './built-console.ts'

const withoutBrowser = 'there is no Chromium on this machine'

export interface Desk {
  readonly service: RunningService
  readonly browser: Browser
  /** Whether there is a browser. */
  readonly isOpen: boolean
  /** A test that is skipped where there is no browser. */
  browsing(name: string, run: (context: TestContext) => Promise<void>): void
  /** A window of its own. */
  signIn(who: string, settings?: Partial<WindowSettings>): Promise<Window>
  /** The window of a role. All tests of the file share it. */
  as(role: StaffRole): Promise<Window>
}

/** Opened before the first test of the file and closed after the last. */
export function openDesk(): Desk {
  let browser: Browser | undefined
  let giveBack: (() => Promise<void>) | undefined
  let service: RunningService | undefined
  let password = ''
  const windows: Window[] = []
  const kept = new Map<StaffRole, Promise<Window>>()

  before(async () => {
    ;({ browser, giveBack } = await borrowBrowser())
    if (browser === undefined) return
    await buildConsole()
    service = await startRunningService({ withAccounts: true })
    password = await staffPassword(service)
  })
  after(async () => {
    for (const window of windows) await window.close()
    await giveBack?.()
    await service?.stop()
  })

  const opened = <T>(part: T | undefined): T => {
    assert.ok(part, 'the desk is not open')
    return part
  }
  const signIn = async (who: string, settings: Partial<WindowSettings> = {}): Promise<Window> => {
    const { address } = opened(service)
    const email = who.includes('@') ? who : `${who}@example.com`
    const window = await openWindow(opened(browser), { address, email, password, ...settings })
    windows.push(window)
    return window
  }
  return {
    get service() {
      return opened(service)
    },
    get browser() {
      return opened(browser)
    },
    get isOpen() {
      return browser !== undefined
    },
    browsing: (name, run) =>
      test(name, async (context) => {
        if (browser === undefined) return context.skip(withoutBrowser)
        try {
          await run(context)
          await Promise.all(windows.map((window) => window.park()))
        } catch (fault) {
          const shown = await Promise.all(windows.map(describeWindow))
          throw new Error(`the windows show:\n${shown.join('\n\n')}`, { cause: fault })
        }
      }),
    signIn,
    as(role) {
      const window = kept.get(role) ?? signIn(role)
      kept.set(role, window)
      return window
    },
  }
}

const shownTextMax = 1_500
const shownWithinMs = 5_000

/** The contents and faults of a window, for a test that failed. */
async function describeWindow({ page, wrongs }: Window): Promise<string> {
  const text = await page.locator('body').innerText({ timeout: shownWithinMs }).catch(String)
  const left = await page.locator('h1[data-left]').count().catch(String)
  return `${page.url()}\nHeadings of the screen before: ${left}\n${wrongs.join('\n')}\n${text.slice(0, shownTextMax)}`
}

export function button(page: Page, name: string) {
  return page.getByRole('button', { name, exact: true })
}
export function dialog(page: Page) {
  return page.getByRole('dialog')
}
export function inDialog(page: Page, name: string) {
  return dialog(page).getByRole('button', { name, exact: true })
}

/** The value beside a label. */
export function factOf(page: Page, label: string) {
  return page.locator('dt', { hasText: label }).first().locator('+ dd')
}

/** Types and chooses in the open dialog, by the labels. */
export async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    const field = dialog(page).getByLabel(label)
    if ((await field.evaluate((element) => element.tagName)) === 'SELECT') await field.selectOption(value)
    else await field.fill(value)
  }
}

/** Presses a button, fills its dialog, sends it, and waits until the dialog is closed. */
export async function send(
  page: Page,
  name: string,
  fields: Record<string, string>,
  submit: string,
): Promise<void> {
  await button(page, name).first().click()
  await fill(page, fields)
  await inDialog(page, submit).click()
  await dialog(page).waitFor({ state: 'detached' })
}

/** Sends a dialog, and waits until the screen shows what follows from it. Undo may then no longer be offered. */
export async function act(...sent: Parameters<typeof send>): Promise<void> {
  await send(...sent)
  await settle(sent[0])
}

/** Holds every answer to an address until it is asked to go on. */
export async function hold(page: Page, pattern: string): Promise<() => Promise<void>> {
  let goOn = () => {}
  const asked = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const wait = async (route: Route) => {
    await asked
    await route.continue().catch(() => undefined)
  }
  await page.route(pattern, wait)
  return async () => {
    goOn()
    await page.unroute(pattern, wait)
  }
}
