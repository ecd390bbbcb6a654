/**
 * What written options add to the initial requirement of an account. Trades that create or increase a deficiency cause
 * a call (12 CFR 220.4(c)(1)), so the Regulation T calls and the SMA count what the positions require before a day and
 * after it, whatever the order of the legs.
 */
import { type Decimal, ZERO } from '../../decimal.ts'
import { needsAlone } from './figures.ts'
import { offsetsOf, underlyingOf } from './offsets/index.ts'
import { FINRA_RATES, isShort, type MarginPosition } from './position.ts'

/**
 * How trades change what written options require on top of their value, US dollars. Negative: the trades release
 * margin. The premium of a covered option counts for the stock that covers it. Long positions and stock sold short
 * count only with what a combination with a written option takes off their requirement. Both lists are valued at the
 * prices of the trades.
 */
export function changeOfWritten(
  before: readonly MarginPosition[],
  after: readonly MarginPosition[],
): Decimal {
  const written = new Set([...before, ...after].filter(isWritten).map(underlyingOf))
  if (written.size === 0) return ZERO
  const requiredBy = (positions: readonly MarginPosition[]) => {
    const concerned = positions.filter((position) => written.has(underlyingOf(position)))
    const { options, stocks } = offsetsOf(concerned, (position) => needsAlone(position, FINRA_RATES)).initial
    let required = ZERO
    for (const { onTop } of options.values()) required += onTop
    for (const relief of stocks.values()) required -= relief
    return required
  }
  return requiredBy(after) - requiredBy(before)
}

function isWritten(position: MarginPosition): boolean {
  return position.option !== undefined && isShort(position)
}
