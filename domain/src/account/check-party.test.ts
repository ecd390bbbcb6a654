/** Rules of a party that depend on its country: the tax id, and the state of an affiliation's address. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAccount } from './check-account.ts'
import type { Registration } from './policy/registration-roles.ts'
import type { Party } from './record.ts'
import { type Changes, rightAccount, today } from './testing/right-accounts.ts'

function foundIn(registration: Registration, changes: Changes<Party>) {
  const right = rightAccount(registration)
  const settings = { today, magicTaxIds: new Set<string>(), refusedPaths: new Set<string>() }
  return checkAccount(
    { ...right, primaryOwner: { ...right.primaryOwner, ...changes } as Party },
    [],
    settings,
  )
}

test('the reason for a wrong name says which part of the name is wrong', () => {
  for (const [part, label] of [
    ['firstName', 'First name'],
    ['middleName', 'Middle name'],
    ['lastName', 'Last name'],
    ['suffix', 'Suffix'],
  ] as const) {
    const [fault] = foundIn('Individual', { [part]: '4' }).filter(({ code }) => code === 'ERR.1016')
    assert.equal(fault?.field, `primaryOwner.${part}`)
    assert.ok(fault?.reason.startsWith(`${label} `), fault?.reason)
  }
})

test('an entity may have the registration of a company as its identification', () => {
  const governmentId1 = { idType: 'CompanyRegistration', idNumber: 'HRB 1', idLocation: 'DE' }
  const found = foundIn('Corporation', { governmentIdentification: { governmentId1 } })
  assert.deepEqual(
    found.filter(({ field }) => field.includes('governmentId1')),
    [],
  )
})

test('the reason for a missing tax id names what a foreign person or entity can give instead', () => {
  const reasonOf = (registration: Registration, changes: Changes<Party>) => {
    const right = rightAccount(registration)
    const given = { ...right.primaryOwner, taxIdType: undefined, taxIdNumber: undefined, ...changes }
    const settings = { today, magicTaxIds: new Set<string>(), refusedPaths: new Set<string>() }
    const record = { ...right, primaryOwner: given as Party }
    return checkAccount(record, [], settings).find(({ field }) => field === 'primaryOwner.taxIdType')?.reason
  }
  assert.equal(reasonOf('Individual', {}), 'Tax id type is required.')
  assert.equal(reasonOf('Individual', { citizenshipCountry: 'PR' }), 'Tax id type is required.')
  assert.match(
    reasonOf('Individual', { citizenshipCountry: 'FR' }) ?? '',
    /passport .* IndividualJointForeign .* Foreign/,
  )
  assert.match(reasonOf('Corporation', { citizenshipCountry: 'FR' }) ?? '', /CompanyRegistration/)
})

test('an affiliation’s address may lack the state that other addresses in the United States need', () => {
  const address = { street: '2 TOWER PLAZA', city: 'NEWARK', country: 'US', postalCode: '07102' }
  const right = rightAccount('Individual')
  function codesOf(changes: Changes<Party>): string[] {
    const settings = { today, magicTaxIds: new Set<string>(), refusedPaths: new Set<string>() }
    const record = { ...right, primaryOwner: { ...right.primaryOwner, ...changes } as Party }
    const found = checkAccount(record, [], settings).filter(({ field }) => /address\./i.test(field))
    return found.map(({ code, field }) => `${code} ${field}`)
  }
  assert.deepEqual(codesOf({ affiliation: { address } }), [])
  assert.deepEqual(codesOf({ affiliation: { address: { ...address, stateProvince: 'ZZ' } } }), [
    'ERR.1008 primaryOwner.affiliation.address.stateProvince',
  ])
  assert.deepEqual(codesOf({ affiliation: { address: { ...address, postalCode: '7102' } } }), [
    'ERR.1007 primaryOwner.affiliation.address.postalCode',
  ])
  assert.deepEqual(codesOf({ employerAddress: address }), [
    'ERR.1008 primaryOwner.employerAddress.stateProvince',
  ])
})

test('the name of a political figure may be in two parts, and the missing one is named', () => {
  const found = (political: object, refusedPaths: readonly string[] = []) => {
    const right = rightAccount('Individual')
    const affiliation = {
      political: { associated: 'True', organization: 'X', relationship: 'SON', ...political },
    }
    const record = { ...right, primaryOwner: { ...right.primaryOwner, affiliation } as Party }
    const at = 'primaryOwner.affiliation.political.'
    const refused = new Set(refusedPaths.map((name) => at + name))
    const settings = { today, magicTaxIds: new Set<string>(), refusedPaths: refused }
    const fields = checkAccount(record, [], settings).map(({ field }) => field)
    return fields.flatMap((field) => (field.startsWith(at) ? field.slice(at.length) : []))
  }
  assert.deepEqual(found({}), ['name'])
  assert.deepEqual(found({ firstName: 'ANA' }), ['lastName'])
  assert.deepEqual(found({ lastName: 'SOL' }), ['firstName'])
  for (const whole of [{ name: 'ANA SOL' }, { firstName: 'ANA', lastName: 'SOL' }])
    assert.deepEqual(found(whole), [])
  // A part that cannot be read is an error of its own.
  assert.deepEqual(found({ lastName: 'SOL' }, ['firstName']), [])
  assert.deepEqual(found({ firstName: 'ANA' }, ['lastName']), [])
  assert.deepEqual(found({}, ['firstName', 'lastName']), [])
  assert.deepEqual(found({ firstName: 'ANA' }, ['name']), [])
})
