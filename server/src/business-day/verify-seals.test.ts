/**
 * A seal covers lines and other facts besides entries and balances, and days whose view is read again. Older seals
 * still verify.
 */
import assert from 'node:assert/strict'
import { createHash, sign } from 'node:crypto'
import { describe, it } from 'node:test'
import { takeSealKey } from '../audit/seal-key.ts'
import { accountTermsLoader } from '../books/loads/account-terms.ts'
import { heldAwayLoader } from '../books/loads/held-away.ts'
import { fxRatesLoader, pricesLoader } from '../books/loads/quotes.ts'
import type { Load, Loader } from '../books/loads/run-load.ts'
import { securitiesLoader } from '../books/loads/securities.ts'
import {
  bodyOf,
  loadActivityLines,
  ndjsonOf,
  openTestBooks,
  runTestLoad,
  type TestBooks,
  type TestLine,
} from '../books/testing/books-database.ts'
import { unprepared } from '../database/statement.ts'
import { inTransaction } from '../database/transaction.ts'
import { digestOfDay } from './seal.ts'
import { addSecurities, closeDay, makeBusinessDay, testMasterKeys } from './test-business-day.ts'
import { verifyPart } from './verify-part.ts'

const friday = new Date('2026-11-20T22:00:00Z')
const monday = new Date('2026-11-23T22:00:00Z')
const account = 'A0000001'

async function load<Ready>(
  books: TestBooks,
  loader: (load: Load) => Loader<Ready>,
  now: Date,
  ...lines: TestLine[]
): Promise<void> {
  const { rejects } = await runTestLoad(books, 'load', loader, bodyOf(ndjsonOf(lines)), { now })
  assert.deepEqual(rejects, [])
}
function purchase(externalId: string, quantity: string, tradeDate: string) {
  return {
    externalId,
    acctNo: account,
    acctType: '2',
    transType: 'Trade',
    buySell: 'BUY',
    symbol: 'STCK',
    quantity,
    price: '50',
    tradeDate,
  }
}
function price(priceDate: string, value: string) {
  return {
    symbol: 'STCK',
    price: value,
    priceType: 'LastClose',
    priceDate,
  }
}

/** Two days with every type of fact. Each has facts that arrived late for the previous day. */
async function twoDays(): Promise<TestBooks> {
  const books = await openTestBooks([account, 'A0000002'])
  await addSecurities(books)
  const deposit = {
    externalId: 'D',
    acctNo: account,
    acctType: '2',
    transType: 'Deposit',
    netAmount: '90000',
  }
  await loadActivityLines(
    books,
    [{ ...deposit, tradeDate: '2026-11-18' }, purchase('1', '100', '2026-11-19')],
    {
      now: friday,
    },
  )
  await load(books, pricesLoader, friday, price('2026-11-20T21:00:00Z', '51'))
  await load(books, fxRatesLoader, friday, { currency: 'EUR', rate: '1.1', date: '2026-11-20' })
  await load(books, heldAwayLoader, friday, {
    acctNo: account,
    symbol: 'STCK',
    asOfDate: '2026-11-20',
    quantity: '5',
  })
  await load(books, securitiesLoader, friday, { symbol: 'STCK', description: 'STOCK' })
  await load(books, accountTermsLoader, friday, { acctNo: account, houseLongPercent: '40' })
  await closeDay(books, friday)
  await loadActivityLines(
    books,
    [
      purchase('2', '7', '2026-11-18'),
      purchase('3', '9', '2026-11-23'),
      { externalId: 'C', acctNo: account, cancelType: 'C', tagNo: '1' },
    ],
    { now: monday },
  )
  await load(
    books,
    pricesLoader,
    monday,
    price('2026-11-20T20:00:00Z', '49'),
    price('2026-11-23T21:00:00Z', '52'),
  )
  const correctionId = 'FIX'
  await load(books, pricesLoader, monday, { ...price('2026-11-20T21:00:00Z', '53'), correctionId })
  await load(books, fxRatesLoader, monday, {
    ...{ currency: 'EUR', rate: '1.3', date: '2026-11-20', correctionId },
  })
  await load(books, heldAwayLoader, monday, {
    ...{ acctNo: account, symbol: 'STCK', asOfDate: '2026-11-20', quantity: '7', correctionId },
  })
  await load(books, securitiesLoader, monday, { symbol: 'STCK', description: 'ANOTHER' })
  await load(books, accountTermsLoader, monday, { acctNo: account, houseLongPercent: '45' })
  await closeDay(books, monday)
  return books
}

