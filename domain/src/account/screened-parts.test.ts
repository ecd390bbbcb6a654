/** The screened parts of a record, and the parts that a change affects. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountRecord } from './record.ts'
import { changedParts, screenedAddresses, screenedNames } from './screened-parts.ts'

const record: AccountRecord = {
  registrationType: 'JointTIC',
  entityNumber: '301',
  main: {},
  electronicDelivery: {},
  mailingAddress: { street: '1 A ST', city: 'X', country: 'US' },
  primaryOwner: {
    customerId: '1',
    nameType: 'Individual',
    firstName: 'ADA',
    lastName: 'MORENO',
    birthDate: '1980-01-01',
    citizenshipCountry: 'US',
    taxIdNumber: '123456789',
    legalAddress: {},
    employerAddress: { city: 'Y', country: 'FR' },
    trustedContact: { name: 'LUIS MORENO', address: { city: 'Z', country: 'MX' } },
    affiliation: {
      name: 'OMAR HADDAD',
      political: { associated: 'True', firstName: 'JO', lastName: 'DOE', organization: 'A PARTY' },
      industry: 'False',
    },
  },
  associatedParties: [{ customerId: '2', nameType: 'Entity', firstName: 'HARBOR', lastName: 'LLC' }],
  financialProfile: {},
  beneficiaries: [
    { customerId: '3', firstName: 'EVA', citizenshipCountry: 'DE', address: { country: 'DE' } },
  ],
  largeTraders: [],
}
function changed(change: (copy: AccountRecord) => void) {
  const after = structuredClone(record)
  change(after)
  const { names, addresses } = changedParts(record, after)
  return { names: names.map(({ field }) => field), addresses: addresses.map(({ field }) => field) }
}

test('names of owners, parties, beneficiaries, trusted contacts and affiliations are screened', () => {
  assert.deepEqual(
    screenedNames(record).map(({ field, customerId, kind, nameParts }) => [
      field,
      customerId,
      kind,
      nameParts.join(' '),
    ]),
    [
      ['primaryOwner', '1', 'person', 'ADA MORENO'],
      ['primaryOwner.trustedContact', '1:trusted-contact', 'person', 'LUIS MORENO'],
      ['primaryOwner.affiliation.name', '1:affiliation.name', 'entity', 'OMAR HADDAD'],
      ['primaryOwner.affiliation.political', '1:affiliation.political', 'person', 'JO DOE'],
      [
        'primaryOwner.affiliation.political.organization',
        '1:affiliation.political.organization',
        'entity',
        'A PARTY',
      ],
      ['associatedParties[2]', '2', 'entity', 'HARBOR LLC'],
      ['beneficiaries[3]', '3', 'person', 'EVA'],
    ],
  )
})

test('addresses and citizenships are screened, except empty ones', () => {
  assert.deepEqual(
    screenedAddresses(record).map(({ field }) => field),
    [
      'mailingAddress',
      'primaryOwner.employerAddress',
      'primaryOwner.trustedContact.address',
      'primaryOwner.citizenshipCountry',
      'beneficiaries[3].address',
      'beneficiaries[3].citizenshipCountry',
    ],
  )
})

test('countries that issued identifications are screened, of persons and entities', () => {
  const issued = (copy: AccountRecord) => {
    copy.primaryOwner.governmentIdentification = {
      governmentId1: { idType: 'DriversLicense', idNumber: '1', idLocation: 'IR' },
      governmentId2: { idType: 'Passport', idNumber: '2', idLocation: 'IR' },
    }
    const [entity] = copy.associatedParties
    if (entity !== undefined)
      entity.governmentIdentification = {
        governmentId1: { idType: 'CompanyRegistration', idNumber: '3', idLocation: 'KP' },
        governmentId2: { idType: 'NationalId', idNumber: '4' },
      }
  }
  assert.deepEqual(changed(issued).addresses, [
    'primaryOwner.governmentIdentification.governmentId2.idLocation',
    'associatedParties[2].governmentIdentification.governmentId1.idLocation',
  ])
})

test('a change affects only the parts whose screened values differ', () => {
  assert.deepEqual(
    changed((copy) => {
      copy.primaryOwner.email = 'a@b.co'
      copy.main.repCode = 'JC02'
    }),
    { names: [], addresses: [] },
  )
  assert.deepEqual(
    changed((copy) => {
      copy.primaryOwner.birthDate = '1981-01-01'
      copy.associatedParties.push({ customerId: '4', firstName: 'NEW', lastName: 'PARTY' })
      copy.beneficiaries[0] = { ...copy.beneficiaries[0], address: { city: 'TEHRAN', country: 'IR' } }
    }),
    {
      names: ['primaryOwner', 'associatedParties[4]', 'beneficiaries[3]'],
      addresses: ['beneficiaries[3].address'],
    },
  )
})

test('a new name does not affect an unchanged address', () => {
  const { names, addresses } = changed((copy) => {
    copy.primaryOwner.lastName = 'MORENA'
  })
  assert.deepEqual([names, addresses], [['primaryOwner'], []])
})

test('a move to another country affects the name of every person with that address', () => {
  const { names, addresses } = changed((copy) => {
    copy.mailingAddress = { ...copy.mailingAddress, country: 'CA' }
  })
  assert.deepEqual(names, ['primaryOwner', 'associatedParties[2]'])
  assert.deepEqual(addresses, ['mailingAddress'])
})
