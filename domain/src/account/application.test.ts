import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeAccountName } from './account-title.ts'
import { registrationOf } from './registration.ts'
import { change, individual, type Json, joint, submit } from './testing/applications.ts'

const accepted: [string, unknown, Record<string, unknown>][] = [
  ['the example of an individual account', individual, {}],
  ['the example of a joint account', joint, {}],
  ['an individual account without a financial profile', individual, { financialProfile: undefined }],
  [
    'an account in Canada',
    individual,
    {
      'mailingAddress.country': 'CA',
      'mailingAddress.stateProvince': 'ON',
      'mailingAddress.postalCode': 'K1A 0B1',
    },
  ],
  [
    'shape 2 with an empty electronic delivery',
    individual,
    { accountNumber: '12345678', electronicDelivery: {} },
  ],
  ['an empty account number, which means no account number', individual, { accountNumber: '' }],
  [
    'a community property account of Texans',
    joint,
    {
      registrationType: 'JointCP',
      'primaryOwner.maritalStatus': 'Married',
      'associatedParties.0.maritalStatus': 'Married',
      'primaryOwner.legalAddress': {},
      'mailingAddress.stateProvince': 'TX',
    },
  ],
  [
    'a community property account of residents of Puerto Rico, by its country code',
    joint,
    {
      registrationType: 'JointCP',
      'primaryOwner.maritalStatus': 'Married',
      'associatedParties.0.maritalStatus': 'Married',
      'primaryOwner.legalAddress': {
        street: '1 Calle Sol',
        city: 'San Juan',
        country: 'PR',
        postalCode: '00901',
      },
    },
  ],
  [
    'a resident alien with a passport',
    individual,
    {
      'primaryOwner.citizenshipCountry': 'FR',
      'primaryOwner.governmentIdentification': {
        governmentId1: { idType: 'passport', idNumber: 'X123', idLocation: 'FR' },
      },
    },
  ],
  [
    'a custodial account of a minor with a custodian',
    joint,
    {
      registrationType: 'CustodialUtma',
      'primaryOwner.birthDate': '2015-05-05',
      'associatedParties.0.role': 'Custodian',
    },
  ],
  ['an owner who turns 18 today', individual, { 'primaryOwner.birthDate': '2008-11-20' }],
  [
    'a corporation with its control person',
    joint,
    {
      registrationType: 'Corporation',
      'associatedParties.0.role': 'ControlPerson',
      'primaryOwner.nameType': 'Entity',
      'primaryOwner.taxIdType': 'TaxId',
      'primaryOwner.birthDate': undefined,
      'primaryOwner.lastName': undefined,
    },
  ],
  [
    'retirement beneficiaries of an IRA',
    individual,
    {
      registrationType: 'IraRoth',
      beneficiaries: undefined,
      retirementBenes: [
        { name1: 'Luis', name3: 'Moreno', percentAllocation: '100', primaryContingent: 'primary' },
      ],
    },
  ],
]

for (const [what, base, changes] of accepted) {
  test(`new-account accepts ${what}`, () => {
    assert.deepEqual(submit(change(base, changes)).codes, [])
  })
}

