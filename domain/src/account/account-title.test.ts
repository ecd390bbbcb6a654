// The title of an account, and its mailing address in one line.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { composeAccountName } from './account-title.ts'
import { ageOn } from './age.ts'
import { mailingAddressString } from './mailing-address.ts'
import type { Registration } from './policy/registration-roles.ts'
import type { Party } from './record.ts'
import { registrationOf } from './registration.ts'
import { whyNoTaxId } from './tax-id.ts'
import { entity, person, rightAccount } from './testing/right-accounts.ts'

describe('the title of an account', () => {
  const rows: readonly [title: string, Registration, owner: Partial<Party>, others?: Party[]][] = [
    ['NOOR A HADDAD JR', 'Individual', { middleName: 'A', suffix: 'JR' }],
    ['NOOR HADDAD ROTH IRA', 'IraRoth', {}],
    ['IRA HADDAD IRA', 'IraTraditional', { firstName: 'IRA' }],
    [
      'N HADDAD & S MORENO JTWROS',
      'JointWROS',
      {},
      [person({ role: 'Secondary', firstName: 'SAMI', lastName: 'MORENO' })],
    ],
    [
      '\u{20bb7} HADDAD & Z\u0335 MORENO JTWROS',
      'JointWROS',
      { firstName: '\u{20bb7}\u5b50' },
      [person({ role: 'Secondary', firstName: "'Z\u0335OE", lastName: 'MORENO' })],
    ],
    ['NOOR HADDAD JTWROS', 'JointWROS', {}, [person({ role: 'PowerOfAttorney' })]],
    [
      '4 HADDAD & MORENO JTWROS',
      'JointWROS',
      { firstName: '42' },
      [person({ role: 'Secondary', firstName: undefined, lastName: 'MORENO' })],
    ],
    [
      'SAMI HADDAD CUST FOR NOOR HADDAD',
      'CustodialUgma',
      {},
      [person({ role: 'Custodian', firstName: 'SAMI' }), person({ role: 'Custodian', firstName: 'OMAR' })],
    ],
    ['NOOR & HADDAD JTWROS', 'JointWROS', { lastName: '' }, [person({ role: 'Secondary', firstName: '' })]],
    [
      'HARBOR AUDIT INC & S HADDAD JTWROS',
      'JointWROS',
      entity({ lastName: 'INC', firstName: 'HARBOR AUDIT' }),
      [person({ role: 'Secondary' })],
    ],
    [
      'SAMI HADDAD CUST FOR NOOR HADDAD',
      'CustodialUtma',
      {},
      [person({ role: 'InterestedParty' }), person({ role: 'Custodian', firstName: 'SAMI' })],
    ],
    ['OMAR HADDAD CUST FOR NOOR HADDAD', 'CustodialUtma', {}, [person({ role: 'Minor', firstName: 'OMAR' })]],
    ['NOOR HADDAD', 'CustodialUtma', {}, []],
    ['HADDAD FAMILY TRUST', 'Trust', {}],
    ['the haddad trust, of 2020', 'Trust', { firstName: 'the haddad trust, of 2020' }],
    ['HADDAD FAMILY TRUST', 'Trust', { firstName: 'HADDAD FAMILY' }],
    ['HADDAD TRUSTEES TRUST', 'Trust', { firstName: 'HADDAD TRUSTEES' }],
    ['FIDUCIE ÉTRUST TRUST', 'Trust', { firstName: 'FIDUCIE ÉTRUST' }],
    ['ESTATE OF OMAR HADDAD', 'Estate', {}],
    ['OMAR HADDAD ESTATE', 'Estate', { firstName: 'OMAR HADDAD' }],
  ]
  for (const [title, registration, owner, others] of rows) {
    test(`is ${title} for the registration ${registration}`, () => {
      const type = registrationOf(registration)
      assert.ok(type)
      const right = rightAccount(registration)
      const record = {
        ...right,
        primaryOwner: { ...right.primaryOwner, ...owner },
        associatedParties: others ?? right.associatedParties,
      }
      const suffix = registration.startsWith('Custodial') ? ` ${type.accountNameSuffix}` : ''
      assert.equal(composeAccountName(record, type), `${title}${suffix}`.trim())
    })
  }
})

test('a mailing address in one line contains the parts that are given, in capitals, and the name of its country', () => {
  const address = {
    street: '7 Mesa Road\nSuite 2',
    city: 'Austin',
    stateProvince: 'TX',
    country: 'US',
    postalCode: '78701',
  }
  assert.equal(mailingAddressString(address), '7 MESA ROAD SUITE 2 AUSTIN TX UNITED STATES 78701')
  assert.equal(mailingAddressString({ city: 'Austin', country: 'QQ' }), 'AUSTIN QQ')
  assert.equal(mailingAddressString({ city: 'Austin' }), 'AUSTIN')
  assert.equal(mailingAddressString({}), '')
})

test('the age of a person increases on the birthday', () => {
  for (const [birthDate, day, age] of [
    ['2008-11-21', '2026-11-20', 17],
    ['2008-11-20', '2026-11-20', 18],
    ['2008-11-19', '2026-11-20', 18],
    ['2008-02-29', '2026-02-28', 17],
    ['2008-02-29', '2026-03-01', 18],
    ['2026-11-20', '2026-11-20', 0],
    ['2006-12-31', '2026-01-01', 19],
  ] as const)
    assert.equal(ageOn(birthDate, day), age, `${birthDate} on ${day}`)
})

describe('a tax id', () => {
  const none = { magicValues: new Set<string>() }
  for (const [number, type, why] of [
    ['401121001', 'SSN', undefined],
    ['40112100', 'SSN', /masked/],
    ['4011210011', 'SSN', /masked/],
    ['*****1001', 'SSN', /masked/],
    ['X401121001', 'TaxId', /masked/],
    ['401121001X', 'TaxId', /masked/],
    ['222222222', 'TaxId', /one digit nine times/],
    ['122222222', 'TaxId', undefined],
    ['222222221', 'TaxId', undefined],
    ['000121001', 'SSN', /area/],
    ['001121001', 'SSN', undefined],
    ['665121001', 'SSN', undefined],
    ['666121001', 'SSN', /area/],
    ['667121001', 'SSN', undefined],
    ['899121001', 'SSN', undefined],
    ['900121001', 'SSN', /area/],
    ['999121001', 'SSN', /area/],
    ['401001001', 'SSN', /group/],
    ['401011001', 'SSN', undefined],
    ['401120000', 'SSN', /serial/],
    ['401120001', 'SSN', undefined],
    ['000000001', 'TaxId', undefined],
  ] as const) {
    test(`${number} is ${why === undefined ? 'accepted' : 'rejected'} as a ${type}`, () => {
      const found = whyNoTaxId(type, number, none)
      if (why === undefined) assert.equal(found, undefined)
      else assert.match(found ?? '', why)
    })
  }

  test('that is a magic value of the sandbox is accepted in the sandbox', () => {
    assert.equal(whyNoTaxId('SSN', '000000004', { magicValues: new Set(['000000004']) }), undefined)
  })
})
