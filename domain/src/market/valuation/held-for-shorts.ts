/** The cash that short positions of a cash account hold back from withdrawals and purchases. US dollars. */

import { type Decimal, ONE, ZERO } from '../../decimal.ts'
import { largestLoss } from '../largest-loss.ts'
import { isEuropeanIndex } from '../security-kind.ts'
import { lineValue } from './line-value.ts'
import type { ValuedLine } from './positions.ts'
import { toUsd, USD_PLACES } from './us-dollars.ts'

/**
 * The exercise price of written puts, and the market value of other short positions; written calls are covered by the
 * stock. With `maySpread`, European-style index options that expire together hold back their amount at risk instead
 * (12 CFR 220.2, Covered option transaction; FINRA Rule 4210(f)(2)(M)).
 */
export function heldForShorts(lines: readonly ValuedLine[], maySpread: boolean): Decimal {
  const spreads = new Map<string, ValuedLine[]>()
  let held = ZERO
  for (const line of lines) {
    if (line.heldAway) continue
    const name = maySpread ? nameOfSpread(line) : undefined
    if (name === undefined) held += line.position.quantity < ZERO ? heldForShort(line) : ZERO
    else {
      const spread = spreads.get(name)
      if (spread === undefined) spreads.set(name, [line])
      else spread.push(line)
    }
  }
  for (const spread of spreads.values()) held += amountAtRisk(spread)
  return held
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

/** The cash that one short line holds back: 0 for a call, the exercise price for a put, otherwise its value. */
function heldForShort({ position, security }: ValuedLine): Decimal {
  switch (security.option?.putCall) {
    case 'Call':
      return ZERO
    case 'Put':
      return toUsd(
        lineValue(-position.quantity, security.option.strike, security, USD_PLACES),
        position.fxRate,
      )
    case undefined:
      return -position.marketUsdeValue
  }
}
