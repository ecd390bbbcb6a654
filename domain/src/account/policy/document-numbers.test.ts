/** Which numbers of identifications are placeholders, and when a document is that of another person. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { GovernmentId, Party } from '../record.ts'
import { entity, person } from '../testing/right-accounts.ts'
import { documentInPlaceOfTaxId } from './document-numbers.ts'
import { add, all, owner, production, sandbox, withPassport } from './testing/changed-accounts.ts'
import { type FindingRow, testFindings } from './testing/find-table.ts'

const first = 'IdNumberIsNumber primaryOwner.governmentIdentification.governmentId1.idNumber'
const second = 'IdNumberIsNumber primaryOwner.governmentIdentification.governmentId2.idNumber'

describe('the number of a passport', () => {
  testFindings([
    ...[
      'UNKNOWN',
      '0',
      'N/A',
      'NA',
      'XXXXXXX',
      '000000000',
      '0000-0000',
      '9',
      'PENDING',
      '---',
      'P12',
      '123',
    ].map(
      (number): FindingRow => [
        `${number} is no number`,
        'IndividualJointForeign',
        owner(withPassport(number)),
        first,
      ],
    ),
    ...['P123', '1234', '19AB77881', '0000001', 'C01X00T47', 'A1B2', 'AB 12'].map(
      (number): FindingRow => [
        `${number} is a number`,
        'IndividualJointForeign',
        owner(withPassport(number)),
      ],
    ),
    ['nine letters of German numbers', 'IndividualJointForeign', owner(withPassport('CFGHJKLMN'))],
    ['eight letters of German numbers', 'IndividualJointForeign', owner(withPassport('CFGHJKLM')), first],
    ['ten letters of German numbers', 'IndividualJointForeign', owner(withPassport('CFGHJKLMNP')), first],
    ['nine letters with a vowel', 'IndividualJointForeign', owner(withPassport('CFGHJKLMA')), first],
    ['nine times one letter', 'IndividualJointForeign', owner(withPassport('CCCCCCCCC')), first],
  ])
})

describe('the number of another identification', () => {
  const withIds = (...ids: GovernmentId[]) =>
    owner({
      governmentIdentification: {
        ...(ids[0] && { governmentId1: ids[0] }),
        ...(ids[1] && { governmentId2: ids[1] }),
      },
    })
  testFindings([
    [
      'a short license',
      'Individual',
      withIds({ idType: 'DriversLicense', idNumber: '12', idLocation: 'DE' }),
    ],
    [
      'an unknown license',
      'Individual',
      withIds({ idType: 'DriversLicense', idNumber: 'NONE', idLocation: 'DE' }),
      first,
    ],
    [
      'a short national id beside a passport',
      'Individual',
      withIds(
        { idType: 'Passport', idNumber: 'P7712345', idLocation: 'US' },
        { idType: 'NationalId', idNumber: '12A', idLocation: 'US' },
      ),
      second,
    ],
    [
      'two placeholders',
      'Individual',
      withIds({ idType: 'Passport', idNumber: 'TBD' }, { idType: 'NationalId', idNumber: '00' }),
      first,
      second,
    ],
    [
      'an unknown registration of a company',
      'Corporation',
      withIds({ idType: 'CompanyRegistration', idNumber: 'UNKNOWN', idLocation: 'DE' }),
      first,
    ],
    [
      'a short registration of a company',
      'Corporation',
      withIds({ idType: 'CompanyRegistration', idNumber: 'B 2', idLocation: 'DE' }),
    ],
  ])
})

describe('in the sandbox', () => {
  testFindings(
    [
      ['a short number of an example', 'IndividualJointForeign', owner(withPassport('P1'))],
      ['an unknown number', 'IndividualJointForeign', owner(withPassport('UNKNOWN')), first],
      ['a zero', 'IndividualJointForeign', owner(withPassport('0')), first],
    ],
    sandbox,
  )
})

const other = 'IdentificationOfAnother associatedParties[0].governmentIdentification'
function agent(changes: object) {
  return add(person({ role: 'PowerOfAttorney', birthDate: '1981-12-25', ...changes }))
}
describe('the passport of the owner', () => {
  testFindings([
    ['of an agent born a day later', 'IndividualJointForeign', agent(withPassport('p 7712345')), other],
    [
      'of an agent with the same birth date under another name',
      'IndividualJointForeign',
      agent({ ...withPassport('P7712345'), birthDate: '1981-12-24' }),
    ],
    ['with another number', 'IndividualJointForeign', agent(withPassport('P7712346'))],
    ['of another country', 'IndividualJointForeign', agent(withPassport('P7712345', { idLocation: 'MX' }))],
    ['of another kind', 'IndividualJointForeign', agent(withPassport('P7712345', { idType: 'NationalId' }))],
    [
      'of no place',
      'IndividualJointForeign',
      all(
        owner(withPassport('P7712345', { idLocation: '' })),
        agent(withPassport('P7712345', { idLocation: '' })),
      ),
    ],
    [
      'in the second place of the agent',
      'IndividualJointForeign',
      agent({
        governmentIdentification: {
          governmentId2: { idType: 'Passport', idNumber: 'P7712345', idLocation: 'CA' },
        },
      }),
      other,
    ],
    [
      'of an agent without a birth date',
      'IndividualJointForeign',
      agent({ ...withPassport('P7712345'), birthDate: undefined }),
    ],
    [
      'of an owner without a birth date',
      'IndividualJointForeign',
      all(owner({ birthDate: undefined }), agent(withPassport('P7712345'))),
    ],
  ])
  testFindings(
    [
      [
        'of a person of another account',
        'IndividualJointForeign',
        owner({ customerId: '1', taxIdType: undefined, taxIdNumber: undefined }),
        'IdentificationOfAnother primaryOwner.governmentIdentification',
      ],
      [
        'beside a tax id that another person has',
        'IndividualJointForeign',
        owner({ customerId: '1' }),
        'TaxIdOfAnother primaryOwner.taxIdNumber',
      ],
      [
        'of a person of this account only',
        'IndividualJointForeign',
        owner({ customerId: '2', taxIdType: undefined, taxIdNumber: undefined }),
      ],
    ],
    { ...production, numbersOfOthers: new Set(['1']) },
  )
})

describe('in place of a tax id, a person is found by', () => {
  const card = { idType: 'NationalId', idNumber: 'N 77-12', idLocation: 'FR' }
  const passport = { idType: 'Passport', idNumber: 'p7712345', idLocation: 'CA' }
  const license = { ...passport, idType: 'DriversLicense' }
  const ids = (governmentId1: GovernmentId, governmentId2?: GovernmentId): Party =>
    person({
      taxIdNumber: undefined,
      governmentIdentification: { governmentId1, ...(governmentId2 && { governmentId2 }) },
    })
  const rows: [what: string, party: Party, expected: string | undefined][] = [
    ['a passport', ids(passport), 'Passport/CA/P7712345'],
    ['a national id', ids(card), 'NationalId/FR/N7712'],
    ['a passport before a national id', ids(card, passport), 'Passport/CA/P7712345'],
    ['no license', ids(license), undefined],
    ['a national id beside a license', ids(license, card), 'NationalId/FR/N7712'],
    ['no placeholder', ids({ ...passport, idNumber: 'UNKNOWN' }), undefined],
    ['no document without a place', ids({ ...passport, idLocation: '' }), undefined],
    ['no document without a number', ids({ idType: 'Passport', idLocation: 'CA' }), undefined],
    ['no document beside a tax id', { ...ids(passport), taxIdNumber: '401121234' }, undefined],
    [
      'the registration of an entity',
      {
        ...entity(),
        ...ids({ idType: 'CompanyRegistration', idNumber: 'HRB 1', idLocation: 'DE' }),
        nameType: 'Entity',
      },
      'CompanyRegistration/DE/HRB1',
    ],
    [
      'no registration of a person',
      ids({ idType: 'CompanyRegistration', idNumber: 'HRB 1', idLocation: 'DE' }),
      undefined,
    ],
    ['no passport of an entity', { ...entity(), ...ids(passport), nameType: 'Entity' }, undefined],
    ['nothing without documents', person({ taxIdNumber: undefined }), undefined],
  ]
  for (const [what, party, expected] of rows)
    test(what, () => assert.equal(documentInPlaceOfTaxId(party), expected))
})
