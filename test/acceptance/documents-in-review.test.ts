/**
 * A document that is decided on while its application waits for operations settles its follow-up, so that
 * no application waits without a person who acts on it.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationOf } from './applications.ts'
import { follow, open, read, rejectionsOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
  await service.alpha.sandbox.freezeClock({})
})
after(() => service?.stop())

const box = {
  street: 'PO Box 3',
  city: 'Jersey City',
  stateProvince: 'NJ',
  country: 'US',
  postalCode: '07302',
}

/** Asked for a street and for the proof of the birth date, and for the margin agreement if it wants level 3. */
async function asked(main: object = {}) {
  const application = applicationOf(
    { legalAddress: box, birthDate: '1912-01-01' },
    {
      main: { repCode: 'JC01', ...main },
      financialProfile: { investmentProfile: 'Moderate', investmentExperience: { options: 'Limited' } },
    },
  )
  const { accountNumber } = await open(service.alpha, application)
  assert.equal((await follow(service.alpha, accountNumber)).currentState, 'ActionRequired')
  return accountNumber
}
async function add(accountNumber: string, reference: string) {
  const documentTypeName = reference === 'MRGN' ? 'New Accounts Documents' : 'Identity Documents'
  const file = { name: 'scan.pdf', content: samplePdf() }
  const { data } = await service.alpha.addDocument({ accountNumber, documentTypeName, reference, file })
  return data.documentId
}
function decide(accountNumber: string, documentId: string, rejectionCode?: 'BLURRY') {
  const decision = rejectionCode === undefined ? 'Approved' : 'Rejected'
  const code = rejectionCode === undefined ? {} : { rejectionCode }
  return service.operations.operations.decideDocument({ accountNumber, documentId, decision, ...code })
}
function approve(accountNumber: string) {
  const decided = { accountNumber, decision: 'Approved', reason: 'Known to the branch.' } as const
  return service.operations.operations.decideOnboarding(decided)
}
function requestStreet(accountNumber: string) {
  const request = { code: 'FieldCorrection', field: 'primaryOwner.legalAddress', reason: 'Give the street.' }
  return service.operations.operations.requestInformation({ accountNumber, requests: [request] } as never)
}
function giveStreet(accountNumber: string) {
  const primaryOwner = { legalAddress: { ...box, street: '14 Main Street' } }
  return service.alpha.updateAccount({ accountNumber, primaryOwner } as never)
}
/** The day after the last one on which the firm may answer. */
async function dayAfterDue() {
  await service.alpha.sandbox.advanceClock({ days: 31 })
}
async function stateOf(accountNumber: string) {
  const { currentState, followUps } = await follow(service.alpha, accountNumber)
  const blocking = followUps.filter((one) => one.blocking && one.kind !== 'Review')
  return [currentState, ...blocking.map(({ code, status }) => `${code} ${status}`).sort()]
}
async function followUpOf(accountNumber: string, code: string) {
  const { followUps } = (await service.alpha.onboardingResult({ accountNumber })).data
  return followUps.find((one) => one.code === code)?.id ?? ''
}
async function inQueue(accountNumber: string) {
  const { work } = (
    await service.operations.operations.listWork({ queues: ['FollowUp'], size: 100 } as never)
  ).data
  return work.filter((item) => item.accountNumber === accountNumber)
}

