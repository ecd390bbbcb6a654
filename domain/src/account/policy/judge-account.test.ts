// Every rule of the account by a table that a compliance officer can read: the defect, the rule that finds it, and the field.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accountRules, codeLists } from '@clearing/protocol'
import { entity, person, rightAccount } from '../testing/right-accounts.ts'
import { accountRuleOf } from './finding.ts'
import { judgeAccount } from './judge-account.ts'
import type { Registration } from './registration-roles.ts'
import {
  add,
  all,
  always,
  beneficiary,
  type Change,
  found,
  mailing,
  main,
  only,
  options,
  owner,
  party,
  production,
  profile,
  told,
} from './testing/changed-accounts.ts'

describe('a right account of', () => {
  for (const { value } of codeLists.registrationType) {
    test(`${value} has no finding`, () => assert.deepEqual(found(rightAccount(value)), []))
  }
})

const defects: [what: string, registration: Registration, change: Change, ...expected: string[]][] = [
  // Roles
  ['a party without a role', 'Individual', add(person()), 'RoleRequired associatedParties[0].role'],
  ['a party of a joint account without a role is a joint owner', 'JointWROS', party({ role: '' })],
  [
    'a single party of a custodial account without a role is the custodian',
    'CustodialUtma',
    party({ role: '' }),
  ],
  [
    'two parties of a custodial account, one without a role',
    'CustodialUtma',
    add(person()),
    'RoleRequired associatedParties[1].role',
  ],
  ['an associate, everywhere', 'Corporation', add(person({ role: 'Associate' }))],
  [
    'a trustee of a person',
    'Individual',
    add(person({ role: 'Trustee' })),
    'RoleAllowed associatedParties[0].role',
  ],
  [
    'a joint owner of an IRA',
    'IraRoth',
    add(person({ role: 'Secondary' })),
    'RoleAllowed associatedParties[0].role',
  ],
  [
    'a secondary of an individual account',
    'Individual',
    add(person({ role: 'Secondary' })),
    'SecondaryNotOwner associatedParties[0].role',
  ],
  ['a foreign couple', 'IndividualJointForeign', add(person({ role: 'Secondary' }))],
  ['a joint account of one', 'JointTIC', only(), 'RoleMissing associatedParties'],
  [
    'a joint account of one owner and an associate',
    'JointTIC',
    only(person({ role: 'Associate' })),
    'JointOwnerNamed associatedParties',
  ],
  [
    'four joint owners beside the first',
    'JointTIC',
    add(...[1, 2, 3].map(() => person({ role: 'Secondary' }))),
  ],
  [
    'five joint owners beside the first',
    'JointTIC',
    add(...[1, 2, 3, 4].map(() => person({ role: 'Secondary' }))),
    'RoleRepeated associatedParties',
  ],
  ['three spouses', 'JointTBE', add(person({ role: 'Secondary' })), 'RoleRepeated associatedParties'],
  ['two custodians', 'CustodialUgma', add(person({ role: 'Custodian' })), 'RoleRepeated associatedParties'],
  ['a custodian and a successor', 'CustodialUgma', add(person({ role: 'SuccessorCustodian' }))],
  [
    'a corporation of an officer alone',
    'Corporation',
    party({ role: 'Officer' }),
    'RoleMissing associatedParties',
  ],
  [
    'an estate of a beneficiary alone',
    'Estate',
    party({ role: 'Beneficiary' }),
    'RoleMissing associatedParties',
  ],
  ['a trust whose trustee is a bank', 'Trust', add(entity({ role: 'Trustee', taxIdNumber: '133907716' }))],
  [
    'a corporation controlled by a corporation',
    'Corporation',
    add(entity({ role: 'ControlPerson', taxIdNumber: '133907716' })),
    'RoleKind associatedParties[1].nameType',
  ],
  [
    'a trustee of nine',
    'Trust',
    party({ birthDate: '2017-05-05' }),
    'ActingAdult associatedParties[0].birthDate',
  ],
  [
    'a beneficiary of a trust, aged nine',
    'Trust',
    add(person({ role: 'Beneficiary', birthDate: '2017-05-05' })),
  ],
  [
    'an owner on the eve of 18',
    'Individual',
    owner({ birthDate: '2008-11-21' }),
    'ActingAdult primaryOwner.birthDate',
  ],
  ['an owner who turns 18 today', 'Individual', owner({ birthDate: '2008-11-20' })],
  ['an owner who turned 18 yesterday', 'Individual', owner({ birthDate: '2008-11-19' })],
  [
    'an associate of 17 who trades',
    'Individual',
    add(person({ role: 'Associate', tradingAuthority: 'Limited', birthDate: '2008-11-21' })),
    'ActingAdult associatedParties[0].birthDate',
  ],
  [
    'a minor with an IRA and a guardian',
    'IraRoth',
    all(owner({ birthDate: '2012-01-01' }), add(person({ role: 'Guardian' }))),
  ],
  [
    'a minor with an IRA alone',
    'IraRoth',
    owner({ birthDate: '2012-01-01' }),
    'ActingAdult primaryOwner.birthDate',
  ],
  [
    'one person as two owners',
    'JointWROS',
    (record) => party({ taxIdNumber: record.primaryOwner.taxIdNumber as string })(record),
    'PersonRepeated associatedParties[0].taxIdNumber',
  ],
  [
    'one person as control person and beneficial owner',
    'Llc',
    all(
      party({ taxIdNumber: '401129999' }),
      add(person({ role: 'BeneficialOwner', taxIdNumber: '401129999', ownershipPercent: '60.00' })),
    ),
  ],
  [
    'one person as beneficial owner twice',
    'Llc',
    add(
      person({ role: 'BeneficialOwner', taxIdNumber: '401129999', ownershipPercent: '30.00' }),
      person({ role: 'BeneficialOwner', taxIdNumber: '401129999', ownershipPercent: '30.00' }),
    ),
    'PersonRepeated associatedParties[2].taxIdNumber',
  ],

  // Owners
  ['a nineteen-year-old under the UTMA of New Jersey', 'CustodialUtma', owner({ birthDate: '2007-01-01' })],
  ['twenty, a day before 21, in New Jersey', 'CustodialUtma', owner({ birthDate: '2005-11-21' })],
  [
    '21 today in New Jersey',
    'CustodialUtma',
    owner({ birthDate: '2005-11-20' }),
    'CustodialMinor primaryOwner.birthDate',
  ],
  [
    'eighteen in Kentucky',
    'CustodialUtma',
    all(mailing({ stateProvince: 'KY', postalCode: '40202' }), owner({ birthDate: '2008-11-20' })),
    'CustodialMinor primaryOwner.birthDate',
  ],
  [
    'a day before 22 in Louisiana',
    'CustodialUtma',
    all(mailing({ stateProvince: 'LA', postalCode: '70112' }), owner({ birthDate: '2004-11-21' })),
  ],
  [
    'twenty-two in Louisiana',
    'CustodialUtma',
    all(mailing({ stateProvince: 'LA', postalCode: '70112' }), owner({ birthDate: '2004-11-20' })),
    'CustodialMinor primaryOwner.birthDate',
  ],
  [
    'eighteen in California',
    'CustodialUtma',
    all(mailing({ stateProvince: 'CA', postalCode: '94103' }), owner({ birthDate: '2008-11-20' })),
    'CustodialAgeChosen primaryOwner.birthDate',
  ],
  [
    'twenty-five in California',
    'CustodialUtma',
    all(mailing({ stateProvince: 'CA', postalCode: '94103' }), owner({ birthDate: '2001-11-20' })),
    'CustodialMinor primaryOwner.birthDate',
  ],
  [
    'eighteen under the UGMA of New York',
    'CustodialUgma',
    all(mailing({ stateProvince: 'NY', postalCode: '10001' }), owner({ birthDate: '2008-11-20' })),
    'CustodialMinor primaryOwner.birthDate',
  ],
  [
    'an unmarried spouse',
    'JointTBE',
    party({ maritalStatus: 'Single' }),
    'OwnersMarried associatedParties[0].maritalStatus',
  ],
  [
    'a spouse of unknown status',
    'JointCP',
    party({ maritalStatus: '' }),
    'MaritalStatusKnown associatedParties[0].maritalStatus',
  ],
  [
    'community property in New Jersey',
    'JointCP',
    mailing({ stateProvince: 'NJ', postalCode: '07302' }),
    'OwnersResidence registrationType',
  ],
  [
    'a tenancy by the entirety in Texas',
    'JointTBE',
    mailing({ stateProvince: 'TX', postalCode: '78701' }),
    'OwnersResidence registrationType',
  ],
  [
    'owners of 25 percent who are not named',
    'Partnership',
    add(person({ role: 'Partner', ownershipPercent: '25.00' })),
    'BeneficialOwnerNamed associatedParties[1].role',
  ],
  ['an owner of 24.99 percent', 'Partnership', add(person({ role: 'Partner', ownershipPercent: '24.99' }))],
  [
    'shares of 100.01 percent',
    'Partnership',
    add(
      person({ role: 'BeneficialOwner', ownershipPercent: '50.00' }),
      person({ role: 'BeneficialOwner', ownershipPercent: '50.01' }),
    ),
    'OwnershipTotal associatedParties',
  ],
  [
    'a beneficial owner of an unknown share',
    'Corporation',
    add(person({ role: 'BeneficialOwner' })),
    'OwnershipKnown associatedParties[1].ownershipPercent',
  ],
  ['beneficiaries of a trust account', 'Trust', beneficiary, 'BeneficiariesAllowed beneficiaries'],
  ['beneficiaries of tenants in common', 'JointTIC', beneficiary, 'BeneficiariesAllowed beneficiaries'],
  ['beneficiaries of a joint account with survivorship', 'JointWROS', beneficiary],

  // Tax identification
  [
    'an entity with an SSN',
    'Corporation',
    owner({ taxIdType: 'SSN', taxIdNumber: '401128888' }),
    'EntityNumber primaryOwner.taxIdType',
  ],
  [
    'a revocable trust with the SSN of its grantor',
    'Trust',
    all(
      owner({ taxIdType: 'SSN', taxIdNumber: '401128888' }),
      add(person({ role: 'Grantor', taxIdNumber: '401128888' })),
    ),
  ],
  [
    'a trust with the SSN of its trustee',
    'Trust',
    all(owner({ taxIdType: 'SSN', taxIdNumber: '401128888' }), party({ taxIdNumber: '401128888' })),
    'EntityNumber primaryOwner.taxIdType',
  ],
  [
    'an LLC with the SSN of its only member',
    'Llc',
    all(
      owner({ taxIdType: 'SSN', taxIdNumber: '401128888' }),
      add(person({ role: 'Member', taxIdNumber: '401128888' })),
    ),
  ],
  [
    'an LLC of two members with the SSN of one',
    'Llc',
    all(
      owner({ taxIdType: 'SSN', taxIdNumber: '401128888' }),
      add(person({ role: 'Member', taxIdNumber: '401128888' }), person({ role: 'Member' })),
    ),
    'EntityNumber primaryOwner.taxIdType',
  ],
  [
    'a number printed in wallets',
    'Individual',
    owner({ taxIdNumber: '078051120' }),
    'PublishedNumber primaryOwner.taxIdNumber',
  ],
  ['an ITIN', 'Individual', owner({ taxIdType: 'TaxId', taxIdNumber: '912881234' })],
  [
    'a number between the ranges of ITINs',
    'Individual',
    owner({ taxIdType: 'TaxId', taxIdNumber: '912891234' }),
    'PersonNumber primaryOwner.taxIdNumber',
  ],
  [
    'an ITIN of the group 93',
    'Individual',
    owner({ taxIdType: 'TaxId', taxIdNumber: '912931234' }),
    'PersonNumber primaryOwner.taxIdNumber',
  ],
  [
    'an EIN of the prefix 07',
    'Corporation',
    owner({ taxIdNumber: '073907716' }),
    'EinPrefix primaryOwner.taxIdNumber',
  ],
  [
    'a foreign person with an SSN',
    'Individual',
    owner({ caisInformation: { customerType: ['Foreign'] } }),
    'ForeignWithSsn primaryOwner.caisInformation.customerType',
  ],

  // Entitlements
  ['an IRA with margin', 'IraSep', main({ marginIndicator: 'true' }), 'NoBorrowing main.marginIndicator'],
  ['an estate with margin', 'Estate', main({ marginIndicator: 'true' }), 'NoBorrowing main.marginIndicator'],
  ['a trust with margin', 'Trust', main({ marginIndicator: 'true' })],
  [
    'spreads in an IRA',
    'IraSep',
    all(told, main({ ...options, optionTradingLevel: '3' })),
    'OptionLevelBorrows main.optionTradingLevel',
  ],
  ['long options in an IRA', 'IraSep', all(told, main(options))],
  [
    'a level without options',
    'Individual',
    all(told, main({ optionTradingLevel: '1' })),
    'OptionContradiction main.optionTradingIndicator',
  ],
  ['no level and no options', 'Individual', main({ optionTradingLevel: '' })],
  [
    'options without a level',
    'Individual',
    main({ optionTradingIndicator: 'true' }),
    'OptionLevelKnown main.optionTradingLevel',
  ],
  [
    'spreads without margin',
    'Individual',
    all(told, main({ ...options, optionTradingLevel: '3' })),
    'OptionLevelNeedsMargin main.marginIndicator',
  ],
  [
    'spreads with margin',
    'Individual',
    all(told, main({ ...options, optionTradingLevel: '3', marginIndicator: 'true' })),
  ],
  [
    'options of an owner who told nothing',
    'Individual',
    main(options),
    'OptionSuitability financialProfile.investmentExperience.options',
    'OptionSuitability financialProfile',
  ],

  // Due diligence
  [
    'political office of a foreign person',
    'IndividualJointForeign',
    owner({ affiliation: { political: 'True', organization: 'MINISTRY OF FINANCE' } }),
    'PoliticalForeign primaryOwner.affiliation.political',
  ],
  ['political office of a citizen', 'Individual', owner({ affiliation: { political: 'True' } })],
  [
    'general delivery',
    'Individual',
    mailing({ street: 'GENERAL DELIVERY' }),
    'AddressIsPlace primaryOwner.legalAddress',
  ],
  [
    'a private mailbox',
    'Individual',
    mailing({ street: '12 MAIN ST PMB 441' }),
    'AddressIsPlace primaryOwner.legalAddress',
  ],
  ['a street called Unknown Soldier', 'Individual', mailing({ street: '4 SOLDIER ROAD' })],
  ['nobody', 'Individual', owner({ firstName: 'UNKNOWN', lastName: 'UNKNOWN' }), 'NameIsName primaryOwner'],
  ['TEST TEST', 'Individual', owner({ firstName: 'TEST', lastName: 'TEST' }), 'NameIsName primaryOwner'],
  ['somebody called Testa', 'Individual', owner({ firstName: 'MARIA', lastName: 'TESTA' })],
  [
    'industry without a company',
    'Individual',
    owner({ affiliation: { industry: 'True' } }),
    'AffiliationNamed primaryOwner.affiliation.organization',
  ],
  [
    'industry with a company',
    'Individual',
    owner({ affiliation: { industry: 'True', organization: 'BAYSIDE' } }),
  ],
  [
    'another source of funds',
    'Individual',
    owner({ sourceOfFunds: ['Other'] }),
    'SourceOfFundsNamed primaryOwner.otherSourceOfFund',
  ],
  [
    'a described source of funds',
    'Individual',
    owner({ sourceOfFunds: ['Other'], otherSourceOfFund: 'LOTTERY' }),
  ],
  [
    'an occupation without an employer',
    'Individual',
    owner({ occupation: 'Computers' }),
    'EmploymentKnown primaryOwner.employerName',
  ],
  ['no occupation', 'Individual', owner({ occupation: '' }), 'EmploymentKnown primaryOwner.occupation'],
  [
    'no trusted contact',
    'Individual',
    owner({ trustedContact: {} }),
    'TrustedContactAsked primaryOwner.trustedContact',
  ],
  [
    'a postal code of another state',
    'Individual',
    mailing({ postalCode: '10001' }),
    'PostalCodeOfState primaryOwner.legalAddress.postalCode',
  ],
  [
    'liquid above net worth',
    'Individual',
    profile({ netWorth: 'D', liquidNetWorth: 'E' }),
    'LiquidWithinNet financialProfile.liquidNetWorth',
  ],
  ['liquid equal to net worth', 'Individual', profile({ netWorth: 'E', liquidNetWorth: 'E' })],
]

