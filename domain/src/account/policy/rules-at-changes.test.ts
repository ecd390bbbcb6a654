/**
 * The changes that account policy rejects, one row for each rule. update-account, answer-follow-up and decide-change
 * all merge a change with `amendAccount`, and reject what it rejects.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AccountRule, accountRules } from '@clearing/protocol'
import { amendAccount } from '../amend-account.ts'
import type { AccountRecord } from '../record.ts'
import { rightAccount, today } from '../testing/right-accounts.ts'
import type { Registration } from './registration-roles.ts'

function person(changes: object = {}) {
  return {
    firstName: 'Daniel',
    lastName: 'Okafor',
    birthDate: '1971-10-30',
    citizenshipCountry: 'US',
    legalAddress: {},
    taxIdType: 'SSN',
    taxIdNumber: '229451234',
    phoneNumberCell: '2015550144',
    ...changes,
  }
}
function entity(changes: object = {}) {
  return {
    nameType: 'Entity',
    firstName: 'Harbor Trust',
    citizenshipCountry: 'US',
    legalAddress: {},
    taxIdType: 'TaxId',
    taxIdNumber: '471203346',
    phoneNumberBusiness: '2015550177',
    ...changes,
  }
}
function adds(...associatedParties: object[]) {
  return { associatedParties }
}
const sameNumber = '229451239'
const numberOfOwner = '229451240'
function moves(stateProvince: string, city: string, postalCode: string) {
  return { mailingAddress: { street: '7 Mesa Road', city, stateProvince, country: 'US', postalCode } }
}
type Row = readonly [rule: AccountRule, what: string, registration: Registration, change: object]

const refused: readonly Row[] = [
  ['RoleRequired', 'a party without a role', 'Individual', adds(person())],
  ['RoleAllowed', 'a trustee of a person', 'Individual', adds(person({ role: 'Trustee' }))],
  ['RoleRepeated', 'a third spouse', 'JointTBE', adds(person({ role: 'Secondary' }))],
  ['RoleKind', 'a control person that is an entity', 'Corporation', adds(entity({ role: 'ControlPerson' }))],
  [
    'ActingAdult',
    'an attorney born in 2015',
    'Individual',
    adds(person({ role: 'PowerOfAttorney', birthDate: '2015-02-03' })),
  ],
  [
    'CustodialMinor',
    'an owner who turns out to be 21',
    'CustodialUtma',
    { primaryOwner: { birthDate: '2005-11-20' } },
  ],
  [
    'OwnershipTotal',
    'owners with 100.01 percent in total',
    'Llc',
    adds(
      person({ role: 'BeneficialOwner', ownershipPercent: '75.01' }),
      person({ role: 'BeneficialOwner', ownershipPercent: '25', taxIdNumber: '229451235' }),
    ),
  ],
  [
    'BeneficialOwnerNamed',
    'an officer with a share of 25 percent',
    'Llc',
    adds(person({ role: 'Officer', ownershipPercent: '25' })),
  ],
  [
    'CustodianNotOwner',
    'the owner as the own guardian',
    'IraRoth',
    adds(person({ role: 'Guardian', taxIdNumber: numberOfOwner })),
  ],
  [
    'PersonRepeated',
    'the same person as two parties',
    'Individual',
    adds(
      person({ role: 'InterestedParty', taxIdNumber: sameNumber }),
      person({ role: 'InterestedParty', taxIdNumber: sameNumber }),
    ),
  ],
  [
    'BeneficiariesAllowed',
    'beneficiaries of a trust',
    'Trust',
    { beneficiaries: [{ name: 'Leila Haddad', primaryContingent: 'Primary', percentageAllocation: '100' }] },
  ],
  [
    'OwnerIdentified',
    'a French joint owner without a passport',
    'JointTIC',
    adds(person({ role: 'Secondary', citizenshipCountry: 'FR' })),
  ],
  [
    'OwnerDocumentKind',
    'a French joint owner with a driver license',
    'JointTIC',
    adds(
      person({
        role: 'Secondary',
        citizenshipCountry: 'FR',
        governmentIdentification: {
          governmentId1: { idType: 'DriversLicense', idNumber: 'D1', idLocation: 'NY' },
        },
      }),
    ),
  ],
  [
    'EntityNumber',
    'a partner that is an entity with an SSN',
    'Partnership',
    adds(entity({ role: 'Partner', taxIdType: 'SSN', taxIdNumber: '229451238' })),
  ],
]

/**
 * No change can violate these rules: parties and beneficiaries are not removed, and name type, margin and options are
 * fixed (ERR.1021).
 */
const cannotChange: readonly AccountRule[] = [
  'RoleMissing',
  'OwnerKind',
  'BeneficiariesNamed',
  'NoBorrowing',
  'OptionLevelBorrows',
  'OptionContradiction',
]

function recordOf(registration: Registration): AccountRecord {
  const record = rightAccount(registration)
  if (registration === 'IraRoth')
    return { ...record, primaryOwner: { ...record.primaryOwner, taxIdNumber: numberOfOwner } }
  if (registration !== 'CustodialUtma') return record
  return { ...record, primaryOwner: { ...record.primaryOwner, birthDate: '2007-01-01' } }
}