describe('a document that was sent in time, while another answer is late', () => {
  test('is approved, and the application continues with the answer that operations request', async () => {
    const accountNumber = await asked()
    const passport = await add(accountNumber, 'PASS')
    await dayAfterDue()
    assert.deepEqual(await stateOf(accountNumber), [
      'ManualReview',
      'BirthDateDocument Answered',
      'FieldCorrection Expired',
    ])
    const { data } = await decide(accountNumber, passport)
    assert.equal(data.followUpId, await followUpOf(accountNumber, 'BirthDateDocument'))
    assert.equal((await stateOf(accountNumber))[1], 'BirthDateDocument Accepted')
    await requestStreet(accountNumber)
    // The firm is not late with the street that it was asked for today.
    assert.deepEqual(await inQueue(accountNumber), [])
    await giveStreet(accountNumber)
    assert.equal((await stateOf(accountNumber))[0], 'CreationComplete')
  })

  test('is rejected, and the firm sends another before or after operations request the late answer', async () => {
    for (const when of ['before', 'after']) {
      const accountNumber = await asked()
      const blurred = await add(accountNumber, 'PASS')
      await dayAfterDue()
      await decide(accountNumber, blurred, 'BLURRY')
      assert.equal((await stateOf(accountNumber))[1], 'BirthDateDocument Rejected')
      if (when === 'after') await requestStreet(accountNumber)
      const second = await add(accountNumber, 'PASS')
      assert.equal((await stateOf(accountNumber))[1], 'BirthDateDocument Answered')
      if (when === 'before') await requestStreet(accountNumber)
      await giveStreet(accountNumber)
      assert.equal((await stateOf(accountNumber))[0], 'ActionRequired')
      await decide(accountNumber, second)
      assert.equal((await stateOf(accountNumber))[0], 'CreationComplete')
    }
  })

  test('gives the margin that it is for, also if it came late itself', async () => {
    for (const when of ['in time', 'late']) {
      const accountNumber = await asked({ optionTradingLevel: '3' })
      const early = when === 'in time' ? await add(accountNumber, 'MRGN') : undefined
      await dayAfterDue()
      await decide(accountNumber, early ?? (await add(accountNumber, 'MRGN')))
      assert.ok((await stateOf(accountNumber)).includes('MarginAgreement Accepted'), when)
      await approve(accountNumber)
      assert.equal((await stateOf(accountNumber))[0], 'CreationComplete', when)
      assert.equal((await read(service.alpha, accountNumber)).main.marginIndicator, 'true', when)
    }
  })
})

test('a late document is sent by name too, but a late field is not accepted', async () => {
  const accountNumber = await asked()
  await dayAfterDue()
  const documentId = await add(accountNumber, 'DRLC')
  const followUpId = await followUpOf(accountNumber, 'BirthDateDocument')
  const { followUps } = (await service.alpha.onboardingResult({ accountNumber })).data
  assert.deepEqual(
    followUps.find(({ id }) => id === followUpId)?.answers.map((one) => one.documentId),
    [documentId],
  )
  const text = 'The farm has no street.'
  const field = await followUpOf(accountNumber, 'FieldCorrection')
  assert.deepEqual(
    await rejectionsOf(service.alpha.answerFollowUp({ accountNumber, followUpId: field, text })),
    ['ERR.2010 followUpId'],
  )
})

test('an application of an earlier release whose answer was decided on is in the inbox, and a waiver ends the wait', async () => {
  const accountNumber = await asked()
  const passport = await add(accountNumber, 'PASS')
  await giveStreet(accountNumber)
  assert.deepEqual(await stateOf(accountNumber), [
    'ActionRequired',
    'BirthDateDocument Answered',
    'FieldCorrection Accepted',
  ])
  // The document waits in its own queue.
  assert.deepEqual(await inQueue(accountNumber), [])
  await service.query("update clearing.document set status = 'Approved' where document_id = $1", [passport])
  const [item, ...others] = await inQueue(accountNumber)
  assert.deepEqual([item?.subject, item?.detail, others.length], ['BirthDateDocument', decidedOn, 0])
  const followUpId = await followUpOf(accountNumber, 'BirthDateDocument')
  const waived = { accountNumber, followUpId, reason: 'The passport was approved.' }
  await service.operations.operations.waiveFollowUp(waived)
  assert.equal((await stateOf(accountNumber))[0], 'CreationComplete')
  assert.deepEqual(await inQueue(accountNumber), [])
})

const decidedOn = 'Its answer was decided on, and it still waits: waive the follow-up'
