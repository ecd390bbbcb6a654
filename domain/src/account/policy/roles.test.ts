// The rules on the parties of an account (number, age, shares), with rows at each boundary.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Party } from '../record.ts'
import { entity, person, rightAccount } from '../testing/right-accounts.ts'
import { judgeAccount } from './judge-account.ts'
import type { Registration } from './registration-roles.ts'
import { add, all, type Change, mailing, only, owner, party, production } from './testing/changed-accounts.ts'
import { type FindingRow, testFindings } from './testing/find-table.ts'

function owns(ownershipPercent: string, more: object = {}) {
  return person({ role: 'Partner', ownershipPercent, ...more })
}
function named(ownershipPercent: string | undefined, more: object = {}) {
  return person({ role: 'BeneficialOwner', ownershipPercent, ...more })
}
function nameless(more: object) {
  return person({ ...noor, birthDate: undefined, ...more })
}
const young = 'ActingAdult primaryOwner.birthDate'
const unnumbered = { taxIdType: undefined, taxIdNumber: undefined }
const noor = { ...unnumbered, firstName: 'NOOR', lastName: 'HADDAD', birthDate: '1981-12-24' }

function people(...names: string[]): Party[] {
  return names.map((firstName) => person({ firstName }))
}

describe('the parties that an account needs', () => {
  testFindings([
    [
      'an associate as the only party',
      'Trust',
      only(person({ role: 'Associate' })),
      'RoleMissing associatedParties',
    ],
    ['nobody', 'Trust', only(), 'RoleMissing associatedParties'],
    ['two joint owners without roles', 'JointTIC', all(party({ role: '' }), add(...people('ANA')))],
    ['four joint owners without roles', 'JointTIC', add(...people('ANA', 'BEA', 'CLEO'))],
    [
      'five joint owners without roles',
      'JointTIC',
      add(...people('ANA', 'BEA', 'CLEO', 'DORA')),
      'RoleRepeated associatedParties',
    ],
  ])
})

describe('one person', () => {
  testFindings([
    [
      'the same person as owner and as a party without a role',
      'Individual',
      all(owner({ taxIdNumber: '401125555' }), add(person({ taxIdNumber: '401125555' }))),
      'RoleRequired associatedParties[0].role',
    ],
    [
      'the same person as owner and as attorney',
      'Individual',
      all(
        owner({ taxIdNumber: '401125555' }),
        add(person({ role: 'PowerOfAttorney', taxIdNumber: '401125555' })),
      ),
    ],
    [
      'the owner as the minor',
      'CustodialUtma',
      all(owner({ taxIdNumber: '401125555' }), add(person({ role: 'Minor', taxIdNumber: '401125555' }))),
    ],
    [
      'another person as the minor',
      'CustodialUtma',
      add(person({ role: 'Minor', birthDate: '2016-02-03' })),
      'RoleAllowed associatedParties[1].role',
    ],
    [
      'a minor in an account that has none',
      'Individual',
      add(person({ role: 'Minor' })),
      'RoleAllowed associatedParties[0].role',
    ],
    [
      'two attorneys of one name, without a number and a birth date',
      'Individual',
      add(nameless({ role: 'PowerOfAttorney' }), nameless({ role: 'PowerOfAttorney' })),
    ],
    [
      'two attorneys with one number, without a birth date',
      'Individual',
      add(
        nameless({ role: 'PowerOfAttorney', taxIdNumber: '401125555' }),
        nameless({ role: 'PowerOfAttorney', taxIdNumber: '401125555' }),
      ),
      'PersonRepeated associatedParties[1].taxIdNumber',
    ],
    ['two owners without a number', 'JointWROS', all(owner(unnumbered), party(unnumbered))],
  ])
})

