/**
 * answer-follow-up answers a follow-up with a document, a changed field or a text. The onboarding then continues
 * automatically.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Data } from '@clearing/protocol'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { address, applicationOf } from './applications.ts'
import { follow, open, read, rejectionsOf, until } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

type Onboarding = Data<'onboarding-result'>

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

/** An application that waits, with the id of its first follow-up. */
async function waiting(owner: object): Promise<{ accountNumber: string; followUpId: string }> {
  const { accountNumber } = await open(service.alpha, applicationOf(owner))
  const { followUps } = await follow(service.alpha, accountNumber)
  return { accountNumber, followUpId: followUps[0]?.id ?? '' }
}
function needsAddress() {
  return waiting({ taxIdNumber: '000000002' })
}
const box = { ...address, street: 'PO Box 12' }
function needsField() {
  return waiting({ legalAddress: box })
}
async function add(accountNumber: string, reference: string) {
  const file = { name: 'scan.pdf', content: samplePdf() }
  const { data } = await service.alpha.addDocument({
    documentTypeName: 'Identity Documents',
    reference,
    accountNumber,
    file,
  })
  return data.documentId
}
function decide(accountNumber: string, documentId: string, decision: string, more: object = {}) {
  return service.operations.operations.decideDocument({ accountNumber, documentId, decision, ...more })
}
function statesOf({ followUps }: Onboarding) {
  return followUps.map(({ code, status }) => `${code} ${status}`)
}
async function eventsOf(accountNumber: string) {
  await service.eventsReported()
  const { data } = await service.alpha.listEvents({ accountNumber, types: ['followup.*'] })
  return data.events.map(({ type }) => type)
}

describe('a document that was added before its follow-up', () => {
  test('answers the follow-up, and its approval opens the account', async () => {
    const { accountNumber, followUpId } = await needsAddress()
    // The second document of the kind: the follow-up takes the first as soon as it is added.
    const first = await add(accountNumber, 'UTIL')
    const second = await add(accountNumber, 'BANK')
    await decide(accountNumber, first, 'Rejected', { rejectionCode: 'BLURRY' })
    const answer = { accountNumber, followUpId, documentId: second }
    const { data } = await service.alpha.answerFollowUp(answer)
    assert.deepEqual(statesOf(data), ['AddressDocument Answered'])
    assert.deepEqual(
      data.followUps[0]?.answers.map(({ documentId }) => documentId),
      [first, second],
    )
    await decide(accountNumber, second, 'Approved')
    const done = await follow(service.alpha, accountNumber)
    assert.equal(done.currentState, 'CreationComplete')
    assert.deepEqual(await eventsOf(accountNumber), [
      'followup.opened',
      'followup.answered',
      'followup.refused',
      'followup.answered',
      'followup.accepted',
    ])
  })

  test('opens the account when it is approved, although another is under review', async () => {
    const { accountNumber } = await needsAddress()
    const first = await add(accountNumber, 'UTIL')
    const second = await add(accountNumber, 'BANK')
    await decide(accountNumber, second, 'Approved')
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
    assert.equal((await read(service.alpha, accountNumber)).accountStatus, 'Open')
    await decide(accountNumber, first, 'Rejected', { rejectionCode: 'DUPLICATE' })
    const { followUps } = await follow(service.alpha, accountNumber)
    assert.equal(followUps[0]?.status, 'Accepted')
  })

  test('opens the account when it is approved after another was rejected', async () => {
    const { accountNumber } = await needsAddress()
    const first = await add(accountNumber, 'UTIL')
    const second = await add(accountNumber, 'BANK')
    await decide(accountNumber, first, 'Rejected', { rejectionCode: 'BLURRY' })
    await decide(accountNumber, second, 'Approved')
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
  })

  test('settles none of the follow-ups of several persons, whose document it may not be', async () => {
    const agents = ['JONAS', 'MARTA'].map((firstName, index) => ({
      ...applicationOf({}).primaryOwner,
      firstName,
      taxIdNumber: `40112${4501 + index}`,
      role: 'PowerOfAttorney',
      citizenshipCountry: 'DE',
    }))
    const application = { ...applicationOf({}), associatedParties: agents }
    const { accountNumber } = await open(service.alpha, application)
    await follow(service.alpha, accountNumber)
    await add(accountNumber, 'PASS')
    await add(accountNumber, 'PASS')
    await decide(accountNumber, await add(accountNumber, 'PASS'), 'Approved')
    assert.deepEqual(statesOf(await follow(service.alpha, accountNumber)), [
      'ForeignIdentityDocument Answered',
      'ForeignIdentityDocument Answered',
    ])
  })

  test('is refused when it has another kind, was rejected, or belongs to another account', async () => {
    const { accountNumber, followUpId } = await needsAddress()
    const refusal = (documentId: string) =>
      rejectionsOf(service.alpha.answerFollowUp({ accountNumber, followUpId, documentId }))
    assert.deepEqual(await refusal(await add(accountNumber, 'PASS')), ['ERR.1015 documentId'])
    const util = await add(accountNumber, 'UTIL')
    await decide(accountNumber, util, 'Rejected', { rejectionCode: 'BLURRY' })
    assert.deepEqual(await refusal(util), ['ERR.2010 documentId'])
    const other = await needsAddress()
    assert.deepEqual(await refusal(await add(other.accountNumber, 'UTIL')), ['ERR.2013 documentId'])
    assert.deepEqual(await refusal('nonsense'), ['ERR.2013 documentId'])
  })
})