const refused: [string, unknown, Record<string, unknown>, string[]][] = [
  ['no last name', individual, { 'primaryOwner.lastName': undefined }, ['ERR.1000 primaryOwner.lastName']],
  ['an empty first name', individual, { 'primaryOwner.firstName': '' }, ['ERR.1000 primaryOwner.firstName']],
  [
    'no citizenship',
    individual,
    { 'primaryOwner.citizenshipCountry': undefined },
    ['ERR.1000 primaryOwner.citizenshipCountry'],
  ],
  [
    'a large trader who is given twice',
    individual,
    {
      largeTraders: [
        { largeTraderId: '12345678-0000' },
        { largeTraderId: '12345678-0001' },
        { largeTraderId: '12345678-0000', effectiveDate: '2026-01-05' },
      ],
    },
    ['ERR.1014 largeTraders[2].largeTraderId'],
  ],
  ['no birth date', individual, { 'primaryOwner.birthDate': undefined }, ['ERR.1000 primaryOwner.birthDate']],
  [
    'no legal address',
    individual,
    { 'primaryOwner.legalAddress': undefined },
    ['ERR.1000 primaryOwner.legalAddress'],
  ],
  ['no tax id', individual, { 'primaryOwner.taxIdNumber': undefined }, ['ERR.1000 primaryOwner.taxIdNumber']],
  [
    'no phone',
    individual,
    { 'primaryOwner.phoneNumberCell': undefined, 'primaryOwner.phoneRegionCell': undefined },
    ['ERR.1017 primaryOwner.phoneNumberCell'],
  ],
  ['no rep code', individual, { 'main.repCode': undefined }, ['ERR.1000 main.repCode']],
  [
    'no mailing address',
    individual,
    { mailingAddress: {} },
    ['ERR.1000 mailingAddress.street', 'ERR.1000 mailingAddress.city', 'ERR.1000 mailingAddress.country'],
  ],
  [
    'an empty electronic delivery in shape 1',
    individual,
    { electronicDelivery: {} },
    ['ERR.1000 electronicDelivery'],
  ],
  [
    'an owner aged 17',
    individual,
    { 'primaryOwner.birthDate': '2008-11-21' },
    ['ERR.1012 primaryOwner.birthDate'],
  ],
  [
    'a birth in the future',
    individual,
    { 'primaryOwner.birthDate': '2026-11-21' },
    ['ERR.1012 primaryOwner.birthDate'],
  ],
  [
    'a birth before 1900',
    individual,
    { 'primaryOwner.birthDate': '1899-12-31' },
    ['ERR.1012 primaryOwner.birthDate'],
  ],
  [
    'an SSN of area 666',
    individual,
    { 'primaryOwner.taxIdNumber': '666123456' },
    ['ERR.1016 primaryOwner.taxIdNumber'],
  ],
  [
    'an SSN of area 000',
    individual,
    { 'primaryOwner.taxIdNumber': '000000004' },
    ['ERR.1016 primaryOwner.taxIdNumber'],
  ],
  [
    'an SSN of area 9xx',
    individual,
    { 'primaryOwner.taxIdNumber': '912123456' },
    ['ERR.1016 primaryOwner.taxIdNumber'],
  ],
  [
    'an SSN of group 00',
    individual,
    { 'primaryOwner.taxIdNumber': '219003456' },
    ['ERR.1016 primaryOwner.taxIdNumber'],
  ],
  [
    'an SSN of serial 0000',
    individual,
    { 'primaryOwner.taxIdNumber': '219450000' },
    ['ERR.1016 primaryOwner.taxIdNumber'],
  ],
  [
    'a TaxId of one digit',
    individual,
    { 'primaryOwner.taxIdType': 'TaxId', 'primaryOwner.taxIdNumber': '777777777' },
    ['ERR.1016 primaryOwner.taxIdNumber'],
  ],
  ['a joint account with one owner', joint, { associatedParties: [] }, ['ERR.1000 associatedParties']],
  [
    'an IRA without beneficiaries',
    individual,
    { registrationType: 'IraSep', beneficiaries: undefined },
    ['ERR.1000 retirementBenes'],
  ],
  [
    'community property in New Jersey',
    joint,
    {
      registrationType: 'JointCP',
      'primaryOwner.maritalStatus': 'Married',
      'associatedParties.0.maritalStatus': 'Married',
    },
    ['ERR.1015 registrationType'],
  ],
  [
    'community property in Azerbaijan, whose code is that of Arizona',
    joint,
    {
      registrationType: 'JointCP',
      'primaryOwner.maritalStatus': 'Married',
      'associatedParties.0.maritalStatus': 'Married',
      'primaryOwner.legalAddress': { street: '1 Nizami', city: 'Baku', country: 'AZ', postalCode: '1000' },
    },
    ['ERR.1015 registrationType'],
  ],
  [
    'a foreigner without identification',
    individual,
    { 'primaryOwner.citizenshipCountry': 'FR' },
    ['ERR.1000 primaryOwner.governmentIdentification.governmentId1'],
  ],
  [
    'a foreigner with a driver license',
    individual,
    {
      'primaryOwner.citizenshipCountry': 'FR',
      'primaryOwner.governmentIdentification': {
        governmentId1: { idType: 'DriversLicense', idNumber: 'X123' },
      },
    },
    ['ERR.1015 primaryOwner.governmentIdentification.governmentId1.idType'],
  ],
  [
    'an identification issued in an unknown place',
    individual,
    {
      'primaryOwner.governmentIdentification': {
        governmentId1: { idType: 'Passport', idNumber: 'X', idLocation: 'ZZ' },
      },
    },
    ['ERR.1015 primaryOwner.governmentIdentification.governmentId1.idLocation'],
  ],
  [
    'an entity without its name',
    joint,
    {
      registrationType: 'Llc',
      'associatedParties.0.role': 'ControlPerson',
      'primaryOwner.nameType': 'Entity',
      'primaryOwner.taxIdType': 'TaxId',
      'primaryOwner.firstName': '',
    },
    ['ERR.1000 primaryOwner.name1'],
  ],
  [
    'the same customer id for two parties',
    joint,
    {
      'primaryOwner.customerId': '123456789012345678',
      'associatedParties.0.customerId': '123456789012345678',
    },
    ['ERR.1014 associatedParties[0].customerId'],
  ],
  [
    'the customer id of the owner for a beneficiary',
    individual,
    {
      'primaryOwner.customerId': '123456789012345678',
      beneficiaries: undefined,
      todBenes: [
        { customerId: '123456789012345678', name1: 'Luis', name3: 'Moreno', percentAllocation: '100' },
      ],
    },
    ['ERR.1014 transferOfDeathBeneficiaries[0].customerId'],
  ],
  [
    'unreadable beneficiaries, without a second error for missing beneficiaries',
    individual,
    { registrationType: 'IraSep', beneficiaries: 'Luis' },
    ['ERR.2002 beneficiaries'],
  ],
  [
    'a beneficiary with a share of 0 percent',
    individual,
    {
      beneficiaries: [
        { name: 'A B', percentageAllocation: '100' },
        { name: 'C D', percentageAllocation: '0.00' },
      ],
    },
    ['ERR.1015 beneficiaries[1].percentageAllocation'],
  ],
  [
    'an expired passport',
    individual,
    {
      'primaryOwner.governmentIdentification': {
        governmentId1: { idType: 'Passport', idNumber: 'X', idExpiration: '2026-11-19' },
      },
    },
    ['ERR.1024 primaryOwner.governmentIdentification.governmentId1.idExpiration'],
  ],
  [
    'a passport issued on the day before the birth',
    individual,
    {
      'primaryOwner.birthDate': '1990-03-14',
      'primaryOwner.governmentIdentification': {
        governmentId1: { idType: 'Passport', idNumber: 'X1234567', idIssueDate: '1990-03-13' },
      },
    },
    ['ERR.1024 primaryOwner.governmentIdentification.governmentId1.idIssueDate'],
  ],
  [
    'a passport issued before a birth date that is rejected',
    individual,
    {
      'primaryOwner.birthDate': '2025-03-14',
      'primaryOwner.governmentIdentification': {
        governmentId1: { idType: 'Passport', idNumber: 'X1234567', idIssueDate: '2020-03-13' },
      },
    },
    ['ERR.1012 primaryOwner.birthDate'],
  ],
  [
    'a passport issued on the day of the birth',
    individual,
    {
      'primaryOwner.birthDate': '1990-03-14',
      'primaryOwner.governmentIdentification': {
        governmentId1: { idType: 'Passport', idNumber: 'X1234567', idIssueDate: '1990-03-14' },
      },
    },
    [],
  ],
  [
    'a custodial account of an adult',
    joint,
    { registrationType: 'CustodialUgma', 'associatedParties.0.role': 'Custodian' },
    ['ERR.1012 primaryOwner.birthDate'],
  ],
  [
    'a person as a trust',
    joint,
    { registrationType: 'Trust', 'associatedParties.0.role': 'Trustee' },
    ['ERR.1015 primaryOwner.nameType'],
  ],
  [
    'the same person as two parties',
    joint,
    {
      associatedParties: [
        { ...(joint as { associatedParties: Json[] }).associatedParties[0], taxIdNumber: '219099981' },
      ],
    },
    ['ERR.1014 associatedParties[0].taxIdNumber'],
  ],
  [
    'percentages that do not sum to 100',
    individual,
    {
      beneficiaries: [
        { name: 'A B', percentageAllocation: '33.33' },
        { name: 'C D', percentageAllocation: '33.33' },
      ],
    },
    ['ERR.1015 beneficiaries'],
  ],
  [
    'contingent percentages of 99',
    individual,
    {
      beneficiaries: [
        { name: 'A B', percentageAllocation: '100' },
        { name: 'C D', percentageAllocation: '99', primaryContingent: 'Contingent' },
      ],
    },
    ['ERR.1015 beneficiaries'],
  ],
  [
    'an affiliation without its company',
    individual,
    {
      'primaryOwner.affiliation': { publicCompany: { associated: true, name: 'Acme' } },
    },
    ['ERR.1000 primaryOwner.affiliation.publicCompany.symbol'],
  ],
]