async function asSuperuser({ database }: TestBooks, ...queries: string[]): Promise<void> {
  const session = await database.superuser()
  await session.query("set session_replication_role = 'replica'")
  for (const query of queries) await session.query(query)
}

async function verify(books: TestBooks): Promise<string[]> {
  const readOnly = { firm: null, readOnly: true, isolation: 'repeatable read' } as const
  const found = await inTransaction(books.database.operations, readOnly, (tx) =>
    verifyPart(tx, {}, { now: monday, businessDay: makeBusinessDay(books) }),
  )
  return found.breaks.map(({ reason }) => reason)
}

describe('a seal of a day', () => {
  const tampered: readonly (readonly [what: string, change: string, back: string, found: RegExp])[] = [
    ...['price', 'yield', 'priced_at', 'entered_on'].map((column) => {
      const value = {
        price: '50.5',
        yield: '1',
        priced_at: "priced_at + interval '1 s'",
        entered_on: 'entered_on + 3',
      }[column]
      const keep = `create table kept as select * from clearing.price`
      return [
        `a price whose ${column} was changed`,
        `${keep}; update clearing.price set ${column} = ${value} where price = 51`,
        'delete from clearing.price; insert into clearing.price table kept; drop table kept',
        /Facts that 2026-11-20 knew/,
      ] as const
    }),
    [
      'a price that was inserted into a day',
      "insert into clearing.price values (1, '2026-11-20T20:30:00Z', 'LastClose', 77, null, '2026-11-20')",
      'delete from clearing.price where price = 77',
      /Facts that 2026-11-20 knew/,
    ],
    [
      'a late price that is marked as known',
      "update clearing.price set entered_on = '2026-11-20' where price = 49",
      "update clearing.price set entered_on = '2026-11-23' where price = 49",
      /Facts that 2026-11-23 knew/,
    ],
    [
      'a rate',
      'update clearing.fx_rate set rate = 1.2',
      'update clearing.fx_rate set rate = 1.1',
      /Facts that 2026-11-20 knew/,
    ],
    ...[
      ['price', 'price', '54', '53'],
      ['rate', 'fx_rate', '1.4', '1.3'],
      ['quantity', 'held_away', '8', '7'],
    ].map(
      ([column, table, changed, value]) =>
        [
          `a correction of ${table}`,
          `update clearing.${table}_correction set ${column} = ${changed}`,
          `update clearing.${table}_correction set ${column} = ${value}`,
          /Facts that 2026-11-23 knew/,
        ] as const,
    ),
    [
      'a correction that is marked as known earlier',
      "update clearing.price_correction set entered_on = '2026-11-20'",
      "update clearing.price_correction set entered_on = '2026-11-23'",
      /Facts that 2026-11-20 knew/,
    ],
    [
      'a report of another custodian',
      'update clearing.held_away set quantity = 6',
      'update clearing.held_away set quantity = 5',
      /Facts that 2026-11-20 knew/,
    ],
    [
      'the earlier facts of a security',
      `update clearing.security_version set facts = facts || '{"multiplier":"2"}' where entered_on = '-infinity'`,
      `update clearing.security_version set facts = facts || '{"multiplier":"1"}' where entered_on = '-infinity'`,
      /Facts that 2026-11-20 knew/,
    ],
    [
      'the current facts of a security',
      "update clearing.security set description = 'A THIRD' where symbol = 'STCK'",
      "update clearing.security set description = 'ANOTHER' where symbol = 'STCK'",
      /Security 1 differs from the last load/,
    ],
    [
      'terms of an account',
      "update clearing.account_terms_version set house_long_percent = 41 where entered_on = '2026-11-20'",
      "update clearing.account_terms_version set house_long_percent = 40 where entered_on = '2026-11-20'",
      /Facts that 2026-11-20 knew/,
    ],
    [
      'the current terms',
      'update clearing.account_books set house_long_percent = 46 where house_long_percent = 45',
      'update clearing.account_books set house_long_percent = 45 where house_long_percent = 46',
      /The terms of account A0000001/,
    ],
    [
      'the record of a line',
      "update clearing.activity set record = replace(record, 'STCK', 'STOK') where external_id = '1'",
      "update clearing.activity set record = replace(record, 'STOK', 'STCK') where external_id = '1'",
      /Lines that 2026-11-20 knew/,
    ],
    [
      'the quantity of a line',
      "update clearing.activity set quantity = 101 where external_id = '1'",
      "update clearing.activity set quantity = 100 where external_id = '1'",
      /2026-11-20 read again has of 1 in account type 2 101/,
    ],
    [
      'a late line that is marked as known',
      "update clearing.activity set entered_on = '2026-11-20' where external_id = '2'",
      "update clearing.activity set entered_on = '2026-11-23' where external_id = '2'",
      /2026-11-20 read again has of USD in account type 2/,
    ],
  ]

  it('shows every later change of the data in a view of its day', async () => {
    await using books = await twoDays()
    assert.deepEqual(await verify(books), [])
    for (const [what, change, back, found] of tampered) {
      await asSuperuser(books, ...change.split('; '))
      const reasons = await verify(books)
      assert.ok(
        reasons.some((reason) => found.test(reason)),
        `${what}: ${reasons.join(' ') || 'nothing was found'}`,
      )
      await asSuperuser(books, ...back.split('; '))
    }
    assert.deepEqual(await verify(books), [])
  })
})