test('a tax form that was approved before the opening answers the follow-up of the opening', async () => {
  const { accountNumber } = await needsField()
  const { data } = await service.alpha.addDocument({
    documentTypeName: 'New Accounts Documents',
    reference: 'W9',
    accountNumber,
    file: { name: 'w9.pdf', content: samplePdf() },
  })
  await decide(accountNumber, data.documentId, 'Approved')
  await service.alpha.updateAccount({ accountNumber, primaryOwner: { legalAddress: address } })
  await follow(service.alpha, accountNumber)
  const done = await until(
    () => follow(service.alpha, accountNumber),
    ({ followUps }) => followUps.some((one) => one.code === 'W9Certification' && one.status === 'Accepted'),
  )
  assert.equal(done.currentState, 'CreationComplete')
})

describe('changes of the requested field', () => {
  test('answer the follow-up, are stored as a version, and the onboarding continues automatically', async () => {
    const { accountNumber, followUpId } = await needsField()
    const changes = { primaryOwner: { LegalAddress: { street: '14 Pier Lane' } } } as object
    const { data } = await service.alpha.answerFollowUp({
      accountNumber,
      followUpId,
      changes,
      text: 'Moved in May.',
    })
    assert.deepEqual(statesOf(data), ['FieldCorrection Accepted'])
    assert.deepEqual(
      data.followUps[0]?.answers.map(({ fields, text }) => [fields, text]),
      [[['primaryOwner.legalAddress.street'], 'Moved in May.']],
    )
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
    const record = await read(service.alpha, accountNumber)
    assert.equal(record.primaryOwner.legalAddress?.street, '14 PIER LANE')
    const { history } = (await service.alpha.accountHistory({ accountNumber })).data
    assert.deepEqual(
      history.map(({ operation }) => operation),
      ['onboarding.stage-ended', 'answer-follow-up', 'new-account'],
    )
  })

  test('must meet the rules of update-account, under `changes`', async () => {
    const { accountNumber, followUpId } = await needsField()
    const refusal = (changes: object) =>
      rejectionsOf(service.alpha.answerFollowUp({ accountNumber, followUpId, changes }))
    assert.deepEqual(await refusal({ primaryOwner: { email: 'new@example.com' } }), [
      'ERR.1000 changes.primaryOwner.legalAddress',
    ])
    assert.deepEqual(await refusal({ primaryOwner: { taxIdNumber: '219099111' } }), [
      'ERR.1021 changes.primaryOwner.taxIdNumber',
    ])
    assert.deepEqual(await refusal({ primaryOwner: { legalAddress: { stateProvince: 'ZZ' } } }), [
      'ERR.1008 changes.primaryOwner.legalAddress.stateProvince',
    ])
    const street = { primaryOwner: { legalAddress: { street: '14 Pier Lane' } } }
    assert.deepEqual(await refusal({ expectedVersion: 2, ...street }), ['ERR.2010 changes.expectedVersion'])
    assert.equal((await read(service.alpha, accountNumber)).version, 1)
  })

  test('that do not correct the field leave the follow-up open, until its date', async () => {
    const { accountNumber, followUpId } = await needsField()
    const before = (await service.alpha.onboardingResult({ accountNumber })).data.followUps
    const changes = { primaryOwner: { legalAddress: { street: 'P.O. Box 99' } } }
    const { message } = await service.alpha.answerFollowUp({ accountNumber, followUpId, changes })
    assert.equal(
      message,
      `The record has the changes, and follow-up ${followUpId} still asks: ${before[0]?.reasons[0]}`,
    )
    const again = await follow(service.alpha, accountNumber)
    assert.equal(again.currentState, 'ActionRequired')
    assert.deepEqual(again.followUps, before)
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.legalAddress?.street, 'P.O. BOX 99')
  })

  test('that do not correct the field are made, and the text that explains them goes to operations', async () => {
    const { accountNumber, followUpId } = await needsField()
    const changes = { primaryOwner: { legalAddress: { street: 'P.O. Box 99' } } }
    const text = 'The island has no street names.'
    const { data } = await service.alpha.answerFollowUp({ accountNumber, followUpId, changes, text })
    assert.equal(data.currentState, 'ManualReview')
    assert.deepEqual(
      data.followUps[0]?.answers.map(({ fields, text: given }) => [fields, given]),
      [[[], text]],
    )
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.legalAddress?.street, 'P.O. BOX 99')
  })
})

