/** What the lines of margin accounts have moved by their settlement dates, and the closes that count such moves. */
import type { AcctType } from '@clearing/domain/books'
import type { Decimal } from '@clearing/domain/decimal'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { decimalOfColumn } from './books/bulk.ts'
import { groupByAccount } from './group-by-account.ts'
import type { LinesWanted } from './margin-lines.ts'

/** What lines moved in a margin account on a settlement date: cash of a currency, or units of a security. */
export interface SettledMove {
  readonly settleDate: string
  readonly acctType: AcctType
  /** A currency, or the number of a security. */
  readonly asset: string
  readonly amount: Decimal
  /** The lines came after the last close. */
  readonly late: boolean
}

// A correction of an earlier line counts on the settlement date of that line.
const selectMoves = statement<{
  account_number: string
  settle_date: string
  acct_type: AcctType
  asset: string
  amount: string
  late: boolean
}>(
  'select-settled-moves',
  `with line as materialized (
     select account_number, sequence, settle_date, after, up_to, acct_type, ledger, asset, amount
     from unnest($1::text[], $2::bigint[], $3::bigint[]) as wanted (account_number, after, up_to)
     join clearing.activity using (account_number) where sequence <= up_to and settle_date < $4::date
   ), posted as (
     select account_number, settle_date, sequence > after as late, acct_type, ledger, asset, amount from line
     union all
     select line.account_number, settle_date, caused_by > after, entry.acct_type, entry.ledger, entry.asset, entry.amount
     from line join clearing.entry on entry.account_number = line.account_number and of_line = line.sequence
     where caused_by <= up_to
   )
   select account_number, settle_date, acct_type, leg.asset, sum(leg.amount) as amount, late
   from posted cross join lateral unnest(ledger, asset, amount) as leg (ledger, asset, amount)
   where acct_type in (2, 3) and leg.ledger = 'customer'
   group by account_number, settle_date, acct_type, leg.asset, late having sum(leg.amount) <> 0
   order by account_number, settle_date`,
)

/** What the lines of margin accounts moved that settled before a day, by account, in the order of their dates. */
export async function readSettledMoves(
  tx: Tx,
  wanted: readonly LinesWanted[],
  before: string,
): Promise<Map<string, SettledMove[]>> {
  const found = await tx.rows(selectMoves, [
    wanted.map(({ accountNumber }) => accountNumber),
    wanted.map(({ after }) => after),
    wanted.map(({ upTo }) => upTo),
    before,
  ])
  return groupByAccount(found, (row) => ({
    settleDate: row.settle_date,
    acctType: row.acct_type,
    asset: row.asset,
    amount: decimalOfColumn(row.amount),
    late: row.late,
  }))
}

const selectCloses = statement<{ account_number: string; close_date: string }>(
  'select-closes-of-margin-accounts',
  `select account_number, close_date from unnest($1::text[], $2::date[]) as wanted (account_number, since)
   join clearing.margin_ledger using (account_number) join clearing.business_day_close using (close_date)
   where close_date >= since and close_date < $3 and counts_late_nights
     and coalesce((select margin_interest from clearing.day_accrual as accrual
         where accrual.account_number = margin_ledger.account_number and accrual.close_date = margin_ledger.close_date), 0)
       = coalesce((select interest from clearing.margin_interest as first where first.account_number = margin_ledger.account_number
         and first.close_date = margin_ledger.close_date and first.of_date = first.close_date), 0)
   order by account_number, close_date`,
)

/**
 * The closes from a day on that saw the account as a margin account, in ascending order. Closes of an earlier release,
 * here or in another cell, are not returned: they left out late lines and did not record the debit.
 */
export async function readClosesOf(
  tx: Tx,
  wanted: ReadonlyMap<string, string>,
  before: string,
): Promise<Map<string, string[]>> {
  const found = await tx.rows(selectCloses, [[...wanted.keys()], [...wanted.values()], before])
  return groupByAccount(found, ({ close_date }) => close_date)
}
