// Realized gains are the same if they are read from the stored closings or computed by the fold, and they sum to
// their totals.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldAccount, joinWashes } from '@clearing/domain/books'
import { addDays } from '@clearing/domain/market'
import fc from 'fast-check'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { readLines } from '../../store/books/lines.ts'
import { Directory } from '../directory.ts'
import { fxRatesLoader } from '../loads/quotes.ts'
import { securitiesLoader } from '../loads/securities.ts'
import { chooseView } from '../positions/view.ts'
import {
  bodyOf,
  loadActivityLines,
  ndjsonOf,
  openAccounts,
  openTestBooks,
  runTestLoad,
  type TestLine,
  testNow,
} from '../testing/books-database.ts'
import { randomFeedSecurities } from '../testing/random-feed.ts'
import { type KnownGain, readGains } from './read-gains.ts'

const range = { dateFrom: '2023-01-01', dateTo: '2029-12-31' }

async function gainsIn(tx: Tx, accountNumber: string, asOf: string | undefined, isNow: boolean) {
  const view = await chooseView(tx, accountNumber, { asOf }, testNow)
  assert.ok(view !== undefined && 'isNow' in view)
  const gains: KnownGain[] = []
  for await (const page of readGains(tx, accountNumber, { ...view, isNow }, range)) gains.push(...page)
  return gains
}

const cents = fc.integer({ min: 500, max: 1500 }).map((amount) => (amount / 100).toFixed(2))
const body: fc.Arbitrary<TestLine> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      transType: fc.constant('Trade'),
      symbol: fc.constantFrom('AAA', 'AAA', 'AAA', 'FUND', 'EURO'),
      buySell: fc.constantFrom('BUY', 'BUY', 'SEL', 'SSL', 'BCV'),
      quantity: fc.integer({ min: 1, max: 9 }).map(String),
      price: cents,
    }) as fc.Arbitrary<TestLine>,
  },
  {
    weight: 1,
    arbitrary: fc.record({
      transType: fc.constant('ReturnOfCapital'),
      symbol: fc.constantFrom('AAA', 'EURO'),
      cashPerShare: cents,
      recordDays: fc.integer({ min: 0, max: 20 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      transType: fc.constant('Split'),
      symbol: fc.constant('AAA'),
      ratio: fc.constantFrom('3:2', '1:3'),
      cashInLieu: fc.constantFrom('3', undefined),
    }),
  },
)

/**
 * Trades of a few securities, splits and returns of capital within some months, in random order; then cancels and
 * rebills of some.
 */
const arrivals = fc
  .array(fc.record({ body, day: fc.integer({ min: 0, max: 120 }), corrected: fc.nat(9) }), {
    minLength: 15,
    maxLength: 45,
    size: 'max',
  })
  .map((steps) =>
    steps.flatMap(({ body: { recordDays, ...fields }, day, corrected }, index) => {
      const externalId = `L${index}`
      const tradeDate = addDays('2024-01-02', day)
      const asOfDate = typeof recordDays === 'number' ? addDays(tradeDate, -recordDays) : undefined
      const line: TestLine = { externalId, tradeDate, ...fields, ...(asOfDate && { asOfDate }) }
      const cancel = { externalId: `${externalId}C`, cancelType: 'C', tagNo: externalId }
      const rebill = { ...line, externalId: `${externalId}R`, rebill: 'Y', tagNo: externalId, price: '11' }
      return corrected > 1 ? [line] : corrected === 1 ? [line, cancel, rebill] : [line, cancel]
    }),
  )
  .chain((lines) => fc.record({ arrived: fc.constant(lines), daysLater: fc.integer({ min: 20, max: 120 }) }))

/** The closings of all lines up to a day, by the pure rules. */
async function foldedUntil(tx: Tx, accountNumber: string, day: string) {
  const directory = new Directory()
  const stored = await readLines(tx, accountNumber, 'all', {
    learn: (secNos) => directory.learnByNumber(tx, secNos),
    securityOf: (secNo) => directory.known(secNo).booked,
  })
  const ids = new Set(stored.filter(({ line }) => line.tradeDate <= day).map(({ line }) => line.externalId))
  const lines = stored.map(({ line }) => line)
  const until = lines.filter(({ tradeDate, tagNo = '' }) => tradeDate <= day || ids.has(tagNo))
  const { closings, washes } = foldAccount(until)
  return joinWashes(closings, washes)
}

test('stored closings equal those of the fold, in the same order, for lines in any order and as of any day', async () => {
  await using books = await openTestBooks([])
  const load = (kind: string, loader: never, lines: readonly TestLine[]) =>
    runTestLoad(books, kind, loader, bodyOf(ndjsonOf(lines)))
  assert.deepEqual(
    (await load('load-securities', securitiesLoader as never, [...randomFeedSecurities])).rejects,
    [],
  )
  const rates = [
    { currency: 'EUR', rate: '1.1', date: '2024-01-02' },
    { currency: 'EUR', rate: '1.3', date: '2024-01-20' },
  ]
  assert.deepEqual((await load('load-fx-rates', fxRatesLoader as never, rates)).rejects, [])
  let run = 0
  await fc.assert(
    fc.asyncProperty(arrivals, async ({ arrived, daysLater }) => {
      run += 1
      const account = `G${String(run).padStart(7, '0')}`
      await openAccounts(books, [account], { firmId: books.firmId, entity: '301', rep: 'JC01' })
      const lines = arrived.map((line) => ({
        ...line,
        acctNo: account,
        externalId: `${account}${line.externalId}`,
        ...(line.tagNo === undefined ? {} : { tagNo: `${account}${line.tagNo}` }),
      }))
      const middle = Math.floor(lines.length / 2)
      for (const part of [lines.slice(0, middle), lines.slice(middle)])
        assert.deepEqual((await loadActivityLines(books, part)).rejects, [])
      await inTransaction(books.database.app, { firm: books.firmId, readOnly: true }, async (tx) => {
        const kept = await gainsIn(tx, account, undefined, true)
        assert.deepEqual(kept, await gainsIn(tx, account, undefined, false))
        const day = addDays('2024-01-02', daysLater)
        const past = await gainsIn(tx, account, day, false)
        const named = (closings: readonly { lineId: string; ordinal: number }[]) =>
          closings.toSorted((a, b) =>
            a.lineId === b.lineId ? a.ordinal - b.ordinal : a.lineId < b.lineId ? -1 : 1,
          )
        assert.deepEqual(
          named(past.map(({ gain }) => gain.closing)),
          named(await foldedUntil(tx, account, day)),
        )
        assert.deepEqual(
          kept.map(({ gain }) => gain.closing.closeDate),
          kept.map(({ gain }) => gain.closing.closeDate).toSorted(),
        )
      })
    }),
    { seed: 20_261_122, numRuns: 30, endOnFailure: true },
  )
})