for (const [what, base, changes, codes] of refused) {
  test(`new-account rejects ${what}`, () => {
    assert.deepEqual(submit(change(base, changes)).codes, codes)
  })
}

test('a city that is too long and an invalid birth date are reported together, once each', () => {
  const { codes } = submit(
    change(individual, {
      'mailingAddress.city': 'X'.repeat(41),
      'primaryOwner.birthDate': '2023-02-29',
      'primaryOwner.lastName': '',
    }),
  )
  assert.deepEqual(codes, [
    'ERR.1010 mailingAddress.city',
    'ERR.1012 primaryOwner.birthDate',
    'ERR.1000 primaryOwner.lastName',
  ])
})

test('magic tax ids are accepted where they are allowed', () => {
  const body = change(individual, { 'primaryOwner.taxIdNumber': '000000004' })
  assert.deepEqual(submit(body, { magic: ['000000004'] }).codes, [])
})

test('the last name that delays stages in the sandbox is accepted only there', () => {
  const body = change(individual, { 'primaryOwner.lastName': 'slow30' })
  assert.deepEqual(submit(body, { magic: ['000000004'] }).codes, [])
  assert.deepEqual(submit(body).codes, ['ERR.1016 primaryOwner.lastName'])
})

test('an application with a masked number is rejected', () => {
  const id = { idType: 'Passport', idNumber: '*****2345' }
  const body = change(individual, {
    'primaryOwner.taxIdNumber': '*****9998',
    'primaryOwner.governmentIdentification': { governmentId1: id },
  })
  assert.deepEqual(submit(body).codes, [
    'ERR.1016 primaryOwner.taxIdNumber',
    'ERR.1016 primaryOwner.governmentIdentification.governmentId1.idNumber',
  ])
})

