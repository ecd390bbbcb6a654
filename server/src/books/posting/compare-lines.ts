/**
 * Decides whether a line with a known id repeats the stored line. Values of the feed are compared in any
 * spelling. Values that the service computes (descriptions, fees, settlement dates) are not compared.
 */
import { type ActivityLine, priceOf } from '@clearing/domain/books'
import { abs, type Decimal } from '@clearing/domain/decimal'
import { type Rejection, reject } from '@clearing/protocol/values'
import { fieldIndexOf, splitRecord, viewsOf } from '../activity-record.ts'
import { type BookedLine, givenTexts, recordOf } from './booked-line.ts'
import { identifiers, identifiersReceived } from './find-named.ts'
import { isAgreeing } from './marks.ts'

/** A stored line, or an earlier line of the same batch. */
export interface LineBefore {
  readonly accountNumber: string
  readonly line: ActivityLine
  readonly processDate: string
  /** The business date of its entry. Undefined while it is being entered. */
  readonly enteredOn: string | undefined
  readonly record: string
}

/** The differences from the line with the same id, one rejection per field. Empty when it is the same line. */
export function conflictsOf(booked: BookedLine, before: LineBefore): Rejection[] {
  const { externalId } = booked.line
  return [...new Set(fieldsOtherwise(booked, before))].map((field) =>
    reject('ERR.2018', field, `A line with the externalId ${externalId} is stored with another ${field}.`),
  )
}

function fieldsOtherwise(booked: BookedLine, before: LineBefore): string[] {
  const fields: string[] = []
  const compare = (field: string, isSame: boolean) => {
    if (!isSame) fields.push(field)
  }
  compare('acctNo', booked.account.accountNumber === before.accountNumber)
  compare('cancelType', booked.line.cancels === before.line.cancels)
  compareSecurities(booked, before.line, compare)
  // A cancel takes all other values from its original.
  if (booked.line.cancels) compareCancels(booked, before, compare)
  else compareAmounts(booked, before.line, compare)
  compareDates(booked, before, compare)
  compareTexts(booked, before, compare)
  return fields
}

type Compare = (field: string, isSame: boolean) => void

function compareSecurities({ line, values }: BookedLine, before: ActivityLine, compare: Compare): void {
  for (const [names, security, is] of [
    [identifiers, line.security, before.security],
    [identifiersReceived, line.toSecurity, before.toSecurity],
  ] as const) {
    const [field] = names.find(([name]) => values[name] !== undefined) ?? names[0]
    compare(field, security?.key === is?.key)
  }
}

function compareCancels({ values }: BookedLine, { line }: LineBefore, compare: Compare): void {
  const { quantity, price } = values
  compare('quantity', quantity === undefined || abs(quantity.value) === abs(line.quantity))
  compare('price', price === undefined || line.price === undefined || isPrice(price.value, line))
}

function compareAmounts({ line, values, orderId }: BookedLine, before: ActivityLine, compare: Compare): void {
  for (const field of [
    'quantity',
    'commission',
    'interest',
    'cost',
    'cashPerShare',
    'costShare',
    'taxable',
    'inherited',
    'cashInLieu',
    'fxRate',
    'lotId',
    'openDate',
    'asOfDate',
  ] as const) {
    compare(field, line[field] === before[field])
  }
  // Computed when the feed leaves them out, from tables that change.
  for (const field of ['secFee', 'settleDate'] as const) {
    compare(field, values[field] === undefined || line[field] === before[field])
  }
  compare('netAmount', values.netAmount === undefined || isAmount(line, before))
  compare('price', values.price === undefined ? isUntold(before) : isPrice(values.price.value, before))
  compare('ratio', line.ratio?.received === before.ratio?.received && line.ratio?.held === before.ratio?.held)
  compare('orderId', (orderId ?? line.externalId) === before.order)
}

/** Earlier releases stored the quantity delivered for an option without its sign. */
function isAmount({ transType, netAmount }: ActivityLine, { netAmount: kept }: ActivityLine): boolean {
  if (netAmount === undefined || kept === undefined) return netAmount === kept
  const isDelivery = transType === 'Exercise' || transType === 'Assignment'
  return isDelivery ? abs(netAmount) === abs(kept) : netAmount === kept
}

/** The stored price of a redemption is per unit of original face, with the factor at that time. */
function isPrice(stated: Decimal, kept: ActivityLine): boolean {
  return stated === kept.price || priceOf({ ...kept, price: stated }) === kept.price
}

/** Whether a line without a price can be the stored one. */
function isUntold(kept: ActivityLine): boolean {
  return kept.price === undefined || priceOf({ ...kept, price: undefined }) === kept.price
}

function compareDates({ values }: BookedLine, before: LineBefore, compare: Compare): void {
  const { processDate, tradeDate } = values
  compare('tradeDate', tradeDate === undefined || tradeDate === before.line.tradeDate)
  // A line that came too late for its day has the date of its entry.
  const isMoved = before.processDate === before.enteredOn
  compare('processDate', processDate === undefined || isMoved || processDate === before.processDate)
}

/** Texts that come from the security when the feed leaves them out. */
const ofSecurity: ReadonlySet<string> = new Set(['secType', 'industryGroupDescription'])
const descriptions = ['description', 'description1', 'description2', 'description3'] as const
const codes = ['acctType', 'transType', 'buySell', 'currency', 'rebill', 'tagNo', 'controlNo'] as const

function compareTexts(booked: BookedLine, before: LineBefore, compare: Compare): void {
  const { values } = booked
  const is = splitRecord(recordOf({ ...booked, line: { ...booked.line, sequence: before.line.sequence } }))
  const kept = splitRecord(before.record)
  const isSame = (name: string) => is[fieldIndexOf(name)] === kept[fieldIndexOf(name)]
  for (const name of codes) compare(name, isSame(name))
  for (const name of givenTexts) {
    if (name === 'activityTypeViews') compare(name, isSame(name) || isViewsByDefault(booked, kept))
    else if (isSetMark(name)) compare(name, isMarkAsKept(name, values, is, kept))
    else compare(name, (ofSecurity.has(name) && values[name] === undefined) || isSame(name))
  }
  if (descriptions.some((name) => values[name] !== undefined)) {
    for (const name of descriptions) compare(name, isSame(name))
  }
  const isListByDefault = values.activityTypeViewsList === undefined && viewsOf(kept) === ''
  compare('activityTypeViewsList', viewsOf(is) === viewsOf(kept) || isListByDefault)
}

/** Earlier releases did not take the views from the list. */
function isViewsByDefault({ values, line }: BookedLine, kept: readonly string[]): boolean {
  return values.activityTypeViews === undefined && kept[fieldIndexOf('activityTypeViews')] === line.transType
}

type SetMark = 'cancel' | 'cancelStatus' | 'rebillStatus'
/** The marks that the service sets. Earlier releases stored them as the feed gave them. */
function isSetMark(name: string): name is SetMark {
  return name === 'cancel' || name === 'cancelStatus' || name === 'rebillStatus'
}

function isMarkAsKept(
  name: SetMark,
  values: BookedLine['values'],
  is: readonly string[],
  kept: readonly string[],
): boolean {
  const at = fieldIndexOf(name)
  if (values[name] !== undefined && values[name] === kept[at]) return true
  return is[at] === kept[at] && isAgreeing(name, values)
}
