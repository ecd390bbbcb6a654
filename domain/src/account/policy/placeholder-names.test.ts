/** Which names of persons and entities are placeholders, and which real names have such words. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { entity, person } from '../testing/right-accounts.ts'
import { hasPlaceholderName } from './placeholder-names.ts'

type Named = readonly [first: string, last: string]

const placeholders: readonly Named[] = [
  ['UNKNOWN', 'SMITH'],
  ['Unknown', 'Officer'],
  ['NOOR', 'UNKNOWN'],
  ['NOT', 'PROVIDED'],
  ['NOOR', 'NOT PROVIDED'],
  ['NOOR', 'NO LAST NAME'],
  ['NO FIRST NAME', 'HADDAD'],
  ['NULL', 'NULL'],
  ['NULL', 'HADDAD'],
  ['ANONYMOUS', 'DONOR'],
  ['DECEASED', 'PERSON'],
  ['SAME', 'SAME'],
  ['SAME', 'AS ABOVE'],
  ['LNU', 'LNU'],
  ['FNU', 'LNU'],
  ['FNU', 'FNU'],
  ['FNU', 'UNKNOWN'],
  ['N/A', 'HADDAD'],
  ['NOOR', 'N/A'],
  ['NA', 'NA'],
  ['TBD', 'HADDAD'],
  ['TO BE', 'DETERMINED'],
  ['NOOR', 'TO BE NAMED'],
  ['NOOR', 'XX'],
  ['ACCOUNT', 'HOLDER'],
]
const realNames: readonly Named[] = [
  ['FNU', 'HADDAD'],
  ['AHMED', 'LNU'],
  ['CHRISTOPHER', 'NULL'],
  ['NOOR', 'DOE'],
  ['MINJI', 'NA'],
  ['NA', 'MINJI'],
  ['NOOR', 'SAME'],
  ['SAME', 'HADDAD'],
  ['NOOR', 'NOTT'],
  ['UNKNO', 'HADDAD'],
  ['NOOR', 'NONESUCH'],
  ['X', 'X'],
]
describe('a person', () => {
  for (const [firstName, lastName] of placeholders)
    test(`${firstName} | ${lastName} is a placeholder`, () => {
      for (const sandbox of [true, false])
        assert.equal(hasPlaceholderName(person({ firstName, lastName }), sandbox), true)
    })
  for (const [firstName, lastName] of realNames)
    test(`${firstName} | ${lastName} is a name`, () => {
      for (const sandbox of [true, false])
        assert.equal(hasPlaceholderName(person({ firstName, lastName }), sandbox), false)
    })
  test('with a placeholder as the middle name has a name', () =>
    assert.equal(hasPlaceholderName(person({ middleName: 'NONE' }), false), false))
  test('without any name is judged', () =>
    assert.equal(hasPlaceholderName(person({ firstName: undefined, lastName: undefined }), false), false))
})

describe('an entity', () => {
  const rows: [name: string, isPlaceholder: boolean][] = [
    ['TO BE DETERMINED LLC', true],
    ['UNKNOWN LLC', true],
    ['Unknown, Inc.', true],
    ['TBD CORP', true],
    ['NOT PROVIDED L.L.C.', true],
    ['UNKNOWN FAMILY TRUST', true],
    ['THE ESTATE OF UNKNOWN', true],
    ['ESTATE OF THE UNKNOWN', true],
    ['NONE', true],
    ['UNKNOWN WORLDS INC', false],
    ['ANONYMOUS CONTENT LLC', false],
    ['NONE SUCH LLC', false],
    ['HADDAD LLC', false],
    ['ESTATE OF NOOR HADDAD', false],
    ['TRUST LLC', false],
    ['LLC', false],
  ]
  for (const [firstName, isPlaceholder] of rows)
    test(`${firstName} is ${isPlaceholder ? 'a placeholder' : 'a name'}`, () =>
      assert.equal(hasPlaceholderName(entity({ firstName }), true), isPlaceholder))
  test('of the two lines of a name has them together', () => {
    assert.equal(hasPlaceholderName(entity({ firstName: 'UNKNOWN', lastName: 'WORLDS INC' }), true), false)
    assert.equal(hasPlaceholderName(entity({ firstName: 'TO BE', lastName: 'NAMED LLC' }), true), true)
  })
  test('with a test name is a placeholder outside the sandbox', () => {
    const tested = entity({ firstName: 'TEST TESTER' })
    assert.deepEqual(
      [true, false].map((sandbox) => hasPlaceholderName(tested, sandbox)),
      [false, true],
    )
  })
})
