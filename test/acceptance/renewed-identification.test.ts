/**
 * The approval of a renewed identification writes it to the record of its person, so that the next expiry is asked for.
 * Without the members, the firm is asked to enter it.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import { applicationOf } from './applications.ts'
import { openAndFollow, read, rejectionsOf, until } from './calling.ts'
import { goPastClose } from './close-of-day.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
  await service.alpha.sandbox.freezeClock({})
})
after(() => service?.stop())

async function dayIn(days: number) {
  const { now } = (await service.alpha.sandbox.getClock({})).data
  return addDays(easternDay(new Date(now)), days)
}
async function renewalOf(accountNumber: string, kind: string) {
  const { data } = await service.operations.operations.listRenewals({ accountNumber })
  return data.renewals.find((one) => one.kind === kind)
}
function isRenewal(accountNumber: string, kind: string, state: string) {
  return until(
    async () => (await renewalOf(accountNumber, kind)) ?? null,
    (one) => one?.state === state,
  )
}
async function followUpsOf(accountNumber: string, code: string) {
  const { data } = await service.alpha.onboardingResult({ accountNumber })
  const path = 'primaryOwner.governmentIdentification'
  return data.followUps.filter(({ code: of, field }) => of === code && field === path)
}
/** An account whose passport has expired, and the passport that the firm sent. */
async function openExpired() {
  const lastDay = await dayIn(5)
  const id = { idType: 'Passport', idNumber: 'P1112223', idLocation: 'US', idIssueDate: '2017-01-05' }
  const governmentId1 = { ...id, idExpiration: lastDay }
  const owner = { governmentIdentification: { governmentId1 }, trustedContact: { name: 'Sana Haddad' } }
  const accountNumber = await openAndFollow(service.alpha, applicationOf(owner))
  await goPastClose(service, addDays(lastDay, 1))
  await isRenewal(accountNumber, 'IdentityDocument', 'Asked')
  return { accountNumber, documentId: await addPassport(accountNumber) }
}
async function addPassport(accountNumber: string, reference = 'PASS') {
  const { data } = await service.alpha.addDocument({
    accountNumber,
    documentTypeName: 'Identity Documents',
    reference,
    file: { name: 'passport.pdf', content: new Uint8Array(samplePdf()) },
  })
  return data.documentId
}
function approve(given: { accountNumber: string; documentId: string; [member: string]: string }) {
  return service.operations.operations.decideDocument({ decision: 'Approved', ...given })
}
async function idOf(accountNumber: string) {
  const record = await read(service.alpha, accountNumber)
  const { idNumber = '', ...id } = record.primaryOwner.governmentIdentification?.governmentId1 ?? {}
  return { idNumber, ...id }
}
async function issued() {
  return { idNumber: 'P9998887', idLocation: 'US', idIssueDate: await dayIn(-1) }
}

test('an approved passport is written to the record, and its expiry is asked for in its turn', async () => {
  const document = await openExpired()
  const { accountNumber } = document
  const until10 = await dayIn(3_650)
  assert.deepEqual(await rejectionsOf(approve({ ...document, idNumber: 'P9998887' })), [
    'ERR.1000 idExpiration',
    'ERR.1000 idIssueDate',
    'ERR.1000 idLocation',
  ])
  const past = { ...document, ...(await issued()), idExpiration: await dayIn(-1) }
  assert.deepEqual(await rejectionsOf(approve(past)), ['ERR.1025 idExpiration'])
  const nowhere = { ...document, ...(await issued()), idLocation: 'QQ', idExpiration: until10 }
  assert.deepEqual(await rejectionsOf(approve(nowhere)), ['ERR.1015 idLocation'])
  const versions = async () =>
    (await service.query('select version from clearing.account where account_number = $1', [accountNumber]))
      .rows[0].version
  const before = await versions()
  await approve({ ...document, ...(await issued()), idExpiration: until10 })
  const { idNumber, ...on } = await idOf(accountNumber)
  assert.match(idNumber, /8887$/)
  assert.deepEqual(on, {
    idType: 'Passport',
    idLocation: 'US',
    idIssueDate: await dayIn(-1),
    idExpiration: until10,
  })
  assert.equal(await versions(), before + 1)
  await isRenewal(accountNumber, 'IdentityDocument', 'Coming')
  assert.equal((await renewalOf(accountNumber, 'IdentityDocument'))?.fallsOn, addDays(until10, 1))
  assert.equal((await followUpsOf(accountNumber, 'IdentityDocument')).at(-1)?.status, 'Accepted')
  assert.deepEqual(await followUpsOf(accountNumber, 'FieldCompletion'), [])
  await service.eventsReported()
  const { events } = (await service.alpha.listEvents({ accountNumber, size: 100 })).data
  const updated = events.find(({ type }) => type === 'account.updated')?.data as { fields: string[] }
  assert.ok(updated.fields.includes('primaryOwner.governmentIdentification.governmentId1.idExpiration'))
  const { rows } = await service.query(
    `select actor, detail::text as detail from clearing.audit where account_number = $1 and action = 'decide-document'`,
    [accountNumber],
  )
  assert.equal(rows.length, 2)
  for (const { actor, detail } of rows) {
    assert.equal(actor, 'operations')
    assert.doesNotMatch(detail, /P9998887/)
  }
})

