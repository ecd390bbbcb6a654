// Names in parts and as one text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beneficiaryName, fullName, lastNameFirst, splitName } from './name.ts'

test('a name in one field is divided into the first word, the last word and the words between', () => {
  for (const [name, parts] of [
    ['', {}],
    [' ', {}],
    ['NOOR', { firstName: 'NOOR' }],
    ['NOOR HADDAD', { firstName: 'NOOR', lastName: 'HADDAD' }],
    [' NOOR  HADDAD ', { firstName: 'NOOR', lastName: 'HADDAD' }],
    ['NOOR A HADDAD', { firstName: 'NOOR', middleName: 'A', lastName: 'HADDAD' }],
    ['NOOR A DE HADDAD', { firstName: 'NOOR', middleName: 'A DE', lastName: 'HADDAD' }],
  ] as const)
    assert.deepEqual(splitName(name), parts, name)
})

test('a full name has its parts in order, without absent parts', () => {
  const whole = { firstName: 'NOOR', middleName: 'A', lastName: 'HADDAD', suffix: 'JR' }
  assert.equal(fullName(whole), 'NOOR A HADDAD JR')
  assert.equal(beneficiaryName(whole), 'NOOR A HADDAD JR')
  assert.equal(lastNameFirst(whole), 'HADDAD NOOR A JR')
  assert.equal(fullName({ firstName: 'NOOR', middleName: '', lastName: 'HADDAD' }), 'NOOR HADDAD')
  assert.equal(lastNameFirst({ firstName: 'NOOR', lastName: 'HADDAD' }), 'HADDAD NOOR')
  assert.equal(fullName({}), '')
})
