/** Shapes of the operations for the clearing firm's staff: work, changes, restrictions, notes, staff. */
import Type from 'typebox'
import { day, orNull, time } from '../answered-values.ts'
import { documentDetailShape } from './document.ts'
import { lookedAt, sourceOfLoad } from './load.ts'

const strict = { additionalProperties: false }
function codeOf(list: string) {
  return Type.String({ 'x-code-list': list })
}
const firm = { firmId: Type.String({ format: 'uuid' }), firmName: Type.String() }

export const foundAccountShape = Type.Object(
  {
    accountNumber: Type.String(),
    ...firm,
    entityNumber: Type.String(),
    repCode: Type.String(),
    registrationType: Type.String(),
    accountStatus: Type.String(),
    accountName: Type.String(),
    createdOn: time(),
    lastUpdated: time(),
  },
  strict,
)

export const workItemShape = Type.Object(
  {
    workId: Type.String({ description: 'Queue and item, as the other operations on work take them.' }),
    queue: codeOf('workQueue'),
    firmId: Type.String({ description: 'ID of the firm, a UUID; empty if the item concerns no firm.' }),
    firmName: Type.String(),
    accountNumber: Type.String({ description: 'Account number; empty if the item concerns no account.' }),
    accountName: Type.String(),
    itemId: Type.String({ description: 'ID of the document, match, change, break, job or delivery.' }),
    subject: Type.String(),
    detail: Type.String(),
    since: time('When the item began to wait.'),
    dueBy: orNull(time()),
    assignedTo: Type.String({
      description: 'The person who has claimed the item; empty if it is unassigned.',
    }),
    assignedOn: orNull(time()),
  },
  strict,
)

/** The outcome of an operation on several items of work. */
export const takenShape = Type.Object(
  {
    taken: Type.Array(Type.String(), { description: 'IDs of the items on which the operation succeeded.' }),
    refused: Type.Array(
      Type.Object({ workId: Type.String(), code: Type.String(), reason: Type.String() }, strict),
    ),
  },
  strict,
)

export const changeShape = Type.Object(
  {
    changeId: Type.String({ format: 'uuid' }),
    ...firm,
    accountNumber: Type.String({ description: 'Account number; empty if the item concerns no account.' }),
    operation: Type.String({ description: 'The operation that takes effect on approval.' }),
    subjects: Type.Array(codeOf('approvalSubject')),
    state: codeOf('changeState'),
    fields: Type.Array(
      Type.Object({ field: Type.String(), before: Type.String(), after: Type.String() }, strict),
      { description: 'The changed fields. Personal numbers are masked.' },
    ),
    reason: Type.String(),
    requestedBy: Type.String(),
    requestedOn: time(),
    decidedBy: Type.String(),
    decidedOn: orNull(time()),
    decisionReason: Type.String(),
    approvalNeeded: Type.Boolean({ description: 'Whether a second person must approve the change.' }),
    approvedBy: Type.String({
      description: 'Who approved the change while matches were open; empty if it was not approved.',
    }),
    approvedOn: orNull(time()),
    openMatches: Type.Integer({ description: 'IDs of the open watch-list matches of the change.' }),
  },
  strict,
)

export const restrictionShape = Type.Object(
  {
    restrictionId: Type.String({ format: 'uuid' }),
    accountNumber: Type.String(),
    firmId: Type.String({ format: 'uuid' }),
    restrictionCode: codeOf('restrictionCode'),
    reason: Type.String(),
    suspends: Type.Array(codeOf('entitlement')),
    placedBy: Type.String(),
    placedOn: time(),
    endedBy: Type.String(),
    endedOn: orNull(time()),
  },
  strict,
)

export const noteShape = Type.Object(
  {
    noteId: Type.String({ format: 'uuid' }),
    accountNumber: Type.String(),
    text: Type.String(),
    mentions: Type.Array(Type.String(), { description: 'E-mail addresses of the staff whom it mentions.' }),
    writtenBy: Type.String(),
    writtenOn: time(),
  },
  strict,
)

export const staffShape = Type.Object(
  {
    email: Type.String(),
    name: Type.String(),
    role: codeOf('staffRole'),
    disabled: Type.Boolean(),
    secondFactor: Type.Boolean({ description: 'Whether a second factor is enrolled.' }),
    createdOn: time(),
    lastSignInOn: orNull(time()),
  },
  strict,
)

export const auditRowShape = Type.Object(
  {
    ...firm,
    sequence: Type.Integer({ description: 'Position of the row in the chain of the firm.' }),
    at: time(),
    actor: Type.String(),
    action: Type.String(),
    accountNumber: Type.String(),
    target: Type.String(),
    traceId: Type.String(),
    detail: Type.Unknown({ description: 'The changed values. Personal numbers are masked.' }),
  },
  strict,
)

export const stateTimeShape = Type.Object(
  {
    state: codeOf('onboardingState'),
    count: Type.Integer(),
    medianHours: Type.Number(),
    p90Hours: Type.Number(),
  },
  strict,
)

/** A document with its account and firm. */
export const reviewedDocumentShape = Type.Object(
  {
    ...documentDetailShape.properties,
    ...firm,
    accountName: Type.String(),
    followUpId: Type.String({
      description: 'ID of the follow-up that the document answers; empty if there is none.',
    }),
    reason: Type.String({ description: 'The reason of the decision.' }),
    decidedBy: Type.String(),
  },
  strict,
)

