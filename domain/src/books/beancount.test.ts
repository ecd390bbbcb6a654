/**
 * Compares the fold with beancount (Debian's `beancount`), which books lots by the same rules: FIFO and LIFO. The
 * test is skipped if beancount is not installed.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { divide, renderDecimal, sum } from '../decimal.ts'
import { addDays } from '../market/calendar/day.ts'
import type { ActivityLine } from './activity.ts'
import { exampleFeed, exampleSecurity } from './example-lines.ts'
import { foldAccount } from './fold.ts'

const QUERY_TIMEOUT_MS = 60_000
const installed = spawnSync('bean-query', ['--version'], { timeout: QUERY_TIMEOUT_MS }).status === 0
const skip = installed ? false : 'beancount is not installed'

interface Trade {
  readonly sells: boolean
  readonly quantity: number
  readonly cents: number
}

const history: fc.Arbitrary<Trade[]> = fc.array(
  fc.record({
    sells: fc.boolean(),
    quantity: fc.integer({ min: 1, max: 50 }),
    cents: fc.integer({ min: 100, max: 9999 }),
  }),
  { minLength: 4, maxLength: 25 },
)

/**
 * Trades that are further apart than the wash sale window, because beancount has no wash sales. No sale exceeds the
 * position.
 */
function write(trades: readonly Trade[]): ActivityLine[] {
  const feed = exampleFeed(exampleSecurity('XYZ'))
  let date = '2001-01-02'
  let held = 0
  return trades.flatMap(({ sells, quantity, cents }) => {
    date = addDays(date, 40)
    const size = sells ? Math.min(held, quantity) : quantity
    if (size === 0) return []
    held += sells ? -size : size
    const fields = { date, quantity: size, price: (cents / 100).toFixed(2) }
    return sells ? feed.sell(fields) : feed.buy(fields)
  })
}

/** The same trades as a beancount account. */
function writeBeancount(lines: readonly ActivityLine[], name: string, method: string): string {
  const stock = `Assets:${name}:Stock`
  const accounts = `2000-01-01 open ${stock} XYZ "${method}"\n2000-01-01 open Assets:${name}:Cash\n2000-01-01 open Income:${name}\n`
  const entries = lines.map(({ tradeDate, quantity, price = 0n, netAmount = 0n }) => {
    const unit = renderDecimal(price, 2)
    const shares =
      quantity < 0n
        ? `${renderDecimal(quantity)} XYZ {} @ ${unit} USD`
        : `${renderDecimal(quantity)} XYZ {${unit} USD}`
    const gain = quantity < 0n ? `  Income:${name}\n` : ''
    return `${tradeDate} * "trade"\n  ${stock}  ${shares}\n  Assets:${name}:Cash  ${renderDecimal(netAmount, 2)} USD\n${gain}`
  })
  return [accounts, ...entries].join('\n')
}

function query(file: string, text: string): string[][] {
  const output = execFileSync('bean-query', ['-f', 'csv', file, text], {
    encoding: 'utf8',
    timeout: QUERY_TIMEOUT_MS,
  })
  return output
    .split('\n')
    .slice(1)
    .filter((row) => row.trim() !== '')
    .map((row) => row.split(',').map((cell) => cell.trim()))
}

describe('the fold agrees with beancount', { skip }, () => {
  for (const method of ['FIFO', 'LIFO'] as const) {
    test(`on the remaining lots and the gains of ${method}`, () => {
      const folder = mkdtempSync(join(tmpdir(), 'books-'))
      try {
        const file = join(folder, 'books.beancount')
        const property = fc.property(fc.array(history, { minLength: 15, maxLength: 15 }), (histories) => {
          const feeds = histories.map(write)
          const parts = feeds.map((lines, index) => writeBeancount(lines, `H${index}`, method))
          writeFileSync(file, parts.join('\n'))
          const left = query(
            file,
            "select account, cost_date, cost_number, sum(number) where account ~ 'Stock' group by account, cost_date, cost_number",
          )
          const gains = query(file, "select account, sum(number) where account ~ 'Income' group by account")
          feeds.forEach((lines, index) => {
            const fold = foldAccount(lines, { lotMethod: method })
            const ours = [...fold.holdings.values()].flatMap((holding) =>
              holding.lots
                .flat()
                .map((lot) => [
                  lot.openDate,
                  renderDecimal(divide(lot.cost, lot.quantity, 8), 2),
                  renderDecimal(lot.quantity),
                ]),
            )
            const theirs = left
              .filter(([account, , , quantity]) => account === `Assets:H${index}:Stock` && quantity !== '0')
              .map(([, date, cost, quantity]) => [date, cost, quantity])
            assert.deepEqual(ours.sort(), theirs.sort())
            const gain = sum(fold.closings.map((closing) => closing.gain))
            const [, theirGain = '0'] = gains.find(([account]) => account === `Income:H${index}`) ?? []
            assert.equal(renderDecimal(-gain, 2), theirGain === '0' ? '0.00' : theirGain)
          })
        })
        fc.assert(property, { numRuns: 1, endOnFailure: true })
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
  }
})
