/** The sandbox's magic values end to end, with every way to continue an application that waits (Reading 4.5). */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Data } from '@clearing/protocol'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { address, applicationFor, applicationOf } from './applications.ts'
import { follow as followOf, open, read, refusalOf, until } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

type Onboarding = Data<'onboarding-result'>

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

function follow(accountNumber: string) {
  return followOf(service.alpha, accountNumber)
}
async function submit(owner: object, changes: object = {}) {
  const { accountNumber } = await open(service.alpha, applicationOf(owner, changes))
  return { accountNumber, result: await follow(accountNumber) }
}
function stage(result: Onboarding, code: string) {
  return result.state.find((one) => one.code === code)
}
async function statusOf(accountNumber: string) {
  return (await read(service.alpha, accountNumber)).accountStatus
}
async function addDocument(accountNumber: string, reference: string, displayName = 'Asked for') {
  return (
    await service.alpha.addDocument({
      documentTypeName: 'Identity Documents',
      reference,
      accountNumber,
      displayName,
      file: { name: 'scan.pdf', content: samplePdf() },
    })
  ).data
}

/** Remarks and errors must fit the state in the same response (Reading 4.3). */
function tells(result: Onboarding, remarks: RegExp, errors: string[] = []) {
  assert.match(result.remarks, remarks)
  assert.deepEqual(
    result.errorResponses.map(({ code }) => code),
    errors,
  )
}

test('000000001 is rejected by the identity check, and the account with it', async () => {
  const { accountNumber, result } = await submit({ taxIdNumber: '000000001' })
  assert.equal(result.currentState, 'Rejected')
  assert.equal(stage(result, 'IdentityCheck')?.status, 'Failed')
  tells(result, /^Rejected: /, ['ERR.4000'])
  assert.equal(await statusOf(accountNumber), 'Rejected')
  const update = service.alpha.updateAccount({ accountNumber, primaryOwner: { jobTitle: 'x' } })
  assert.ok((await refusalOf(update)).has('ERR.2011'))
})

const asked: [taxId: string, code: string, accepted: string[], wrong: string][] = [
  ['000000002', 'AddressDocument', ['UTIL', 'BANK'], 'PASS'],
  ['000000003', 'IdentityDocument', ['PASS', 'DRLC'], 'UTIL'],
  ['000000006', 'TaxIdDocument', ['SSCD'], 'UTIL'],
]
for (const [taxIdNumber, code, accepted, wrong] of asked) {
  describe(`${taxIdNumber} asks for a document`, () => {
    for (const reference of accepted) {
      test(`and opens the account when ${reference} is added and approved`, async () => {
        const { accountNumber, result } = await submit({ taxIdNumber })
        assert.equal(result.currentState, 'ActionRequired')
        tells(result, /^Action required: /)
        const [followUp] = result.followUps
        assert.equal(result.followUps.length, 1)
        assert.equal(followUp?.code, code)
        assert.equal(followUp?.kind, 'Document')
        assert.equal(followUp?.status, 'Open')
        assert.deepEqual(followUp?.acceptedDocuments, accepted)
        assert.ok(Date.parse(followUp?.dueBy ?? '') > Date.now() + 20 * 86_400_000)
        assert.equal(await statusOf(accountNumber), 'Pending')

        await addDocument(accountNumber, wrong)
        assert.equal((await follow(accountNumber)).followUps[0]?.status, 'Open')

        const { documentId } = await addDocument(accountNumber, reference.toLowerCase())
        const answered = await follow(accountNumber)
        assert.equal(answered.currentState, 'ActionRequired')
        assert.equal(answered.followUps[0]?.status, 'Answered')

        const approve = { accountNumber, documentId, decision: 'Approved' } as const
        await service.alpha.sandbox.decideDocument(approve)
        const done = await follow(accountNumber)
        assert.equal(done.currentState, 'CreationComplete')
        assert.equal(done.followUps[0]?.status, 'Accepted')
        assert.equal(await statusOf(accountNumber), 'Open')
      })
    }
  })
}

