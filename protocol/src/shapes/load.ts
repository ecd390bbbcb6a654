/** What a load of facts answers (docs/books.md, Facts in). */
import Type from 'typebox'
import { next, renamed } from '../paging.ts'

const strict = { additionalProperties: false }

export const rejectedLineShape = Type.Object(
  {
    line: Type.Integer({ description: 'Number of the line in the body, from 1.' }),
    code: Type.String(),
    field: Type.String(),
    reason: Type.String(),
  },
  strict,
)

export const loadShape = Type.Object(
  {
    loadId: Type.String(),
    received: Type.Integer({ description: 'Lines that came, without blank ones and the header.' }),
    accepted: Type.Integer(),
    pending: Type.Integer({
      description:
        'Of the accepted, lines whose trade date is after the business date: they count from their day.',
    }),
    duplicates: Type.Integer({ description: 'Lines seen before; they change nothing.' }),
    conflicts: Type.Integer({
      description:
        'Lines of a known id, or key, with other contents; they change nothing, and `rejects` name them.',
    }),
    rejected: Type.Integer(),
    rejects: Type.Array(rejectedLineShape, {
      description:
        'Rejected lines, and conflicts (ERR.2018) with each field that is another: the first 1,000; get-load has them all.',
    }),
  },
  strict,
)

/** Who has looked at what a load left: its rejects, or that it was cut off. */
export const lookedAt = {
  lookedAtBy: Type.String({
    description: 'Who has looked at what it refused or left undone; empty for nobody.',
  }),
  lookedAtOn: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
}

export const loadDetailShape = Type.Object(
  {
    ...loadShape.properties,
    kind: Type.String({ description: 'The operation that loaded it.' }),
    state: Type.String({ description: 'Running, Complete or CutOff.' }),
    startedOn: Type.String({ format: 'date-time' }),
    endedOn: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    ...lookedAt,
    next,
    nextLine: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Pass as afterLine to read the rejects that follow.',
      ...renamed('next'),
    }),
  },
  strict,
)
