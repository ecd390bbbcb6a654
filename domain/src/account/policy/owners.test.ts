// The rules on marriage, residence, beneficiaries and borrowing for every registration.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { codeLists } from '@clearing/protocol'
import type { AccountRecord } from '../record.ts'
import { person, rightAccount } from '../testing/right-accounts.ts'
import { judgeAccount } from './judge-account.ts'
import { mayBorrow, type Registration, registrationRuleOf } from './registration-roles.ts'
import {
  all,
  beneficiary,
  found,
  mailing,
  main,
  owner,
  party,
  production,
  sandbox,
} from './testing/changed-accounts.ts'
import { type FindingRow, testFindings } from './testing/find-table.ts'

const registrations = codeLists.registrationType.map(({ value }) => value)
const iras = [
  'IraTraditional',
  'IraRoth',
  'IraRollover',
  'IraRothRollover',
  'IraRothConversion',
  'IraSep',
  'IraSimple',
]
const entities = ['Corporation', 'Llc', 'Partnership']

describe('every registration', () => {
  for (const registration of registrations) {
    const passes = ['Individual', 'IndividualJointForeign', 'JointWROS', 'JointTBE', 'JointCP', ...iras]
    test(`${registration} ${passes.includes(registration) ? 'can have' : 'cannot have'} beneficiaries`, () => {
      const expected = passes.includes(registration) ? [] : ['BeneficiariesAllowed beneficiaries']
      assert.deepEqual(found(beneficiary(rightAccount(registration))), expected)
    })

    const borrows = !['CustodialUgma', 'CustodialUtma', 'Estate', ...iras].includes(registration)
    test(`${registration} ${borrows ? 'can have' : 'cannot have'} margin`, () => {
      const record = main({ marginIndicator: 'true' })(rightAccount(registration))
      assert.deepEqual(found(record), borrows ? [] : ['NoBorrowing main.marginIndicator'])
    })

    const married = ['JointTBE', 'JointCP'].includes(registration)
    test(`${registration} ${married ? 'requires married owners' : 'does not require married owners'}`, () => {
      const record = owner({ maritalStatus: 'Single' })(rightAccount(registration))
      assert.deepEqual(found(record), married ? ['OwnersMarried primaryOwner.maritalStatus'] : [])
    })

    const joint = registration.startsWith('Joint') || registration === 'IndividualJointForeign'
    test(`${registration} belongs to ${joint ? 'its owner and its secondaries' : 'its owner only'}`, () => {
      assert.equal(registrationRuleOf(registration).secondaryOwns, joint)
    })

    const needs: Record<string, string> = { Trust: 'Trustee', Estate: 'Executor' }
    const needed =
      needs[registration] ??
      (registration.startsWith('Joint')
        ? 'Secondary'
        : registration.startsWith('Custodial')
          ? 'Custodian'
          : entities.includes(registration)
            ? 'ControlPerson'
            : undefined)
    test(`${registration} requires ${needed === undefined ? 'no other party' : `a party with the role ${needed}`}`, () => {
      const record = { ...rightAccount(registration), associatedParties: [] }
      const [missing] = judgeAccount(record, production).filter(({ rule }) => rule === 'RoleMissing')
      assert.equal(missing?.reason.match(/the role (\w+)\.$/)?.[1], needed)
    })
  }
})

test('an unknown registration has no rules and no findings', () => {
  assert.throws(() => registrationRuleOf('Tontine' as Registration), /Tontine/)
  const record = { ...rightAccount('Individual'), registrationType: 'Tontine', associatedParties: [person()] }
  assert.deepEqual(judgeAccount(record, production), [])
})

describe('the residence of spouses', () => {
  testFindings([
    ['in a community property state', 'JointCP', mailing({ stateProvince: 'CA', postalCode: '90001' })],
    ...(['PR', 'GU'] as const).flatMap((territory): FindingRow[] => [
      [
        `in ${territory}, by its state code`,
        'JointCP',
        mailing({ stateProvince: territory, postalCode: undefined }),
      ],
      [
        `in ${territory}, by its country code`,
        'JointCP',
        mailing({ country: territory, stateProvince: undefined, postalCode: undefined }),
      ],
    ]),
    [
      'in the Virgin Islands, which have no community property',
      'JointCP',
      mailing({ country: 'VI', stateProvince: undefined, postalCode: undefined }),
      'OwnersResidence registrationType',
    ],
    [
      'in another state',
      'JointCP',
      mailing({ stateProvince: 'NJ', postalCode: '07302' }),
      'OwnersResidence registrationType',
    ],
    [
      'abroad',
      'JointCP',
      mailing({ country: 'MX', stateProvince: undefined, postalCode: undefined }),
      'OwnersResidence registrationType',
    ],
    [
      'without a country',
      'JointCP',
      mailing({ country: undefined, stateProvince: undefined, postalCode: undefined }),
    ],
    ['without a state', 'JointCP', mailing({ stateProvince: undefined, postalCode: undefined })],
    [
      'in Ohio, where no tenancy by the entirety can be created any more',
      'JointTBE',
      mailing({ stateProvince: 'OH', postalCode: '43215' }),
      'EntiretyOfSecurities registrationType',
    ],
    ...['IL', 'IN', 'NC', 'NY', 'OR'].map(
      (stateProvince): FindingRow => [
        `in ${stateProvince}, which has the tenancy by the entirety for land`,
        'JointTBE',
        mailing({ stateProvince, postalCode: undefined }),
        'EntiretyOfSecurities registrationType',
      ],
    ),
    ...['AK AR DE DC FL HI KY MD MA MI MS MO NJ OK PA RI TN VT VA WY'].flatMap((states) =>
      states
        .split(' ')
        .map(
          (stateProvince): FindingRow => [
            `in ${stateProvince}, by the entirety`,
            'JointTBE',
            mailing({ stateProvince, postalCode: undefined }),
          ],
        ),
    ),
  ])
})

