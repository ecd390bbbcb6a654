/** The cash that short positions of a cash account hold back from withdrawals and purchases. US dollars. */

import { type Decimal, max, ONE, ZERO } from '../../decimal.ts'
import { largestLoss } from '../largest-loss.ts'
import { isCashEquivalent, isEuropeanIndex } from '../security-kind.ts'
import { lineValue } from './line-value.ts'
import type { ValuedLine } from './positions.ts'
import { toUsd, USD_PLACES } from './us-dollars.ts'

/**
 * The exercise price of written puts, and the market value of stock sold beyond the holding; written calls are covered
 * by the stock. With `maySpread`, European-style index options that expire together hold back their amount at risk
 * instead (FINRA Rule 4210(f)(2)(M)). What cash equivalents secure needs no cash (12 CFR 220.2, Covered option
 * transaction).
 */
export function heldForShorts(lines: readonly ValuedLine[], maySpread: boolean): Decimal {
  const spreads = new Map<string, ValuedLine[]>()
  let forOptions = ZERO
  let forOthers = ZERO
  let equivalents = ZERO
  for (const line of lines) {
    if (line.heldAway) continue
    const name = maySpread ? nameOfSpread(line) : undefined
    if (name === undefined) {
      if (line.position.quantity >= ZERO) equivalents += cashEquivalent(line)
      else if (line.security.option === undefined) forOthers -= line.position.marketUsdeValue
      else forOptions += exercisePrice(line)
    } else {
      const spread = spreads.get(name)
      if (spread === undefined) spreads.set(name, [line])
      else spread.push(line)
    }
  }
  for (const spread of spreads.values()) forOptions += amountAtRisk(spread)
  return forOthers + max(ZERO, forOptions - equivalents)
}

/** The value of a security of the United States or its agencies, which secures written options as cash does. */
function cashEquivalent({ position, security: { kind } }: ValuedLine): Decimal {
  return isCashEquivalent(kind) ? position.marketUsdeValue : ZERO
}

/** Names the options that count together. Undefined for other securities. */
function nameOfSpread({ position, security }: ValuedLine): string | undefined {
  const { option, family, multiplier, currency } = security
  if (option === undefined || !isEuropeanIndex(option.underlying)) return undefined
  const underlying = family ?? option.underlying
  return `${position.acctTypeCode} ${underlying} ${option.expiration} ${multiplier} ${currency}`
}

function amountAtRisk(lines: readonly ValuedLine[]): Decimal {
  const [first] = lines
  const legs = lines.flatMap(({ position: { quantity }, security: { option } }) =>
    option === undefined ? [] : [{ ...option, sold: -quantity }],
  )
  if (first === undefined || legs.every(({ sold }) => sold <= ZERO)) return ZERO
  return toUsd(lineValue(largestLoss(legs), ONE, first.security, USD_PLACES), first.position.fxRate)
}

/** What a written option is secured by: the exercise price of a put, and no cash for a call. */
function exercisePrice({ position, security }: ValuedLine): Decimal {
  const { option } = security
  if (option?.putCall !== 'Put') return ZERO
  return toUsd(lineValue(-position.quantity, option.strike, security, USD_PLACES), position.fxRate)
}
