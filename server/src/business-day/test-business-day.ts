/** For tests: books with a margin account and its securities, and closers of their days. */
import { pino } from 'pino'
import type { TestBooks } from '../books/testing/books-database.ts'
import { defaultMarginRates } from '../config/margin-rate.ts'
import { statement } from '../database/statement.ts'
import { inTransaction } from '../database/transaction.ts'
import { gatherMasterKeys, masterKeyFromBytes } from '../encryption/master-key.ts'
import { BusinessDay, type BusinessDaySettings, type ClosedDay } from './close-day.ts'

export const testMasterKeys = gatherMasterKeys(masterKeyFromBytes(Buffer.alloc(32, 7)))
const testTrace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

const insertSecurity = statement(
  'test-insert-security',
  `insert into clearing.security (sec_no, symbol, sec_type_name, coupon_rate, maturity_date, price_divisor, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, '2020-01-01', '2020-01-01')`,
)
const insertPrice = statement(
  'test-insert-price',
  "insert into clearing.price (sec_no, priced_at, price_type, price) values ($1, $2, 'LastClose', $3)",
)

/** Numbers of the securities that `addSecurities` creates. */
export const stock = '1'
const bond = '2'

export function addSecurities({ database }: TestBooks): Promise<void> {
  return inTransaction(database.operations, { firm: null }, async (tx) => {
    tx.later(insertSecurity, [stock, 'STCK', 'Common Stock', null, null, 1])
    tx.later(insertSecurity, [bond, 'BOND', 'Corporate Bond', '6', '2030-11-20', 100])
    tx.later(insertPrice, [stock, '2026-11-01T21:00:00Z', '50'])
    await tx.run(insertPrice, [bond, '2026-11-01T21:00:00Z', '98'])
  })
}

const mutualFund = '3'

/** A mutual fund, MUTF, at a price of 10. */
export function addMutualFund({ database }: TestBooks): Promise<number> {
  return inTransaction(database.operations, { firm: null }, (tx) => {
    tx.later(insertSecurity, [mutualFund, 'MUTF', 'Mutual Fund', null, null, 1])
    return tx.run(insertPrice, [mutualFund, '2026-11-01T21:00:00Z', '10'])
  })
}

const insertFund = statement(
  'test-insert-fund',
  `insert into clearing.security (symbol, sec_type_name, money_market, created_at, updated_at)
   values ('FUND', 'Money Market Fund', true, '2020-01-01', '2020-01-01')`,
)

/** A money-market fund, FUND. */
export function addFund({ database }: TestBooks): Promise<number> {
  return inTransaction(database.operations, { firm: null }, (tx) => tx.run(insertFund))
}

export function setPrice({ database }: TestBooks, secNo: string, at: string, price: string): Promise<number> {
  return inTransaction(database.operations, { firm: null }, (tx) => tx.run(insertPrice, [secNo, at, price]))
}

export function makeBusinessDay(
  { database }: TestBooks,
  settings: Partial<BusinessDaySettings> = {},
): BusinessDay {
  return new BusinessDay({
    portionAccounts: 2,
    pool: database.operations,
    masterKeys: testMasterKeys,
    marginRates: defaultMarginRates,
    log: pino({ enabled: false }),
    ...settings,
  })
}

export function closeRequest({ firmId }: TestBooks, now: Date, date?: string) {
  return {
    date,
    firmId,
    clientId: 'operations',
    traceId: testTrace,
    now,
  }
}

/** Lets tests close days that have open items. */
export const testAcceptance = { reason: 'A test.', by: 'operations', approvedBy: '' }

/** Closes a day, which must be open and must have come. */
export async function closeDay(
  books: TestBooks,
  now: Date,
  day: BusinessDay = makeBusinessDay(books),
  date?: string,
): Promise<ClosedDay> {
  const outcome = await day.close({ ...closeRequest(books, now, date), accepting: testAcceptance })
  if (outcome.kind !== 'closed') throw new Error(JSON.stringify(outcome))
  return outcome.day
}
