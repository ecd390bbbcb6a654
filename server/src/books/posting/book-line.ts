/**
 * Converts a located line to a line that the books accept: computes missing values (settlement date, fees, net amount)
 * and completes the line by the rules of the trade, or from the line that it cancels. All rejections are returned.
 */
import {
  type AcctType,
  type ActivityDraft,
  type CancelFacts,
  type Completed,
  cancelLine,
  completeActivity,
  type TransType,
} from '@clearing/domain/books'
import { type Decimal, roundTo, ZERO } from '@clearing/domain/decimal'
import { findCurrency } from '@clearing/domain/market'
import { type Rejection, reject } from '@clearing/protocol/values'
import type { ActivityValues } from '../lines/shapes.ts'
import type { PlacedLine } from './account-change.ts'
import type { BookedLine } from './booked-line.ts'
import { feeOf, interestOf, settleDateOf, settling } from './computed-values.ts'
import type { LocatedLine } from './locate-line.ts'

export type Booked = { readonly booked: BookedLine } | { readonly rejections: readonly Rejection[] }

const usd = 'USD'
const usualPlaces = 2

/** Completes a located line, except a cancel. */
export function bookLine(located: LocatedLine): Booked {
  const { values, security } = located
  const transType = transTypeOf(values)
  const currency = values.currency ?? security?.row.currency ?? usd
  const rejections = checkDates(values)
  if (transType === undefined) rejections.push(reject('ERR.1000', 'transType', 'transType is required.'))
  if (findCurrency(currency) === undefined) {
    rejections.push(reject('ERR.1015', 'currency', 'currency must be an ISO 4217 code such as USD.'))
  }
  if (transType === undefined || values.tradeDate === undefined || rejections.length > 0)
    return { rejections }
  const draft = renderDraft(located, transType, currency, values.tradeDate)
  const fee = feeOf(values, transType, security, currency)
  const interest = interestOf(draft, values, security)
  return makeBooked(located, completeWith(draft, fee, interest), currency)
}

/**
 * Adds fees and accrued interest that the feed left out. A feed that gives a net amount without them may mean
 * that there were none. In that case the values that agree with the amount are used.
 */
function completeWith(draft: ActivityDraft, fee: Decimal, interest: Decimal): Completed {
  if (fee === ZERO && interest === ZERO) return completeActivity(draft)
  const computed = (ofFee: Decimal, ofInterest: Decimal): Completed =>
    completeActivity({
      ...draft,
      secFee: ofFee === ZERO ? draft.secFee : ofFee,
      interest: ofInterest === ZERO ? draft.interest : ofInterest,
    })
  const first = computed(fee, interest)
  if ('line' in first || draft.netAmount === undefined) return first
  const others = [
    [ZERO, interest],
    [fee, ZERO],
    [ZERO, ZERO],
  ] as const
  for (const [ofFee, ofInterest] of others) {
    const completed = computed(ofFee, ofInterest)
    if ('line' in completed) return completed
  }
  return first
}

/** The line that a cancel names. */
export interface Original extends PlacedLine {
  readonly accountNumber: string
}

/**
 * Completes a cancel from the line that it cancels, and checks that both agree. If that line has not arrived yet, the
 * cancel is completed from its own fields.
 */
export function bookCancel(located: LocatedLine, named: Original | undefined): Booked {
  const { values, security, toSecurity } = located
  const rejections: Rejection[] = []
  if (named !== undefined && named.accountNumber !== located.account.accountNumber) {
    rejections.push(reject('ERR.1015', 'tagNo', 'tagNo names a line of another account.'))
  }
  if (values.tagNo === undefined) {
    rejections.push(reject('ERR.1000', 'tagNo', 'A cancel or rebill must name the line it corrects.'))
  }
  const transType = transTypeOf(values)
  const original = named?.line
  if (original === undefined) {
    if (transType === undefined) rejections.push(reject('ERR.1000', 'transType', notThere('transType')))
    if (values.tradeDate === undefined)
      rejections.push(reject('ERR.1000', 'tradeDate', notThere('tradeDate')))
  }
  if (rejections.length > 0) return { rejections }
  const currency = values.currency ?? original?.currency ?? security?.row.currency ?? usd
  const tradeDate = values.tradeDate ?? original?.tradeDate
  // A cancel cannot cancel a cancel. It is stored as received, and the books raise a break.
  if (original === undefined || original.cancels) {
    const kind = transType ?? original?.transType
    if (kind === undefined || tradeDate === undefined) return { rejections }
    const draft = renderDraft(located, kind, currency, tradeDate)
    const { security: given, toSecurity: received } = draft
    const whole = { security: original?.security ?? given, toSecurity: original?.toSecurity ?? received }
    return makeBooked(located, completeActivity({ ...draft, ...whole, cancels: true }), currency)
  }
  const places = findCurrency(original.currency)?.places ?? usualPlaces
  const stated: CancelFacts = {
    externalId: values.externalId ?? '',
    tagNo: values.tagNo,
    acctType: values.acctType === undefined ? undefined : (Number(values.acctType) as AcctType),
    transType,
    buySell: values.buySell,
    currency: values.currency,
    security: security?.booked.key,
    toSecurity: toSecurity?.booked.key,
    quantity: values.quantity?.value,
    price: values.price?.value,
    netAmount: values.netAmount && roundTo(values.netAmount.value, places),
    tradeDate: values.tradeDate,
    settleDate: values.settleDate,
    asOfDate: values.asOfDate,
    order: values.orderId,
  }
  return makeBooked(located, cancelLine(stated, original, places), currency, named?.processDate)
}

