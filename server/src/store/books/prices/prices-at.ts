/** Prices in force at an instant. */
import type { Decimal } from '@clearing/domain/decimal'
import { statement } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { decimalOfColumn } from '../bulk.ts'
import { carryInto, type PricedRow } from './carried-prices.ts'
import { lastPrice, type ViewOfPrices } from './last-price.ts'
import { unitsChanged } from './unit-changes.ts'

const selectPrices = statement<PricedRow>(
  'select-prices-at',
  `select named.sec_no, latest.price,
     ${unitsChanged('named.sec_no', 'latest.priced_at', { day: '$4', knownOn: '$3' })} as units_changed
   from unnest($1::bigint[]) as named (sec_no)
   left join lateral (${lastPrice('named.sec_no', 'priced_at <= $2', '$3')}) as latest on true`,
)

/** The last price of each security in the units of the view, by secNo; securities without a price are left out. */
export async function readPricesAt(
  tx: Tx,
  secNos: readonly string[],
  view: ViewOfPrices,
): Promise<Map<string, Decimal>> {
  const { at, day, knownOn } = view
  const prices = new Map<string, Decimal>()
  const rows = await tx.rows(selectPrices, [secNos, at, knownOn, day])
  for (const { sec_no, price } of await carryInto(tx, rows, view))
    if (price !== null) prices.set(String(sec_no), decimalOfColumn(price))
  return prices
}