describe('a seal of an earlier release', () => {
  it('has the same digest as before', () => {
    const digest = (text: string) => createHash('sha256').update(text).digest()
    const portion = {
      entries: 3n,
      entries_digest: digest('entries'),
      balances: 2n,
      balances_digest: digest('balances'),
      lines: null,
      lines_digest: null,
    }
    const before = digest('before')
    const text = `business day 2026-11-20 ${before.toString('hex')}\n3 ${portion.entries_digest.toString('hex')} 2 ${portion.balances_digest.toString('hex')}\n`
    const none = { facts: null, facts_digest: null }
    assert.deepEqual(digestOfDay('2026-11-20', before, [portion], none), digest(text))
  })

  it('is verified against the data that it covers, and later seals continue the chain', async () => {
    await using books = await openTestBooks([account])
    await addSecurities(books)
    await loadActivityLines(books, [purchase('1', '100', '2026-11-19')], { now: friday })
    await closeDay(books, friday)
    await makeOlder(books, '2026-11-20')
    assert.deepEqual(await verify(books), [])
    await loadActivityLines(books, [purchase('2', '7', '2026-11-18')], { now: monday })
    await closeDay(books, monday)
    assert.deepEqual(await verify(books), [])
    // The earlier seal did not cover the lines themselves.
    await asSuperuser(books, "update clearing.activity set record = 'x' where external_id = '1'")
    assert.deepEqual(await verify(books), [])
    await asSuperuser(
      books,
      "update clearing.sealed_balance set quantity = quantity + 1 where close_date = '2026-11-20'",
    )
    assert.match((await verify(books)).join(' '), /Sealed positions and cash of 2026-11-20/)
  })
})

/** Signs the seal of the day as an earlier release did: over entries and balances only. */
async function makeOlder(books: TestBooks, day: string): Promise<void> {
  const { operations } = books.database
  type Portion = Parameters<typeof digestOfDay>[2][number]
  const { digest, signature } = await inTransaction(operations, { firm: null }, async (tx) => {
    const portions = await tx.rows(
      unprepared<Portion>(
        `select entries, entries_digest, balances, balances_digest, null as lines, null as lines_digest
         from clearing.day_seal_portion order by portion`,
      ),
    )
    const digest = digestOfDay(day, Buffer.alloc(0), portions, { facts: null, facts_digest: null })
    const { privateKey } = await takeSealKey(tx, testMasterKeys, friday)
    const message = Buffer.from(JSON.stringify(['business day seal', day, digest.toString('hex')]))
    return { digest: digest.toString('hex'), signature: sign(null, message, privateKey).toString('hex') }
  })
  await asSuperuser(
    books,
    'delete from clearing.day_firms',
    'delete from clearing.firm_seal',
    'delete from clearing.firm_seal_portion',
    'update clearing.day_seal_portion set lines = null, lines_digest = null',
    `update clearing.day_seal set facts = null, facts_digest = null, digest = '\\x${digest}', signature = '\\x${signature}'`,
  )
}
