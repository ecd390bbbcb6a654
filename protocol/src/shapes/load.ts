/** The response of a load of facts (docs/books.md, Facts). */
import Type from 'typebox'
import { orNull, textOf, time, wholeOf } from '../answered-values.ts'
import { next, renamed } from '../paging.ts'

const strict = { additionalProperties: false }

export const rejectedLineShape = Type.Object(
  {
    line: Type.Integer({ description: 'Line number in the body, from 1.' }),
    code: textOf('Code of the error catalogue.'),
    field: textOf('Name of the field in the line; empty if no field is at fault.'),
    reason: textOf('What is wrong and how to correct it.'),
  },
  strict,
)

export const loadShape = Type.Object(
  {
    loadId: textOf('ID of the load, a UUID.'),
    received: Type.Integer({ description: 'Number of lines received, without blank lines and the header.' }),
    accepted: wholeOf('Number of lines that were stored.'),
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
    rejected: wholeOf('Number of invalid lines.'),
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
  lookedAtOn: orNull(time(), {
    description: 'When the load was reviewed; null if it was not.',
  }),
}

/** When a load ran. */
export const timesOfLoad = {
  startedOn: time('When the load began.'),
  endedOn: orNull(time(), {
    description: 'When the load ended; null while it runs, or if its process stopped.',
  }),
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
          acceptedBy: orNull(Type.String({ format: 'uuid' }), {
            description:
              'The later load that accepted an activity line of the same `externalId` for the firm of the same account; null if there is none.',
          }),
        },
        strict,
      ),
      { description: 'Rejected lines, and conflicts (ERR.2018) with each differing field.' },
    ),
    kind: Type.String({ description: 'The operation of the load.' }),
    ...sourceOfLoad,
    state: Type.String({ description: '`Running`, `Complete` or `CutOff`.' }),
    ...timesOfLoad,
    ...lookedAt,
    next,
    nextLine: orNull(Type.Integer(), {
      description: 'Send as afterLine to read the next rejects.',
      ...renamed('next'),
    }),
  },
  strict,
)
