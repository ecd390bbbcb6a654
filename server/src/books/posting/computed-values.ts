/** The values of a trade that a feed may leave out: the settlement date, the fees of a sale, accrued interest. */
import type { ActivityDraft, TransType } from '@clearing/domain/books'
import { abs, type Decimal, multiplyAll, ONE, ZERO } from '@clearing/domain/decimal'
import { accruedInterest, type SecurityKind, saleFees, settlementDate } from '@clearing/domain/market'
import { bondTerms } from '../../store/books/securities.ts'
import type { KnownSecurity } from '../directory.ts'
import type { ActivityValues } from '../lines/shapes.ts'
import type { LocatedLine } from './locate-line.ts'

const usd = 'USD'
const usdPlaces = 2
const quantityPlaces = 8

const settleDates = new Map<string, string>()
const settleDatesMax = 20_000

/**
 * The security whose settlement a line has: an exercise or assignment settles as a trade of the security that it
 * delivers, or in cash as one of the option.
 */
export function settling(
  transType: TransType,
  { security, toSecurity }: Pick<LocatedLine, 'security' | 'toSecurity'>,
): KnownSecurity | undefined {
  switch (transType) {
    case 'Trade':
      return security
    case 'Exercise':
    case 'Assignment':
      return toSecurity ?? security
    default:
      return undefined
  }
}

export function settleDateOf(tradeDate: string, kind: SecurityKind | undefined): string {
  if (kind === undefined) return tradeDate
  const name = `${tradeDate} ${kind}`
  let date = settleDates.get(name)
  if (date === undefined) {
    date = settlementDate(tradeDate, kind)
    if (settleDates.size >= settleDatesMax) settleDates.clear()
    settleDates.set(name, date)
  }
  return date
}

/** SEC and TAF fees of a sale in US dollars when the feed does not state them (docs/books.md, Dates and fees). */
export function feeOf(
  values: ActivityValues,
  transType: TransType,
  security: KnownSecurity | undefined,
  currency: string,
): Decimal {
  const sells = values.buySell === 'SEL' || values.buySell === 'SSL'
  if (transType !== 'Trade' || !sells || values.secFee !== undefined || currency !== usd) return ZERO
  if (security === undefined || values.price === undefined || values.quantity === undefined) return ZERO
  const { multiplier, priceDivisor, factor } = security.booked
  const quantity = abs(values.quantity.value)
  const principal = multiplyAll([quantity, values.price.value, multiplier, factor], [priceDivisor], usdPlaces)
  return principal === ZERO || values.tradeDate === undefined
    ? ZERO
    : saleFees(values.tradeDate, principal, quantity, security.kind).total
}

/**
 * The accrued interest of a bond until settlement, paid with a purchase and received with a sale, when the feed does
 * not state it (docs/books.md, Dates and fees).
 */
export function interestOf(
  { transType, settleDate }: ActivityDraft,
  values: ActivityValues,
  security: KnownSecurity | undefined,
): Decimal {
  if (transType !== 'Trade' || values.interest !== undefined || values.quantity === undefined) return ZERO
  const terms = security && bondTerms(security.row, security.kind)
  if (security === undefined || terms === undefined || settleDate === undefined) return ZERO
  const { multiplier, factor, moneyPlaces } = security.booked
  // The factor of a pool on the trade date is unknown, so only the amount paid is certain.
  if (factor !== ONE && values.netAmount !== undefined) return ZERO
  const face = multiplyAll([abs(values.quantity.value), multiplier, factor], [], quantityPlaces)
  return accruedInterest(face, terms, settleDate, moneyPlaces)
}
