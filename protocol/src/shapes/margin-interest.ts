/** The interest of a margin account by the closes that computed it. Amounts are in US dollars. */
import Type from 'typebox'
import { day, listOf, orNull, wholeOf } from '../answered-values.ts'

const strict = { additionalProperties: false }

const nightsShape = Type.Object(
  {
    from: day('The day on which the first of the nights begins.'),
    to: day('The day on which the last of the nights begins.'),
    nights: wholeOf('Number of nights.'),
    rate: Type.Number({ description: 'The rate in percent a year, over 360 days.' }),
    interest: Type.Number({
      description: 'Interest of these nights. If the nights were computed again, the difference.',
    }),
  },
  strict,
)

export const marginInterestShape = Type.Object(
  {
    closeDate: day('The business day whose close computed the interest.'),
    ofDate: day(
      'The business day after whose close the nights begin. It is earlier than `closeDate` if later lines changed the debit of nights that had passed.',
    ),
    debit: Type.Number({ description: 'The settled debit on which interest is owed; not negative.' }),
    debitBefore: orNull(Type.Number(), {
      description:
        'The debit on which the nights were computed before; null if they are computed for the first time.',
    }),
    interest: Type.Number({
      description:
        'What the close added to the accrued interest: the sum of `nights`. Negative for a refund.',
    }),
    nights: listOf(nightsShape, 'The nights until the next business day, divided by the rate.'),
  },
  strict,
)
