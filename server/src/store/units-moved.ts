/** What lines moved in the securities of margin accounts, day by day. */
import type { Decimal } from '@clearing/domain/decimal'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { decimalOfColumn } from './books/bulk.ts'
import { groupByAccount } from './group-by-account.ts'
import type { LinesWanted } from './margin-lines.ts'

/** The units of a security that lines of a trade date moved in account types 2 and 3. */
export interface UnitsMoved {
  readonly tradeDate: string
  readonly secNo: string
  /** Negative: out of the account. */
  readonly units: Decimal
}

// A correction of an earlier line counts on the trade date of that line.
const selectUnits = statement<{ account_number: string; trade_date: string; sec_no: string; units: string }>(
  'select-units-moved',
  `with line as materialized (
     select account_number, sequence, trade_date, after, up_to, acct_type, ledger, asset, amount
     from unnest($1::text[], $2::bigint[], $3::bigint[]) as wanted (account_number, after, up_to)
     join clearing.activity using (account_number)
     where sequence <= up_to and ($4::date is null or trade_date <= $4)
   ), posted as (
     select account_number, trade_date, acct_type, ledger, asset, amount from line where sequence > after
     union all
     select line.account_number, trade_date, entry.acct_type, entry.ledger, entry.asset, entry.amount
     from line join clearing.entry on entry.account_number = line.account_number and of_line = line.sequence
     where caused_by > after and caused_by <= up_to
   )
   select account_number, trade_date, leg.asset as sec_no, sum(leg.amount) as units
   from posted cross join lateral unnest(ledger, asset, amount) as leg (ledger, asset, amount)
   where acct_type in (2, 3) and leg.ledger = 'customer' and leg.asset ~ '^[0-9]+$'
   group by account_number, trade_date, leg.asset having sum(leg.amount) <> 0 order by account_number, trade_date`,
)

/** What lines of margin accounts moved, by account, in the order of their trade dates. `until`: at most that date. */
export async function readUnitsMoved(
  tx: Tx,
  wanted: readonly LinesWanted[],
  until?: string,
): Promise<Map<string, UnitsMoved[]>> {
  if (wanted.length === 0) return new Map()
  const found = await tx.rows(selectUnits, [
    wanted.map(({ accountNumber }) => accountNumber),
    wanted.map(({ after }) => after),
    wanted.map(({ upTo }) => upTo),
    until ?? null,
  ])
  return groupByAccount(found, (row) => ({
    tradeDate: row.trade_date,
    secNo: row.sec_no,
    units: decimalOfColumn(row.units),
  }))
}
