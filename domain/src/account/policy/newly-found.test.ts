import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accountRules } from '@clearing/protocol'
import type { AccountRecord } from '../record.ts'
import { entity, person, rightAccount, today } from '../testing/right-accounts.ts'
import { judgeAccount } from './judge-account.ts'
import { newlyFound } from './newly-found.ts'
import { add, all, type Change, mailing, owner, party, production } from './testing/changed-accounts.ts'

function judged(record: AccountRecord, sandbox = false) {
  return { record, findings: judgeAccount(record, { ...production, sandbox, moment: 'change' }) }
}
/** What the change finds anew, with its effect. */
function caused(before: AccountRecord, change: Change, sandbox = false): string[] {
  return newlyFound(judged(before, sandbox), judged(change(before), sandbox), today).map(
    ({ rule, effect, field }) => `${effect} ${rule} ${field}`,
  )
}

const political = owner({ affiliation: { political: 'True' } })
const cousin = { name: 'JEAN PETIT', organization: 'COMMUNE DE VIF', relationship: 'COUSIN' }
function office(details: object) {
  return { political: { associated: 'True', ...details } }
}
const ofOffice = ['review PoliticalForeign primaryOwner.affiliation.political']
const french = owner({ citizenshipCountry: 'FR' })(rightAccount('IndividualJointForeign'))
const nowhere = { street: 'GENERAL DELIVERY', city: 'HOBOKEN', stateProvince: 'NJ', country: 'US' }
const company = entity({ role: 'Custodian', firstName: 'HARBOR GYM' })
const custodial = rightAccount('CustodialUtma')
const individual = rightAccount('Individual')

/** An IRA with a guardian whose owner is born on the day. */
function guarded(birthDate: string): AccountRecord {
  return all(owner({ birthDate }), add(person({ role: 'Guardian' })))(rightAccount('IraRoth'))
}
const ofMinor = ['review BirthDateOfMinor primaryOwner.birthDate']

