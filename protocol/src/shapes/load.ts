/** The response of a load of facts (docs/books.md, Facts). */
import Type from 'typebox'
import { orNull, time } from '../answered-values.ts'
import { next, renamed } from '../paging.ts'

const strict = { additionalProperties: false }

export const rejectedLineShape = Type.Object(
  {
    line: Type.Integer({ description: 'Line number in the body, from 1.' }),
    code: Type.String(),
    field: Type.String(),
    reason: Type.String(),
  },
  strict,
)

export const loadShape = Type.Object(
  {
    loadId: Type.String(),
    received: Type.Integer({ description: 'Number of lines received, without blank lines and the header.' }),
    accepted: Type.Integer(),
    pending: Type.Integer({
      description:
        'Of the accepted, lines whose trade date is after the business date: they count from their day.',
    }),
    duplicates: Type.Integer({
      description: 'Number of lines that were loaded before; they change nothing.',
    }),
    conflicts: Type.Integer({
      description:
        'Number of lines with a known id or key and other contents. They change nothing and are listed in `rejects`.',
    }),
    rejected: Type.Integer(),
    rejects: Type.Array(rejectedLineShape, {
      description:
        'The first 1,000 rejected lines, and conflicts (ERR.2018) with each differing field. get-load returns all of them.',
    }),
  },
  strict,
)

/** The source of a load. */
export const sourceOfLoad = {
  source: Type.String({ description: 'Name of the feed or of the file; empty if the load did not name it.' }),
}

/** Who reviewed the rejects of a load, or the reason why it was cut off. */
export const lookedAt = {
  lookedAtBy: Type.String({
    description: 'Who reviewed the load; empty if it was not reviewed.',
  }),
  lookedAtOn: orNull(time()),
}

export const loadDetailShape = Type.Object(
  {
    ...loadShape.properties,
    rejects: Type.Array(
      Type.Object(
        {
          ...rejectedLineShape.properties,
          sent: Type.String({
            description:
              'The line as it was sent, as the text of a JSON object whose numbers are texts; empty if it was no object, longer than 8,000 characters, or loaded before release 0.2.',
          }),
        },
        strict,
      ),
      { description: 'Rejected lines, and conflicts (ERR.2018) with each differing field.' },
    ),
    kind: Type.String({ description: 'The operation of the load.' }),
    ...sourceOfLoad,
    state: Type.String({ description: '`Running`, `Complete` or `CutOff`.' }),
    startedOn: time(),
    endedOn: orNull(time()),
    ...lookedAt,
    next,
    nextLine: orNull(Type.Integer(), {
      description: 'Send as afterLine to read the next rejects.',
      ...renamed('next'),
    }),
  },
  strict,
)
