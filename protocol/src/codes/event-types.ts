// What happens to accounts, applications and documents, and is told to those who listen. Types may be added: keep
// those that you do not know, or filter by wildcards such as `document.*`. Reading 9.

import { listCodes } from './code-list.ts'

/** Types of events. */
export const eventTypes = listCodes({
  'account.reserved': 'A number was reserved',
  'account.opened': 'The account is open',
  'account.updated': 'The record was changed; data.fields names the changed fields',
  'account.restricted': 'A restriction was placed or ended',
  'account.closed': 'The account was closed',
  'change.requested':
    'A change of the account awaits operations: a second person, decisions on its matches, or both',
  'change.approved': 'The change was approved, or its matches were cleared: it took effect',
  'change.rejected': 'The change was refused or taken back: nothing changed',
  'application.submitted': 'An application was accepted; its checks begin',
  'application.stage.completed': 'A stage of the onboarding succeeded',
  'application.stage.failed': 'A stage of the onboarding failed',
  'application.action_required': 'The firm must supply something: see the follow-ups',
  'application.manual_review': 'Operations must decide',
  'application.resumed': 'What was missing is there; the checks go on',
  'application.approved': 'All checks are passed; the account is being set up',
  'application.rejected': 'The account is not opened',
  'application.failed': 'The account could not be set up',
  'followup.opened': 'Something is asked for',
  'followup.answered': 'An answer was received',
  'followup.accepted': 'The answer does',
  'followup.refused': 'The answer does not do',
  'followup.waived': 'No answer is needed any more',
  'followup.expired': 'No answer came in time',
  'document.received': 'A document was added',
  'document.approved': 'A document was approved',
  'document.rejected': 'A document was rejected; data.rejectionCode says why',
  'activity.posted': 'Activity was posted to the account',
  'activity.corrected': 'Posted activity was corrected or cancelled',
  'call.issued': 'A margin call was issued',
  'call.met': 'A margin call was met',
  'business_day.closed': 'A business day was closed for the whole firm',
  'audit.head.signed': 'The head of the firm’s audit chain was signed; keep a copy',
  'webhook.test': 'A trial of a webhook; it is not in the log',
})

/** Statuses of a webhook delivery. */
export const deliveryStatuses = listCodes({
  Waiting: 'To be tried, or tried again',
  Delivered: 'The receiver answered 2xx',
  Failed: 'Given up: tried for three days, refused for good, or the webhook was disabled',
})

/** Why a delivery was made. */
export const deliveryKinds = listCodes({
  Event: 'The event happened',
  Resend: 'It was asked for again',
  Test: 'A trial',
})
