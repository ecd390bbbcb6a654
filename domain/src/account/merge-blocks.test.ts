// Merges an update into a record, member by member: values that stay, change, or are refused.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Merge } from './merge-blocks.ts'

function merge(before: object | undefined, given: object | null | undefined, path = 'primaryOwner') {
  const merging = new Merge()
  const after = merging.block(before, given, path, new Set(['taxIdType', 'taxIdNumber']))
  const refused = merging.rejections.map(({ code, field }) => `${code} ${field}`)
  const changed = merging.changes.map(({ field, from, to }) => [field, from, to])
  return { after, refused, changed }
}

const rows: readonly [
  what: string,
  before: object | undefined,
  given: object | null | undefined,
  after: object,
  refused: string[],
  changed: unknown[][],
][] = [
  ['nothing given', { jobTitle: 'A' }, undefined, { jobTitle: 'A' }, [], []],
  ['an empty block', { jobTitle: 'A' }, {}, { jobTitle: 'A' }, [], []],
  ['null over what is there', { jobTitle: 'A' }, null, { jobTitle: 'A' }, ['ERR.1020 primaryOwner'], []],
  ['null over nothing', undefined, null, {}, [], []],
  ['null over what is empty', { jobTitle: '' }, null, { jobTitle: '' }, [], []],
  [
    'a value over nothing',
    {},
    { jobTitle: 'A' },
    { jobTitle: 'A' },
    [],
    [['primaryOwner.jobTitle', undefined, 'A']],
  ],
  [
    'another value',
    { jobTitle: 'A' },
    { jobTitle: 'B' },
    { jobTitle: 'B' },
    [],
    [['primaryOwner.jobTitle', 'A', 'B']],
  ],
  ['the same value', { jobTitle: 'A' }, { jobTitle: 'A' }, { jobTitle: 'A' }, [], []],
  [
    'an empty text over a value',
    { jobTitle: 'A' },
    { jobTitle: '' },
    { jobTitle: 'A' },
    ['ERR.1020 primaryOwner.jobTitle'],
    [],
  ],
  ['an empty text over nothing', {}, { jobTitle: '' }, {}, [], []],
  [
    'an empty list over a list',
    { sourceOfFunds: ['A'] },
    { sourceOfFunds: [] },
    { sourceOfFunds: ['A'] },
    ['ERR.1020 primaryOwner.sourceOfFunds'],
    [],
  ],
  [
    'another list',
    { sourceOfFunds: ['A'] },
    { sourceOfFunds: ['A', 'B'] },
    { sourceOfFunds: ['A', 'B'] },
    [],
    [['primaryOwner.sourceOfFunds', ['A'], ['A', 'B']]],
  ],
  [
    'a block into nothing',
    {},
    { caisInformation: { role: 'Owner' } },
    { caisInformation: { role: 'Owner' } },
    [],
    [['primaryOwner.caisInformation.role', undefined, 'Owner']],
  ],
  [
    'a block into a block',
    { caisInformation: { role: 'Owner' } },
    { caisInformation: { accountType: ['A'] } },
    { caisInformation: { role: 'Owner', accountType: ['A'] } },
    [],
    [['primaryOwner.caisInformation.accountType', undefined, ['A']]],
  ],
  [
    'an empty block over a block',
    { caisInformation: { role: 'Owner' } },
    { caisInformation: {} },
    { caisInformation: { role: 'Owner' } },
    [],
    [],
  ],
  [
    'a block of empty texts over a block',
    { caisInformation: { role: 'Owner' } },
    { caisInformation: { role: '' } },
    { caisInformation: { role: 'Owner' } },
    ['ERR.1020 primaryOwner.caisInformation.role'],
    [],
  ],
  [
    'null over a block',
    { caisInformation: { role: 'Owner' } },
    { caisInformation: null },
    { caisInformation: { role: 'Owner' } },
    ['ERR.1020 primaryOwner.caisInformation'],
    [],
  ],
  ['an empty block over nothing', {}, { caisInformation: {} }, {}, [], []],
  ['an empty legal address over nothing', {}, { legalAddress: {} }, { legalAddress: {} }, [], []],
  [
    'a block over a text',
    { political: 'False' },
    { political: { associated: 'True' } },
    { political: { associated: 'True' } },
    [],
    [['primaryOwner.political', 'False', { associated: 'True' }]],
  ],
  [
    'another value of a fixed member',
    { taxIdType: 'SSN' },
    { taxIdType: 'TaxId' },
    { taxIdType: 'SSN' },
    ['ERR.1021 primaryOwner.taxIdType'],
    [],
  ],
  ['the value of a fixed member', { taxIdType: 'SSN' }, { taxIdType: 'SSN' }, { taxIdType: 'SSN' }, [], []],
  [
    'a number as it is masked',
    { taxIdNumber: '401121001' },
    { taxIdNumber: '*****1001' },
    { taxIdNumber: '401121001' },
    [],
    [],
  ],
  [
    'a number that is masked otherwise',
    { taxIdNumber: '401121001' },
    { taxIdNumber: '*****1002' },
    { taxIdNumber: '401121001' },
    ['ERR.1021 primaryOwner.taxIdNumber'],
    [],
  ],
  [
    'a number over none',
    {},
    { idNumber: '****4567' },
    { idNumber: '****4567' },
    [],
    [['primaryOwner.idNumber', undefined, '****4567']],
  ],
  [
    'an id as it is masked',
    { idNumber: 'P1234567' },
    { idNumber: '****4567' },
    { idNumber: 'P1234567' },
    [],
    [],
  ],
  [
    'a text like a mask that is no number',
    { jobTitle: 'ENGINEER' },
    { jobTitle: '****NEER' },
    { jobTitle: '****NEER' },
    [],
    [['primaryOwner.jobTitle', 'ENGINEER', '****NEER']],
  ],
]
describe('a merge of', () => {
  for (const [what, before, given, after, refused, changed] of rows) {
    test(what, () => assert.deepEqual(merge(before, given), { after, refused, changed }))
  }
})

