/**
 * The price of a security after a corporate action that changed its units, until a price of the new units is known: the
 * last price before, so that the value of what was held stays the same (decision 245).
 */
import { type Decimal, multiplyAll } from '../../decimal.ts'
import type { CalendarDate } from '../calendar/day.ts'
import type { ValueTerms } from './line-value.ts'

type Units = Pick<ValueTerms, 'multiplier' | 'priceDivisor'>

/** A change of units on a day. The security given and received are the same in a split. */
export interface UnitChange {
  readonly secNo: string
  readonly toSecNo: string
  readonly day: CalendarDate
  /** Units received for units held. */
  readonly received: Decimal
  readonly held: Decimal
  readonly units: Units
  readonly toUnits: Units
  /** In a merger, the security received is usually traded: the price of the one given counts only without its own. */
  readonly isMerger: boolean
}

/** A price of a feed. */
export interface QuotedPrice {
  readonly price: Decimal
  /** The time, comparable as text. */
  readonly pricedAt: string
  /** Its day in New York. */
  readonly day: CalendarDate
}

export interface CarriedPrice<Q extends QuotedPrice> {
  /** The price of the feed. */
  readonly quoted: Q
  /** The price in the units after the changes, to the decimal places of a price. */
  readonly price: Decimal
}

const PRICE_PLACES = 8
const QUANTITY_PLACES = 8

/**
 * A quantity that was reported for the end of a day, in the units after the splits since. What was exchanged for
 * another security since stays as it was reported: the last price of the security given does not change.
 */
export function carryQuantity(
  secNo: string,
  quantity: Decimal,
  changes: readonly UnitChange[],
  reportedFor: CalendarDate,
): Decimal {
  const since = changes.filter(
    (change) => change.secNo === secNo && change.toSecNo === secNo && change.day > reportedFor,
  )
  const factors = since.map(({ received }) => received)
  const divisors = since.map(({ held }) => held)
  return multiplyAll([quantity, ...factors], divisors, QUANTITY_PLACES)
}

/**
 * The last price of a security, carried through the changes of units since. Undefined when no change came after the
 * last price, or when neither the security nor one that it came from has a price. `changes` are those that count.
 * `lastBefore` has the last price of a security before a day, and without a day its last one.
 */
export function carryPrice<Q extends QuotedPrice>(
  secNo: string,
  changes: readonly UnitChange[],
  lastBefore: (secNo: string, day: CalendarDate | undefined) => Q | undefined,
): CarriedPrice<Q> | undefined {
  const found = trace({ secNo, changes, lastBefore, before: undefined, passed: [] })
  if (found === undefined || found.through.length === 0) return undefined
  const factors = [found.quoted.price]
  const divisors: Decimal[] = []
  for (const { received, held, units, toUnits } of found.through) {
    factors.push(held, units.multiplier, toUnits.priceDivisor)
    divisors.push(received, toUnits.multiplier, units.priceDivisor)
  }
  return { quoted: found.quoted, price: multiplyAll(factors, divisors, PRICE_PLACES) }
}

interface Search<Q extends QuotedPrice> {
  readonly secNo: string
  readonly changes: readonly UnitChange[]
  readonly lastBefore: (secNo: string, day: CalendarDate | undefined) => Q | undefined
  /** The day on which the security was given for another. */
  readonly before: CalendarDate | undefined
  /** The securities that the search came from, so that it does not return to them. */
  readonly passed: readonly string[]
}

interface Traced<Q extends QuotedPrice> {
  readonly quoted: Q
  readonly through: readonly UnitChange[]
}

/**
 * Whether the price of the security given does not count. Of one day, it counts before the own price of the security
 * received, which can be of the units or of the security before the exchange.
 */
function isBefore<Q extends QuotedPrice>(given: Traced<Q>, found: Traced<Q>, own: Q | undefined): boolean {
  return found.quoted === own ? given.quoted.day < own.day : given.quoted.pricedAt <= found.quoted.pricedAt
}

function trace<Q extends QuotedPrice>(search: Search<Q>): Traced<Q> | undefined {
  const { secNo, changes, lastBefore, before, passed } = search
  const own = lastBefore(secNo, before)
  const counting = changes.filter(
    ({ toSecNo, day }) => toSecNo === secNo && (before === undefined || day <= before),
  )
  const splits = counting.filter((change) => change.secNo === secNo)
  let found: Traced<Q> | undefined = own && {
    quoted: own,
    through: splits.filter(({ day }) => day > own.day),
  }
  for (const change of counting) {
    if (change.secNo === secNo || passed.includes(change.secNo)) continue
    if (own !== undefined && (change.isMerger || own.day >= change.day)) continue
    const given = trace({ ...search, secNo: change.secNo, before: change.day, passed: [...passed, secNo] })
    if (given === undefined || (found !== undefined && isBefore(given, found, own))) continue
    const later = splits.filter(({ day }) => day >= change.day)
    found = { quoted: given.quoted, through: [...given.through, change, ...later] }
  }
  return found
}
