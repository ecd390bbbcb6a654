// Rules beyond the form of the fields: placeholder names and addresses, affiliations, employment, wealth.
import { describe } from 'node:test'
import type { Affiliation } from '../record.ts'
import { person } from '../testing/right-accounts.ts'
import { add, mailing, owner, party, production, profile, sandbox } from './testing/changed-accounts.ts'
import { type FindingRow, testFindings } from './testing/find-table.ts'

function names(firstName: string, lastName: string) {
  return owner({ firstName, middleName: undefined, lastName })
}
const placeholder = 'NameIsName primaryOwner'
describe('a name', () => {
  testFindings([
    ...[
      'NONAME',
      'NO NAME',
      'NOT APPLICABLE',
      'N/A',
      'NA',
      'NONE',
      'ANONYMOUS',
      'TBD',
      'TO BE DETERMINED',
    ].map((text): FindingRow => [`${text} is a placeholder`, 'Individual', names(text, ''), placeholder]),
    ['XX is a placeholder', 'Individual', names('XX', 'XX'), placeholder],
    ['XXXX is a placeholder', 'Individual', names('XXXX', 'XX'), placeholder],
    ['one X is a letter', 'Individual', names('X', 'X')],
    ['ASDFGH is a placeholder', 'Individual', names('ASDFGH', 'ASDF'), placeholder],
    ['John Doe is a placeholder', 'Individual', names('John', 'Doe'), placeholder],
    ['JANE DOE is a placeholder', 'Individual', names('JANE', 'DOE'), placeholder],
    ['John Doering is a name', 'Individual', names('JOHN', 'DOERING')],
    ['Long John Doe is a name', 'Individual', names('LONG JOHN', 'DOE')],
    ['a first name that is not known', 'Individual', names('UNKNOWN', 'HADDAD')],
    ['a last name that is not known', 'Individual', names('NOOR', 'UNKNOWN')],
    ['placeholders of two kinds are placeholders', 'Individual', names('UNKNOWN', 'NONAME'), placeholder],
    ['TEST TESTER is a placeholder', 'Individual', names('TEST', 'TESTER'), placeholder],
    ['TESTING alone is a placeholder', 'Individual', names('TESTING', ''), placeholder],
    ['Test Moreno is a name', 'Individual', names('TEST', 'MORENO')],
    ['Moreno Test is a name', 'Individual', names('MORENO', 'TEST')],
    ['Attest Test is a name', 'Individual', names('ATTEST', 'TEST')],
    ['Testa Tester is a name', 'Individual', names('TESTA', 'TESTER')],
    ['Testa Test is a name', 'Individual', names('TESTA', 'TEST')],
    ['Test Attest is a name', 'Individual', names('TEST', 'ATTEST')],
    ['Test O’Test is a name', 'Individual', names('TEST', 'O’TEST')],
  ])
})
describe('a name in the sandbox', () => {
  testFindings(
    [
      ['TEST TESTER is usual', 'Individual', names('TEST', 'TESTER')],
      ['UNKNOWN is a placeholder', 'Individual', names('UNKNOWN', 'UNKNOWN'), placeholder],
    ],
    sandbox,
  )
})

const noPlace = 'AddressIsPlace primaryOwner.legalAddress'
describe('a legal address', () => {
  testFindings([
    ...[
      'GENERAL DELIVERY',
      'POSTE RESTANTE',
      'to be determined',
      'TBD',
      'UNKNOWN',
      'NO FIXED ADDRESS',
      'NO FIXED ABODE',
      'HOMELESS',
      'PMB 12',
      'P.M.B. #12',
      '12 MAIN ST PMB12',
      'PRIVATE MAILBOX',
      'PRIVATE MAIL BOX',
      'N/A',
      ' NONE ',
      'X',
      'XXXX',
    ].map((street): FindingRow => [`${street} is no place`, 'Individual', mailing({ street }), noPlace]),
    ...['NONE SUCH LANE 4', 'XAVIER STREET 9', '9 LANE N/A', 'PMB STREET', '1 TBDS ROAD', '3 APMB 1'].map(
      (street): FindingRow => [`${street} is a place`, 'Individual', mailing({ street })],
    ),
    ['no street is asked for elsewhere', 'Individual', mailing({ street: undefined })],
    ['a postal code of the state', 'Individual', mailing({ postalCode: '08999' })],
    [
      'a postal code of the state beside it',
      'Individual',
      mailing({ postalCode: '10001' }),
      'PostalCodeOfState primaryOwner.legalAddress.postalCode',
    ],
    ['a postal code that is not assigned', 'Individual', mailing({ postalCode: '00000' })],
    ['no postal code', 'Individual', mailing({ postalCode: undefined })],
    ['no state', 'Individual', mailing({ stateProvince: undefined, postalCode: '10001' })],
    [
      'five digits of another country',
      'Individual',
      mailing({ country: 'MX', stateProvince: 'NJ', postalCode: '10001' }),
    ],
  ])
})

