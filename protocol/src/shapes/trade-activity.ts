/**
 * The trade activity record (Specification, Trade activity record): every field is a string except
 * activityTypeViewsList.
 */
import Type from 'typebox'
import { activityFieldLengths, activityFieldsUnbounded } from '../activity-fields.ts'

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
