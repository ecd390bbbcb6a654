/** Shapes of the operations for the clearing firm's staff: work, changes, restrictions, notes, staff. */
import Type from 'typebox'
import {
  day,
  listOf,
  numberOfAccount,
  ofFirm,
  orNull,
  textOf,
  time,
  titleOfAccount,
  unsatisfiedDeficits,
  wholeOf,
} from '../answered-values.ts'
import { answeredCode } from '../field.ts'
import { changedFieldsShape } from './account-list.ts'
import { documentDetailShape } from './document.ts'
import { loadShape, lookedAt, sourceOfLoad, timesOfLoad } from './load.ts'

const strict = { additionalProperties: false }
export const foundAccountShape = Type.Object(
  {
    accountNumber: numberOfAccount,
    ...ofFirm,
    entityNumber: textOf('Entity number of the account.'),
    repCode: textOf('Code of the representative of the account.'),
    registrationType: textOf('Registration type, a value of the code list `registrationType`.'),
    accountStatus: textOf('Status, a value of the code list `accountStatus`.'),
    accountName: titleOfAccount,
    createdOn: time('When the application was submitted.'),
    lastUpdated: time('When the record or the status last changed.'),
  },
  strict,
)

const accountOfItem = textOf('Account number; empty if the item concerns no account.')

const documentOfItem = Type.Object(
  {
    reference: textOf('Reference of the document, such as `UTIL`.'),
    typeName: textOf('Name of the document type.'),
  },
  strict,
)
const breakOfItem = Type.Object(
  {
    kind: textOf('The kind of disagreement.'),
    security: textOf('Symbol of the security, or another of its identifiers; can be empty.'),
    quantity: orNull(Type.Number(), {
      description: 'The quantity that the break is about; null if it is about none.',
    }),
    externalId: textOf('ID of the line that raised the break; empty if there is none.'),
    reason: textOf('What does not agree.'),
  },
  strict,
)
const callOfItem = Type.Object(
  {
    kind: answeredCode('callKind', { description: 'Kind of the call.' }),
    outstanding: Type.Number({
      description: 'The amount that was not met at the last close, in US dollars.',
    }),
    amount: Type.Number({
      description: 'The amount of the call in US dollars, as it was issued or last raised.',
    }),
    unsatisfiedDeficits,
  },
  strict,
)

export const workItemShape = Type.Object(
  {
    workId: Type.String({ description: 'Queue and item, as the other operations on work take them.' }),
    queue: answeredCode('workQueue', { description: 'The queue of the item.' }),
    firmId: Type.String({ description: 'ID of the firm, a UUID; empty if the item concerns no firm.' }),
    firmName: textOf('Name of the firm; empty if the item concerns no firm.'),
    accountNumber: accountOfItem,
    accountName: textOf('Title of the account; empty if the item concerns no account.'),
    itemId: Type.String({
      description:
        'ID of the document, match, change, break, job or delivery; for an application or its follow-ups, the account number; for a margin call, its account, kind and day.',
    }),
    subject: textOf(
      'What the item is about, in a few words for people: the stage, the requested codes, the type of document, the listed name, the operation, the kind of break or call, the task, or the type of event.',
    ),
    detail: textOf(
      'Why the item waits, or more about its subject; can be empty. For a break: its security and quantity, its line, and the reason, separated by ` · `.',
    ),
    since: time('When the item began to wait.'),
    dueBy: orNull(time(), {
      description: 'By when it is due; null in queues without due times.',
    }),
    assignedTo: Type.String({
      description: 'The person who has claimed the item; empty if it is unassigned.',
    }),
    assignedOn: orNull(time(), {
      description: 'When it was claimed or assigned; null if it is unassigned.',
    }),
    document: orNull(documentOfItem, { description: 'The document; null in other queues.' }),
    break: orNull(breakOfItem, { description: 'The break; null in other queues.' }),
    call: orNull(callOfItem, { description: 'The margin call; null in other queues.' }),
  },
  strict,
)

/** The outcome of an operation on several items of work. */
export const takenShape = Type.Object(
  {
    taken: Type.Array(Type.String(), { description: 'IDs of the items on which the operation succeeded.' }),
    refused: Type.Array(
      Type.Object(
        {
          workId: textOf('ID of the item.'),
          code: textOf('Code of the error catalogue.'),
          reason: textOf('Why the operation failed on the item.'),
        },
        strict,
      ),
      { description: 'The other items, with the reason of each.' },
    ),
  },
  strict,
)