describe('the policy finds', () => {
  for (const [what, registration, change, ...expected] of defects) {
    const rule = expected.map((one) => one.split(' ')[0]).join(' and ') || 'nothing'
    test(`${rule} in ${registration}: ${what}`, () => {
      assert.deepEqual(found(change(rightAccount(registration))), expected)
    })
  }

  test('at each moment with the effect, code, question and source of its row, or not at all', () => {
    for (const [what, registration, change] of defects) {
      const record = change(rightAccount(registration))
      const opening = judgeAccount(record, production)
      for (const moment of ['opening', 'change', 'day'] as const) {
        const expected = opening.flatMap(({ rule, field }) => {
          const { effects, source, code, asks } = accountRuleOf(rule)
          const effect = effects[moment]
          if (effect === undefined) return []
          const ofEffect = { code: effect === 'refuse' ? code : '', asks: effect === 'ask' ? asks : '' }
          return [{ rule, field, effect, source, ...ofEffect }]
        })
        const found = judgeAccount(record, { ...production, moment })
        assert.deepEqual(
          found.map(({ rule, field, effect, source, code, asks }) => ({
            rule,
            field,
            effect,
            source,
            code,
            asks,
          })),
          expected,
          `${what} at ${moment}`,
        )
      }
    }
  })

  test('every rule in some row of this table', () => {
    const shown = new Set([
      ...always,
      ...defects.flatMap(([, , , ...expected]) => expected.map((one) => one.split(' ')[0])),
    ])
    assert.deepEqual(
      // What the business day alone asks is shown in review-year.test.ts.
      accountRules
        .filter(({ effects }) => effects.opening !== undefined || effects.change !== undefined)
        .map(({ value }) => value)
        .filter((value) => !shown.has(value)),
      [],
    )
  })
})
