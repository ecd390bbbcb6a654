/** Which changes touch a name, an address or a beneficiary. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvalSubjectsOf } from './approval-subjects.ts'

function touching(...fields: string[]) {
  return approvalSubjectsOf(fields.map((field) => ({ field, from: 'a', to: 'b' })))
}

test('names of the owner and of parties, and parties who come', () => {
  assert.deepEqual(touching('primaryOwner.lastName'), ['Names'])
  assert.deepEqual(touching('associatedParties[123].firstName'), ['Names'])
  assert.deepEqual(touching('associatedParties[123]'), ['Names'])
})

test('mailing and legal addresses', () => {
  assert.deepEqual(touching('mailingAddress.street'), ['Addresses'])
  assert.deepEqual(touching('primaryOwner.legalAddress.city', 'mailingAddress.city'), ['Addresses'])
})

test('beneficiaries under each of their names', () => {
  assert.deepEqual(touching('beneficiaries[1].percentageAllocation'), ['Beneficiaries'])
  assert.deepEqual(touching('retirementBenes[1]', 'primaryOwner.suffix'), ['Names', 'Beneficiaries'])
})

test('nothing else', () => {
  assert.deepEqual(
    touching(
      'primaryOwner.email',
      'primaryOwner.affiliation.political.firstName',
      'trustedContact.name',
      'primaryOwner.employerName',
      'main.repCode',
    ),
    [],
  )
})
