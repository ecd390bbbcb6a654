/**
 * The part of a purchase in account type 2 that covered a short position. A feed may report such a purchase as BUY, as
 * it reports one that opens a long position.
 */
import type { AcctType, BuySell, TransType } from '@clearing/domain/books'
import type { Decimal } from '@clearing/domain/decimal'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { decimalOfColumn } from './books/bulk.ts'

/** A row of an activity line, and the sequence up to which lines are known. */
export interface RowOfPurchase {
  readonly account_number: string
  readonly external_id: string
  readonly acct_type: AcctType
  readonly trans_type: TransType
  readonly buy_sell: BuySell | null
  readonly correction: 'C' | 'R' | null
  readonly tag_no: string | null
  readonly up_to: bigint
}

// The closings of each line are looked up by their key, whatever the statistics are.
const selectCovered = statement<{ place: bigint; covered: string }>(
  'select-covered-by-purchases',
  `select place, -sum(latest.quantity) as covered
   from unnest($1::text[], $2::text[], $3::bigint[]) with ordinality as purchase (account_number, external_id, known, place)
   cross join lateral (
     select distinct on (ordinal) quantity, gone, kind, acct_type from clearing.closing
     where closing.account_number = purchase.account_number and closing.external_id = purchase.external_id
       and revision <= known
     order by ordinal, revision desc
   ) as latest
   where not gone and kind = 'Cover' and acct_type = 2 group by place`,
)

/**
 * The quantity that each purchase covered; rows that covered nothing are left out. A cancel reverses what its original
 * covered as it was known at the sequence `after` of the account.
 */
export async function readCovered<Row extends RowOfPurchase>(
  tx: Tx,
  rows: readonly Row[],
  wanted: readonly { readonly accountNumber: string; readonly after: number }[],
): Promise<Map<RowOfPurchase, Decimal>> {
  const purchases = rows.filter(
    ({ trans_type, acct_type, buy_sell }) => trans_type === 'Trade' && acct_type === 2 && buy_sell === 'BUY',
  )
  if (purchases.length === 0) return new Map()
  const after = new Map(wanted.map((one) => [one.accountNumber, one.after]))
  const isCancel = ({ correction }: Row) => correction === 'C'
  const covered = await tx.rows(selectCovered, [
    purchases.map(({ account_number }) => account_number),
    purchases.map((row) => (isCancel(row) ? (row.tag_no ?? '') : row.external_id)),
    purchases.map((row) => (isCancel(row) ? (after.get(row.account_number) ?? 0) : row.up_to)),
  ])
  return new Map(
    covered.map((row) => [purchases[Number(row.place) - 1] as Row, decimalOfColumn(row.covered)]),
  )
}
