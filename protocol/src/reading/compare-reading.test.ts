import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../operations/index.ts'
import { compareReading, memberAsSent } from './compare-reading.ts'

const schema = operations['new-account'].request

function rows(json: unknown) {
  return compareReading(schema, json).map(({ field, sentAs, sent, understood }) => [
    field,
    sentAs,
    sent,
    understood,
  ])
}

test('each sent value is returned with the read value, under both names', () => {
  const sent = {
    RegistrationType: 'individual',
    primaryOwner: { firstname: 'Ada', middleName: '', sourceOfFunds: ['employment', 'Gift'] },
    beneficiaries: [{ name: 'Luis Moreno', percentageAllocation: '100' }, {}],
  }
  assert.deepEqual(rows(sent), [
    ['registrationType', 'RegistrationType', 'individual', 'Individual'],
    ['primaryOwner.firstName', 'primaryOwner.firstname', 'Ada', 'ADA'],
    ['primaryOwner.sourceOfFunds', 'primaryOwner.sourceOfFunds', 'employment, Gift', 'Employment, Gift'],
    ['beneficiaries[0].name', 'beneficiaries[0].name', 'Luis Moreno', 'LUIS MORENO'],
    ['beneficiaries[0].percentageAllocation', 'beneficiaries[0].percentageAllocation', '100', '100.00'],
  ])
})

test('an unknown value is returned as it was sent, with an empty read value', () => {
  assert.deepEqual(rows({ colour: 'red', primaryOwner: { hobby: { name: 'Chess' } } }), [
    ['colour', 'colour', 'red', ''],
    ['primaryOwner.hobby.name', 'primaryOwner.hobby.name', 'Chess', ''],
  ])
})

test('a member is found by the name that the caller used', () => {
  assert.equal(memberAsSent(schema, { REGISTRATIONTYPE: 'x' }, 'registrationType'), 'x')
  assert.equal(memberAsSent(schema, { registrationType: 'x' }, 'main'), undefined)
  assert.equal(memberAsSent(schema, ['x'], 'main'), undefined)
})

test('a list in which only some items are blocks is returned item by item', () => {
  const sent = { beneficiaries: [{ name: 'Luis Moreno' }, 'a second one'] }
  assert.deepEqual(
    rows(sent).map(([field, , value]) => [field, value]),
    [
      ['beneficiaries[0].name', 'Luis Moreno'],
      ['beneficiaries[1]', 'a second one'],
    ],
  )
})

test('null is not a block and has no members', () => {
  assert.equal(memberAsSent(schema, null, 'main'), undefined)
})
