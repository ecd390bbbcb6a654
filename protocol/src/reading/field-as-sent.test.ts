// An error names its field as the request does, of the two names that the specification has for one field.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reject } from '../errors.ts'
import { limits } from '../limits.ts'
import { newAccountRequest, updateAccountRequest } from '../shapes/account.ts'
import { fieldAsSent, rejectionsAsSent } from './field-as-sent.ts'
import { readRequest } from './read-request.ts'

const request = {
  SUBNUMBER: '301',
  primaryOwner: { NAME1: 'Ada', lastname: 'Moreno', suffix: 'Jr', name4: 'Sr', employer: { name: 'X' } },
  associatedParty: [{ firstName: 'Noor' }, { name3: 'Haddad', trustedContact: { name: '' } }],
  transferOfDeathBeneficiaries: [{ firstName: 'Luis' }],
}

const table: [field: string, sentAs: string][] = [
  ['entityNumber', 'subNumber'],
  ['primaryOwner.firstName', 'primaryOwner.name1'],
  ['primaryOwner.lastName', 'primaryOwner.lastName'],
  ['primaryOwner.suffix', 'primaryOwner.suffix'],
  ['primaryOwner.middleName', 'primaryOwner.middleName'],
  ['primaryOwner.name1', 'primaryOwner.name1'],
  ['primaryOwner.employer.employerName', 'primaryOwner.employer.employerName'],
  ['associatedParties[0].firstName', 'associatedParties[0].firstName'],
  ['associatedParties[1].lastName', 'associatedParties[1].name3'],
  ['associatedParties[2].lastName', 'associatedParties[2].lastName'],
  ['transferOfDeathBeneficiaries[0].name1', 'transferOfDeathBeneficiaries[0].name1'],
  ['unknown.firstName', 'unknown.firstName'],
  ['', ''],
]
for (const [field, sentAs] of table) {
  test(`${field || 'an error of the whole request'} is named ${sentAs || 'by an empty field'}`, () => {
    assert.equal(fieldAsSent(newAccountRequest, request, field), sentAs)
    assert.equal(fieldAsSent(updateAccountRequest, request, field), sentAs)
  })
}

test('the expected version has the name that the request has', () => {
  const asSent = (json: object) => fieldAsSent(updateAccountRequest, json, 'expectedVersion')
  assert.equal(asSent({ version: 'x' }), 'version')
  assert.equal(asSent({ expectedVersion: 'x' }), 'expectedVersion')
  assert.equal(asSent({ version: 1, expectedVersion: 2 }), 'expectedVersion')
})

test('the field of a request that is no object keeps its name', () => {
  for (const json of [undefined, null, 'text', [], 5])
    assert.equal(fieldAsSent(newAccountRequest, json, 'primaryOwner.firstName'), 'primaryOwner.firstName')
})

test('a reason that begins with the field names it as the request does', () => {
  const asSent = (reason: string) =>
    rejectionsAsSent(updateAccountRequest, request, [reject('ERR.1021', 'entityNumber', reason)])[0]?.reason
  assert.equal(asSent('entityNumber cannot be changed.'), 'subNumber cannot be changed.')
  assert.equal(asSent('Entity number must be 3 digits.'), 'Entity number must be 3 digits.')
})

test('the members of a block are read once for all rejections', () => {
  const names = Array.from({ length: 3_000 }, (_, index) => `unknown${index}`)
  const owner = Object.fromEntries(names.map((name) => [name, 0]))
  const { rejections } = readRequest(newAccountRequest, { primaryOwner: owner })
  assert.equal(rejections.length, limits.rejectionsMax)
  let reads = 0
  const counted = new Proxy(owner, {
    get(target, name) {
      reads += 1
      return Reflect.get(target, name)
    },
  })
  assert.deepEqual(rejectionsAsSent(newAccountRequest, { primaryOwner: counted }, rejections), rejections)
  assert.equal(reads, names.length)
})

test('of many spellings of one name, the canonical one stands for all, with the first value', () => {
  const spellings = ['NAME1', 'name1', 'FirstName', 'firstName']
  const json = { primaryOwner: Object.fromEntries(spellings.map((name) => [name, 'Ada'])) }
  const { rejections } = readRequest(newAccountRequest, json)
  const twice = rejectionsAsSent(newAccountRequest, json, rejections).filter(
    ({ code }) => code === 'ERR.1014',
  )
  assert.deepEqual([...new Set(twice.map(({ field }) => field))], ['primaryOwner.firstName'])
})
