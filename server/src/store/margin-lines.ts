/** The lines of margin accounts, with the facts that margin needs. */
import { type AcctType, type BuySell, dependsOnHolding, type TransType } from '@clearing/domain/books'
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { movedColumn, readOriginals } from './books/amounts.ts'
import { decimalOfColumn } from './books/bulk.ts'
import { readClosed } from './closed-by-trades.ts'

/** A line of account type 2 or 3, with the facts that margin needs. */
export interface MarginLine {
  readonly accountNumber: string
  readonly sequence: number
  readonly externalId: string
  readonly acctType: AcctType
  readonly transType: TransType
  readonly buySell: BuySell | undefined
  readonly secNo: string | undefined
  /** The underlying that an exercise or assignment delivers, or the security received. */
  readonly toSecNo: string | undefined
  readonly quantity: Decimal
  /**
   * Of a trade or a delivery: the quantity of the security bought or sold that closed a position. Not negative.
   * Undefined for other lines.
   */
  readonly closed: Decimal | undefined
  /** The part of `closed` that had no loan value at the preceding close if it is of a mutual fund. */
  readonly closedRecent: Decimal
  readonly price: Decimal | undefined
  /**
   * Signed. For a line whose amount depends on the position, the cash that its entries moved; for its cancel, the
   * opposite.
   */
  readonly netAmount: Decimal
  readonly currency: string
  readonly tradeDate: string
  /** Zero means the rate of the table. */
  readonly fxRate: Decimal
  readonly correction: 'C' | 'R' | undefined
  readonly tagNo: string | undefined
  /** The order of a trade. */
  readonly orderId: string | undefined
}

interface LineRow {
  readonly account_number: string
  readonly sequence: bigint
  readonly process_date: string
  readonly external_id: string
  readonly acct_type: AcctType
  readonly trans_type: TransType
  readonly buy_sell: BuySell | null
  readonly sec_no: bigint | null
  readonly to_sec_no: bigint | null
  readonly quantity: string
  readonly price: string | null
  readonly net_amount: string | null
  readonly up_to: bigint
  readonly currency: string
  readonly trade_date: string
  readonly fx_rate: string | null
  readonly correction: 'C' | 'R' | null
  readonly tag_no: string | null
  readonly order_id: string | null
}

// The first cancel of a line reverses it, whatever its own date is. Another cancel, a cancel of a cancel, and a cancel
// whose original is not in the books have no effect. A line that was cancelled before it came has none either.
const selectLines = statement<LineRow>(
  'select-margin-lines',
  `select account_number, activity.sequence, process_date, external_id, acct_type, trans_type, buy_sell, sec_no, to_sec_no,
     quantity, price, net_amount, currency, trade_date, fx_rate, correction, tag_no, order_id, up_to
   from unnest($1::text[], $2::bigint[], $3::bigint[]) as wanted (account_number, after, up_to)
   join clearing.activity using (account_number)
   where acct_type in (2, 3) and activity.sequence > after and activity.sequence <= up_to
     and case when correction = 'C' then activity.sequence = (
         select min(cancel.sequence) from clearing.correction as cancel
         where cancel.account_number = activity.account_number and cancel.tag_no = activity.tag_no and cancel.correction = 'C')
       and exists (
         select from clearing.activity_key as key
         join clearing.activity as original on original.account_number = key.account_number
           and original.process_date = key.process_date and original.sequence = key.sequence
         where key.firm_id = activity.firm_id and key.external_id = activity.tag_no
           and key.account_number = activity.account_number and original.correction is distinct from 'C'
           and original.sequence <= up_to and ${inDays('original.trade_date')})
       else ${inDays('activity.trade_date')} and coalesce((
         select cancel.sequence > after from clearing.correction as cancel
         where cancel.account_number = activity.account_number and cancel.tag_no = activity.external_id
           and cancel.correction = 'C' order by cancel.sequence limit 1), true) end
   order by account_number, trade_date, activity.sequence`,
)

function inDays(date: string): string {
  return `($4::date is null or ${date} <= $4) and ($5::date is null or ${date} >= $5)`
}

