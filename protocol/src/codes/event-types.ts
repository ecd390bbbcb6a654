// The types of events, which report what happened to accounts, applications and documents. Types may be added: a client
// must accept types that it does not know, or filter by wildcards such as `document.*`. Reading 9.

import { listCodes } from './code-list.ts'

/** Types of events. */
export const eventTypes = listCodes({
  'account.reserved': 'An account number was reserved',
  'account.opened': 'The account was opened',
  'account.updated': 'The record was changed; data.fields names the changed fields',
  'account.restricted': 'A restriction was placed or ended, or a temporary hold was extended',
  'account.closed': 'The account was closed',
  'change.requested':
    'A change of the account waits for operations: a second person, decisions on its matches, or both',
  'change.approved': 'The change was approved, or its matches were cleared, and took effect',
  'change.rejected': 'The change was rejected or withdrawn; nothing changed; data.outcome says why',
  'application.submitted': 'An application was submitted; its checks begin',
  'application.stage.completed': 'A stage of the onboarding succeeded',
  'application.stage.failed': 'A stage of the onboarding failed',
  'application.action_required': 'The firm must answer follow-ups',
  'application.manual_review': 'Operations must decide',
  'application.resumed': 'The follow-ups were answered or decided; the checks continue',
  'application.approved': 'All checks passed; the account is being set up',
  'application.rejected': 'The application was rejected or withdrawn; the account is not opened',
  'application.failed': 'The account could not be set up',
  'followup.opened': 'A follow-up was opened',
  'followup.answered': 'A follow-up was answered',
  'followup.accepted': 'The answer was accepted',
  'followup.refused': 'The answer was not accepted',
  'followup.waived': 'The follow-up is no longer needed',
  'followup.expired': 'The follow-up was not answered in time',
  'document.received': 'A document was added',
  'document.approved': 'A document was approved',
  'document.rejected': 'A document was rejected; data.rejectionCode says why',
  'activity.posted': 'Activity was posted to the account',
  'activity.corrected': 'Posted activity was corrected or canceled',
  'activity.restated':
    'Later lines changed the amounts of lines that were posted before; data.restated has both amounts',
  'statement.ready': 'A statement or a confirmation of trades was made',
  'corporate_action.announced': 'A corporate action of a security was announced',
  'corporate_action.amended': 'The terms of an announced corporate action were amended',
  'corporate_action.booked': 'The lines of an announced corporate action are booked for every holder',
  'corporate_action.cancelled': 'An announced corporate action was cancelled; its lines are reversed',
  'corporate_action.elected': 'The holder chose between the options of a corporate action',
  'corporate_action.election_voided':
    'Elections of the holder are void, because the corporate action was amended',
  'call.issued': 'A margin call was issued',
  'call.extended': 'The time to meet a margin call was extended',
  'call.met': 'A margin call was met',
  'call.ended': 'An intraday margin deficit ended without being satisfied',
  'business_day.closed': 'A business day was closed for the whole firm',
  'incident.opened': 'An incident of the service was reported; data.components names what it affects',
  'incident.updated': 'There is a further report on the incident',
  'incident.resolved': 'The incident is over',
  'log.restored':
    'The service was restored to an earlier moment; what happened after data.lastEventId is lost. Sent to every webhook, whatever its filter',
  'audit.head.signed': 'The head of the firm’s audit chain was signed; keep a copy of it',
  'staff.notified': 'A person of the clearing firm was notified; only the clearing firm receives this event',
  'webhook.test': 'A test of a webhook; it is not in the log',
})

/** Statuses of a webhook delivery. */
export const deliveryStatuses = listCodes({
  Waiting: 'Waits for its first or next attempt',
  Delivered: 'The receiver returned 2xx',
  Failed: 'Abandoned: retried for three days, rejected permanently, or the webhook was disabled',
})

/** Reasons for a delivery. */
export const deliveryKinds = listCodes({
  Event: 'The event happened',
  Resend: 'A repetition was requested',
  Test: 'A trial',
})