export const loadOverviewShape = Type.Object(
  {
    loadId: Type.String({ format: 'uuid' }),
    kind: Type.String({ description: 'The operation of the load.' }),
    ...sourceOfLoad,
    state: Type.String({ description: '`Running`, `Complete` or `CutOff`.' }),
    startedBy: Type.String(),
    startedOn: time(),
    endedOn: orNull(time()),
    received: Type.Integer(),
    accepted: Type.Integer(),
    duplicates: Type.Integer(),
    conflicts: Type.Integer(),
    rejected: Type.Integer(),
    ...lookedAt,
  },
  strict,
)

/** The open items that a close found, and who accepted them. */
export const checklistMembers = {
  checklist: Type.Array(
    Type.Object(
      {
        item: codeOf('closeItem'),
        severity: orNull(codeOf('severity')),
        count: Type.Integer(),
        open: Type.Boolean({ description: 'Whether a close must accept the item explicitly.' }),
        detail: Type.String({ description: 'Examples of the open items; can be empty.' }),
        oldestOn: Type.Optional(
          orNull(time(), {
            description: 'Since when the oldest item is open. Null for prices and where nothing is open.',
          }),
        ),
        owners: Type.Optional(
          Type.Array(Type.String(), {
            description: 'Who started the loads or has claimed the work, at most five for each kind.',
          }),
        ),
      },
      strict,
    ),
    {
      description:
        'Every item that a close checks, with breaks once for each severity. Later versions may add items.',
    },
  ),
  acceptedOpen: orNull(
    Type.Object(
      {
        reason: Type.String(),
        by: Type.String(),
        approvedBy: Type.String({ description: 'The second person; empty if no approval was needed.' }),
      },
      strict,
    ),
  ),
}

/** The steps of a close, in their order. `durationMs` is the work of all connections on the step. */
export const closeStepsShape = Type.Array(
  Type.Object({ step: codeOf('closeStep'), state: Type.String(), durationMs: Type.Integer() }, strict),
)

/** A running or finished close of a business day. */
export const closeShape = Type.Object(
  {
    closedDate: day(),
    step: Type.String({ description: 'The current step; `Closed` after the last.' }),
    accounts: Type.Integer(),
    positions: Type.Integer(),
    callsIssued: Type.Integer(),
    callsMet: Type.Integer(),
    startedOn: time(),
    closedOn: orNull(time()),
    steps: closeStepsShape,
    ...checklistMembers,
  },
  strict,
)

/** The number of items in a queue by waiting time. */
export const ageShape = Type.Object(
  {
    queue: codeOf('workQueue'),
    count: Type.Integer(),
    unassigned: Type.Integer(),
    mine: Type.Integer({ description: 'Number of items that the caller has claimed.' }),
    countBefore: orNull(
      Type.Integer({
        description:
          'Number of items at the end of the last earlier day on which they were counted; null if there is none, and for one firm.',
      }),
    ),
    oldestOn: orNull(time()),
    ages: Type.Object(
      {
        day: Type.Integer({ description: 'Items that have waited up to one day.' }),
        threeDays: Type.Integer({ description: 'Items that have waited up to three days.' }),
        week: Type.Integer({ description: 'Items that have waited up to seven days.' }),
        older: Type.Integer(),
      },
      strict,
    ),
  },
  strict,
)

/** A finished close with the outcomes of applications on its day. */
export const finishedCloseShape = Type.Object(
  {
    closedDate: day(),
    startedOn: time(),
    closedOn: time(),
    tookMs: Type.Integer({ description: 'Milliseconds of work on all steps.' }),
    accounts: Type.Integer(),
    positions: Type.Integer(),
    callsIssued: Type.Integer(),
    callsMet: Type.Integer(),
    acceptedOpen: Type.Boolean({ description: 'Whether a person accepted open items.' }),
    provedOn: orNull(time('When the seal of the day was last proved; null before the first proof.')),
    opened: Type.Integer({ description: 'Applications that were opened on the day.' }),
    rejected: Type.Integer({ description: 'Applications that were rejected or failed on the day.' }),
  },
  strict,
)

/** Failures with one cause. */
export const failureShape = Type.Object(
  {
    source: codeOf('failureSource'),
    cause: Type.String({
      description: 'Kind of break, error code, operation, task, or name of the firm, as the source says.',
    }),
    target: Type.String({
      description: 'ID of the newest load, or of the firm of the deliveries; else empty.',
    }),
    count: Type.Integer({ description: 'Counted up to 10,001 for each source.' }),
    oldestOn: time(),
    example: Type.String({ description: 'The reason of one of them.' }),
  },
  strict,
)

export const firmReportShape = Type.Object(
  {
    ...firm,
    submitted: Type.Integer(),
    opened: Type.Integer(),
    rejected: Type.Integer(),
    failed: Type.Integer(),
    waiting: Type.Integer({ description: 'Applications that are neither opened nor ended.' }),
    askedBack: Type.Integer({ description: 'Applications for which the firm had to supply something.' }),
    reasons: Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() }, strict), {
      description: 'Reasons of rejections, the most frequent first.',
    }),
    timeInState: Type.Array(stateTimeShape),
  },
  strict,
)

export const stockHolderShape = Type.Object(
  {
    accountNumber: Type.String(),
    ...firm,
    accountName: Type.String(),
    acctType: Type.String({ description: '`1` cash, `2` margin, `3` short.' }),
    quantity: Type.Number(),
  },
  strict,
)

export const readingShape = Type.Object(
  {
    at: time(),
    firmId: Type.String({ format: 'uuid' }),
    accountNumber: Type.String(),
    reader: Type.String({ description: 'The credential or person that acted.' }),
    operation: Type.String(),
    traceId: Type.String(),
    reason: Type.String({
      description: 'The reason that a person of the staff gave; empty for a program.',
    }),
  },
  strict,
)
