import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accountRules } from '@clearing/protocol'
import type { AccountRecord } from '../record.ts'
import { entity, person, rightAccount } from '../testing/right-accounts.ts'
import { judgeAccount } from './judge-account.ts'
import { newlyFound } from './newly-found.ts'
import { add, all, type Change, mailing, owner, party, production } from './testing/changed-accounts.ts'

function judged(record: AccountRecord, sandbox = false) {
  return { record, findings: judgeAccount(record, { ...production, sandbox, moment: 'change' }) }
}
/** What the change finds anew, with its effect. */
function caused(before: AccountRecord, change: Change, sandbox = false): string[] {
  return newlyFound(judged(before, sandbox), judged(change(before), sandbox)).map(
    ({ rule, effect, field }) => `${effect} ${rule} ${field}`,
  )
}

const political = owner({ affiliation: { political: 'True' } })
const french = owner({ citizenshipCountry: 'FR' })(rightAccount('IndividualJointForeign'))
const nowhere = { street: 'GENERAL DELIVERY', city: 'HOBOKEN', stateProvince: 'NJ', country: 'US' }
const company = entity({ role: 'Custodian', firstName: 'HARBOR GYM' })
const custodial = rightAccount('CustodialUtma')
const individual = rightAccount('Individual')

const rows: readonly [what: string, before: AccountRecord, change: Change, expected: readonly string[]][] = [
  ['a political office', french, political, ['review PoliticalForeign primaryOwner.affiliation.political']],
  ['a political office of a citizen', individual, political, []],
  ['a political office that stays', political(french), owner({ email: 'a@example.com' }), []],
  [
    'the details of a political office that stays',
    political(french),
    owner({ affiliation: { political: { associated: 'True', organization: 'A MINISTRY' } } as never }),
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

test('a rule that has operations review an application has them review a change, except for equal tax ids', () => {
  assert.deepEqual(
    accountRules
      .filter(({ effects }) => effects.opening === 'review' && effects.change !== 'review')
      .map(({ value }) => value),
    ['TaxIdOfAnother'],
  )
})
