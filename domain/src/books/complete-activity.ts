/**
 * Completes a line of a feed: checks the fields that its kind requires, resolves signs, rounds money to the minor unit,
 * and computes netAmount when it is absent or checks it when it is given. All rejections are returned. Books 1 and 2.
 */
import { type Rejection, reject } from '@clearing/protocol/values'
import { abs, type Decimal, multiply, multiplyAll, ONE, renderDecimal, roundTo, ZERO } from '../decimal.ts'
import { findCurrency } from '../market/valuation/currencies.ts'
import type { AcctType, ActivityLine, BuySell, Ratio, Security, TransType } from './activity.ts'
import { impossibleValues, isPurchase, missingFields } from './activity-rules.ts'
import { agrees } from './agrees.ts'
import { contradiction, wrongSign } from './amount-sign.ts'
import { amountsBeyond } from './range.ts'

/** A line as the feed gives it: values are parsed, signs are the feed's. */
export interface ActivityDraft {
  readonly externalId: string
  readonly sequence: number
  readonly acctType: AcctType
  readonly transType: TransType
  readonly currency: string
  readonly tradeDate: string
  readonly settleDate?: string | undefined
  readonly asOfDate?: string | undefined
  readonly buySell?: BuySell | undefined
  readonly security?: Security | undefined
  readonly toSecurity?: Security | undefined
  readonly quantity?: Decimal | undefined
  readonly price?: Decimal | undefined
  readonly commission?: Decimal | undefined
  readonly secFee?: Decimal | undefined
  readonly interest?: Decimal | undefined
  readonly netAmount?: Decimal | undefined
  readonly lotId?: string | undefined
  readonly order?: string | undefined
  readonly cancels?: boolean | undefined
  readonly rebills?: boolean | undefined
  readonly tagNo?: string | undefined
  readonly openDate?: string | undefined
  readonly cost?: Decimal | undefined
  readonly ratio?: Ratio | undefined
  readonly cashPerShare?: Decimal | undefined
  readonly costShare?: Decimal | undefined
  readonly taxable?: true | undefined
  readonly inherited?: true | undefined
  readonly cashInLieu?: Decimal | undefined
  readonly fxRate?: Decimal | undefined
  readonly startOfDay?: boolean | undefined
  /** Factor of a pool on the trade date, when it is known. The factor of the security is the current one. */
  readonly factor?: Decimal | undefined
}

export type Completed = { readonly line: ActivityLine } | { readonly rejections: readonly Rejection[] }

const PRICE_PLACES = 8
const USUAL_MONEY_PLACES = 2

/**
 * Computes what a feed left out, with the signs of the books, or returns all rejections of the line (Books 1, 2).
 */
export function completeActivity(draft: ActivityDraft): Completed {
  const rejections = draft.cancels === true ? [] : [...missingFields(draft), ...impossibleValues(draft)]
  if ((draft.cancels === true || draft.rebills === true) && draft.tagNo === undefined) {
    rejections.push(reject('ERR.1000', 'tagNo', 'A cancel or rebill must name the line it corrects.'))
  }
  if (rejections.length > 0) return { rejections }
  const quantity = signedQuantity(draft)
  const netAmount = draft.cancels === true ? undefined : signedNetAmount(draft)
  if (typeof netAmount === 'object') return { rejections: [netAmount] }
  const line: ActivityLine = {
    externalId: draft.externalId,
    sequence: draft.sequence,
    acctType: draft.acctType,
    transType: draft.transType,
    buySell: draft.buySell,
    security: draft.security,
    quantity,
    price: priceOf(draft),
    commission: money(draft, draft.commission) ?? ZERO,
    secFee: money(draft, draft.secFee) ?? ZERO,
    interest: money(draft, draft.interest) ?? ZERO,
    netAmount,
    currency: draft.currency,
    tradeDate: draft.tradeDate,
    settleDate: draft.settleDate ?? draft.tradeDate,
    asOfDate: draft.asOfDate,
    lotId: draft.lotId,
    order: draft.order ?? draft.externalId,
    cancels: draft.cancels ?? false,
    rebills: draft.rebills ?? false,
    tagNo: draft.tagNo,
    openDate: draft.openDate,
    cost: signedCost(draft, quantity),
    ratio: draft.ratio,
    ...(isSignedByRatio(draft) && { signedByRatio: true }),
    ...(draft.startOfDay === true && { startOfDay: true }),
    ...(draft.transType === 'Journal' && draft.security !== undefined && { pairs: true, soldShort: true }),
    ...(isShortSale(draft) && { besideShares: true }),
    toSecurity: draft.toSecurity,
    cashPerShare: draft.cashPerShare,
    costShare: draft.costShare,
    ...(draft.taxable && { taxable: true }),
    ...(draft.inherited && { inherited: true }),
    cashInLieu: money(draft, draft.cashInLieu),
    fxRate: draft.fxRate ?? ONE,
  }
  const beyond = amountsBeyond(line)
  return beyond.length > 0 ? { rejections: beyond } : { line }
}

