/**
 * The fields of the lines of each load (docs/books.md, Facts). The lengths of fields of a record are those of the
 * specification.
 */

import type { DecimalLimits } from '@clearing/domain/decimal'
import { activityFieldLengths, codeLists, limits } from '@clearing/protocol/values'
import { codeField, type DecimalField, type TextField } from './field.ts'
import type { ValuesOf } from './read-line.ts'

/** Maximum length of a text without a stated length. */
const textLengthMax = 500
/** Maximum length of a feed's own ids. */
const idLengthMax = 100

function text(max: number): TextField {
  return { kind: 'text', max }
}
function identifier(max: number): TextField {
  return { kind: 'text', max, upper: true }
}
/** An id or a name that stored facts may have, of earlier releases with characters that cannot be seen. */
function idText(max: number): TextField {
  return { kind: 'text', max, visible: 'one' }
}
function amount(places: number, settings: Partial<DecimalLimits> = {}): DecimalField {
  return {
    kind: 'decimal',
    limits: { places, integerDigits: limits.wholeDigitsMax, ...settings },
  }
}
const unsigned = { signed: false } as const
function valuesOf<Value extends string>(rows: readonly { readonly value: Value }[]): Value[] {
  return rows.map(({ value }) => value)
}

const date = { kind: 'date' } as const
const flag = { kind: 'flag' } as const
const price = amount(limits.pricePlacesMax, unsigned)
const fxRate = amount(limits.fxRatePlacesMax, unsigned)
/** A value with more decimal places than the minor unit is rounded to it, half away from zero. */
const money = amount(limits.pricePlacesMax)

/** Percent of market value that the house requires. FINRA's own rates are the minimum. */
const housePercent = {
  kind: 'decimal',
  limits: { places: 4, integerDigits: 3, ...unsigned },
} as const

/** The identifiers of a security. A line gives one of them, or several that agree. */
const identifiers = {
  cusip: identifier(activityFieldLengths.cusip),
  isin: identifier(activityFieldLengths.isin),
  sedol: identifier(activityFieldLengths.sedol),
  symbol: identifier(10),
} as const
const secNo = identifier(18)

/** The feed's own id of a correction. The values of the line replace those that are stored with its key. */
const correctionId = idText(idLengthMax)

export const securityShape = {
  ...identifiers,
  description: text(200),
  secTypeCode: text(1),
  secTypeName: text(60),
  typeClassCode: text(3),
  newSecCode: text(2),
  industryGroupCode: { kind: 'whole', max: 999 },
  industryGroupName: text(60),
  currency: identifier(3),
  isOffShore: flag,
  offshoreShareClass: text(60),
  currentFactor: fxRate,
  marginable: flag,
  multiplier: fxRate,
  priceDivisor: fxRate,
  couponRate: fxRate,
  couponFrequency: codeField(['0', '1', '2', '4', '12']),
  dayCount: codeField(valuesOf(codeLists.dayCount)),
  issueDate: date,
  maturityDate: date,
  /** A symbol, CUSIP, ISIN or SEDOL. */
  underlying: identifier(12),
  putCall: codeField({ Put: 'Put', Call: 'Call', P: 'Put', C: 'Call' }),
  strike: price,
  expiration: date,
  moneyMarket: flag,
  lotMethod: codeField(valuesOf(codeLists.lotMethod)),
  houseLongPercent: housePercent,
  convertsTo: identifier(12),
  conversionRatio: fxRate,
} as const
export type SecurityValues = ValuesOf<typeof securityShape>

export const priceShape = {
  ...identifiers,
  secNo,
  price,
  priceType: codeField(valuesOf(codeLists.priceType)),
  priceDate: { kind: 'time' },
  /** For a money-market fund: percent per year. */
  yield: { kind: 'decimal', limits: { places: limits.fxRatePlacesMax, integerDigits: 3, ...unsigned } },
  correctionId,
} as const
export type PriceValues = ValuesOf<typeof priceShape>

export const fxRateShape = { currency: identifier(3), rate: fxRate, date, correctionId } as const
export type FxRateValues = ValuesOf<typeof fxRateShape>

/** The terms of the books of an account. */
export const accountTermsShape = {
  acctNo: identifier(activityFieldLengths.acctNo),
  lotMethod: codeField(valuesOf(codeLists.lotMethod)),
  houseLongPercent: housePercent,
  houseShortPercent: housePercent,
} as const
export type AccountTermsValues = ValuesOf<typeof accountTermsShape>

/** A position that an account holds with another custodian, as that custodian reported it. */
export const heldAwayShape = {
  ...identifiers,
  secNo,
  acctNo: identifier(activityFieldLengths.acctNo),
  acctType: codeField({ '1': '1', '2': '2', '3': '3', Cash: '1', Margin: '2', Short: '3' }),
  custodian: idText(60),
  asOfDate: date,
  quantity: amount(limits.quantityPlacesMax, unsigned),
  cost: amount(limits.pricePlacesMax, unsigned),
  openDate: date,
  correctionId,
} as const
export type HeldAwayValues = ValuesOf<typeof heldAwayShape>

