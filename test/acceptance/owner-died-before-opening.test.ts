/**
 * The approval of the death certificate of an owner refers an application to operations, whatever it waits for. If they
 * approve it nevertheless, the account opens with the restriction OwnerDeceased.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../server/src/database/test-waiting.ts'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { type Application, applicationFor, applicationOf } from './applications.ts'
import { follow, open, openAndFollow, read } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

const approved = { decision: 'Approved' }

async function addDocument(accountNumber: string, reference = 'DEAT') {
  const { data } = await service.alpha.addDocument({
    accountNumber,
    documentTypeName: reference === 'DEAT' ? 'Account Maintenance' : 'Identity Documents',
    reference,
    file: { name: 'certificate.pdf', content: new Uint8Array(samplePdf()) },
  })
  return { accountNumber, documentId: data.documentId }
}

function withTaxId(taxIdNumber: string, application: Application = applicationOf({})): Application {
  return { ...application, primaryOwner: { ...application.primaryOwner, taxIdNumber } }
}

async function restrictionsOf(accountNumber: string) {
  const { data } = await service.operations.operations.listRestrictions({ accountNumber })
  return data.restrictions.map(({ restrictionCode, placedBy, reason }) => [restrictionCode, placedBy, reason])
}

/** The open reviews and the state. */
async function waiting(accountNumber: string) {
  const { data } = await service.alpha.onboardingResult({ accountNumber })
  const reviews = data.followUps.filter(({ kind, status }) => kind === 'Review' && status === 'Open')
  return { state: data.currentState, reviews }
}

test('an application that waits for the firm is referred, and opens restricted if it is approved', async () => {
  for (const application of [applicationOf({}), applicationFor('JointWROS')]) {
    const accountNumber = await openAndFollow(service.alpha, withTaxId('000000002', application))
    const bill = await addDocument(accountNumber, 'UTIL')
    const { decideDocument, decideOnboarding } = service.operations.operations
    const certificate = await addDocument(accountNumber)
    const decided = await decideDocument({ ...certificate, ...approved })
    assert.match(decided.message, /waits in ManualReview/)
    const { state, reviews } = await waiting(accountNumber)
    assert.equal(state, 'ManualReview')
    assert.deepEqual(
      reviews.map(({ code }) => code),
      ['IdentityReview'],
    )
    const reason = `The death certificate ${certificate.documentId} of an owner was approved.`
    assert.ok(reviews[0]?.reasons[0]?.startsWith(reason))
    const { work } = (await service.operations.operations.listWork({ queues: ['Application'] })).data
    assert.ok(work.some((item) => item.accountNumber === accountNumber && item.detail.includes(reason)))
    // The last document that the firm was asked for does not open the account.
    await decideDocument({ ...bill, ...approved })
    assert.equal((await waiting(accountNumber)).state, 'ManualReview')
    await decideOnboarding({ accountNumber, ...approved, reason: 'It is another person of this name.' })
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
    assert.equal((await read(service.alpha, accountNumber)).accountStatus, 'Restricted')
    assert.deepEqual(await restrictionsOf(accountNumber), [['OwnerDeceased', 'service', reason]])
    await service.eventsReported()
    const { events } = (await service.alpha.listEvents({ accountNumber, size: 100 })).data
    assert.deepEqual(
      events.map(({ type }) => type).filter((type) => /^account\.(opened|restricted)$/.test(type)),
      ['account.opened', 'account.restricted'],
    )
  }
})

test('the rejection of the application ends it, and a check that was due does nothing', async () => {
  const slow = await open(service.alpha, applicationOf({ lastName: 'Slow30' }))
  const { accountNumber } = slow
  const { decideDocument, decideOnboarding } = service.operations.operations
  await until('the checks have begun', async () => (await waiting(accountNumber)).state === 'Screening')
  await decideDocument({ ...(await addDocument(accountNumber)), ...approved })
  assert.equal((await waiting(accountNumber)).state, 'ManualReview')
  await service.alpha.sandbox.advanceClock({ duration: 'PT5M' })
  assert.equal((await waiting(accountNumber)).state, 'ManualReview')
  await decideOnboarding({ accountNumber, decision: 'Rejected', reason: 'The owner died.' })
  assert.equal((await waiting(accountNumber)).state, 'Rejected')
})

test('cleared matches do not open the account: a person decides on the death', async () => {
  const accountNumber = await openAndFollow(service.alpha, withTaxId('000000005'))
  const { decideDocument, decideMatch, decideOnboarding, listMatches } = service.operations.operations
  await decideDocument({ ...(await addDocument(accountNumber)), ...approved })
  const [match] = (await listMatches({ accountNumber })).data.matches
  await decideMatch({
    accountNumber,
    matchId: match?.matchId ?? '',
    decision: 'Cleared',
    reason: 'Another birth date.',
  })
  const { state, reviews } = await waiting(accountNumber)
  assert.deepEqual([state, reviews.length], ['ManualReview', 2])
  await decideOnboarding({ accountNumber, ...approved, reason: 'It is another person of this name.' })
  await follow(service.alpha, accountNumber)
  assert.equal((await read(service.alpha, accountNumber)).accountStatus, 'Restricted')
})

test('another person’s death, an entity and a rejected certificate refer no application', async () => {
  const { decideDocument } = service.operations.operations
  const asked = await openAndFollow(service.alpha, withTaxId('000000002'))
  const blurred = await addDocument(asked)
  await decideDocument({ ...blurred, decision: 'Rejected', rejectionCode: 'BLURRY' })
  await decideDocument({ ...(await addDocument(asked)), ...approved, ownerDied: 'false' })
  assert.equal((await waiting(asked)).state, 'ActionRequired')
  await decideDocument({ ...(await addDocument(asked, 'UTIL')), ...approved })
  assert.equal((await follow(service.alpha, asked)).currentState, 'CreationComplete')
  assert.deepEqual(await restrictionsOf(asked), [])
  const estate = await openAndFollow(service.alpha, withTaxId('000000002', applicationFor('Estate')))
  const before = (await waiting(estate)).state
  await decideDocument({ ...(await addDocument(estate)), ...approved })
  assert.deepEqual([before, (await waiting(estate)).state], ['ActionRequired', 'ActionRequired'])
})

test('the firm refers its application in the sandbox too', async () => {
  const accountNumber = await openAndFollow(service.alpha, withTaxId('000000002'))
  await service.alpha.sandbox.decideDocument({ ...(await addDocument(accountNumber)), ...approved })
  assert.equal((await waiting(accountNumber)).state, 'ManualReview')
})
