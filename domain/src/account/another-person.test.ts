import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAnotherPerson } from './another-person.ts'
import type { Party } from './record.ts'

const ada = {
  nameType: 'Individual',
  firstName: 'ADA',
  lastName: 'MORENO',
  birthDate: '1986-04-17',
  taxIdNumber: '501011001',
} as Party
const claire = {
  ...ada,
  firstName: 'CLAIRE',
  lastName: 'AUBRAC',
  taxIdNumber: undefined,
  governmentIdentification: {
    governmentId1: { idType: 'Passport', idNumber: '19AB77881', idLocation: 'FR' },
  },
} as unknown as Party
const born = { birthDate: '1981-01-01' }
const russian = { governmentId1: { idType: 'Passport', idNumber: '751234567', idLocation: 'RU' } }

const names: readonly [from: object, to: object, isAnother: boolean][] = [
  [{}, { firstName: 'ZED', lastName: 'ZORN' }, true],
  [{}, { lastName: 'HALVORSEN' }, true],
  [{}, { firstName: 'EVA' }, true],
  [{}, { firstName: 'ÁDA', lastName: "MO RE'NO" }, false],
  [{}, { firstName: 'MORENO', lastName: 'ADA' }, false],
  [{}, { lastName: 'MORENO-HALVORSEN' }, false],
  [{}, { middleName: 'LEE' }, false],
  [{}, { lastName: 'MORNEO' }, false],
  [{}, { lastName: 'MORNEA' }, true],
  [{ lastName: 'HALVORSEN' }, { lastName: 'HALVARSON' }, false],
  [{ lastName: 'HALVORSEN' }, { lastName: 'HALVARSUM' }, true],
  [{}, { suffix: 'JR' }, true],
  [{ suffix: 'SR' }, { suffix: 'JR' }, true],
  [{ suffix: 'Jr.' }, { suffix: 'JR' }, false],
]

test('another name with another birth date is another person, and a correction of the spelling is not', () => {
  for (const [from, to, isAnother] of names) {
    const before = { ...ada, ...from } as Party
    assert.equal(
      isAnotherPerson(before, { ...before, ...to, ...born } as Party),
      isAnother,
      JSON.stringify(to),
    )
    assert.equal(isAnotherPerson(before, { ...before, ...to } as Party), false)
  }
  assert.equal(isAnotherPerson(ada, { ...ada, ...born }), false)
  assert.equal(
    isAnotherPerson({ ...ada, birthDate: undefined } as never, { ...ada, lastName: 'ZORN' }),
    false,
  )
})

test('another identification counts for a person without a tax id', () => {
  const renamed = { firstName: 'IGOR', lastName: 'VOLKONSKY', governmentIdentification: russian }
  assert.equal(isAnotherPerson(claire, { ...claire, ...renamed } as Party), true)
  assert.equal(
    isAnotherPerson(claire, { ...claire, ...renamed, lastName: 'AUBRAC', firstName: 'CLAIR' } as Party),
    false,
  )
  assert.equal(
    isAnotherPerson({ ...claire, taxIdNumber: '501011002' }, { ...claire, ...renamed } as Party),
    false,
  )
  assert.equal(
    isAnotherPerson({ ...claire, governmentIdentification: {} }, { ...claire, ...renamed } as Party),
    false,
  )
})

test('the number of an entity says which one it is', () => {
  const trust = {
    ...ada,
    nameType: 'Entity',
    firstName: 'LINDQVIST FAMILY TRUST',
    lastName: undefined,
  } as never
  assert.equal(isAnotherPerson(trust, { ...(trust as Party), firstName: 'VOLKOV TRUST', ...born }), false)
})
