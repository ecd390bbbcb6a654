/**
 * A line of activity that waits for its trade date. Values are those of the feed; a value that the feed left out is
 * empty, except the number of the security.
 */
import Type from 'typebox'
import { day } from '../answered-values.ts'

/** A value of the feed. */
function asGiven(description: string) {
  return Type.String({ description })
}

export const pendingLineShape = Type.Object(
  {
    externalId: Type.String({ description: 'Id of the line in the feed.' }),
    accountNumber: Type.String({ description: '8 characters.' }),
    tradeDate: day('Trade date.'),
    countsFrom: Type.String({
      format: 'date',
      description:
        'The day from which the line counts: its trade date, or for a correction the day of the pending line that it corrects, if that is later.',
    }),
    kind: Type.String({ description: '`Line`, `Cancel` or `Rebill`.' }),
    tagNo: Type.String({ description: 'The line that a cancel or a rebill corrects; otherwise empty.' }),
    transType: asGiven('Kind of line, as in trade-activity.'),
    acctType: asGiven('`1` Cash, `2` Margin, `3` Short.'),
    buySell: asGiven('`BUY`, `SEL`, `SSL` or `BCV`.'),
    cusip: asGiven('CUSIP.'),
    symbol: asGiven('Ticker symbol.'),
    isin: asGiven('ISIN.'),
    sedol: asGiven('SEDOL.'),
    secNo: asGiven(
      'Number of the security in the books: the one given, or that of the security which the other identifiers named when the line was accepted.',
    ),
    quantity: asGiven('Quantity, a decimal number.'),
    price: asGiven('Price, a decimal number.'),
    netAmount: asGiven('Cash that the line will move, a decimal number.'),
    currency: asGiven('ISO 4217 alphabetic code.'),
    settleDate: asGiven('Settlement date.'),
    loadId: Type.String({ format: 'uuid', description: 'The load that contained the line.' }),
  },
  { additionalProperties: false },
)