export const changeShape = Type.Object(
  {
    changeId: Type.String({ format: 'uuid', description: 'ID of the change.' }),
    ...ofFirm,
    accountNumber: textOf('Account number; empty if the change concerns no account.'),
    operation: Type.String({ description: 'The operation that takes effect on approval.' }),
    subjects: listOf(answeredCode('approvalSubject'), 'Why it waits: the subjects that need an approval.'),
    state: answeredCode('changeState', { description: 'State of the change.' }),
    fields: changedFieldsShape,
    reason: textOf('The reason of the request; can be empty.'),
    requestedBy: textOf('The person or credential that requested the change.'),
    requestedOn: time('When the change was requested.'),
    decidedBy: textOf('Who approved, rejected or withdrew the change; empty while it waits.'),
    decidedOn: orNull(time(), {
      description: 'When it was decided; null while it waits.',
    }),
    decisionReason: textOf('The reason of the decision; can be empty.'),
    approvalNeeded: Type.Boolean({ description: 'Whether a second person must approve the change.' }),
    approvedBy: Type.String({
      description: 'Who approved the change while matches were open; empty if it was not approved.',
    }),
    approvedOn: orNull(time(), {
      description: 'When it was approved while matches were open; null if it was not.',
    }),
    openMatches: wholeOf('Number of open watch-list matches of the change.'),
    version: orNull(Type.Integer(), {
      description: 'Version of the record for which the change was requested; null if it changes no record.',
    }),
  },
  strict,
)

const holdShape = Type.Object(
  {
    ground: Type.String({
      description:
        'Why a person is a specified adult, a value of the code list `holdGround`; empty for a hold from before grounds were stored.',
    }),
    expiresOn: day('The last day of the hold. The close of this business day ends it.'),
    notifyBy: day('The day by which the trusted contact and the authorized parties are notified.'),
    notifiedOn: orNull(time(), { description: 'When the first notice was recorded; null before it.' }),
    steps: listOf(
      Type.Object(
        {
          step: answeredCode('holdStep', { description: 'The step.' }),
          expiresOn: day('The last day of the hold after the step.'),
          reason: textOf('The reason of the step.'),
          recordedBy: textOf(
            'The person or credential that recorded it, or approved it as the second person.',
          ),
          recordedOn: time('When it was recorded.'),
        },
        strict,
      ),
      'The recorded steps, in their order.',
    ),
  },
  strict,
)

export const restrictionShape = Type.Object(
  {
    restrictionId: Type.String({ format: 'uuid', description: 'ID of the restriction.' }),
    accountNumber: numberOfAccount,
    firmId: ofFirm.firmId,
    restrictionCode: answeredCode('restrictionCode', { description: 'Why the account is restricted.' }),
    reason: textOf('Why the account is restricted.'),
    suspends: listOf(answeredCode('entitlement'), 'What the code of the restriction suspends.'),
    placedBy: textOf('The person, credential or service that placed it.'),
    placedOn: time('When it was placed.'),
    endedBy: textOf('Who ended it; empty while it is in force.'),
    endedOn: orNull(time(), { description: 'When it ended; null while it is in force.' }),
    endReason: textOf(
      'Why it ended, such as the waiver or the document that answered the request; empty while it is in force, and if it ended before reasons were stored.',
    ),
    hold: orNull(holdShape, {
      description: 'The temporary hold of ProtectedAdult (FINRA Rule 2165); null for other restrictions.',
    }),
  },
  strict,
)

export const noteShape = Type.Object(
  {
    noteId: Type.String({ format: 'uuid', description: 'ID of the note.' }),
    accountNumber: numberOfAccount,
    text: textOf('The note.'),
    mentions: Type.Array(Type.String(), { description: 'E-mail addresses of the staff whom it mentions.' }),
    writtenBy: textOf('The person or credential that wrote it.'),
    writtenOn: time('When it was written.'),
  },
  strict,
)

export const staffShape = Type.Object(
  {
    email: textOf('The address with which the person signs in.'),
    name: textOf('Name of the person.'),
    role: answeredCode('staffRole', { description: 'Role of the person.' }),
    disabled: Type.Boolean({ description: 'Whether the person can no longer sign in.' }),
    secondFactor: Type.Boolean({ description: 'Whether a second factor is enrolled.' }),
    createdOn: time('When the person was added.'),
    lastSignInOn: orNull(time(), {
      description: 'When the person last signed in; null before the first sign-in.',
    }),
  },
  strict,
)

export const auditRowShape = Type.Object(
  {
    ...ofFirm,
    sequence: Type.Integer({ description: 'Position of the row in the chain of the firm.' }),
    at: time('When it happened.'),
    actor: textOf('The credential, the person or the service that acted.'),
    action: textOf('The operation, or the step of the service.'),
    accountNumber: textOf('Account number; empty if the row concerns no account.'),
    target: textOf('ID or name of what was changed; can be empty.'),
    traceId: textOf('W3C trace id of the call.'),
    detail: Type.Unknown({ description: 'The changed values. Personal numbers are masked.' }),
  },
  strict,
)

export const stateTimeShape = Type.Object(
  {
    state: answeredCode('onboardingState', { description: 'State of the applications.' }),
    count: wholeOf('Number of times that an application left this state.'),
    medianHours: Type.Number({ description: 'Median time in the state, in hours.' }),
    p90Hours: Type.Number({
      description: '90th percentile of the time in the state, in hours.',
    }),
  },
  strict,
)

