// The rules on the identity of the parties. Each row changes one fact of a valid account.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Address } from '../record.ts'
import { entity, person, rightAccount } from '../testing/right-accounts.ts'
import { judgeAccount } from './judge-account.ts'
import type { Registration } from './registration-roles.ts'
import { add, all, type Change, mailing, owner, party, production } from './testing/changed-accounts.ts'
import { testFindings } from './testing/find-table.ts'

const street: Address = { street: '12 MAIN ST', city: 'BOSTON', stateProvince: 'MA', country: 'US' }
const boxed: Address = { ...street, street: 'PO BOX 77' }
const havana: Address = { street: 'CALLE 1', city: 'HAVANA', country: 'CU' }
const passport = { idType: 'Passport', idNumber: 'X1234567' }
function foreigner(governmentIdentification: object): Change {
  return add(person({ role: 'Associate', citizenshipCountry: 'FR', governmentIdentification } as never))
}
function foreignOwner(governmentIdentification: object): Change {
  return owner({ citizenshipCountry: 'FR', governmentIdentification } as never)
}
const notIdentified = 'ForeignPersonIdentified associatedParties[0].governmentIdentification'
const ownersDocument = 'primaryOwner.governmentIdentification.governmentId1'

/** Persons born in the territories are citizens or nationals of the United States. */
const territories = ['AS', 'GU', 'MP', 'PR', 'UM', 'VI']

describe('a citizen of a territory', () => {
  for (const citizenshipCountry of territories) {
    testFindings([
      [`${citizenshipCountry}, as owner without a passport`, 'Individual', owner({ citizenshipCountry })],
      [
        `${citizenshipCountry}, as a party without a passport`,
        'Individual',
        add(person({ role: 'Associate', citizenshipCountry })),
      ],
      [
        `${citizenshipCountry}, with a political office`,
        'Individual',
        owner({ citizenshipCountry, affiliation: { political: 'True' } }),
      ],
    ])
  }
})

describe('an address', () => {
  testFindings([
    [
      'a box as mailing and legal address',
      'Individual',
      mailing({ street: 'PO BOX 77' }),
      'AddressNotBox primaryOwner.legalAddress',
    ],
    [
      'a box as mailing address and a street as legal address',
      'Individual',
      all(mailing({ street: 'PO BOX 77' }), owner({ legalAddress: street })),
    ],
    [
      'a box as legal address',
      'Individual',
      owner({ legalAddress: boxed }),
      'AddressNotBox primaryOwner.legalAddress',
    ],
    [
      'a box as legal address of another party',
      'Individual',
      add(person({ role: 'Associate', legalAddress: boxed })),
      'AddressNotBox associatedParties[0].legalAddress',
    ],
    [
      'a legal address of empty texts and a box as mailing address',
      'Individual',
      all(mailing({ street: 'PO BOX 77' }), owner({ legalAddress: { street: '', city: '' } as never })),
      'AddressNotBox primaryOwner.legalAddress',
    ],
    [
      'an address in a sanctioned country',
      'Individual',
      owner({ legalAddress: havana }),
      'PlaceNotSanctioned primaryOwner.legalAddress',
    ],
    [
      'an address in a sanctioned region',
      'Individual',
      owner({
        legalAddress: { street: 'UL LENINA 1', city: 'SIMFEROPOL', country: 'UA', postalCode: '95000' },
      }),
      'PlaceNotSanctioned primaryOwner.legalAddress',
    ],
    [
      'a mailing address in a sanctioned country, which is the legal address too',
      'Individual',
      (record) => ({ ...record, mailingAddress: havana }),
      'PlaceNotSanctioned primaryOwner.legalAddress',
    ],
    [
      'a mailing address in a sanctioned country, and a legal address at home',
      'Individual',
      all((record) => ({ ...record, mailingAddress: havana }), owner({ legalAddress: street })),
      'PlaceNotSanctioned mailingAddress',
    ],
    [
      'a mailing address in a sanctioned country, which is the legal address of one of two parties',
      'Individual',
      all(
        (record) => ({ ...record, mailingAddress: havana }),
        add(person({ role: 'Associate', legalAddress: street })),
      ),
      'PlaceNotSanctioned primaryOwner.legalAddress',
    ],
    [
      'an employer in a sanctioned country',
      'Individual',
      add(
        person({
          role: 'Associate',
          customerId: '100000000000000007',
          employerAddress: havana,
        }),
      ),
      'PlaceNotSanctioned associatedParties[0].employerAddress',
    ],
    [
      'an employer of the second of two parties in a sanctioned country',
      'Individual',
      add(
        person({ role: 'Associate', customerId: '7' }),
        person({ role: 'Associate', customerId: '8', employerAddress: havana }),
      ),
      'PlaceNotSanctioned associatedParties[1].employerAddress',
    ],
    [
      'an employer of a party without a customer id in a sanctioned country',
      'Individual',
      add(
        person({ role: 'Associate', customerId: '7' }),
        person({ role: 'Associate', employerAddress: havana }),
      ),
      'PlaceNotSanctioned associatedParties[1].employerAddress',
    ],
    [
      'two employers in a sanctioned country, each of which is decided on',
      'Individual',
      add(
        person({ role: 'Associate', customerId: '7', employerAddress: havana }),
        person({ role: 'Associate', customerId: '8', employerAddress: havana }),
      ),
      'PlaceNotSanctioned associatedParties[0].employerAddress',
      'PlaceNotSanctioned associatedParties[1].employerAddress',
    ],
    [
      'the second of two beneficiaries in a sanctioned country',
      'IraRoth',
      (record) => ({
        ...record,
        beneficiaries: [
          { firstName: 'LUIS', customerId: '7', percentageAllocation: '50.00' },
          { firstName: 'ANA', customerId: '8', percentageAllocation: '50.00', address: havana },
        ],
      }),
      'PlaceNotSanctioned beneficiaries[1].address',
    ],
  ])
})

