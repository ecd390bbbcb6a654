/**
 * The trade activity record (Specification, Trade activity record): every field is a string except
 * activityTypeViewsList.
 */
import Type from 'typebox'

/** The stated lengths of the record's fields. A longer value in a feed is rejected, never truncated (docs/books.md). */
export const activityFieldLengths = {
  processDate: 8,
  controlNo: 9,
  acctNo: 8,
  acctType: 1,
  cusip: 9,
  buySell: 3,
  secType: 2,
  recCode: 1,
  description: 24,
  description1: 24,
  description2: 24,
  description3: 24,
  currency: 5,
  asOfDate: 10,
  rebillStatus: 1,
  cancel: 1,
  origin: 5,
  postage: 5,
  principal: 1,
  settleDate: 10,
  tradeDate: 10,
  tranId: 1,
  note: 120,
  sedol: 7,
  isin: 12,
  sourceCode: 10,
} as const

/** The fields that have no stated length. */
export const activityFieldsUnbounded = [
  'transType',
  'secNo',
  'symbol',
  'quantity',
  'price',
  'netAmount',
  'sourceType',
  'rebill',
  'industryGroupDescription',
  'cancelType',
  'cancelStatus',
  'commission',
  'exchId',
  'fxRate',
  'handle',
  'interest',
  'lookalike',
  'offsetAcctNo',
  'secFee',
  'tagNo',
  'userField',
  'activityType',
  'activityTypeViews',
] as const

export type ActivityField = keyof typeof activityFieldLengths | (typeof activityFieldsUnbounded)[number]

const bounded = Object.fromEntries(
  Object.entries(activityFieldLengths).map(([field, maxLength]) => [field, Type.String({ maxLength })]),
) as Record<keyof typeof activityFieldLengths, ReturnType<typeof Type.String>>

const unbounded = Object.fromEntries(
  activityFieldsUnbounded.map((field) => [field, Type.String()]),
) as Record<(typeof activityFieldsUnbounded)[number], ReturnType<typeof Type.String>>

export const activityShape = Type.Object(
  {
    ...bounded,
    ...unbounded,
    activityTypeViewsList: Type.Array(Type.String()),
    enteredOn: Type.String({
      format: 'date',
      description: 'The business date on which the line became known to the service (Extension).',
    }),
    closings: Type.Array(Type.String(), {
      description: 'The closings of lots by this line, as `closingId` of realized-gains (Extension).',
    }),
  },
  { additionalProperties: false },
)

/** `data` of trade-activity. */
export const tradeActivityShape = Type.Object(
  { activity: Type.Array(activityShape) },
  { additionalProperties: false },
)