test('a rejected document is requested again, and another then opens the account', async () => {
  const { accountNumber } = await submit({ taxIdNumber: '000000002' })
  const { documentId } = await addDocument(accountNumber, 'UTIL')
  await service.operations.operations.decideDocument({
    accountNumber,
    documentId,
    decision: 'Rejected',
    rejectionCode: 'CROPPED',
  })
  const again = await follow(accountNumber)
  assert.equal(again.currentState, 'ActionRequired')
  assert.equal(again.followUps[0]?.status, 'Rejected')
  assert.ok((again.followUps[0]?.reasons.length ?? 0) > 1)
  const second = await addDocument(accountNumber, 'BANK')
  await service.operations.operations.decideDocument({
    accountNumber,
    documentId: second.documentId,
    decision: 'Approved',
  })
  assert.equal((await follow(accountNumber)).currentState, 'CreationComplete')
})

test('a document called reject:EXPIRED is automatically rejected with that code', async () => {
  const { accountNumber } = await submit({ taxIdNumber: '000000003' })
  const { documentId } = await addDocument(accountNumber, 'PASS', 'Passport reject:EXPIRED')
  const list = () => service.alpha.getDocumentDetails({ accountNumber })
  const { data } = await until(list, (answer) => answer.data.documents[0]?.status === 'Rejected')
  assert.equal(data.documents[0]?.documentId, documentId)
  assert.equal(data.documents[0]?.rejectionCode, 'EXPIRED')
  assert.notEqual(data.documents[0]?.updatedDate, '')
  const result = await follow(accountNumber)
  assert.equal(result.followUps[0]?.status, 'Rejected')
  assert.ok(result.followUps[0]?.reasons.some((reason) => /expired/i.test(reason)))
})

for (const taxIdNumber of ['000000004', '000000005']) {
  const code = taxIdNumber === '000000004' ? 'IdentityReview' : 'WatchlistReview'
  test(`${taxIdNumber} waits for a decision; approved by the sandbox’s own control, it opens`, async () => {
    const { accountNumber, result } = await submit({ taxIdNumber })
    assert.equal(result.currentState, 'ManualReview')
    tells(result, /^In review/)
    assert.deepEqual(
      result.followUps.map(({ code: asked, kind, dueBy }) => [asked, kind, dueBy]),
      [[code, 'Review', null]],
    )
    const { listMatches, decideMatch } = service.operations.operations
    const { matches } = (await listMatches({ accountNumber })).data
    assert.equal(matches.length, code === 'WatchlistReview' ? 1 : 0)
    // The same words as in a match of a real list.
    for (const { reasons } of matches)
      assert.deepEqual(
        reasons.map(({ field, outcome }) => [field, outcome]),
        [['idNumber', 'agree']],
      )
    // Each match is decided separately. When the last one is cleared, the application continues.
    for (const { matchId } of matches)
      await decideMatch({ accountNumber, matchId, decision: 'Cleared', reason: 'Another person' })
    if (matches.length === 0) {
      const { data } = await service.alpha.sandbox.decideOnboarding({ accountNumber, decision: 'approved' })
      assert.equal(data.accountNumber, accountNumber)
    }
    const done = await follow(accountNumber)
    assert.equal(done.currentState, 'CreationComplete')
    assert.equal(done.followUps[0]?.status, 'Accepted')
    const again = service.alpha.sandbox.decideOnboarding({ accountNumber, decision: 'Approved' })
    assert.deepEqual([(await refusalOf(again)).status, (await refusalOf(again)).has('ERR.2010')], [409, true])
  })

  test(`${taxIdNumber} rejected by operations is closed with their reason`, async () => {
    const { accountNumber } = await submit({ taxIdNumber })
    const decide = service.operations.operations.decideOnboarding
    assert.ok((await refusalOf(decide({ accountNumber, decision: 'Rejected' }))).has('ERR.1000'))
    await decide({ accountNumber, decision: 'Rejected', reason: 'Could not be identified' })
    const done = await follow(accountNumber)
    assert.equal(done.currentState, 'Rejected')
    assert.match(done.remarks, /Could not be identified/i)
    assert.equal(await statusOf(accountNumber), 'Rejected')
  })
}

