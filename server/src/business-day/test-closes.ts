/** For tests: five accounts with calls to issue, the days to close, and a summary of a close. */
import assert from 'node:assert/strict'
import { loadActivityLines, openTestBooks, type TestBooks } from '../books/testing/books-database.ts'
import { unprepared } from '../database/statement.ts'
import { inTransaction } from '../database/transaction.ts'
import { addSecurities, testMasterKeys } from './test-business-day.ts'
import { verifySeals } from './verify-seals.ts'

export const friday = new Date('2026-11-20T22:00:00Z')
export const monday = new Date('2026-11-23T22:00:00Z')
export const tuesday = new Date('2026-11-24T22:00:00Z')
export const accounts = ['A0000001', 'A0000002', 'A0000003', 'A0000004', 'A0000005']
export const firmId = '6a0c2d3e-0000-4000-8000-000000000301'

export function deposit(externalId: string, acctNo: string, netAmount: string, tradeDate = '2026-11-20') {
  return {
    externalId,
    acctNo,
    acctType: '2',
    transType: 'Deposit',
    netAmount,
    tradeDate,
  }
}
export function purchase(externalId: string, acctNo: string, quantity: string, tradeDate = '2026-11-20') {
  return {
    externalId,
    acctNo,
    acctType: '2',
    transType: 'Trade',
    buySell: 'BUY',
    symbol: 'STCK',
    quantity,
    price: '50',
    tradeDate,
  }
}

/** The first account has a Regulation T call of 15,000 and a maintenance call of 2,500; the second holds a bond. */
const lines = [
  deposit('1', 'A0000001', '10000'),
  purchase('2', 'A0000001', '1000'),
  {
    ...purchase('3', 'A0000002', '10000', '2026-11-18'),
    acctType: '1',
    symbol: 'BOND',
    price: '98',
  },
  deposit('4', 'A0000004', '5000'),
  purchase('5', 'A0000005', '40'),
]

export async function openBooks(): Promise<TestBooks> {
  const books = await openTestBooks(accounts, firmId)
  await addSecurities(books)
  const loaded = await loadActivityLines(books, lines)
  assert.equal(loaded.accepted, lines.length)
  return books
}

export function rows<Row = Record<string, unknown>>({ database }: TestBooks, query: string): Promise<Row[]> {
  return inTransaction(database.operations, { firm: null, readOnly: true }, (tx) =>
    tx.rows(unprepared<Row>(query)),
  )
}

export function calls(books: TestBooks) {
  return rows(
    books,
    `select account_number, kind, issued_on, due_by, amount::float, outstanding::float, age_days, met_on
     from clearing.margin_call order by account_number, kind`,
  )
}

export function events(books: TestBooks, type: string) {
  return rows(
    books,
    `select account_number from clearing.logged_event where type like '${type}' order by position`,
  )
}

export function verify({ database }: TestBooks) {
  return inTransaction(
    database.operations,
    { firm: null, readOnly: true, isolation: 'repeatable read' },
    (tx) => verifySeals(tx, testMasterKeys),
  )
}

export async function asSuperuser({ database }: TestBooks, queries: readonly string[]): Promise<void> {
  const session = await database.superuser()
  for (const query of queries) await session.query(query)
}
