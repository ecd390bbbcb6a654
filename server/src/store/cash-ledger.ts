/** Cash accounts at closes: the accounts to examine, their state, and the stored ledger. */

import type { CashViolation, UnpaidPurchase } from '@clearing/domain/market'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { decimalOfColumn, insertRows, jsonWithDecimals, Rows } from './books/bulk.ts'
import type { AccountRange } from './business-day.ts'

export interface CashLedger {
  readonly accountNumber: string
  readonly closeDate: string
  readonly firmId: string
  readonly unpaid: readonly UnpaidPurchase[]
  readonly violations: readonly CashViolation[]
  /** The next close that examines the account even without a new line. */
  readonly lookOn: string | null
  /** The freeze in force: the day of its cause, and its last day. */
  readonly frozenFrom: string | null
  readonly frozenUntil: string | null
  /** The restriction placed for the freeze; null when a person had already restricted the account. */
  readonly restrictionId: string | null
}

interface LedgerRow {
  readonly account_number: string
  readonly close_date: string
  readonly firm_id: string
  readonly unpaid: readonly (Omit<UnpaidPurchase, 'amount' | 'unpaid'> & { amount: string; unpaid: string })[]
  readonly violations: readonly CashViolation[]
  readonly look_on: string | null
  readonly frozen_from: string | null
  readonly frozen_until: string | null
  readonly restriction_id: string | null
}

const names = ['account_number', 'close_date', 'firm_id', 'unpaid', 'violations', 'look_on']
const columns = [...names, 'frozen_from', 'frozen_until', 'restriction_id']
  .map((name) => `latest.${name}`)
  .join(', ')

const selectLatestOfRange = statement<LedgerRow>(
  'select-cash-ledgers-of-range',
  `select ${columns} from clearing.account_books as books cross join lateral (
     select * from clearing.cash_ledger as ledger
     where ledger.account_number = books.account_number and close_date < $3 order by close_date desc limit 1
   ) as latest where books.account_number > $1 and books.account_number <= $2`,
)
const selectLatest = statement<LedgerRow>(
  'select-cash-ledger-until',
  `select ${columns} from clearing.cash_ledger as latest
   where account_number = $1 and ($2::date is null or close_date <= $2) order by close_date desc limit 1`,
)
const insertLedgers = insertRows('insert-cash-ledgers', 'cash_ledger', 'on conflict do nothing')

function parseLedger(row: LedgerRow): CashLedger {
  return {
    accountNumber: row.account_number,
    closeDate: row.close_date,
    firmId: row.firm_id,
    unpaid: row.unpaid.map((one) => {
      return { ...one, amount: decimalOfColumn(one.amount), unpaid: decimalOfColumn(one.unpaid) }
    }),
    violations: row.violations,
    lookOn: row.look_on,
    frozenFrom: row.frozen_from,
    frozenUntil: row.frozen_until,
    restrictionId: row.restriction_id,
  }
}

/** The state of accounts before a day, by account. */
export async function readCashLedgersBefore(
  tx: Tx,
  [after, upTo]: AccountRange,
  day: string,
): Promise<Map<string, CashLedger>> {
  const rows = await tx.rows(selectLatestOfRange, [after, upTo, day])
  return new Map(rows.map((row) => [row.account_number, parseLedger(row)]))
}

/** The state of an account at the last close until a day, or (null) at the last close. */
export async function readCashLedgerUntil(
  tx: Tx,
  accountNumber: string,
  day: string | null,
): Promise<CashLedger | undefined> {
  const row = await tx.row(selectLatest, [accountNumber, day])
  return row && parseLedger(row)
}

export function insertCashLedgers(tx: Tx, ledgers: readonly CashLedger[]): void {
  if (ledgers.length === 0) return
  const rows = new Rows()
  for (const kept of ledgers) {
    rows.add(
      kept.accountNumber,
      kept.closeDate,
      kept.firmId,
      jsonWithDecimals(kept.unpaid),
      JSON.stringify(kept.violations),
      kept.lookOn,
      kept.frozenFrom,
      kept.frozenUntil,
      kept.restrictionId,
    )
  }
  tx.later(insertLedgers, [rows.bytes()])
}

/** The lines of a cash account since the previous close. */
export interface MovedCash {
  /** The first trade date among them; for a cancel, the date of its original. */
  readonly earliest: string
  /** True if the lines correct others. */
  readonly corrects: boolean
  /**
   * True if settled cash less payments due is negative, or could have been during the day: a security was bought and
   * sold, and the sale has settled.
   */
  readonly short: boolean
}

const selectMoved = statement<{
  account_number: string
  earliest: string
  corrects: boolean
  short: boolean
}>(
  'select-moved-cash-accounts',
  `with of_security as (
     select account_number, min(trade_date) as earliest, bool_or(correction is not null) as corrects,
       bool_or(trans_type = 'Trade' and buy_sell in ('BUY', 'BCV'))
         and bool_or(trans_type = 'Trade' and buy_sell in ('SEL', 'SSL') and settle_date <= $3) as sold_again
     from clearing.activity join clearing.day_account as day using (account_number)
     where day.close_date = $3 and account_number > $1 and account_number <= $2 and acct_type = 1
       and sequence <= day.line_count
       and activity.entered_on > coalesce((select max(close_date) from clearing.business_day_close where close_date < $3), '-infinity')
     group by account_number, sec_no
   ), moved as (
     select account_number, min(earliest) as earliest, bool_or(corrects) as corrects, bool_or(sold_again) as sold_again
     from of_security group by account_number
   )
   select account_number, earliest, corrects, sold_again or exists (
     select from (
       select currency, amount from clearing.cash_balance as balance
       where balance.account_number = moved.account_number and acct_type = 1
       union all select currency, -greatest(amount, 0) from clearing.unsettled
       where unsettled.account_number = moved.account_number and acct_type = 1
     ) as settled group by currency having sum(amount) < 0
   ) as short from moved`,
)

export async function readMovedCash(
  tx: Tx,
  [after, upTo]: AccountRange,
  closeDate: string,
): Promise<Map<string, MovedCash>> {
  return new Map(
    (await tx.rows(selectMoved, [after, upTo, closeDate])).map((row) => [row.account_number, row]),
  )
}
