/** What the clearing firm's people see and do in the console: work, changes, restrictions, notes, themselves. */
import Type, { type TSchema } from 'typebox'
import { documentDetailShape } from './document.ts'
import { lookedAt } from './load.ts'

const strict = { additionalProperties: false }
const time = (description?: string) =>
  Type.String({ format: 'date-time', ...(description === undefined ? {} : { description }) })
const orNull = <T extends TSchema>(shape: T) => Type.Union([shape, Type.Null()])
const codeOf = (list: string) => Type.String({ 'x-code-list': list })
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
    workId: Type.String({ description: 'Queue and item, as the other operations on work take it.' }),
    queue: codeOf('workQueue'),
    firmId: Type.String({ description: 'A UUID; empty when it concerns no firm.' }),
    firmName: Type.String(),
    accountNumber: Type.String({ description: 'Empty when it concerns no account.' }),
    accountName: Type.String(),
    itemId: Type.String({ description: 'Of the document, match, change, break, job or delivery.' }),
    subject: Type.String(),
    detail: Type.String(),
    since: time('When it began to wait.'),
    dueBy: orNull(time()),
    assignedTo: Type.String({ description: 'Who has taken it; empty for nobody.' }),
    assignedOn: orNull(time()),
  },
  strict,
)

/** What became of several items of work. */
export const takenShape = Type.Object(
  {
    taken: Type.Array(Type.String(), { description: 'Ids of the items for which it was done.' }),
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
    accountNumber: Type.String({ description: 'Empty when it concerns no account.' }),
    operation: Type.String({ description: 'What takes effect when it is approved.' }),
    subjects: Type.Array(codeOf('approvalSubject')),
    state: codeOf('changeState'),
    fields: Type.Array(
      Type.Object({ field: Type.String(), before: Type.String(), after: Type.String() }, strict),
      { description: 'Field by field; personal numbers are masked.' },
    ),
    reason: Type.String(),
    requestedBy: Type.String(),
    requestedOn: time(),
    decidedBy: Type.String(),
    decidedOn: orNull(time()),
    decisionReason: Type.String(),
    approvalNeeded: Type.Boolean({ description: 'Whether a second person is asked.' }),
    approvedBy: Type.String({
      description: 'Who approved it while matches of it were open; empty when nobody has yet.',
    }),
    approvedOn: orNull(time()),
    openMatches: Type.Integer({ description: 'Matches of watch lists that it waits for.' }),
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
    sequence: Type.Integer({ description: 'Its place in the firm’s chain.' }),
    at: time(),
    actor: Type.String(),
    action: Type.String(),
    accountNumber: Type.String(),
    target: Type.String(),
    traceId: Type.String(),
    detail: Type.Unknown({ description: 'What changed; personal numbers are masked.' }),
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

/** A document with whose it is. */
export const reviewedDocumentShape = Type.Object(
  {
    ...documentDetailShape.properties,
    ...firm,
    accountName: Type.String(),
    followUpId: Type.String({ description: 'The follow-up that it answers; empty for none.' }),
    reason: Type.String({ description: 'What was said when it was decided on.' }),
    decidedBy: Type.String(),
  },
  strict,
)

export const loadOverviewShape = Type.Object(
  {
    loadId: Type.String({ format: 'uuid' }),
    kind: Type.String({ description: 'The operation that loaded it.' }),
    state: Type.String({ description: 'Running, Complete or CutOff.' }),
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

/** What a close found open, and who accepted it. */
export const checklistMembers = {
  checklist: Type.Array(
    Type.Object(
      {
        item: codeOf('closeItem'),
        severity: orNull(codeOf('severity')),
        count: Type.Integer(),
        open: Type.Boolean({ description: 'A close must be told to accept it.' }),
        detail: Type.String({ description: 'Of some of them which; empty where there is nothing to tell.' }),
      },
      strict,
    ),
    {
      description:
        'Every item that a close looks at, breaks once for each severity. Later versions may have more.',
    },
  ),
  acceptedOpen: orNull(
    Type.Object(
      {
        reason: Type.String(),
        by: Type.String(),
        approvedBy: Type.String({ description: 'The second person; empty where none was needed.' }),
      },
      strict,
    ),
  ),
}

/** A close of a business day, at work or done. */
export const closeShape = Type.Object(
  {
    closedDate: Type.String({ format: 'date' }),
    step: Type.String({ description: 'What is done now; Closed when all is.' }),
    accounts: Type.Integer(),
    positions: Type.Integer(),
    callsIssued: Type.Integer(),
    callsMet: Type.Integer(),
    startedOn: time(),
    closedOn: orNull(time()),
    steps: Type.Array(
      Type.Object({ step: Type.String(), state: Type.String(), durationMs: Type.Integer() }, strict),
    ),
    ...checklistMembers,
  },
  strict,
)

/** How much waits in a queue, and for how long. */
export const ageShape = Type.Object(
  {
    queue: codeOf('workQueue'),
    count: Type.Integer(),
    unassigned: Type.Integer(),
    mine: Type.Integer({ description: 'What the caller has taken.' }),
    oldestOn: orNull(time()),
    ages: Type.Object(
      {
        day: Type.Integer({ description: 'Up to one day.' }),
        threeDays: Type.Integer({ description: 'Up to three.' }),
        week: Type.Integer({ description: 'Up to seven.' }),
        older: Type.Integer(),
      },
      strict,
    ),
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
    waiting: Type.Integer({ description: 'Neither opened nor ended yet.' }),
    askedBack: Type.Integer({ description: 'For which the firm had to supply something.' }),
    reasons: Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() }, strict), {
      description: 'Of rejections, the most frequent first.',
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
    acctType: Type.String({ description: '1 cash, 2 margin, 3 short.' }),
    quantity: Type.Number(),
  },
  strict,
)

export const readingShape = Type.Object(
  {
    at: time(),
    firmId: Type.String({ format: 'uuid' }),
    accountNumber: Type.String(),
    reader: Type.String({ description: 'The credential or person.' }),
    operation: Type.String(),
    traceId: Type.String(),
  },
  strict,
)
