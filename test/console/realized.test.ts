/** The console's tab of realized gains in a real Chromium. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe } from 'node:test'
import { button, openDesk } from './desk.ts'

const desk = openDesk()
const { as, browsing } = desk

describe('an account', () => {
  browsing('shows what it realized, by term, and saves Form 8949 of the year', async () => {
    const { page, open } = await as('viewer')
    const year = new Date().getUTCFullYear()
    const [from, to] = [`${year - 5}-01-01`, `${year}-12-31`]
    const accountNumber = '30100001'
    await open(`/console/accounts/${accountNumber}?tab=realized&from=${from}&to=${to}`)
    const asked = { accountNumber, dateFrom: from, dateTo: to }
    const { closings, totals } = (await desk.service.alpha.realizedGains(asked)).data
    assert.ok(closings.length > 0)
    const long = page.getByRole('region', { name: 'Long term' })
    const shown = await long.locator('dt', { hasText: 'Gain loss allowed' }).locator('+ dd').innerText()
    assert.equal(Number(shown.replaceAll(',', '').replace('−', '-')), totals.longTerm.gainLossAllowed)
    assert.equal(await page.locator('tbody tr').count(), closings.length)
    const form = button(page, `Form 8949 of ${year}`)
    const [download] = await Promise.all([page.waitForEvent('download'), form.click()])
    assert.equal(download.suggestedFilename(), `form-8949-${year}-${accountNumber}.csv`)
    assert.match(readFileSync(await download.path(), 'utf8'), /^Box,Description of property,/)
  })
})