test('without the members, the firm is asked to enter the passport, and only its change ends the request', async () => {
  const document = await openExpired()
  const { accountNumber } = document
  await approve(document)
  await isRenewal(accountNumber, 'IdentityRecord', 'Asked')
  assert.equal((await renewalOf(accountNumber, 'IdentityDocument'))?.state, 'Settled')
  const [asked] = await followUpsOf(accountNumber, 'FieldCompletion')
  assert.deepEqual([asked?.status, asked?.blocking], ['Open', false])
  const change = (primaryOwner: object) =>
    service.alpha.updateAccount({ accountNumber, primaryOwner } as never)
  const status = async () => (await followUpsOf(accountNumber, 'FieldCompletion'))[0]?.status
  await change({ email: 'other@example.com' })
  assert.equal(await status(), 'Open')
  await change({ governmentIdentification: { governmentId1: { idNumber: 'P9998887' } } })
  assert.equal(await status(), 'Open')
  await goPastClose(service, await dayIn(1))
  assert.equal((await renewalOf(accountNumber, 'IdentityRecord'))?.state, 'Asked')
  const governmentId1 = { ...(await issued()), idExpiration: await dayIn(3_650) }
  await change({ governmentIdentification: { governmentId1 } })
  assert.equal(await status(), 'Accepted')
  await isRenewal(accountNumber, 'IdentityDocument', 'Coming')
  assert.equal(await renewalOf(accountNumber, 'IdentityRecord'), undefined)
  assert.equal((await followUpsOf(accountNumber, 'FieldCompletion'))[0]?.status, 'Accepted')
})

test('a passport of a sanctioned country is approved, and its change waits for the review', async () => {
  const document = await openExpired()
  const { accountNumber } = document
  const id = { ...(await issued()), idLocation: 'KP', idExpiration: await dayIn(3_650) }
  const { message } = await approve({ ...document, ...id })
  assert.match(message, /^The record is unchanged: change \S+ awaits a review by operations\.$/)
  assert.equal((await idOf(accountNumber)).idLocation, 'US')
  const { changes } = (await service.operations.operations.listChanges({ accountNumber, state: 'Requested' }))
    .data
  assert.deepEqual(
    changes.map(({ subjects }) => subjects),
    [['Screening']],
  )
  await isRenewal(accountNumber, 'IdentityRecord', 'Asked')
})

test('members that renew no identification are refused, and nothing is decided', async () => {
  const { accountNumber, documentId } = await openExpired()
  const id = { ...(await issued()), idExpiration: await dayIn(3_650) }
  const rejected = { accountNumber, documentId, decision: 'Rejected', rejectionCode: 'BLURRY', ...id }
  assert.deepEqual(await rejectionsOf(service.operations.operations.decideDocument(rejected)), [
    'ERR.1015 idNumber',
  ])
  const bill = await addPassport(accountNumber, 'UTIL')
  assert.deepEqual(await rejectionsOf(approve({ accountNumber, documentId: bill, ...id })), [
    'ERR.1015 idNumber',
  ])
  await approve({ accountNumber, documentId, ...id })
  const second = await addPassport(accountNumber)
  assert.deepEqual(await rejectionsOf(approve({ accountNumber, documentId: second, ...id })), [
    'ERR.1015 idNumber',
  ])
})
