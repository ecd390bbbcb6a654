/**
 * Wash sales of short sales against the box (26 CFR 1.1091-1(g)). The example is the one of Publication 550, "Short
 * sales", recalled with its numbers.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renderDecimal } from '../decimal.ts'
import type { ActivityLine } from './activity.ts'
import { type ExampleFeed, exampleFeed, exampleSecurity } from './example-lines.ts'
import { foldAccount, joinWashes } from './fold.ts'

const xyz = exampleSecurity('XYZ')

function resultOf(lines: readonly ActivityLine[]) {
  const { closings, washes, holdings, breaks } = foldAccount(lines)
  assert.deepEqual(breaks, [])
  return {
    losses: joinWashes(closings, washes).map(
      ({ gain, washDisallowed }) => `${renderDecimal(gain)} ${renderDecimal(washDisallowed)}`,
    ),
    lots: [...holdings.values()].flatMap(({ lots }) =>
      lots
        .flat()
        .map((lot) => `${lot.openedBy} ${renderDecimal(lot.cost)} ${lot.openDate} ${lot.holdingStart}`),
    ),
  }
}

interface Story {
  /** Purchase of the shares that are delivered. */
  readonly owned?: string
  readonly short?: string
  /** Purchase of the other shares. */
  readonly bought?: string
  readonly delivered?: string
}

/** Shares for 1,000, a short sale for 750, other shares for 750, and the delivery of the first. */
function linesOf(feed: ExampleFeed, { owned, short, bought, delivered }: Story): ActivityLine[] {
  const date = delivered ?? '2024-11-18'
  return [
    feed.buy({ date: owned ?? '2024-06-03', quantity: 100, netAmount: 1000, externalId: 'A', acctType: 2 }),
    feed.sellShort({
      date: short ?? '2024-10-07',
      quantity: 100,
      netAmount: 750,
      externalId: 'S',
      acctType: 3,
    }),
    feed.buy({ date: bought ?? '2024-10-08', quantity: 100, netAmount: 750, externalId: 'B', acctType: 2 }),
    feed.line('Journal', { date, acctType: 2, quantity: -100 }),
    feed.line('Journal', { date, acctType: 3, quantity: 100 }),
  ].toSorted((a, b) => (a.tradeDate < b.tradeDate ? -1 : a.tradeDate > b.tradeDate ? 1 : 0))
}

describe('a loss on a short sale against the box', () => {
  test('is washed by shares bought the day after the short sale, as in Publication 550', () => {
    // The replacement has also been held for the 126 days from June 3 to October 7.
    assert.deepEqual(resultOf(linesOf(exampleFeed(xyz), {})), {
      losses: ['-250 250'],
      lots: ['B 1000 2024-10-08 2024-06-04'],
    })
  })

  const washed = 'B 1000'
  const kept = 'B 750'
  const rows: [what: string, story: Story, lot: string][] = [
    ['bought 30 days after the short sale', { bought: '2024-11-06' }, washed],
    ['bought 31 days after the short sale', { bought: '2024-11-07' }, kept],
    ['bought 30 days before the short sale', { bought: '2024-09-07' }, washed],
    ['bought 31 days before the short sale', { bought: '2024-09-06' }, kept],
    ['of which those delivered were bought on the day of the short sale', { owned: '2024-10-07' }, washed],
    ['bought after a delivery within 30 days', { delivered: '2024-10-10', bought: '2024-11-06' }, washed],
    ['bought too late after it', { delivered: '2024-10-10', bought: '2024-11-07' }, kept],
  ]
  for (const [what, story, lot] of rows)
    test(`is ${lot === washed ? '' : 'not '}washed by shares ${what}`, () => {
      const { losses, lots } = resultOf(linesOf(exampleFeed(xyz), story))
      assert.deepEqual(losses, [lot === washed ? '-250 250' : '-250 0'])
      assert.equal(lots[0]?.slice(0, lot.length), lot)
    })

  test('is not washed by shares if those delivered were bought after the short sale', () => {
    const story = { owned: '2024-10-08', bought: '2024-10-09' }
    const { losses, lots } = resultOf(linesOf(exampleFeed(xyz), story))
    assert.deepEqual(losses, ['-250 0'])
    assert.deepEqual(lots, ['B 750 2024-10-09 2024-10-09'])
  })

  test('is washed once if both shares and a new short sale replace it', () => {
    const feed = exampleFeed(xyz)
    const story = linesOf(feed, { delivered: '2024-10-10', bought: '2024-10-15' })
    const again = feed.sellShort({
      date: '2024-10-16',
      quantity: 100,
      netAmount: 700,
      externalId: 'T',
      acctType: 3,
    })
    const { losses, lots } = resultOf([...story, again])
    assert.deepEqual(losses, ['-250 250'])
    assert.deepEqual(
      lots.map((lot) => lot.slice(0, 6)),
      ['B 1000', 'T -700'],
    )
    const first = feed.sellShort({
      date: '2024-10-14',
      quantity: 100,
      netAmount: 700,
      externalId: 'U',
      acctType: 3,
    })
    const [a, s, out, into, b] = linesOf(feed, { delivered: '2024-10-10', bought: '2024-10-15' })
    assert.ok(a && s && out && into && b)
    assert.deepEqual(resultOf([a, s, out, into, first, b]).losses, ['-250 250'])
    assert.deepEqual(resultOf([a, s, out, into, first, b]).lots[0]?.slice(0, 5), 'B 750')
  })

  test('of lines of an earlier release is not washed by shares', () => {
    const lines = linesOf(exampleFeed(xyz), {}).map(
      (line): ActivityLine => ({ ...line, soldShort: undefined }),
    )
    assert.deepEqual(resultOf(lines).losses, ['-250 0'])
  })
})
