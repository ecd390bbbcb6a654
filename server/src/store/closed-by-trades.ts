/**
 * The part of a trade, or of a delivery of shares, in the margin account that closed a position. The rest opened one. A
 * feed may report a sale of what is not held as SEL, and a purchase that covers as BUY.
 */
import type { AcctType, TransType } from '@clearing/domain/books'
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import { previousMarketDay, recentFrom } from '@clearing/domain/market'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { decimalOfColumn } from './books/bulk.ts'

/** A row of an activity line, and the sequence up to which lines are known. */
export interface RowOfTrade {
  readonly account_number: string
  readonly external_id: string
  readonly acct_type: AcctType
  readonly trans_type: TransType
  readonly to_sec_no: bigint | null
  readonly correction: 'C' | 'R' | null
  readonly tag_no: string | null
  readonly trade_date: string
  readonly up_to: bigint
}

/** Quantities, not negative. */
export interface ClosedByTrade {
  readonly closed: Decimal
  /**
   * The part that was bought so late that the preceding close counted shares of a mutual fund without loan value.
   */
  readonly recent: Decimal
}

// The closings of each line are looked up by their key, whatever the statistics are.
const selectClosed = statement<{ place: bigint; closed: string; recent: string | null }>(
  'select-closed-by-trades',
  `select place, sum(abs(latest.quantity)) as closed,
     sum(abs(latest.quantity)) filter (where open_date >= recent_from) as recent
   from unnest($1::text[], $2::text[], $3::bigint[], $4::smallint[], $5::date[]) with ordinality
     as trade (account_number, external_id, known, acct_type, recent_from, place)
   cross join lateral (
     select distinct on (ordinal) quantity, gone, kind, closing.acct_type, open_date from clearing.closing
     where closing.account_number = trade.account_number and closing.external_id = trade.external_id
       and revision <= known
     order by ordinal, revision desc
   ) as latest
   where not gone and kind in ('Sale', 'Cover') and latest.acct_type = trade.acct_type group by place`,
)

/**
 * The quantity that each trade and delivery closed, of the security that it bought or sold. Other rows are left out. A
 * cancel reverses what its original closed as it was known at the sequence `after` of the account.
 */
export async function readClosed<Row extends RowOfTrade>(
  tx: Tx,
  rows: readonly Row[],
  wanted: readonly { readonly accountNumber: string; readonly after: number }[],
): Promise<Map<RowOfTrade, ClosedByTrade>> {
  const trades = rows.filter(
    ({ trans_type, to_sec_no }) => trans_type === 'Trade' || (delivers(trans_type) && to_sec_no !== null),
  )
  if (trades.length === 0) return new Map()
  const after = new Map(wanted.map((one) => [one.accountNumber, one.after]))
  const isCancel = ({ correction }: Row) => correction === 'C'
  const found = await tx.rows(selectClosed, [
    trades.map(({ account_number }) => account_number),
    trades.map((row) => (isCancel(row) ? (row.tag_no ?? '') : row.external_id)),
    trades.map((row) => (isCancel(row) ? (after.get(row.account_number) ?? 0) : row.up_to)),
    trades.map(({ acct_type }) => acct_type),
    trades.map(({ trade_date }) => recentFrom(previousMarketDay(trade_date))),
  ])
  const closed = new Map<RowOfTrade, ClosedByTrade>(
    trades.map((row) => [row, { closed: ZERO, recent: ZERO }]),
  )
  for (const row of found)
    closed.set(trades[Number(row.place) - 1] as Row, {
      closed: decimalOfColumn(row.closed),
      recent: row.recent === null ? ZERO : decimalOfColumn(row.recent),
    })
  return closed
}

function delivers(transType: TransType): boolean {
  return transType === 'Exercise' || transType === 'Assignment'
}
