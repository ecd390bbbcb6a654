/** Margin ledgers after prices of closed days were corrected, and after late changes of units: which closes change. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pricesLoader } from '../books/loads/quotes.ts'
import { securitiesLoader } from '../books/loads/securities.ts'
import {
  bodyOf,
  loadActivityLines,
  ndjsonOf,
  openTestBooks,
  runTestLoad,
  type TestLine,
} from '../books/testing/books-database.ts'
import { closeDay } from './test-business-day.ts'
import { accounts, deposit, firmId, friday, monday, purchase, rows, tuesday } from './test-closes.ts'

const [account = ''] = accounts
const closes = [friday, monday, tuesday, new Date('2026-11-25T22:00:00Z')]
const days = closes.map((close) => close.toISOString().slice(0, 10))
const [first, second] = days

/** What arrives before the close of a day. */
interface Arrival {
  readonly lines?: readonly TestLine[]
  readonly prices?: readonly TestLine[]
}

/** The SMA at the close of each day, of an account that buys 100 STCK with its own 5,000 on the first day. */
async function smaAfter(...arrivals: readonly Arrival[]): Promise<number[]> {
  await using books = await openTestBooks(accounts, firmId)
  const securities = ['STCK', 'LENT'].map((symbol) => ({ symbol, secTypeName: 'Common Stock' }))
  await runTestLoad(books, 'load-securities', securitiesLoader, bodyOf(ndjsonOf(securities)))
  const own = [deposit('D', account, '5000'), purchase('P', account, '100')]
  for (const [day, { lines = [], prices = [] }] of arrivals.entries()) {
    const now = closes[day] ?? tuesday
    const loaded = [
      await runTestLoad(books, 'load-prices', pricesLoader, bodyOf(ndjsonOf(prices)), { now }),
      await loadActivityLines(books, day === 0 ? [...own, ...lines] : lines, { now }),
    ]
    assert.deepEqual(
      loaded.flatMap(({ rejects }) => rejects),
      [],
    )
    await closeDay(books, now)
  }
  const ledgers = await rows<{ sma: number }>(
    books,
    `select sma::float from clearing.margin_ledger where account_number = '${account}' order by close_date`,
  )
  return ledgers.map(({ sma }) => sma)
}

function price(value: string, day = first, more: TestLine = {}): TestLine {
  return { symbol: 'STCK', price: value, priceType: 'LastClose', priceDate: `${day}T20:00:00Z`, ...more }
}
function corrected(value: string, day = first, correctionId = 'C1'): TestLine {
  return price(value, day, { correctionId })
}
const fee = { ...deposit('F', account, '-1', second), transType: 'Fee' }
const cancelOfFee = { ...fee, externalId: 'G', cancelType: 'C', tagNo: 'F' }