describe('a citizenship', () => {
  testFindings([
    [
      'a citizenship of a sanctioned country',
      'IndividualJointForeign',
      owner({ citizenshipCountry: 'KP' }),
      'PlaceNotSanctioned primaryOwner.citizenshipCountry',
    ],
    ['a citizenship of another country', 'IndividualJointForeign', owner({ citizenshipCountry: 'KR' })],
  ])
})

describe('an identification', () => {
  const identified = (member: 'governmentId1' | 'governmentId2', idType: string, idLocation: string) => {
    const id = { idType, idNumber: 'X100', idLocation, idExpiration: '2040-01-01' }
    return owner({ governmentIdentification: { [member]: id } })
  }
  const field = 'primaryOwner.governmentIdentification'
  testFindings([
    [
      'a passport of a sanctioned country',
      'Individual',
      identified('governmentId1', 'Passport', 'KP'),
      `PlaceNotSanctioned ${field}.governmentId1.idLocation`,
    ],
    [
      'a second identification by such a country',
      'Individual',
      identified('governmentId2', 'NationalId', 'IR'),
      `PlaceNotSanctioned ${field}.governmentId2.idLocation`,
    ],
    ['a passport of another country', 'Individual', identified('governmentId1', 'Passport', 'KR')],
    // The place of a driver's license can be a state of any country.
    ['a license', 'Individual', identified('governmentId1', 'DriversLicense', 'CU')],
  ])
})

describe('an age', () => {
  testFindings([
    ['an age of 110 years', 'Individual', owner({ birthDate: '1915-11-21' })],
    [
      'an age of 111 years',
      'Individual',
      owner({ birthDate: '1915-11-20' }),
      'AgePlausible primaryOwner.birthDate',
    ],
    [
      'an entity that was founded long ago',
      'Individual',
      add(entity({ role: 'Associate', birthDate: '1901-01-01' })),
    ],
  ])
})

describe('a foreign person who is not an owner', () => {
  testFindings([
    ['no document', 'Individual', foreigner({}), notIdentified],
    [
      'with a driver license only',
      'Individual',
      foreigner({ governmentId1: { idType: 'DriversLicense', idNumber: 'D1' } }),
      notIdentified,
    ],
    ['with a passport', 'Individual', foreigner({ governmentId2: passport })],
    [
      'with a national identity card',
      'Individual',
      foreigner({ governmentId1: { idType: 'NationalId', idNumber: '12AB' } }),
    ],
    [
      'with a passport whose number is missing',
      'Individual',
      foreigner({ governmentId1: { idType: 'Passport' } }),
      notIdentified,
    ],
    [
      'with a passport whose number is empty',
      'Individual',
      foreigner({ governmentId1: { idType: 'Passport', idNumber: '' } }),
      notIdentified,
    ],
    [
      'a minor who is a beneficiary, without a document',
      'Trust',
      add(person({ role: 'Beneficiary', citizenshipCountry: 'FR', birthDate: '2018-05-01' })),
    ],
    [
      'a beneficiary without a document',
      'Estate',
      add(person({ role: 'Beneficiary', citizenshipCountry: 'FR' })),
    ],
    [
      'an interested party without a document and without trading authority',
      'Individual',
      add(person({ role: 'InterestedParty', citizenshipCountry: 'FR', tradingAuthority: 'None' })),
    ],
    [
      'an interested party with trading authority and without a document',
      'Individual',
      add(person({ role: 'InterestedParty', citizenshipCountry: 'FR', tradingAuthority: 'Limited' })),
      notIdentified,
    ],
    [
      'a power of attorney without a document',
      'Individual',
      add(person({ role: 'PowerOfAttorney', citizenshipCountry: 'FR' })),
      notIdentified,
    ],
    ['a foreign entity', 'Corporation', add(entity({ role: 'Associate', citizenshipCountry: 'FR' }))],
  ])
})

