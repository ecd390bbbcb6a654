/**
 * The parties of an update: how items match the record's parties, and how rejections name them.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operations, type Request, readRequest } from '@clearing/protocol'
import { amendAccount } from './amend-account.ts'
import { parseApplication } from './application.ts'
import { mailingAddressString } from './mailing-address.ts'
import { Merge } from './merge-blocks.ts'
import { mergeParties } from './merge-parties.ts'
import type { AccountRecord, Party } from './record.ts'
import { today } from './testing/applications.ts'

const noor: Party = {
  customerId: '1',
  nameType: 'Individual',
  lastName: 'HADDAD',
  jobTitle: 'A',
  taxIdType: 'SSN',
  taxIdNumber: '219099998',
}
const omar: Party = { customerId: '2', nameType: 'Individual', lastName: 'MORENO' }
const record: AccountRecord = {
  registrationType: 'Individual',
  entityNumber: '301',
  main: {},
  electronicDelivery: {},
  mailingAddress: { country: 'US' },
  primaryOwner: {},
  associatedParties: [noor, omar],
  financialProfile: {},
  beneficiaries: [],
  largeTraders: [],
}

describe('parties', () => {
  const give = (...given: Party[]) => {
    const merge = new Merge()
    const placed = given.map((value, index) => ({ value, path: `associatedParties[${index}]` }))
    const settings = { nextCustomerId: () => '9', refusedPaths: new Set(['associatedParties[0].jobTitle']) }
    const { values } = mergeParties(merge, record, placed, { country: 'US' }, settings)
    return {
      parties: values,
      refused: merge.rejections.map(({ code, field }) => `${code} ${field}`),
      changed: merge.changes.map(({ field }) => field),
    }
  }

  test('with the tax id of a party need its customer id, or another role', () => {
    const again = { taxIdType: 'SSN', taxIdNumber: '219099998', jobTitle: 'B' } as const
    const repeated = {
      parties: [noor, omar],
      refused: ['ERR.1014 associatedParties[0].taxIdNumber'],
      changed: [],
    }
    assert.deepEqual(give(again), repeated)
    assert.deepEqual(give({ ...again, role: 'PowerOfAttorney' }).refused, [])
    assert.deepEqual(give({ ...again, taxIdNumber: '219099997' }).refused, [])
  })

  for (const [what, given, codes] of [
    ['no role', {}, ['ERR.1014 associatedParties[0].taxIdNumber']],
    ['the same role', { role: 'Secondary' }, ['ERR.1014 associatedParties[0].taxIdNumber']],
    ['another role', { role: 'PowerOfAttorney' }, []],
  ] as const) {
    test(`of a joint account with the tax id of an owner and ${what} are ${codes.length > 0 ? 'rejected' : 'added'}`, () => {
      const merge = new Merge()
      const joint = {
        ...record,
        registrationType: 'JointWROS',
        associatedParties: [{ ...noor, role: 'Secondary' }],
      }
      const value = { taxIdType: 'SSN', taxIdNumber: '219099998', ...given }
      const settings = { nextCustomerId: () => '9', refusedPaths: new Set<string>() }
      mergeParties(merge, joint, [{ value, path: 'associatedParties[0]' }], {}, settings)
      assert.deepEqual(
        merge.rejections.map(({ code, field }) => `${code} ${field}`),
        codes,
      )
    })
  }

  test('of an account of one owner with the tax id of an attorney and no role are rejected', () => {
    const merge = new Merge()
    const alone = { ...record, associatedParties: [{ ...noor, role: 'PowerOfAttorney' }] }
    const value = { taxIdType: 'SSN', taxIdNumber: '219099998' }
    const settings = { nextCustomerId: () => '9', refusedPaths: new Set<string>() }
    mergeParties(merge, alone, [{ value, path: 'associatedParties[0]' }], {}, settings)
    assert.deepEqual(
      merge.rejections.map(({ code }) => code),
      ['ERR.1014'],
    )
  })

  test('with a phone get its region, which is a change of its own', () => {
    assert.deepEqual(give({ customerId: '2', phoneNumberHome: '2015550144' }).changed, [
      'associatedParties[2].phoneNumberHome',
      'associatedParties[2].phoneRegionHome',
    ])
  })

  test('with a known customer id are changed at its position', () => {
    assert.deepEqual(give({ customerId: '2', jobTitle: 'B' }, { customerId: '1', jobTitle: 'C' }), {
      parties: [
        { ...noor, jobTitle: 'C' },
        { ...omar, jobTitle: 'B' },
      ],
      refused: [],
      changed: ['associatedParties[2].jobTitle', 'associatedParties[1].jobTitle'],
    })
  })

  test('without a customer id are added with a new one', () => {
    const added = { customerId: '9', nameType: 'Individual', lastName: 'NEW' }
    const { parties, refused, changed } = give({ lastName: 'NEW', jobTitle: '' })
    assert.deepEqual([parties, refused, changed], [[noor, omar, added], [], ['associatedParties[9]']])
  })

  test('that could not be read are left out, and empty ones are not', () => {
    const { parties, refused, changed } = give({}, { jobTitle: '' })
    assert.deepEqual(parties, [noor, omar, { customerId: '9', nameType: 'Individual' }])
    assert.deepEqual([refused, changed], [[], ['associatedParties[9]']])
  })

  test('that are unknown or repeated are rejected, and later parties are accepted', () => {
    const { parties, refused, changed } = give(
      { customerId: '7', jobTitle: 'X' },
      { customerId: '1', jobTitle: 'B' },
      { customerId: '1', jobTitle: 'C' },
      { customerId: '2', jobTitle: 'D' },
    )
    assert.deepEqual(parties, [
      { ...noor, jobTitle: 'B' },
      { ...omar, jobTitle: 'D' },
    ])
    assert.deepEqual(refused, [
      'ERR.1015 associatedParties[0].customerId',
      'ERR.1014 associatedParties[2].customerId',
    ])
    assert.deepEqual(changed, ['associatedParties[1].jobTitle', 'associatedParties[2].jobTitle'])
  })

  for (const fixed of ['nameType', 'citizenshipCountry', 'taxIdType', 'taxIdNumber'] as const) {
    test(`cannot change their ${fixed}`, () => {
      assert.deepEqual(give({ customerId: '1', [fixed]: 'X' }).refused, [
        `ERR.1021 associatedParties[0].${fixed}`,
      ])
    })
  }

  test('without a tax id can get one', () => {
    const { refused, changed } = give({ customerId: '2', taxIdType: 'TaxId', taxIdNumber: '912701234' })
    assert.deepEqual(
      [refused, changed],
      [[], ['associatedParties[2].taxIdType', 'associatedParties[2].taxIdNumber']],
    )
  })
})

describe('rejections', () => {
  const person = {
    firstName: 'Lea',
    lastName: 'Park',
    citizenshipCountry: 'US',
    birthDate: '1980-01-01',
    legalAddress: {},
    taxIdType: 'SSN',
    taxIdNumber: '219099977',
    phoneNumberCell: '2015550144',
  }
  /** A joint account of three: the primary owner, a second owner (…01) and an associate (…02). */
  function joint(): AccountRecord {
    const request = structuredClone(operations['new-account'].examples[1]?.request) as {
      associatedParties: object[]
    }
    request.associatedParties.push({ ...person, role: 'Associate' })
    const { value } = readRequest(operations['new-account'].request, request)
    const opened = parseApplication(value as Request<'new-account'>, () => '9'.repeat(18)).record
    const [second, associate] = opened.associatedParties
    assert.ok(second && associate)
    return {
      ...opened,
      associatedParties: [
        { ...second, customerId: id(1) },
        { ...associate, customerId: id(2) },
      ],
    }
  }
  function id(number: number): string {
    return String(number).padStart(18, '0')
  }
  function codesOf(...associatedParties: object[]): string[] {
    const body = { accountNumber: '30100001', associatedParties }
    const reading = readRequest(operations['update-account'].request, body)
    const before = joint()
    const composed = {
      accountStatus: 'Open',
      accountName: 'NOOR HADDAD',
      mailingAddressString: mailingAddressString(before.mailingAddress),
    }
    const outcome = amendAccount(before, composed, reading.value as Request<'update-account'>, {
      today,
      magicTaxIds: new Set(),
      refusedPaths: reading.refusedPaths,
      nextCustomerId: () => id(9),
    })
    const found = 'rejections' in outcome ? outcome.rejections : []
    return [...reading.rejections, ...found].map(({ code, field }) => `${code} ${field}`)
  }
  const added = { ...person, taxIdNumber: '219099976', role: 'Associate' }
  const child = { birthDate: '2020-01-01' }

  for (const [what, given, codes] of [
    ['a complete new party', [added], []],
    [
      'a new party without a last name',
      [{ ...added, lastName: undefined }],
      ['ERR.1000 associatedParties[0].lastName'],
    ],
    [
      'a new party with an unreadable birth date',
      [{ ...added, birthDate: 'x' }],
      ['ERR.1012 associatedParties[0].birthDate'],
    ],
    [
      'a new party that is in the account already',
      [{ ...added, taxIdNumber: person.taxIdNumber }],
      ['ERR.1014 associatedParties[0].taxIdNumber'],
    ],
    [
      'two parties in another order than in the record',
      [
        { customerId: id(2), email: 'lea@example.com' },
        { customerId: id(1), ...child },
      ],
      ['ERR.1012 associatedParties[1].birthDate'],
    ],
    [
      'an unreadable value of one party beside an error of another one',
      [
        { customerId: id(2), birthDate: 'x' },
        { customerId: id(1), ...child },
      ],
      ['ERR.1012 associatedParties[0].birthDate', 'ERR.1012 associatedParties[1].birthDate'],
    ],
    [
      'a role that ends an ownership',
      [
        { customerId: id(2), email: 'lea@example.com' },
        { customerId: id(1), role: 'Associate' },
      ],
      ['ERR.1020 associatedParties[1].role'],
    ],
    [
      'a role that ends an ownership and that the registration does not have',
      [{ customerId: id(1), role: 'Minor' }],
      ['ERR.1020 associatedParties[0].role'],
    ],
    [
      'an unreadable value within a list, of a party without another change',
      [{ customerId: id(2), email: 'lea@example.com', sourceOfFunds: ['x', 'y'] }],
      ['ERR.1015 associatedParties[0].sourceOfFunds[0]', 'ERR.1015 associatedParties[0].sourceOfFunds[1]'],
    ],
    [
      'an unreadable customer id',
      [{ customerId: '12', email: 'lea@example.com' }],
      ['ERR.1016 associatedParties[0].customerId'],
    ],
  ] as const) {
    test(`name the item of the request: ${what}`, () => {
      assert.deepEqual(codesOf(...given), codes)
    })
  }
})
