/** The prices of accounts' own last trades and the cost of what they hold: for securities without a price. */
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import { statement } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { decimalOfColumn } from '../bulk.ts'

/** A security of an account whose last trade is wanted. */
export interface TradeWanted {
  readonly accountNumber: string
  readonly secNo: string
  /** The last line that counts. Undefined: all lines. */
  readonly upTo: number | undefined
}

// A price from before a change of units, such as a split, is of other units.
const selectTrades = statement<{ account_number: string; sec_no: bigint; price: string }>(
  'select-last-trades',
  `select account_number, sec_no, last.price
   from unnest($1::text[], $2::bigint[], $3::bigint[]) as wanted (account_number, sec_no, up_to)
   cross join lateral (
     select price, trade_date from clearing.activity
     where activity.account_number = wanted.account_number and activity.sec_no = wanted.sec_no and trans_type = 'Trade'
       and correction is distinct from 'C' and price > 0 and trade_date <= $4::date
       and (up_to is null or activity.sequence <= up_to)
       and not exists (
         select from clearing.correction as cancel
         where cancel.account_number = activity.account_number and cancel.tag_no = activity.external_id
           and cancel.correction = 'C' and (up_to is null or cancel.sequence <= up_to))
     order by trade_date desc, sequence desc limit 1
   ) as last
   where not exists (
     select from clearing.unit_change as change where change.to_sec_no = wanted.sec_no and effective_on > last.trade_date
       and effective_on <= $4::date and cancelled_on is null)`,
)

/** The prices of the last trades until a day, by `nameOfHolding`, in the currency of the security. */
export async function readLastTrades(
  tx: Tx,
  wanted: readonly TradeWanted[],
  day: string,
): Promise<Map<string, Decimal>> {
  if (wanted.length === 0) return new Map()
  const rows = await tx.rows(selectTrades, [...columnsOf(wanted), day])
  return new Map(
    rows.map(({ account_number, sec_no, price }) => [
      nameOfHolding(account_number, String(sec_no)),
      decimalOfColumn(price),
    ]),
  )
}

function columnsOf(wanted: readonly TradeWanted[]) {
  return [
    wanted.map(({ accountNumber }) => accountNumber),
    wanted.map(({ secNo }) => secNo),
    wanted.map(({ upTo }) => upTo ?? null),
  ]
}

export function nameOfHolding(accountNumber: string, secNo: string): string {
  return `${accountNumber} ${secNo}`
}

export interface CostOfLots {
  readonly quantity: Decimal
  readonly cost: Decimal
}

const selectCosts = statement<{ account_number: string; sec_no: bigint; quantity: string; cost: string }>(
  'select-costs-of-holdings',
  `select account_number, sec_no, sum(quantity) as quantity, sum(cost) as cost
   from unnest($1::text[], $2::bigint[]) as wanted (account_number, sec_no)
   join clearing.lot using (account_number, sec_no)
   where cost_known and acct_type in (2, 3) group by account_number, sec_no`,
)

/** The lots of known cost in account types 2 and 3, by `nameOfHolding`. Holdings without such lots are left out. */
export async function readCostsOfHoldings(
  tx: Tx,
  wanted: readonly TradeWanted[],
): Promise<Map<string, CostOfLots>> {
  if (wanted.length === 0) return new Map()
  const rows = await tx.rows(selectCosts, columnsOf(wanted).slice(0, 2))
  const costs = rows.map((row): [string, CostOfLots] => [
    nameOfHolding(row.account_number, String(row.sec_no)),
    { quantity: decimalOfColumn(row.quantity), cost: decimalOfColumn(row.cost) },
  ])
  return new Map(costs.filter(([, { quantity }]) => quantity !== ZERO))
}
