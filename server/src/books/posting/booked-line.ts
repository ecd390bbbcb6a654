/** A line of activity before it is posted: completed, with its account and the record to store. */
import type { ActivityLine } from '@clearing/domain/books'
import { type Decimal, renderDecimal, ZERO } from '@clearing/domain/decimal'
import type { FoundAccount } from '../../store/books/accounts.ts'
import { fieldIndexOf, packRecord, recordFields, viewsAt } from '../activity-record.ts'
import type { KnownSecurity } from '../directory.ts'
import { type ActivityValues, type RecordText, recordTexts } from '../lines/shapes.ts'

export interface BookedLine {
  /** Number of the line in the load. */
  readonly source: number
  readonly account: FoundAccount
  /**
   * The line's transaction. Its sequence is 0 until the line has a position in the account's order of entry.
   * A fxRate of zero means the table's rate of the trade date.
   */
  readonly line: ActivityLine
  readonly security: KnownSecurity | undefined
  /** The process date of the feed, else the trade date. */
  readonly namedDate: string
  /** The process date, or the open business date if the line came too late for it (`dateLine`). */
  readonly processDate: string
  readonly orderId: string | undefined
  readonly values: ActivityValues
}

/** The line with its position in the account's order of entry. */
export function numberLine(booked: BookedLine, sequence: number): void {
  const line = booked.line as { sequence: number }
  line.sequence = sequence
}

/**
 * The days that were closed here, from `first` to the day before the business date. Undefined before the
 * first close.
 */
export interface ClosedDays {
  readonly first: string | undefined
  readonly businessDate: string
}

/**
 * Sets the process date of the line. A line that arrives after its day was closed is processed on the business date.
 * History from before the account was opened here keeps its dates.
 */
export function dateLine(booked: BookedLine, { first, businessDate }: ClosedDays): void {
  const { namedDate: day, account } = booked
  const isClosed = first !== undefined && day >= first && day < businessDate
  const isHistory = account.openedOn === null || day < account.openedOn
  const dated = booked as { processDate: string }
  dated.processDate = isClosed && !isHistory ? businessDate : day
}

/**
 * Keys of the securities on which the line's books depend. '0' for a line without a security, so that corrections can
 * find it.
 */
export function keysOf(line: ActivityLine): string[] {
  if (line.security === undefined) return line.toSecurity === undefined ? [noSecurity] : [line.toSecurity.key]
  return line.toSecurity === undefined ? [line.security.key] : [line.security.key, line.toSecurity.key]
}

export const noSecurity = '0'

const composedTexts: ReadonlySet<RecordText> = new Set([
  'controlNo',
  'description',
  'description1',
  'description2',
  'description3',
])
/** Texts of the record that are stored as given. */
export const givenTexts: readonly RecordText[] = recordTexts.filter((name) => !composedTexts.has(name))
const placesOfTexts: ReadonlyMap<string, number> = new Map(
  givenTexts.map((name) => [name, fieldIndexOf(name)]),
)
/** The record that is being made: written at once, so that one array serves all lines. */
const recordInMaking: string[] = [...recordFields.map(() => ''), '']
const descriptionPlaces = (['description', 'description1', 'description2', 'description3'] as const).map(
  (name) => [name, fieldIndexOf(name)] as const,
)
const at = {
  processDate: fieldIndexOf('processDate'),
  controlNo: fieldIndexOf('controlNo'),
  acctNo: fieldIndexOf('acctNo'),
  acctType: fieldIndexOf('acctType'),
  cusip: fieldIndexOf('cusip'),
  buySell: fieldIndexOf('buySell'),
  secType: fieldIndexOf('secType'),
  currency: fieldIndexOf('currency'),
  asOfDate: fieldIndexOf('asOfDate'),
  cancel: fieldIndexOf('cancel'),
  cancelStatus: fieldIndexOf('cancelStatus'),
  rebillStatus: fieldIndexOf('rebillStatus'),
  settleDate: fieldIndexOf('settleDate'),
  tradeDate: fieldIndexOf('tradeDate'),
  tranId: fieldIndexOf('tranId'),
  sedol: fieldIndexOf('sedol'),
  isin: fieldIndexOf('isin'),
  transType: fieldIndexOf('transType'),
  secNo: fieldIndexOf('secNo'),
  symbol: fieldIndexOf('symbol'),
  quantity: fieldIndexOf('quantity'),
  price: fieldIndexOf('price'),
  netAmount: fieldIndexOf('netAmount'),
  rebill: fieldIndexOf('rebill'),
  industryGroupDescription: fieldIndexOf('industryGroupDescription'),
  cancelType: fieldIndexOf('cancelType'),
  commission: fieldIndexOf('commission'),
  fxRate: fieldIndexOf('fxRate'),
  interest: fieldIndexOf('interest'),
  secFee: fieldIndexOf('secFee'),
  tagNo: fieldIndexOf('tagNo'),
  activityType: fieldIndexOf('activityType'),
  activityTypeViews: fieldIndexOf('activityTypeViews'),
} as const

