/** What lines moved in the securities of margin accounts, day by day. */
import type { AcctType } from '@clearing/domain/books'
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
  /** By a trade, or the outcome of an option. Other lines are corporate actions, transfers and journals. */
  readonly traded: boolean
}

// A correction of an earlier line counts on the trade date of that line.
const selectUnits = statement<{
  account_number: string
  trade_date: string
  sec_no: string
  traded: boolean
  units: string
}>(
  'select-units-moved',
  `with wanted as (
     select * from unnest($1::text[], $2::bigint[], $3::bigint[]) as wanted (account_number, after, up_to)
   ), caused as materialized (
     select entry.account_number, of_line, entry.acct_type, entry.ledger, entry.asset, entry.amount
     from wanted join clearing.entry using (account_number) where caused_by > after and caused_by <= up_to
   ), posted as (
     select account_number, trade_date, trans_type, acct_type, ledger, asset, amount
     from wanted join clearing.activity using (account_number) where sequence > after and sequence <= up_to
     union all
     select line.account_number, trade_date, trans_type, caused.acct_type, caused.ledger, caused.asset, caused.amount
     from caused join clearing.activity as line on line.account_number = caused.account_number and line.sequence = of_line
   )
   select account_number, trade_date, leg.asset as sec_no, sum(leg.amount) as units,
     trans_type in ('Trade', 'Exercise', 'Assignment', 'Expiration') as traded
   from posted cross join lateral unnest(ledger, asset, amount) as leg (ledger, asset, amount)
   where acct_type in (2, 3) and leg.ledger = 'customer' and leg.asset ~ '^[0-9]+$' and ($4::date is null or trade_date <= $4)
   group by account_number, trade_date, leg.asset, traded having sum(leg.amount) <> 0 order by account_number, trade_date`,
)

/** The units of a security that one line moved in an account type. */
export interface UnitsOfLine extends Pick<UnitsMoved, 'secNo' | 'units'> {
  readonly acctType: AcctType
}

// Includes what corrections by other lines changed.
const selectUnitsOfLines = statement<{
  sequence: bigint
  sec_no: string
  acct_type: AcctType
  units: string
}>(
  'select-units-of-lines',
  `select posted.sequence, leg.asset as sec_no, acct_type, sum(leg.amount) as units
   from (
     select sequence, acct_type, ledger, asset, amount from clearing.activity
     where account_number = $1 and sequence = any ($2)
     union all
     select of_line, acct_type, ledger, asset, amount from clearing.entry
     where account_number = $1 and of_line = any ($2) and kind in ('P', 'A') and caused_by <= $3
   ) as posted cross join lateral unnest(ledger, asset, amount) as leg (ledger, asset, amount)
   where acct_type in (2, 3) and leg.ledger = 'customer' and leg.asset ~ '^[0-9]+$'
   group by posted.sequence, leg.asset, acct_type having sum(leg.amount) <> 0
   order by posted.sequence, leg.asset, acct_type`,
)

/** What each of some lines of a margin account moved, by their sequence. Lines are known up to `upTo`. */
export async function readUnitsOfLines(
  tx: Tx,
  { accountNumber, upTo }: Pick<LinesWanted, 'accountNumber' | 'upTo'>,
  sequences: readonly number[],
): Promise<Map<number, UnitsOfLine[]>> {
  if (sequences.length === 0) return new Map()
  const found = await tx.rows(selectUnitsOfLines, [accountNumber, sequences, upTo])
  const bySequence = Map.groupBy(found, ({ sequence }) => Number(sequence))
  return new Map(
    [...bySequence].map(([sequence, rows]) => [
      sequence,
      rows.map(({ sec_no: secNo, acct_type: acctType, units }) => {
        return { secNo, acctType, units: decimalOfColumn(units) }
      }),
    ]),
  )
}

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
    traded: row.traded,
  }))
}
