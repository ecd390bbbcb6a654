/** The subjects for approval that a change affects: names, addresses, beneficiaries, contacts, birth dates. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvalSubjectsOf } from './approval-subjects.ts'

function touching(...fields: string[]) {
  return approvalSubjectsOf(fields.map((field) => ({ field, from: 'a', to: 'b' })))
}

test('the subject Names contains names of the owner and of parties, and new parties', () => {
  assert.deepEqual(touching('primaryOwner.lastName'), ['Names'])
  assert.deepEqual(touching('associatedParties[123].firstName'), ['Names'])
  assert.deepEqual(touching('associatedParties[123]'), ['Names'])
})

test('the subject Addresses contains mailing and legal addresses', () => {
  assert.deepEqual(touching('mailingAddress.street'), ['Addresses'])
  assert.deepEqual(touching('primaryOwner.legalAddress.city', 'mailingAddress.city'), ['Addresses'])
})

test('the subject Beneficiaries contains beneficiaries under each of their names', () => {
  assert.deepEqual(touching('beneficiaries[1].percentageAllocation'), ['Beneficiaries'])
  assert.deepEqual(touching('retirementBenes[1]', 'primaryOwner.suffix'), ['Names', 'Beneficiaries'])
})

test('the subject Contacts contains e-mail addresses, phone numbers and electronic delivery', () => {
  assert.deepEqual(touching('primaryOwner.email'), ['Contacts'])
  assert.deepEqual(touching('electronicDelivery.statements', 'electronicDelivery'), ['Contacts'])
  for (const kind of ['Cell', 'Home', 'Business'])
    assert.deepEqual(touching(`associatedParties[123].phoneNumber${kind}`), ['Contacts'])
  assert.deepEqual(touching('primaryOwner.phoneRegionHome', 'mailingAddress.city'), ['Addresses', 'Contacts'])
})

test('the subject BirthDate contains birth dates of the owner and of parties', () => {
  assert.deepEqual(touching('primaryOwner.birthDate'), ['BirthDate'])
  assert.deepEqual(touching('associatedParties[123].birthDate'), ['BirthDate'])
  assert.deepEqual(touching('beneficiaries[1].birthDate'), ['Beneficiaries'])
})

test('other changes have no subject', () => {
  assert.deepEqual(
    touching(
      'primaryOwner.employerPhoneNumber',
      'trustedContact.email',
      'primaryOwner.affiliation.political.firstName',
      'trustedContact.name',
      'primaryOwner.employerName',
      'main.repCode',
    ),
    [],
  )
})
