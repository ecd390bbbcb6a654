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
    change: Type.Number(),
  },
  strict,
)

const lateLineShape = Type.Object(
  {
    externalId: Type.String(),
    kind: Type.String({ description: 'Late, Cancel or Rebill.' }),
    tagNo: Type.String({ description: 'For a cancel or rebill, the line that it corrects; else empty.' }),
    transType: Type.String(),
    buySell: Type.String(),
    secNo: Type.String(),
    tradeDate: day(),
    enteredOn: Type.String({
      format: 'date',
      description: 'The business date on which the line became known to the service.',
    }),
  },
  strict,
)

export const correctedDayShape = Type.Object(
  {
    date: day(),
    lines: Type.Array(lateLineShape, {
      description:
        'Lines that arrived after the close of the day, for the day or for a day since the previous close. A line is in the list of one day; it changes later days too.',
    }),
    cash: changedAmount,
    value: Type.Object(changedAmount.properties, { ...strict, description: 'totalAccountValue.' }),
  },
  strict,
)