test('members of the record itself have no path before them', () => {
  const merging = new Merge()
  merging.block({}, { registrationType: 'Individual' }, '')
  assert.deepEqual(
    merging.changes.map(({ field }) => field),
    ['registrationType'],
  )
})

test('a change is reported at its place in the record, a refusal at its path in the request', () => {
  const merging = new Merge()
  const before = { jobTitle: 'A', email: 'b', legalAddress: { city: 'C' } }
  const given = { jobTitle: 'B', email: '', legalAddress: { city: 'D' } }
  merging.block(before, given, 'associatedParties[0]', undefined, 'associatedParties[100]')
  assert.deepEqual(
    merging.changes.map(({ field }) => field),
    ['associatedParties[100].jobTitle', 'associatedParties[100].legalAddress.city'],
  )
  assert.deepEqual(
    merging.rejections.map(({ field }) => field),
    ['associatedParties[0].email'],
  )
})

describe('an address that moves', () => {
  const austin = { city: 'AUSTIN', stateProvince: 'TX', country: 'US', postalCode: '78701' }
  const gone = (place: string) => [
    [`${place}.stateProvince`, 'TX', undefined],
    [`${place}.postalCode`, '78701', undefined],
  ]
  for (const path of ['mailingAddress', 'primaryOwner.legalAddress', 'beneficiaries[0].address']) {
    test(`abroad leaves its state and postal code behind: ${path}`, () => {
      const { after, changed, refused } = merge(austin, { country: 'MX' }, path)
      assert.deepEqual(after, { city: 'AUSTIN', country: 'MX' })
      assert.deepEqual(changed, [...gone(path), [`${path}.country`, 'US', 'MX']])
      assert.deepEqual(refused, [])
    })
  }

  for (const [what, before, given, after] of [
    [
      'with a postal code of its own',
      austin,
      { country: 'MX', postalCode: '01000' },
      { city: 'AUSTIN', country: 'MX', postalCode: '01000' },
    ],
    [
      'with a state of its own',
      austin,
      { country: 'CA', stateProvince: 'ON' },
      { city: 'AUSTIN', country: 'CA', stateProvince: 'ON' },
    ],
    ['within its country', austin, { country: 'US', city: 'DALLAS' }, { ...austin, city: 'DALLAS' }],
    ['nobody said where', austin, { city: 'DALLAS' }, { ...austin, city: 'DALLAS' }],
    [
      'from a country that was not known',
      { stateProvince: 'TX' },
      { country: 'US' },
      { stateProvince: 'TX', country: 'US' },
    ],
    ['without state and postal code', { country: 'US' }, { country: 'MX' }, { country: 'MX' }],
  ] as const) {
    test(`${what} has what is its own`, () => {
      assert.deepEqual(merge(before, given, 'mailingAddress').after, after)
    })
  }

  test('is reported once for an address with a state of its own', () => {
    assert.deepEqual(merge(austin, { country: 'CA', stateProvince: 'ON' }, 'mailingAddress').changed, [
      ['mailingAddress.postalCode', '78701', undefined],
      ['mailingAddress.country', 'US', 'CA'],
      ['mailingAddress.stateProvince', 'TX', 'ON'],
    ])
  })

  test('is reported without values that were not there', () => {
    assert.deepEqual(merge({ country: 'US', postalCode: '' }, { country: 'MX' }, 'mailingAddress').changed, [
      ['mailingAddress.country', 'US', 'MX'],
    ])
  })

  test('is an address, not a block that has a country', () => {
    const id = { country: 'US', postalCode: '78701' }
    for (const path of ['primaryOwner', 'addressBook'])
      assert.deepEqual(merge(id, { country: 'MX' }, path).after, { country: 'MX', postalCode: '78701' })
  })
})

describe('a value that is answered and cannot be changed', () => {
  for (const [what, before, given, ...codes] of [
    ['not given', 'Open', undefined],
    ['given as it is', 'Open', 'Open'],
    ['given in capitals', 'Open', 'OPEN'],
    ['given as a number', '301', 301],
    ['given otherwise', 'Open', 'Closed', 'ERR.1021 accountStatus'],
    ['null over a value', 'Open', null, 'ERR.1020 accountStatus'],
    ['empty over a value', 'Open', '', 'ERR.1020 accountStatus'],
    ['null over nothing', '', null],
    ['empty over nothing', '', ''],
    ['given where there is nothing', '', 'Open', 'ERR.1021 accountStatus'],
  ] as const) {
    test(what, () => {
      const merging = new Merge()
      merging.fixedValue('accountStatus', before, given)
      assert.deepEqual(
        merging.rejections.map(({ code, field }) => `${code} ${field}`),
        codes,
      )
    })
  }
})