test('000000005 shows its match with score and reasons, and clearing it opens the account', async () => {
  const { accountNumber } = await submit({ taxIdNumber: '000000005' })
  const { listMatches, decideMatch } = service.operations.operations
  const { data } = await listMatches({ accountNumber })
  const [match] = data.matches
  assert.equal(data.matches.length, 1)
  assert.equal(match?.decision, 'Open')
  assert.ok((match?.score ?? 0) > 0 && (match?.reasons.length ?? 0) > 0)
  const cleared = await decideMatch({
    accountNumber,
    matchId: match?.matchId ?? '',
    decision: 'Cleared',
    reason: 'Another person',
  })
  assert.equal(cleared.data.decision, 'Cleared')
  assert.equal(cleared.data.decidedBy, 'operations')
  assert.equal((await follow(accountNumber)).currentState, 'CreationComplete')
})

test('a match that is confirmed rejects the application', async () => {
  const { accountNumber } = await submit({ taxIdNumber: '000000005' })
  const { listMatches, decideMatch } = service.operations.operations
  const [match] = (await listMatches({ accountNumber })).data.matches
  await decideMatch({
    accountNumber,
    matchId: match?.matchId ?? '',
    decision: 'Confirmed',
    reason: 'The same',
  })
  assert.equal((await follow(accountNumber)).currentState, 'Rejected')
})

test('000000007 opens the account although its trusted contact could not be set up', async () => {
  const { accountNumber, result } = await submit({ taxIdNumber: '000000007' })
  assert.equal(result.currentState, 'CreationComplete')
  assert.equal(stage(result, 'TrustedContact')?.status, 'Failed')
  assert.equal(stage(result, 'ElectronicDelivery')?.status, 'Success')
  tells(result, /^The account was opened\. ./, ['ERR.4000'])
  assert.equal(await statusOf(accountNumber), 'Open')
})

test('000000008 is retried until its back end responds', async () => {
  const { accountNumber } = await open(service.alpha, applicationOf({ taxIdNumber: '000000008' }))
  const result = await until(
    async () => (await service.alpha.onboardingResult({ accountNumber })).data,
    ({ currentState, remarks }) => currentState === 'CreationComplete' || /attempt 2/.test(remarks),
  )
  assert.equal(result.currentState, 'AccountCreation')
  const done = await follow(accountNumber)
  assert.equal(done.currentState, 'CreationComplete')
  tells(done, /^The account was opened\.$/)
})

test('000000009 fails, with the message of the back end among the error responses', async () => {
  const { accountNumber, result } = await submit({ taxIdNumber: '000000009' })
  assert.equal(result.currentState, 'CreationFailed')
  assert.equal(stage(result, 'AccountCreation')?.status, 'Failed')
  tells(result, /^The account creation failed: /, ['ERR.4000'])
  assert.equal(await statusOf(accountNumber), 'Rejected')
  const envelope = await service.post('onboarding-result', { accountNumber })
  assert.deepEqual([envelope.json.hasErrors, envelope.json.errors], [false, []])
})

test('the last name SLOW30 delays every stage, in any letter case', async () => {
  const { accountNumber } = await open(service.alpha, applicationOf({ lastName: 'Slow30' }))
  const screening = await until(
    async () => (await service.alpha.onboardingResult({ accountNumber })).data,
    ({ currentState }) => currentState !== 'Submitted',
  )
  assert.equal(screening.currentState, 'Screening')
  assert.equal(await statusOf(accountNumber), 'Pending')
})

const box = { ...address, street: 'PO Box 12' }
test('a follow-up for a field is answered by changing the account, which then opens', async () => {
  const { accountNumber, result } = await submit({ legalAddress: box })
  assert.equal(result.currentState, 'ActionRequired')
  const [followUp] = result.followUps
  assert.deepEqual(
    [followUp?.code, followUp?.kind, followUp?.field],
    ['FieldCorrection', 'Field', 'primaryOwner.legalAddress'],
  )
  const { data } = await service.alpha.updateAccount({
    accountNumber,
    primaryOwner: { legalAddress: { street: '14 Pier Lane' } },
  })
  assert.equal(data.accountStatus, 'Pending')
  const done = await follow(accountNumber)
  assert.equal(done.currentState, 'CreationComplete')
  assert.equal(done.followUps[0]?.status, 'Accepted')
})