/**
 * A position that a depository, a custodian bank or a clearing house holds for the clearing firm, as it reported it.
 */
export const locationPositionShape = {
  ...identifiers,
  secNo,
  location: { kind: 'text', max: 60, visible: 'all' },
  asOfDate: date,
  quantity: amount(limits.quantityPlacesMax),
  correctionId,
} as const
export type LocationPositionValues = ValuesOf<typeof locationPositionShape>

/** The texts of the trade activity record. */
export const recordTexts = [
  'controlNo',
  'secType',
  'recCode',
  'description',
  'description1',
  'description2',
  'description3',
  'rebillStatus',
  'cancel',
  'origin',
  'postage',
  'principal',
  'tranId',
  'note',
  'sourceCode',
  'sourceType',
  'industryGroupDescription',
  'cancelStatus',
  'exchId',
  'handle',
  'lookalike',
  'offsetAcctNo',
  'userField',
  'activityType',
  'activityTypeViews',
] as const
export type RecordText = (typeof recordTexts)[number]

const recordTextFields = Object.fromEntries(
  recordTexts.map((name) => [
    name,
    text((activityFieldLengths as Readonly<Record<string, number>>)[name] ?? textLengthMax),
  ]),
) as Readonly<Record<RecordText, TextField>>

export const activityShape = {
  ...recordTextFields,
  activityTypeViewsList: { kind: 'texts' },
  externalId: idText(idLengthMax),
  processDate: date,
  acctNo: identifier(activityFieldLengths.acctNo),
  acctType: codeField({ '1': '1', '2': '2', '3': '3', Cash: '1', Margin: '2', Short: '3' }),
  transType: codeField(valuesOf(codeLists.transType)),
  buySell: codeField(valuesOf(codeLists.buySell)),
  ...identifiers,
  secNo,
  quantity: amount(limits.quantityPlacesMax),
  price,
  commission: amount(limits.pricePlacesMax, unsigned),
  secFee: amount(limits.pricePlacesMax, unsigned),
  interest: amount(limits.pricePlacesMax, unsigned),
  netAmount: money,
  currency: identifier(activityFieldLengths.currency),
  fxRate,
  tradeDate: date,
  settleDate: date,
  asOfDate: date,
  lotId: idText(idLengthMax),
  orderId: idText(idLengthMax),
  cancelType: codeField(['C']),
  rebill: flag,
  tagNo: idText(idLengthMax),
  openDate: date,
  cost: money,
  ratio: {
    kind: 'ratio',
    limits: { places: limits.fxRatePlacesMax, integerDigits: limits.wholeDigitsMax, ...unsigned },
  },
  toCusip: identifiers.cusip,
  toIsin: identifiers.isin,
  toSedol: identifiers.sedol,
  toSymbol: identifiers.symbol,
  toSecNo: secNo,
  cashPerShare: price,
  costShare: amount(limits.fxRatePlacesMax, unsigned),
  taxable: flag,
  inherited: flag,
  cashInLieu: amount(limits.pricePlacesMax, unsigned),
  startOfDay: flag,
} as const
export type ActivityValues = ValuesOf<typeof activityShape>

/** Longer ids would make the ids of the holders' lines too long. */
const announcementId = idText(limits.corporateActionIdLengthMax)

/** The terms of an announced corporate action, of the action itself or of one of its options. */
const actionTerms = {
  ratio: activityShape.ratio,
  toCusip: identifiers.cusip,
  toIsin: identifiers.isin,
  toSedol: identifiers.sedol,
  toSymbol: identifiers.symbol,
  toSecNo: secNo,
  cashPerShare: price,
  costShare: amount(limits.fxRatePlacesMax, unsigned),
  taxable: flag,
  price,
  cashInLieuPrice: price,
} as const

export const actionOptionShape = {
  option: text(30),
  type: codeField([...valuesOf(codeLists.corporateActionType), 'None']),
  ...actionTerms,
} as const
export type ActionOptionValues = ValuesOf<typeof actionOptionShape>

export const corporateActionShape = {
  externalId: announcementId,
  type: codeField(valuesOf(codeLists.corporateActionType)),
  ...identifiers,
  secNo,
  recordDate: date,
  exDate: date,
  payDate: date,
  ...actionTerms,
  options: { kind: 'objects' },
  defaultOption: text(30),
  deadline: date,
  cancelType: codeField(['C']),
  tagNo: announcementId,
  /** The announcement whose terms the line replaces. */
  amends: announcementId,
} as const
export type CorporateActionValues = ValuesOf<typeof corporateActionShape>
