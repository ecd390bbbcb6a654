/**
 * The change of units that a line reports: the units of the same or another security for the units held. Prices from
 * before it are of the units before it.
 */
import { abs, type Decimal, ONE, ZERO } from '../../decimal.ts'
import type { ActivityLine, Ratio } from '../activity.ts'
import type { Movement } from '../effects.ts'

export interface ReportedUnits extends Ratio {
  /** Keys of the securities given and received, which are the same for a split. */
  readonly from: string
  readonly to: string
  readonly day: string
  /** The line states the ratio. Otherwise it is that of the position before and after. */
  readonly isStated: boolean
  readonly isMerger: boolean
}

const ONE_FOR_ONE: Ratio = { received: ONE, held: ONE }

/** Undefined for a line that changes no units, that moved no position, or that also pays cash for the shares. */
export function unitsReported(line: ActivityLine, movements: readonly Movement[]): ReportedUnits | undefined {
  const { transType, security, toSecurity, tradeDate, cancels } = line
  if (cancels || security === undefined) return undefined
  const moved = movements.find(({ quantity }) => quantity !== ZERO)
  if (moved === undefined) return undefined
  const isStated = line.ratio !== undefined || transType === 'NameChange'
  const ratio = ratioOf(line, moved)
  if (ratio === undefined || ratio.received <= ZERO || ratio.held <= ZERO) return undefined
  const to = (toSecurity ?? security).key
  const isMerger = transType === 'Merger'
  return { ...reduced(ratio), from: security.key, to, day: tradeDate, isStated, isMerger }
}

function ratioOf(line: ActivityLine, moved: Movement): Ratio | undefined {
  const { transType, ratio, toSecurity } = line
  switch (transType) {
    case 'Split':
      return ratio ?? ofPosition(moved)
    case 'StockDividend':
      return ratio === undefined ? ofPosition(moved) : { ...ratio, received: ratio.held + ratio.received }
    case 'NameChange':
      return toSecurity && (ratio ?? ONE_FOR_ONE)
    case 'Merger':
      return toSecurity && line.cashPerShare === undefined && line.netAmount === undefined ? ratio : undefined
    default:
      return undefined
  }
}

function ofPosition({ held, quantity }: Movement): Ratio | undefined {
  return held === undefined ? undefined : { received: abs(held + quantity), held: abs(held) }
}

/** The same ratio for all holders of an action: 2:1 for 200 shares of 100. */
function reduced({ received, held }: Ratio): Ratio {
  const divisor = greatestDivisor(received, held)
  const unit = divisor % ONE === ZERO ? divisor / ONE : 1n
  return { received: received / unit, held: held / unit }
}

function greatestDivisor(a: Decimal, b: Decimal): Decimal {
  return b === ZERO ? a : greatestDivisor(b, a % b)
}
