/**
 * Prices of securities whose units changed after their last price: that price, or the one of the security given, in the
 * units after the changes (decision 245). Few securities need them, so they are read apart from the other prices.
 */

import { renderDecimal } from '@clearing/domain/decimal'
import { type CarriedPrice, carryPrice, type PriceType, type UnitChange } from '@clearing/domain/market'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { decimalOfColumn } from './bulk.ts'
import { easternDay } from './calendar.ts'
import { isKnown } from './known.ts'
import { changeCounts } from './unit-changes.ts'

interface ChangeRow {
  readonly sec_no: bigint
  readonly to_sec_no: bigint
  readonly effective_on: string
  readonly received: string
  readonly held: string
  readonly is_merger: boolean
  readonly multiplier: string
  readonly price_divisor: string
  readonly to_multiplier: string
  readonly to_price_divisor: string
}

// The lines of one action agree; if they do not, the ratio that most lines state counts.
const selectChanges = statement<ChangeRow>(
  'select-unit-changes',
  `select change.*, given.multiplier, given.price_divisor, got.multiplier as to_multiplier, got.price_divisor as to_price_divisor
   from (
     select distinct on (to_sec_no, sec_no, effective_on) sec_no, to_sec_no, effective_on, received, held, is_merger
     from clearing.unit_change where to_sec_no = any ($1::bigint[]) and ${changeCounts({ day: '$2', knownOn: '$3' })}
     group by to_sec_no, sec_no, effective_on, received, held, is_stated, is_merger
     order by to_sec_no, sec_no, effective_on, is_stated desc, count(*) desc, held desc, received desc
   ) as change
   join clearing.security as given on given.sec_no = change.sec_no
   join clearing.security as got on got.sec_no = change.to_sec_no`,
)

interface QuoteRow {
  readonly place: bigint
  readonly price: string
  readonly price_type: PriceType
  readonly priced_at: string
}

// The last price until the time, and before the day if there is one.
const selectLastPrices = statement<QuoteRow>(
  'select-last-prices-before-days',
  `select place, latest.* from unnest($1::bigint[], $2::date[]) with ordinality as named (sec_no, day, place)
   cross join lateral (
     select price, price_type, priced_at from clearing.price
     where price.sec_no = named.sec_no and priced_at <= $3 and ${isKnown('$4')}
       and (named.day is null or priced_at < named.day::timestamp at time zone 'America/New_York')
     order by priced_at desc, price_type limit 1
   ) as latest`,
)

interface Quoted {
  readonly price: bigint
  readonly priceType: PriceType
  readonly pricedAt: string
  readonly day: string
}

/** Prices until `at`, and changes until the end of `day`; null: all. `knownOn`: facts known at that close; null for all. */
interface ViewOfPrices {
  readonly at: Date | string
  readonly day: string | null
  readonly knownOn: string | null
}

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
  const changes = await readChanges(tx, secNos, view)
  const wanted = new Map<string, readonly [secNo: string, day: string | undefined]>()
  for (const secNo of secNos) wanted.set(nameOf(secNo, undefined), [secNo, undefined])
  for (const { secNo, toSecNo, day } of changes)
    if (secNo !== toSecNo) wanted.set(nameOf(secNo, day), [secNo, day])
  const quotes = await readQuotes(tx, [...wanted.values()], view)
  const carried = new Map<string, CarriedPrice<Quoted>>()
  for (const secNo of new Set(secNos)) {
    const price = carryPrice(secNo, changes, (of, day) => quotes.get(nameOf(of, day)))
    if (price !== undefined) carried.set(secNo, price)
  }
  return carried
}

/** The changes of the securities, and of those from which positions came. */
async function readChanges(
  tx: Tx,
  secNos: readonly string[],
  { day, knownOn }: ViewOfPrices,
): Promise<UnitChange[]> {
  const seen = new Set(secNos)
  const changes: UnitChange[] = []
  for (let next: readonly string[] = [...seen]; next.length > 0; ) {
    const found = (await tx.rows(selectChanges, [next, day, knownOn])).map(changeOfRow)
    changes.push(...found)
    next = [...new Set(found.map(({ secNo }) => secNo))].filter((secNo) => !seen.has(secNo))
    for (const secNo of next) seen.add(secNo)
  }
  return changes
}

function changeOfRow(row: ChangeRow): UnitChange {
  return {
    secNo: String(row.sec_no),
    toSecNo: String(row.to_sec_no),
    day: row.effective_on,
    received: decimalOfColumn(row.received),
    held: decimalOfColumn(row.held),
    units: {
      multiplier: decimalOfColumn(row.multiplier),
      priceDivisor: decimalOfColumn(row.price_divisor),
    },
    toUnits: {
      multiplier: decimalOfColumn(row.to_multiplier),
      priceDivisor: decimalOfColumn(row.to_price_divisor),
    },
    isMerger: row.is_merger,
  }
}

async function readQuotes(
  tx: Tx,
  wanted: readonly (readonly [secNo: string, day: string | undefined])[],
  { at, knownOn }: ViewOfPrices,
): Promise<Map<string, Quoted>> {
  const secNos = wanted.map(([secNo]) => secNo)
  const days = wanted.map(([, day]) => day ?? null)
  const quotes = new Map<string, Quoted>()
  for (const { place, price, price_type, priced_at } of await tx.rows(selectLastPrices, [
    secNos,
    days,
    at,
    knownOn,
  ])) {
    const [secNo, day] = wanted[Number(place) - 1] as (typeof wanted)[number]
    quotes.set(nameOf(secNo, day), {
      price: decimalOfColumn(price),
      priceType: price_type,
      pricedAt: priced_at,
      day: easternDay(new Date(priced_at)),
    })
  }
  return quotes
}

function nameOf(secNo: string, day: string | undefined): string {
  return `${secNo} ${day ?? ''}`
}
