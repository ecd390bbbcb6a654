/**
 * Exchange-traded funds, as far as margin differs by them: whether a fund follows a broad-based index, and the multiple
 * of the index that it aims at. Derived from the name of the security's type, since feeds load no such fields.
 */

import { type Decimal, decimal, max, ONE } from '../decimal.ts'

export interface FundTerms {
  readonly isBroadBased: boolean
  /**
   * The multiple of the index's return: 1 for a fund without leverage and for everything that is no exchange-traded
   * fund.
   */
  readonly leverage: Decimal
}

const exchangeTraded = /\b(etf|etn)s?\b|\bexchange.traded/i
const broadBased = /\bbroad\b/i
const leveraged = /\bleveraged\b|\bultra/i
/** `3x`, `-2X` and `1.5 x`. */
const multiple = /(\d+(?:\.\d+)?)\s?x\b/i
/** `300%`. */
const multiplePercent = /\b(\d{3})\s?%/

const HUNDRED = 100n
/** The multiple of a leveraged fund whose type does not name it: 4 × 25 percent is the whole value. */
const UNKNOWN_LEVERAGE = decimal('4')

/** The terms by the name of a type, such as `Broad-Based ETF` and `Leveraged ETF 3x`. */
export function fundTerms(secTypeName: string): FundTerms {
  if (!exchangeTraded.test(secTypeName)) return { isBroadBased: false, leverage: ONE }
  return { isBroadBased: broadBased.test(secTypeName), leverage: leverageOf(secTypeName) }
}

function leverageOf(secTypeName: string): Decimal {
  const times = multiple.exec(secTypeName)?.[1]
  if (times !== undefined) return max(ONE, decimal(times))
  const percent = multiplePercent.exec(secTypeName)?.[1]
  if (percent !== undefined) return decimal(percent) / HUNDRED
  return leveraged.test(secTypeName) ? UNKNOWN_LEVERAGE : ONE
}