describe('a text', () => {
  test('goes to operations, who decide', async () => {
    const { accountNumber, followUpId } = await needsField()
    const { data } = await service.alpha.answerFollowUp({
      accountNumber,
      followUpId,
      text: 'The island has no street names.',
    })
    assert.equal(data.currentState, 'ManualReview')
    assert.equal(data.followUps[0]?.answers[0]?.text, 'The island has no street names.')
    await service.operations.operations.decideOnboarding({ accountNumber, decision: 'Approved' })
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
  })

  test('waits until the other follow-ups are answered', async () => {
    const { accountNumber } = await open(
      service.alpha,
      applicationOf({ birthDate: '1901-01-01', legalAddress: box }),
    )
    const { followUps } = await follow(service.alpha, accountNumber)
    const idOf = (code: string) => followUps.find((one) => one.code === code)?.id ?? ''
    const first = { accountNumber, followUpId: idOf('FieldCorrection'), text: 'No street names.' }
    assert.equal((await service.alpha.answerFollowUp(first)).data.currentState, 'ActionRequired')
    const passport = await add(accountNumber, 'PASS')
    await decide(accountNumber, passport, 'Approved')
    const result = await follow(service.alpha, accountNumber)
    assert.equal(result.currentState, 'ManualReview')
    await service.operations.operations.decideOnboarding({
      accountNumber,
      decision: 'Rejected',
      reason: 'No address.',
    })
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'Rejected')
  })
})

describe('refusals', () => {
  test('an empty answer, an answer of the wrong kind, and an answer to no follow-up are refused', async () => {
    const field = await needsField()
    const document = await needsAddress()
    const refusal = (given: object) => rejectionsOf(service.alpha.answerFollowUp(given as never))
    assert.deepEqual(await refusal(field), ['ERR.1000 changes'])
    assert.deepEqual(await refusal(document), ['ERR.1000 documentId'])
    assert.deepEqual(await refusal({ ...field, documentId: 'x' }), ['ERR.1015 documentId'])
    assert.deepEqual(await refusal({ ...document, changes: { primaryOwner: { jobTitle: 'Cook' } } }), [
      'ERR.1015 changes',
    ])
    assert.deepEqual(await refusal({ ...field, followUpId: 'FU-9', text: 'x' }), ['ERR.2013 followUpId'])
    assert.deepEqual(
      await refusal({
        ...field,
        accountNumber: document.accountNumber,
        changes: { accountNumber: '30100001' },
      }),
      ['ERR.2001 changes.accountNumber'],
    )
  })

  test('an answer to a settled follow-up, to a review, and by another firm is refused', async () => {
    const { accountNumber, followUpId } = await needsField()
    const changes = { primaryOwner: { legalAddress: { street: '14 Pier Lane' } } }
    await service.alpha.answerFollowUp({ accountNumber, followUpId, changes })
    const text = 'Once more.'
    assert.deepEqual(await rejectionsOf(service.alpha.answerFollowUp({ accountNumber, followUpId, text })), [
      'ERR.2010 followUpId',
    ])
    const review = await waiting({ taxIdNumber: '000000004' })
    assert.deepEqual(await rejectionsOf(service.alpha.answerFollowUp({ ...review, text })), [
      'ERR.2010 followUpId',
    ])
    assert.deepEqual(await rejectionsOf(service.beta.answerFollowUp({ accountNumber, followUpId, text })), [
      'ERR.2003 accountNumber',
    ])
  })
})

test('an answer under one key takes effect once', async () => {
  const answer = { ...(await needsField()), text: 'Read this.' }
  const send = () => service.post('answer-follow-up', answer, { 'idempotency-key': 'answer-1' })
  const [first, second] = [await send(), await send()]
  assert.equal(first.status, 200)
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(second.json.data, first.json.data)
  assert.equal(second.json.data.followUps[0].answers.length, 1)
})
