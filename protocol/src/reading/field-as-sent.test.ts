// An error names its field as the request does, of the two names that the specification has for one field.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reject } from '../errors.ts'
import { newAccountRequest, updateAccountRequest } from '../shapes/account.ts'
import { fieldAsSent, rejectionAsSent } from './field-as-sent.ts'

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
    rejectionAsSent(updateAccountRequest, request, reject('ERR.1021', 'entityNumber', reason)).reason
  assert.equal(asSent('entityNumber cannot be changed.'), 'subNumber cannot be changed.')
  assert.equal(asSent('Entity number must be 3 digits.'), 'Entity number must be 3 digits.')
})
