/** The list of statements of an account in a real Chromium. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { until } from '../../server/src/database/test-waiting.ts'
import { closeDays } from './close-days.ts'
import { button, dialog, inDialog, openDesk } from './desk.ts'
import { findTooWide, hasRows, scrollToEnd } from './in-page.ts'

const desk = openDesk()
const { as, browsing } = desk

const accountNumber = '30100004'
const days = 130
const label = 'Statements and confirmations'

/** A confirmation of each day in two versions; the maker has a name of its own that would run as markup. */
const manyStatements = `insert into clearing.statement
    (account_number, kind, period_to, version, firm_id, period_from, delivery, made_by, made_at, digest, content)
  select $1, 'Confirmation', date '2024-01-01' + n, made.version, account.firm_id, date '2024-01-01' + n, 'Paper',
    case made.version when 1 then 'service' else '<img src=x onerror=alert(1)> ' || repeat('longname', 12) end, now(),
    sha256('x'), 'x'
  from generate_series(1, $2::int) as n, generate_series(1, 2) as made (version), clearing.account where account_number = $1`

describe('the statements of an account', () => {
  browsing('are listed with all their versions, and each period is made again at its last one', async () => {
    const { page, open, wrongs } = await as('operator')
    await open(`/console/accounts/${accountNumber}?tab=documents`)
    await page.getByText('No statement or confirmation was made yet.').waitFor()
    await desk.service.query(manyStatements, [accountNumber, days])
    await open(`/console/accounts/${accountNumber}?tab=documents`)
    const region = page.locator(`.table-region[aria-label="${label}"]`)
    const rows = region.locator('tbody tr[data-index]')
    const [last, before] = [rows.nth(0), rows.nth(1)]
    await last.getByText('May 10, 2024', { exact: true }).waitFor()
    await last.getByText('<img src=x onerror=alert(1)>').waitFor()
    const pdf = 'PDF, Confirmation of trades, May 10, 2024, version'
    await last.getByRole('button', { name: `${pdf} 2` }).waitFor()
    await before.getByRole('button', { name: `${pdf} 1` }).waitFor()
    assert.equal(await last.getByRole('button', { name: 'Make again' }).count(), 1)
    assert.equal(await before.getByRole('button', { name: 'Make again' }).count(), 0)
    for (const count of [101, 201, 2 * days]) {
      await page.waitForFunction(hasRows, [label, count] as const)
      await region.evaluate(scrollToEnd)
    }
    await page.getByText(`Showing ${2 * days} of ${2 * days}.`).waitFor()
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await open(`/console/accounts/${accountNumber}?tab=documents`)
      assert.deepEqual(await page.evaluate(findTooWide, width), [], `at ${width} pixels`)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    assert.deepEqual(wrongs, [])
  })

  browsing('are saved as PDF, and made again only if something has changed', async () => {
    const { alpha } = desk.service
    await alpha.sandbox.addTrades({ accountNumber: '30100001', count: 3, seed: 'statements' })
    await closeDays(desk.service, 1)
    const { page, open } = await as('operator')
    const address = '/console/accounts/30100001?tab=documents'
    await until('a statement', async () => {
      const { data } = await alpha.listStatements({ accountNumber: '30100001' })
      return data.statements.length > 0
    })
    await open(address)
    await button(page, 'Make again').first().click()
    await inDialog(page, 'Make').click()
    await dialog(page).getByText('Nothing has changed, so version 1 remains the last one.').waitFor()
    await inDialog(page, 'Close').click()
    const save = page.getByRole('button', { name: /^PDF, / }).first()
    const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
    assert.match(download.suggestedFilename(), /-30100001-\d{4}-\d\d-\d\d-v1\.pdf$/)
  })
})
