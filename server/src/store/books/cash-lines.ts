/** The lines of cash accounts that no line reverses, with the cash that each moved and, for sales, their closings. */
import type { TransType } from '@clearing/domain/books'
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { movedColumn } from './amounts.ts'
import { decimalOfColumn } from './bulk.ts'
import { orderOf } from './order-of.ts'

export interface CashAccountLine {
  readonly lineId: string
  /** Orders the lines of a day. A rebill has the place of its original. */
  readonly sequence: number
  /** The security that was bought or sold: for an exercise or assignment, the underlying. */
  readonly secNo: string | undefined
  /** A trade, or an exercise or assignment that delivers the underlying. */
  readonly isTrade: boolean
  /** A sale, even if its fees exceed the proceeds. */
  readonly isSale: boolean
  readonly isReinvestment: boolean
  readonly date: string
  readonly settles: string
  readonly currency: string
  /** Positive into the account. */
  readonly amount: Decimal
  /** The part of the amount of a trade that is accrued interest, without a sign. */
  readonly interest: Decimal
}

/** Lines from a trade date on, up to a sequence. */
export interface CashLinesWanted {
  readonly accountNumber: string
  readonly from: string
  readonly upTo: number
}

interface LineRow {
  readonly account_number: string
  readonly external_id: string
  readonly sequence: bigint
  readonly trans_type: TransType
  readonly buy_sell: string | null
  readonly interest: string
  readonly sec_no: bigint | null
  readonly to_sec_no: bigint | null
  readonly trade_date: string
  readonly settle_date: string
  readonly currency: string
  readonly net_amount: string | null
  readonly moved: string | null
  readonly correction: 'R' | null
  readonly tag_no: string | null
  readonly cancelled: boolean
}

const selectLines = statement<LineRow>(
  'select-cash-account-lines',
  `select account_number, external_id, activity.sequence, trans_type, buy_sell, interest, sec_no, to_sec_no, trade_date, settle_date, currency,
     net_amount, ${movedColumn('null')}, correction, tag_no, exists (
       select from clearing.correction as cancel where cancel.account_number = activity.account_number
         and cancel.tag_no = activity.external_id and cancel.correction = 'C' and cancel.sequence <= up_to
     ) as cancelled
   from unnest($1::text[], $2::date[], $3::bigint[]) as wanted (account_number, since, up_to)
   join clearing.activity using (account_number)
   where acct_type = 1 and process_date >= $4 and trade_date >= since and trade_date <= $5 and activity.sequence <= up_to
     and correction is distinct from 'C'`,
)

/** Lines traded until a day, by account. */
export async function readCashLines(
  tx: Tx,
  wanted: readonly CashLinesWanted[],
  day: string,
): Promise<Map<string, CashAccountLine[]>> {
  if (wanted.length === 0) return new Map()
  const dates = wanted.map(({ from }) => from)
  const rows = await tx.rows(selectLines, [
    wanted.map(({ accountNumber }) => accountNumber),
    dates,
    wanted.map(({ upTo }) => upTo),
    dates.reduce((first, date) => (date < first ? date : first)),
    day,
  ])
  const lines = new Map<string, CashAccountLine[]>()
  for (const [accountNumber, ofAccount] of Map.groupBy(rows, (row) => row.account_number)) {
    const placed = ofAccount.map((row) => ({
      row,
      sequence: Number(row.sequence),
      correction: row.correction ?? undefined,
      tagNo: row.tag_no ?? undefined,
    }))
    const byId = new Map(placed.map((line) => [line.row.external_id, line]))
    lines.set(
      accountNumber,
      placed.filter(({ row }) => !row.cancelled).map((line) => cashLineOf(line.row, orderOf(line, byId))),
    )
  }
  return lines
}

function cashLineOf(row: LineRow, sequence: number): CashAccountLine {
  const moved = row.moved ?? row.net_amount
  const amount = moved === null ? ZERO : decimalOfColumn(moved)
  const isOutcome = row.trans_type === 'Exercise' || row.trans_type === 'Assignment'
  const delivered = isOutcome ? row.to_sec_no : null
  const secNo = delivered ?? row.sec_no
  return {
    lineId: row.external_id,
    sequence,
    secNo: secNo === null ? undefined : String(secNo),
    isTrade: row.trans_type === 'Trade' || delivered !== null,
    isSale:
      row.trans_type === 'Trade'
        ? row.buy_sell?.startsWith('S') === true
        : delivered !== null && amount > ZERO,
    isReinvestment: row.trans_type === 'Reinvest',
    date: row.trade_date,
    settles: row.settle_date,
    currency: row.currency,
    amount,
    interest: decimalOfColumn(row.interest),
  }
}

/** The part of a purchase that a sale closed, in the currency of its security. */
export interface CashClosing {
  readonly purchaseId: string
  readonly cost: Decimal
  readonly proceeds: Decimal
}

const selectClosings = statement<{
  account_number: string
  external_id: string
  opened_by: string
  cost: string
  proceeds: string
}>(
  'select-cash-account-closings',
  `select account_number, external_id, opened_by, cost - wash_added as cost, proceeds from (
     select distinct on (closing.account_number, closing.external_id, ordinal) closing.*
     from unnest($1::text[], $2::text[]) as sale (account_number, external_id)
     join clearing.closing using (account_number, external_id)
     order by closing.account_number, closing.external_id, ordinal, revision desc
   ) as latest where not gone and acct_type = 1 and kind = 'Sale'
   order by account_number, external_id, ordinal`,
)

/** Closings of sales, by account and line. */
export async function readCashClosings(
  tx: Tx,
  sales: readonly { readonly accountNumber: string; readonly lineId: string }[],
): Promise<Map<string, CashClosing[]>> {
  if (sales.length === 0) return new Map()
  const rows = await tx.rows(selectClosings, [
    sales.map(({ accountNumber }) => accountNumber),
    sales.map(({ lineId }) => lineId),
  ])
  const closings = new Map<string, CashClosing[]>()
  for (const row of rows) {
    const name = nameOfSale(row.account_number, row.external_id)
    const of = closings.get(name) ?? []
    of.push({
      purchaseId: row.opened_by,
      cost: decimalOfColumn(row.cost),
      proceeds: decimalOfColumn(row.proceeds),
    })
    closings.set(name, of)
  }
  return closings
}

export function nameOfSale(accountNumber: string, lineId: string): string {
  return `${accountNumber} ${lineId}`
}
