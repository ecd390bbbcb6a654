/**
 * An entity that names no beneficial owner opens, and is asked for them: by the parties of the record or by a text. A
 * change of other attributes of the parties is no answer, and a change that replaces the owners asks again. An account
 * for which only entities act is asked for a person.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { applicationFor, newTaxId } from './applications.ts'
import { follow, openAndFollow, read, until } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

async function askedOf(accountNumber: string) {
  const { data } = await service.alpha.onboardingResult({ accountNumber })
  return data.followUps.findLast(({ field }) => field === 'associatedParties')
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

/** An entity that owns a share of another. */
function holding(more: object) {
  return {
    role: 'Member',
    nameType: 'Entity',
    name1: 'South Ltd',
    citizenshipCountry: 'US',
    legalAddress: {},
    taxIdType: 'TaxId',
    taxIdNumber: '471203346',
    phoneNumberBusiness: '2015550177',
    ...more,
  }
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
  const accountNumber = await openLlc(holding({ ownershipPercent: '100' }))
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

test('a change that replaces the beneficial owner by an entity asks for the owners, and so does the next one after a text', async () => {
  const accountNumber = await openLlc({ ...owner, taxIdNumber: newTaxId() })
  const { associatedParties } = await read(service.alpha, accountNumber)
  const named = associatedParties.find(({ role }) => role === 'BeneficialOwner')
  const update = (...parties: object[]) =>
    service.alpha.updateAccount({ accountNumber, associatedParties: parties } as never)
  await update(
    { customerId: named?.customerId, ownershipPercent: '0.01' },
    holding({ ownershipPercent: '60' }),
  )
  const isAsked = () =>
    until(
      async () => (await askedOf(accountNumber)) ?? null,
      (one) => one?.status === 'Open',
    )
  const asked = await isAsked()
  assert.equal(asked?.blocking, false)
  const followUpId = asked?.id ?? ''
  await service.alpha.answerFollowUp({ accountNumber, followUpId, text: 'South Ltd is a listed company.' })
  const reason = 'It is excluded as a listed company.'
  await service.operations.operations.waiveFollowUp({ accountNumber, followUpId, reason })
  const renewals = async () => {
    const { data } = await service.operations.operations.listRenewals({ accountNumber })
    return data.renewals.filter(({ kind }) => kind === 'BeneficialOwners').map(({ state }) => state)
  }
  await until(renewals, (states) => states.length === 0)
  await update(holding({ name1: 'North Ltd', taxIdNumber: '471203347', ownershipPercent: '39.99' }))
  assert.notEqual((await isAsked())?.id, followUpId)
  assert.deepEqual(await renewals(), ['Asked'])
})

test('a waiver without a text stands until the owners change, and then they are asked for again', async () => {
  const accountNumber = await openLlc(holding({ ownershipPercent: '30' }))
  const { id: followUpId = '' } = (await askedOf(accountNumber)) ?? {}
  const reason = 'South Ltd is excluded as a listed company.'
  await service.operations.operations.waiveFollowUp({ accountNumber, followUpId, reason })
  const update = (party: object) =>
    service.alpha.updateAccount({ accountNumber, associatedParties: [party] } as never)
  const [control] = (await read(service.alpha, accountNumber)).associatedParties
  await update({ customerId: control?.customerId, phoneNumberCell: '2015550199' })
  const renewals = async () =>
    (await service.operations.operations.listRenewals({ accountNumber })).data.renewals.filter(
      ({ kind }) => kind === 'BeneficialOwners',
    )
  await until(renewals, (all) => all.length === 0)
  assert.equal((await askedOf(accountNumber))?.id, followUpId)
  await update(holding({ name1: 'North Ltd', taxIdNumber: '471203347', ownershipPercent: '60' }))
  const asked = await until(
    async () => (await askedOf(accountNumber)) ?? null,
    (one) => one?.status === 'Open',
  )
  assert.notEqual(asked?.id, followUpId)
})

test('a beneficial owner who is added without a share is asked for it', async () => {
  const accountNumber = await openLlc({ ...owner, ownershipPercent: '30', taxIdNumber: newTaxId() })
  const second = { ...owner, firstName: 'Ada', ownershipPercent: undefined, taxIdNumber: newTaxId() }
  await service.alpha.updateAccount({ accountNumber, associatedParties: [second] } as never)
  const { followUps } = await until(
    async () => (await service.alpha.onboardingResult({ accountNumber })).data,
    (data) => data.followUps.some(({ field }) => field.endsWith('.ownershipPercent')),
  )
  assert.equal(followUps.at(-1)?.code, 'FieldCompletion')
})

test('a trust whose only trustee is a bank opens, and is asked for a person who acts for the bank', async () => {
  const application = applicationFor('Trust')
  const beneficiary = { ...owner, role: 'Beneficiary', birthDate: '2020-05-05', taxIdNumber: newTaxId() }
  application.associatedParties = [
    holding({ role: 'Trustee', name1: 'Harbor Bank' }),
    { ...beneficiary, ownershipPercent: undefined },
  ] as never
  const accountNumber = await openAndFollow(service.alpha, application)
  const asked = await askedOf(accountNumber)
  assert.deepEqual([asked?.code, asked?.status, asked?.blocking], ['FieldCompletion', 'Open', false])
  assert.match(asked?.reasons[0] ?? '', /with the role AuthorizedSigner\.$/)
  const signer = { ...owner, role: 'AuthorizedSigner', ownershipPercent: undefined, taxIdNumber: newTaxId() }
  await service.alpha.updateAccount({ accountNumber, associatedParties: [signer] } as never)
  assert.equal((await askedOf(accountNumber))?.status, 'Accepted')
})
