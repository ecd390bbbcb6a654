/**
 * Every example of every operation of the contract runs unchanged against the sandbox, except for the values that it
 * calls `yours`. Its response is valid against the schema. Other operations make those values first.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addDays, regTPaymentDate } from '@clearing/domain/market'
import { type OperationDefinition, type OperationExample, operations, pathOf } from '@clearing/protocol'
import { Value } from 'typebox/value'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationOf, marginApplication } from './applications.ts'
import { follow, open, openAndFollow, until } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService({ withAccounts: true })
})
after(() => service?.stop())

const table = Object.entries(operations) as [string, OperationDefinition][]

/** The account of an application that waits, by a tax id of the sandbox. */
async function waiting(taxIdNumber: string): Promise<string> {
  const { accountNumber } = await open(service.alpha, applicationOf({ taxIdNumber }))
  await follow(service.alpha, accountNumber)
  return accountNumber
}
function opened() {
  return openAndFollow(service.alpha, applicationOf({}))
}
async function addedDocument(
  accountNumber: string,
  kind = { documentTypeName: 'Identity Documents', reference: 'UTIL' },
): Promise<string> {
  const file = { name: 'bill.pdf', content: samplePdf() }
  const { data } = await service.alpha.addDocument({ ...kind, accountNumber, file })
  return data.documentId
}
async function webhook() {
  const { data } = await service.alpha.createWebhook({ url: 'http://127.0.0.1:9/hook' })
  return { webhookId: data.webhookId }
}
async function firm() {
  const { firms } = (await service.operations.operations.listFirms({})).data
  return { firmId: firms.find(({ entityNumbers }) => entityNumbers.includes('302'))?.firmId ?? '' }
}
async function credential() {
  const { firmId } = await firm()
  const { data } = await service.operations.operations.createCredential({ firmId, name: 'An example' })
  assert.ok(data.clientId)
  return { clientId: data.clientId }
}
/** A client firm's account whose changes and restrictions need a second person for every caller. */
async function guardedAccount(): Promise<string> {
  const settings = { changesNeedingApproval: ['Names', 'Restrictions'] }
  await service.operations.operations.updateFirm({ ...(await firm()), settings })
  return openAndFollow(service.beta, applicationOf({}, { entityNumber: '302', main: { repCode: 'BB01' } }))
}
async function changeOf(accountNumber: string) {
  const { changes } = (await service.operations.operations.listChanges({ accountNumber })).data
  return { changeId: changes[0]?.changeId ?? '' }
}
async function work(queue: string, accountNumber: string) {
  const { data } = await service.operations.operations.listWork({ queues: [queue], accountNumber })
  return { workIds: data.work.map(({ workId }) => workId) }
}
/** An account with the confirmation of a trade. */
async function confirmed() {
  const accountNumber = await opened()
  const { businessDate: tradeDate } = (await service.alpha.sandbox.getClock({})).data
  const trade = {
    externalId: `EX-C${accountNumber}`,
    acctNo: accountNumber,
    transType: 'Trade',
    buySell: 'BUY',
  }
  const ndjson = [{ ...trade, symbol: 'HRBR', quantity: '5', price: '48.10', tradeDate }]
  await service.operations.operations.loadActivity({ lines: { ndjson } })
  await service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'Prices of a test are old.' } })
  const kind = 'Confirmation' as const
  await until(
    async () => (await service.alpha.listStatements({ accountNumber, kind })).data.statements.length,
    (made) => made > 0,
  )
  return { accountNumber, periodTo: tradeDate }
}
/** A position with a choice between cash and shares. */
async function holder() {
  const accountNumber = await opened()
  const { businessDate: tradeDate } = (await service.alpha.sandbox.getClock({})).data
  const symbol = 'HRBR'
  const corporateActionId = `EX-${accountNumber}`
  const trade = { externalId: corporateActionId, acctNo: accountNumber, transType: 'Trade', buySell: 'BUY' }
  const { loadActivity, loadCorporateActions } = service.operations.operations
  await loadActivity({ lines: { ndjson: [{ ...trade, symbol, quantity: '5', price: '48.10', tradeDate }] } })
  const options = [
    { option: 'Cash', cashPerShare: '1' },
    { option: 'Shares', type: 'StockDividend', ratio: '1:50' },
  ]
  const dates = { recordDate: '2099-12-30', payDate: '2099-12-31', deadline: '2099-12-29' }
  const action = { externalId: corporateActionId, type: 'Dividend', symbol, ...dates }
  await loadCorporateActions({ lines: { ndjson: [{ ...action, options, defaultOption: 'Cash' }] } })
  await until(
    async () => (await service.alpha.listActionEntitlements({ accountNumber })).data.entitlements.length,
    (entitlements) => entitlements > 0,
  )
  return { accountNumber, corporateActionId }
}
async function review() {
  return work('Application', await waiting('000000004'))
}
let staff = 0