test('a US phone number without a region gets the region 1', () => {
  const { application } = submit(joint as Json)
  assert.equal(application.record.associatedParties[0]?.phoneRegionCell, '1')
})

const named: [string, Record<string, unknown>, string][] = [
  ['Individual', {}, 'NOOR HADDAD'],
  ['JointWROS', {}, 'N HADDAD & S HADDAD JTWROS'],
  ['JointTIC', {}, 'N HADDAD & S HADDAD JT TIC'],
  ['IraRoth', { 'primaryOwner.middleName': 'B', 'primaryOwner.suffix': 'III' }, 'NOOR B HADDAD III ROTH IRA'],
  ['CustodialUtma', {}, 'SAMI HADDAD CUST FOR NOOR HADDAD UTMA'],
  [
    'Llc',
    {
      'primaryOwner.nameType': 'Entity',
      'primaryOwner.firstName': 'Harbor Holdings',
      'primaryOwner.lastName': undefined,
    },
    'HARBOR HOLDINGS',
  ],
]
for (const [registrationType, changes, name] of named) {
  test(`an account of ${registrationType} is named ${name}`, () => {
    const { application } = submit(change(joint, { registrationType, ...changes }))
    const type = registrationOf(registrationType)
    assert.ok(type)
    assert.equal(composeAccountName(application.record, type), name)
  })
}

test('an employer given as an object fills the flat fields, and two different employers are reported as one property given twice', () => {
  const { application } = submit(
    change(individual, {
      'primaryOwner.employerName': undefined,
      'primaryOwner.employer': { name: 'Quay Works' },
    }),
  )
  assert.equal(application.record.primaryOwner.employerName, 'QUAY WORKS')
  const { codes } = submit(change(individual, { 'primaryOwner.employer': { name: 'Quay Works' } }))
  assert.deepEqual(codes, ['ERR.1014 primaryOwner.employerName'])
})

test('an unreadable account number asks for shape 2, in which electronic delivery may be empty', () => {
  const { codes } = submit(change(individual, { accountNumber: '1234567', electronicDelivery: {} }))
  assert.deepEqual(codes, ['ERR.1016 accountNumber'])
})

test('a request that is no object has this error only', () => {
  for (const body of [[], null, 'x', 1]) assert.deepEqual(submit(body as never).codes, ['ERR.2002 '])
})
