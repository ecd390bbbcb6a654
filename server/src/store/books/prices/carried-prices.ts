/**
 * Prices of securities whose units changed after their last price: that price, or the one of the security given, in the
 * units after the changes (decision 245). Few securities need them, so they are read apart from the other prices.
 */
import { renderDecimal } from '@clearing/domain/decimal'
import { type CarriedPrice, carryPrice, type PriceType, type QuotedPrice } from '@clearing/domain/market'
import { statement } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { decimalOfColumn } from '../bulk.ts'
import { easternDay } from '../calendar.ts'
import { readUnitChanges } from './counting-unit-changes.ts'
import { type LastPrice, lastPrice, type ViewOfPrices } from './last-price.ts'

interface Quoted extends QuotedPrice {
  readonly priceType: PriceType
}

// The last price until the time, and before the day if there is one.
const selectLastPrices = statement<LastPrice & { readonly sec_no: bigint; readonly day: string | null }>(
  'select-last-prices-before-days',
  `select named.sec_no, named.day, latest.* from unnest($1::bigint[], $2::date[]) as named (sec_no, day)
   cross join lateral (
     ${lastPrice(
       'named.sec_no',
       "priced_at <= $3 and (named.day is null or priced_at < named.day::timestamp at time zone 'America/New_York')",
       '$4',
     )}
   ) as latest`,
)

/** A security with its last price, if it has one. */
export interface PricedRow {
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
  const carried = await readCarriedPrices(tx, changed, view)
  return rows.map((row) => {
    const found = carried.get(String(row.sec_no))
    if (found === undefined) return row
    const { pricedAt: priced_at, priceType: price_type } = found.quoted
    return { ...row, price: renderDecimal(found.price), price_type, priced_at, carried: true }
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
  const given = changes.filter(({ secNo, toSecNo }) => secNo !== toSecNo)
  const rows = await tx.rows(selectLastPrices, [
    [...secNos, ...given.map(({ secNo }) => secNo)],
    [...secNos.map(() => null), ...given.map(({ day }) => day)],
    view.at,
    view.knownOn,
  ])
  const quotes = new Map(rows.map((row) => [`${row.sec_no} ${row.day}`, quotedOf(row)]))
  const carried = new Map<string, CarriedPrice<Quoted>>()
  for (const secNo of secNos) {
    const price = carryPrice(secNo, changes, (of, day) => quotes.get(`${of} ${day ?? null}`))
    if (price !== undefined) carried.set(secNo, price)
  }
  return carried
}

function quotedOf({ price, price_type, priced_at }: LastPrice): Quoted {
  return {
    price: decimalOfColumn(price),
    priceType: price_type,
    pricedAt: priced_at,
    day: easternDay(new Date(priced_at)),
  }
}