let customer = 0
function rejectionsOf(record: AccountRecord, change: object, accountStatus = 'Open') {
  const composed = { accountStatus, accountName: 'A TITLE', mailingAddressString: '' }
  const outcome = amendAccount(record, composed, change as never, {
    today,
    magicTaxIds: new Set(),
    refusedPaths: new Set(),
    nextCustomerId: () => String(++customer).padStart(18, '1'),
  })
  return 'rejections' in outcome ? outcome.rejections : []
}

describe('a change of an open account is rejected by its rule and by no other rule', () => {
  for (const [rule, what, registration, change] of refused) {
    const row = accountRules.find(({ value }) => value === rule)
    test(`${rule} (${row?.label}) in ${registration}: ${what}`, () => {
      assert.deepEqual(
        rejectionsOf(recordOf(registration), change).map((one) => `${one.rule} ${one.code}`),
        [`${rule} ${row?.code}`],
      )
    })
  }
})

/** Facts that come true by themselves: the record can state them, and the owners are asked at the close of the day. */
const noted: readonly Row[] = [
  ['OwnersMarried', 'a divorce', 'JointTBE', { primaryOwner: { maritalStatus: 'Divorced' } }],
  ['OwnersMarried', 'the death of a spouse', 'JointCP', { primaryOwner: { maritalStatus: 'Widowed' } }],
  ['OwnersResidence', 'a move to Texas', 'JointTBE', moves('TX', 'Austin', '78701')],
  ['OwnersResidence', 'a move to Georgia', 'JointCP', moves('GA', 'Atlanta', '30303')],
]
describe('a change of an open account that no rule can prevent is made; of an application it is rejected', () => {
  for (const [rule, what, registration, change] of noted) {
    test(`${rule} in ${registration}: ${what}`, () => {
      assert.deepEqual(rejectionsOf(recordOf(registration), change), [])
      assert.deepEqual(
        rejectionsOf(recordOf(registration), change, 'Pending').map((one) => `${one.rule} ${one.code}`),
        [`${rule} ERR.1015`],
      )
    })
  }
})

describe('an owner aged 19 of a custodianship under the law of New Jersey', () => {
  const kentucky = moves('KY', 'Louisville', '40202')
  test('can move to Kentucky, where custodianships end at 18', () => {
    assert.deepEqual(rejectionsOf(recordOf('CustodialUtma'), kentucky), [])
  })
  test('cannot have turned out to live in Kentucky before the account opened', () => {
    const [one] = rejectionsOf(recordOf('CustodialUtma'), kentucky, 'Pending')
    assert.equal(one?.rule, 'CustodialMinor')
  })
})

describe('the owners of an open account', () => {
  const withIds = (registration: Registration, more: object[] = []): AccountRecord => {
    const record = rightAccount(registration)
    const parties = [...record.associatedParties, ...more]
    return {
      ...record,
      associatedParties: parties.map((party, at) => ({ ...party, customerId: `20000000000000000${at}` })),
    } as AccountRecord
  }
  const second = { ...person({ role: 'Secondary' }), phoneRegionCell: '1' }
  const becomes = (role: string, at = 0) => adds({ customerId: `20000000000000000${at}`, role })
  const rows: readonly [what: string, AccountRecord, change: object, expected: string[]][] = [
    [
      'remain owners: a joint owner does not become an associate',
      withIds('JointWROS'),
      becomes('Associate'),
      ['ERR.1020 associatedParties[0].role'],
    ],
    [
      'remain owners: nor does the third become an attorney',
      withIds('JointTIC', [second]),
      becomes('PowerOfAttorney', 1),
      ['ERR.1020 associatedParties[0].role'],
    ],
    [
      'remain owners of an account for foreign persons',
      withIds('IndividualJointForeign', [second]),
      becomes('Associate'),
      ['ERR.1020 associatedParties[0].role'],
    ],
    ['can state their role again', withIds('JointWROS'), becomes('Secondary'), []],
    [
      'are not the secondary party of a registration Individual',
      withIds('Individual', [second]),
      becomes('Associate'),
      [],
    ],
    [
      'are not its attorneys, who can become associates',
      withIds('JointWROS', [{ ...second, role: 'PowerOfAttorney' }]),
      becomes('Associate', 1),
      [],
    ],
  ]
  for (const [what, record, change, expected] of rows) {
    test(what, () => {
      const found = rejectionsOf(record, change).map(({ code, field }) => `${code} ${field}`)
      assert.deepEqual(found, expected)
      if (expected.length > 0) assert.deepEqual(rejectionsOf(record, change, 'Pending'), [])
    })
  }
})

test('a rule that the record violated before does not prevent another change', () => {
  const record = rightAccount('JointTBE')
  const broken = { ...record, primaryOwner: { ...record.primaryOwner, maritalStatus: 'Divorced' } }
  assert.deepEqual(rejectionsOf(broken as AccountRecord, { primaryOwner: { jobTitle: 'PILOT' } }), [])
})

test('every rule that rejects changes has a row, unless no change can violate it', () => {
  const shown = new Set<AccountRule>([...refused.map(([rule]) => rule), ...cannotChange])
  assert.deepEqual(
    accountRules
      .filter(({ value, effects }) => effects.change === 'refuse' && !shown.has(value))
      .map(({ value }) => value),
    [],
  )
})