function notThere(field: string): string {
  return `${field} is required of a cancel whose original is not in the books.`
}

function transTypeOf(values: ActivityValues): TransType | undefined {
  return values.transType ?? (values.buySell === undefined ? undefined : 'Trade')
}

function makeBooked(
  located: LocatedLine,
  completed: Completed,
  currency: string,
  processDateOfOriginal?: string,
): Booked {
  const { source, account, security, values } = located
  if ('rejections' in completed)
    return { rejections: completed.rejections.map((one) => inNamesOfTheFeed(one, values)) }
  // If the feed gives no rate, the table's rate of the trade date is used, even if it arrives later.
  const byTable = currency !== usd && values.fxRate === undefined
  const line = byTable ? { ...completed.line, fxRate: ZERO } : completed.line
  const named = values.processDate ?? values.tradeDate ?? processDateOfOriginal ?? line.tradeDate
  const booked = { source, account, line, security, namedDate: named, processDate: named, values }
  return { booked: { ...booked, orderId: values.orderId } }
}

/** Rules need a security, but a feed gives one of its identifiers. */
function inNamesOfTheFeed(rejection: Rejection, values: LocatedLine['values']): Rejection {
  const { field, reason } = rejection
  const inWords = reason
    .replace('toSecurity', 'toCusip or toSymbol')
    .replace('requires security', 'requires a security (cusip, isin, sedol, symbol or secNo)')
  const named = (names: readonly (keyof typeof values)[], usual: string) =>
    names.find((name) => values[name] !== undefined) ?? usual
  if (field === 'security') {
    const given = named(['cusip', 'isin', 'sedol', 'symbol', 'secNo'], 'cusip')
    return { ...rejection, field: given, reason: inWords }
  }
  const received = field === 'toSecurity' || field === 'toCusip'
  return {
    ...rejection,
    field: received ? named(['toCusip', 'toSymbol'], 'toCusip') : field,
    reason: inWords,
  }
}

/** The range of dates in the books. A mistake of a feed must not create a partition in the far past or future. */
const bookDayMin = '1900-01-01'
const bookDayMax = '2099-12-31'
const bookDays = ['tradeDate', 'processDate', 'settleDate'] as const

function checkDates(values: ActivityValues): Rejection[] {
  const rejections: Rejection[] = []
  const { tradeDate, settleDate } = values
  if (tradeDate === undefined) rejections.push(reject('ERR.1000', 'tradeDate', 'tradeDate is required.'))
  else if (settleDate !== undefined && settleDate < tradeDate) {
    rejections.push(reject('ERR.1024', 'settleDate', 'settleDate must not be before tradeDate.'))
  }
  for (const field of bookDays) {
    const day = values[field]
    if (day === undefined || (day >= bookDayMin && day <= bookDayMax)) continue
    rejections.push(reject('ERR.1024', field, `${field} must be from ${bookDayMin} to ${bookDayMax}.`))
  }
  return rejections
}

function renderDraft(
  located: LocatedLine,
  transType: TransType,
  currency: string,
  tradeDate: string,
): ActivityDraft {
  const { values, security, toSecurity } = located
  const places = findCurrency(currency)?.places ?? usualPlaces
  const money = (amount: { readonly value: Decimal } | undefined) =>
    amount === undefined ? undefined : roundTo(amount.value, places)
  return {
    externalId: values.externalId ?? '',
    sequence: 0,
    acctType: Number(values.acctType ?? '1') as AcctType,
    transType,
    currency,
    tradeDate,
    settleDate: values.settleDate ?? settleDateOf(tradeDate, settling(transType, located)?.kind),
    asOfDate: values.asOfDate,
    buySell: values.buySell,
    security: security?.booked,
    toSecurity: toSecurity?.booked,
    quantity: values.quantity?.value,
    price: values.price?.value,
    commission: money(values.commission),
    secFee: money(values.secFee),
    interest: money(values.interest),
    netAmount: money(values.netAmount),
    lotId: values.lotId,
    order: values.orderId,
    cancels: values.cancelType === 'C',
    rebills: values.rebill === true && values.cancelType !== 'C',
    tagNo: values.tagNo,
    openDate: values.openDate,
    cost: money(values.cost),
    ratio: values.ratio,
    cashPerShare: values.cashPerShare?.value,
    costShare: values.costShare?.value,
    taxable: values.taxable === true ? true : undefined,
    inherited: values.inherited === true ? true : undefined,
    cashInLieu: money(values.cashInLieu),
    fxRate: values.fxRate?.value,
    startOfDay: values.startOfDay,
  }
}
