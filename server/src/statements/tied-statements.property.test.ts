// Whatever order lines, cancels and rebills arrive in over the end of a month: the cash and the positions at the end of
// a statement are those at its beginning and its activity. A cancel is confirmed once, on the day it takes effect.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decimal, renderDecimal, ZERO } from '@clearing/domain/decimal'
import fc from 'fast-check'
import { securitiesLoader } from '../books/loads/securities.ts'
import {
  bodyOf,
  loadActivityLines,
  ndjsonOf,
  openAccounts,
  openTestBooks,
  runTestLoad,
  type TestBooks,
  type TestLine,
} from '../books/testing/books-database.ts'
import { randomFeed, randomFeedSecurities } from '../books/testing/random-feed.ts'
import { closeDay } from '../business-day/test-business-day.ts'
import { inTransaction } from '../database/transaction.ts'
import { cashFlows } from './cash-flows.ts'
import { type BookedLine, readBooked } from './read-booked.ts'
import { readConfirmed } from './read-confirmed.ts'
import { readStatementFacts, type StatementFacts, viewOf } from './read-statement.ts'

const days = ['2026-11-27', '2026-11-30', '2026-12-01', '2026-12-02', '2026-12-03']
const runs = 6

interface Story {
  readonly lines: readonly TestLine[]
  readonly places: readonly number[]
  readonly ages: readonly (number | null)[]
}

/** Lines with their corrections, a second cancel of some, and the day on which each arrives. */
function story(acctNo: string): fc.Arbitrary<Story> {
  return randomFeed(acctNo, acctNo, 16).chain(({ lines, corrections }) => {
    const again = corrections
      .filter(({ cancelType }) => cancelType === 'C')
      .map((cancel) => ({ ...cancel, externalId: `${cancel.externalId}2` }))
    const all: TestLine[] = [...lines, ...corrections, ...again]
    return fc.record({
      lines: fc.shuffledSubarray(all, { minLength: all.length }),
      places: fc.array(fc.nat(days.length - 1), { minLength: all.length, maxLength: all.length }),
      // The age of the line in days, or none for the date of the feed: history from before the account was opened.
      ages: fc.array(fc.option(fc.nat(2), { freq: 4 }), { minLength: all.length, maxLength: all.length }),
    })
  })
}

/** The lines that arrive on a day. The trade date of a cancel need not be that of its original. */
function arrivals({ lines, places, ages }: Story, place: number): TestLine[] {
  return lines.flatMap((line, at) => {
    if (places[at] !== place) return []
    const original = lines.findIndex(({ externalId }) => externalId === (line.tagNo ?? line.externalId))
    const isHistory = (ages[original] ?? null) === null || line.tradeDate === undefined
    return [isHistory ? line : { ...line, tradeDate: days[Math.max(0, place - (ages[at] ?? 0))] }]
  })
}

test('statements over the end of a month tie out in cash and positions, made at the close and made again', async () => {
  await using books = await openTestBooks([])
  const load = { now: new Date('2026-11-27T12:00:00Z') }
  await runTestLoad(books, 'securities', securitiesLoader, bodyOf(ndjsonOf(randomFeedSecurities)), load)
  const chances = fc.sample(fc.infiniteStream(fc.nat()), { seed: 20_261_130, numRuns: 1 })[0]
  assert.ok(chances)
  const accounts = Array.from({ length: runs }, (_, run) => `A${String(run).padStart(7, '0')}`)
  await openAccounts(books, accounts, { firmId: books.firmId, entity: '301', rep: 'JC01' })
  const stories = accounts.map((accountNumber) => {
    const [one] = fc.sample(story(accountNumber), { seed: chances.next().value as number, numRuns: 1 })
    assert.ok(one)
    return one
  })
  for (const [place, day] of days.entries()) {
    const lines = stories.flatMap((one) => arrivals(one, place))
    await loadActivityLines(books, lines, { now: new Date(`${day}T16:00:00Z`) })
    await closeDay(books, new Date(`${day}T23:30:00Z`))
  }
  for (const accountNumber of accounts) {
    for (const knownAt of ['close', 'now'] as const) {
      for (const period of periods) await checkStatement(books, accountNumber, period, knownAt)
      await checkConfirmations(books, accountNumber, knownAt)
    }
  }
})