/** A document with its account and firm. */
export const reviewedDocumentShape = Type.Object(
  {
    ...documentDetailShape.properties,
    ...ofFirm,
    accountName: titleOfAccount,
    followUpId: Type.String({
      description: 'ID of the follow-up that the document answers; empty if there is none.',
    }),
    reason: textOf('The reason of the decision; empty before it.'),
    decidedBy: textOf('Who decided on the document; empty before the decision.'),
  },
  strict,
)

export const loadOverviewShape = Type.Object(
  {
    loadId: Type.String({ format: 'uuid', description: 'ID of the load.' }),
    kind: Type.String({ description: 'The operation of the load.' }),
    ...sourceOfLoad,
    state: Type.String({ description: '`Running`, `Complete` or `CutOff`.' }),
    startedBy: textOf('The person or credential that started the load.'),
    ...timesOfLoad,
    received: loadShape.properties.received,
    accepted: loadShape.properties.accepted,
    duplicates: loadShape.properties.duplicates,
    conflicts: wholeOf('Number of lines with a known id or key and other contents. They change nothing.'),
    rejected: loadShape.properties.rejected,
    ...lookedAt,
  },
  strict,
)

/** The number of items in a queue by waiting time. */
export const ageShape = Type.Object(
  {
    queue: answeredCode('workQueue', { description: 'The queue.' }),
    count: wholeOf('Number of items.'),
    unassigned: wholeOf('Number of items that no one has claimed.'),
    mine: Type.Integer({ description: 'Number of items that the caller has claimed.' }),
    countBefore: orNull(Type.Integer(), {
      description:
        'Number of items at the end of the last earlier day on which they were counted; null if there is none, and for one firm.',
    }),
    oldestOn: orNull(time(), {
      description: 'Since when the oldest item waits; null without items.',
    }),
    ages: Type.Object(
      {
        day: wholeOf('Number of items that have waited up to one day.'),
        threeDays: wholeOf('Number of items that have waited for more than one and up to three days.'),
        week: wholeOf('Number of items that have waited for more than three and up to seven days.'),
        older: wholeOf('Number of items that have waited for more than seven days.'),
      },
      { ...strict, description: 'The items by waiting time. Each item counts once.' },
    ),
  },
  strict,
)

/** Failures with one cause. */
export const failureShape = Type.Object(
  {
    source: answeredCode('failureSource', { description: 'Where the failures come from.' }),
    cause: Type.String({
      description: 'Kind of break, error code, operation, task, or name of the firm, as the source says.',
    }),
    target: Type.String({
      description: 'ID of the newest load, or of the firm of the deliveries or of the webhook; else empty.',
    }),
    webhookId: Type.String({
      description: 'ID of the webhook whose deliveries fail or that was disabled; else empty.',
    }),
    webhookName: textOf('Description of that webhook, or its address if it has none; otherwise empty.'),
    count: Type.Integer({ description: 'Counted up to 10,001 for each source.' }),
    oldestOn: time(
      'When the oldest of them failed or was raised; of loads, when the load began; of deliveries that are repeated, the first failed attempt.',
    ),
    example: textOf('The reason of one of them; can be empty.'),
  },
  strict,
)

export const firmReportShape = Type.Object(
  {
    ...ofFirm,
    submitted: wholeOf('Number of applications that were submitted in the range.'),
    opened: wholeOf('Of these, the number of accounts that were opened.'),
    rejected: wholeOf('Of these, the number of applications that were rejected.'),
    failed: wholeOf('Of these, the number of applications whose account creation failed.'),
    waiting: Type.Integer({ description: 'Applications that are neither opened nor ended.' }),
    askedBack: Type.Integer({ description: 'Applications for which the firm had to supply something.' }),
    reasons: Type.Array(
      Type.Object(
        { reason: textOf('The reason.'), count: wholeOf('Number of applications with this reason.') },
        strict,
      ),
      {
        description: 'Reasons of rejections and failures, the most frequent first.',
      },
    ),
    timeInState: listOf(stateTimeShape, 'How long these applications stayed in each state.'),
  },
  strict,
)

export const stockHolderShape = Type.Object(
  {
    accountNumber: numberOfAccount,
    ...ofFirm,
    accountName: titleOfAccount,
    acctType: Type.String({ description: '`1` cash, `2` margin, `3` short.' }),
    quantity: Type.Number({ description: 'The quantity held; negative for a short position.' }),
  },
  strict,
)

export const readingShape = Type.Object(
  {
    at: time('When it was read.'),
    firmId: ofFirm.firmId,
    accountNumber: numberOfAccount,
    reader: textOf('The credential or person that read it.'),
    operation: textOf('The operation by which it was read.'),
    traceId: textOf('W3C trace id of the call.'),
    reason: Type.String({
      description: 'The reason that a person of the staff gave; empty for a program.',
    }),
  },
  strict,
)
