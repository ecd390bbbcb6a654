/**
 * The members of an event's `data`, by event type. Members may be added (Reading 9). No member is a tax id, a
 * government id or a birth date.
 */
import Type, { type Static, type TProperties } from 'typebox'
import { day, numberOfAccount, orNull, time } from './answered-values.ts'
import type { CodeOf } from './codes/index.ts'
import { errorShape } from './envelope.ts'
import { code } from './field.ts'
import { limits } from './limits.ts'
import { signedHeadShape } from './shapes/signed-head.ts'

/** A type of event. */
export type EventType = CodeOf<'eventType'>

function text(description: string) {
  return Type.String({ description })
}
const shapesOfAccounts = new Set<unknown>()
/** The data of an event of an account: the account number and further members. */
function ofAccount<P extends TProperties>(properties: P) {
  const shape = Type.Object({ accountNumber: numberOfAccount, ...properties })
  shapesOfAccounts.add(shape)
  return shape
}

const state = {
  currentState: code('onboardingState', { description: 'State of the onboarding after the event.' }),
}
/** Absent in events of earlier releases. */
function expectedBy(description: string) {
  return {
    expectedBy: Type.Optional(orNull(time(), { description })),
  }
}
const waiting = { ...state, ...expectedBy('As in onboarding-result.') }
const stage = { stage: code('stageCode', { description: 'The stage.' }) }
const followUp = {
  followUpId: text('ID of the follow-up, as in `followUps` of onboarding-result.'),
  code: code('followUpCode', { description: 'What the follow-up requests.' }),
  kind: code('followUpKind', { description: '`Field`, `Document` or `Review`.' }),
}
const activity = {
  loadId: text('ID of the load that posted the activity.'),
  lines: Type.Integer({ description: 'Number of lines posted to the account.' }),
  processDateFrom: text('The earliest processDate of the lines, `yyyyMMdd`.'),
  processDateTo: text('The latest processDate of the lines, `yyyyMMdd`.'),
}
const restated = {
  loadId: text('ID of the load whose lines changed the amounts.'),
  restatedOn: day('The business date on which the amounts changed.'),
  restated: Type.Array(
    Type.Object({
      externalId: text('Id of the line whose amount changed, as in its record.'),
      transType: code('transType', { description: 'Kind of the line.' }),
      acctType: code('activityAcctType', { description: 'Account type of the line.' }),
      currency: text('ISO 4217 alphabetic code of the currency of the amounts.'),
      netAmountBefore: text('The netAmount of the line before the change.'),
      netAmount: text('The netAmount of the line after the change.'),
      securities: Type.Array(
        Type.Object({
          secNo: text('Number of the security in the books.'),
          quantityBefore: text('What the line moved of the security before the change.'),
          quantity: text('What the line moved of the security after the change.'),
        }),
        {
          description:
            'The securities of which the line moves another quantity, as in `securitiesMoved` of its record.',
        },
      ),
    }),
    {
      description: `The lines, at most ${limits.restatedLinesOfEventMax}; further lines are in further events.`,
    },
  ),
}
const call = {
  kind: text('`Fed`, `Maintenance`, `Cash` or `Intraday`.'),
  issuedOn: day('The business day whose close issued the call.'),
  dueBy: day('The business day by which the call must be met.'),
  amount: text('The amount in US dollars, with two decimals.'),
}
const announced = Type.Object({
  corporateActionId: text('As in list-corporate-actions.'),
  type: code('corporateActionType', { description: 'Type of the corporate action.' }),
  secNo: text('Number of the security in the books.'),
  exDate: day('Who holds the security at the beginning of this day is entitled.'),
  payDate: day('When the issuer pays or delivers.'),
  deadline: text('The last business day on which holders can elect; empty for a mandatory action.'),
})
const elected = {
  option: text('The option.'),
  quantity: text('For how many shares; empty for all that are left.'),
}
const decided = {
  documentId: Type.String({ format: 'uuid', description: 'ID of the document.' }),
  reference: text('As in the record of the document.'),
}

const change = {
  changeId: Type.String({ format: 'uuid', description: 'ID of the change.' }),
  operation: text('The operation that was requested.'),
  subjects: Type.Array(code('approvalSubject'), {
    description: 'Why the change waits: the subjects that need an approval.',
  }),
}
const rejectedChange = {
  ...change,
  outcome: Type.Optional(
    code('changeOutcome', {
      description: 'Why the change did not take effect. Absent in events of earlier releases.',
    }),
  ),
  errors: Type.Optional(
    Type.Array(errorShape, {
      description:
        'If the outcome is `Stale` or `Invalid`: what is wrong, as a response to the request would say it.',
    }),
  ),
}

const incident = Type.Object({
  incidentId: Type.String({ format: 'uuid', description: 'ID of the incident.' }),
  title: text('The title of the incident, as on the status page.'),
  state: code('incidentState', { description: 'State of the incident after the report.' }),
  impact: code('incidentImpact', { description: 'How much the incident impairs its components.' }),
  components: Type.Array(code('serviceComponent'), {
    description: 'The parts of the service that it concerns.',
  }),
  text: text('The report.'),
})

