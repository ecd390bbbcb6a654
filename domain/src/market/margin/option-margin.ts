/**
 * The margin of an uncovered option as a table of law: each row is a class of FINRA Rule 4210(f)(2)(E)(i), which
 * Regulation T adopts (12 CFR 220.12(f)), or of the exchange, from a day on. A change of the rule is a row.
 */

import { type Decimal, decimal, max, multiply, ONE, ZERO } from '../../decimal.ts'
import type { CalendarDate } from '../calendar/day.ts'
import type { FundTerms } from '../fund-class.ts'
import { isVolatilityIndex, type OptionContract, type SecurityKind } from '../security-kind.ts'

/** The underlying of the option. A narrow-based index is margined as a stock. */
export type OptionClass = 'StockOrNarrowIndex' | 'BroadIndex' | 'VolatilityIndex' | 'BroadFund'

export interface OptionMarginRow {
  readonly source: string
  /** The first day. Days before the first row of a class have that row. */
  readonly from: CalendarDate
  readonly class: OptionClass
  /** Percent of the value of the underlying, from which the amount out of the money is taken. */
  readonly percent: Decimal
  /** The least: percent of the value of the underlying, of a put of the exercise price. */
  readonly leastPercent: Decimal
  /** The multiple of a leveraged fund multiplies both, up to the whole value. */
  readonly isMultiplied: boolean
}

/** FINRA Rule 4210 took the place of NASD Rule 2520 and NYSE Rule 431 then (Regulatory Notice 10-45). */
const CONSOLIDATED: CalendarDate = '2010-12-02'
const LEVERAGED_FROM: CalendarDate = '2010-04-30'
const BEFORE: CalendarDate = '1974-01-03'

function rowsOf(of: OptionClass, percent: string): OptionMarginRow[] {
  const common = { class: of, percent: decimal(percent), leastPercent: decimal('10') }
  const rule = '(f)(2)(E)(i), 12 CFR 220.12(f)'
  return [
    { ...common, from: BEFORE, isMultiplied: false, source: `NASD Rule 2520${rule}` },
    {
      ...common,
      from: LEVERAGED_FROM,
      isMultiplied: true,
      source: `Regulatory Notices 09-53 and 09-65, NASD Rule 2520${rule}`,
    },
    {
      ...common,
      from: CONSOLIDATED,
      isMultiplied: true,
      source: `Regulatory Notices 09-53 and 10-45, FINRA Rule 4210${rule}`,
    },
  ]
}

export const OPTION_MARGIN: readonly OptionMarginRow[] = [
  ...rowsOf('StockOrNarrowIndex', '20'),
  ...rowsOf('BroadIndex', '15'),
  {
    source: 'Cboe, VIX options specifications; SR-CBOE-2014-039 (79 FR 37369), 12 CFR 220.12(f)',
    from: BEFORE,
    class: 'VolatilityIndex',
    percent: decimal('20'),
    leastPercent: decimal('10'),
    isMultiplied: false,
  },
  ...rowsOf('BroadFund', '15'),
]

/** The row of a class on a day; without a day the one in force. */
export function optionMarginOn(of: OptionClass, on?: CalendarDate): OptionMarginRow {
  const rows = OPTION_MARGIN.filter((row) => row.class === of)
  const row = rows.findLast(({ from }) => on === undefined || from <= on) ?? rows[0]
  if (row === undefined) throw new RangeError(`there is no margin for options of class ${of}`)
  return row
}

/** The class of an option by its kind, the symbol of its underlying, and the fund that the underlying is. */
export function optionClass(
  kind: SecurityKind,
  symbol: string,
  underlying: Pick<FundTerms, 'isBroadBased'> | undefined,
): OptionClass {
  if (isVolatilityIndex(symbol)) return 'VolatilityIndex'
  if (kind === 'IndexOption') return 'BroadIndex'
  return underlying?.isBroadBased === true ? 'BroadFund' : 'StockOrNarrowIndex'
}

const UNIT_PLACES = 10
const HUNDRED = decimal('100')

/**
 * What one uncovered contract needs on top of its market value: the larger of the percentage of the underlying less the
 * amount out of the money, and the least percentage of the underlying (of the exercise price for a put).
 */
export function uncoveredCharge(
  { putCall, strike }: Pick<OptionContract, 'putCall' | 'strike'>,
  underlying: { readonly price: Decimal; readonly leverage?: Decimal | undefined },
  multiplier: Decimal,
  row: OptionMarginRow,
): Decimal {
  const isCall = putCall === 'Call'
  const { price, leverage = ONE } = underlying
  const outOfMoney = max(ZERO, isCall ? strike - price : price - strike)
  const part = (amount: Decimal, percent: Decimal) => {
    const times = row.isMultiplied ? multiply(percent, leverage, UNIT_PLACES) : percent
    return multiply(amount, times > HUNDRED ? ONE : times / 100n, UNIT_PLACES)
  }
  const usual = part(price, row.percent) - outOfMoney
  const least = part(isCall ? price : strike, row.leastPercent)
  return multiply(max(usual, least), multiplier, UNIT_PLACES)
}