describe('a price that a close used and that is corrected', () => {
  it('changes the ledger on the day of the correction, and on no day before', async () => {
    assert.deepEqual(await smaAfter({ prices: [price('500')] }, {}), [25_000, 25_000])
    assert.deepEqual(await smaAfter({ prices: [price('500'), corrected('60')] }, {}), [3_000, 3_000])
    assert.deepEqual(
      await smaAfter({ prices: [price('500')] }, { prices: [corrected('60')] }, {}),
      [25_000, 3_000, 3_000],
    )
  })

  it('changes all closes that used it, whatever their own prices are', async () => {
    const wrong = { prices: [price('500')] }
    const next = { prices: [price('70', second)] }
    assert.deepEqual(await smaAfter(wrong, {}, {}, { prices: [corrected('60')] }), [
      ...[25_000, 25_000, 25_000],
      3_000,
    ])
    assert.deepEqual(await smaAfter(wrong, next, { prices: [corrected('60')] }, {}), [
      ...[25_000, 25_000],
      ...[3_500, 3_500],
    ])
    assert.deepEqual(await smaAfter(wrong, next, { prices: [corrected('80')] }), [25_000, 25_000, 4_000])
  })

  it('changes them again with a second correction', async () => {
    assert.deepEqual(
      await smaAfter(
        { prices: [price('500')] },
        { prices: [corrected('60')] },
        { prices: [corrected('80', first, 'C2')] },
        {},
      ),
      [25_000, 3_000, 4_000, 4_000],
    )
  })

  it('does not count with its first value after a later change of a later close', async () => {
    const arrivals = [{ prices: [price('500')] }, { prices: [corrected('60')], lines: [fee] }]
    assert.deepEqual(await smaAfter(...arrivals, { lines: [cancelOfFee] }), [25_000, 3_000, 3_000])
  })

  it('changes the closes since it came if it came late', async () => {
    const inTime = { prices: [price('60', '2026-11-19')] }
    const late = { prices: [price('500')] }
    assert.deepEqual(await smaAfter(inTime, late, { prices: [corrected('30')] }, {}), [
      ...[3_000, 25_000],
      ...[3_000, 3_000],
    ])
  })

  it('changes nothing if no close used it, or if it is of another security', async () => {
    assert.deepEqual(
      await smaAfter({ prices: [price('60', '2026-11-19')] }, { prices: [price('500'), corrected('30')] }),
      [3_000, 3_000],
    )
    const lent = { symbol: 'LENT' }
    assert.deepEqual(
      await smaAfter(
        { prices: [price('60', '2026-11-19'), price('60', first, lent)] },
        { prices: [price('40'), price('30', first, { ...lent, correctionId: 'C1' })] },
      ),
      [3_000, 3_000],
    )
  })

  for (const [day, expected] of [
    ['2026-09-18', 25_000],
    ['2026-09-19', 3_000],
  ] as const)
    it(`and is of ${day} counts for two months`, async () => {
      assert.deepEqual(await smaAfter({ prices: [price('500', day)] }, { prices: [corrected('60', day)] }), [
        25_000,
        expected,
      ])
    })
})

describe('a price that arrives after the close of its day', () => {
  it('changes no ledger by itself', async () => {
    assert.deepEqual(
      await smaAfter({ prices: [price('80', '2026-11-19')] }, { prices: [price('60')] }),
      [4_000, 4_000],
    )
  })
})

describe('a line that changes units and arrives after the close of its day', () => {
  const splitOn = (tradeDate: string | undefined): TestLine => {
    return {
      externalId: 'S',
      acctNo: account,
      acctType: '2',
      transType: 'Split',
      symbol: 'STCK',
      ratio: '1:10',
      tradeDate,
    }
  }
  const before = { prices: [price('60')] }
  const exDay = { prices: [price('600', second)] }

  it('changes the ledger from its trade date, and not if it is of the day that is closed next', async () => {
    const inTime = [3_000, 3_000]
    assert.deepEqual(await smaAfter(before, { ...exDay, lines: [splitOn(second)] }), inTime)
    assert.deepEqual(await smaAfter(before, exDay, { lines: [splitOn(second)] }, {}), [
      ...[3_000, 30_000],
      ...inTime,
    ])
    assert.deepEqual(await smaAfter(before, exDay, {}, { lines: [splitOn(second)] }), [
      ...[3_000, 30_000, 30_000],
      3_000,
    ])
    assert.deepEqual(
      await smaAfter(before, exDay, { lines: [splitOn(days[2])] }, {}),
      [3_000, 30_000, 30_000, 30_000],
      'a split of the third day does not concern the second',
    )
  })

  it('changes nothing if it is cancelled on the day on which it arrives', async () => {
    const cancel = { ...splitOn(second), externalId: 'T', cancelType: 'C', tagNo: 'S' }
    const late = { prices: [price('40', second)] }
    assert.deepEqual(
      await smaAfter(before, {}, { ...late, lines: [splitOn(second), cancel] }),
      [3_000, 3_000, 3_000],
    )
  })

  it('counts again after a later change of a close that did not know it', async () => {
    assert.deepEqual(
      await smaAfter(
        before,
        exDay,
        { lines: [splitOn(second), { ...fee, tradeDate: days[2] }] },
        { lines: [{ ...cancelOfFee, tradeDate: days[2] }] },
      ),
      [3_000, 30_000, 3_000, 3_000],
    )
  })
})
