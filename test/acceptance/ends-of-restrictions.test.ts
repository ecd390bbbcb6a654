/**
 * The end of a restriction that the review placed needs two people, however it comes about, and the trail names the
 * cause and the person.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import { pathOf } from '@clearing/protocol'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationOf } from './applications.ts'
import { openAndFollow, read, until } from './calling.ts'
import { goPastClose } from './close-of-day.ts'
import { type PersonAtWork, signIn } from './person.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
let operator: PersonAtWork
let principal: PersonAtWork
before(async () => {
  service = await startRunningService()
  await service.alpha.sandbox.freezeClock({})
  operator = await signIn(service, 'operator@example.com')
  principal = await signIn(service, 'principal@example.com')
})
after(() => service?.stop())

const reason = 'The customer calls from the branch.'

/** An account that is restricted because its W-9 is late. */
async function restrictedAccount() {
  const trusted = {
    occupation: 'Retired',
    trustedContact: { name: 'Sana Haddad', email: 'sana.haddad@example.com' },
  }
  const accountNumber = await openAndFollow(service.alpha, applicationOf(trusted))
  const { data } = await service.operations.operations.listRenewals({ accountNumber })
  await goPastClose(service, addDays(data.renewals[0]?.dueOn ?? '', 1))
  await isStatus(accountNumber, 'Restricted')
  return accountNumber
}
async function statusOf(accountNumber: string) {
  return (await read(service.alpha, accountNumber)).accountStatus
}
function isStatus(accountNumber: string, status: string) {
  return until(
    () => statusOf(accountNumber),
    (now) => now === status,
  )
}
async function w9Of(accountNumber: string) {
  const { followUps } = (await service.alpha.onboardingResult({ accountNumber })).data
  const found = followUps.find(({ code }) => code === 'W9Certification')
  assert.ok(found)
  return found
}
async function endOf(accountNumber: string) {
  const { data } = await service.operations.operations.listRestrictions({ accountNumber })
  const [restriction] = data.restrictions
  const { data: audit } = await service.operations.operations.listAudit({
    accountNumber,
    action: 'end-restriction',
  })
  const [row] = audit.rows
  return {
    endedBy: restriction?.endedBy,
    endReason: restriction?.endReason,
    actor: row?.actor,
    audited: (row?.detail as { reason?: string } | undefined)?.reason,
  }
}
/** Uploads a W-9 as the console does. */
async function upload(who: PersonAtWork, accountNumber: string): Promise<string> {
  const body = new FormData()
  body.set('accountNumber', accountNumber)
  body.set('documentTypeName', 'New Accounts Documents')
  body.set('reference', 'W9')
  body.set('file', new File([new Uint8Array(samplePdf())], 'w9.pdf'))
  const answer = await service.send(pathOf('add-document', 'firm'), {
    headers: {
      'x-clearing-console': '1',
      origin: service.address,
      'sec-fetch-site': 'same-origin',
      cookie: [...who.jar].map(([name, value]) => `${name}=${value}`).join('; '),
    },
    body,
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.json.data.documentId
}

test('a waiver that would end a restriction waits for a second person, who and whose reason the trail names', async () => {
  const accountNumber = await restrictedAccount()
  const { id: followUpId } = await w9Of(accountNumber)
  const asked = await operator.call('waive-follow-up', { accountNumber, followUpId, reason })
  assert.equal(asked.status, 200, asked.text)
  assert.match(asked.json.message, /still waits.*awaits a second person/)
  assert.equal((await w9Of(accountNumber)).status, 'Expired')
  const { changes } = (await operator.call('list-changes', { accountNumber, state: 'Requested' })).json.data
  assert.deepEqual(
    [changes[0].operation, changes[0].subjects, changes[0].fields],
    [
      'waive-follow-up',
      ['Restrictions'],
      [
        { field: `follow-up ${followUpId}`, before: 'W9Certification', after: 'Waived' },
        { field: 'restriction', before: 'MissingTaxForm', after: '' },
      ],
    ],
  )
  const [{ changeId }] = changes
  const work = await principal.call('list-work', { queues: ['Restriction'] })
  assert.deepEqual(
    work.json.data.work.map(({ subject }: { subject: string }) => subject),
    ['waive-follow-up'],
    work.text,
  )
  assert.equal((await operator.call('decide-change', { changeId, decision: 'Approved' })).status, 403)
  assert.equal(await statusOf(accountNumber), 'Restricted')
  const approved = await principal.call('decide-change', { changeId, decision: 'Approved' })
  assert.equal(approved.status, 200, approved.text)
  await isStatus(accountNumber, 'Open')
  const why = `${followUpId} (Form W-9 was not received) was waived: ${reason}`
  assert.deepEqual(await endOf(accountNumber), {
    endedBy: 'principal@example.com',
    endReason: why,
    actor: 'principal@example.com',
    audited: why,
  })
})

test('a credential of operations waives alone, as it ends a restriction alone', async () => {
  const accountNumber = await restrictedAccount()
  const { id: followUpId } = await w9Of(accountNumber)
  await service.operations.operations.waiveFollowUp({ accountNumber, followUpId, reason })
  await isStatus(accountNumber, 'Open')
  const { endedBy, endReason } = await endOf(accountNumber)
  assert.equal(endedBy, 'operations')
  assert.match(endReason ?? '', /was waived: The customer calls/)
})

test('a person waives alone a follow-up that holds no restriction', async () => {
  const accountNumber = await openAndFollow(service.alpha, applicationOf({}))
  const { id: followUpId } = await w9Of(accountNumber)
  const waived = await operator.call('waive-follow-up', { accountNumber, followUpId, reason })
  assert.equal(waived.status, 200, waived.text)
  assert.equal((await w9Of(accountNumber)).status, 'Waived')
})

test('a document is not approved by the person who added it, nor by a credential that the person may hold', async () => {
  const accountNumber = await restrictedAccount()
  const documentId = await upload(operator, accountNumber)
  const decision = { accountNumber, documentId, decision: 'Approved' } as const
  const own = await operator.call('decide-document', decision)
  assert.equal(own.status, 403)
  assert.match(own.json.errors[0].reason, /You added this document/)
  const { data } = await service.operations.operations.decideWork({
    workIds: [`Document.${documentId}`],
    decision: 'Approved',
  })
  assert.match(data.refused[0]?.reason ?? '', /A person added this document/)
  assert.equal(await statusOf(accountNumber), 'Restricted')
  assert.equal((await principal.call('decide-document', decision)).status, 200)
  await isStatus(accountNumber, 'Open')
  const { endedBy, endReason } = await endOf(accountNumber)
  assert.equal(endedBy, 'principal@example.com')
  assert.match(
    endReason ?? '',
    /^FU-\d+ \(Form W-9 was not received\) was answered by the approved document W9\.$/,
  )
})

test('a person rejects the own document', async () => {
  const accountNumber = await openAndFollow(service.alpha, applicationOf({}))
  const documentId = await upload(operator, accountNumber)
  const rejected = await operator.call('decide-document', {
    accountNumber,
    documentId,
    decision: 'Rejected',
    rejectionCode: 'BLURRY',
  })
  assert.equal(rejected.status, 200, rejected.text)
})
