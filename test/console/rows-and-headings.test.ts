/** What rows, headings and the palette show: the item of a button, the currency, states in forced colours. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { applicationFor } from '../acceptance/applications.ts'
import { openAndFollow } from '../acceptance/calling.ts'
import { signIn as signInOutside } from '../acceptance/person.ts'
import { settle } from './browser.ts'
import { button, dialog, openDesk } from './desk.ts'
import { findCutTexts, styleOf } from './in-page.ts'

const desk = openDesk()
const { as, browsing, signIn } = desk
const accountNumber = '30100002'

describe('an account', () => {
  browsing('has its tabs in Ctrl-K, and compares the two days that its history begins with', async () => {
    const { page, open, wrongs } = await as('operator')
    await open('/console/')
    await page.keyboard.press('Control+k')
    await dialog(page).locator('input:focus').waitFor()
    await page.keyboard.insertText('30100003 positions')
    await page.keyboard.press('Enter')
    await page.waitForURL(/accounts\/30100003\?tab=positions/)
    await page.getByRole('tab', { name: 'Positions', selected: true }).waitFor()
    await open(`/console/accounts/${accountNumber}?tab=history`)
    await page.getByRole('group', { name: 'Fields that differ' }).waitFor()
    await open(`/console/accounts/${accountNumber}?tab=margin`)
    await page.getByRole('columnheader', { name: 'Deposit, USD' }).first().waitFor()
    const corrected = await openAndFollow(desk.service.alpha, applicationFor('Individual'))
    await desk.service.alpha.updateAccount({
      accountNumber: corrected,
      financialProfile: { netWorth: 'C', liquidNetWorth: 'C' },
    })
    await open(`/console/accounts/${corrected}?tab=audit`)
    const detail = page.locator('.detail', { hasText: 'Net worth' }).first()
    assert.match(await detail.innerText(), /^field /)
    assert.deepEqual(wrongs, [])
  })
})

describe('the inbox', () => {
  browsing('shows in forced colours what is marked, and says who may not claim it', async () => {
    const operator = await signInOutside(desk.service, 'operator@example.com')
    await operator.call('place-restriction', {
      accountNumber: '30100006',
      restrictionCode: 'ReturnedMail',
      reason: 'A letter came back.',
    })
    const { page, open } = await as('operator')
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
    await open('/console/work')
    const row = page.getByRole('checkbox', { name: 'Mark Place restriction 30100006' })
    const before = await page.getByRole('checkbox').first().evaluate(styleOf, 'background-color')
    await row.check()
    const marked = await row.evaluate(styleOf, 'background-color')
    assert.notEqual(marked, before)
    const claim = page.locator('#screen').getByRole('button', { name: 'Claim', exact: true })
    assert.equal(
      await claim.getAttribute('aria-description'),
      'Work of the queue Restriction is not for the role operator.',
    )
    await row.uncheck()
    await page.keyboard.press('j')
    const highlighted = page.locator('tr[aria-selected=true]')
    await highlighted.waitFor()
    assert.equal(await highlighted.evaluate(styleOf, 'outline-style'), 'solid')
    await page.keyboard.press('Control+k')
    await dialog(page).locator('input:focus').waitFor()
    await page.keyboard.insertText('30100003')
    const choice = dialog(page).locator('[data-combobox-selected]')
    await choice.first().waitFor()
    assert.equal(await choice.first().evaluate(styleOf, 'outline-style'), 'solid')
    await page.keyboard.press('Escape')
    await open('/console/reports')
    const [bar, ground] = ['.bar > div', '.panel'].map((selector) => page.locator(selector).first())
    assert.notEqual(
      await bar?.evaluate(styleOf, 'background-color'),
      await ground?.evaluate(styleOf, 'background-color'),
    )
    await open(`/console/accounts/${accountNumber}`)
    const border = await page.getByRole('tab', { selected: true }).evaluate(styleOf, 'border-bottom-width')
    assert.equal(border, '3px')
    await page.emulateMedia({ forcedColors: 'none', reducedMotion: 'reduce' })
  })

  browsing(
    'shows a security that is named by digits as it is, and a queue that does not exist as unknown',
    async () => {
      const { page, open, wrongs } = await as('operator')
      await page.route('**/list-work', async (route) => {
        const answer = await route.fetch()
        const json = (await answer.json()) as { data: { work: object[] } }
        const [first, ...rest] = json.data.work
        const broken = {
          queue: 'Break',
          break: {
            kind: 'Liquidate',
            security: '037833100',
            quantity: null,
            externalId: '',
            reason: 'Too little is held',
          },
        }
        await route.fulfill({
          response: answer,
          json: { ...json, data: { ...json.data, work: [{ ...first, ...broken }, ...rest] } },
        })
      })
      await open('/console/work')
      await page.getByRole('link', { name: 'Liquidate · 037833100' }).waitFor()
      await page.unrouteAll({ behavior: 'wait' })
      await open('/console/work?queue=constructor')
      await page.locator('option', { hasText: 'constructor' }).waitFor({ state: 'attached' })
      assert.deepEqual(wrongs, [])
    },
  )
})

describe('the buttons of rows', () => {
  browsing('name their row, and are whole in a narrow window', async () => {
    const { page, open } = await as('admin')
    await open('/console/staff')
    await page.locator('[aria-description="Oscar Ortiz"]', { hasText: 'Disable…' }).click()
    await page.getByRole('dialog', { name: 'Disable operator@example.com Oscar Ortiz' }).waitFor()
    await page.keyboard.press('Escape')
    await open('/console/firms')
    await page.getByRole('link', { name: 'Alpha Securities' }).click()
    await button(page, 'New secret…').first().waitFor()
    await settle(page)
    const size = page.viewportSize()
    await page.setViewportSize({ width: 320, height: 800 })
    await button(page, 'New secret…').first().scrollIntoViewIfNeeded()
    assert.deepEqual(
      (await page.evaluate(findCutTexts)).filter((text) => text.includes('Button')),
      [],
    )
    if (size !== null) await page.setViewportSize(size)
    await open('/console/books/locations')
    await page.getByText(/^No report for .+ differs from the positions, or no report has come\.$/).waitFor()
  })
})

describe('a low window, as at a zoom of 400 %', () => {
  browsing('has every column of the menu within it, and shows a whole row of the list', async () => {
    const { page, open, close } = await signIn('operator', { width: 320, height: 256 })
    await open('/console/work')
    await page.getByRole('button', { name: 'Columns of Work' }).click()
    const menu = page.locator('.mantine-Popover-dropdown')
    await menu.waitFor()
    const { y = -1, height = 0 } = (await menu.boundingBox()) ?? {}
    assert.ok(y > -1 && y + height <= 256, `the menu is from ${y} to ${y + height}`)
    await page.keyboard.press('Escape')
    const region = await page.locator('.table-region').boundingBox()
    const row = await page.locator('tbody tr[data-index]').first().boundingBox()
    const headings = await page.locator('.table-region thead').boundingBox()
    assert.ok((row?.height ?? 0) + (headings?.height ?? 0) <= (region?.height ?? 0))
    await close()
  })
})
