import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadActivityLines, openTestBooks } from '../books/testing/books-database.ts'
import { addSecurities, closeDay } from './test-business-day.ts'
import { accounts, calls, deposit, firmId, friday, monday, purchase, rows } from './test-closes.ts'

function trade(buySell: string, quantity: string) {
  const acctType = buySell === 'SSL' || buySell === 'BCV' ? '3' : '2'
  return { ...purchase('', 'A0000001', quantity), acctType, buySell, secFee: '0' }
}

/** Deposits 10,000 and loads trades at 50 of Friday and Monday. Returns the SMA and the call after both closes. */
async function afterTrades(...days: (readonly Record<string, string>[])[]): Promise<[number, number]> {
  await using books = await openTestBooks(accounts, firmId)
  await addSecurities(books)
  const dates = ['2026-11-20', '2026-11-23']
  for (const [day, now] of [friday, monday].entries()) {
    const lines = (days[day] ?? []).map((line, at) => {
      return { ...line, externalId: `${day} ${at}`, tradeDate: dates[day] ?? '' }
    })
    const paid = day === 0 ? [deposit('1', 'A0000001', '10000')] : []
    const { rejects } = await loadActivityLines(books, [...paid, ...lines], { now })
    assert.deepEqual(rejects, [])
    await closeDay(books, now)
  }
  const [ledger] = await rows<{ sma: number }>(
    books,
    'select sma::float from clearing.margin_ledger order by close_date desc limit 1',
  )
  const open = (await calls(books)).find(({ kind }) => kind === 'Fed')
  return [Number(ledger?.sma), Number(open?.outstanding ?? 0)]
}

describe('a short sale against the box', () => {
  const bought = trade('BUY', '400')

  it('is a sale of the long position, and its cover a purchase', async () => {
    // Of 100 sold, 5,000, half is released. The close counts 5 percent of the pair, which is less than the SMA.
    assert.deepEqual(await afterTrades([bought, trade('SSL', '100')]), [2_500, 0])
    assert.deepEqual(await afterTrades([bought], [trade('SSL', '100'), trade('BCV', '100')]), [0, 0])
    assert.deepEqual(await afterTrades([bought, trade('SSL', '100')], [trade('BCV', '101')]), [0, 25])
    assert.deepEqual(await afterTrades([bought, trade('SSL', '100')], [trade('BCV', '100')]), [0, 0])
  })

  it('is a short sale for what is not held, also when the long position is sold later', async () => {
    assert.deepEqual(await afterTrades([bought, trade('SSL', '801')]), [0, 25])
    assert.deepEqual(await afterTrades([bought, trade('SSL', '400')], [trade('SEL', '400')]), [0, 0])
    assert.deepEqual(await afterTrades([bought, trade('SSL', '401')], [trade('SEL', '400')]), [0, 25])
  })

  it('is the same when a trade was wrong at first', async () => {
    const cancel = (line: Record<string, string>, tagNo: string) => ({ ...line, cancelType: 'C', tagNo })
    const wrong = trade('SSL', '300')
    const right = trade('SSL', '100')
    assert.deepEqual(
      await afterTrades([bought, wrong, cancel(wrong, '0 1'), { ...right, rebill: 'Y', tagNo: '0 1' }]),
      [2_500, 0],
    )
    const covered = trade('BCV', '101')
    const corrected = [cancel(bought, '1 0'), { ...covered, rebill: 'Y', tagNo: '1 0' }]
    assert.deepEqual(await afterTrades([bought, right], [bought, ...corrected]), [0, 25])
  })
})
