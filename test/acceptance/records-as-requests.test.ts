/**
 * A record that get-account answers is a valid request of update-account by the published contract, in both shapes, and
 * changes nothing. A program that validates requests by the contract can send it.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { codeLists } from '@clearing/protocol'
import { applicationFor, applicationOf } from './applications.ts'
import { openAndFollow, read, readShape1 } from './calling.ts'
import { errorsOfSchema } from './contract.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService({ withAccounts: true })
})
after(() => service?.stop())

function errorsOf(schema: string, request: unknown) {
  return errorsOfSchema(service.address, schema, request)
}

test('every record of the demonstration is a valid request of update-account', async () => {
  let count = 0
  for (const client of [service.alpha, service.beta]) {
    const { accounts } = (await client.listAccounts({ size: 100 })).data
    for (const { accountNumber, subNumber } of accounts) {
      const records = [await read(client, accountNumber), await readShape1(client, accountNumber, subNumber)]
      for (const record of records)
        assert.deepEqual(await errorsOf('UpdateAccountRequest', record), [], accountNumber)
      count += 1
    }
  }
  assert.ok(count > 1, `${count} accounts`)
})

for (const { value } of codeLists.registrationType) {
  test(`the record of an account of the type ${value} is one too, and is accepted without a change`, async () => {
    const accountNumber = await openAndFollow(service.alpha, applicationFor(value))
    const record = await read(service.alpha, accountNumber)
    for (const sent of [record, await readShape1(service.alpha, accountNumber)]) {
      assert.deepEqual(await errorsOf('UpdateAccountRequest', sent), [])
      if (record.accountStatus !== 'Open') continue
      const { data } = await service.alpha.updateAccount({ ...sent, accountNumber })
      assert.deepEqual(data, record)
    }
  })
}

test('a block that has one member is answered with all, and can be sent back in both shapes without a change', async () => {
  const passport = { idType: 'Passport', idNumber: 'Q771234', idLocation: 'GB' }
  const application = {
    ...applicationOf({
      governmentIdentification: { governmentId2: passport },
      caisInformation: { role: 'Auth' },
    }),
    financialProfile: { investmentExperience: { options: 'Limited' } },
  }
  const accountNumber = await openAndFollow(service.alpha, application)
  const record = await read(service.alpha, accountNumber)
  const shape1 = await readShape1(service.alpha, accountNumber)
  const { governmentId1, governmentId2 } = record.primaryOwner.governmentIdentification ?? {}
  const dates = { idIssueDate: '', idExpiration: '' }
  assert.deepEqual([governmentId1, governmentId2], [{}, { ...passport, ...dates }])
  const experience = { stocks: '', bonds: '', options: 'Limited', mutualFunds: '', annuities: '' }
  assert.deepEqual(record.financialProfile.investmentExperience, experience)
  const cais = { customerType: [], accountType: [], role: 'Auth' }
  assert.deepEqual(shape1.primaryOwner.caisInformation, cais)
  for (const sent of [record, shape1]) {
    assert.deepEqual(await errorsOf('UpdateAccountRequest', sent), [])
    const { data } = await service.alpha.updateAccount({ ...sent, accountNumber })
    assert.deepEqual(data, record)
  }
  assert.deepEqual(await readShape1(service.alpha, accountNumber), shape1)
  // An empty member beside a value that is there deletes nothing: it is not the request to delete it.
  const { data } = await service.alpha.updateAccount({
    accountNumber,
    primaryOwner: { governmentIdentification: { governmentId2: {} } },
  })
  assert.deepEqual(data, record)
})

test('optional fields of a fixed form may be empty in an application, and count as absent', async () => {
  const empty = { phoneNumberHome: '', employerPhoneNumber: '', employerPhoneRegionCode: '', dependents: '' }
  const governmentId2 = { idType: '', idNumber: '', idIssueDate: '', idExpiration: '' }
  const application = applicationOf({
    ...empty,
    governmentIdentification: { governmentId2 },
    trustedContact: { phoneNumber: '', phoneRegionCode: '', address: {} },
  })
  assert.deepEqual(await errorsOf('NewAccountRequest', application), [])
  const record = await read(service.alpha, await openAndFollow(service.alpha, application))
  assert.equal(record.primaryOwner.phoneNumberHome, '')
})

test('a required field of a fixed form may not be empty, and an optional one has its form otherwise', async () => {
  const owner = (changes: object) => ({ ...applicationOf({}), primaryOwner: changes })
  for (const [schema, request] of [
    ['GetAccountRequest', { accountNumber: '' }],
    ['UpdateAccountRequest', { accountNumber: '' }],
    ['NewAccountRequest', owner({ phoneNumberHome: '12345' })],
    ['NewAccountRequest', owner({ phoneNumberHome: ' ' })],
    ['NewAccountRequest', owner({ birthDate: '1980-13-01' })],
    ['NewAccountRequest', owner({ birthDate: '19800101' })],
    ['NewAccountRequest', owner({ taxIdNumber: '12345678' })],
  ] as const)
    assert.notDeepEqual(await errorsOf(schema, request), [], JSON.stringify(request))
})
