// No owner of an account is a beneficiary of it, by the tax id or by name and birth date.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkAccount } from './check-account.ts'
import type { Registration } from './policy/registration-roles.ts'
import type { AccountRecord, Beneficiary } from './record.ts'
import { person, rightAccount, today } from './testing/right-accounts.ts'

const reached = { phoneRegionCell: '1', phoneNumberCell: '2015550144', legalAddress: {} }
const owner = { firstName: 'ADA', lastName: 'MORENO', birthDate: '1986-04-17', taxIdNumber: '401121001' }
const spouse = { firstName: 'LUIS', lastName: 'MORENO', birthDate: '1984-02-03', taxIdNumber: '401121002' }
const attorney = { firstName: 'EVA', lastName: 'WINTER', birthDate: '1970-01-02', taxIdNumber: '401121003' }

function rejectionsOf(registration: Registration, beneficiary: Beneficiary, own: object = owner): string[] {
  const right = rightAccount(registration)
  const record: AccountRecord = {
    ...right,
    primaryOwner: { ...right.primaryOwner, ...reached, ...own },
    associatedParties: [
      ...(registration === 'Individual' ? [] : [person({ ...spouse, ...reached, role: 'Secondary' })]),
      person({ ...attorney, ...reached, role: 'PowerOfAttorney' }),
    ],
  }
  const value = { percentageAllocation: '100', ...beneficiary }
  const settings = { today, magicTaxIds: new Set<string>(), refusedPaths: new Set<string>() }
  return checkAccount(record, [{ value, path: 'beneficiaries[0]' }], settings)
    .filter(({ field }) => field.startsWith('beneficiaries'))
    .map(({ code, field }) => `${code} ${field}`)
}

const byNumber = ['ERR.1014 beneficiaries[0].taxIdNumber']
const byName = ['ERR.1014 beneficiaries[0].name']
const { taxIdNumber: _, ...unnumberedSpouse } = spouse
const rows: readonly [what: string, Registration, Beneficiary, expected: string[], own?: object][] = [
  ['the tax id of the owner', 'Individual', { firstName: 'ADA', taxIdNumber: owner.taxIdNumber }, byNumber],
  [
    'the tax id of a joint owner',
    'JointWROS',
    { firstName: 'LUIS', taxIdNumber: spouse.taxIdNumber },
    byNumber,
  ],
  ['name and birth date of a joint owner', 'JointWROS', unnumberedSpouse, byName],
  [
    'name and birth date of an owner without a number',
    'Individual',
    owner,
    byNumber,
    { ...owner, taxIdNumber: undefined },
  ],
  [
    'name and birth date of the owner, and another number',
    'Individual',
    { ...owner, taxIdNumber: '401121009' },
    [],
  ],
  [
    'the name of the owner, and another birth date',
    'Individual',
    { firstName: 'ADA', lastName: 'MORENO', birthDate: '2012-04-17' },
    [],
  ],
  ['the name of the owner, and no birth date', 'Individual', { firstName: 'ADA', lastName: 'MORENO' }, []],
  [
    'the name of an owner without a birth date, and none of its own',
    'Individual',
    { firstName: 'ADA', lastName: 'MORENO' },
    [],
    { ...owner, birthDate: undefined },
  ],
  [
    'another name, and the birth date of the owner',
    'Individual',
    { firstName: 'ANA', birthDate: owner.birthDate },
    [],
  ],
  ['a name of marks', 'Individual', { firstName: '-', lastName: "'" }, ['ERR.1016 beneficiaries[0].name']],
  ['a name with one letter', 'Individual', { firstName: '-', lastName: 'É' }, []],
  ['a name of digits', 'Individual', { firstName: '24/7' }, []],
  ['the tax id of an attorney', 'JointWROS', { firstName: 'EVA', taxIdNumber: attorney.taxIdNumber }, []],
]

test('the owner of an account whose registration is no longer known is no beneficiary of it', () => {
  const right = rightAccount('Individual')
  const record = { ...right, registrationType: 'Club', primaryOwner: { ...right.primaryOwner, ...owner } }
  const settings = { today, magicTaxIds: new Set<string>(), refusedPaths: new Set<string>() }
  const value = { firstName: 'ADA', percentageAllocation: '100', taxIdNumber: owner.taxIdNumber }
  const found = checkAccount(record, [{ value, path: 'beneficiaries[0]' }], settings)
  assert.deepEqual(found.map(({ code, field }) => `${code} ${field}`).slice(-1), byNumber)
})

test('the reason for a wrong sum names the kind of beneficiaries', () => {
  const right = rightAccount('Individual')
  const settings = { today, magicTaxIds: new Set<string>(), refusedPaths: new Set<string>() }
  for (const [kind, word] of [
    ['Primary', 'primary'],
    ['Contingent', 'contingent'],
  ] as const) {
    const placed = (['Primary', 'Contingent'] as const).map((primaryContingent, at) => ({
      value: {
        firstName: 'LUIS',
        primaryContingent,
        percentageAllocation: primaryContingent === kind ? '99' : '100',
      },
      path: `beneficiaries[${at}]`,
    }))
    const [found] = checkAccount(right, placed, settings).filter(({ field }) => field === 'beneficiaries')
    assert.equal(
      found?.reason,
      `The percentages of the ${word} beneficiaries must sum to 100.00; they sum to 99.00.`,
    )
  }
})

test('a beneficiary without a tax id occurs once in a rank, by name and birth date', () => {
  const twice = (changes: Beneficiary) => {
    const record = { ...rightAccount('Individual'), beneficiaries: [] }
    const one = { firstName: 'EVA', lastName: 'MORENO', birthDate: '2012-04-17', percentageAllocation: '50' }
    const placed = [one, { ...one, ...changes }].map((value, at) => ({ value, path: `beneficiaries[${at}]` }))
    const settings = { today, magicTaxIds: new Set<string>(), refusedPaths: new Set<string>() }
    return checkAccount(record, placed, settings)
      .filter(({ field }) => field.startsWith('beneficiaries'))
      .map(({ code, field, reason }) => `${code} ${field} ${reason}`)
  }
  assert.deepEqual(twice({}), [
    'ERR.1014 beneficiaries[1].name Another primary beneficiary has this name and birth date. Give each person once.',
  ])
  assert.deepEqual(twice({ birthDate: '2014-04-17' }), [])
  assert.deepEqual(twice({ firstName: 'EDA' }), [])
})

test('the rejection of a repeated tax id states that another beneficiary of the rank has it', () => {
  const record = rightAccount('Individual')
  const settings = { today, magicTaxIds: new Set<string>(), refusedPaths: new Set<string>() }
  const half = {
    taxIdNumber: '401121009',
    percentageAllocation: '50',
    primaryContingent: 'Contingent',
  } as const
  const placed = ['EVA', 'LEO'].map((firstName, at) => ({
    value: { ...half, firstName, lastName: 'MORENO' },
    path: `transferOfDeathBeneficiaries[${at}]`,
  }))
  const found = checkAccount(record, placed, settings).filter(({ code }) => code === 'ERR.1014')
  assert.deepEqual(
    found.map(({ field, reason }) => `${field} ${reason}`),
    [
      "transferOfDeathBeneficiaries[1].taxId Another contingent beneficiary has this tax id. Give each person once, with the person's own tax id.",
    ],
  )
})

describe('a beneficiary', () => {
  for (const [what, registration, beneficiary, expected, own] of rows) {
    test(`with ${what} is ${expected.length > 0 ? 'rejected' : 'accepted'}`, () => {
      assert.deepEqual(rejectionsOf(registration, beneficiary, own), expected)
    })
  }
})
