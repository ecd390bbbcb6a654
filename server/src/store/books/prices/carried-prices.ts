/**
 * Prices of securities whose units changed after their last price: that price, or the one of the security given, in the
 * units after the changes (decision 245). Few securities need them, so they are read apart from the other prices.
 */
import { renderDecimal } from '@clearing/domain/decimal'
import { type CarriedPrice, carryPrice } from '@clearing/domain/market'
import type { Tx } from '../../../database/transaction.ts'
import { readUnitChanges } from './counting-unit-changes.ts'
import {
  nameOfWanted,
  type PriceWanted,
  type Quoted,
  readLastPrices,
  type ViewOfPrices,
} from './last-prices.ts'

interface PricedRow {
  readonly sec_no: bigint
  readonly price: string | null
  /** The units changed after the price. */
  readonly units_changed: boolean
}

/** The given rows, and carried prices in those whose units changed. */
export async function carryInto<Row extends PricedRow>(
  tx: Tx,
  rows: readonly Row[],
  view: ViewOfPrices,
): Promise<(Row & { readonly carried?: true })[]> {
  const changed = rows.filter(({ units_changed }) => units_changed).map(({ sec_no }) => String(sec_no))
  if (changed.length === 0) return [...rows]
  const carried = await readCarriedPrices(tx, changed, view)
  return rows.map((row) => {
    const found = carried.get(String(row.sec_no))
    if (found === undefined) return row
    const { pricedAt: priced_at, priceType: price_type } = found.quoted
    // A price of the security given has no yield and no previous close of the security received.
    const others = row.price === null ? { close_price: null, yield: null } : {}
    return { ...row, ...others, price: renderDecimal(found.price), price_type, priced_at, carried: true }
  })
}

/** The carried prices by secNo. A security without any price to carry is left out. */
export async function readCarriedPrices(
  tx: Tx,
  secNos: readonly string[],
  view: ViewOfPrices,
): Promise<Map<string, CarriedPrice<Quoted>>> {
  if (secNos.length === 0) return new Map()
  const changes = await readUnitChanges(tx, secNos, view)
  const wanted = new Map<string, PriceWanted>()
  for (const secNo of secNos) wanted.set(nameOfWanted([secNo, undefined]), [secNo, undefined])
  for (const { secNo, toSecNo, day } of changes)
    if (secNo !== toSecNo) wanted.set(nameOfWanted([secNo, day]), [secNo, day])
  const quotes = await readLastPrices(tx, [...wanted.values()], view)
  const carried = new Map<string, CarriedPrice<Quoted>>()
  for (const secNo of new Set(secNos)) {
    const price = carryPrice(secNo, changes, (of, day) => quotes.get(nameOfWanted([of, day])))
    if (price !== undefined) carried.set(secNo, price)
  }
  return carried
}
