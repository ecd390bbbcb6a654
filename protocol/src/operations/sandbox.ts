/**
 * Controls of the sandbox: its clock and its state. Any credential of the sandbox may use them. Production does not
 * have them.
 */
import Type from 'typebox'
import { day } from '../answered-values.ts'
import { block, described, optional } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'

const strict = { additionalProperties: false }
const control = { audience: 'sandbox', body: 'json', origin: 'extension' } as const
const changing = { ...control, scope: 'accounts:write', writes: true } as const
const reading = { ...control, scope: 'accounts:read', writes: false } as const

function instant(description: string) {
  return Type.String({ format: 'date-time', description })
}

const clockMembers = {
  now: instant('The time of the sandbox’s clock.'),
  frozen: Type.Boolean({ description: 'Whether the clock is frozen.' }),
  aheadSeconds: Type.Number({ description: 'Seconds by which the clock is ahead of the wall clock.' }),
  businessDate: day('The business day that is open.'),
}
const clockShape = Type.Object(clockMembers, strict)
const movedShape = Type.Object(
  {
    ...clockMembers,
    from: instant('The time of the clock before the move.'),
    closedDays: Type.Array(day(), {
      description: 'Business days that were closed by the move.',
    }),
  },
  strict,
)

const onTheWay =
  'The clock stops whenever a stage or a follow-up of an application is due, until that work is done, and it closes every business day that ends (18:00 US ' +
  'Eastern, or the setting CLOSE_AT). A move that exceeds the time limit of a response continues: send the same request with the same Idempotency-Key to get its result.'

export const getClock = defineOperation({
  ...reading,
  summary: 'Read the clock',
  description: 'Returns the time of the sandbox’s clock and the open business day.',
  request: block({}),
  data: clockShape,
  examples: [{ title: 'Now', request: {} }],
})

export const advanceClock = defineOperation({
  ...changing,
  summary: 'Advance the clock',
  description: `Moves the sandbox’s clock forward by a number of calendar days or an ISO 8601 duration, for all firms. ${onTheWay}`,
  request: block({
    days: optional(
      Type.Integer({
        description: 'Number of calendar days. Send either `days` or `duration`.',
        minimum: 0,
        maximum: limits.sandboxAdvanceDaysMax,
      }),
    ),
    duration: optional(
      Type.String({
        maxLength: 40,
        description: 'An ISO 8601 duration of weeks, days, hours, minutes and seconds.',
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
  description: `Moves the sandbox’s clock forward to an instant, for all firms. Only a snapshot or a reset moves it back. ${onTheWay}`,
  request: block({
    now: Type.String({
      description: 'The new time of the clock, which is not before its present time.',
      format: 'date-time',
      maxLength: 40,
      examples: ['2027-01-04T15:00:00Z'],
    }),
  }),
  data: movedShape,
  examples: [{ title: 'A morning', request: { now: '2027-01-04T15:00:00Z' }, yours: { now: 'get-clock' } }],
})

export const freezeClock = defineOperation({
  ...changing,
  summary: 'Freeze the clock',
  description:
    'Stops the sandbox’s clock; with `frozen: false`, starts it again from the same time. A frozen clock can be advanced and stays frozen. Work that is due at a ' +
    'later time waits while the clock is frozen.',
  request: block({ frozen: optional(Type.Boolean({ description: 'The default is true.' })) }),
  data: clockShape,
  examples: [{ title: 'Start the clock again', request: { frozen: false } }],
})

const snapshotName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$',
  description: 'At most 40 letters, digits and the characters . _ -. The default is `default`.',
  examples: ['before-the-merger'],
})
const snapshotShape = Type.Object(
  {
    name: Type.String({ description: 'Name of the snapshot.' }),
    takenOn: instant('When the snapshot was saved, by the wall clock.'),
    clock: instant('The time of the sandbox’s clock in the snapshot.'),
    businessDate: day('The open business day in the snapshot.'),
    rows: Type.Integer({ description: 'Number of rows of all tables together.' }),
  },
  strict,
)

export const saveSnapshot = defineOperation({
  ...changing,
  summary: 'Save a snapshot',
  description:
    'Stores the whole state of the sandbox under a name: accounts, applications, documents, books, events, firms, queued work and the clock. An existing snapshot ' +
    'with this name is replaced.',
  request: block({ name: optional(snapshotName) }),
  data: snapshotShape,
  examples: [{ title: 'The default snapshot', request: { name: 'an-example' } }],
})

export const listSnapshots = defineOperation({
  ...reading,
  summary: 'List snapshots',
  description: 'Returns the snapshots that can be restored.',
  request: block({}),
  data: Type.Object({ snapshots: Type.Array(snapshotShape, { description: 'The snapshots.' }) }, strict),
  examples: [{ title: 'All of them', request: {} }],
})

const restoredShape = Type.Object(
  {
    ...clockMembers,
    snapshot: described(snapshotShape, 'The snapshot that was restored.'),
    durationMs: Type.Integer({ description: 'Duration, in milliseconds.' }),
  },
  strict,
)
const restoring =
  'This affects all firms. Calls that arrive meanwhile get 503 with Retry-After. Access tokens stay valid; idempotency keys and events are those of the snapshot.'

export const restoreSnapshot = defineOperation({
  ...changing,
  summary: 'Restore a snapshot',
  description: `Restores the whole state, the clock included, as it was when the snapshot was saved. ${restoring}`,
  request: block({ name: optional(snapshotName) }),
  data: restoredShape,
  examples: [
    {
      title: 'Restore the default snapshot',
      request: { name: 'an-example' },
      yours: { name: 'save-snapshot' },
    },
  ],
})

export const resetSandbox = defineOperation({
  ...changing,
  summary: 'Reset the sandbox',
  description:
    'Restores the state after the first start, with the demonstration accounts if the sandbox began with them. The clock shows the wall clock’s time again if the ' +
    `business day of that start is still the current one, otherwise the time of that start. Snapshots are kept. ${restoring}`,
  request: block({}),
  data: restoredShape,
  examples: [{ title: 'Begin anew', request: {} }],
})
