/**
 * Closed days of an account whose figures would differ with what is known now: the later lines, and the figures that
 * they change. Amounts are in US dollars.
 */
import Type from 'typebox'
import { day } from '../answered-values.ts'

const strict = { additionalProperties: false }

const changedAmount = Type.Object(
  {
    atClose: Type.Number({
      description: 'The figure that a read of the day returns, from what was known at its close.',
    }),
    now: Type.Number({ description: 'The figure from what is known now (`knownAt` now).' }),
    change: Type.Number({ description: '`now` less `atClose`.' }),
  },
  strict,
)

const lateLineShape = Type.Object(
  {
    externalId: Type.String({ description: 'Id of the line in the feed.' }),
    kind: Type.String({ description: 'Late, Cancel or Rebill.' }),
    tagNo: Type.String({ description: 'For a cancel or rebill, the line that it corrects; else empty.' }),
    transType: Type.String({ description: 'Kind of line, as in trade-activity.' }),
    buySell: Type.String({ description: '`BUY`, `SEL`, `SSL` or `BCV`; otherwise empty.' }),
    secNo: Type.String({ description: 'Number of the security in the books.' }),
    tradeDate: day('Trade date.'),
    enteredOn: Type.String({
      format: 'date',
      description: 'The business date on which the line became known to the service.',
    }),
  },
  strict,
)

export const correctedDayShape = Type.Object(
  {
    date: day('The closed business day.'),
    lines: Type.Array(lateLineShape, {
      description:
        'Lines that arrived after the close of the day, for the day or for a day since the previous close. A line is in the list of one day; it changes later days too.',
    }),
    cash: Type.Object(changedAmount.properties, { ...strict, description: 'totalCash.' }),
    value: Type.Object(changedAmount.properties, { ...strict, description: 'totalAccountValue.' }),
  },
  strict,
)
