// Whatever is loaded later, in whatever order, a closed day is answered as it was, and the books and seals prove true.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import fc from 'fast-check'
import { Streamed } from '../../answers.ts'
import { closeDay, makeBusinessDay } from '../../business-day/testing.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { verifyPart } from '../../operations/verify-books.ts'
import { readGains } from '../gains/read-gains.ts'
import { renderClosing } from '../gains/render-gains.ts'
import { accountTermsLoader } from '../loads/account-terms.ts'
import { heldAwayLoader } from '../loads/held-away.ts'
import { fxRatesLoader, pricesLoader } from '../loads/quotes.ts'
import type { Load, Loader } from '../loads/run-load.ts'
import { securitiesLoader } from '../loads/securities.ts'
import {
  bodyOf,
  loadActivityLines,
  ndjsonOf,
  openAccounts,
  openTestBooks,
  runTestLoad,
  type TestBooks,
  type TestLine,
} from '../testing/books-database.ts'
import { randomFeed, randomFeedSecurities } from '../testing/random-feed.ts'
import { valueView } from './account-positions.ts'
import { renderAmounts } from './render-amounts.ts'
import { streamActivity } from './stream-activity.ts'
import { chooseView } from './view.ts'

const runs = 12
const daysEach = 3

type Fact = readonly [kind: 'prices' | 'rates' | 'securities' | 'terms' | 'away', line: TestLine]
const loaders: Readonly<Record<Fact[0], (load: Load) => Loader<never>>> = {
  prices: pricesLoader as never,
  rates: fxRatesLoader as never,
  securities: securitiesLoader as never,
  terms: accountTermsLoader as never,
  away: heldAwayLoader as never,
}

const symbol = fc.constantFrom('AAA', 'BBB', 'CCC', 'POOL', 'FUND', 'EURO')
/** Days before the day that is open; some are closed. */
const ago = fc.integer({ min: 0, max: 5 })
const cents = fc.integer({ min: 1, max: 9_999 }).map((amount) => (amount / 100).toFixed(2))
function fact(acctNo: string, today: string): fc.Arbitrary<Fact> {
  const day = ago.map((days) => addMarketDays(today, -days))
  return fc.oneof(
    fc
      .record({ symbol, price: cents, day, hour: fc.integer({ min: 10, max: 22 }) })
      .map(
        ({ day: on, hour, ...priced }): Fact => [
          'prices',
          { ...priced, priceType: 'LastClose', priceDate: `${on}T${hour}:00:00Z` },
        ],
      ),
    fc
      .record({ rate: cents, date: fc.oneof(day, fc.constantFrom('2024-01-02', '2024-01-09')) })
      .map((line): Fact => ['rates', { currency: 'EUR', ...line }]),
    fc
      .record({
        symbol,
        description: fc.constantFrom('ONE', 'TWO', 'THREE'),
        currentFactor: fc.constantFrom('0.9', '0.7', '0.5'),
        marginable: fc.boolean(),
      })
      .map((line): Fact => ['securities', line]),
    fc.record({ houseLongPercent: cents }).map((line): Fact => ['terms', { acctNo, ...line }]),
    fc
      .record({ symbol, quantity: cents, asOfDate: day, custodian: fc.constantFrom('X', 'Y') })
      .map((line): Fact => ['away', { acctNo, ...line }]),
  )
}

/** What comes on each day: lines of any date in any order, and facts. */
function story(acctNo: string, today: string) {
  return randomFeed(acctNo, acctNo, 20).chain(({ lines, corrections }) => {
    const all = [...lines, ...corrections]
    return fc.record({
      lines: fc.shuffledSubarray(all, { minLength: all.length }),
      places: fc.array(fc.nat(daysEach), { minLength: all.length, maxLength: all.length }),
      recent: fc.array(fc.option(ago), { minLength: all.length, maxLength: all.length }),
      facts: fc.array(fc.array(fact(acctNo, today), { maxLength: 6 }), {
        minLength: daysEach + 1,
        maxLength: daysEach + 1,
      }),
    })
  })
}

function endOf(day: string): Date {
  return new Date(`${day}T23:30:00Z`)
}

async function answersOf(tx: Tx, accountNumber: string, day: string, now: Date): Promise<string> {
  const valued = await valueView(tx, accountNumber, { now, asOf: day, withLots: true })
  assert.ok(valued !== undefined && 'summary' in valued)
  const { summary, margin, message, lines } = valued
  const told: unknown[] = [renderAmounts({ summary, margin, lines, message })]
  const asked = { accountNumber, dateFrom: '2023-01-01', dateTo: '2029-12-31', knownAt: day }
  for (const kind of ['trades', 'others'] as const) {
    const streamed = await streamActivity(tx, kind, asked, now)
    assert.ok(streamed instanceof Streamed)
    for await (const chunk of streamed.chunks) told.push(chunk)
  }
  const view = await chooseView(tx, accountNumber, { asOf: day }, now)
  assert.ok(view !== undefined && 'isNow' in view)
  for await (const gains of readGains(tx, accountNumber, view, asked)) told.push(gains.map(renderClosing))
  return JSON.stringify(renderAmounts(told))
}

function read(books: TestBooks, acctNo: string, day: string, now: Date) {
  return inTransaction(books.database.app, { firm: books.firmId, readOnly: true }, (tx) =>
    answersOf(tx, acctNo, day, now),
  )
}

test('a closed day is answered to the byte as it was, after any later load', async () => {
  await using books = await openTestBooks([])
  const load = async (kind: Fact[0], lines: readonly TestLine[], now: Date) =>
    runTestLoad(books, kind, loaders[kind], bodyOf(ndjsonOf(lines)), { now })
  let today = '2026-11-20'
  assert.deepEqual((await load('securities', randomFeedSecurities, endOf(today))).rejects, [])
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat()), async (chance) => {
      run += 1
      const acctNo = `A${String(run).padStart(7, '0')}`
      await openAccounts(books, [acctNo], { firmId: books.firmId, entity: '301', rep: 'JC01' })
      const [told] = fc.sample(story(acctNo, today), { seed: chance.next().value, numRuns: 1 })
      assert.ok(told)
      const answered = new Map<string, string>()
      for (let place = 0; place <= daysEach; place += 1) {
        const now = endOf(today)
        const came = told.lines.filter((_, index) => told.places[index] === place)
        const lines = came.map((line) => {
          const days = told.recent[told.lines.indexOf(line)]
          const tradeDate = days === null || days === undefined ? line.tradeDate : addMarketDays(today, -days)
          return line.tradeDate === undefined ? line : { ...line, tradeDate }
        })
        await loadActivityLines(books, lines, { now })
        for (const [kind, line] of told.facts[place] ?? []) await load(kind, [line], now)
        for (const [day, before] of answered)
          assert.equal(await read(books, acctNo, day, now), before, `${acctNo} ${day} after ${today}`)
        if (place === daysEach) break
        const closed = today
        today = (await closeDay(books, now)).nextDate
        answered.set(closed, await read(books, acctNo, closed, now))
      }
    }),
    { seed: 20_261_120, numRuns: runs, endOnFailure: true },
  )
  const readOnly = { firm: null, readOnly: true, isolation: 'repeatable read' } as const
  const proof = await inTransaction(books.database.operations, readOnly, (tx) =>
    verifyPart(tx, {}, { now: endOf(today), businessDay: makeBusinessDay(books) }),
  )
  assert.deepEqual(proof.breaks, [])
})
