// What the staff of the clearing firm work with: their roles, the queues of the work inbox, changes that a second person
// approves.

import { listCodes } from './code-list.ts'

/** Roles of staff; what each may do is one table (protocol, roles). */
export const staffRoles = listCodes({
  viewer: 'Looks, and changes nothing',
  operator: 'Reviews, decides, loads, and asks for what a second person must approve',
  principal: 'As operator, and approves what others asked for',
  admin: 'Manages client firms, credentials and staff',
})

/** Queues of the work inbox. */
export const workQueues = listCodes({
  Application: 'Applications to decide on',
  FollowUp: 'Applications whose firm has not answered in time',
  Document: 'Documents to review',
  Match: 'Possible matches of a watch list',
  Change: 'Changes that await a second person',
  Restriction: 'Restrictions and closings that await a second person',
  Break: 'Facts that do not fit the books',
  Call: 'Margin calls that are not met',
  Job: 'Jobs that failed too often',
  Webhook: 'Webhook deliveries that were given up',
})

/** sortBy of list-work. */
export const workSorts = listCodes({
  since: 'How long it has waited, the longest first',
  queue: 'Queue',
  accountNumber: 'Account number',
  firmName: 'Name of the firm',
  assignedTo: 'Who has taken it; what nobody has taken comes first',
})

/** Whose work is asked for. */
export const workAssignments = listCodes({
  Anybody: 'All of it',
  Mine: 'What I have taken',
  Nobody: 'What nobody has taken',
})

/** What becomes of failed work. */
export const workSettlements = listCodes({
  Again: 'A job is tried again, a delivery is sent again',
  GiveUp: 'It is not tried again',
})

/** States of a change that a second person approves. */
export const changeStates = listCodes({
  Requested: 'Awaits a second person',
  Approved: 'Took effect',
  Rejected: 'Was refused',
  Withdrawn: 'Was taken back by who asked for it',
})

/** What may need a second person's approval. A firm's setting names those that do whoever asks. Reading 3.9. */
export const approvalSubjects = listCodes({
  Names: 'Names of the owner and parties',
  Addresses: 'Mailing and legal addresses',
  Beneficiaries: 'Beneficiaries and their shares',
  Restrictions: 'Placing and ending restrictions',
  Closing: 'Closing an account',
  Credentials: 'New credentials and secrets',
  Matches: 'Clearing matches of a watch list that are likely',
  Screening: 'Names and addresses of which a watch list has a possible match',
  DayClose: 'Closing a business day with something open',
})

/** What a restriction can suspend. */
export const entitlements = listCodes({
  Buying: 'Opening transactions',
  Selling: 'Closing transactions',
  Options: 'Option transactions',
  Margin: 'Trading on margin',
  Withdrawals: 'Money going out',
  TransfersOut: 'Securities going out',
  Changes: 'Changes of the record',
})

/** Forms of an export of lines. */
export const exportFormats = listCodes({
  NDJSON: 'A JSON object a line',
  CSV: 'Comma-separated values, names in the first line',
})