test('an insufficient answer leaves the follow-up open', async () => {
  const { accountNumber } = await submit({ legalAddress: box })
  await service.alpha.updateAccount({
    accountNumber,
    primaryOwner: { legalAddress: { street: 'P.O. Box 13' } },
  })
  const again = await follow(accountNumber)
  assert.equal(again.currentState, 'ActionRequired')
  assert.deepEqual(
    again.followUps.map(({ status }) => status),
    ['Open'],
  )
})

test('a name of the list is found in any party that has it, and a clearance is remembered', async () => {
  const application = applicationFor('JointTIC')
  const listed = {
    ...application.associatedParties?.[0],
    firstName: 'Ruslan',
    lastName: 'Zerkalov',
    birthDate: '1968-08-12',
  }
  const joint = { ...application, associatedParties: [listed] } as typeof application
  const { accountNumber } = await open(service.alpha, joint)
  const result = await follow(accountNumber)
  assert.equal(result.currentState, 'ManualReview')
  assert.deepEqual(
    result.followUps.map(({ code }) => code),
    ['WatchlistReview'],
  )
  const { listMatches, decideMatch } = service.operations.operations
  const { matches } = (await listMatches({ accountNumber })).data
  assert.ok(matches.length > 0)
  const customers = (await read(service.alpha, accountNumber)).associatedParties.map(
    ({ customerId }) => customerId,
  )
  for (const match of matches) {
    assert.ok(customers.includes(match.customerId))
    assert.ok(match.reasons.some(({ field }) => field === 'name'))
    const { matchId } = match
    await decideMatch({ accountNumber, matchId, decision: 'Cleared', reason: 'Lives elsewhere' })
  }
  assert.equal((await follow(accountNumber)).currentState, 'CreationComplete')
  const again = { ...joint, registrationType: 'JointWROS' }
  const second = await open(service.alpha, again)
  assert.equal((await follow(second.accountNumber)).currentState, 'CreationComplete')
})

test('applications are screened against a list from its load on', async () => {
  const line = '77001,"QUILLFEATHER, Barnaby","individual","TEST",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \r\n'
  const { data } = await service.operations.operations.loadWatchList({
    listName: 'TEST',
    lines: { csv: line },
  })
  assert.deepEqual([data.received, data.accepted, data.rejected], [1, 1, 0])
  const { accountNumber, result } = await submit({ firstName: 'Barnaby', lastName: 'Quillfeather' })
  assert.equal(result.currentState, 'ManualReview')
  const { matches } = (await service.operations.operations.listMatches({ accountNumber })).data
  assert.deepEqual(
    matches.map(({ entryId }) => entryId),
    ['77001'],
  )
})

test('a decision affects only accounts of the own firm', async () => {
  const { accountNumber } = await submit({ taxIdNumber: '000000004' })
  const foreign = await refusalOf(
    service.beta.sandbox.decideOnboarding({ accountNumber, decision: 'Approved' }),
  )
  const unknown = await refusalOf(
    service.beta.sandbox.decideOnboarding({ accountNumber: 'ZZZZZZZZ', decision: 'Approved' }),
  )
  assert.equal(foreign.status, 404)
  assert.deepEqual(foreign.rejections, unknown.rejections)
  assert.equal((await follow(accountNumber)).currentState, 'ManualReview')
})

test('the credential of operations decides on the accounts of every firm below /sandbox-api/ too', async () => {
  const { accountNumber } = await submit({ taxIdNumber: '000000004' })
  await service.operations.sandbox.decideOnboarding({ accountNumber, decision: 'Approved' })
  assert.equal((await follow(accountNumber)).currentState, 'CreationComplete')
})

test('a joint application is screened for each of its persons', async () => {
  const application = applicationFor('JointWROS')
  const party = { ...application.associatedParties?.[0], legalAddress: box }
  const { accountNumber } = await open(service.alpha, { ...application, associatedParties: [party] } as never)
  const result = await follow(accountNumber)
  assert.deepEqual(
    result.followUps.map(({ field }) => field),
    ['associatedParties[0].legalAddress'],
  )
})
