// Separates the personal numbers from a record, and combines both again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations, type Request, readRequest } from '@clearing/protocol'
import { parseApplication } from './index.ts'
import type { AccountRecord } from './record.ts'
import { withoutSecrets, withSecrets } from './secrets.ts'
import { rightAccount } from './testing/right-accounts.ts'

const record: AccountRecord = {
  ...rightAccount('Individual'),
  primaryOwner: {
    customerId: '1',
    lastName: 'HADDAD',
    taxIdNumber: '401121001',
    birthDate: '1981-12-24',
    governmentIdentification: {
      governmentId1: { idType: 'Passport', idNumber: 'P1' },
      governmentId2: { idType: 'NationalId', idNumber: 'N2' },
    },
  },
  associatedParties: [
    { customerId: '2', lastName: 'NOBODY' },
    {
      customerId: '3',
      birthDate: '1990-01-01',
      governmentIdentification: { governmentId2: { idType: 'Passport', idNumber: 'P3' } },
    },
    {
      customerId: '4',
      taxIdNumber: '401121004',
      governmentIdentification: { governmentId1: { idType: 'Passport' } },
    },
  ],
  beneficiaries: [
    { customerId: '5', firstName: 'LUIS', taxIdNumber: '401121005' },
    { customerId: '6', firstName: 'EVA', birthDate: '2001-02-03' },
    { customerId: '7', firstName: 'ANA' },
  ],
}

test('the numbers are separated by customer id, and persons without numbers have no entry', () => {
  assert.deepEqual(withoutSecrets(record).secrets, {
    1: { taxIdNumber: '401121001', birthDate: '1981-12-24', governmentId1: 'P1', governmentId2: 'N2' },
    3: { birthDate: '1990-01-01', governmentId2: 'P3' },
    4: { taxIdNumber: '401121004' },
    5: { taxIdNumber: '401121005' },
    6: { birthDate: '2001-02-03' },
  })
})

test('the rest contains none of the numbers and is otherwise unchanged', () => {
  const { open } = withoutSecrets(record)
  assert.deepEqual(open.primaryOwner, {
    customerId: '1',
    lastName: 'HADDAD',
    governmentIdentification: {
      governmentId1: { idType: 'Passport' },
      governmentId2: { idType: 'NationalId' },
    },
  })
  assert.deepEqual(open.associatedParties, [
    { customerId: '2', lastName: 'NOBODY' },
    { customerId: '3', governmentIdentification: { governmentId2: { idType: 'Passport' } } },
    { customerId: '4', governmentIdentification: { governmentId1: { idType: 'Passport' } } },
  ])
  assert.deepEqual(open.beneficiaries, [
    { customerId: '5', firstName: 'LUIS' },
    { customerId: '6', firstName: 'EVA' },
    { customerId: '7', firstName: 'ANA' },
  ])
})

test('the rest and the numbers together give the record', () => {
  const { open, secrets } = withoutSecrets(record)
  assert.deepEqual(withSecrets(open, secrets), record)
})

test('a number of an identification that is no longer in the record is not restored', () => {
  const { open, secrets } = withoutSecrets(record)
  const without = { ...open, primaryOwner: { customerId: '1', governmentIdentification: {} } }
  assert.deepEqual(withSecrets(without, secrets).primaryOwner.governmentIdentification, {})
})

function applied(example: number): AccountRecord {
  let next = 100_000_000_000_000_000n
  const request = operations['new-account'].examples[example]?.request
  const { value } = readRequest(operations['new-account'].request, structuredClone(request))
  return parseApplication(value as Request<'new-account'>, () => String(next++)).record
}

test('an application is split into the open part and the secrets, and combined again', () => {
  for (const example of [0, 1]) {
    const application = applied(example)
    application.primaryOwner.governmentIdentification = {
      governmentId2: { idType: 'Passport', idNumber: 'X99Z' },
    }
    const { open: plain, secrets } = withoutSecrets(application)
    for (const secret of ['219099998', '219099981', '219099982', '1986-04-17', 'X99Z']) {
      assert.ok(!JSON.stringify(plain).includes(secret))
    }
    assert.deepEqual(withSecrets(plain, secrets), application)
  }
})
