/** Answers that come late: a notice reports the outcome on any screen, and a pressed button keeps the focus. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { signIn as signInOutside } from '../acceptance/person.ts'
import { button, dialog, fill, hold, inDialog, openDesk } from './desk.ts'
import { waitingApplication } from './waiting-work.ts'

const desk = openDesk()
const { as, browsing } = desk

describe('a late answer', () => {
  browsing('is reported to a person who left the screen, and leads nowhere', async () => {
    const { alpha } = desk.service
    const [first, second] = [await waitingApplication(alpha), await waitingApplication(alpha)]
    const { page, open, visit, wrongs } = await as('operator')
    await open('/console/accounts')
    await visit(`/console/accounts/${first}/application?queue=Application`)
    const goOn = await hold(page, '**/decide-onboarding')
    await page.keyboard.press('a')
    await dialog(page).getByLabel('Reason').waitFor()
    await page.keyboard.press('Control+Enter')
    await dialog(page).locator('[type=submit][aria-busy]').waitFor()
    assert.equal(await inDialog(page, 'Cancel').isDisabled(), true)
    await page.keyboard.press('Escape')
    await inDialog(page, 'Approve').waitFor()
    await page.goBack()
    await dialog(page).waitFor({ state: 'detached' })
    await goOn()
    await page.locator('.notices').getByText(`${first}: done.`).waitFor()
    await visit(`/console/accounts/${second}/application`)

    const refused = await hold(page, '**/decide-onboarding')
    await page.keyboard.press('r')
    await fill(page, { Reason: 'The passport is forged.' })
    await page.keyboard.press('Control+Enter')
    await dialog(page).locator('[type=submit][aria-busy]').waitFor()
    await page.goBack()
    await dialog(page).waitFor({ state: 'detached' })
    const other = await signInOutside(desk.service, 'principal@example.com')
    await other.call('decide-onboarding', { accountNumber: second, decision: 'Approved' })
    await refused()
    const notice = page.locator('.notices > *', { hasText: `Not done: Reject the application, ${second}` })
    await notice.getByText('principal@example.com').waitFor()
    assert.deepEqual(wrongs, [])
  })

  browsing('of a correction is reported to a person who left it', async () => {
    const { page, open, visit } = await as('operator')
    const accountNumber = '30100004'
    await open('/console/accounts')
    await visit(`/console/accounts/${accountNumber}/correct`)
    await page.locator('input[name="primaryOwner.jobTitle"]').fill('Pilot')
    await page.getByLabel('Reason').fill('The owner called.')
    const goOn = await hold(page, '**/update-account')
    await button(page, 'Send the correction').click()
    await page.locator('button[aria-busy]').waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
    await goOn()
    await page.locator('.notices').getByText(`${accountNumber}: It has version`).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
  })
})

describe('a button whose action runs', () => {
  browsing('keeps the focus, and ignores a second press', async () => {
    const { page, open } = await as('operator')
    for (const [address, name, operation] of [
      ['/console/audit', 'Verify the chain', 'verify-audit'],
      ['/console/books/breaks', 'Verify the books', 'verify-books'],
    ] as const) {
      await open(address)
      const goOn = await hold(page, `**/${operation}`)
      let count = 0
      page.on('request', (request) => {
        if (request.url().endsWith(`/${operation}`)) count += 1
      })
      await button(page, name).press('Enter')
      const busy = page.locator('button[aria-busy]', { hasText: name })
      await busy.and(page.locator(':focus')).waitFor()
      await page.keyboard.press('Enter')
      await goOn()
      await busy.waitFor({ state: 'detached' })
      await button(page, name).and(page.locator(':focus')).waitFor()
      assert.equal(count, 1)
    }
  })
})
