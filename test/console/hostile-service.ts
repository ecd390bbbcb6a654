/**
 * A service in which every text contains a script that must never run: in firms, staff, accounts, documents, notes,
 * decisions, books and snapshots.
 */
import assert from 'node:assert/strict'
import { addDays, addMarketDays } from '@clearing/domain/market'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import {
  address,
  applicationFor,
  applicationOf,
  fullApplication,
  newTaxId,
} from '../acceptance/applications.ts'
import { follow, openAndFollow, until } from '../acceptance/calling.ts'
import { type PersonAtWork, signIn } from '../acceptance/person.ts'
import type { RunningService } from '../acceptance/running-service.ts'
import { Hostile, plantIn, sendWhatIsTaken } from './hostile-texts.ts'
import type { Screen } from './screens.ts'
import { waitingApplication, waitingDocument, waitingMatch } from './waiting-work.ts'

export interface HostileTexts {
  readonly hostile: Hostile
  /** Every screen that shows some of these texts. */
  readonly screens: readonly Screen[]
}

/** Every block of a person who has every kind of affiliation, with names for the fields that refuse a hostile one. */
const affiliation = {
  industry: { associated: 'true', firmClearing: 'false', companyName: 'Harbor Brokers' },
  political: { associated: 'true', name: 'Ada Moreno', organization: 'City of Jersey', relationship: 'Self' },
  publicCompany: { associated: 'true', name: 'Harbor Corp', symbol: 'HRBR' },
  service: {
    associated: 'true',
    name: 'Harbor Review',
    position: 'Director',
    relationship: 'Self',
    affiliatedEntity: 'Harbor Corp',
  },
  address: {},
}
function personOf(affiliated: object) {
  return {
    legalAddress: {},
    employerAddress: {},
    trustedContact: { address: {} },
    affiliation: affiliated,
  }
}

function securityLine(hostile: Hostile) {
  return {
    symbol: 'HOSTILE',
    description: hostile.text('load-securities description', 60),
    secTypeName: 'Common Stock',
    industryGroupName: hostile.text('load-securities industryGroupName', 60),
  }
}

/** Extends a call of the account by a week. */
async function grantExtension(service: RunningService, accountNumber: string, reason: string) {
  const { businessDate } = (await service.alpha.sandbox.getClock({})).data
  const deposit = { externalId: 'extended-1', acctNo: accountNumber, transType: 'Deposit', netAmount: '1' }
  await service.operations.operations.loadActivity({
    lines: { ndjson: [{ ...deposit, tradeDate: '2026-01-30' }] },
  })
  await service.query(
    `insert into clearing.margin_call
       (account_number, kind, issued_on, firm_id, due_by, amount, outstanding, aged_on, age_days)
     select account_number, 'Maintenance', $2::date, firm_id, $2::date, 10, 10, $2::date, 0
     from clearing.account where account_number = $1`,
    [accountNumber, businessDate],
  )
  await service.operations.operations.grantExtension({
    accountNumber,
    kind: 'Maintenance',
    issuedOn: businessDate,
    until: addDays(businessDate, 7),
    reason,
  })
}

/** An action with hostile id and options, of a security that the account holds, and an election. Returns its id. */
async function announceAndElect(service: RunningService, hostile: Hostile, accountNumber: string) {
  const { businessDate } = (await service.alpha.sandbox.getClock({})).data
  const day = (count: number) => addMarketDays(businessDate, count)
  const source = hostile.text('load-corporate-actions source', 60)
  const corporateActionId = hostile.text('load-corporate-actions externalId')
  const option = hostile.text('load-corporate-actions options.option', 30)
  const other = hostile.text('load-corporate-actions options.option', 30)
  const announcement = {
    externalId: corporateActionId,
    type: 'Dividend',
    symbol: 'HOSTILE',
    exDate: day(2),
    payDate: day(3),
    options: [
      { option, cashPerShare: '1' },
      { option: other, type: 'None' },
    ],
    defaultOption: option,
    deadline: day(1),
  }
  const { data: load } = await service.operations.operations.loadCorporateActions({
    source,
    lines: {
      ndjson: [
        announcement,
        {
          ...announcement,
          externalId: hostile.text('load-corporate-actions externalId of an amendment', 60),
          amends: corporateActionId,
          payDate: day(4),
          defaultOption: other,
        },
      ],
    },
  })
  assert.deepEqual(load.rejects, [])
  await until(
    () => service.alpha.listActionEntitlements({ corporateActionId }),
    ({ data }) => data.entitlements.length > 0,
  )
  const base = { corporateActionId, accountNumber, elections: [{ option: other, quantity: '4' }] }
  const planted = plantIn(hostile, 'elect', base)
  await sendWhatIsTaken(hostile, planted, base, (request) => service.alpha.elect(request))
  return corporateActionId
}

