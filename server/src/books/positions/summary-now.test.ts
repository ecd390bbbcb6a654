/**
 * A rendered summary is sent again only while nothing behind it has changed. Each row is a change after which the
 * summary must be that of the books; another row shows that nothing else is read while nothing has changed.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { closeDay } from '../../business-day/test-business-day.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { accountTermsLoader } from '../loads/account-terms.ts'
import { heldAwayLoader } from '../loads/held-away.ts'
import { fxRatesLoader, pricesLoader } from '../loads/quotes.ts'
import type { Load, Loader } from '../loads/run-load.ts'
import { securitiesLoader } from '../loads/securities.ts'
import {
  bodyOf,
  loadActivityLines,
  ndjsonOf,
  openTestBooks,
  runTestLoad,
  type TestBooks,
  type TestLine,
} from '../testing/books-database.ts'
import { KnownMarkets } from './known-market.ts'
import { Summaries } from './summary-now.ts'

const account = 'A0000001'
const other = 'A0000002'
const foreign = 'A0000003'
const begin = new Date('2026-11-20T16:00:00Z')
function later(ms: number) {
  return new Date(begin.getTime() + ms)
}
const hourMs = 3_600_000

let books: TestBooks
let session: pg.Client
before(async () => {
  books = await openTestBooks([account, other, foreign])
  session = new pg.Client(books.database.urls.superuser)
  await session.connect()
  await load(securitiesLoader, [
    { symbol: 'AAA', secTypeName: 'Common Stock' },
    { symbol: 'EURO', currency: 'EUR', secTypeName: 'Common Stock' },
    { symbol: 'AAA P40', putCall: 'Put', strike: '40', expiration: '2027-12-17', underlying: 'AAA' },
    { symbol: 'UND', secTypeName: 'Common Stock' },
    { symbol: 'UND P40', putCall: 'Put', strike: '40', expiration: '2027-12-17', underlying: 'UND' },
    { symbol: 'AWAY', secTypeName: 'Common Stock' },
  ])
  await load(pricesLoader, [
    priced('AAA', '50', -hourMs),
    priced('EURO', '20', -hourMs),
    priced('UND', '42', -hourMs),
    priced('UND P40', '1', -hourMs),
    priced('AWAY', '10', -hourMs),
  ])
  await load(fxRatesLoader, [{ currency: 'EUR', rate: '1.10', date: '2026-11-02' }])
  await activity([
    line('D1', { transType: 'Deposit', netAmount: '100000.00' }),
    line('T1', bought('AAA', '100', '45')),
    line('T2', bought('EURO', '100', '18')),
    line('T3', { ...bought('UND P40', '2', '1.00'), buySell: 'SEL' }),
  ])
  await activity([{ ...line('D9', { transType: 'Deposit', netAmount: '1.00' }), acctNo: other }])
  await activity([
    { ...line('F8', { transType: 'Deposit', netAmount: '10000.00' }), acctNo: foreign },
    { ...line('F9', bought('EURO', '100', '18')), acctNo: foreign },
  ])
})
after(async () => {
  await session?.end()
  await books?.[Symbol.asyncDispose]()
})

function line(externalId: string, facts: TestLine): TestLine {
  return { externalId, acctNo: account, acctType: '2', tradeDate: '2026-11-19', ...facts }
}
function bought(symbol: string, quantity: string, price: string): TestLine {
  return { transType: 'Trade', buySell: 'BUY', symbol, quantity, price }
}
function priced(symbol: string, price: string, afterMs: number): TestLine {
  return { symbol, price, priceType: 'CurrentSnap', priceDate: later(afterMs).toISOString() }
}
async function load<Ready>(
  loader: (settings: Load) => Loader<Ready>,
  lines: readonly TestLine[],
): Promise<void> {
  const { rejects } = await runTestLoad(books, 'load', loader, bodyOf(ndjsonOf(lines)), { now: begin })
  assert.deepEqual(rejects, [])
}
async function activity(lines: readonly TestLine[]): Promise<void> {
  const { rejects } = await loadActivityLines(books, lines, { now: begin })
  assert.deepEqual(rejects, [])
}

interface Read {
  readonly text: string | undefined
  /** The names of the statements that were issued. */
  readonly statements: readonly string[]
}

/** Reads as an operation does: in one snapshot, with the rights of the firm. */
function read(rendered: Summaries, now: Date, firm = books.firmId, number = account): Promise<Read> {
  const scope = { firm, readOnly: true, isolation: 'repeatable read' } as const
  return inTransaction(books.database.app, scope, async (tx) => {
    const statements: string[] = []
    const counted = new Proxy(tx, {
      get(of, member: keyof Tx) {
        const value = of[member] as unknown
        if (typeof value !== 'function') return value
        return (...values: unknown[]) => {
          statements.push((values[0] as { name: string }).name)
          return value.apply(of, values)
        }
      },
    })
    const summary = await rendered.now(counted, number, { now, concentration: [] })
    return { text: summary && JSON.stringify([JSON.parse(summary.text), summary.message]), statements }
  })
}
async function fresh(now: Date): Promise<string | undefined> {
  return (await read(new Summaries(new KnownMarkets()), now)).text
}
const proof = ['select-account-state', 'select-market-state']

