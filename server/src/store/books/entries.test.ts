/** Changes of the books that the database itself refuses, independent of the code of the service. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type pg from 'pg'
import { loadActivityLines, openTestBooks, type TestBooks } from '../../books/testing/books-database.ts'

let books: TestBooks
let session: pg.Client
const account = 'E0000001'

before(async () => {
  books = await openTestBooks([account])
  const deposit = { acctNo: account, transType: 'Deposit', netAmount: '5', tradeDate: '2026-11-20' }
  assert.equal((await loadActivityLines(books, [{ externalId: 'D1', ...deposit }])).accepted, 1)
  session = await books.database.superuser()
})
after(async () => {
  await books?.[Symbol.asyncDispose]()
})

/** The SQLSTATE that the role gets for the statement, which is rolled back. */
async function refusalOf(role: string, sql: string): Promise<string> {
  await session.query('begin')
  try {
    await session.query(`set local role ${role}`)
    await session.query("select set_config('clearing.firm', $1, true)", [books.firmId])
    await session.query(sql)
    return 'taken'
  } catch (fault) {
    return (fault as { code: string }).code
  } finally {
    await session.query('rollback')
  }
}

const checkViolation = '23514'
const notPermitted = '42501'
const roles = ['clearing_operations', 'clearing_app']

function insertEntry(
  legs: readonly (readonly [ledger: string, asset: string, amount: string])[],
  number = 100,
) {
  return `insert into clearing.entry (account_number, firm_id, entry_date, entry_no, of_line, caused_by, kind, acct_type, ledger, asset, amount)
   values ('${account}', '${books.firmId}', '2026-11-20', ${number}, 1, 1, 'P', 1, array[${legs.map(([ledger]) => `'${ledger}'`)}]::clearing.ledger[],
     array[${legs.map(([, asset]) => `'${asset}'`)}]::text[], array[${legs.map(([, , amount]) => amount)}]::numeric[])`
}

describe('an entry that does not balance', () => {
  const unbalanced: Record<string, readonly (readonly [string, string, string])[]> = {
    'of one leg': [['customer', 'USD', '5']],
    'of one leg of zero': [['customer', 'USD', '0']],
    'that sums to a cent': [
      ['customer', 'USD', '5.00'],
      ['location:bank', 'USD', '-4.99'],
    ],
    'whose currencies balance only in total': [
      ['customer', 'EUR', '5'],
      ['location:bank', 'USD', '-5'],
    ],
    'whose cash balances and whose shares do not': [
      ['customer', '1000001', '10'],
      ['street:clearing', '1000001', '-9'],
      ['customer', 'USD', '-100'],
      ['street:clearing', 'USD', '100'],
    ],
    'whose shares balance with another security': [
      ['customer', '1000001', '10'],
      ['street:clearing', '1000002', '-10'],
    ],
    'of amounts that are not numbers': [
      ['customer', 'USD', "'NaN'"],
      ['location:bank', 'USD', "'NaN'"],
    ],
    'of infinite amounts': [
      ['customer', 'USD', "'Infinity'"],
      ['location:bank', 'USD', "'-Infinity'"],
    ],
    'without an amount': [
      ['customer', 'USD', 'null'],
      ['location:bank', 'USD', 'null'],
    ],
    'without legs': [],
  }
  for (const [what, legs] of Object.entries(unbalanced)) {
    test(`an entry ${what} is not stored`, async () => {
      assert.equal(await refusalOf('clearing_operations', insertEntry(legs)), checkViolation)
    })
  }

  test('a balanced entry of the same form is stored for operations and refused for the role that serves firms', async () => {
    const legs = [
      ['customer', '1000001', '10'],
      ['street:clearing', '1000001', '-10'],
      ['customer', 'USD', '-100.25'],
      ['street:clearing', 'USD', '100'],
      ['firm:commission', 'USD', '0.25'],
    ] as const
    assert.equal(await refusalOf('clearing_operations', insertEntry(legs)), 'taken')
    assert.equal(await refusalOf('clearing_app', insertEntry(legs)), notPermitted)
  })
})

describe('stored records of the books', () => {
  const statements = [
    'update clearing.entry set amount = amount',
    'delete from clearing.entry',
    'truncate clearing.entry',
    'update clearing.activity set quantity = 0',
    'delete from clearing.activity',
    'delete from clearing.activity_key',
    'update clearing.closing set gain = 0',
    'update clearing.wash set disallowed = 0',
    'delete from clearing.correction',
    // Attempts to evade the rules: through the partition, the check or the triggers.
    'delete from clearing.entry_2026_11',
    'insert into clearing.entry_2026_11 select * from clearing.entry',
    'alter table clearing.entry drop constraint entry_balances',
    'alter table clearing.entry disable trigger all',
    "set session_replication_role = 'replica'",
    "create or replace function clearing.balances(asset text[], amount numeric[]) returns boolean language sql as 'select true'",
  ]
  for (const statement of statements) {
    test(`cannot be changed, removed or evaded by: ${statement.slice(0, 70)}`, async () => {
      for (const role of roles) assert.equal(await refusalOf(role, statement), notPermitted, role)
    })
  }

  test('contain the firm of the account', async () => {
    const legs = [
      ['customer', 'USD', '1'],
      ['location:bank', 'USD', '-1'],
    ] as const
    const foreign = insertEntry(legs).replace(books.firmId, books.otherFirmId)
    assert.equal(await refusalOf('clearing_operations', foreign), '23503')
  })
})
