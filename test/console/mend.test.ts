/** Rejected lines are corrected where they stand and sent again; breaks show the security, how much, and the trade behind them. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { settle } from './browser.ts'
import { openDesk } from './desk.ts'
import { handsOn } from './keys.ts'

const desk = openDesk()
const { as, browsing } = desk

const sale = {
  acctNo: '30100001',
  acctType: '1',
  transType: 'Trade',
  buySell: 'SELL',
  symbol: 'ANCR',
  quantity: 1_000_000,
  price: '4.10',
  tradeDate: '2025-03-03',
}

function loadActivity(...lines: object[]) {
  return desk.service.operations.operations.loadActivity({ lines: { ndjson: lines } })
}

describe('a rejected line', () => {
  browsing('is shown as it was sent, with the field marked, and mended within five keys', async () => {
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
    await line.getByText('The corrected line was taken').waitFor()
    assert.ok(hands.count <= 5, `${hands.count} keys`)
    await line.getByRole('link', { name: 'a load of its own' }).click()
    await page.getByText('Every line was taken.').waitFor()
  })

  browsing('that is rejected again says why, and keeps what was typed when the screen is left', async () => {
    const { data: load } = await loadActivity({ ...sale, externalId: 'mend-2', price: 'dear' })
    const { page, open, visit } = await as('operator')
    await open(`/console/books/loads/${load.loadId}`)
    const price = page.getByLabel('price', { exact: true })
    await price.fill('dearer')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('It was rejected again.').waitFor()
    await visit('/console/books/loads')
    await visit(`/console/books/loads/${load.loadId}`)
    assert.equal(await price.inputValue(), 'dearer')
  })

  browsing('is found by its cause', async () => {
    const { data: load } = await loadActivity(
      { ...sale, externalId: 'mend-3', price: 'dear' },
      { ...sale, externalId: 'mend-4', price: 'dear' },
      { ...sale, externalId: 'mend-5', symbol: 'NOSUCH' },
    )
    const { page, open } = await as('viewer')
    await open(`/console/books/loads/${load.loadId}`)
    const lines = page.getByRole('list', { name: 'Rejected lines' }).getByRole('listitem')
    assert.equal(await lines.count(), 3)
    await page
      .getByRole('group', { name: 'Causes' })
      .getByRole('button', { name: /symbol \(1\)/ })
      .click()
    await lines.getByText('mend-5').waitFor()
    assert.equal(await lines.count(), 1)
  })
})

describe('breaks', () => {
  browsing(
    'name the security, how much, and the trade behind them, and are found by their cause',
    async () => {
      const { operations } = desk.service.operations
      await loadActivity({ ...sale, externalId: 'break-1', quantity: 9_000_000 })
      const { breaks } = (await operations.listBreaks({ accountNumber: sale.acctNo })).data
      const raised = breaks.find(({ externalId }) => externalId === 'break-1')
      assert.ok(raised)
      assert.deepEqual([raised.symbol, raised.tradeDate], ['ANCR', '2025-03-03'])
      const { page, open } = await as('viewer')
      await open(`/console/books/breaks?kind=${raised.kind}`)
      const row = page.locator('.table-region[aria-label=Breaks] tbody tr', { hasText: 'break-1' })
      await row.getByRole('link', { name: 'ANCR' }).waitFor()
      const { total } = (await operations.listBreaks({ kind: raised.kind, counted: true })).data
      await page.getByText(`Showing ${total} of ${total}.`).waitFor()
      await row.getByRole('link', { name: 'Mar 3, 2025' }).click()
      await page.getByRole('tab', { name: 'Activity', selected: true }).waitFor()
      await settle(page)
      await page.locator('.table-region[aria-label=Activity] tbody tr', { hasText: 'ANCR' }).first().waitFor()
    },
  )
})
