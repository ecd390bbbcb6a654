// Personal numbers as a reader without the right to see them receives them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { maskChange, maskNumber, maskPersonalNumbers } from './mask-numbers.ts'

describe('a number', () => {
  for (const [number, masked] of [
    ['', ''],
    ['1', '*'],
    ['123', '***'],
    ['1234', '****'],
    ['12345', '*2345'],
    ['401121001', '*****1001'],
  ] as const) {
    test(`of ${number.length} characters is masked as ${masked || 'nothing'}`, () =>
      assert.equal(maskNumber(number), masked))
  }
})

describe('a masked change of', () => {
  for (const [field, from, to] of [
    ['primaryOwner.taxIdNumber', '401121001', '*****1001'],
    ['taxIdNumber', '401121001', '*****1001'],
    ['associatedParties[100].taxIdNumber', '401121001', '*****1001'],
    ['transferOfDeathBeneficiaries[0].taxId', '401121001', '*****1001'],
    ['primaryOwner.governmentIdentification.governmentId1.idNumber', 'P1234567', '****4567'],
    ['primaryOwner.birthDate', '1981-12-24', '****-**-**'],
    ['primaryOwner.email', 'noor@example.com', 'noor@example.com'],
    ['primaryOwner.dependents', 2, 2],
    ['primaryOwner.sourceOfFunds', ['Salary', null], ['Salary', null]],
    ['primaryOwner.jobTitle', undefined, undefined],
  ] as const) {
    test(`${field} contains ${JSON.stringify(to)}`, () => {
      assert.deepEqual(maskChange({ field, from, to: undefined }), { field, from: to, to: undefined })
      assert.deepEqual(maskChange({ field, from: undefined, to: from }), { field, from: undefined, to })
    })
  }
})

test('personal numbers are masked at any depth, and other values stay', () => {
  assert.deepEqual(
    maskPersonalNumbers({
      registrationType: 'Individual',
      primaryOwner: { lastName: 'HADDAD', taxIdNumber: '401121001', birthDate: '1981-12-24' },
      associatedParties: [{ governmentIdentification: { governmentId1: { idNumber: 'P1234567' } } }],
      note: null,
      count: 3,
    }),
    {
      registrationType: 'Individual',
      primaryOwner: { lastName: 'HADDAD', taxIdNumber: '*****1001', birthDate: '****-**-**' },
      associatedParties: [{ governmentIdentification: { governmentId1: { idNumber: '****4567' } } }],
      note: null,
      count: 3,
    },
  )
  assert.equal(maskPersonalNumbers('401121001'), '401121001')
})
