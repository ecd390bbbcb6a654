/** The lines of activity that an announcement makes for the position of a holder. Books 10. */
import { abs, type Decimal, multiply, ONE, renderDecimal, ZERO } from '../../decimal.ts'
import { addDays } from '../../market/calendar/day.ts'
import type { Ratio, TransType } from '../activity.ts'
import { applyRatio } from '../corporate-actions/scale.ts'
import type {
  ActionOption,
  ActionTerms,
  AnnouncedType,
  Announcement,
  Election,
  EntitledPosition,
} from './announcement.ts'
import { divideElections } from './divide-elections.ts'

/** The fields of a line as a feed would send them, without its id and its account. */
export interface AnnouncedLine {
  readonly acctType: string
  readonly transType: TransType
  readonly secNo: string
  readonly tradeDate: string
  readonly settleDate: string
  readonly note: string
  readonly startOfDay?: true
  readonly asOfDate?: string
  readonly quantity?: string
  readonly netAmount?: string
  readonly ratio?: string
  readonly toSecNo?: string
  readonly cashPerShare?: string
  readonly costShare?: string
  readonly taxable?: true
  readonly cashInLieu?: string
  readonly price?: string
}

/** The minor unit of the security's currency. */
export interface AnnouncedSecurity {
  readonly moneyPlaces: number
}

/** One line for each option that the position takes; none for `None` and for a position of zero. */
export function linesOfHolder(
  announcement: Announcement,
  { moneyPlaces }: AnnouncedSecurity,
  { acctType, quantity }: EntitledPosition,
  elections: readonly Election[],
): AnnouncedLine[] {
  const shares = divideElections(quantity, elections, announcement.defaultOption)
  let held = quantity
  return announcement.options.flatMap((option) => {
    const count = shares.get(option.option) ?? ZERO
    if (option.type === 'None' || count === ZERO) return []
    const some = { acctType, count, held, isWhole: count === quantity, moneyPlaces }
    held = heldAfter(option, some)
    return [lineOf(announcement, { ...option, type: option.type }, some)]
  })
}

/** The position after the line of an option. A choice of several options has no other kinds that change it. */
function heldAfter(option: ActionOption, { count, held }: SharesOfOption): Decimal {
  if (option.type === 'Merger' || option.type === 'Redemption') return held - count
  if (option.type !== 'StockDividend' || option.ratio === undefined) return held
  const total = held + applyRatio(count, option.ratio)
  return option.cashInLieuPrice === undefined ? total : total - (total % ONE)
}

interface SharesOfOption {
  readonly acctType: number
  /** With the sign of the position. */
  readonly count: Decimal
  /** The position when the line takes effect. */
  readonly held: Decimal
  /** Whether they are the whole position. */
  readonly isWhole: boolean
  readonly moneyPlaces: number
}

function lineOf(
  { externalId, security, exDate, payDate }: Announcement,
  option: ActionOption & { readonly type: AnnouncedType },
  shares: SharesOfOption,
): AnnouncedLine {
  const { type } = option
  const common = {
    acctType: String(shares.acctType),
    transType: type,
    secNo: security,
    note: `Corporate action ${externalId}`,
  }
  switch (type) {
    case 'Dividend':
    case 'CapitalGain':
    case 'Interest':
      return {
        ...common,
        ...{ tradeDate: payDate, settleDate: payDate, asOfDate: addDays(exDate, -1) },
        quantity: renderDecimal(shares.count),
        netAmount: renderDecimal(multiply(shares.count, option.cashPerShare ?? ZERO, shares.moneyPlaces)),
      }
    case 'ReturnOfCapital':
      return {
        ...common,
        ...{ tradeDate: payDate, settleDate: payDate, asOfDate: addDays(exDate, -1) },
        ...termsOf({ cashPerShare: option.cashPerShare }),
      }
    default:
      return {
        ...common,
        tradeDate: exDate,
        settleDate: payDate > exDate ? payDate : exDate,
        startOfDay: true,
        ...deliveredBy(option, shares),
        ...inLieuOf(option, shares),
      }
  }
}

/**
 * The terms of the option. A line without a quantity acts on the whole position, whatever late trades make of it. For a
 * part, an exchange names the shares given up, and a stock dividend the shares added. If a fraction can be paid in
 * cash, the ratio of the shares added to the position tells the books how many shares the cash pays for.
 */
function deliveredBy(option: ActionOption, { count, held, isWhole }: SharesOfOption): Partial<AnnouncedLine> {
  if (isWhole) return termsOf(option)
  if (option.type !== 'StockDividend') return { ...termsOf(option), quantity: renderDecimal(abs(count)) }
  const added = applyRatio(count, option.ratio ?? NOTHING)
  if (option.cashInLieuPrice === undefined) return { quantity: renderDecimal(added) }
  return termsOf({ ratio: { received: abs(added), held: abs(held) } })
}

const NOTHING: Ratio = { received: ZERO, held: ONE }

function termsOf(terms: ActionTerms): Partial<AnnouncedLine> {
  const { ratio, toSecurity, cashPerShare, costShare, taxable, price } = terms
  return {
    ...(ratio && { ratio: `${renderDecimal(ratio.received)}:${renderDecimal(ratio.held)}` }),
    ...(toSecurity !== undefined && { toSecNo: toSecurity }),
    ...(cashPerShare !== undefined && { cashPerShare: renderDecimal(cashPerShare) }),
    ...(costShare !== undefined && { costShare: renderDecimal(costShare) }),
    ...(taxable && { taxable }),
    ...(price !== undefined && { price: renderDecimal(price) }),
  }
}

/**
 * Cash for the fraction of a share that the ratio leaves; nothing when it leaves none. Shares of a stock dividend add
 * to the fraction held.
 */
function inLieuOf(
  { type, ratio, cashInLieuPrice }: ActionOption,
  { count, held, moneyPlaces }: SharesOfOption,
): Partial<AnnouncedLine> {
  if (cashInLieuPrice === undefined || ratio === undefined) return {}
  const received = applyRatio(count, ratio)
  const total = type === 'StockDividend' ? held + received : received
  const cash = multiply(abs(total) % ONE, cashInLieuPrice, moneyPlaces)
  return cash === ZERO ? {} : { cashInLieu: renderDecimal(cash) }
}
