/**
 * A line of activity that waits for its trade date. Values are those of the feed; a value that the feed left out is
 * empty.
 */
import Type from 'typebox'
import { day } from '../answered-values.ts'

const asGiven = Type.String()

export const pendingLineShape = Type.Object(
  {
    externalId: Type.String(),
    accountNumber: Type.String(),
    tradeDate: day(),
    countsFrom: Type.String({
      format: 'date',
      description:
        'The day from which the line counts: its trade date, or for a correction the day of the pending line that it corrects, if that is later.',
    }),
    kind: Type.String({ description: '`Line`, `Cancel` or `Rebill`.' }),
    tagNo: Type.String({ description: 'The line that a cancel or a rebill corrects; otherwise empty.' }),
    transType: asGiven,
    acctType: asGiven,
    buySell: asGiven,
    cusip: asGiven,
    symbol: asGiven,
    isin: asGiven,
    sedol: asGiven,
    secNo: asGiven,
    quantity: asGiven,
    price: asGiven,
    netAmount: asGiven,
    currency: asGiven,
    settleDate: asGiven,
    loadId: Type.String({ format: 'uuid', description: 'The load that contained the line.' }),
  },
  { additionalProperties: false },
)
