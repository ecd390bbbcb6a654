/** The lines of cash accounts that no line reverses, with the cash that each moved and, for sales, their closings. */
import type { TransType } from '@clearing/domain/books'
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { movedColumn } from './amounts.ts'
import { decimalOfColumn } from './bulk.ts'

export interface CashAccountLine {
  readonly lineId: string
  readonly sequence: number
  /** The security that was bought or sold: for an exercise or assignment, the underlying. */
  readonly secNo: string | undefined
  /** A trade, or an exercise or assignment that delivers the underlying. */
  readonly isTrade: boolean
  readonly isReinvestment: boolean
  readonly date: string
  readonly settles: string
  readonly currency: string
  /** Positive into the account. */
  readonly amount: Decimal
}

/** Lines from a trade date on, up to a sequence. */
export interface CashLinesWanted {
  readonly accountNumber: string
  readonly from: string
  readonly upTo: number
}

const selectLines = statement<{
  account_number: string
  external_id: string
  sequence: bigint
  trans_type: TransType
  sec_no: bigint | null
  to_sec_no: bigint | null
  trade_date: string
  settle_date: string
  currency: string
  net_amount: string | null
  moved: string | null
}>(
  'select-cash-account-lines',
  `select account_number, external_id, activity.sequence, trans_type, sec_no, to_sec_no, trade_date, settle_date, currency,
     net_amount, ${movedColumn('null')}
   from unnest($1::text[], $2::date[], $3::bigint[]) as wanted (account_number, since, up_to)
   join clearing.activity using (account_number)
   where acct_type = 1 and process_date >= $4 and trade_date >= since and trade_date <= $5 and activity.sequence <= up_to
     and correction is distinct from 'C'
     and not exists (
       select from clearing.correction as cancel where cancel.account_number = activity.account_number
         and cancel.tag_no = activity.external_id and cancel.correction = 'C' and cancel.sequence <= up_to
     )`,
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
  return Map.groupBy(
    rows.map((row) => {
      const amount = row.moved ?? row.net_amount
      const isOutcome = row.trans_type === 'Exercise' || row.trans_type === 'Assignment'
      const delivered = isOutcome ? row.to_sec_no : null
      const secNo = delivered ?? row.sec_no
      return {
        accountNumber: row.account_number,
        lineId: row.external_id,
        sequence: Number(row.sequence),
        secNo: secNo === null ? undefined : String(secNo),
        isTrade: row.trans_type === 'Trade' || delivered !== null,
        isReinvestment: row.trans_type === 'Reinvest',
        date: row.trade_date,
        settles: row.settle_date,
        currency: row.currency,
        amount: amount === null ? ZERO : decimalOfColumn(amount),
      }
    }),
    ({ accountNumber }) => accountNumber,
  )
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