/** Makes the objects that the examples of an operation use, and returns the values that an example calls `yours`. */
const make: Readonly<Record<string, (example: OperationExample) => Promise<Record<string, unknown>>>> = {
  'answer-follow-up': async ({ yours }) => {
    const accountNumber = await waiting('000000002')
    if (yours?.documentId === undefined) return { accountNumber }
    // The follow-up takes the first of two bills automatically. When that is refused, the second can answer it.
    const [first, documentId] = [await addedDocument(accountNumber), await addedDocument(accountNumber)]
    await service.operations.operations.decideDocument({
      accountNumber,
      documentId: first,
      decision: 'Rejected',
      rejectionCode: 'BLURRY',
    })
    return { accountNumber, documentId }
  },
  'get-statement': confirmed,
  'make-statement': confirmed,
  elect: holder,
  'get-document': async () => ({ documentId: await addedDocument('30100001') }),
  'update-webhook': webhook,
  'delete-webhook': webhook,
  'rotate-webhook-secret': webhook,
  'test-webhook': webhook,
  'list-deliveries': webhook,
  'resend-events': webhook,
  'update-firm': firm,
  'create-credential': firm,
  'replace-client-keys': credential,
  'disable-credential': credential,
  'update-credential': credential,
  'decide-onboarding': async () => ({ accountNumber: await waiting('000000004') }),
  'request-information': async () => ({ accountNumber: await waiting('000000004') }),
  'decide-document': async () => ({ documentId: await addedDocument('30100001') }),
  'decide-match': async () => {
    const accountNumber = await waiting('000000005')
    const { matches } = (await service.operations.operations.listMatches({ accountNumber })).data
    return { accountNumber, matchId: matches[0]?.matchId }
  },
  'get-load': async () => {
    const lines = { csv: 'externalId,acctNo\nEX-3,nobody\n' }
    return { loadId: (await service.operations.operations.loadActivity({ lines })).data.loadId }
  },
  'claim-work': review,
  'assign-work': review,
  'decide-work': review,
  'settle-work': async () => {
    const accountNumber = await opened()
    const sale = { externalId: 'EX-4', acctNo: accountNumber, transType: 'Trade', buySell: 'SEL' }
    const line = { ...sale, symbol: 'HRBR', quantity: '5', price: '48.10', tradeDate: '2026-01-30' }
    await service.operations.operations.loadActivity({ lines: { ndjson: [line] } })
    return work('Break', accountNumber)
  },
  'set-clock': async () => {
    const { now } = (await service.alpha.sandbox.getClock({})).data
    return { now: new Date(Date.parse(now) + 1_000).toISOString() }
  },
  'restore-snapshot': async () => {
    const name = 'to-be-restored'
    await service.alpha.sandbox.saveSnapshot({ name })
    return { name }
  },
  'update-incident': async () => {
    const reported = { title: 'An example', components: ['Webhooks'], impact: 'None', text: 'An example.' }
    return { incidentId: (await service.operations.operations.openIncident(reported)).data.incidentId }
  },
  'delete-view': async () => {
    const view = { screen: '/work', name: 'To be deleted', search: 'queue=Document' }
    return { viewId: (await service.operations.operations.saveView(view)).data.viewId }
  },
  'delete-sandbox': async () => ({
    sandboxId: (await service.alpha.sandbox.createSandbox({})).data.sandboxId,
  }),
  'decide-change': async () => {
    const accountNumber = await guardedAccount()
    await service.beta.updateAccount({ accountNumber, primaryOwner: { lastName: 'Fourier' } })
    return changeOf(accountNumber)
  },
  'withdraw-change': async () => {
    const accountNumber = await guardedAccount()
    const restriction = { restrictionCode: 'NoTrading', reason: 'An example.' }
    await service.operations.operations.placeRestriction({ accountNumber, ...restriction })
    return changeOf(accountNumber)
  },
  'withdraw-application': async () => ({ accountNumber: await waiting('000000004') }),
  'withdraw-update': async () => {
    const accountNumber = await opened()
    const primaryOwner = { trustedContact: { name: 'Dmitriy Veshnyakov' } }
    await service.alpha.updateAccount({ accountNumber, primaryOwner })
    const { waiting } = (await service.alpha.accountHistory({ accountNumber })).data
    return { accountNumber, changeId: waiting.changes[0]?.changeId }
  },
  'end-restriction': async () => {
    const accountNumber = await opened()
    const placed = { accountNumber, restrictionCode: 'ReturnedMail', reason: 'An example.' }
    const { restriction } = (await service.operations.operations.placeRestriction(placed)).data
    return { accountNumber, restrictionId: restriction?.restrictionId }
  },
  'record-hold-step': async () => {
    const accountNumber = await opened()
    const hold = { restrictionCode: 'ProtectedAdult', holdGround: 'Impairment', reason: 'An example.' }
    const placed = { accountNumber, ...hold }
    const { restriction } = (await service.operations.operations.placeRestriction(placed)).data
    return { accountNumber, restrictionId: restriction?.restrictionId }
  },
  'close-business-day': async () => {
    const { businessDate } = (await service.alpha.sandbox.getClock({})).data
    await service.alpha.sandbox.setClock({ now: `${businessDate}T20:00:00Z` }).catch(() => undefined)
    return {}
  },
  'review-load': async () => {
    const lines = { csv: 'externalId,acctNo\nEX-5,nobody\n' }
    return { loadId: (await service.operations.operations.loadActivity({ lines })).data.loadId }
  },
  'grant-extension': async () => {
    const accountNumber = await openAndFollow(service.alpha, marginApplication())
    const { businessDate } = (await service.alpha.sandbox.getClock({})).data
    const purchase = { externalId: 'EX-6', acctNo: accountNumber, transType: 'Trade', buySell: 'BUY' }
    const line = { ...purchase, symbol: 'HRBR', quantity: '100', price: '48.10', tradeDate: businessDate }
    const inMargin = { ...line, acctType: '2' }
    await service.operations.operations.loadActivity({ lines: { ndjson: [inMargin] } })
    await service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'An example.' } })
    return { accountNumber, issuedOn: businessDate, until: addDays(regTPaymentDate(businessDate), 1) }
  },
  'close-account': async () => ({ accountNumber: await opened() }),
  'set-entitlements': async () => {
    const accountNumber = await opened()
    const documentId = await addedDocument(accountNumber, {
      documentTypeName: 'New Accounts Documents',
      reference: 'MRGN',
    })
    const decided = { accountNumber, documentId, decision: 'Approved' }
    await service.operations.operations.decideDocument(decided)
    return { accountNumber }
  },
  'correct-identity': async () => {
    const accountNumber = await opened()
    const documentId = await addedDocument(accountNumber, {
      documentTypeName: 'New Accounts Documents',
      reference: 'W9',
    })
    const decided = { accountNumber, documentId, decision: 'Approved' }
    await service.operations.operations.decideDocument(decided)
    return { accountNumber, documentIds: [documentId] }
  },
  'waive-follow-up': async () => {
    const accountNumber = await opened()
    const { followUps } = (await service.alpha.onboardingResult({ accountNumber })).data
    return { accountNumber, followUpId: followUps.find(({ code }) => code === 'W9Certification')?.id }
  },
  'update-staff': async () => {
    const email = `example${++staff}@example.com`
    await service.operations.operations.createStaff({ email, name: 'An Example', role: 'operator' })
    return { email }
  },
}

