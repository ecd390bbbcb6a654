// A summary that was rendered before is that of the books, whatever lines and facts were loaded in any order meanwhile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
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
import { Summaries } from './summary-now.ts'

const runs = 3
const partsOfFeed = 8
const begin = new Date('2026-11-20T20:00:00Z')

function story(accountNumber: string) {
  return fc.record({
    feed: randomFeed(accountNumber, accountNumber, 30),
    facts: fc.array(fact(accountNumber, '2026-11-20'), { minLength: partsOfFeed, maxLength: partsOfFeed }),
  })
}

test('a summary that was rendered before is that of the books after any load', async () => {
  await using books = await openTestBooks([])
  await runTestLoad(books, 'securities', securitiesLoader, bodyOf(ndjsonOf(randomFeedSecurities)), {
    now: begin,
  })
  const rendered = new Summaries()
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat()), async (chance) => {
      run += 1
      const accountNumber = `A${String(run).padStart(7, '0')}`
      await openAccounts(books, [accountNumber], { firmId: books.firmId, entity: '301', rep: 'JC01' })
      const [given] = fc.sample(story(accountNumber), { seed: chance.next().value, numRuns: 1 })
      assert.ok(given)
      const lines = [...given.feed.lines, ...given.feed.corrections]
      const size = Math.ceil(lines.length / partsOfFeed)
      for (const [place, [kind, line]] of given.facts.entries()) {
        const now = new Date(begin.getTime() + run * 60_000 + place * 1_000)
        const summarize = (from: typeof rendered, at: Date) =>
          inTransaction(
            books.database.app,
            { firm: books.firmId, readOnly: true, isolation: 'repeatable read' },
            (tx) => from.now(tx, accountNumber, { now: at, concentration: [] }),
          )
        const check = async (at: Date) =>
          assert.deepEqual(await summarize(rendered, at), await summarize(new Summaries(), at))
        await summarize(rendered, now)
        await check(new Date(now.getTime() + 1))
        await loadActivityLines(books, lines.slice(place * size, (place + 1) * size), { now })
        await check(new Date(now.getTime() + 2))
        await runTestLoad(books, kind, factLoaders[kind], bodyOf(ndjsonOf([line])), { now })
        await check(new Date(now.getTime() + 3))
      }
    }),
    { seed: 20_261_124, numRuns: runs, endOnFailure: true },
  )
})
