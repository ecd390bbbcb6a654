/** The keyboard alone: the focus after the palette, and Undo without a way through the page. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { openDesk } from './desk.ts'
import { waitingApplication } from './waiting-work.ts'

const desk = openDesk()
const { as, browsing } = desk

describe('Escape from Ctrl+K', () => {
  browsing('returns the focus to where it was', async () => {
    const { page, open } = await as('operator')
    await open('/console/accounts/30100002')
    const link = page.getByRole('link', { name: 'Correct', exact: true })
    await link.focus()
    for (const typed of ['', 'kay']) {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').locator('input:focus').waitFor()
      await page.keyboard.type(typed)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await link.and(page.locator(':focus')).waitFor()
    }
  })
})

describe('the key z', () => {
  browsing('undoes what the newest notice reports', async () => {
    await waitingApplication(desk.service.alpha)
    const { page, open, wrongs } = await as('operator')
    await open('/console/work?queue=Application')
    await page.keyboard.press('j')
    await page.keyboard.press('c')
    const notice = page.locator('.notices > *', { hasText: 'You claimed 1 item.' })
    await notice.waitFor()
    assert.equal(await page.locator('.notices').getByRole('alert').count(), 0)
    const given = page.waitForResponse('**/assign-work')
    await page.keyboard.press('z')
    assert.equal((await given).ok(), true)
    await notice.waitFor({ state: 'detached' })
    assert.deepEqual(wrongs, [])
  })
})
