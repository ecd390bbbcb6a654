/**
 * A request of an application for a document is answered by the document, or by the change that makes it unnecessary.
 * What a document proved, or a waiver excused, is one value: another value is asked for again.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import type { Data } from '@clearing/protocol'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import { address, applicationOf, newTaxId } from './applications.ts'
import { follow, openAndFollow, read, refusalOf, rejectionsOf } from './calling.ts'
import { type Change, service, startBeforeTests, update } from './screened-changes.ts'

startBeforeTests()

const untold = { sourceOfFunds: ['Other'] }
const described = { otherSourceOfFund: 'Sale of a boat' }

function apply(owner: object, parties: object[] = []) {
  return openAndFollow(service.alpha, applicationOf(owner, { associatedParties: parties }))
}
function correct(accountNumber: string, owner: object) {
  return update(accountNumber, { primaryOwner: owner } as Change)
}
async function statesOf(accountNumber: string) {
  const { currentState, followUps } = await follow(service.alpha, accountNumber)
  return [currentState, ...blocking(followUps)]
}
function blocking(followUps: Data<'onboarding-result'>['followUps']) {
  return followUps.filter((one) => one.blocking).map(({ code, status }) => `${code} ${status}`)
}
async function prove(accountNumber: string) {
  const { data } = await service.alpha.addDocument({
    documentTypeName: 'Identity Documents',
    reference: 'PASS',
    accountNumber,
    file: { name: 'passport.pdf', content: samplePdf() },
  })
  const { documentId } = data
  await service.operations.operations.decideDocument({ accountNumber, documentId, decision: 'Approved' })
  await follow(service.alpha, accountNumber)
}

describe('a birth date of long ago', () => {
  const old = { birthDate: '1910-01-01' }

  test('is corrected in place of a document, and only so', async () => {
    const accountNumber = await apply(old)
    const today = easternDay(new Date((await service.alpha.sandbox.getClock({})).data.now))
    const turns111 = `${Number(today.slice(0, 4)) - 111}${today.slice(4).replace('02-29', '02-28')}`
    for (const owner of [{ email: 'ada@example.com' }, { birthDate: turns111 }]) {
      const refused = await refusalOf(correct(accountNumber, owner))
      assert.ok(refused.has('ERR.2011'))
      assert.match(refused.message, /only a change that makes one of them unnecessary/)
    }
    await correct(accountNumber, { birthDate: addDays(turns111, 1), email: 'ada@example.com' })
    assert.deepEqual(await statesOf(accountNumber), ['CreationComplete', 'BirthDateDocument Accepted'])
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.birthDate, addDays(turns111, 1))
  })

  for (const how of ['update-account', 'answer-follow-up'] as const) {
    test(`is corrected with ${how} after a document was sent, which then proves nothing`, async () => {
      const accountNumber = await apply({ ...old, ...untold })
      const file = { name: 'passport.pdf', content: samplePdf() }
      const sent = { documentTypeName: 'Identity Documents', reference: 'PASS', accountNumber, file }
      const { documentId } = (await service.alpha.addDocument(sent)).data
      await correct(accountNumber, described)
      assert.deepEqual((await statesOf(accountNumber))[1], 'BirthDateDocument Answered')
      const refused = await refusalOf(correct(accountNumber, { birthDate: '1901-01-01' }))
      assert.ok(refused.has('ERR.2011'))
      const right = { birthDate: '1960-01-01' }
      const changes = { primaryOwner: right }
      if (how === 'update-account') await correct(accountNumber, right)
      else await service.alpha.answerFollowUp({ accountNumber, followUpId: 'FU-1', changes })
      const { currentState } = await follow(service.alpha, accountNumber)
      assert.equal(currentState, 'CreationComplete')
      await service.operations.operations.decideDocument({ accountNumber, documentId, decision: 'Approved' })
      assert.equal((await read(service.alpha, accountNumber)).primaryOwner.birthDate, '1960-01-01')
      const late = await refusalOf(
        service.alpha.answerFollowUp({ accountNumber, followUpId: 'FU-1', changes }),
      )
      assert.ok(late.has('ERR.2010'))
    })
  }

  test('is corrected in an answer to the follow-up', async () => {
    const accountNumber = await apply(old)
    const answer = (owner: object) =>
      service.alpha.answerFollowUp({ accountNumber, followUpId: 'FU-1', changes: { primaryOwner: owner } })
    assert.deepEqual(await rejectionsOf(answer({ birthDate: '1911-01-01' })), [
      'ERR.1000 changes.primaryOwner.birthDate',
    ])
    await answer({ birthDate: '1960-01-01' })
    assert.deepEqual(await statesOf(accountNumber), ['CreationComplete', 'BirthDateDocument Accepted'])
  })

  test('that a document has proved stays proved, and another one is asked for', async () => {
    const accountNumber = await apply({ ...old, ...untold })
    await prove(accountNumber)
    await correct(accountNumber, { ...described, birthDate: '1901-05-05' })
    assert.deepEqual(await statesOf(accountNumber), [
      'ActionRequired',
      'BirthDateDocument Accepted',
      'FieldCorrection Accepted',
      'BirthDateDocument Open',
    ])
    const other = await apply({ ...old, ...untold })
    await prove(other)
    await correct(other, described)
    assert.equal((await statesOf(other))[0], 'CreationComplete')
  })

  test('that comes back after a correction is not proved by the correction', async () => {
    const accountNumber = await apply({ ...old, ...untold })
    await correct(accountNumber, { birthDate: '1960-01-01' })
    await correct(accountNumber, { ...old, ...described })
    assert.deepEqual(await statesOf(accountNumber), [
      'ActionRequired',
      'BirthDateDocument Accepted',
      'FieldCorrection Accepted',
      'BirthDateDocument Open',
    ])
  })
})

test('the passport of a foreign agent is entered in place of a scan', async () => {
  const agent = {
    ...applicationOf({}).primaryOwner,
    role: 'PowerOfAttorney',
    firstName: 'Jonas',
    citizenshipCountry: 'DE',
    taxIdNumber: newTaxId(),
  }
  const accountNumber = await apply({}, [agent])
  const [party] = (await read(service.alpha, accountNumber)).associatedParties
  const passport = { idType: 'Passport', idNumber: 'C01X00T47', idLocation: 'DE' }
  await update(accountNumber, {
    associatedParties: [
      { customerId: party?.customerId, governmentIdentification: { governmentId1: passport } },
    ],
  } as Change)
  assert.deepEqual(await statesOf(accountNumber), ['CreationComplete', 'ForeignIdentityDocument Accepted'])
})

test('a waiver of one post office box is none of another', async () => {
  const box = (street: string) => ({ legalAddress: { ...address, street } })
  const waived = async () => {
    const accountNumber = await apply({ ...box('PO Box 12'), ...untold })
    const { followUps } = await follow(service.alpha, accountNumber)
    const followUpId = followUps.find(({ field }) => field.endsWith('legalAddress'))?.id ?? ''
    await service.operations.operations.waiveFollowUp({ accountNumber, followUpId, reason: 'At the house.' })
    return accountNumber
  }
  const same = await waived()
  await correct(same, described)
  assert.equal((await statesOf(same))[0], 'CreationComplete')
  const other = await waived()
  await correct(other, { ...described, ...box('PO Box 99') })
  assert.deepEqual(await statesOf(other), [
    'ActionRequired',
    'FieldCorrection Waived',
    'FieldCorrection Accepted',
    'FieldCorrection Open',
  ])
})

test('an application that waits for a document without a finding accepts no change', async () => {
  const accountNumber = await apply({ taxIdNumber: '000000002' })
  const refused = await refusalOf(correct(accountNumber, { email: 'ada@example.com' }))
  assert.match(refused.message, /only while a follow-up asks for a field/)
})
