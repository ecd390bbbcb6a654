/** What a finding is about: the value that a decision or a document settles. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountRule } from '@clearing/protocol'
import { person, rightAccount } from '../testing/right-accounts.ts'
import { aboutOf } from './about.ts'
import { add, all, type Change, mailing, owner } from './testing/changed-accounts.ts'

const street = { street: '1 MAIN ST', city: 'HAVANA', country: 'CU' }
const named = { firstName: 'NO', lastName: 'NAME', birthDate: '1910-01-02' }
const table: [rule: AccountRule, field: string, change: Change, about: string][] = [
  ['AgePlausible', 'primaryOwner.birthDate', owner(named), '1910-01-02'],
  ['BirthDateOfMinor', 'primaryOwner.birthDate', owner(named), '1910-01-02'],
  ['AgePlausible', 'primaryOwner.birthDate', owner({ birthDate: undefined }), ''],
  ['NameIsName', 'primaryOwner', owner({ ...named, middleName: undefined }), 'NO NAME'],
  ['AddressIsPlace', 'primaryOwner.legalAddress', owner({ legalAddress: street }), '1 MAIN ST, HAVANA'],
  ['AddressNotBox', 'primaryOwner.legalAddress', owner({ legalAddress: street }), '1 MAIN ST, HAVANA'],
  [
    'AddressNotBox',
    'primaryOwner.legalAddress',
    all(owner({ legalAddress: {} }), mailing(street)),
    '1 MAIN ST, HAVANA',
  ],
  [
    'PlaceNotSanctioned',
    'primaryOwner.legalAddress',
    owner({ legalAddress: street }),
    JSON.stringify(street),
  ],
  ['PlaceNotSanctioned', 'primaryOwner.citizenshipCountry', owner({ citizenshipCountry: 'CU' }), '"CU"'],
  ['PlaceNotSanctioned', 'primaryOwner.employerAddress', owner({}), '""'],
  [
    'PlaceNotSanctioned',
    'associatedParties[0].employerAddress',
    add(person({ role: 'Associate', employerAddress: street })),
    JSON.stringify(street),
  ],
  [
    'ForeignPersonIdentified',
    'associatedParties[0].governmentIdentification',
    add(person({ ...named, middleName: undefined })),
    'NO NAME, 1910-01-02',
  ],
  [
    'IdNumberIsNumber',
    'primaryOwner.governmentIdentification.governmentId2.idNumber',
    owner({ governmentIdentification: { governmentId2: { idType: 'Passport', idNumber: 'N/A' } } }),
    'N/A',
  ],
  ['EmploymentKnown', 'primaryOwner.occupation', owner(named), ''],
  ['AgePlausible', 'associatedParties[3].birthDate', owner(named), ''],
]
for (const [rule, field, change, about] of table)
  test(`${rule} at ${field} is about '${about}'`, () => {
    assert.equal(aboutOf({ rule, field }, change(rightAccount('Individual'))), about)
  })
