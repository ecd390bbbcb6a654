/**
 * Whether a line that comes under a known id is the line that is kept, told again: what the feed tells is compared, in whatever
 * spelling, and not what the service made of it then and now (descriptions, fees, dates of settlement).
 */
import { type ActivityLine, priceOf } from '@clearing/domain/books'
import { abs, type Decimal } from '@clearing/domain/decimal'
import { type Rejection, reject } from '@clearing/protocol'
import { placeOf, splitRecord, viewsOf } from '../activity-record.ts'
import { type BookedLine, givenTexts, recordOf } from './booked-line.ts'
import { identifiers, identifiersReceived } from './find-named.ts'

/** A line as it is kept, or as it came before in the same batch. */
export interface LineBefore {
  readonly accountNumber: string
  readonly line: ActivityLine
  readonly processDate: string
  /** The business date on which it was entered; undefined where it is being entered. */
  readonly enteredOn: string | undefined
  readonly record: string
}

/** Why the line is another one than that of its id, a rejection for each field; empty when it is the same. */
export function conflictsOf(booked: BookedLine, before: LineBefore): Rejection[] {
  const { externalId } = booked.line
  return [...new Set(fieldsOtherwise(booked, before))].map((field) =>
    reject('ERR.2018', field, `A line with the externalId ${externalId} is kept with another ${field}.`),
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
  // The rest of a cancel is its original's.
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
    'cashInLieu',
    'fxRate',
    'lotId',
    'openDate',
    'asOfDate',
  ] as const) {
    compare(field, line[field] === before[field])
  }
  // Where the feed leaves these out they are computed, by tables that change.
  for (const field of ['secFee', 'settleDate'] as const) {
    compare(field, values[field] === undefined || line[field] === before[field])
  }
  compare('netAmount', values.netAmount === undefined || isAmount(line, before))
  compare('price', values.price === undefined ? isUntold(before) : isPrice(values.price.value, before))
  compare('ratio', line.ratio?.received === before.ratio?.received && line.ratio?.held === before.ratio?.held)
  compare('orderId', (orderId ?? line.externalId) === before.order)
}

/** What was delivered for an option was once kept without its sign. */
function isAmount({ transType, netAmount }: ActivityLine, { netAmount: kept }: ActivityLine): boolean {
  if (netAmount === undefined || kept === undefined) return netAmount === kept
  const isDelivery = transType === 'Exercise' || transType === 'Assignment'
  return isDelivery ? abs(netAmount) === abs(kept) : netAmount === kept
}

/** Of a redemption the kept price is that of a unit of original face, by the factor of then. */
function isPrice(told: Decimal, kept: ActivityLine): boolean {
  return told === kept.price || priceOf({ ...kept, price: told }) === kept.price
}

/** Whether a line that tells no price can be the kept one. */
function isUntold(kept: ActivityLine): boolean {
  return kept.price === undefined || priceOf({ ...kept, price: undefined }) === kept.price
}

function compareDates({ values }: BookedLine, before: LineBefore, compare: Compare): void {
  const { processDate, tradeDate } = values
  compare('tradeDate', tradeDate === undefined || tradeDate === before.line.tradeDate)
  // One that came too late for the day it names was given that of its entry.
  const isMoved = before.processDate === before.enteredOn
  compare('processDate', processDate === undefined || isMoved || processDate === before.processDate)
}

/** Texts that come from the security where the feed leaves them out. */
const ofSecurity: ReadonlySet<string> = new Set(['secType', 'industryGroupDescription'])
const descriptions = ['description', 'description1', 'description2', 'description3'] as const
const codes = ['acctType', 'transType', 'buySell', 'currency', 'rebill', 'tagNo', 'controlNo'] as const

function compareTexts(booked: BookedLine, before: LineBefore, compare: Compare): void {
  const { values } = booked
  const is = splitRecord(recordOf({ ...booked, line: { ...booked.line, sequence: before.line.sequence } }))
  const kept = splitRecord(before.record)
  const isSame = (name: string) => is[placeOf(name)] === kept[placeOf(name)]
  for (const name of codes) compare(name, isSame(name))
  for (const name of givenTexts)
    compare(name, (ofSecurity.has(name) && values[name] === undefined) || isSame(name))
  if (descriptions.some((name) => values[name] !== undefined)) {
    for (const name of descriptions) compare(name, isSame(name))
  }
  compare('activityTypeViewsList', viewsOf(is) === viewsOf(kept))
}
