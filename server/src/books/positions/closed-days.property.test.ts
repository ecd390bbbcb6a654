// Later loads, in any order, do not change responses for a closed day, and the books and seals verify.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import fc from 'fast-check'
import { FileAnswer, Rejected, Streamed } from '../../answers.ts'
import { closeDay, makeBusinessDay } from '../../business-day/test-business-day.ts'
import { verifyPart } from '../../business-day/verify-part.ts'
import { inTransaction } from '../../database/transaction.ts'
import { balanceSummary } from '../../operations/balance-summary.ts'
import type { Handler } from '../../operations/context.ts'
import { form8949 } from '../../operations/form-8949.ts'
import { listCalls } from '../../operations/list-calls.ts'
import { nonTradeActivity } from '../../operations/non-trade-activity.ts'
import { positionDetail } from '../../operations/position-detail.ts'
import { positionSummary } from '../../operations/position-summary.ts'
import { realizedGains } from '../../operations/realized-gains.ts'
import { taxReport } from '../../operations/tax-report.ts'
import { tradeActivity } from '../../operations/trade-activity.ts'
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
import { ago, type Fact, fact, factLoaders } from '../testing/random-facts.ts'
import { randomFeed, randomFeedSecurities } from '../testing/random-feed.ts'
import { KnownMarkets } from './known-market.ts'
import { Summaries } from './summary-now.ts'

const runs = 12
const daysEach = 3

/** The arrivals of each day: lines of any date in any order, and facts. */
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

/** Every operation that reads the books of an account, with the parameters that it needs apart from the view. */
const year = { year: 2026 }
const range = { dateFrom: '2023-01-01', dateTo: '2029-12-31' }
const reads: readonly (readonly [read: Handler<never>, asked: object])[] = [
  [positionSummary, {}],
  [positionDetail, {}],
  [balanceSummary, {}],
  [tradeActivity, range],
  [nonTradeActivity, range],
  [realizedGains, range],
  [taxReport, year],
  [form8949, year],
  [listCalls, { includeMet: true }],
]

async function textOf(outcome: unknown): Promise<string> {
  assert.ok(!(outcome instanceof Rejected), JSON.stringify(outcome))
  if (outcome instanceof Streamed) {
    const chunks = await Array.fromAsync(outcome.chunks)
    return JSON.stringify([chunks, outcome.rest()])
  }
  if (outcome instanceof FileAnswer) return Buffer.concat(await Array.fromAsync(outcome.content)).toString()
  return JSON.stringify(outcome)
}

/** The response of each read in a view. */
function readAll(books: TestBooks, view: object, now: Date): Promise<string[]> {
  const markets = new KnownMarkets()
  const parts = { businessDay: makeBusinessDay(books), markets, summaries: new Summaries(markets) }
  return inTransaction(books.database.app, { firm: books.firmId, readOnly: true }, async (tx) => {
    const texts: string[] = []
    for (const [handle, asked] of reads)
      texts.push(await textOf(await handle({ ...view, ...asked } as never, { tx, now, parts } as never)))
    return texts
  })
}

test('responses for a closed day stay the same byte for byte after any later load', async () => {
  await using books = await openTestBooks([])
  const load = async (kind: Fact[0], lines: readonly TestLine[], now: Date) =>
    runTestLoad(books, kind, factLoaders[kind], bodyOf(ndjsonOf(lines)), { now })
  let today = '2026-11-20'
  assert.deepEqual((await load('securities', randomFeedSecurities, endOf(today))).rejects, [])
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat()), async (chance) => {
      run += 1
      const accountNumber = `A${String(run).padStart(7, '0')}`
      await openAccounts(books, [accountNumber], { firmId: books.firmId, entity: '301', rep: 'JC01' })
      const [days] = fc.sample(story(accountNumber, today), { seed: chance.next().value, numRuns: 1 })
      assert.ok(days)
      const answered = new Map<string, string[]>()
      for (let place = 0; place <= daysEach; place += 1) {
        const now = endOf(today)
        const came = days.lines.filter((_, index) => days.places[index] === place)
        const lines = came.map((line) => {
          const ago = days.recent[days.lines.indexOf(line)]
          const tradeDate = ago === null || ago === undefined ? line.tradeDate : addMarketDays(today, -ago)
          return line.tradeDate === undefined ? line : { ...line, tradeDate }
        })
        await loadActivityLines(books, lines, { now })
        for (const [kind, line] of days.facts[place] ?? []) await load(kind, [line], now)
        for (const [day, before] of answered)
          assert.deepEqual(
            await readAll(books, { accountNumber, asOf: day }, now),
            before,
            `${accountNumber} ${day} after ${today}`,
          )
        if (place === daysEach) break
        const asOf = today
        today = (await closeDay(books, now)).nextDate
        const closed = await readAll(books, { accountNumber, asOf }, now)
        assert.deepEqual(await readAll(books, { accountNumber, asOf, knownAt: asOf }, now), closed)
        answered.set(asOf, closed)
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