describe('the age of owners and parties', () => {
  testFindings([
    ['an owner born tomorrow', 'Individual', owner({ birthDate: '2026-11-21' })],
    ['an owner born today', 'Individual', owner({ birthDate: '2026-11-20' }), young],
    [
      'an entity founded nine years ago',
      'Trust',
      add(entity({ role: 'Trustee', taxIdNumber: '133907716', birthDate: '2017-01-01' })),
    ],
    [
      'a minor with a guardian and no IRA',
      'Individual',
      all(owner({ birthDate: '2017-01-01' }), add(person({ role: 'Guardian' }))),
      young,
    ],
    [
      'a minor with an IRA and a custodian',
      'IraRoth',
      all(owner({ birthDate: '2017-01-01' }), add(person({ role: 'Custodian' }))),
    ],
    [
      'a minor with an IRA and an attorney',
      'IraRoth',
      all(owner({ birthDate: '2017-01-01' }), add(person({ role: 'PowerOfAttorney' }))),
      young,
    ],
    [
      'a Secondary aged ten who does not own the account',
      'Individual',
      add(person({ role: 'Secondary', birthDate: '2016-05-05' })),
      'SecondaryNotOwner associatedParties[0].role',
    ],
    [
      'a Secondary of 17 who does not own the account and trades',
      'Individual',
      add(person({ role: 'Secondary', birthDate: '2008-11-21', tradingAuthority: 'Limited' })),
      'SecondaryNotOwner associatedParties[0].role',
      'ActingAdult associatedParties[0].birthDate',
    ],
    [
      'a Secondary of 18 who does not own the account and trades',
      'Individual',
      add(person({ role: 'Secondary', birthDate: '2008-11-20', tradingAuthority: 'Limited' })),
      'SecondaryNotOwner associatedParties[0].role',
    ],
    ...(['JointWROS', 'JointTIC'] as const).flatMap((registration): FindingRow[] => [
      [
        `a joint owner of ${registration} of 17`,
        registration,
        party({ birthDate: '2008-11-21' }),
        'ActingAdult associatedParties[0].birthDate',
      ],
      [`a joint owner of ${registration} of 18`, registration, party({ birthDate: '2008-11-20' })],
    ]),
    [
      'a joint owner of a foreign account of 17',
      'IndividualJointForeign',
      add(person({ role: 'Secondary', birthDate: '2008-11-21' })),
      'ActingAdult associatedParties[0].birthDate',
    ],
    [
      'an associate aged 17 with full authority',
      'Individual',
      add(person({ role: 'Associate', birthDate: '2008-11-21', tradingAuthority: 'Full' })),
      'ActingAdult associatedParties[0].birthDate',
    ],
    [
      'an associate aged 17 with limited authority',
      'Individual',
      add(person({ role: 'Associate', birthDate: '2008-11-21', tradingAuthority: 'Limited' })),
      'ActingAdult associatedParties[0].birthDate',
    ],
    [
      'an associate aged 17 without authority',
      'Individual',
      add(person({ role: 'Associate', birthDate: '2008-11-21', tradingAuthority: 'None' })),
    ],
    [
      'an associate aged 18 with full authority',
      'Individual',
      add(person({ role: 'Associate', birthDate: '2008-11-20', tradingAuthority: 'Full' })),
    ],
  ])
})