function euro(rate: string) {
  return { currency: 'EUR', rate, date: '2026-11-19' }
}

function sql(text: string): () => Promise<unknown> {
  return () => session.query(text)
}

describe('a summary that was rendered before', () => {
  test('is sent again with the present time while nothing has changed, for one statement', async () => {
    const rendered = new Summaries(new KnownMarkets())
    const first = await read(rendered, begin)
    assert.ok(first.statements.length > proof.length)
    await activity([
      { ...line('D8', { transType: 'Deposit', netAmount: '5.00' }), acctNo: other, externalId: 'D8' },
    ])
    const second = await read(rendered, later(1))
    assert.deepEqual(second.statements, proof)
    assert.equal(second.text, await fresh(later(1)))
    assert.notEqual(second.text, first.text, 'the time is that of the second reading')
    assert.equal(second.text?.replaceAll(later(1).toISOString(), begin.toISOString()), first.text)
  })

  test('is not sent to another firm', async () => {
    const rendered = new Summaries(new KnownMarkets())
    await read(rendered, begin)
    assert.equal((await read(rendered, begin, books.otherFirmId)).text, undefined)
  })

  test('counts a purchase in another currency in the buying power at its exchange rate', async () => {
    const { text } = await read(new Summaries(new KnownMarkets()), begin, books.firmId, foreign)
    // Equity of 10,220.00 less the half of 2,200.00. Without a rate, the SMA would be the 10,000.00 of the deposit.
    assert.equal(JSON.parse(text ?? '')[0].buyingPower, 2 * (10_220 - 2_200 / 2))
  })

  test('of another account uses the exchange rates that were read, until one changes', async () => {
    const readings = async (rendered: Summaries) => {
      const { text, statements } = await read(rendered, begin)
      assert.equal(text, await fresh(begin))
      return statements.filter((name) => name === 'select-latest-rates').length
    }
    const rendered = new Summaries(new KnownMarkets())
    await read(rendered, begin, books.firmId, other)
    const known = await readings(rendered)
    await load(fxRatesLoader, [{ currency: 'EUR', rate: '1.15', date: '2026-11-18' }])
    assert.equal(await readings(rendered), known + 1)
  })

  test('is not sent for a time before it was rendered', async () => {
    const rendered = new Summaries(new KnownMarkets())
    await read(rendered, begin)
    const earlier = await read(rendered, later(-2 * hourMs))
    assert.equal(earlier.text, await fresh(later(-2 * hourMs)))
    assert.ok(earlier.statements.length > proof.length)
  })

  const changes: readonly (readonly [name: string, change: () => Promise<unknown>])[] = [
    ['a purchase', () => activity([line('T4', bought('AAA', '1', '45'))])],
    [
      'a line without an effect on positions',
      () => activity([line('F1', { transType: 'Fee', netAmount: '-1.00' })]),
    ],
    [
      'a cancelled line',
      () => activity([{ externalId: 'C1', acctNo: account, cancelType: 'C', tagNo: 'T4' }]),
    ],
    ['a price of a security', () => load(pricesLoader, [priced('AAA', '51', -2_000)])],
    ['a price of an underlying', () => load(pricesLoader, [priced('UND', '30', -2_000)])],
    [
      'a correction of that price',
      () => load(pricesLoader, [{ ...priced('AAA', '52', -2_000), correctionId: 'C1' }]),
    ],
    ['an exchange rate', () => load(fxRatesLoader, [euro('1.20')])],
    ['a correction of that rate', () => load(fxRatesLoader, [{ ...euro('1.25'), correctionId: 'C1' }])],
    ['facts of a security', () => load(securitiesLoader, [{ symbol: 'AAA', description: 'AAA CORP' }])],
    [
      'a requirement of the house',
      () => load(accountTermsLoader, [{ acctNo: account, houseLongPercent: '60' }]),
    ],
    [
      'a position held away',
      () =>
        load(heldAwayLoader, [{ acctNo: account, symbol: 'AWAY', quantity: '7', asOfDate: '2026-11-19' }]),
    ],
    [
      'a later report of a position held away',
      () =>
        load(heldAwayLoader, [{ acctNo: account, symbol: 'AWAY', quantity: '8', asOfDate: '2026-11-20' }]),
    ],
    [
      'a correction of that report',
      () =>
        load(heldAwayLoader, [
          { acctNo: account, symbol: 'AWAY', quantity: '9', asOfDate: '2026-11-20', correctionId: 'C1' },
        ]),
    ],
    [
      'a restriction to settled cash',
      sql(`insert into clearing.restriction (restriction_id, account_number, firm_id, code, reason, placed_by, placed_at)
        select gen_random_uuid(), account_number, firm_id, 'NinetyDayCash', 'r', 'p', now() from clearing.account
        where account_number = '${account}'`),
    ],
    [
      'the end of that restriction',
      sql("update clearing.restriction set ended_at = now(), ended_by = 'p' where ended_at is null"),
    ],
    [
      'a restriction to closing transactions',
      sql(`insert into clearing.restriction (restriction_id, account_number, firm_id, code, reason, placed_by, placed_at)
        select gen_random_uuid(), account_number, firm_id, 'LiquidationOnly', 'r', 'p', now() from clearing.account
        where account_number = '${account}'`),
    ],
    [
      'the end of that restriction, beside the start of another',
      sql(`update clearing.restriction set ended_at = now(), ended_by = 'p' where ended_at is null;
        insert into clearing.restriction (restriction_id, account_number, firm_id, code, reason, placed_by, placed_at)
        select gen_random_uuid(), account_number, firm_id, 'Dormant', 'r', 'p', now() from clearing.account
        where account_number = '${account}'`),
    ],
    [
      'the end of the other restriction',
      sql("update clearing.restriction set ended_at = now(), ended_by = 'p' where ended_at is null"),
    ],
    [
      'a break of a position',
      sql(`insert into clearing.books_break (break_id, account_number, firm_id, kind, sec_no, acct_type, reason, raised_at)
        select gen_random_uuid(), account_number, firm_id, 'Quantity', sec_no, 2, 'r', now() from clearing.account, clearing.security
        where account_number = '${account}' and symbol = 'AAA'`),
    ],
    [
      'the end of that break',
      sql('update clearing.books_break set resolved_at = now() where resolved_at is null'),
    ],
    [
      'a margin ledger that a running close has written',
      sql(`insert into clearing.margin_ledger (account_number, close_date, firm_id, sma, reg_t_calls, equity, maintenance_excess, line_count)
        select account_number, '2026-11-19', firm_id, 5000, '[]', 0, 0, line_count from clearing.account_books
        where account_number = '${account}'`),
    ],
    [
      'another name of the account',
      sql(`update clearing.account set account_name = 'JOHN ROE' where account_number = '${account}'`),
    ],
    [
      'another registration of the account',
      sql(`update clearing.account set registration_type = 'IRA' where account_number = '${account}'`),
    ],
  ]
  for (const [name, change] of changes) {
    test(`is rendered anew after ${name}`, async () => {
      const rendered = new Summaries(new KnownMarkets())
      await read(rendered, begin)
      await change()
      const now = later(1_000)
      const second = await read(rendered, now)
      assert.equal(second.text, await fresh(now))
      assert.ok(second.statements.length > proof.length)
      assert.deepEqual((await read(rendered, now)).statements, proof, 'and is sent again after that')
    })
  }

  test('ends when the price of a later time begins to count', async () => {
    await load(pricesLoader, [priced('AAA', '70', hourMs), priced('UND', '31', 2 * hourMs)])
    const rendered = new Summaries(new KnownMarkets())
    const first = await read(rendered, later(2_000))
    const onTime = await read(rendered, later(hourMs - 1))
    assert.deepEqual(onTime.statements, proof)
    assert.equal(onTime.text, await fresh(later(hourMs - 1)))
    const after = await read(rendered, later(hourMs))
    assert.equal(after.text, await fresh(later(hourMs)))
    const value = (text: string | undefined) => JSON.parse(text ?? '')[0].totalLongMarket
    assert.notEqual(value(after.text), value(first.text))
    assert.deepEqual((await read(rendered, later(2 * hourMs - 1))).statements, proof)
    assert.ok((await read(rendered, later(2 * hourMs))).statements.length > proof.length, 'of an underlying')
  })

  test('is rendered anew after a change that was open when it was rendered, whatever committed meanwhile', async () => {
    const rendered = new Summaries(new KnownMarkets())
    const now = later(3 * hourMs)
    await session.query('begin')
    await session.query('update clearing.price set price = 71 where price = 70')
    await load(pricesLoader, [priced('EURO', '21', -1_000)])
    const first = await read(rendered, now)
    await session.query('commit')
    const second = await read(rendered, now)
    assert.equal(second.text, await fresh(now))
    assert.notEqual(second.text, first.text)
  })

  test('is rendered anew after the close of the day, with the rates of the next day', async () => {
    const rendered = new Summaries(new KnownMarkets())
    const now = new Date('2026-11-20T23:30:00Z')
    await load(fxRatesLoader, [{ currency: 'EUR', rate: '1.40', date: '2026-11-23' }])
    await read(rendered, now)
    await closeDay(books, now)
    const second = await read(rendered, now)
    assert.equal(second.text, await fresh(now))
    assert.ok(second.statements.length > proof.length)
  })
})
