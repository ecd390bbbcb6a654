import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMutualFund, closeDay, makeBusinessDay } from '../../business-day/test-business-day.ts'
import { inTransaction } from '../../database/transaction.ts'
import { balanceSummary } from '../../operations/balance-summary.ts'
import { listCalls } from '../../operations/list-calls.ts'
import { loadActivityLines, openTestBooks } from '../testing/books-database.ts'
import { KnownMarkets } from './known-market.ts'
import { Summaries } from './summary-now.ts'

test('a mutual fund is recent by account type, so that balance-summary shows the call that the close issued', async () => {
  await using books = await openTestBooks(['A0000001'])
  await addMutualFund(books)
  const now = new Date('2026-11-20T22:00:00Z')
  const fund = { acctNo: 'A0000001', transType: 'Trade', symbol: 'MUTF', price: '10', secFee: '0' }
  const { rejects } = await loadActivityLines(books, [
    { ...fund, externalId: '1', acctType: '2', buySell: 'BUY', quantity: '300', tradeDate: '2026-06-01' },
    { ...fund, externalId: '2', acctType: '3', buySell: 'SSL', quantity: '100', tradeDate: '2026-11-19' },
  ])
  assert.deepEqual(rejects, [])
  const { closeDate } = await closeDay(books, now)
  const view = { accountNumber: 'A0000001', asOf: closeDate }
  const markets = new KnownMarkets()
  const parts = { businessDay: makeBusinessDay(books), markets, summaries: new Summaries(markets) }
  const answers = await inTransaction(
    books.database.app,
    { firm: books.firmId, readOnly: true },
    async (tx) => {
      const context = { tx, now, parts } as never
      return [await balanceSummary(view as never, context), await listCalls(view as never, context)]
    },
  )
  const [{ data }, { calls }] = JSON.parse(JSON.stringify(answers))
  // A quarter of the 200 units that are not sold short too, and 5 % of the other 100.
  const expected = ['Maintenance', 550]
  assert.deepEqual(data.calls.map(namesAndAmounts).at(-1), expected)
  assert.deepEqual(calls.map(namesAndAmounts).at(-1), expected)
})

function namesAndAmounts({ kind, outstanding }: { readonly kind: string; readonly outstanding: number }) {
  return [kind, outstanding]
}
