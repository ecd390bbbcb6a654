/** An id names its row in upper and in lower case, and the response has the id in lower case. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationOf, newTaxId } from './applications.ts'
import { follow, open, rejectionsOf } from './calling.ts'
import { changesOf, newAccount, operator, principal, service, startBeforeTests } from './screened-changes.ts'

startBeforeTests()

function operations() {
  return service.operations.operations
}
async function addDocument(accountNumber: string, documentTypeName: string, reference: string) {
  const file = { name: 'scan.pdf', content: samplePdf() }
  return (await service.alpha.addDocument({ accountNumber, documentTypeName, reference, file })).data
    .documentId
}

test('of a load', async () => {
  const { data } = await operations().loadPrices({ lines: { ndjson: [{ symbol: 'NONE' }] } })
  const loadId = data.loadId.toUpperCase()
  assert.notEqual(loadId, data.loadId)
  const found = (await operations().getLoad({ loadId })).data
  assert.deepEqual([found.loadId, found.rejected], [data.loadId, 1])
  assert.equal((await operations().reviewLoad({ loadId, note: 'Seen.' })).data.loadId, data.loadId)
  const { rows } = await service.query("select target from clearing.audit where action = 'review-load'")
  assert.deepEqual(rows, [{ target: data.loadId }])
  assert.deepEqual(await rejectionsOf(operations().getLoad({ loadId: 'load-1' })), ['ERR.2013 loadId'])
})

test('of a change', async () => {
  const accountNumber = await newAccount()
  await operator.call('update-account', { accountNumber, primaryOwner: { lastName: 'Morena' } })
  const [change] = await changesOf(accountNumber)
  const changeId = change?.changeId ?? ''
  const { data } = await operations().listChanges({ changeId: changeId.toUpperCase() })
  assert.deepEqual(
    data.changes.map((one) => one.changeId),
    [changeId],
  )
  assert.deepEqual((await operations().listChanges({ changeId: 'change-1' })).data.changes, [])
})

test('of a view', async () => {
  const view = { screen: '/work', name: 'Mine', search: 'queue=Document' }
  const saved = await principal.call('save-view', view)
  const viewId = saved.json.data.viewId
  const removed = await principal.call('delete-view', { viewId: viewId.toUpperCase() })
  assert.equal(removed.json.data?.viewId, viewId, removed.text)
  const { rows } = await service.query("select target from clearing.audit where action = 'delete-view'")
  assert.deepEqual(rows, [{ target: viewId }])
})

test('of a document, which is read, approved and used for a correction', async () => {
  const accountNumber = await newAccount()
  const documentId = await addDocument(accountNumber, 'New Accounts Documents', 'W9')
  const asSent = documentId.toUpperCase()
  const file = await service.alpha.getDocument({ accountNumber, documentId: asSent })
  assert.equal((await new Response(file.body).arrayBuffer()).byteLength, samplePdf().length)
  const decision = { accountNumber, documentId: asSent, decision: 'Approved' as const }
  const decided = (await operations().decideDocument(decision)).data
  assert.deepEqual([decided.documentId, decided.status], [documentId, 'Approved'])
  const request = {
    accountNumber,
    taxIdNumber: newTaxId(),
    documentIds: [asSent],
    reason: 'As the form says.',
  }
  assert.equal((await operations().correctIdentity(request)).data.version, 2)
  assert.deepEqual(
    await rejectionsOf(service.alpha.getDocument({ accountNumber, documentId: 'document-1' })),
    ['ERR.2013 documentId'],
  )
})

test('of a document that answers a follow-up', async () => {
  const { accountNumber } = await open(service.alpha, applicationOf({ taxIdNumber: '000000002' }))
  const [asked] = (await follow(service.alpha, accountNumber)).followUps
  // The follow-up takes the first document of the kind as soon as it is added.
  const first = await addDocument(accountNumber, 'Identity Documents', 'UTIL')
  const second = await addDocument(accountNumber, 'Identity Documents', 'BANK')
  const decision = { accountNumber, documentId: first, decision: 'Rejected', rejectionCode: 'BLURRY' }
  await operations().decideDocument(decision)
  const answer = { accountNumber, followUpId: asked?.id ?? '', documentId: second.toUpperCase() }
  const { data } = await service.alpha.answerFollowUp(answer)
  assert.deepEqual(
    data.followUps[0]?.answers.map(({ documentId }) => documentId),
    [first, second],
  )
})

test('of a follow-up, which is waived', async () => {
  const { accountNumber } = await open(service.alpha, applicationOf({ taxIdNumber: '000000002' }))
  const [asked] = (await follow(service.alpha, accountNumber)).followUps
  const followUpId = asked?.id ?? ''
  const request = { accountNumber, followUpId: followUpId.toLowerCase(), reason: 'Received on paper.' }
  const { data } = await operations().waiveFollowUp(request)
  assert.deepEqual([data.followUps[0]?.id, data.followUps[0]?.status], [followUpId, 'Waived'])
  const { rows } = await service.query(
    "select target from clearing.audit where action = 'waive-follow-up' and account_number = $1",
    [accountNumber],
  )
  assert.deepEqual(rows, [{ target: followUpId }])
})