/** `operator` requests changes that a second person must approve. */
export async function fillWithHostileTexts(
  service: RunningService,
  operator: PersonAtWork,
): Promise<HostileTexts> {
  const hostile = new Hostile()
  const { operations } = service.operations
  const { alpha } = service
  const text = hostile.text.bind(hostile)

  // A waiting application: decided with a hostile reason, then changed by its firm and by a person.
  const full = fullApplication()
  const base = {
    ...full,
    primaryOwner: { ...full.primaryOwner, taxIdNumber: '000000004', affiliation },
    associatedParties: full.associatedParties?.map((party) => ({ ...party, affiliation })),
  }
  const application = plantIn(hostile, 'new-account', base)
  const opened = await sendWhatIsTaken(hostile, application, base, (request) => alpha.newAccount(request))
  const { accountNumber } = (opened.data as { message: { accountNumber: string } }).message
  await follow(alpha, accountNumber)
  await operations.decideOnboarding({
    accountNumber,
    decision: 'Approved',
    reason: text('decide-onboarding reason'),
  })
  await follow(alpha, accountNumber)
  const blocks = { accountNumber, main: {}, mailingAddress: {}, primaryOwner: personOf(affiliation) }
  const changes = plantIn(hostile, 'update-account', blocks)
  await sendWhatIsTaken(hostile, changes, blocks, (request) => alpha.updateAccount(request))
  const plain = applicationFor('IraTraditional')
  const ira = { ...plain, retirementBenes: plain.retirementBenes?.map((one) => ({ ...one, address })) }
  const plantedIra = plantIn(hostile, 'new-account', ira)
  const openedIra = await sendWhatIsTaken(hostile, plantedIra, ira, (request) => alpha.newAccount(request))
  const { accountNumber: iraNumber } = (openedIra.data as { message: { accountNumber: string } }).message
  await operator.call('place-restriction', {
    accountNumber,
    restrictionCode: 'ReturnedMail',
    reason: text('place-restriction reason'),
  })
  const { data: requested } = await operations.listChanges({ accountNumber })
  const changeId = requested.changes[0]?.changeId ?? ''
  await operations.addNote({ accountNumber, text: text('add-note text') })
  const view = { screen: '/work', name: text('save-view name'), search: 'queue=Match', shared: true }
  await operations.saveView(view)

  // A rejected application, and one whose follow-up was answered.
  const rejected = await waitingApplication(alpha)
  await operations.requestInformation({
    accountNumber: rejected,
    requests: [{ code: 'AddressDocument', reason: text('request-information requests.reason') }],
  })
  await operations.decideOnboarding({
    accountNumber: rejected,
    decision: 'Rejected',
    reason: text('decide-onboarding rejection'),
  })
  const document = await waitingDocument(
    alpha,
    { name: `${text('add-document file name', 40).replaceAll('/', ' ')}.pdf`, content: samplePdf() },
    text('add-document displayName'),
  )
  const more = await alpha.addDocument({
    accountNumber,
    documentTypeName: 'Identity Documents',
    reference: 'PASS',
    displayName: text('add-document displayName'),
    comments: text('add-document comments'),
    file: { name: 'scan.pdf', content: samplePdf() } as never,
  })
  await operations.decideDocument({
    accountNumber,
    documentId: more.data.documentId,
    decision: 'Rejected',
    rejectionCode: 'CROPPED',
    reason: text('decide-document reason'),
  })

  const asked = await waitingApplication(alpha, {
    taxIdNumber: newTaxId(),
    legalAddress: {
      street: 'PO Box 12',
      city: 'Jersey City',
      stateProvince: 'NJ',
      country: 'US',
      postalCode: '07302',
    },
  })
  const { data: waits } = await alpha.onboardingResult({ accountNumber: asked })
  await alpha.answerFollowUp({
    accountNumber: asked,
    followUpId: waits.followUps[0]?.id ?? '',
    text: text('answer-follow-up text'),
  } as never)
  const filed = {
    documentTypeName: text('add-document documentTypeName'),
    reference: text('add-document reference'),
  }
  await sendWhatIsTaken(hostile, filed, {}, () =>
    alpha.addDocument({ ...filed, accountNumber, file: { name: 'scan.pdf', content: samplePdf() } } as never),
  ).catch(() => {})

  // A cleared match, restrictions, a closing that one person requested and another refused, and settled work.
  const matched = await waitingMatch(alpha)
  const { data: found } = await operations.listMatches({ accountNumber: matched })
  await operations.decideMatch({
    accountNumber: matched,
    matchId: found.matches[0]?.matchId ?? '',
    decision: 'Cleared',
    reason: text('decide-match reason'),
  })
  const other = await openAndFollow(alpha, applicationOf({ lastName: 'Closing' }))
  const restricted = await openAndFollow(alpha, applicationOf({ lastName: 'Restricted' }))
  await operations.placeRestriction({
    accountNumber: restricted,
    restrictionCode: 'ReturnedMail',
    reason: text('place-restriction reason'),
  })
  const { data: placed } = await operations.listRestrictions({ accountNumber: restricted })
  await operator.call('end-restriction', {
    accountNumber: restricted,
    restrictionId: placed.restrictions[0]?.restrictionId,
    reason: text('end-restriction reason'),
  })
  await operations.placeRestriction({
    accountNumber: restricted,
    restrictionCode: 'ProtectedAdult',
    holdGround: 'Impairment',
    reason: text('place-restriction reason'),
  })
  const { data: held } = await operations.listRestrictions({ accountNumber: restricted })
  await operations.recordHoldStep({
    accountNumber: restricted,
    restrictionId: held.restrictions[0]?.restrictionId ?? '',
    step: 'Notified',
    reason: text('record-hold-step reason'),
  })
  const entitled = await openAndFollow(
    alpha,
    applicationOf({ lastName: 'Entitled' }, { main: { repCode: 'JC01', marginIndicator: 'true' } }),
  )
  await operator.call('set-entitlements', {
    accountNumber: entitled,
    marginIndicator: 'false',
    reason: text('set-entitlements reason'),
  })
  const { data: form } = await alpha.addDocument({
    accountNumber: entitled,
    documentTypeName: 'New Accounts Documents',
    reference: 'W9',
    file: { name: 'w9.pdf', content: samplePdf() } as never,
  })
  await operations.decideDocument({
    accountNumber: entitled,
    documentId: form.documentId,
    decision: 'Approved',
  })
  await operator.call('correct-identity', {
    accountNumber: entitled,
    taxIdNumber: newTaxId(),
    documentIds: [form.documentId],
    reason: text('correct-identity reason'),
  })
  await operator.call('close-account', { accountNumber: other, reason: text('close-account reason') })
  const { data: closings } = await operations.listChanges({ accountNumber: other })
  const closingId = closings.changes.find(({ operation }) => operation === 'close-account')?.changeId ?? ''
  const principal = await signIn(service, 'principal@example.com')
  await principal.call('decide-change', {
    changeId: closingId,
    decision: 'Rejected',
    reason: text('decide-change reason'),
  })
  const emitted = { accountNumber, type: 'account.updated', note: text('emit-event note') }
  await sendWhatIsTaken(hostile, emitted, { accountNumber, type: 'account.updated' }, (request) =>
    alpha.sandbox.emitEvent(request),
  )

  // A firm, its credential, a person, a webhook, a snapshot, books.
  const { data: alphaFirm } = await operations.listFirms({})
  const alphaId = alphaFirm.firms.find(({ entityNumbers }) => entityNumbers.includes('301'))?.firmId ?? ''
  const { data: firm } = await operations.createFirm({
    name: text('create-firm name'),
    entityNumbers: ['391'],
    repCodes: ['XS01'],
  })
  await operations.updateFirm({ firmId: alphaId, name: text('update-firm name') })
  await operations.createCredential({ firmId: firm.firmId, name: text('create-credential name') })
  await operations.createStaff({
    email: 'hostile@example.com',
    name: text('create-staff name'),
    role: 'viewer',
  })
  await operations.createStaff({ email: 'renamed@example.com', name: 'Renamed', role: 'viewer' })
  await operations.updateStaff({ email: 'renamed@example.com', name: text('update-staff name') })
  await alpha.createWebhook({
    url: `https://hooks.example.com/?${encodeURI(text('create-webhook url'))}`,
    description: text('create-webhook description'),
    types: ['account.opened'],
  } as never)
  await operations.loadSecurities({
    source: text('load-securities source', 60),
    lines: { ndjson: [securityLine(hostile)] },
  } as never)
  await operations.loadPrices({
    source: text('load-prices source', 60),
    lines: {
      ndjson: [
        { symbol: 'HOSTILE', price: '5', priceType: 'LastClose', priceDate: '2026-01-30T21:00:00Z' },
        { symbol: 'NOSUCH', price: '5' },
      ],
    },
  } as never)
  await operations.loadWatchList({
    listName: 'HOSTILE',
    source: text('load-watch-list source', 60),
    lines: { csv: `9007,"VERDANT, Orrin","individual","OWN",${'-0- ,'.repeat(7)}"DOB 14 Mar 1961."\n` },
  } as never)
  const { data: loads } = await operations.listLoads({})
  await operations.loadActivity({
    source: text('load-activity source', 60),
    lines: {
      ndjson: [
        {
          externalId: 'hostile-1',
          acctNo: accountNumber,
          acctType: '1',
          transType: 'Trade',
          buySell: 'BUY',
          symbol: 'HOSTILE',
          quantity: '10',
          price: '5',
          tradeDate: '2026-01-30',
        },
      ],
    },
  } as never)
  const corporateActionId = await announceAndElect(service, hostile, accountNumber)
  const loadId = loads.loads[0]?.loadId ?? ''
  await operations.reviewLoad({ loadId, note: text('review-load note') })
  const waived = await openAndFollow(alpha, applicationOf({}))
  const { followUps } = (await alpha.onboardingResult({ accountNumber: waived })).data
  await operations.waiveFollowUp({
    accountNumber: waived,
    followUpId: followUps.find(({ code }) => code === 'W9Certification')?.id ?? '',
    reason: text('waive-follow-up reason'),
  })
  await grantExtension(service, waived, text('grant-extension reason'))
  await operations.acknowledgeRestore({ reason: text('acknowledge-restore reason') })
  const { data: incident } = await operations.openIncident({
    title: text('open-incident title'),
    components: ['Documents'],
    impact: 'None',
    text: text('open-incident text'),
  })
  await operations.updateIncident({
    incidentId: incident.incidentId,
    state: 'Monitoring',
    text: text('update-incident text'),
  })
  const at = `/console/accounts/${accountNumber}`
  const tabs = [
    'record',
    'history',
    'restrictions',
    'positions',
    'lots',
    'realized',
    'activity',
    'documents',
    'events',
    'notes',
    'audit',
  ]
  const screens: Screen[] = [
    { name: 'home', address: '/console/' },
    { name: 'work', address: '/console/work' },
    { name: 'accounts', address: '/console/accounts' },
    ...tabs.map((tab) => ({ name: tab, address: `${at}?tab=${tab}` })),
    { name: 'application', address: `${at}/application` },
    { name: 'retirement account', address: `/console/accounts/${iraNumber}` },
    { name: 'screening', address: `${at}/screening` },
    { name: 'waived follow-up', address: `/console/accounts/${waived}?tab=audit` },
    { name: 'rejected application', address: `/console/accounts/${rejected}/application` },
    { name: 'document', address: `${at}/documents/${more.data.documentId}` },
    { name: 'answered application', address: `/console/accounts/${asked}/application` },
    { name: 'change', address: `/console/changes/${changeId}` },
    { name: 'cleared match', address: `/console/accounts/${matched}/screening` },
    { name: 'restrictions', address: `/console/accounts/${restricted}?tab=restrictions` },
    { name: 'refused closing', address: `/console/changes/${closingId}` },
    {
      name: 'waiting document',
      address: `/console/accounts/${document.accountNumber}/documents/${document.documentId}`,
    },
    { name: 'loads', address: '/console/books/loads' },
    { name: 'load', address: `/console/books/loads/${loadId}` },
    { name: 'corporate actions', address: '/console/books/corporate-actions' },
    {
      name: 'corporate action',
      address: `/console/books/corporate-actions/action?${new URLSearchParams({ id: corporateActionId })}`,
    },
    { name: 'breaks', address: '/console/books/breaks' },
    { name: 'stock record', address: '/console/books/stock-record?security=HOSTILE' },
    { name: 'firm', address: `/console/firms/${firm.firmId}` },
    { name: 'firms', address: '/console/firms' },
    { name: 'firm with a webhook', address: `/console/firms/${alphaId}` },
    { name: 'reports', address: '/console/reports' },
    { name: 'watch lists', address: '/console/screening' },
    { name: 'matches', address: '/console/screening/matches' },
    { name: 'all restrictions', address: '/console/screening/restrictions' },
    { name: 'incidents', address: '/console/incidents' },
    { name: 'audit', address: '/console/audit' },
    { name: 'staff', address: '/console/staff' },
    { name: 'sandbox', address: '/console/sandbox' },
  ]
  return { hostile, screens }
}