const abroad = {
  citizenshipCountry: 'FR',
  governmentIdentification: { governmentId1: { idType: 'Passport', idNumber: 'X1', idLocation: 'FR' } },
}
const political = 'PoliticalForeign primaryOwner.affiliation.political'
const unnamed = 'AffiliationNamed primaryOwner.affiliation.organization'
function affiliated(affiliation: object, more: object = {}) {
  return owner({ affiliation: affiliation as Affiliation, ...more })
}
describe('an affiliation', () => {
  testFindings([
    ['an office of a foreign person', 'Individual', affiliated({ political: 'True' }, abroad), political],
    [
      'an office of a foreign person, given in a block',
      'Individual',
      affiliated({ political: { associated: 'True' } }, abroad),
      political,
    ],
    ['no office, given in a block', 'Individual', affiliated({ political: { associated: 'False' } }, abroad)],
    ['a block that tells nothing', 'Individual', affiliated({ political: {} }, abroad)],
    ['no office of a foreign person', 'Individual', affiliated({ political: 'False' }, abroad)],
    ['an office of a citizen', 'Individual', affiliated({ political: 'True' })],
    [
      'an office of a person whose country is not known',
      'Individual',
      affiliated({ political: 'True' }, { citizenshipCountry: undefined }),
    ],
    ['a foreign person who tells of none', 'Individual', owner(abroad)],
    ['a public company without its name', 'Individual', affiliated({ publicCompany: 'True' }), unnamed],
    [
      'a public company with an organization',
      'Individual',
      affiliated({ publicCompany: 'True', organization: 'BAYSIDE' }),
    ],
    ['a public company with a name', 'Individual', affiliated({ publicCompany: 'True', name: 'BAYSIDE' })],
    [
      'the industry and a public company without names',
      'Individual',
      affiliated({ industry: 'True', publicCompany: 'True' }),
      unnamed,
      unnamed,
    ],
    ['no public company', 'Individual', affiliated({ publicCompany: 'False' })],
    [
      'a public company in a block that names it',
      'Individual',
      affiliated({ publicCompany: { associated: 'True' } }),
    ],
  ])
})

const employer = 'EmploymentKnown primaryOwner.employerName'
describe('the employment', () => {
  testFindings([
    ...['Retired', 'Student', 'Homemaker', 'Unemployed', 'SelfEmployed'].map(
      (occupation): FindingRow => [`${occupation} needs no employer`, 'Individual', owner({ occupation })],
    ),
    [
      'of an occupation with an employer',
      'Individual',
      owner({ occupation: 'Computers', employerName: 'BAYSIDE' }),
    ],
    ['of an occupation without an employer', 'Individual', owner({ occupation: 'Computers' }), employer],
    ['of a minor is not asked', 'CustodialUtma', owner({ occupation: undefined })],
    ['of a custodian, who is no owner, is not asked', 'CustodialUtma', party({ occupation: undefined })],
    ['of an entity is not asked', 'Corporation', owner({ occupation: undefined })],
    [
      'of a joint owner is asked',
      'JointWROS',
      party({ occupation: undefined }),
      'EmploymentKnown associatedParties[0].occupation',
    ],
    [
      'of a party who is no owner is not asked',
      'Individual',
      add(person({ role: 'PowerOfAttorney', occupation: undefined })),
    ],
  ])
})

describe('the wealth', () => {
  testFindings([
    ['the liquid net worth one band below', 'Individual', profile({ netWorth: 'B', liquidNetWorth: 'A' })],
    ['the liquid net worth in the band', 'Individual', profile({ netWorth: 'A', liquidNetWorth: 'A' })],
    [
      'the liquid net worth one band above',
      'Individual',
      profile({ netWorth: 'A', liquidNetWorth: 'B' }),
      'LiquidWithinNet financialProfile.liquidNetWorth',
    ],
    ['the net worth not given', 'Individual', profile({ liquidNetWorth: 'B' })],
    ['the liquid net worth not given', 'Individual', profile({ netWorth: 'B' })],
  ])
})

describe('what reading refused', () => {
  testFindings([['a trusted contact', 'Individual', owner({ trustedContact: {} })]], {
    ...production,
    wasRefused: (path) => path === 'primaryOwner.trustedContact',
  })
})
