/**
 * An entity that names no beneficial owner opens, and is asked for them: by the parties of the record or by a text. A
 * change of other attributes of the parties is no answer.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { applicationFor, newTaxId } from './applications.ts'
import { follow, openAndFollow, read } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

async function askedOf(accountNumber: string) {
  const { data } = await service.alpha.onboardingResult({ accountNumber })
  return data.followUps.find(({ field }) => field === 'associatedParties')
}

function openLlc(...parties: object[]) {
  const application = applicationFor('Llc')
  application.associatedParties?.push(...(parties as never[]))
  return openAndFollow(service.alpha, application)
}

const owner = {
  role: 'BeneficialOwner',
  ownershipPercent: '75.01',
  firstName: 'Grace',
  lastName: 'Okafor',
  citizenshipCountry: 'US',
  birthDate: '1979-01-20',
  legalAddress: {},
  taxIdType: 'SSN',
  phoneNumberCell: '2015550123',
}

test('an LLC with a control person alone opens and is asked, and the beneficial owner answers', async () => {
  const accountNumber = await openLlc()
  assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
  const asked = await askedOf(accountNumber)
  assert.deepEqual([asked?.code, asked?.status, asked?.blocking], ['FieldCompletion', 'Open', false])
  const [control] = (await read(service.alpha, accountNumber)).associatedParties
  const update = (party: object) =>
    service.alpha.updateAccount({ accountNumber, associatedParties: [party] } as never)
  await update({ customerId: control?.customerId, phoneNumberCell: '2015550199' })
  assert.equal((await askedOf(accountNumber))?.status, 'Open')
  await update({ ...owner, taxIdNumber: newTaxId() })
  assert.equal((await askedOf(accountNumber))?.status, 'Accepted')
})

test('an LLC that an entity owns is asked, and a text that no person owns 25 percent waits for operations', async () => {
  const accountNumber = await openLlc({
    role: 'Member',
    nameType: 'Entity',
    name1: 'South Ltd',
    ownershipPercent: '100',
    citizenshipCountry: 'US',
    legalAddress: {},
    taxIdType: 'TaxId',
    taxIdNumber: '471203346',
    phoneNumberBusiness: '2015550177',
  })
  const asked = await askedOf(accountNumber)
  assert.match(asked?.reasons[0] ?? '', /^An entity owns 25 percent or more\./)
  await service.alpha.answerFollowUp({
    accountNumber,
    followUpId: asked?.id ?? '',
    text: 'No person owns 25 percent of South Ltd.',
  })
  assert.equal((await askedOf(accountNumber))?.status, 'Answered')
})

test('an LLC whose beneficial owner is named is not asked', async () => {
  const accountNumber = await openLlc({ ...owner, taxIdNumber: newTaxId() })
  assert.equal(await askedOf(accountNumber), undefined)
})
