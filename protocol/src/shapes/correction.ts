/** Closed days of an account whose figures would differ today: the lines that came since, and the figures that they change. Amounts are US dollars. */
import Type from 'typebox'

const strict = { additionalProperties: false }

const changedAmount = Type.Object(
  {
    atClose: Type.Number({ description: 'As the day is answered: by what was known at its close.' }),
    now: Type.Number({ description: 'By what is known now (`knownAt` now).' }),
    change: Type.Number(),
  },
  strict,
)

const lateLineShape = Type.Object(
  {
    externalId: Type.String(),
    kind: Type.String({ description: 'Late, Cancel or Rebill.' }),
    tagNo: Type.String({ description: 'Of a cancel or rebill the line that it corrects; else empty.' }),
    transType: Type.String(),
    buySell: Type.String(),
    secNo: Type.String(),
    tradeDate: Type.String({ format: 'date' }),
    enteredOn: Type.String({
      format: 'date',
      description: 'The business date on which it became known here.',
    }),
  },
  strict,
)

export const correctedDayShape = Type.Object(
  {
    date: Type.String({ format: 'date' }),
    lines: Type.Array(lateLineShape, {
      description:
        'Lines for the day, or a day since the close before it, that came after its close. A line is in the list of one day; it changes later days too.',
    }),
    cash: changedAmount,
    value: Type.Object(changedAmount.properties, { ...strict, description: 'totalAccountValue.' }),
  },
  strict,
)
