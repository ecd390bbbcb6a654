/** A screen whose script cannot be loaded: the console says so, and shows the screen when the service is back. */
import assert from 'node:assert/strict'
import { settle } from './browser.ts'
import { openDesk } from './desk.ts'

const desk = openDesk()
const { browsing, signIn } = desk

browsing(
  'a screen that cannot be loaded keeps the typed text, and is there when the service is back; later it is loaded before',
  async () => {
    const { page, visit, context, close, wrongs } = await signIn('operator')
    await page.clock.install()
    await page.reload()
    await settle(page)
    await visit('/console/accounts/30100002/correct')
    const street = page.locator('input[name="primaryOwner.jobTitle"]')
    await street.fill('Pilot')
    await visit('/console/accounts/30100002')
    await page.route('**/*', (route) => route.fulfill({ status: 503, body: '' }))
    await page.getByRole('link', { name: 'Reports' }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'This part of the console cannot be loaded' })
    await alert.getByRole('button', { name: 'Try again' }).waitFor()
    await page.goBack()
    await page.getByRole('tab', { name: 'Positions' }).click()
    await page.getByRole('tabpanel').locator(alert).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await page.clock.fastForward(5_000)
    await page.getByRole('tabpanel').getByRole('table').first().waitFor()
    await visit('/console/accounts/30100002/correct')
    assert.equal(await street.inputValue(), 'Pilot')

    const loaded = page.waitForResponse(/assets\/incidents-screen-/)
    await page.clock.fastForward(20_000)
    await loaded
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Incidents' }).click()
    await page.getByRole('heading', { level: 1, name: 'Incidents' }).waitFor()
    await context.setOffline(false)
    assert.deepEqual(wrongs, [])
    await close()
  },
)
