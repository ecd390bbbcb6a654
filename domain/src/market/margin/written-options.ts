/**
 * What written options add to the initial requirement of an account, and what a convertible takes off that of its stock
 * sold short. Trades that create or increase a deficiency cause a call (12 CFR 220.4(c)(1)), so the Regulation T calls
 * and the SMA count what the positions require before a day and after it, whatever the order of the legs.
 */
import { type Decimal, ZERO } from '../../decimal.ts'
import { needsAlone } from './figures.ts'
import { offsetsOf, underlyingOf } from './offsets/index.ts'
import { FINRA_RATES, isBorrowed, isShort, type MarginPosition } from './position.ts'

/**
 * How trades change what written options require on top of their value, US dollars, less what stock sold short does
 * not require beside a convertible (12 CFR 220.12(c)(2)). Negative: the trades release margin. The premium of a covered
 * option counts for the stock that covers it. Long positions and stock sold short count only with what a combination
 * takes off their requirement. Both lists are valued at the prices of the trades. A security that is held long and sold
 * short is one position in them.
 */
export function changeOfWritten(
  before: readonly MarginPosition[],
  after: readonly MarginPosition[],
): Decimal {
  const all = [...before, ...after]
  const paired = [...soldBesideConvertibles(before), ...soldBesideConvertibles(after)]
  const combined = new Set([...all.filter(isWritten), ...paired].map(underlyingOf))
  if (combined.size === 0) return ZERO
  const requiredBy = (positions: readonly MarginPosition[]) => {
    const concerned = positions.filter((position) => combined.has(underlyingOf(position)))
    const { options, stocks } = offsetsOf(concerned, (position) => needsAlone(position, FINRA_RATES)).initial
    let required = ZERO
    for (const { onTop } of options.values()) required += onTop
    for (const relief of stocks.values()) required -= relief
    return required
  }
  return requiredBy(after) - requiredBy(before)
}

/** The stock sold short beside a security that converts into it. */
export function soldBesideConvertibles(positions: readonly MarginPosition[]): MarginPosition[] {
  const held = positions.filter((position) => position.converts !== undefined && !isShort(position))
  const converting = new Set(held.map(underlyingOf))
  if (converting.size === 0) return []
  return positions.filter((position) => isBorrowed(position) && converting.has(underlyingOf(position)))
}

function isWritten(position: MarginPosition): boolean {
  return position.option !== undefined && isShort(position)
}
