/**
 * The margin of stocks and funds as a table of law: each row is a paragraph of Regulation T, FINRA Rule 4210 or the
 * Exchange Act, from a day on. A change of the rule is a row. House rates are added by the caller where they are
 * higher.
 */

import { abs, type Decimal, decimal, max, min, multiply, multiplyDivide, ONE, ZERO } from '../../decimal.ts'
import { addDays, type CalendarDate } from '../calendar/day.ts'

export type EquityClass = 'MarginSecurity' | 'LeveragedFund' | 'RecentFund' | 'NonMargin'

export interface EquityMarginRow {
  /** The paragraphs, and where their text was published. */
  readonly source: string
  /** The first day. Days before the first row of a class have that row. */
  readonly from: CalendarDate
  readonly class: EquityClass
  readonly side: 'Long' | 'Short'
  /** The price of a unit from which the row counts. */
  readonly priceFrom: Decimal
  /** Regulation T: percent of the market value, of a short on top of its proceeds. */
  readonly initialPercent: Decimal
  /** Maintenance: percent of the market value. */
  readonly percent: Decimal
  /** Maintenance requirement in US dollars for each unit, when it is more than the percentage. */
  readonly perUnit: Decimal
  /** The multiple of a leveraged fund multiplies `percent`, up to the whole value. */
  readonly isMultiplied: boolean
}

/** The supplement to Regulation T has asked for 50 percent since then (38 FR 33759). */
const REG_T_FROM: CalendarDate = '1974-01-03'
const LEVERAGED_FROM: CalendarDate = '2009-12-01'

function longRow(of: EquityClass, from: CalendarDate, percents: [string, string], source: string) {
  const [initial, maintenance] = percents
  return {
    source,
    from,
    class: of,
    side: 'Long',
    priceFrom: ZERO,
    perUnit: ZERO,
    initialPercent: decimal(initial),
    percent: decimal(maintenance),
    isMultiplied: of === 'LeveragedFund' && from >= LEVERAGED_FROM,
  } as const satisfies EquityMarginRow
}

function shortRows(of: EquityClass, from: CalendarDate, source: string): EquityMarginRow[] {
  const common = { from, class: of, side: 'Short', initialPercent: decimal('50') } as const
  const isMultiplied = of === 'LeveragedFund' && from >= LEVERAGED_FROM
  return [
    {
      ...common,
      source: `${source}FINRA Rule 4210(c)(2), 12 CFR 220.12(c)(1)`,
      isMultiplied,
      priceFrom: ZERO,
      percent: decimal('100'),
      perUnit: decimal('2.5'),
    },
    {
      ...common,
      source: `${source}FINRA Rule 4210(c)(3), 12 CFR 220.12(c)(1)`,
      isMultiplied,
      priceFrom: decimal('5'),
      percent: decimal('30'),
      perUnit: decimal('5'),
    },
  ]
}

const LEVERAGED = 'Regulatory Notice 09-53, '

/** The rows of a class and side stand by day, then by price. */
export const EQUITY_MARGIN: readonly EquityMarginRow[] = [
  longRow('MarginSecurity', REG_T_FROM, ['50', '25'], 'FINRA Rule 4210(c)(1), 12 CFR 220.12(a)'),
  longRow('LeveragedFund', REG_T_FROM, ['50', '25'], 'FINRA Rule 4210(c)(1), 12 CFR 220.12(a)'),
  longRow('LeveragedFund', LEVERAGED_FROM, ['50', '25'], `${LEVERAGED}FINRA Rule 4210(f)(8)(A)`),
  longRow('RecentFund', REG_T_FROM, ['100', '100'], '15 U.S.C. 78k(d)(1), 17 CFR 240.11d1-2'),
  longRow('NonMargin', REG_T_FROM, ['100', '100'], '12 CFR 220.12(e), Regulatory Notice 12-44'),
  ...shortRows('MarginSecurity', REG_T_FROM, ''),
  ...shortRows('LeveragedFund', REG_T_FROM, ''),
  ...shortRows('LeveragedFund', LEVERAGED_FROM, LEVERAGED),
]

const byClass = Map.groupBy(EQUITY_MARGIN, (row) => `${row.class} ${row.side}`)

/**
 * The row of a class on a day. Without a day it is the one in force. A short needs what a margin security does: by its
 * price.
 */
export function equityMarginOn(
  of: EquityClass,
  side: 'Long' | 'Short',
  price: Decimal,
  on?: CalendarDate,
): EquityMarginRow {
  const name = side === 'Short' && of !== 'LeveragedFund' ? 'MarginSecurity' : of
  const rows = byClass.get(`${name} ${side}`) ?? []
  const isFit = ({ from, priceFrom }: EquityMarginRow) =>
    (on === undefined || from <= on || from === REG_T_FROM) && price >= priceFrom
  const row = rows.findLast(isFit) ?? rows[0]
  if (row === undefined) throw new RangeError(`there is no margin for the class ${of}`)
  return row
}

/** Credit on shares of a mutual fund is allowed when they have been owned for more than 30 days (17 CFR 240.11d1-2). */
const FUND_DAYS = 30

/** Shares of a mutual fund that were bought on that day or later have no loan value yet. */
export function recentFrom(today: CalendarDate): CalendarDate {
  return addDays(today, -FUND_DAYS)
}

/** Whether shares of a mutual fund that were bought on a day have no loan value yet. */
export function isRecent(boughtOn: CalendarDate, today: CalendarDate): boolean {
  return boughtOn >= recentFrom(today)
}

const HUNDRED = decimal('100')
const MONEY_PLACES = 2
const PERCENT_PLACES = 4

/** The maintenance percentage of a row by the rule alone, for a fund of that multiple. */
export function lawPercent({ percent, isMultiplied }: EquityMarginRow, leverage: Decimal = ONE): Decimal {
  return isMultiplied ? min(max(percent, multiply(percent, leverage, PERCENT_PLACES)), HUNDRED) : percent
}

/** Percentages at which a position of a class is margined: by Regulation T, by the rule, and by the house. */
export interface EquityPercents {
  readonly initial: Decimal
  readonly law: Decimal
  readonly house: Decimal
}

/**
 * The rule's maintenance is the least initial margin too (FINRA Rule 4210(b)); a house rate is never more than the
 * value of a long.
 */
export function equityPercents(
  row: EquityMarginRow,
  leverage: Decimal,
  housePercent: Decimal,
): EquityPercents {
  const law = lawPercent(row, leverage)
  const house = max(law, row.side === 'Long' ? min(housePercent, HUNDRED) : housePercent)
  return { initial: max(row.initialPercent, law), law, house }
}

/** The requirement of a row: a percentage of the value, or an amount for each unit when that is more. */
export function equityRequirement(
  { perUnit }: Pick<EquityMarginRow, 'perUnit'>,
  percent: Decimal,
  unitQuantity: Decimal,
  marketValue: Decimal,
): Decimal {
  return max(
    multiplyDivide(abs(marketValue), percent, HUNDRED, MONEY_PLACES),
    multiply(abs(unitQuantity), perUnit, MONEY_PLACES),
  )
}
