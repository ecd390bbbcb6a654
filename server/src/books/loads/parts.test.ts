/**
 * Two connections write a large batch at the same time. The books and the response are those of the lines in order,
 * whichever half contains a line.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { unprepared } from '../../database/statement.ts'
import { inTransaction } from '../../database/transaction.ts'
import {
  loadActivityLines,
  openTestBooks,
  type TestBooks,
  type TestLine,
  testNow,
} from '../testing/books-database.ts'
import { activityLoader } from './activity.ts'

const accounts = Array.from({ length: 40 }, (_, number) => `P${String(number).padStart(7, '0')}`)
function accountOf(number: number) {
  return accounts[number % accounts.length] as string
}
const many = 5_000

let books: TestBooks
before(async () => {
  books = await openTestBooks(accounts)
})
after(() => books?.[Symbol.asyncDispose]())

function deposit(externalId: string, acctNo: string, more: object = {}): TestLine {
  return {
    externalId,
    acctNo,
    transType: 'Deposit',
    netAmount: '1.25',
    tradeDate: '2026-11-20',
    ...more,
  }
}
function deposits(set: string): TestLine[] {
  return Array.from({ length: many }, (_, number) => deposit(`${set}${number}`, accountOf(number)))
}

function rows<Row>(text: string): Promise<Row[]> {
  return inTransaction(books.database.operations, { firm: null, readOnly: true }, (tx) =>
    tx.rows(unprepared<Row>(text)),
  )
}
async function cashOf() {
  return Number(
    (await rows<{ cash: string }>('select coalesce(sum(amount), 0) as cash from clearing.cash_balance'))[0]
      ?.cash,
  )
}
async function partsOf(loadId: string) {
  return (
    await rows<{ received: number }>(
      `select received::int from clearing.load_part where load_id = '${loadId}' order by part`,
    )
  ).map(({ received }) => received)
}

describe('a batch of many lines', () => {
  test('is written in two halves, books each line once, and reports rejected lines by number in the order of the batch', async () => {
    const lines = deposits('A')
    lines[7] = deposit('A7', 'NOBODY00')
    lines[4_000] = deposit('A4000', accountOf(4_000), { netAmount: 'much' })
    const before = await cashOf()
    const answer = await loadActivityLines(books, lines)
    assert.deepEqual(
      [answer.received, answer.accepted, answer.duplicates, answer.rejected],
      [many, many - 2, 0, 2],
    )
    assert.deepEqual(
      answer.rejects.map(({ line, field }) => [line, field]),
      [
        [8, 'acctNo'],
        [4_001, 'netAmount'],
      ],
    )
    const parts = await partsOf(answer.loadId)
    assert.equal(
      parts.reduce((sum, received) => sum + received, 0),
      many,
    )
    assert.ok(
      parts.every((received) => received > many / 4),
      parts.join(),
    )
    assert.equal(await cashOf(), before + 1.25 * (many - 2))
    const again = await loadActivityLines(books, lines)
    assert.deepEqual([again.accepted, again.duplicates, again.rejected], [0, many - 2, 2])
  })

  test('books only the first of several lines with one id, whichever half contains it', async () => {
    const lines = deposits('B').map((line, number) =>
      number % 5 === 4 ? { ...line, externalId: `B${number - 1}` } : line,
    )
    const repeated = many / 5
    const answer = await loadActivityLines(books, lines)
    assert.deepEqual([answer.accepted, answer.conflicts], [many - repeated, repeated])
    assert.ok(answer.rejects.every(({ line, field }) => line % 5 === 0 && field === 'acctNo'))
    const kept = await rows<{ account_number: string; external_id: string }>(
      "select account_number, external_id from clearing.activity_key where external_id like 'B%'",
    )
    for (const { account_number, external_id } of kept) {
      assert.equal(account_number, accountOf(Number(external_id.slice(1))), external_id)
    }
  })

  test('rejects cancels of lines of other accounts', async () => {
    const wrong = Array.from({ length: 50 }, (_, number) =>
      deposit(`CX${number}`, accountOf(number + 1), { cancelType: 'C', tagNo: `C${number}` }),
    )
    const answer = await loadActivityLines(books, [...deposits('C'), ...wrong])
    assert.deepEqual([answer.accepted, answer.rejected], [many, wrong.length])
    assert.ok(answer.rejects.every(({ field }) => field === 'tagNo'))
  })

  /** Deposits of which nine in ten are to one account, so that its half takes longer than the other half. */
  const uneven = (set: string) =>
    deposits(set).map((line, number) =>
      number % 10 === 0 ? line : { ...line, acctNo: accountOf(0), netAmount: '0.01' },
    )

  test('does not book ids of the previous batch again, whichever half contains them', async () => {
    const repeated = Array.from({ length: accounts.length }, (_, number) =>
      deposit(`D${many - 10 * (number + 1)}`, accountOf(number)),
    )
    // The smallest batch that is divided: its parts are ready while the previous batch is being written.
    const following = deposits('E').slice(0, 4_000)
    const lines = [...uneven('D'), ...repeated, ...following]
    const answer = await loadActivityLines(books, lines)
    const again = answer.duplicates + answer.conflicts
    assert.deepEqual([answer.accepted, again], [many + following.length, repeated.length])
    const kept = await rows<{ account_number: string; external_id: string }>(
      "select account_number, external_id from clearing.activity_key where external_id like 'D%0'",
    )
    for (const { account_number, external_id } of kept) {
      assert.equal(account_number, accountOf(Number(external_id.slice(1))), external_id)
    }
  })

  test('applies cancels of lines of the previous batch', async () => {
    const before = await cashOf()
    const cancels = Array.from({ length: accounts.length }, (_, number) => {
      const at = many - 10 * (number + 1)
      return deposit(`FX${number}`, accountOf(at), { cancelType: 'C', tagNo: `F${at}` })
    })
    const answer = await loadActivityLines(books, [...uneven('F'), ...cancels, ...deposits('G')])
    assert.deepEqual([answer.accepted, answer.rejected], [2 * many + cancels.length, 0])
    const moved = (many / 10) * 1.25 + (many - many / 10) * 0.01 + many * 1.25 - cancels.length * 1.25
    assert.equal(((await cashOf()) - before).toFixed(2), moved.toFixed(2))
  })

  test('follows the halves of the previous batch, unless an id or a correction is in the other half of that batch', async () => {
    const partsAfter = async (set: string, change: (lines: TestLine[]) => void) => {
      const loader = activityLoader({
        loadId: randomUUID(),
        kind: 'load-activity',
        clientId: 'operations',
        traceId: 'trace',
        pool: books.database.operations,
        now: () => testNow,
      })
      const split = async (lines: readonly TestLine[]) => {
        const raw = lines.map((members, at) => ({ line: at + 1, members }))
        return loader.split?.({ raw, ready: await loader.prepare(raw) }, true)
      }
      await split(deposits(set))
      const second = deposits(`${set}-`)
      change(second)
      const { parts = [], areApart } = (await split(second)) ?? {}
      return [parts.length, areApart]
    }
    assert.deepEqual(await partsAfter('K', () => {}), [2, true])
    // Each half contains some of the forty accounts.
    const repeats = (lines: TestLine[]) => {
      for (let at = 0; at < accounts.length; at += 1) lines[at] = deposit(`L${at}`, accountOf(at + 1))
    }
    assert.deepEqual(await partsAfter('L', repeats), [2, false])
    const cancels = (lines: TestLine[]) => {
      for (let at = 0; at < accounts.length; at += 1)
        lines[at] = deposit(`MX${at}`, accountOf(at + 1), { cancelType: 'C', tagNo: `M${at}` })
    }
    assert.deepEqual(await partsAfter('M', cancels), [2, false])
  })
})
