// The coded fields of the staff of the clearing firm: roles, queues of the work inbox, changes that a second person
// approves.

import { listCodes } from './code-list.ts'

/** Roles of staff. `permissions` lists what each role may do. */
export const staffRoles = listCodes({
  viewer: 'Reads everything and changes nothing',
  operator: 'Reviews, decides, loads, and requests changes that a second person must approve',
  principal: 'Does what an operator does, and approves changes that others requested',
  admin: 'Manages client firms, credentials and staff',
})

/** Queues of the work inbox. */
export const workQueues = listCodes({
  Application: 'Applications that wait for a decision',
  FollowUp: 'Applications whose firm has not answered in time',
  Document: 'Documents to review',
  Match: 'Possible matches on a watch list',
  Change: 'Changes that wait for a second person',
  Restriction: 'Restrictions and closings that wait for a second person',
  Hold: 'Temporary holds without a recorded notice, and those that are about to end',
  Break: 'Facts that do not agree with the books',
  Call: 'Margin calls that are not met',
  Job: 'Jobs that failed too often',
  Webhook: 'Webhook deliveries that were abandoned',
})

/** Where a failure of list-failures comes from. */
export const failureSources = listCodes({
  Break: 'Facts that do not agree with the books, by kind',
  Reject: 'Rejected lines of loads that are not reviewed, by error code',
  LoadCutOff: 'Loads that were cut off and are not reviewed, by operation',
  Job: 'Jobs that failed too often, by task',
  Webhook: 'Webhook deliveries that were abandoned, by firm',
  WebhookFailing: 'Webhook deliveries that fail and are repeated, by webhook',
  WebhookDisabled: 'Webhooks that the service disabled, not their firm',
})

/** sortBy of list-work. */
export const workSorts = listCodes({
  since: 'When the item began to wait',
  queue: 'Queue',
  accountNumber: 'Account number',
  firmName: 'Name of the firm',
  assignedTo: 'The person who has claimed the item; unassigned items come first',
})

/** The assignment by which list-work filters. */
export const workAssignments = listCodes({
  Anybody: 'All work',
  Mine: 'Work that I have claimed',
  Nobody: 'Unassigned work',
})

/** What a person of the staff is notified of. */
export const notificationKinds = listCodes({
  Mention: 'A note mentions the person',
  Assigned: 'Another person assigned work to the person',
  Decided: 'A second person decided on a change that the person requested',
  Access: 'A person of the staff was created or enabled, or got another role, password or second factor',
})

/** How failed work is settled. */
export const workSettlements = listCodes({
  Again: 'Retry the job or send the delivery again',
  GiveUp: 'Do not retry',
})

/** States of a change that a second person approves. */
export const changeStates = listCodes({
  Requested: 'Waits for a second person',
  Approved: 'Took effect',
  Rejected: 'Rejected',
  Withdrawn: 'Withdrawn by the person who requested it',
})

/** Why a change ended without taking effect, as the firm learns it. */
export const changeOutcomes = listCodes({
  Stale: 'The record changed since the request: read it and request the change again',
  Invalid: 'The rules do not permit the change any more; errors says why',
  Refused: 'The clearing firm refused the change',
  Withdrawn: 'The requester, or another credential of the firm, withdrew the change',
  Ended: 'What the change concerned has ended, for example because the account was closed',
})

/**
 * Subjects that can need the approval of a second person. A setting of the firm names the subjects that always need it.
 * Reading 3.9.
 */
export const approvalSubjects = listCodes({
  Names: 'Names of the owner and parties',
  Addresses: 'Mailing and legal addresses',
  Beneficiaries: 'Beneficiaries and their shares',
  Contacts: 'E-mail addresses, phone numbers and electronic delivery',
  BirthDate: 'Birth dates of the owner and parties',
  Restrictions: 'Placing and ending restrictions',
  Closing: 'Closing an account',
  Credentials: 'New credentials and secrets',
  Matches: 'Clearing likely matches on a watch list',
  Screening: 'Names and addresses with a possible match on a watch list',
  DayClose: 'Closing a business day with open items',
  Entitlements: 'Margin and option level',
  Identity: 'Tax ids and citizenships, corrected by operations',
  ReviewedFacts: 'Facts that operations review by account policy',
})

/** What a restriction can suspend. */
export const entitlements = listCodes({
  Buying: 'Opening transactions',
  Selling: 'Closing transactions',
  Options: 'Option transactions',
  Margin: 'Trading on margin',
  Withdrawals: 'Withdrawals of money',
  TransfersOut: 'Transfers of securities out',
  Changes: 'Changes of the record',
})

/** Formats of an export. */
export const exportFormats = listCodes({
  NDJSON: 'One JSON object per line',
  CSV: 'Comma-separated values, names in the first line',
})
