/**
 * A tax id that two persons of a firm have is found by the rule TaxIdOfAnother, before and after the submission. The
 * same person in several accounts is not found, nor is the customer of another firm.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@clearing/sdk'
import { type Application, applicationFor, applicationOf, newTaxId } from './applications.ts'
import { follow, open, openAndFollow, read } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

/** The fields at which the rule finds something, the same before and after the submission. */
async function findOthers(client: Client, application: Application): Promise<string[]> {
  const fieldsOf = (findings: readonly { rule: string; effect: string; field: string }[]) =>
    findings.filter(({ rule }) => rule === 'TaxIdOfAnother').map(({ effect, field }) => `${effect} ${field}`)
  const { data: foreseen } = await client.validateAccount(application)
  const { accountNumber } = await open(client, application)
  const result = await follow(client, accountNumber)
  assert.equal(result.currentState, 'CreationComplete')
  assert.deepEqual(fieldsOf(result.findings), fieldsOf(foreseen.findings))
  return fieldsOf(result.findings)
}

/** The first associated party, to open an account alone. */
function partyOf({ associatedParties }: Application): { taxIdNumber: string; role?: undefined } {
  const [first] = associatedParties ?? []
  return { ...(first as { taxIdNumber: string }), role: undefined }
}

const ofOwner = ['note primaryOwner.taxIdNumber']

test('a tax id of two persons is noted for each later application, not for the same person under another name', async () => {
  const person = { taxIdNumber: newTaxId(), birthDate: '1960-02-03' }
  assert.deepEqual(await findOthers(service.alpha, applicationOf(person)), [])
  const married = applicationFor('IraTraditional')
  Object.assign(married.primaryOwner as object, person, { lastName: 'Quill' })
  assert.deepEqual(await findOthers(service.alpha, married), [])
  for (const birthDate of ['1960-02-02', '1960-02-04'])
    assert.deepEqual(await findOthers(service.alpha, applicationOf({ ...person, birthDate })), ofOwner)
})

test('the finding does not name the other account or person, and a customer of another firm is not found', async () => {
  const taxIdNumber = newTaxId()
  const first = await openAndFollow(service.alpha, applicationOf({ taxIdNumber, birthDate: '1960-02-03' }))
  const second = applicationOf({ taxIdNumber, birthDate: '1991-02-03' })
  const { data } = await service.alpha.validateAccount(second)
  const found = data.findings.find(({ rule }) => rule === 'TaxIdOfAnother')
  assert.equal(found?.reason, 'A person with another birth date has the same tax id.')
  assert.ok(!JSON.stringify(data).includes(first))
  const elsewhere = { ...second, entityNumber: '302', main: { repCode: 'BB01' } }
  assert.deepEqual(await findOthers(service.beta, elsewhere), [])
})

test('joint owners, a minor with a custodian, and a trust with the number of its grantor are the same persons in several accounts', async () => {
  const couple = applicationFor('JointWROS')
  assert.deepEqual(await findOthers(service.alpha, couple), [])
  assert.deepEqual(await findOthers(service.alpha, { ...couple, registrationType: 'JointTIC' }), [])
  const alone = partyOf(couple)
  assert.deepEqual(await findOthers(service.alpha, applicationOf(alone)), [])

  const minor = applicationFor('CustodialUtma')
  assert.deepEqual(await findOthers(service.alpha, minor), [])
  assert.deepEqual(await findOthers(service.alpha, applicationOf(partyOf(minor))), [])

  const trust = applicationFor('Trust')
  Object.assign(trust.primaryOwner as object, {
    taxIdType: 'SSN',
    taxIdNumber: alone.taxIdNumber,
    birthDate: '2015-01-01',
  })
  trust.associatedParties?.push({ ...alone, role: 'Grantor' } as never)
  assert.deepEqual(await findOthers(service.alpha, trust), [])
  // The number of the trust is not another person's.
  assert.deepEqual(await findOthers(service.alpha, applicationOf(alone)), [])

  const { taxIdNumber } = alone
  assert.deepEqual(await findOthers(service.alpha, applicationOf({ taxIdNumber })), ofOwner)
})

test('a party who is added to an open account with the tax id of another person is noted', async () => {
  const taxIdNumber = newTaxId()
  await openAndFollow(service.alpha, applicationOf({ taxIdNumber, birthDate: '1960-02-03' }))
  const accountNumber = await openAndFollow(service.alpha, applicationFor('Individual'))
  const { primaryOwner } = applicationOf({ taxIdNumber, birthDate: '1991-02-03' })
  await service.alpha.updateAccount({
    accountNumber,
    associatedParties: [{ ...primaryOwner, role: 'InterestedParty' }],
  } as never)
  assert.equal((await read(service.alpha, accountNumber)).associatedParties.length, 1)
  const { data } = await service.alpha.onboardingResult({ accountNumber })
  assert.deepEqual(
    data.findings
      .filter(({ rule }) => rule === 'TaxIdOfAnother')
      .map(({ effect, field }) => `${effect} ${field}`),
    ['note associatedParties[0].taxIdNumber'],
  )
})
