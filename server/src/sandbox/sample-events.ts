/** The data of events that emit-event writes: an example of each type, with all members that the contract requires. */
import type { EventData, EventType } from '@clearing/protocol'
import { clearingFirmId } from '../store/firms.ts'

type Data = { readonly [T in EventType]: EventData<T> }

const accountNumber = ''
const id = '00000000-0000-4000-8000-000000000000'
const day = '2026-01-30'
const nextDay = '2026-02-02'

const change = { accountNumber, changeId: id, operation: 'update-account', subjects: ['Addresses'] }
const waiting = { accountNumber, currentState: 'ActionRequired', expectedBy: null }
const stage = { accountNumber, stage: 'IdentityCheck' }
const followUp = { accountNumber, followUpId: 'FU-1', code: 'AddressDocument', kind: 'Document' }
const document = { accountNumber, documentId: id, reference: 'UTIL' }
const activity = {
  accountNumber,
  loadId: id,
  lines: 1,
  processDateFrom: day.replaceAll('-', ''),
  processDateTo: day.replaceAll('-', ''),
}
const action = {
  corporateActionId: 'SAMPLE-1',
  type: 'Dividend',
  secNo: '1000001',
  exDate: day,
  payDate: nextDay,
  deadline: '',
}
const elected = { accountNumber, corporateActionId: 'SAMPLE-1', acctType: '1' }
const election = { option: 'CASH', quantity: '' }
const call = { accountNumber, kind: 'Maintenance', issuedOn: day, dueBy: nextDay, amount: '100.00' }
const incident = {
  incidentId: id,
  title: 'A sample incident',
  state: 'Investigating',
  impact: 'Degraded',
  components: ['Reading'],
  text: 'Nothing has happened.',
}

export const sampleEvents: Readonly<Record<string, object>> = {
  'account.reserved': { accountNumber, registrationType: 'Individual' },
  'account.opened': { accountNumber, currentState: 'CreationComplete' },
  'account.updated': { accountNumber, version: 2, fields: ['electronicDelivery.email'] },
  'account.restricted': {
    accountNumber,
    restrictionId: id,
    code: 'ReturnedMail',
    inForce: true,
    accountStatus: 'Restricted',
  },
  'account.closed': { accountNumber, accountStatus: 'Closed' },
  'change.requested': change,
  'change.approved': change,
  'change.rejected': { ...change, outcome: 'Refused' },
  'application.submitted': { accountNumber, registrationType: 'Individual', accountStatus: 'Pending' },
  'application.stage.completed': stage,
  'application.stage.failed': stage,
  'application.action_required': waiting,
  'application.manual_review': { ...waiting, currentState: 'ManualReview' },
  'application.resumed': { accountNumber, currentState: 'Screening' },
  'application.approved': { accountNumber, currentState: 'AccountCreation' },
  'application.rejected': { accountNumber, currentState: 'Rejected' },
  'application.failed': { accountNumber, currentState: 'CreationFailed' },
  'followup.opened': followUp,
  'followup.answered': followUp,
  'followup.accepted': followUp,
  'followup.refused': followUp,
  'followup.waived': followUp,
  'followup.expired': followUp,
  'document.received': {
    ...document,
    documentTypeName: 'Identity Documents',
    followUpId: 'FU-1',
    expectedBy: null,
  },
  'document.approved': document,
  'document.rejected': { ...document, rejectionCode: 'BLURRY' },
  'activity.posted': activity,
  'activity.corrected': activity,
  'activity.restated': {
    accountNumber,
    loadId: id,
    restatedOn: nextDay,
    restated: [
      {
        externalId: 'SAMPLE-2',
        transType: 'ReturnOfCapital',
        acctType: '1',
        currency: 'USD',
        netAmountBefore: '100.00',
        netAmount: '150.00',
        securities: [],
      },
    ],
  },
  'statement.ready': {
    accountNumber,
    kind: 'Statement',
    periodFrom: '2026-01-01',
    periodTo: day,
    version: 1,
    delivery: 'Electronic',
  },
  'corporate_action.announced': action,
  'corporate_action.amended': { ...action, version: 2 },
  'corporate_action.booked': action,
  'corporate_action.cancelled': action,
  'corporate_action.elected': { ...elected, elections: [election] },
  'corporate_action.election_voided': {
    ...elected,
    elections: [{ ...election, void: 'The option is no longer offered.' }],
  },
  'call.issued': call,
  'call.extended': { accountNumber, kind: call.kind, issuedOn: day, dueBy: nextDay },
  'call.met': call,
  'call.ended': { ...call, kind: 'Intraday' },
  'business_day.closed': { closedDate: day, businessDate: nextDay },
  'incident.opened': incident,
  'incident.updated': { ...incident, state: 'Monitoring' },
  'incident.resolved': { ...incident, state: 'Resolved' },
  // An empty hash and signature: no program takes the sample for a head of a chain.
  'audit.head.signed': {
    firmId: clearingFirmId,
    number: 0,
    sequence: 0,
    hash: '',
    at: `${day}T00:00:00.000Z`,
    previous: '',
    keeps: null,
    keyId: '',
    signature: '',
  },
  'staff.notified': {
    notificationId: id,
    recipient: 'operator@example.com',
    kind: 'Mention',
    accountNumber,
    target: id,
    causedBy: 'operations',
  },
  'log.restored': { lastEventId: id, lastEventAt: `${day}T21:00:00.000Z` },
  'webhook.test': { webhookId: id },
} satisfies Data
