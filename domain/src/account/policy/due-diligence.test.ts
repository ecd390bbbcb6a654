// Rules beyond the form of the fields: placeholder names and addresses, affiliations, employment, wealth.
import { describe } from 'node:test'
import type { Affiliation } from '../record.ts'
import { person, rightAccount } from '../testing/right-accounts.ts'
import { add, all, mailing, owner, party, production, profile, sandbox } from './testing/changed-accounts.ts'
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
    ['a single X is a name', 'Individual', names('X', 'X')],
    ['ASDFGH is a placeholder', 'Individual', names('ASDFGH', 'ASDF'), placeholder],
    ['John Doe is a placeholder', 'Individual', names('John', 'Doe'), placeholder],
    ['JANE DOE is a placeholder', 'Individual', names('JANE', 'DOE'), placeholder],
    ['John Doering is a name', 'Individual', names('JOHN', 'DOERING')],
    ['Long John Doe is a name', 'Individual', names('LONG JOHN', 'DOE')],
    ['an unknown first name', 'Individual', names('UNKNOWN', 'HADDAD'), placeholder],
    ['an unknown last name', 'Individual', names('NOOR', 'UNKNOWN'), placeholder],
    ['placeholders of two kinds are a placeholder', 'Individual', names('UNKNOWN', 'NONAME'), placeholder],
    ['TEST TESTER is a placeholder', 'Individual', names('TEST', 'TESTER'), placeholder],
    ['TESTING without a last name is a placeholder', 'Individual', names('TESTING', ''), placeholder],
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
      ['TEST TESTER is a usual name', 'Individual', names('TEST', 'TESTER')],
      ['John Doe is a usual name', 'Individual', names('John', 'Doe')],
      ['JANE DOE is a usual name', 'Individual', names('JANE', 'DOE')],
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
    ].map((street): FindingRow => [`${street} is not a place`, 'Individual', mailing({ street }), noPlace]),
    ...['NONE SUCH LANE 4', 'XAVIER STREET 9', '9 LANE N/A', 'PMB STREET', '1 TBDS ROAD', '3 APMB 1'].map(
      (street): FindingRow => [`${street} is a place`, 'Individual', mailing({ street })],
    ),
    ['a missing street', 'Individual', mailing({ street: undefined })],
    ['a postal code of the state', 'Individual', mailing({ postalCode: '08999' })],
    [
      'a postal code of a neighboring state',
      'Individual',
      mailing({ postalCode: '10001' }),
      'PostalCodeOfState mailingAddress.postalCode',
    ],
    [
      'a mailing address with a postal code of another state, beside a right legal address',
      'Individual',
      all(
        owner({ legalAddress: rightAccount('Individual').mailingAddress }),
        mailing({ postalCode: '10001' }),
      ),
      'PostalCodeOfState mailingAddress.postalCode',
    ],
    [
      'a legal address with a postal code of another state',
      'Individual',
      owner({ legalAddress: { ...rightAccount('Individual').mailingAddress, postalCode: '10001' } }),
      'PostalCodeOfState primaryOwner.legalAddress.postalCode',
    ],
    ['an unassigned postal code', 'Individual', mailing({ postalCode: '00000' })],
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
  governmentIdentification: { governmentId1: { idType: 'Passport', idNumber: 'X7712345', idLocation: 'FR' } },
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
      'an office of a foreign person in a block',
      'Individual',
      affiliated({ political: { associated: 'True' } }, abroad),
      political,
    ],
    [
      'no office of a foreign person in a block',
      'Individual',
      affiliated({ political: { associated: 'False' } }, abroad),
    ],
    ['an empty block of a foreign person', 'Individual', affiliated({ political: {} }, abroad)],
    ['no office of a foreign person', 'Individual', affiliated({ political: 'False' }, abroad)],
    ['an office of a citizen', 'Individual', affiliated({ political: 'True' })],
    [
      'an office of a person of unknown country',
      'Individual',
      affiliated({ political: 'True' }, { citizenshipCountry: undefined }),
    ],
    ['a foreign person without an affiliation', 'Individual', owner(abroad)],
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
      'an occupation with an employer',
      'Individual',
      owner({ occupation: 'Computers', employerName: 'BAYSIDE' }),
    ],
    ['an occupation without an employer', 'Individual', owner({ occupation: 'Computers' }), employer],
    ['a minor without an occupation', 'CustodialUtma', owner({ occupation: undefined })],
    [
      'a minor of an IRA without an occupation',
      'IraRoth',
      all(
        owner({ occupation: undefined, birthDate: '2008-11-21' }),
        add(person({ role: 'Guardian', occupation: undefined })),
      ),
    ],
    [
      'an owner of an IRA who is 18 today, without an occupation',
      'IraRoth',
      owner({ occupation: undefined, birthDate: '2008-11-20' }),
      'EmploymentKnown primaryOwner.occupation',
    ],
    [
      'an owner of a custodial account who is 19, without an occupation',
      'CustodialUtma',
      owner({ occupation: undefined, birthDate: '2007-11-20' }),
    ],
    ['a custodian without an occupation', 'CustodialUtma', party({ occupation: undefined })],
    ['an entity without an occupation', 'Corporation', owner({ occupation: undefined })],
    [
      'a joint owner without an occupation',
      'JointWROS',
      party({ occupation: undefined }),
      'EmploymentKnown associatedParties[0].occupation',
    ],
    [
      'a party who is no owner, without an occupation',
      'Individual',
      add(person({ role: 'PowerOfAttorney', occupation: undefined })),
    ],
  ])
})

describe('the wealth', () => {
  testFindings([
    [
      'a liquid net worth one band below the net worth',
      'Individual',
      profile({ netWorth: 'B', liquidNetWorth: 'A' }),
    ],
    [
      'a liquid net worth in the band of the net worth',
      'Individual',
      profile({ netWorth: 'A', liquidNetWorth: 'A' }),
    ],
    [
      'a liquid net worth one band above the net worth',
      'Individual',
      profile({ netWorth: 'A', liquidNetWorth: 'B' }),
      'LiquidWithinNet financialProfile.liquidNetWorth',
    ],
    ['no net worth', 'Individual', profile({ liquidNetWorth: 'B' })],
    ['no liquid net worth', 'Individual', profile({ netWorth: 'B' })],
  ])
})

describe('an account with a path that the reader rejected', () => {
  testFindings([['a rejected trusted contact', 'Individual', owner({ trustedContact: {} })]], {
    ...production,
    isUnknown: (path) => path === 'primaryOwner.trustedContact',
  })
})