// Apart from the lines, because most accounts have no such line, and the plan would contain every partition of the
// entries.
const selectMoved = statement<{ account_number: string; sequence: bigint; moved: string | null }>(
  'select-moved-of-margin-lines',
  `select account_number, sequence, ${movedColumn('up_to')}
   from unnest($1::text[], $2::date[], $3::bigint[], $4::bigint[]) as wanted (account_number, process_date, sequence, up_to)
   join clearing.activity using (account_number, process_date, sequence)`,
)

/** The range of an account's lines: after one sequence, up to another. */
export interface LinesWanted {
  readonly accountNumber: string
  readonly after: number
  readonly upTo: number
}

/** Lines of margin accounts by account, ordered by trade date, then by entry. */
export async function readMarginLines(
  tx: Tx,
  wanted: readonly LinesWanted[],
  traded: { readonly from?: string; readonly until?: string | undefined } = {},
): Promise<Map<string, MarginLine[]>> {
  if (wanted.length === 0) return new Map()
  const rows = await tx.rows(selectLines, [
    wanted.map(({ accountNumber }) => accountNumber),
    wanted.map(({ after }) => after),
    wanted.map(({ upTo }) => upTo),
    traded.until ?? null,
    traded.from ?? null,
  ])
  const [moved, closed] = await Promise.all([readMoved(tx, rows), readClosed(tx, rows, wanted)])
  const amount = (text: string | null) => (text === null ? ZERO : decimalOfColumn(text))
  const netAmountOf = (row: LineRow) =>
    dependsOnHolding(row.trans_type) ? (moved.get(nameOfLine(row)) ?? ZERO) : amount(row.net_amount)
  return Map.groupBy(
    rows.map((row) => ({
      accountNumber: row.account_number,
      sequence: Number(row.sequence),
      externalId: row.external_id,
      acctType: row.acct_type,
      transType: row.trans_type,
      buySell: row.buy_sell ?? undefined,
      secNo: row.sec_no === null ? undefined : String(row.sec_no),
      toSecNo: row.to_sec_no === null ? undefined : String(row.to_sec_no),
      quantity: decimalOfColumn(row.quantity),
      closed: closed.get(row)?.closed,
      closedRecent: closed.get(row)?.recent ?? ZERO,
      price: row.price === null ? undefined : decimalOfColumn(row.price),
      netAmount: netAmountOf(row),
      currency: row.currency,
      tradeDate: row.trade_date,
      fxRate: amount(row.fx_rate),
      correction: row.correction ?? undefined,
      tagNo: row.tag_no ?? undefined,
      orderId: row.order_id ?? undefined,
    })),
    ({ accountNumber }) => accountNumber,
  )
}

/** The cash that lines moved whose amounts depend on the position. A cancel moves the opposite of its original. */
async function readMoved(tx: Tx, rows: readonly LineRow[]): Promise<Map<string, Decimal>> {
  const moved = new Map<string, Decimal>()
  const depending = rows.filter(({ trans_type }) => dependsOnHolding(trans_type))
  const booked = depending.filter(({ correction }) => correction !== 'C')
  if (booked.length > 0) {
    const found = await tx.rows(selectMoved, [
      booked.map(({ account_number }) => account_number),
      booked.map(({ process_date }) => process_date),
      booked.map(({ sequence }) => sequence),
      booked.map(({ up_to }) => up_to),
    ])
    for (const row of found) moved.set(nameOfLine(row), decimalOfColumn(row.moved ?? '0'))
  }
  const cancels = depending.filter(({ correction }) => correction === 'C')
  const originals = await readOriginals(
    tx,
    cancels.map((row) => ({
      accountNumber: row.account_number,
      tagNo: row.tag_no,
      lines: Number(row.up_to),
    })),
  )
  for (const { account_number, cancelled_by: sequence, moved: cash } of originals)
    moved.set(nameOfLine({ account_number, sequence }), -decimalOfColumn(cash ?? '0'))
  return moved
}

function nameOfLine({ account_number, sequence }: Pick<LineRow, 'account_number' | 'sequence'>): string {
  return `${account_number} ${sequence}`
}
