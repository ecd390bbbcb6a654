// An error of a list, or of a second rule at one field, appears at once and not after another error is corrected.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { change, individual, type Json, joint, submit } from './testing/applications.ts'

const beneficiary = { name: 'LUIS MORENO', percentageAllocation: '100' }
const person = {
  ...((joint as Json).associatedParties as Json[])[0],
  role: 'ControlPerson',
  ownershipPercent: '60',
}
const company = {
  nameType: 'Entity',
  name1: 'Tidewater',
  citizenshipCountry: 'US',
  legalAddress: {},
  taxIdType: 'TaxId',
  taxIdNumber: '223907716',
  phoneNumberBusiness: '9735550170',
}
function corporation(...associatedParties: Json[]): Json {
  return change(joint, { registrationType: 'Corporation', primaryOwner: company, associatedParties })
}
const otherPerson = {
  firstName: 'Rana',
  birthDate: '1990-02-14',
  taxIdNumber: '219099933',
  role: 'BeneficialOwner',
}

const rows: readonly (readonly [what: string, body: Json, codes: readonly string[]])[] = [
  [
    'beneficiaries that the registration does not have, with a wrong sum',
    change(joint, {
      registrationType: 'JointTIC',
      beneficiaries: [{ ...beneficiary, percentageAllocation: '99' }],
    }),
    ['ERR.1015 beneficiaries', 'ERR.1015 beneficiaries'],
  ],
  [
    'beneficiaries that the registration does not have, with a share that cannot be read',
    change(joint, {
      registrationType: 'JointTIC',
      beneficiaries: [{ ...beneficiary, percentageAllocation: '1e2' }],
    }),
    ['ERR.1016 beneficiaries[0].percentageAllocation', 'ERR.1015 beneficiaries'],
  ],
  [
    'wrong sums of both ranks',
    change(individual, {
      beneficiaries: [
        { ...beneficiary, percentageAllocation: '99' },
        { ...beneficiary, name: 'ROSA MORENO', primaryContingent: 'Contingent', percentageAllocation: '98' },
      ],
    }),
    ['ERR.1015 beneficiaries', 'ERR.1015 beneficiaries'],
  ],
  [
    'a wrong sum beside a name that cannot be read',
    change(individual, { beneficiaries: [{ name: 'LUIS\u0000', percentageAllocation: '99' }] }),
    ['ERR.1016 beneficiaries[0].name', 'ERR.1015 beneficiaries'],
  ],
  [
    'a sum with a rank that cannot be read',
    change(individual, {
      beneficiaries: [
        { ...beneficiary, percentageAllocation: '99' },
        { ...beneficiary, name: 'ROSA MORENO', primaryContingent: 'Third', percentageAllocation: '1' },
      ],
    }),
    ['ERR.1015 beneficiaries[1].primaryContingent'],
  ],
  [
    'no control person beside a party with a phone that cannot be read',
    corporation({ ...person, role: 'Officer', ownershipPercent: '', phoneNumberCell: 'x' }),
    ['ERR.1011 associatedParties[0].phoneNumberCell', 'ERR.1000 associatedParties'],
  ],
  [
    'a role that cannot be read, which may be that of the control person',
    corporation({ ...person, role: 'Chief', ownershipPercent: '' }),
    ['ERR.1015 associatedParties[0].role'],
  ],
  [
    'no control person, and shares of 120 percent',
    corporation({ ...person, role: 'BeneficialOwner' }, { ...person, ...otherPerson }),
    ['ERR.1000 associatedParties', 'ERR.1015 associatedParties'],
  ],
  [
    'a role that the registration does not have, of an owner of 60 percent',
    corporation(person, { ...person, ...otherPerson, ownershipPercent: '30', role: 'Custodian' }),
    [
      'ERR.1015 associatedParties[1].role',
      'ERR.1015 associatedParties[0].role',
      'ERR.1015 associatedParties[1].role',
    ],
  ],
  [
    'two parties of one person, both without a role',
    corporation({ ...person, role: '', ownershipPercent: '' }, { ...person, role: '', ownershipPercent: '' }),
    [
      'ERR.1000 associatedParties[0].role',
      'ERR.1000 associatedParties[1].role',
      'ERR.1000 associatedParties',
    ],
  ],
  [
    'a tax id of one digit, without its type',
    change(individual, { 'primaryOwner.taxIdType': undefined, 'primaryOwner.taxIdNumber': '111111111' }),
    ['ERR.1000 primaryOwner.taxIdType', 'ERR.1016 primaryOwner.taxIdNumber'],
  ],
  [
    'a residence that is not known, because the legal address is missing',
    change(joint, {
      registrationType: 'JointCP',
      'primaryOwner.maritalStatus': 'Married',
      'primaryOwner.legalAddress': undefined,
    }),
    ['ERR.1000 primaryOwner.legalAddress'],
  ],
  [
    'a residence that is not known, because the legal address cannot be read',
    change(joint, {
      registrationType: 'JointCP',
      'primaryOwner.maritalStatus': 'Married',
      'primaryOwner.legalAddress': 'Austin',
    }),
    ['ERR.2002 primaryOwner.legalAddress'],
  ],
  [
    'a residence in a state without the registration',
    change(joint, {
      registrationType: 'JointCP',
      'primaryOwner.maritalStatus': 'Married',
      'primaryOwner.legalAddress': {},
    }),
    ['ERR.1015 registrationType'],
  ],
  [
    'a beneficiary with and without the tax id',
    change(individual, {
      beneficiaries: [
        {
          ...beneficiary,
          birthDate: '1958-11-02',
          taxIdType: 'SSN',
          taxIdNumber: '219099933',
          percentageAllocation: '50',
        },
        { ...beneficiary, birthDate: '1958-11-02', percentageAllocation: '50' },
      ],
    }),
    ['ERR.1014 beneficiaries[1].name'],
  ],
]

for (const [what, body, codes] of rows) {
  test(`${what}: ${codes.join(', ') || 'accepted'}`, () => {
    assert.deepEqual(submit(body).codes, codes)
  })
}
