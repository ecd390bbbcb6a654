/** Rejected lines are corrected in the list and sent again. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { settle } from './browser.ts'
import { openDesk } from './desk.ts'
import { handsOn, mouseOn } from './keys.ts'

const desk = openDesk()
const { as, browsing } = desk

const sale = {
  acctNo: '30100001',
  acctType: '1',
  transType: 'Trade',
  buySell: 'SEL',
  symbol: 'ANCR',
  quantity: 1_000_000,
  price: '4.10',
  tradeDate: '2025-03-03',
}

function loadActivity(...lines: object[]) {
  return desk.service.operations.operations.loadActivity({ lines: { ndjson: lines } })
}

describe('a rejected line', () => {
  browsing('is shown as it was sent, with the field marked, and corrected within five keys', async () => {
    const { data: load } = await loadActivity({
      ...sale,
      externalId: 'mend-1',
      buySell: 'BUY',
      symbol: 'NOSUCH',
    })
    assert.equal(load.rejected, 1)
    const { page, open } = await as('operator')
    await open(`/console/books/loads/${load.loadId}`)
    const line = page.getByRole('listitem', { name: 'Line 1', exact: true })
    await line.getByText('mend-1', { exact: true }).waitFor()
    assert.equal(await line.getByLabel('price', { exact: true }).inputValue(), '4.10')
    assert.equal(await line.getByLabel('quantity', { exact: true }).inputValue(), '1000000')
    assert.equal(await line.getByLabel('symbol', { exact: true }).getAttribute('aria-invalid'), 'true')
    const hands = handsOn(page)
    await hands.press('j')
    await line.locator('input[name=symbol]:focus').waitFor()
    await hands.press('Control+a')
    await hands.type('ANCR')
    await hands.press('Enter')
    await line.getByText('The corrected line was accepted').waitFor()
    assert.ok(hands.count <= 5, `${hands.count} keys`)
    await line.getByRole('link', { name: 'a separate load' }).click()
    await page.getByText('Every line was accepted.').waitFor()
    const colleague = await as('viewer')
    await colleague.open(`/console/books/loads/${load.loadId}`)
    await colleague.page.getByText('The corrected line was accepted by a separate load.').waitFor()
    await colleague.page.getByText('1 accepted later.', { exact: true }).waitFor()
  })

  browsing('is shown with the lines of the same cause', async () => {
    const { data: load } = await loadActivity(
      { ...sale, externalId: 'cause-1', symbol: 'NOSUCH' },
      { ...sale, externalId: 'cause-2', price: 'dear' },
      { ...sale, externalId: 'cause-3', price: 'dear', quantity: 'many' },
    )
    assert.equal(load.rejected, 3)
    const { page, open } = await as('operator')
    await open(`/console/books/loads/${load.loadId}`)
    const lines = page.getByRole('listitem', { name: /^Line \d$/ })
    assert.equal(await lines.count(), 3)
    await page.getByText('Showing 3 of 3.', { exact: true }).waitFor()
    const causes = page.getByRole('group', { name: 'Causes' })
    await causes.getByRole('button', { name: /\(2\)$/ }).click()
    await page.getByRole('listitem', { name: 'Line 1', exact: true }).waitFor({ state: 'detached' })
    assert.equal(await lines.count(), 2)
    await page.getByText('Showing 2 of 3.', { exact: true }).waitFor()
  })

  browsing(
    'that is rejected again shows the reason, and keeps the typed text when the screen is left',
    async () => {
      const { data: load } = await loadActivity({ ...sale, externalId: 'mend-2', price: 'dear' })
      const { page, open, visit } = await as('operator')
      await open(`/console/books/loads/${load.loadId}`)
      const price = page.getByLabel('price', { exact: true })
      const mouse = mouseOn()
      await mouse.click(price)
      await price.fill('dearer')
      await mouse.click(page.getByRole('button', { name: 'Send again' }))
      assert.ok(mouse.clicks <= 2, `${mouse.clicks} clicks`)
      await page.getByText('It was rejected again.').waitFor()
      await visit('/console/books/loads')
      await visit(`/console/books/loads/${load.loadId}`)
      assert.equal(await price.inputValue(), 'dearer')
    },
  )
})

describe('a break', () => {
  browsing('is found by its cause, and leads to the trade behind it', async () => {
    await loadActivity({ ...sale, externalId: 'break-1', quantity: 7_000_000 })
    const { breaks } = (await desk.service.operations.operations.listBreaks({})).data
    const found = breaks.find(({ externalId }) => externalId === 'break-1')
    assert.ok(found)
    const ofKind = breaks.filter(({ kind }) => kind === found.kind)
    const { page, open } = await as('operator')
    await open('/console/books/breaks')
    await page.getByLabel('Cause', { exact: true }).selectOption(found.kind)
    await page.getByText(`Showing ${ofKind.length} of ${ofKind.length}.`).waitFor()
    await settle(page)
    const row = page.locator('tbody tr', { hasText: 'break-1' })
    await row.getByText('ANCR').waitFor()
    await row.getByRole('link', { name: 'Mar 3, 2025' }).click()
    await page.waitForURL(/tab=activity&from=2025-03-03/)
    await settle(page)
    const trade = page.getByRole('group', { name: 'Activity' }).locator('tbody tr', { hasText: '7,000,000' })
    await trade.getByText('ANCR', { exact: true }).waitFor()
    // As a close raises it.
    await desk.service.query(
      `insert into clearing.books_break (break_id, account_number, firm_id, kind, acct_type, reason, raised_at)
       select gen_random_uuid(), account_number, firm_id, 'ActionMissed', 2, $1, now() from clearing.account
       where account_number = '30100002'`,
      [
        'Holders of ANCR got a StockDividend of 2026-12-15, and account type 2 of this account did not. Load its line, or cancel those of the others.',
      ],
    )
    for (const address of ['/console/books/breaks', '/console/work?queue=Break', '/console/']) {
      await open(address)
      const reason = 'Holders of ANCR got a stock dividend of Dec 15, 2026, and account type Margin of this'
      await page.getByText(reason, { exact: false }).first().waitFor()
    }
  })
})
