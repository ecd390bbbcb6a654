/**
 * The regulatory fees of a sale (a short sale too): the SEC's Section 31 fee and FINRA's Trading Activity Fee, each
 * rounded up to the cent (Books 4). Purchases are charged neither.
 */

import { abs, type Decimal, ONE, ZERO } from '../../decimal.ts'
import type { CalendarDate } from '../calendar/day.ts'
import type { SecurityKind } from '../security-kind.ts'
import { section31Rate } from './section31.ts'
import { tradingActivityRate } from './trading-activity.ts'

export interface SaleFees {
  /** Section 31 fee, US dollars, at the cent. */
  readonly section31: Decimal
  /** Trading Activity Fee, US dollars, at the cent. */
  readonly tradingActivity: Decimal
  /** The sum of both: the fee of a trade without a `secFee`. */
  readonly total: Decimal
}

const NO_FEES: SaleFees = { section31: ZERO, tradingActivity: ZERO, total: ZERO }

const MILLION = 1_000_000n
const FACE_OF_ONE_BOND = 1_000n
const CENTS_PER_UNIT = 100n

/**
 * The fees of a sale by trade date. `principal` is the money value of the sale in US dollars, without commission;
 * `quantity` is in shares or contracts, for bonds in face value. Both signs are accepted.
 *
 * Stocks and exchange-traded funds pay both fees, as do equity options (on the premium, and by contract). Bonds pay the
 * Trading Activity Fee alone. Mutual funds and US government securities pay neither, nor do index options (17 CFR
 * 240.31-1, note 1; FINRA, Trading Activity Fee FAQ, Q400.5).
 */
export function saleFees(
  tradeDate: CalendarDate,
  principal: Decimal,
  quantity: Decimal,
  kind: SecurityKind,
): SaleFees {
  const rate = tradingActivityRate(tradeDate)
  switch (kind) {
    case 'Equity':
      return addFees(
        section31Fee(tradeDate, principal),
        tradingActivityFee(principal, quantity, rate.perShare, rate.shareCap, 1n),
      )
    case 'Option':
      return addFees(
        section31Fee(tradeDate, principal),
        tradingActivityFee(principal, quantity, rate.perContract, null, 1n),
      )
    case 'Bond':
    case 'Agency':
      return addFees(
        ZERO,
        tradingActivityFee(principal, quantity, rate.perBond, rate.bondCap, FACE_OF_ONE_BOND),
      )
    case 'Fund':
    case 'IndexOption':
    case 'Treasury':
      return NO_FEES
    default:
      return kind satisfies never
  }
}

/** The Section 31 fee on the principal of a covered sale, rounded up to the cent. */
export function section31Fee(tradeDate: CalendarDate, principal: Decimal): Decimal {
  return roundUpToCent(abs(principal) * section31Rate(tradeDate).perMillion, ONE * MILLION)
}

/** A sale at a price below the rate itself is not charged (FINRA, Trading Activity Fee, as brokers quote it). */
function tradingActivityFee(
  principal: Decimal,
  quantity: Decimal,
  rate: Decimal,
  cap: Decimal | null,
  quantityPerUnit: bigint,
): Decimal {
  const units = abs(quantity)
  if (abs(principal) * ONE * quantityPerUnit < units * rate) return ZERO
  const fee = roundUpToCent(units * rate, ONE * quantityPerUnit)
  return cap !== null && fee > cap ? cap : fee
}

/** numerator ÷ denominator, a Decimal with at most two places, rounded up from the exact quotient. */
function roundUpToCent(numerator: bigint, denominator: bigint): Decimal {
  const cent = ONE / CENTS_PER_UNIT
  const divisor = denominator * cent
  const cents = numerator / divisor
  return (cents * divisor < numerator ? cents + 1n : cents) * cent
}

function addFees(section31: Decimal, tradingActivity: Decimal): SaleFees {
  return { section31, tradingActivity, total: section31 + tradingActivity }
}