describe('a person in several roles', () => {
  const french = person({ citizenshipCountry: 'FR', taxIdType: 'TaxId', taxIdNumber: '912701234' })
  const both = (first: object, second: object) =>
    add({ ...french, role: 'Officer', ...first }, { ...french, role: 'Director', ...second })
  const ids = { governmentIdentification: { governmentId1: passport } }
  const at = (position: number) =>
    `ForeignPersonIdentified associatedParties[${position}].governmentIdentification`
  const old = { birthDate: '1902-11-07' }
  testFindings([
    ['without a document, once', 'Corporation', both({}, {}), at(1)],
    ['with a passport in the first role', 'Corporation', both(ids, {})],
    ['with a passport in the second role', 'Corporation', both({}, ids)],
    [
      'with a driver license in the second role',
      'Corporation',
      both({}, { governmentIdentification: { governmentId1: { ...passport, idType: 'DriversLicense' } } }),
      at(1),
    ],
    ['who acts only in the second', 'Corporation', both({ role: 'InterestedParty' }, {}), at(2)],
    [
      'whose first role has another citizenship',
      'Corporation',
      both({ citizenshipCountry: 'US', taxIdType: 'SSN' }, {}),
      at(2),
    ],
    ['who are two persons', 'Corporation', both({}, { taxIdNumber: '912701235' }), at(1), at(2)],
    [
      'who is very old, once',
      'Corporation',
      both({ ...old, ...ids }, old),
      'AgePlausible associatedParties[1].birthDate',
    ],
    [
      'whose first role has no birth date',
      'Corporation',
      both({ birthDate: undefined, ...ids }, old),
      'AgePlausible associatedParties[2].birthDate',
    ],
  ])
})

describe('a foreign owner', () => {
  testFindings([
    ['no document', 'Individual', foreignOwner({}), `OwnerIdentified ${ownersDocument}`],
    [
      'with a driver license first',
      'Individual',
      foreignOwner({ governmentId1: { idType: 'DriversLicense', idNumber: 'D1' }, governmentId2: passport }),
      `OwnerDocumentKind ${ownersDocument}.idType`,
    ],
    [
      'with a passport as the second document alone',
      'Individual',
      foreignOwner({ governmentId2: passport }),
      `OwnerIdentified ${ownersDocument}`,
    ],
    ['with a passport', 'Individual', foreignOwner({ governmentId1: passport })],
    [
      'with a document that has no kind yet',
      'Individual',
      foreignOwner({ governmentId1: { idNumber: 'X1234567' } }),
    ],
    [
      'with a national identity card',
      'Individual',
      foreignOwner({ governmentId1: { idType: 'NationalId', idNumber: '12AB' } }),
    ],
    ['a foreign entity', 'Corporation', owner({ citizenshipCountry: 'FR' })],
    [
      'a foreign joint owner',
      'JointTIC',
      party({ citizenshipCountry: 'FR' }),
      'OwnerIdentified associatedParties[0].governmentIdentification.governmentId1',
    ],
    [
      'a US citizen with the registration for foreign persons',
      'IndividualJointForeign',
      owner({ citizenshipCountry: 'US', governmentIdentification: {} }),
      'PersonNumber primaryOwner.taxIdNumber',
      `OwnerIdentified ${ownersDocument}`,
    ],
  ])
})

test('the reason of a finding names what is in a sanctioned country, and the owner who is identified', () => {
  const reasonOf = (rule: string, change: Change, registration: Registration = 'Individual') =>
    judgeAccount(change(rightAccount(registration)), production).find((one) => one.rule === rule)?.reason
  const mailed = all((record) => ({ ...record, mailingAddress: havana }), owner({ legalAddress: street }))
  assert.match(reasonOf('PlaceNotSanctioned', mailed) ?? '', /^The mailing address /)
  assert.match(
    reasonOf('PlaceNotSanctioned', owner({ employerAddress: havana })) ?? '',
    /^A citizenship, an identification, or /,
  )
  assert.match(reasonOf('OwnerIdentified', foreignOwner({})) ?? '', /owner who is not a US citizen\.$/)
  const citizen = owner({ citizenshipCountry: 'US', governmentIdentification: {} })
  assert.match(
    reasonOf('OwnerIdentified', citizen, 'IndividualJointForeign') ?? '',
    /registration IndividualJointForeign\.$/,
  )
})

test('a finding never repeats submitted values', () => {
  const wrong = all(
    owner({ birthDate: '1902-11-07', citizenshipCountry: 'FR' }),
    mailing({ street: 'PO BOX 77' }),
  )
  const found = judgeAccount(wrong(rightAccount('Individual')), production)
  for (const rule of ['AddressNotBox', 'AgePlausible', 'OwnerIdentified'])
    assert.ok(
      found.some((one) => one.rule === rule),
      rule,
    )
  assert.doesNotMatch(JSON.stringify(found), /1902|PO BOX 77/)
})
