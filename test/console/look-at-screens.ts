/**
 * Takes a picture of every screen, also with its dialogs and menus open, in three widths and both themes: `npx node
 * test/console/look-at-screens.ts <folder> [words of names…]`. It starts its own service with waiting work and closed
 * days.
 */
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { staffPassword } from '../acceptance/person.ts'
import { startRunningService } from '../acceptance/running-service.ts'
import { openBrowser, openWindow } from './browser.ts'
import { buildConsole } from './built-console.ts'
import { closeDays } from './close-days.ts'
import { type OpenedScreen, openedScreensOf, type Screen, screensOf } from './screens.ts'
import { makeShown } from './shown.ts'

const [folder = 'pictures', ...words] = process.argv.slice(2)
const sizes = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 400, height: 800 },
]
/** Charts and pages of documents are drawn after the screen has its data. */
const drawnWithinMs = 700
const daysClosed = 8

const browser = await openBrowser()
if (browser === undefined) throw new Error('There is no Chromium on this machine.')
await buildConsole()
const service = await startRunningService({ withAccounts: true })
try {
  const password = await staffPassword(service)
  const shown = await makeShown(service)
  await closeDays(service, daysClosed)
  const all: (Screen & Partial<OpenedScreen>)[] = [...screensOf(shown), ...openedScreensOf(shown)]
  const screens = all.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
  mkdirSync(folder, { recursive: true })
  for (const scheme of ['light', 'dark'] as const) {
    const { page, visit, close } = await openWindow(browser, {
      address: service.address,
      email: 'operator@example.com',
      password,
      scheme,
    })
    for (const { name, address, press = [] } of screens) {
      for (const size of sizes) {
        await page.setViewportSize(size)
        await page.keyboard.press('Escape')
        await visit(address)
        for (const selector of press) await page.locator(selector).first().click()
        await page.waitForTimeout(drawnWithinMs)
        await page.screenshot({
          path: resolve(folder, `${name}-${size.width}-${scheme}.png`),
          fullPage: true,
        })
      }
    }
    await close()
  }
} finally {
  await browser.close()
  await service.stop()
}
