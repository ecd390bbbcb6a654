// What a process knows of the market, and the summaries that it has rendered, change no value, whatever is loaded
// meanwhile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Rejected } from '../../answers.ts'
import { inTransaction } from '../../database/transaction.ts'
import { securitiesLoader } from '../loads/securities.ts'
import {
  bodyOf,
  loadActivityLines,
  ndjsonOf,
  openAccounts,
  openTestBooks,
  runTestLoad,
} from '../testing/books-database.ts'
import { fact, factLoaders } from '../testing/random-facts.ts'
import { randomFeed, randomFeedSecurities } from '../testing/random-feed.ts'
import { valueView } from './account-positions.ts'
import { KnownMarkets } from './known-market.ts'
import { writeAmounts } from './render-amounts.ts'
import { Summaries } from './summary-now.ts'
import { valueLots } from './value-lots.ts'

const runs = 3
const partsOfFeed = 8
function makeKnown() {
  const markets = new KnownMarkets()
  return { markets, summaries: new Summaries(markets) }
}
const begin = new Date('2026-11-20T20:00:00Z')

function story(accountNumber: string) {
  return fc.record({
    feed: randomFeed(accountNumber, accountNumber, 30),
    facts: fc.array(fact(accountNumber, '2026-11-20'), { minLength: partsOfFeed, maxLength: partsOfFeed }),
  })
}

const reading = { readOnly: true, isolation: 'repeatable read' } as const

test('what a process knows of the market and has rendered gives the values of the books after any load', async () => {
  await using books = await openTestBooks([])
  await runTestLoad(books, 'securities', securitiesLoader, bodyOf(ndjsonOf(randomFeedSecurities)), {
    now: begin,
  })
  const known = makeKnown()
  /** The summary as text, and the positions of the account with their lots. */
  const read = (from: typeof known, accountNumber: string, now: Date) =>
    inTransaction(books.database.app, { firm: books.firmId, ...reading }, async (tx) => {
      const summary = await from.summaries.now(tx, accountNumber, { now, concentration: [] })
      const valued = await valueView(tx, accountNumber, { now, withLots: true, markets: from.markets })
      assert.ok(valued !== undefined && !(valued instanceof Rejected))
      return [summary, writeAmounts(valued.lines.flatMap(valueLots))]
    })
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat()), async (chance) => {
      run += 1
      const accountNumber = `A${String(run).padStart(7, '0')}`
      await openAccounts(books, [accountNumber], { firmId: books.firmId, entity: '301', rep: 'JC01' })
      const [given] = fc.sample(story(accountNumber), { seed: chance.next().value, numRuns: 1 })
      assert.ok(given)
      let now = new Date(begin.getTime() + run * 60_000)
      const check = async () => {
        now = new Date(now.getTime() + 1)
        assert.deepEqual(await read(known, accountNumber, now), await read(makeKnown(), accountNumber, now))
      }
      const lines = [...given.feed.lines, ...given.feed.corrections]
      const size = Math.ceil(lines.length / partsOfFeed)
      for (const [place, [kind, line]] of given.facts.entries()) {
        await check()
        await check()
        await loadActivityLines(books, lines.slice(place * size, (place + 1) * size), { now })
        await check()
        await runTestLoad(books, kind, factLoaders[kind], bodyOf(ndjsonOf([line])), { now })
      }
      await check()
    }),
    { seed: 20_261_124, numRuns: runs, endOnFailure: true },
  )
})
