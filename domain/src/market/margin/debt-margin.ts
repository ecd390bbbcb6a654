/**
 * The margin of debt as a table of law: each row is a paragraph of FINRA Rule 4210(e)(2) from a day on. A change of the
 * rule is a row. Regulation T requires good faith margin of debt, which is at least that (12 CFR 220.12(b), (c)(2)).
 * The same amount is therefore initial and maintenance margin, long and short.
 */

import { abs, type Decimal, decimal, max, multiplyDivide, ZERO } from '../../decimal.ts'
import { addMonths, type CalendarDate } from '../calendar/day.ts'
import type { DebtClass } from '../type-name.ts'

export interface DebtMarginRow {
  /** The paragraph, and where its text was published. */
  readonly source: string
  /** The first day. Days before the first row of a class have that row. */
  readonly from: CalendarDate
  readonly class: DebtClass
  /** Years to maturity from which the row counts. */
  readonly years: number
  /** Percent of the market value. */
  readonly percent: Decimal
  /** Percent of the principal amount, when that is more. */
  readonly principalPercent: Decimal
  /** Whether the row is for bonds without coupons alone. */
  readonly zeroCoupon: boolean
}

/** FINRA Rule 4210 took the place of NASD Rule 2520 and NYSE Rule 431 (Regulatory Notice 10-45). */
const CONSOLIDATED: CalendarDate = '2010-12-02'

const HUNDRED = decimal('100')
const MONEY_PLACES = 2

/** Paragraph, years to maturity and percent. */
const byMaturity = [
  ['i', 0, '1'],
  ['ii', 1, '2'],
  ['iii', 3, '3'],
  ['iv', 5, '4'],
  ['v', 10, '5'],
  ['vi', 20, '6'],
] as const

const ZERO_COUPON_YEARS = 5
const ZERO_COUPON_PRINCIPAL_PERCENT = decimal('3')

function governmentRows(of: DebtClass): DebtMarginRow[] {
  return byMaturity.flatMap(([paragraph, years, percent]) => {
    const row: DebtMarginRow = {
      source: `FINRA Rule 4210(e)(2)(A)(${paragraph}), Regulatory Notice 10-45`,
      from: CONSOLIDATED,
      class: of,
      years,
      percent: decimal(percent),
      principalPercent: ZERO,
      zeroCoupon: false,
    }
    if (years < ZERO_COUPON_YEARS) return [row]
    const source = `${row.source}; zero coupon bonds with five years or more, as brokers quote the paragraph`
    return [row, { ...row, source, principalPercent: ZERO_COUPON_PRINCIPAL_PERCENT, zeroCoupon: true }]
  })
}

function flatRow(of: DebtClass, paragraph: string, percent: string, principal = '0'): DebtMarginRow {
  return {
    source: `FINRA Rule 4210(e)(2)${paragraph}, Regulatory Notice 10-45`,
    from: CONSOLIDATED,
    class: of,
    years: 0,
    percent: decimal(percent),
    principalPercent: decimal(principal),
    zeroCoupon: false,
  }
}

/** The rows of a class stand by day, then by years to maturity. */
export const DEBT_MARGIN: readonly DebtMarginRow[] = [
  ...governmentRows('Treasury'),
  ...governmentRows('Agency'),
  ...governmentRows('HighlyRatedSovereign'),
  flatRow('Municipal', '(B)', '7'),
  flatRow('InvestmentGrade', '(C)(i)', '10'),
  flatRow('OtherDebt', '(C)(ii)', '20', '7'),
]

const byClass = Map.groupBy(DEBT_MARGIN, (row) => row.class)

/**
 * The row for debt of a class on a day. Debt without a maturity date has the row of the longest maturity, and matured
 * debt that of the shortest.
 */
export function debtMarginOn(
  name: DebtClass,
  maturityDate: CalendarDate | undefined,
  on: CalendarDate,
  zeroCoupon = false,
): DebtMarginRow {
  const row = byClass.get(name)?.findLast(({ from, years, zeroCoupon: forZeroCoupon }) => {
    if (forZeroCoupon && !zeroCoupon) return false
    const isInForce = from <= on || from === CONSOLIDATED
    const isLong = maturityDate === undefined || maturityDate >= addMonths(on, years * 12)
    return isInForce && (isLong || years === 0)
  })
  if (row === undefined) throw new RangeError(`there is no margin for debt of class ${name}`)
  return row
}

/** The requirement of a position, or of a trade, in debt. The signs of the amounts do not matter. */
export function debtRequirement(
  { percent, principalPercent }: Pick<DebtMarginRow, 'percent' | 'principalPercent'>,
  marketValue: Decimal,
  principal: Decimal,
): Decimal {
  return max(
    multiplyDivide(abs(marketValue), percent, HUNDRED, MONEY_PLACES),
    multiplyDivide(abs(principal), principalPercent, HUNDRED, MONEY_PLACES),
  )
}
