/**
 * The approval of the death certificate of an owner restricts the account in the same transaction, with the person who
 * approved it in the trail. An agent changes nothing afterwards.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationFor, applicationOf } from './applications.ts'
import { openAndFollow, read, rejectionsOf } from './calling.ts'
import { type PersonAtWork, signIn } from './person.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
let operator: PersonAtWork
before(async () => {
  service = await startRunningService()
  operator = await signIn(service, 'operator@example.com')
})
after(() => service?.stop())

async function addDocument(accountNumber: string, reference = 'DEAT') {
  const { data } = await service.alpha.addDocument({
    accountNumber,
    documentTypeName: reference === 'DEAT' ? 'Account Maintenance' : 'Identity Documents',
    reference,
    file: { name: 'certificate.pdf', content: new Uint8Array(samplePdf()) },
  })
  return { accountNumber, documentId: data.documentId }
}
async function inForce(accountNumber: string) {
  const { data } = await service.operations.operations.listRestrictions({ accountNumber, inForce: true })
  return data.restrictions
}
const approved = { decision: 'Approved' }

test('the approval restricts the account at once, and a change by an agent is refused', async () => {
  const application = applicationOf({ lastName: 'Late' })
  const agent = {
    ...application.primaryOwner,
    firstName: 'Iris',
    role: 'PowerOfAttorney',
    tradingAuthority: 'Full',
    taxIdNumber: '401129876',
  }
  const accountNumber = await openAndFollow(service.alpha, {
    ...application,
    associatedParties: [agent],
  } as never)
  const document = await addDocument(accountNumber)
  assert.deepEqual(await inForce(accountNumber), [])
  assert.equal((await operator.call('decide-document', { ...document, ...approved })).status, 200)
  const [restriction] = await inForce(accountNumber)
  assert.deepEqual(
    [restriction?.restrictionCode, restriction?.placedBy, restriction?.reason],
    [
      'OwnerDeceased',
      'operator@example.com',
      `The death certificate ${document.documentId} of an owner was approved.`,
    ],
  )
  assert.equal((await read(service.alpha, accountNumber)).accountStatus, 'Restricted')
  const change = service.alpha.updateAccount({
    accountNumber,
    electronicDelivery: { email: 'a@example.com' },
  })
  assert.deepEqual(await rejectionsOf(change), ['ERR.2011 accountNumber'])
  const { rows } = await service.query(
    `select action, actor, detail::text as detail, trace_id from clearing.audit where account_number = $1
       and action in ('place-restriction', 'decide-document') order by action`,
    [accountNumber],
  )
  assert.deepEqual(
    rows.map(({ action, actor }: { action: string; actor: string }) => `${action} ${actor}`),
    ['decide-document operator@example.com', 'place-restriction operator@example.com'],
  )
  assert.equal(rows[0].trace_id, rows[1].trace_id)
  await service.eventsReported()
  const { events } = (await service.alpha.listEvents({ accountNumber, size: 100 })).data
  assert.equal(events.filter(({ type }) => type === 'account.restricted').length, 1)
  // A second certificate is approved without a second restriction.
  const second = await addDocument(accountNumber)
  await service.operations.operations.decideDocument({ ...second, ...approved })
  assert.equal((await inForce(accountNumber)).length, 1)
})

test('another person’s death, an entity and a rejection restrict nothing; the sandbox restricts for the firm too', async () => {
  const owner = await openAndFollow(service.alpha, applicationOf({ lastName: 'Living' }))
  const { decideDocument } = service.operations.operations
  await decideDocument({ ...(await addDocument(owner)), ...approved, ownerDied: 'false' })
  const rejected = { decision: 'Rejected', rejectionCode: 'BLURRY' }
  const blurred = await addDocument(owner)
  assert.deepEqual(await rejectionsOf(decideDocument({ ...blurred, ...rejected, ownerDied: 'true' })), [
    'ERR.1015 ownerDied',
  ])
  await decideDocument({ ...blurred, ...rejected })
  const passport = await addDocument(owner, 'PASS')
  assert.deepEqual(await rejectionsOf(decideDocument({ ...passport, ...approved, ownerDied: 'true' })), [
    'ERR.1015 ownerDied',
  ])
  assert.deepEqual(await inForce(owner), [])
  const estate = await openAndFollow(service.alpha, applicationFor('Estate'))
  await decideDocument({ ...(await addDocument(estate)), ...approved })
  assert.deepEqual(await inForce(estate), [])
  await service.alpha.sandbox.decideDocument({ ...(await addDocument(owner)), ...approved })
  assert.deepEqual(
    (await inForce(owner)).map(({ restrictionCode }) => restrictionCode),
    ['OwnerDeceased'],
  )
})

test('a death certificate is not approved together with other work, but can be rejected with it', async () => {
  const accountNumber = await openAndFollow(service.alpha, applicationOf({ lastName: 'Heir' }))
  const certificate = `Document.${(await addDocument(accountNumber)).documentId}`
  const passport = `Document.${(await addDocument(accountNumber, 'PASS')).documentId}`
  const { decideWork } = service.operations.operations
  const both = (await decideWork({ workIds: [certificate, passport], decision: 'Approved' })).data
  assert.deepEqual(both.taken, [passport])
  assert.deepEqual(
    both.refused.map(({ workId, code }) => [workId, code]),
    [[certificate, 'ERR.1015']],
  )
  assert.deepEqual(await inForce(accountNumber), [])
  const rejected = { decision: 'Rejected', rejectionCode: 'BLURRY', reason: 'It cannot be read.' }
  assert.deepEqual((await decideWork({ workIds: [certificate], ...rejected })).data.taken, [certificate])
})
