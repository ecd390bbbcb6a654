/**
 * The trade activity record (Specification, Trade activity record): every field is a string except
 * activityTypeViewsList.
 */
import Type from 'typebox'
import { type ActivityField, activityFieldLengths, activityFieldsUnbounded } from '../activity-fields.ts'

const meanings: Readonly<Record<ActivityField, string>> = {
  processDate:
    'Day on which the line was processed, `yyyyMMdd`. For a line that arrived after the close of that day, the business date that was open then.',
  controlNo: 'Control number of the feed, or the number of the line in the books with nine digits.',
  acctNo: 'Number of the account.',
  acctType: '`1` Cash, `2` Margin, `3` Short.',
  transType: 'Kind of line; `Trade` in trade-activity.',
  buySell:
    '`BUY`, `SEL`, `SSL` (sell short) or `BCV` (buy to cover); empty if the line is no trade. `SSL` also writes an option.',
  tranId: '`T` trade, `C` cancel, `R` rebill, `N` other; otherwise a code of the feed.',
  tradeDate: 'Trade date, `yyyy-MM-dd`.',
  settleDate: 'Settlement date, `yyyy-MM-dd`.',
  asOfDate: 'Day to which the line applies, `yyyy-MM-dd`.',
  secNo: 'Number of the security in the books.',
  symbol: 'Ticker symbol.',
  cusip: 'CUSIP.',
  isin: 'ISIN.',
  sedol: 'SEDOL.',
  description: 'Description of the security, its first 24 characters.',
  description1: 'Second part of the description, 24 characters.',
  description2: 'Third part of the description, 24 characters.',
  description3: 'Fourth part of the description, 24 characters.',
  secType: 'Code of the security type.',
  industryGroupDescription: 'Industry group of the security.',
  quantity:
    'Quantity, a decimal number. That of a cancel has the opposite sign of its original, and is 0 if the cancel has no effect. If the feed left it out and it depends on the position, as in a split, it is the signed quantity that the line moved.',
  price: 'Price, a decimal number in `currency`.',
  currency: 'ISO 4217 alphabetic code of the currency of the amounts.',
  fxRate: 'US dollars for one unit of the currency, a decimal number.',
  commission: 'Commission, in `currency`.',
  secFee: 'Regulatory fee, in `currency`.',
  interest: 'Accrued interest of a bond, in `currency`.',
  netAmount:
    'Cash that the line moved, in `currency`: positive if received, negative if paid. The sum of all lines is the cash of the account in the currency.',
  tagNo: 'Id of the line in the feed. For a cancel or rebill, the id of the line that it corrects.',
  cancel: '`Y` for a cancel, otherwise `N`.',
  cancelType: '`C` for a cancel, otherwise empty.',
  cancelStatus:
    '`Cancelled` if a cancel names the line; `NoEffect` for a cancel that reverses no line, because its original has not arrived, was cancelled before or is a cancel; otherwise empty.',
  rebill: '`Y` for a rebill, otherwise `N`.',
  rebillStatus: '`R` if a rebill names the line, otherwise empty.',
  activityType: 'Group of the line for display, as fed; otherwise `transType`.',
  activityTypeViews: 'Groups of the line for display, separated by commas.',
  note: 'Note of the feed.',
  recCode: 'Record code of the feed.',
  origin: 'Origin of the line, as fed.',
  postage: 'Postage, as fed.',
  principal: 'Mark of a principal trade, as fed.',
  sourceCode: 'Code of the source, as fed.',
  sourceType: 'Type of the source, as fed.',
  exchId: 'Exchange or market, as fed.',
  handle: 'Handle of the line, as fed.',
  lookalike: 'Mark of lines that look alike, as fed.',
  offsetAcctNo: 'Account on the other side, as fed.',
  userField: 'Field for the use of the firm, as fed.',
}

const bounded = Object.fromEntries(
  Object.entries(activityFieldLengths).map(([field, maxLength]) => [
    field,
    Type.String({ description: meanings[field as keyof typeof activityFieldLengths], maxLength }),
  ]),
) as Record<keyof typeof activityFieldLengths, ReturnType<typeof Type.String>>

const unbounded = Object.fromEntries(
  activityFieldsUnbounded.map((field) => [field, Type.String({ description: meanings[field] })]),
) as Record<(typeof activityFieldsUnbounded)[number], ReturnType<typeof Type.String>>

function securitiesMovedShape(description: string) {
  return Type.Array(
    Type.Object(
      {
        secNo: Type.String({ description: meanings.secNo }),
        symbol: Type.String({ description: meanings.symbol }),
        cusip: Type.String({ description: meanings.cusip }),
        quantity: Type.String({
          description: 'Quantity, a decimal number: positive if received, negative if given.',
        }),
      },
      { additionalProperties: false },
    ),
    { description },
  )
}

export const activityShape = Type.Object(
  {
    ...bounded,
    ...unbounded,
    activityTypeViewsList: Type.Array(Type.String(), { description: 'Groups of the line for display.' }),
    enteredOn: Type.String({
      format: 'date',
      description: 'The business date on which the line became known to the service (Extension).',
    }),
    externalId: Type.String({
      description:
        'Id of the line itself in the feed, also of a cancel or rebill, whose `tagNo` is that of another line (Extension). Realized gains name lines by it, such as `openedBy`.',
    }),
    closings: Type.Array(Type.String(), {
      description: 'The closings of lots by this line, as `closingId` of realized-gains (Extension).',
    }),
    securitiesMoved: securitiesMovedShape(
      'The securities that the line moved in the account type, first that of the line, such as the shares given and received in a merger (Extension). The sum of all lines is the position.',
    ),
  },
  { additionalProperties: false },
)

export const restatedLineShape = Type.Object(
  {
    externalId: Type.String({ description: 'Id of the line, as in its record.' }),
    acctType: Type.String({ description: meanings.acctType }),
    transType: Type.String({ description: 'Kind of the line.' }),
    secNo: Type.String({ description: meanings.secNo }),
    symbol: Type.String({ description: meanings.symbol }),
    currency: Type.String({ description: meanings.currency }),
    enteredOn: Type.String({
      format: 'date',
      description: 'The business date on which the line became known to the service.',
    }),
    restatedOn: Type.String({
      format: 'date',
      description: 'The business date of the last change in the range.',
    }),
    netAmount: Type.String({ description: 'Cash that the line moved, with all changes, as in its record.' }),
    change: Type.String({
      description:
        'What lines of the range changed in the netAmount, in `currency`; 0 if they changed it and changed it back, or changed only `securitiesMoved`.',
    }),
    quantity: Type.String({ description: 'Quantity with all changes, as in its record.' }),
    securitiesMoved: securitiesMovedShape(
      'The securities that the line moved, with all changes, as in its record.',
    ),
  },
  { additionalProperties: false },
)

/** `data` of trade-activity. */
export const tradeActivityShape = Type.Object(
  {
    activity: Type.Array(activityShape, { description: 'The lines of the range, the oldest first.' }),
    restated: Type.Optional(
      Type.Array(restatedLineShape, {
        description:
          'If `dateField` is enteredOn: lines that were entered before the range and whose netAmount or `securitiesMoved` lines of the range changed, in the order of the books (Extension). A client that keeps a copy of the records replaces their netAmount, `quantity` and `securitiesMoved`.',
      }),
    ),
  },
  { additionalProperties: false },
)
