/**
 * What `data` of an event holds, by its type. Members may be added (Reading 9). None of them is a tax id, a government id or
 * a birth date.
 */
import Type, { type Static, type TProperties } from 'typebox'
import type { CodeOf } from './codes/index.ts'
import { code } from './field.ts'
import { signedHeadShape } from './shapes/signed-head.ts'

/** A type of event. */
export type EventType = CodeOf<'eventType'>

const text = (description: string) => Type.String({ description })
const day = (description: string) => Type.String({ format: 'date', description })
/** Events of an account name it; further members may come. */
const ofAccount = <P extends TProperties>(properties: P) =>
  Type.Object({ accountNumber: Type.String(), ...properties })

const state = { currentState: code('onboardingState') }
const stage = { stage: code('stageCode') }
const followUp = {
  followUpId: text('As in `followUps` of onboarding-result.'),
  code: code('followUpCode'),
  kind: code('followUpKind'),
}
const activity = {
  loadId: text('The load that posted it.'),
  lines: Type.Integer({ description: 'Lines posted to the account.' }),
  processDateFrom: text('The earliest processDate of them, `yyyyMMdd`.'),
  processDateTo: text('The latest.'),
}
const call = {
  kind: text('`Fed` or `Maintenance`.'),
  issuedOn: day('The business day that issued it.'),
  dueBy: day('The business day by which it must be met.'),
  amount: text('In US dollars, two decimals.'),
}
const decided = {
  documentId: Type.String({ format: 'uuid' }),
  reference: text('As in the document’s record.'),
}

const change = {
  changeId: Type.String({ format: 'uuid' }),
  operation: text('What was asked for.'),
  subjects: Type.Array(code('approvalSubject')),
}

/** The shape of `data` by the type of the event. */
export const eventDataShapes = {
  'account.reserved': ofAccount({ registrationType: code('registrationType') }),
  'account.opened': ofAccount(state),
  'account.updated': ofAccount({
    version: Type.Integer({ description: 'Of the record, after the change.' }),
    fields: Type.Array(Type.String(), { description: 'Paths of what changed, without the values.' }),
  }),
  'account.restricted': ofAccount({
    restrictionId: text('The restriction.'),
    code: code('restrictionCode'),
    inForce: Type.Boolean({ description: 'True when it was placed, false when it was ended.' }),
    accountStatus: code('accountStatus'),
  }),
  'account.closed': ofAccount({ accountStatus: code('accountStatus') }),
  'change.requested': ofAccount(change),
  'change.approved': ofAccount(change),
  'change.rejected': ofAccount(change),
  'application.submitted': ofAccount({
    registrationType: code('registrationType'),
    accountStatus: code('accountStatus'),
  }),
  'application.stage.completed': ofAccount(stage),
  'application.stage.failed': ofAccount(stage),
  'application.action_required': ofAccount(state),
  'application.manual_review': ofAccount(state),
  'application.resumed': ofAccount(state),
  'application.approved': ofAccount(state),
  'application.rejected': ofAccount(state),
  'application.failed': ofAccount(state),
  'followup.opened': ofAccount(followUp),
  'followup.answered': ofAccount(followUp),
  'followup.accepted': ofAccount(followUp),
  'followup.refused': ofAccount(followUp),
  'followup.waived': ofAccount(followUp),
  'followup.expired': ofAccount(followUp),
  'document.received': ofAccount({
    ...decided,
    documentTypeName: text('As in the document’s record.'),
    followUpId: text('The follow-up that it answers; empty for none.'),
  }),
  'document.approved': ofAccount(decided),
  'document.rejected': ofAccount({ ...decided, rejectionCode: code('documentRejectionCode') }),
  'activity.posted': ofAccount(activity),
  'activity.corrected': ofAccount(activity),
  'call.issued': ofAccount(call),
  'call.met': ofAccount(call),
  'business_day.closed': Type.Object({
    closedDate: day('The day that was closed.'),
    businessDate: day('The day that is open now.'),
  }),
  'audit.head.signed': signedHeadShape,
  'webhook.test': Type.Object({ webhookId: Type.String({ format: 'uuid' }) }),
} as const satisfies Record<EventType, unknown>

/** `data` of an event of a type. */
export type EventData<T extends EventType> = Static<(typeof eventDataShapes)[T]>