/**
 * The amount that a redemption pays per unit of original face. It includes the factor of a pool, so that a later change
 * of the factor does not change the line.
 */
export function priceOf(
  draft: Pick<ActivityDraft, 'transType' | 'security' | 'price' | 'factor'>,
): Decimal | undefined {
  const { transType, security, price } = draft
  if ((transType !== 'Maturity' && transType !== 'Redemption') || security === undefined) return price
  const factor = draft.factor ?? security.factor
  return factor === ONE ? price : multiply(price ?? security.priceDivisor, factor, PRICE_PLACES)
}

function signedQuantity(draft: ActivityDraft): Decimal {
  const quantity = draft.quantity ?? ZERO
  switch (draft.transType) {
    case 'Trade':
      return isPurchase(draft) ? quantity : -abs(quantity)
    case 'TransferOut':
    case 'Maturity':
    case 'Redemption':
    case 'Exercise':
    case 'Assignment':
    case 'Expiration':
      return abs(quantity)
    default:
      return quantity
  }
}

/** Feeds report the shares of a short position with either sign; the ratio decides. */
function isSignedByRatio({ transType, ratio, quantity = ZERO }: ActivityDraft): boolean {
  const delivers = transType === 'Split' || transType === 'StockDividend' || transType === 'Spinoff'
  return delivers && ratio !== undefined && quantity !== ZERO
}

/** The sale of a written option is not a short sale of property (26 USC 1234(b)). */
function isShortSale({ transType, buySell, security }: ActivityDraft): boolean {
  return transType === 'Trade' && buySell === 'SSL' && security !== undefined && security.option === undefined
}

/** The cost of a lot transferred in takes the sign of its quantity. */
function signedCost(draft: ActivityDraft, quantity: Decimal): Decimal | undefined {
  const cost = money(draft, draft.cost)
  if (cost === undefined) return undefined
  return quantity < 0n ? -abs(cost) : abs(cost)
}

/** Rounds money to the minor unit of the line's currency, half away from zero. */
function money(draft: ActivityDraft, amount: Decimal | undefined): Decimal | undefined {
  return amount === undefined ? undefined : roundTo(amount, placesOf(draft))
}

/** Digits of the minor unit of the line's currency; a dividend may be in another currency than its security. */
export function placesOf({ currency, security }: Pick<ActivityDraft, 'currency' | 'security'>): number {
  if (security?.currency === currency) return security.moneyPlaces
  return findCurrency(currency)?.places ?? USUAL_MONEY_PLACES
}

/**
 * Signed cash of the line: undefined when it depends on the position, a rejection when the given amount is impossible.
 */