describe('shares', () => {
  const missing = 'BeneficialOwnerNamed associatedParties[1].role'
  testFindings([
    ['a share of 0 percent', 'Partnership', add(named('0'))],
    ['a share of 24.99 percent', 'Partnership', add(owns('24.99'))],
    ['a share of 25 percent', 'Partnership', add(owns('25')), missing],
    [
      'an entity with a share of 25 percent',
      'Partnership',
      add(entity({ role: 'Partner', ownershipPercent: '25' })),
    ],
    ['a trustee with a share of 25 percent', 'Trust', party({ ownershipPercent: '25' })],
    [
      'an attorney with a share of 25 percent',
      'Individual',
      add(person({ role: 'PowerOfAttorney', ownershipPercent: '25' })),
    ],
    ['a share with three decimal places', 'Partnership', add(owns('25.005'))],
    ['a share with four digits', 'Partnership', add(owns('1000'))],
    ['shares that sum to 100 percent', 'Partnership', add(named('60'), named('40'))],
    [
      'shares that sum to 100.01 percent',
      'Partnership',
      add(named('60'), named('40.01', { firstName: 'MINA' })),
      'OwnershipTotal associatedParties',
    ],
    [
      'shares of 60 and 30 percent for one person, which count as 60',
      'Partnership',
      add(owns('60', noor), named('30', noor), named('40.01', { firstName: 'MINA' })),
      'OwnershipTotal associatedParties',
    ],
    [
      'shares of 30 and 60 percent for one person, which count as 60',
      'Partnership',
      add(owns('30', noor), named('60', noor), named('40', { firstName: 'MINA' })),
    ],
    [
      'shares of 30 and 60 percent for one person, beside 40.01',
      'Partnership',
      add(owns('30', noor), named('60', noor), named('40.01', { firstName: 'MINA' })),
      'OwnershipTotal associatedParties',
    ],
    [
      'a share of a person without a number who is also named as beneficial owner',
      'Partnership',
      add(owns('30', noor), named(undefined, noor)),
    ],
    [
      'a share of a person, with a beneficial owner of the same name born a day later',
      'Partnership',
      add(owns('30', noor), named('10', { ...noor, birthDate: '1981-12-25' })),
      missing,
    ],
    [
      'a share of a person, with a beneficial owner of the same name, both without a birth date',
      'Partnership',
      add(owns('30', { ...noor, birthDate: undefined }), named(undefined, { ...noor, birthDate: undefined })),
    ],
    [
      'a beneficial owner without a share',
      'Partnership',
      add(named(undefined)),
      'OwnershipKnown associatedParties[1].ownershipPercent',
    ],
  ])
})

describe('the reason of a finding', () => {
  const rows: readonly [rule: string, registration: Registration, change: Change, reason: string][] = [
    [
      'RoleAllowed',
      'IraRoth',
      add(person({ role: 'Secondary' })),
      'A registration IraRoth has no Secondary; it may have Associate, PowerOfAttorney, AuthorizedSigner, InterestedParty, Guardian, Custodian.',
    ],
    [
      'RoleRepeated',
      'JointTBE',
      add(person({ role: 'Secondary' })),
      'A registration JointTBE has at most one party with the role Secondary.',
    ],
    [
      'RoleRepeated',
      'JointTIC',
      add(...people('ANA', 'BEA', 'CLEO', 'DORA')),
      'A registration JointTIC has at most 4 parties with the role Secondary.',
    ],
    [
      'OwnershipTotal',
      'Partnership',
      add(named('60'), named('40.01', { firstName: 'MINA' })),
      'The shares of the owners add up to 100.01 percent.',
    ],
    [
      'ActingAdult',
      'Individual',
      add(person({ role: 'AuthorizedSigner', birthDate: '2010-01-01' })),
      'An AuthorizedSigner must be at least 18 years old.',
    ],
    [
      'ActingAdult',
      'Individual',
      add(person({ role: 'PowerOfAttorney', birthDate: '2010-01-01' })),
      'A PowerOfAttorney must be at least 18 years old.',
    ],
    [
      'CustodialMinor',
      'CustodialUtma',
      owner({ birthDate: '2005-11-20' }),
      'The owner of a UTMA account in NJ must be under 21.',
    ],
    [
      'CustodialMinor',
      'CustodialUtma',
      all(owner({ birthDate: '2005-11-20' }), mailing({ stateProvince: undefined })),
      'The owner of a UTMA account must be under 21.',
    ],
    [
      'CustodialAgeChosen',
      'CustodialUtma',
      all(owner({ birthDate: '2005-11-20' }), mailing({ stateProvince: 'CA', postalCode: '90001' })),
      'A UTMA custodianship in CA ends at 18 unless the transfer names a later age, 25 at most.',
    ],
  ]
  for (const [rule, registration, change, reason] of rows) {
    test(`of ${rule} in ${registration} is: ${reason}`, () => {
      const findings = judgeAccount(change(rightAccount(registration)), production)
      assert.equal(findings.find((one) => one.rule === rule)?.reason, reason)
    })
  }
})