describe('a minor', () => {
  testFindings([
    ['without a birth date', 'CustodialUtma', owner({ birthDate: undefined })],
    [
      'of 20 in Guam by its country code, where a UGMA custodianship ends at 21',
      'CustodialUgma',
      all(
        owner({ birthDate: '2005-11-21' }),
        mailing({ country: 'GU', stateProvince: undefined, postalCode: undefined }),
      ),
    ],
    [
      'of 21 in Guam by its country code',
      'CustodialUgma',
      all(
        owner({ birthDate: '2005-11-20' }),
        mailing({ country: 'GU', stateProvince: undefined, postalCode: undefined }),
      ),
      'CustodialMinor primaryOwner.birthDate',
    ],
    ['born tomorrow', 'CustodialUtma', owner({ birthDate: '2026-11-21' })],
    ['an adult with an individual account', 'Individual', owner({ birthDate: '2000-01-01' })],
  ])
})

const experience = 'OptionSuitability financialProfile.investmentExperience.options'
const profileMissing = 'OptionSuitability financialProfile'
function level(optionTradingLevel: string | undefined, more: object = {}) {
  return main({ optionTradingIndicator: 'true', optionTradingLevel, ...more })
}
describe('the option level', () => {
  testFindings([
    ['no level, without options', 'Individual', main({ optionTradingLevel: undefined })],
    ['level 0, without options', 'Individual', main({ optionTradingLevel: '0' })],
    [
      'level 1, without options',
      'Individual',
      main({ optionTradingLevel: '1' }),
      'OptionContradiction main.optionTradingIndicator',
      experience,
      profileMissing,
    ],
    ['not said', 'Individual', level(''), 'OptionLevelKnown main.optionTradingLevel'],
    ['0, with options', 'Individual', level('0'), 'OptionLevelKnown main.optionTradingLevel'],
    ['level 1, without a stated experience', 'Individual', level('1'), experience, profileMissing],
    ['level 2, in an IRA', 'IraRoth', level('2'), experience, profileMissing],
    [
      'level 3, in an IRA',
      'IraRoth',
      level('3'),
      'OptionLevelBorrows main.optionTradingLevel',
      experience,
      profileMissing,
    ],
    ['level 2, without margin', 'Individual', level('2'), experience, profileMissing],
    [
      'level 3, without margin',
      'Individual',
      level('3'),
      'OptionLevelNeedsMargin main.marginIndicator',
      experience,
      profileMissing,
    ],
    [
      'level 3, with margin',
      'Individual',
      level('3', { marginIndicator: 'true' }),
      experience,
      profileMissing,
    ],
  ])
})

describe('an account without beneficiaries', () => {
  const none = (record: AccountRecord) => ({ ...record, beneficiaries: [] })
  for (const registration of registrations) {
    const needs = iras.includes(registration)
    test(`${needs ? 'has a finding' : 'has no finding'} with the registration ${registration}`, () => {
      const expected = needs ? ['BeneficiariesNamed retirementBenes'] : []
      assert.deepEqual(found(none(rightAccount(registration))), expected)
    })
  }

  for (const list of ['retirementBenes', 'beneficiaries', 'transferOfDeathBeneficiaries'])
    test(`has no finding if the reader rejected ${list}`, () => {
      const facts = { ...production, wasRefused: (path: string) => path === list }
      assert.deepEqual(found(none(rightAccount('IraRoth')), facts), [])
    })

  test('has a finding if the reader rejected another list', () => {
    const facts = { ...production, wasRefused: (path: string) => path === 'associatedParties' }
    assert.deepEqual(found(none(rightAccount('IraRoth')), facts), ['BeneficiariesNamed retirementBenes'])
  })
})

describe('a party who is no owner', () => {
  testFindings([
    [
      'without an occupation',
      'JointWROS',
      all(party({ role: 'PowerOfAttorney', occupation: undefined }), (record) => ({
        ...record,
        associatedParties: [...record.associatedParties, person({ role: 'Secondary' })],
      })),
    ],
  ])
})

describe('a finding', () => {
  const of = (rule: string, facts = production, change = owner({ taxIdNumber: '078051120' })) =>
    judgeAccount(change(rightAccount('Individual')), facts).find((one) => one.rule === rule)

  test('that refuses has a code and requests nothing', () => {
    const finding = of('RoleRequired', production, (record) => ({ ...record, associatedParties: [person()] }))
    assert.equal(finding?.effect, 'refuse')
    assert.match(finding?.code ?? '', /^ERR\.\d{4}$/)
    assert.equal(finding?.asks, '')
  })

  test('that requests something names it and has no code', () => {
    const finding = of('UsOwnerCertified')
    assert.deepEqual([finding?.effect, finding?.code, finding?.asks], ['ask', '', 'W9Certification'])
  })

  test('that is reviewed in production and noted in the sandbox has no code and requests nothing', () => {
    for (const [facts, effect] of [
      [production, 'review'],
      [sandbox, 'note'],
    ] as const) {
      const finding = of('PublishedNumber', facts)
      assert.deepEqual([finding?.effect, finding?.code, finding?.asks], [effect, '', ''])
    }
  })
})

test('an account may borrow by its registration, and by an unknown registration of an earlier release', () => {
  const given = ['Individual', 'IraRoth', 'CustodialUtma', 'RegistrationOfBefore']
  assert.deepEqual(given.map(mayBorrow), [true, false, false, true])
})
