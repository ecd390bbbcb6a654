/**
 * A line that the database refuses for a reason that no check of the service covers is rejected by its number. The
 * other lines of the load are not affected.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { unprepared } from '../../database/statement.ts'
import { inTransaction } from '../../database/transaction.ts'
import {
  bodyOf,
  loadActivityLines,
  ndjsonOf,
  openTestBooks,
  runTestLoad,
  type TestBooks,
  type TestLine,
} from '../testing/books-database.ts'
import { accountTermsLoader } from './account-terms.ts'
import { heldAwayLoader } from './held-away.ts'
import { fxRatesLoader, pricesLoader } from './quotes.ts'
import type { Load, LoadAnswer, Loader } from './run-load.ts'
import { securitiesLoader } from './securities.ts'

const accounts = Array.from({ length: 12 }, (_, number) => `Q${String(number).padStart(7, '0')}`)

let books: TestBooks
before(async () => {
  books = await openTestBooks(accounts)
  await load('load-securities', securitiesLoader, [{ symbol: 'LOT' }])
  // Constraints that only the database has.
  for (const [table, rule] of [
    ['activity', "external_id not like 'POISON%'"],
    ['price', 'price <> 13'],
    ['fx_rate', 'rate <> 13'],
    ['security', "description <> 'POISON'"],
    ['held_away', 'quantity <> 13'],
    ['account_books', 'house_long_percent <> 13'],
  ] as const) {
    await inTransaction(books.database.owner, { firm: null }, (tx) =>
      tx.run(
        unprepared(`alter table clearing.${table} add constraint ${table}_poison check (${rule}) not valid`),
      ),
    )
  }
})
after(() => books?.[Symbol.asyncDispose]())

function load<Ready>(
  kind: string,
  makeLoader: (load: Load) => Loader<Ready>,
  lines: readonly TestLine[],
): Promise<LoadAnswer> {
  return runTestLoad(books, kind, makeLoader, bodyOf(ndjsonOf(lines)))
}

function countsAndRejects({ received, accepted, duplicates, rejected, rejects }: LoadAnswer) {
  return {
    counts: [received, accepted, duplicates, rejected],
    rejects: rejects.map(({ line, code, reason }) => [line, code, /_poison/.test(reason)]),
  }
}
function poisoned(lines: readonly number[]) {
  return lines.map((line) => [line, 'ERR.1015', true])
}

const tradeDate = '2026-11-20'
function deposit(externalId: string, number: number): TestLine {
  return {
    ...{
      externalId,
      acctNo: accounts[number % accounts.length],
      transType: 'Deposit',
      netAmount: '1.25',
      tradeDate,
    },
  }
}

describe('a line that the database refuses', () => {
  test('is rejected by its number, in a batch of thousands that is written in two parts', async () => {
    const bad = [1, 777, 4_321, 5_000]
    const lines = Array.from({ length: 5_000 }, (_, at) =>
      deposit(bad.includes(at + 1) ? `POISON${at}` : `A${at}`, at),
    )
    const first = await loadActivityLines(books, lines)
    assert.deepEqual(countsAndRejects(first), { counts: [5_000, 4_996, 0, 4], rejects: poisoned(bad) })
    assert.deepEqual(countsAndRejects(await loadActivityLines(books, lines)), {
      counts: [5_000, 0, 4_996, 4],
      rejects: poisoned(bad),
    })
    const kept = await inTransaction(books.database.operations, { firm: null, readOnly: true }, (tx) =>
      tx.row(
        unprepared<{ lines: bigint; cash: string; received: bigint; parts: bigint }>(
          `select (select count(*) from clearing.activity) as lines, (select sum(amount) from clearing.cash_balance) as cash,
             received, (select sum(received)::bigint from clearing.load_part where load_id = load.load_id) as parts
           from clearing.load where load_id = '${first.loadId}'`,
        ),
      ),
    )
    assert.deepEqual(kept, { lines: 4_996n, cash: '6245.00', received: 5_000n, parts: 5_000n })
  })

  test('does not affect corrections among the surrounding lines', async () => {
    const lines = [
      deposit('B0', 0),
      deposit('POISON-B', 0),
      { externalId: 'B1', acctNo: accounts[0], cancelType: 'C', tagNo: 'B0' },
      { ...deposit('B2', 0), rebill: 'Y', tagNo: 'B0', netAmount: '9' },
    ]
    const answer = await loadActivityLines(books, lines)
    assert.deepEqual(countsAndRejects(answer), { counts: [4, 3, 0, 1], rejects: poisoned([2]) })
  })

  const line = (number: number, fields: TestLine): TestLine => ({
    symbol: 'LOT',
    acctNo: accounts[number],
    ...fields,
  })
  const others: readonly [
    kind: string,
    load: (lines: readonly TestLine[]) => Promise<LoadAnswer>,
    lineOf: (number: number, bad: boolean) => TestLine,
  ][] = [
    [
      'load-prices',
      (lines) => load('load-prices', pricesLoader, lines),
      (number, bad) =>
        line(number, {
          acctNo: undefined,
          price: bad ? '13' : '12',
          priceType: 'LastClose',
          priceDate: `2026-11-0${number + 1}T21:00:00Z`,
        }),
    ],
    [
      'load-fx-rates',
      (lines) => load('load-fx-rates', fxRatesLoader, lines),
      (number, bad) => ({ currency: 'EUR', rate: bad ? '13' : '1.1', date: `2026-11-0${number + 1}` }),
    ],
    [
      'load-securities',
      (lines) => load('load-securities', securitiesLoader, lines),
      (number, bad) => ({ symbol: `S${number}`, description: bad ? 'POISON' : 'FINE' }),
    ],
    [
      'load-held-away',
      (lines) => load('load-held-away', heldAwayLoader, lines),
      (number, bad) =>
        line(number, { asOfDate: tradeDate, quantity: bad ? '13' : '12', custodian: 'Elsewhere' }),
    ],
    [
      'load-account-terms',
      (lines) => load('load-account-terms', accountTermsLoader, lines),
      (number, bad) => ({ acctNo: accounts[number], houseLongPercent: bad ? '13' : '40' }),
    ],
  ]
  for (const [kind, run, lineOf] of others) {
    test(`is rejected by its number in a load of ${kind}`, async () => {
      const lines = Array.from({ length: 8 }, (_, number) => lineOf(number, number === 2 || number === 7))
      assert.deepEqual(countsAndRejects(await run(lines)), {
        counts: [8, 6, 0, 2],
        rejects: poisoned([3, 8]),
      })
      assert.deepEqual(countsAndRejects(await run(lines)), {
        counts: [8, 0, 6, 2],
        rejects: poisoned([3, 8]),
      })
    })
  }
})