/** The request of an example with the reader's own values. */
async function requestOf(name: string, example: OperationExample): Promise<Record<string, unknown>> {
  const own = await make[name]?.(example)
  assert.deepEqual(Object.keys(own ?? {}).sort(), Object.keys(example.yours ?? {}).sort(), 'what is yours')
  return { ...(example.request as object), ...own }
}

function bodyOf({ body }: OperationDefinition, request: Record<string, unknown>, lines = '') {
  switch (body) {
    case 'json':
      return { body: JSON.stringify(request), headers: { 'content-type': 'application/json' }, query: '' }
    case 'multipart': {
      const form = new FormData()
      for (const [name, value] of Object.entries(request)) form.set(name, String(value))
      form.set('file', new Blob([new Uint8Array(samplePdf())]), 'example.pdf')
      return { body: form, headers: {}, query: '' }
    }
    case 'lines': {
      const query = new URLSearchParams(request as Record<string, string>)
      return { body: lines, headers: { 'content-type': 'text/csv' }, query: `?${query}` }
    }
    default:
      return body satisfies never
  }
}

for (const [name, operation] of table) {
  describe(name, () => {
    for (const example of operation.examples) {
      test(example.title, async () => {
        const { body, headers, query } = bodyOf(operation, await requestOf(name, example), example.lines)
        const path = pathOf(name, operation.audience) + query
        const token = await service.token(operation.audience === 'operations' ? 'operations' : 'alpha')
        const answer = await service.send(path, {
          body,
          headers: { ...headers, authorization: `Bearer ${token}` } as Record<string, string>,
        })
        assert.equal(answer.status, 200, answer.text)
        if (operation.answers === 'file') return
        assert.deepEqual(answer.json.errors, [])
        assert.deepEqual([...Value.Errors(operation.data, answer.json.data)], [])
        if (example.data !== undefined) assert.deepEqual(answer.json.data, example.data)
        // A response also has status 200 when all its lines and items are rejected.
        if (operation.body === 'lines') assert.deepEqual(answer.json.data.rejects, [])
        if (example.yours?.workIds) assert.deepEqual(answer.json.data.refused, [])
      })
    }
  })
}

test('every operation has an example, and each value of the reader comes from an existing operation', () => {
  for (const [name, { examples, body }] of table) {
    assert.ok(examples.length > 0, name)
    for (const { request, yours = {}, lines } of examples) {
      assert.equal(lines !== undefined, body === 'lines', name)
      for (const [member, operation] of Object.entries(yours))
        assert.ok(member in (request as object) && operation in operations, `${name} ${member}`)
    }
  }
})