const controlNoDigits = 9

function withoutDashes(date: string): string {
  return date.slice(0, 4) + date.slice(5, 7) + date.slice(8)
}

/** The record to store. */
export function recordOf(booked: BookedLine): string {
  return packRecord(valuesOfRecord(booked))
}

/**
 * The values of the record, until the next call. Values of the feed are stored as given; missing identifiers, amounts
 * and marks come from the security and the books.
 */
export function valuesOfRecord(booked: BookedLine): readonly string[] {
  const { line, security, processDate, namedDate, values, account } = booked
  const record = recordInMaking.fill('')
  for (const name in values) {
    const place = placesOfTexts.get(name)
    if (place !== undefined) record[place] = values[name as RecordText] as string
  }
  record[at.processDate] = withoutDashes(processDate)
  record[at.controlNo] = values.controlNo ?? String(line.sequence).padStart(controlNoDigits, '0')
  record[at.acctNo] = account.accountNumber
  record[at.acctType] = String(line.acctType)
  record[at.transType] = line.transType
  record[at.buySell] = line.buySell ?? ''
  record[at.currency] = line.currency
  record[at.tradeDate] = line.tradeDate
  record[at.settleDate] = line.settleDate
  record[at.asOfDate] = line.asOfDate ?? (namedDate === processDate ? '' : namedDate)
  record[at.cancelType] = line.cancels ? 'C' : ''
  record[at.cancel] = line.cancels ? 'Y' : 'N'
  // Set when the record is read, by the corrections that name the line.
  record[at.cancelStatus] = ''
  record[at.rebillStatus] = ''
  record[at.rebill] = line.rebills ? 'Y' : 'N'
  record[at.tranId] ||= line.cancels ? 'C' : line.rebills ? 'R' : line.transType === 'Trade' ? 'T' : 'N'
  record[at.tagNo] = line.tagNo ?? line.externalId
  record[at.activityType] ||= line.transType
  record[at.activityTypeViews] ||= values.activityTypeViewsList?.join(',') || line.transType
  record[at.quantity] = amount(values.quantity, line.quantity)
  record[at.price] = amount(values.price, line.price)
  record[at.netAmount] = amountMoved(values.netAmount, line.netAmount)
  record[at.commission] = amount(values.commission, line.commission)
  record[at.secFee] = amount(values.secFee, line.secFee)
  record[at.interest] = amount(values.interest, line.interest)
  record[at.fxRate] = values.fxRate?.text ?? (line.fxRate === ZERO ? '' : renderDecimal(line.fxRate))
  if (security !== undefined) writeSecurity(record, security)
  writeDescription(record, values, security)
  const views =
    values.activityTypeViewsList ?? values.activityTypeViews?.split(',').map((view) => view.trim())
  if (views !== undefined) record[viewsAt] = JSON.stringify(views)
  return record
}

function amount(given: { readonly text: string } | undefined, booked: Decimal | undefined): string {
  if (given !== undefined) return given.text
  return booked === undefined ? '' : renderDecimal(booked)
}

/**
 * The text of the feed if it states the amount that was moved. It is not used when the amount was rounded, or
 * for a cancel with the opposite sign.
 */
function amountMoved(
  given: { readonly value: Decimal; readonly text: string } | undefined,
  moved: Decimal | undefined,
): string {
  if (moved === undefined || given?.value === moved) return given?.text ?? ''
  return renderDecimal(moved)
}

function writeSecurity(record: string[], { row }: KnownSecurity): void {
  record[at.secNo] = String(row.sec_no)
  record[at.cusip] = row.cusip ?? ''
  record[at.isin] = row.isin ?? ''
  record[at.sedol] = row.sedol ?? ''
  record[at.symbol] = row.symbol ?? ''
  record[at.secType] ||= row.sec_type_code
  record[at.industryGroupDescription] ||= row.industry_group_name
}

function writeDescription(
  record: string[],
  values: ActivityValues,
  security: KnownSecurity | undefined,
): void {
  let given = false
  for (const [name, place] of descriptionPlaces) {
    const text = values[name]
    if (text === undefined) continue
    given = true
    record[place] = text
  }
  if (given || security === undefined) return
  for (const [line, text] of security.descriptionLines.entries()) {
    record[(descriptionPlaces[line] as (typeof descriptionPlaces)[number])[1]] = text
  }
}