function signedNetAmount(draft: ActivityDraft): Decimal | undefined | Rejection {
  const given = money(draft, draft.netAmount)
  switch (draft.transType) {
    case 'Trade':
    case 'Reinvest':
      return netAmountOfTrade(draft, given)
    case 'Dividend':
    case 'Interest':
    case 'CapitalGain':
      return (
        given ?? multiply(draft.cashPerShare ?? ZERO, draft.quantity ?? ZERO, placesOf(draft)) - feesOf(draft)
      )
    case 'Deposit':
    case 'DepositReturn':
    case 'Withdrawal':
    case 'WithdrawalReturn':
    case 'Fee':
    case 'FeeRefund':
    case 'Tax':
    case 'TaxRefund':
    case 'Journal':
    case 'TransferIn':
    case 'TransferOut':
      return given ?? ZERO
    case 'Exercise':
    case 'Assignment':
      return netAmountOfDelivery(draft, given)
    default:
      return given
  }
}

function netAmountOfTrade(draft: ActivityDraft, given: Decimal | undefined): Decimal | Rejection {
  const buys = draft.transType === 'Reinvest' || isPurchase(draft)
  const what = draft.transType === 'Reinvest' ? 'A reinvestment' : buys ? 'A purchase' : 'A sale'
  const contradicts = given !== undefined && given !== ZERO && given > ZERO === buys
  if (draft.security === undefined || draft.price === undefined) {
    return contradicts ? contradiction(!buys, what) : (given ?? ZERO)
  }
  const { multiplier, priceDivisor, moneyPlaces } = draft.security
  const factor = draft.factor ?? draft.security.factor
  const quantity = abs(draft.quantity ?? ZERO)
  const principal = multiplyAll([quantity, draft.price, multiplier, factor], [priceDivisor], moneyPlaces)
  const fees = feesOf(draft)
  const interest = money(draft, draft.interest) ?? ZERO
  const computed = buys ? -principal - fees - interest : principal - fees + interest
  if (given === undefined) return computed
  // The amount of a reinvestment is exact, because the feed rounds the quantity to fit it. The principal of a pool
  // cannot be computed when its factor on the trade date is unknown.
  const isPool = draft.factor === undefined && draft.security.factor !== ONE
  if (draft.transType === 'Reinvest' || isPool) return contradicts ? contradiction(!buys, what) : given
  return agreeing(given, computed, moneyPlaces, what)
}

function feesOf(draft: ActivityDraft): Decimal {
  return (money(draft, draft.commission) ?? ZERO) + (money(draft, draft.secFee) ?? ZERO)
}

/** The given amount, if it equals the computed one including its sign. */
function agreeing(given: Decimal, computed: Decimal, moneyPlaces: number, what: string): Decimal | Rejection {
  if (agrees(given, computed, moneyPlaces)) return given
  return agrees(-given, computed, moneyPlaces) ? wrongSign(computed, what) : disagreement(computed)
}

/** Without an underlying, an option settles in cash: the holder receives it and the writer pays it. */
function netAmountOfDelivery(
  draft: ActivityDraft,
  given: Decimal | undefined,
): Decimal | undefined | Rejection {
  const { security, toSecurity } = draft
  const exercises = draft.transType === 'Exercise'
  if (toSecurity === undefined) {
    const contradicts = given !== undefined && given !== ZERO && given > ZERO !== exercises
    return contradicts ? contradiction(exercises, `${draft.transType} in cash`) : (given ?? ZERO)
  }
  if (given === undefined || security?.option === undefined) return undefined
  const { strike, putCall } = security.option
  const value = multiplyAll(
    [abs(draft.quantity ?? ZERO), security.multiplier, strike, toSecurity.multiplier],
    [toSecurity.priceDivisor],
    toSecurity.moneyPlaces,
  )
  const fees = feesOf(draft)
  const buys = (putCall === 'Call') === exercises
  return agreeing(
    given,
    buys ? -value - fees : value - fees,
    toSecurity.moneyPlaces,
    `The ${draft.transType}`,
  )
}

function disagreement(computed: Decimal): Rejection {
  const amount = renderDecimal(computed, 2)
  return reject(
    'ERR.1015',
    'netAmount',
    `netAmount must agree with quantity, price and fees; they come to ${amount}.`,
  )
}