/** The shape of `data` by the type of the event. */
export const eventDataShapes = {
  'account.reserved': ofAccount({
    registrationType: code('registrationType', { description: 'Registration type of the account.' }),
  }),
  'account.opened': ofAccount(state),
  'account.updated': ofAccount({
    version: Type.Integer({ description: 'Version of the record after the change.' }),
    fields: Type.Array(Type.String(), { description: 'Paths of the changed fields, without values.' }),
  }),
  'account.restricted': ofAccount({
    restrictionId: text('ID of the restriction.'),
    code: code('restrictionCode', { description: 'Why the account is restricted.' }),
    inForce: Type.Boolean({
      description: 'True if the restriction was placed or its hold was extended, false if it was ended.',
    }),
    accountStatus: code('accountStatus', { description: 'Status of the account after the event.' }),
    expiresOn: Type.Optional(
      Type.String({
        format: 'date',
        description: 'The last day of a temporary hold (ProtectedAdult) that is in force; else absent.',
      }),
    ),
  }),
  'account.closed': ofAccount({
    accountStatus: code('accountStatus', { description: 'Status of the account after the event.' }),
  }),
  'change.requested': ofAccount(change),
  'change.approved': ofAccount(change),
  'change.rejected': ofAccount(rejectedChange),
  'application.submitted': ofAccount({
    registrationType: code('registrationType', { description: 'Registration type of the account.' }),
    accountStatus: code('accountStatus', { description: 'Status of the account after the event.' }),
  }),
  'application.stage.completed': ofAccount(stage),
  'application.stage.failed': ofAccount(stage),
  'application.action_required': ofAccount(waiting),
  'application.manual_review': ofAccount(waiting),
  'application.resumed': ofAccount(state),
  'application.approved': ofAccount(state),
  'application.rejected': ofAccount({
    ...state,
    withdrawnOn: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When the firm withdrew the application. Absent if it did not.',
      }),
    ),
  }),
  'application.failed': ofAccount(state),
  'followup.opened': ofAccount(followUp),
  'followup.answered': ofAccount(followUp),
  'followup.accepted': ofAccount(followUp),
  'followup.refused': ofAccount(followUp),
  'followup.waived': ofAccount(followUp),
  'followup.expired': ofAccount(followUp),
  'document.received': ofAccount({
    ...decided,
    documentTypeName: text('As in the record of the document.'),
    followUpId: text('ID of the follow-up that the document answers; empty if there is none.'),
    ...expectedBy(
      'The time by which operations are expected to review the document: one market day after it was added.',
    ),
  }),
  'document.approved': ofAccount(decided),
  'document.rejected': ofAccount({
    ...decided,
    rejectionCode: code('documentRejectionCode', { description: 'Why the document was rejected.' }),
  }),
  'activity.posted': ofAccount(activity),
  'activity.corrected': ofAccount(activity),
  'activity.restated': ofAccount(restated),
  'statement.ready': ofAccount({
    kind: code('statementKind', { description: 'Whether it is a statement or a confirmation.' }),
    periodFrom: day('The first day of the period; of a confirmation, its day.'),
    periodTo: day('The business day whose close ended the period.'),
    version: Type.Integer({ description: 'From 1. A later version replaces the earlier ones.' }),
    delivery: code('statementDelivery', { description: 'How the customer gets it.' }),
  }),
  'corporate_action.announced': announced,
  'corporate_action.amended': Type.Object({
    ...announced.properties,
    version: Type.Integer({
      description: 'The version of the terms. An announcement without amendments has version 1.',
    }),
  }),
  'corporate_action.booked': announced,
  'corporate_action.cancelled': announced,
  'corporate_action.elected': ofAccount({
    corporateActionId: text('As in list-corporate-actions.'),
    acctType: code('activityAcctType', { description: 'Account type of the position.' }),
    elections: Type.Array(Type.Object(elected), {
      description: 'The choices, in the order in which they count.',
    }),
  }),
  'corporate_action.election_voided': ofAccount({
    corporateActionId: text('As in list-corporate-actions.'),
    acctType: code('activityAcctType', { description: 'Account type of the position.' }),
    elections: Type.Array(Type.Object({ ...elected, void: text('Why the election does not count.') }), {
      description: 'Those that no longer count.',
    }),
  }),
  'call.issued': ofAccount(call),
  'call.extended': ofAccount({
    kind: call.kind,
    issuedOn: call.issuedOn,
    dueBy: day('The day by which the call must be met now.'),
  }),
  'call.met': ofAccount(call),
  'call.ended': ofAccount(call),
  'business_day.closed': Type.Object({
    closedDate: day('The business day that was closed.'),
    businessDate: day('The business day that is open now.'),
  }),
  'incident.opened': incident,
  'incident.updated': incident,
  'incident.resolved': incident,
  'log.restored': Type.Object({
    lastEventId: Type.String({
      description:
        'ID of the last event of your firm that remains. Empty if none remains. Events that you received after it, and the changes that they reported, are lost.',
    }),
    lastEventAt: orNull(time(), { description: 'The time of that event; null if none remains.' }),
  }),
  'audit.head.signed': signedHeadShape,
  'staff.notified': Type.Object({
    notificationId: Type.String({ format: 'uuid', description: 'ID of the notification.' }),
    recipient: text('E-mail address of the person who is notified.'),
    kind: code('notificationKind', { description: 'What the person is notified of.' }),
    accountNumber: text('Account number; empty if no account is concerned.'),
    target: text('ID of the note, of the item of work or of the change.'),
    causedBy: text('The person or credential that acted.'),
  }),
  'webhook.test': Type.Object({
    webhookId: Type.String({ format: 'uuid', description: 'ID of the webhook that is tested.' }),
  }),
} as const satisfies Record<EventType, unknown>

/** `data` of an event of a type. */
export type EventData<T extends EventType> = Static<(typeof eventDataShapes)[T]>

/** Whether events of a type concern an account. All others concern a firm as a whole. */
export function isOfAccount(type: EventType): boolean {
  return shapesOfAccounts.has(eventDataShapes[type])
}
