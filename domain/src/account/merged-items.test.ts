/** The paths of list items, between their positions in the request and those in the record. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MergedItems } from './merged-items.ts'

/** The request names the second party first, and adds a third. */
function merged() {
  const items = new MergedItems('associatedParties', ['A', 'B'])
  items.put(1, 'B', 'associatedParties[0]')
  items.put(2, 'C', 'associatedParties[1]')
  return items
}

for (const [record, request] of [
  ['associatedParties[1]', 'associatedParties[0]'],
  ['associatedParties[1].birthDate', 'associatedParties[0].birthDate'],
  ['associatedParties[1].sourceOfFunds[2]', 'associatedParties[0].sourceOfFunds[2]'],
  ['associatedParties[2].role', 'associatedParties[1].role'],
  ['associatedParties[0].role', 'associatedParties[0].role'],
  ['associatedParties', 'associatedParties'],
  ['beneficiaries[1].name', 'beneficiaries[1].name'],
  ['main.repCode', 'main.repCode'],
] as const) {
  test(`a rejection of ${record} of the record names ${request} of the request`, () => {
    assert.equal(merged().inRequest(record), request)
  })
}

for (const [request, record] of [
  ['associatedParties[0]', 'associatedParties[1]'],
  ['associatedParties[0].birthDate', 'associatedParties[1].birthDate'],
  ['associatedParties[0].sourceOfFunds[2]', 'associatedParties[1].sourceOfFunds[2]'],
  ['associatedParties[1].role', 'associatedParties[2].role'],
  ['associatedParties[2].role', undefined],
  ['associatedParties[2].sourceOfFunds[0]', undefined],
  ['beneficiaries[1].name', 'beneficiaries[1].name'],
  ['main.repCode', 'main.repCode'],
] as const) {
  test(`${request} of the request is ${record ?? 'nothing'} of the record`, () => {
    assert.deepEqual([...merged().inRecord([request])], record === undefined ? [] : [record])
  })
}