const rows: readonly [what: string, before: AccountRecord, change: Change, expected: readonly string[]][] = [
  ['a political office', french, political, ['review PoliticalForeign primaryOwner.affiliation.political']],
  ['a political office of a citizen', individual, political, []],
  ['a political office that stays', political(french), owner({ email: 'a@example.com' }), []],
  [
    'an organization that a political office did not name before',
    political(french),
    owner({ affiliation: office({ organization: 'A MINISTRY' }) }),
    ofOffice,
  ],
  [
    'another organization of a political tie',
    owner({ affiliation: office(cousin) })(french),
    owner({ affiliation: office({ ...cousin, organization: 'A MINISTRY' }) }),
    ofOffice,
  ],
  [
    'another relationship to a political person',
    owner({ affiliation: office(cousin) })(french),
    owner({ affiliation: office({ ...cousin, relationship: 'SELF' }) }),
    ofOffice,
  ],
  [
    'another political person',
    owner({ affiliation: office(cousin) })(french),
    owner({ affiliation: office({ ...cousin, name: 'JEAN GRAND' }) }),
    ofOffice,
  ],
  [
    'another organization beside the indicator of a political office',
    owner({ affiliation: { political: 'True', ...cousin } })(french),
    owner({ affiliation: { political: 'True', ...cousin, organization: 'A MINISTRY' } }),
    ofOffice,
  ],
  [
    'the same political tie in its own block',
    owner({ affiliation: { political: 'True', ...cousin } })(french),
    owner({ affiliation: office(cousin) }),
    [],
  ],
  [
    'a political tie that ends',
    owner({ affiliation: office(cousin) })(french),
    owner({ affiliation: { political: 'False' } }),
    [],
  ],
  [
    'a placeholder as a name',
    individual,
    owner({ firstName: 'UNKNOWN', lastName: 'UNKNOWN' }),
    ['review NameIsName primaryOwner'],
  ],
  [
    'another placeholder',
    owner({ firstName: 'UNKNOWN', lastName: 'UNKNOWN' })(individual),
    owner({ firstName: 'NONE', lastName: 'NONE' }),
    ['review NameIsName primaryOwner'],
  ],
  [
    'an e-mail address beside a placeholder',
    owner({ firstName: 'UNKNOWN', lastName: 'UNKNOWN' })(individual),
    owner({ email: 'a@example.com' }),
    [],
  ],
  [
    'a birth date of 111 years ago',
    individual,
    owner({ birthDate: '1915-11-20' }),
    ['review AgePlausible primaryOwner.birthDate'],
  ],
  ['a birth date of nearly 111 years ago', individual, owner({ birthDate: '1915-11-21' }), []],
  [
    'another birth date of long ago',
    owner({ birthDate: '1912-03-04' })(individual),
    owner({ birthDate: '1915-11-20' }),
    ['review AgePlausible primaryOwner.birthDate'],
  ],
  [
    'an e-mail address of a person born long ago',
    owner({ birthDate: '1912-03-04' })(individual),
    owner({ email: 'a@example.com' }),
    [],
  ],
  [
    'a party born long ago',
    individual,
    add(person({ role: 'InterestedParty', birthDate: '1912-03-04' })),
    ['review AgePlausible associatedParties[0].birthDate'],
  ],
  [
    'another birth date of the owner of a custodial account',
    custodial,
    owner({ birthDate: '2018-02-04' }),
    ofMinor,
  ],
  [
    'a birth date of a minor for the owner of a custodial account who came of age',
    owner({ birthDate: '1990-01-01' })(custodial),
    owner({ birthDate: '2018-02-04' }),
    ofMinor,
  ],
  ['the same birth date', custodial, owner({ birthDate: '2018-02-03' }), []],
  ['another birth date of the custodian', custodial, party({ birthDate: '1981-12-25' }), []],
  [
    'a minor who owns an IRA becomes an adult',
    guarded('2010-05-05'),
    owner({ birthDate: '2008-11-20' }),
    ofMinor,
  ],
  [
    'an adult who owns an IRA becomes a minor',
    guarded('2008-11-20'),
    owner({ birthDate: '2008-11-21' }),
    ofMinor,
  ],
  [
    'a minor who owns an IRA becomes an adult, and the guardian leaves',
    guarded('2008-11-21'),
    all(owner({ birthDate: '2008-11-20' }), party({ role: 'InterestedParty' })),
    ofMinor,
  ],
  [
    'another birth date of an adult with a guardian',
    guarded('2008-11-20'),
    owner({ birthDate: '1990-01-01' }),
    [],
  ],
  [
    'another birth date of an adult who owns an IRA alone',
    rightAccount('IraRoth'),
    owner({ birthDate: '1982-12-24' }),
    [],
  ],
  [
    'a residence that is no place',
    individual,
    owner({ legalAddress: nowhere }),
    ['review AddressIsPlace primaryOwner.legalAddress'],
  ],
  [
    'a mailing address that is no place, for the person who lives there',
    all(
      owner({ legalAddress: {} }),
      add(person({ role: 'InterestedParty', legalAddress: nowhere })),
    )(individual),
    mailing({ street: 'GENERAL DELIVERY' }),
    ['review AddressIsPlace primaryOwner.legalAddress'],
  ],
  [
    'no place in another city',
    owner({ legalAddress: nowhere })(individual),
    owner({ legalAddress: { ...nowhere, city: 'NEWARK' } }),
    ['review AddressIsPlace primaryOwner.legalAddress'],
  ],
  [
    'the postal code of no place',
    owner({ legalAddress: nowhere })(individual),
    owner({ legalAddress: { ...nowhere, postalCode: '07030' } }),
    [],
  ],
  [
    'a company as the custodian',
    all(party({ role: 'InterestedParty' }))(custodial),
    add(company),
    ['review CustodianTrustCompany associatedParties[1].nameType'],
  ],
  [
    'another name of such a company',
    all(party({ role: 'InterestedParty' }), add(company))(custodial),
    party({ firstName: 'HARBOR POOL' }, 1),
    ['review CustodianTrustCompany associatedParties[1].nameType'],
  ],
  [
    'a foreign status beside a social security number',
    individual,
    owner({ caisInformation: { customerType: ['Foreign'] } }),
    ['review ForeignWithSsn primaryOwner.caisInformation.customerType'],
  ],
  [
    'a party with a published number',
    individual,
    add(person({ role: 'InterestedParty', taxIdNumber: '078051120' })),
    ['review PublishedNumber associatedParties[0].taxIdNumber'],
  ],
  [
    'a postal code of another state',
    individual,
    mailing({ postalCode: '94105' }),
    ['note PostalCodeOfState mailingAddress.postalCode'],
  ],
]

describe('a change of an open account causes', () => {
  for (const [what, before, change, expected] of rows) {
    test(`${expected.length === 0 ? 'no finding' : expected.join(', ')}: ${what}`, () => {
      assert.deepEqual(caused(before, change), expected)
    })
  }

  test('only a note in the sandbox by a published number', () => {
    const change = add(person({ role: 'InterestedParty', taxIdNumber: '078051120' }))
    assert.deepEqual(caused(individual, change, true), [
      'note PublishedNumber associatedParties[0].taxIdNumber',
    ])
  })
})

test('a rule that has operations review an application has them review a change, except for equal tax ids and equal documents', () => {
  assert.deepEqual(
    accountRules
      .filter(({ effects }) => effects.opening === 'review' && effects.change !== 'review')
      .map(({ value }) => value),
    ['TaxIdOfAnother', 'IdentificationOfAnother'],
  )
})
