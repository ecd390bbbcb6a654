/** Controls of the sandbox: its clock, its state. Any credential of the sandbox may use them; production does not have them. */
import Type from 'typebox'
import { block, optional } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'

const strict = { additionalProperties: false }
const control = { audience: 'sandbox', body: 'json', origin: 'extension' } as const
const changing = { ...control, scope: 'accounts:write', writes: true } as const
const reading = { ...control, scope: 'accounts:read', writes: false } as const

const instant = (description: string) => Type.String({ format: 'date-time', description })
const day = (description: string) => Type.String({ format: 'date', description })

const clockMembers = {
  now: instant('The sandbox’s time.'),
  frozen: Type.Boolean({ description: 'It stands still.' }),
  aheadSeconds: Type.Number({ description: 'How far it is ahead of the wall clock.' }),
  businessDate: day('The business day that is open.'),
}
const clockShape = Type.Object(clockMembers, strict)
const movedShape = Type.Object(
  {
    ...clockMembers,
    from: instant('Where the clock stood before.'),
    closedDays: Type.Array(Type.String({ format: 'date' }), {
      description: 'Business days that were closed on the way.',
    }),
  },
  strict,
)

const onTheWay =
  'On the way it stops whenever an application’s stage or follow-up is due and lets that work be done, and it closes every business day ' +
  'that ends (18:00 US Eastern, or as the setting CLOSE_AT says). A way that takes longer than an answer may is gone on with: the same request with the same ' +
  'Idempotency-Key answers its result.'

export const getClock = defineOperation({
  ...reading,
  summary: 'Read the clock',
  description: 'The sandbox’s time and its open business day.',
  request: block({}),
  data: clockShape,
  examples: [{ title: 'Now', request: {} }],
})

export const advanceClock = defineOperation({
  ...changing,
  summary: 'Advance the clock',
  description: `Moves the sandbox’s clock on by a number of calendar days or an ISO 8601 duration, for everybody. ${onTheWay}`,
  request: block({
    days: optional(Type.Integer({ minimum: 0, maximum: limits.sandboxAdvanceDaysMax })),
    duration: optional(
      Type.String({
        maxLength: 40,
        description: 'ISO 8601, of weeks, days, hours, minutes and seconds.',
        examples: ['PT30S', 'P1DT12H'],
      }),
    ),
  }),
  data: movedShape,
  examples: [{ title: 'A second', request: { duration: 'PT1S' } }],
})

export const setClock = defineOperation({
  ...changing,
  summary: 'Set the clock',
  description: `Moves the sandbox’s clock forward to an instant, for everybody. Only a snapshot or a reset takes it back. ${onTheWay}`,
  request: block({
    now: Type.String({ format: 'date-time', maxLength: 40, examples: ['2027-01-04T15:00:00Z'] }),
  }),
  data: movedShape,
  examples: [{ title: 'A morning', request: { now: '2027-01-04T15:00:00Z' }, yours: { now: 'get-clock' } }],
})

export const freezeClock = defineOperation({
  ...changing,
  summary: 'Freeze the clock',
  description:
    'Stops the sandbox’s clock, or with `frozen: false` lets it run on from where it stands. A frozen clock can be advanced; it stays frozen. ' +
    'Work that waits for a moment waits as long as the clock stands.',
  request: block({ frozen: optional(Type.Boolean({ description: 'True when absent.' })) }),
  data: clockShape,
  examples: [{ title: 'Let it run', request: { frozen: false } }],
})

const snapshotName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$',
  description: 'Letters, digits and . _ -, at most 40; `default` when absent.',
  examples: ['before-the-merger'],
})
const snapshotShape = Type.Object(
  {
    name: Type.String(),
    takenOn: instant('When it was saved, by the wall clock.'),
    clock: instant('Where the sandbox’s clock stood.'),
    businessDate: day('The business day that was open.'),
    rows: Type.Integer({ description: 'Rows of all tables together.' }),
  },
  strict,
)

export const saveSnapshot = defineOperation({
  ...changing,
  summary: 'Save a snapshot',
  description:
    'Keeps everything as it is now under a name: accounts, applications, documents, books, events, firms, queued work and the clock. One of the same name is replaced.',
  request: block({ name: optional(snapshotName) }),
  data: snapshotShape,
  examples: [{ title: 'Everything as it is', request: { name: 'an-example' } }],
})

export const listSnapshots = defineOperation({
  ...reading,
  summary: 'List snapshots',
  description: 'The snapshots that can be put back.',
  request: block({}),
  data: Type.Object({ snapshots: Type.Array(snapshotShape) }, strict),
  examples: [{ title: 'All of them', request: {} }],
})

const restoredShape = Type.Object(
  { ...clockMembers, snapshot: snapshotShape, durationMs: Type.Integer() },
  strict,
)
const restoring =
  'It concerns everybody. Calls that come meanwhile are answered 503 with Retry-After. Access tokens stay valid; idempotency keys and events ' +
  'are those of the snapshot.'

export const restoreSnapshot = defineOperation({
  ...changing,
  summary: 'Restore a snapshot',
  description: `Puts everything back as it was when the snapshot was saved, the clock too. ${restoring}`,
  request: block({ name: optional(snapshotName) }),
  data: restoredShape,
  examples: [{ title: 'As it was', request: { name: 'an-example' }, yours: { name: 'save-snapshot' } }],
})

export const resetSandbox = defineOperation({
  ...changing,
  summary: 'Reset the sandbox',
  description:
    'Puts everything back as it was after the first start, with the demonstration accounts if it began with them. The clock shows the wall’s time again ' +
    `as long as the business day of that start is still the current one, otherwise the time of that start. Snapshots stay. ${restoring}`,
  request: block({}),
  data: restoredShape,
  examples: [{ title: 'Begin anew', request: {} }],
})