const periods = [
  ...days.map((day) => [day, day] as const),
  ['2026-11-01', '2026-11-30'],
  ['2026-12-01', '2026-12-03'],
] as const
const now = new Date('2026-12-04T16:00:00Z')

function reading<Result>(books: TestBooks, read: Parameters<typeof inTransaction<Result>>[2]) {
  return inTransaction(books.database.operations, { firm: null, readOnly: true }, read)
}

/** As made after the close of its last day, or made again with all that is known. */
async function checkStatement(
  books: TestBooks,
  accountNumber: string,
  [from, to]: readonly [string, string],
  known: 'close' | 'now',
): Promise<void> {
  const knownAt = known === 'close' ? to : 'now'
  const facts = await reading(books, (tx) =>
    readStatementFacts(tx, { accountNumber, from, to }, { now, knownAt, concentration: [] }),
  )
  const of = `${accountNumber} from ${from} to ${to}, known at ${knownAt}`
  for (const { currency, opening, moved, closing } of cashFlows(facts.before, facts.lines, facts.end)) {
    const all = Object.values(moved).reduce((sum, amount) => sum + amount, opening)
    assert.equal(renderDecimal(all), renderDecimal(closing), `${currency} of ${of}`)
  }
  const positions = positionsOf(facts.before)
  for (const { acctType, moved } of facts.lines)
    for (const { secNo, quantity } of moved) add(positions, `${secNo} ${acctType}`, quantity)
  assert.deepEqual(sorted(positions), sorted(positionsOf(facts.end)), of)
}

async function checkConfirmations(
  books: TestBooks,
  accountNumber: string,
  known: 'close' | 'now',
): Promise<void> {
  const [to = ''] = days.slice(-1)
  const asked = { field: 'enteredOn', dateFrom: '2026-01-01', dateTo: to, kind: 'trades' } as const
  const confirmed: string[] = []
  const booked = await reading(books, async (tx) => {
    const view = (on: string, knownAt: string) => viewOf(tx, { accountNumber, to: on }, { knownAt, now })
    for (const day of days) {
      const lines = await readConfirmed(
        tx,
        accountNumber,
        day,
        await view(day, known === 'close' ? day : 'now'),
      )
      confirmed.push(...lines.filter(({ transType }) => transType === 'Trade').map(nameOf))
    }
    return readBooked(tx, accountNumber, await view(to, to), asked)
  })
  const effective = booked.filter(
    ({ kind, netAmount = ZERO, isHistory }) => !isHistory && (kind !== 'Cancel' || netAmount !== ZERO),
  )
  assert.deepEqual(confirmed.sort(), effective.map(nameOf).sort(), `${accountNumber}, known at ${known}`)
}

function nameOf({ kind, externalId, netAmount = ZERO }: BookedLine): string {
  return `${kind} ${externalId} ${renderDecimal(netAmount)}`
}

function positionsOf(valued: StatementFacts['before']): Map<string, Decimal> {
  const positions = new Map<string, Decimal>()
  for (const { position } of valued?.lines ?? [])
    add(positions, `${position.secNo} ${position.acctTypeCode}`, position.quantity)
  return positions
}

function add(to: Map<string, Decimal>, of: string, quantity: Decimal): void {
  const total = (to.get(of) ?? ZERO) + quantity
  if (total === ZERO) to.delete(of)
  else to.set(of, total)
}

function sorted(positions: ReadonlyMap<string, Decimal>): string[] {
  return [...positions].map(([of, quantity]) => `${of} ${renderDecimal(quantity)}`).sort()
}
