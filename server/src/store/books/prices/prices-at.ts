/** Prices in force at an instant. */
import type { Decimal } from '@clearing/domain/decimal'
import { statement } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { decimalOfColumn } from '../bulk.ts'
import { correctedPrices, correctedValue } from '../corrected-facts.ts'
import { isKnown } from '../known.ts'
import { readCarriedPrices } from './carried-prices.ts'
import { unitsChanged } from './unit-changes.ts'

// If a security has several prices of one instant, the one nearest to the market counts.
const selectPrices = statement<{
  readonly sec_no: bigint
  readonly quote: string | null
  readonly units_changed: boolean
}>(
  'select-prices-at',
  `select named.sec_no, latest.price as quote,
     ${unitsChanged('named.sec_no', 'latest.priced_at', { day: '$4', knownOn: '$3' })} as units_changed
   from unnest($1::bigint[]) as named (sec_no) left join lateral (
     select ${correctedValue(correctedPrices, 'price', '$3')} as price, priced_at
     from clearing.price where price.sec_no = named.sec_no and priced_at <= $2 and ${isKnown('$3')}
     order by priced_at desc, price_type limit 1
   ) as latest on true`,
)
/**
 * The latest price of each security until the instant, in its units at the end of the day, by secNo; securities without
 * a price are left out. Here and below `knownOn` is the close until which facts are known; null for all.
 */
export async function readPricesAt(
  tx: Tx,
  secNos: readonly string[],
  { at, day, knownOn }: { readonly at: string; readonly day: string; readonly knownOn: string | null },
): Promise<Map<string, Decimal>> {
  const prices = new Map<string, Decimal>()
  const changed: string[] = []
  for (const { sec_no, quote, units_changed } of await tx.rows(selectPrices, [secNos, at, knownOn, day])) {
    if (quote !== null) prices.set(String(sec_no), decimalOfColumn(quote))
    if (units_changed) changed.push(String(sec_no))
  }
  const carried = await readCarriedPrices(tx, changed, { at, day, knownOn })
  for (const [secNo, { price }] of carried) prices.set(secNo, price)
  return prices
}
