// Merges an update into a record, member by member. Each value stays, changes or is rejected.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Merge } from './merge-blocks.ts'

function merge(before: object | undefined, given: object | null | undefined, path = 'primaryOwner') {
  const merging = new Merge()
  const after = merging.block(before, given, path, { fixed: new Set(['taxIdType', 'taxIdNumber']) })
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
  ['an absent member', { jobTitle: 'A' }, undefined, { jobTitle: 'A' }, [], []],
  ['an empty block', { jobTitle: 'A' }, {}, { jobTitle: 'A' }, [], []],
  ['null for a block', { jobTitle: 'A' }, null, { jobTitle: 'A' }, ['ERR.1020 primaryOwner'], []],
  ['null for an absent block', undefined, null, {}, [], []],
  ['null for a block of empty values', { jobTitle: '' }, null, { jobTitle: '' }, [], []],
  [
    'a value for an absent value',
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
    'a name of an earlier release, in plain marks',
    { lastName: 'O’BRIEN–LI', jobTitle: 'O’BRIEN' },
    { lastName: "O'BRIEN-LI", jobTitle: "O'BRIEN" },
    { lastName: 'O’BRIEN–LI', jobTitle: "O'BRIEN" },
    [],
    [['primaryOwner.jobTitle', 'O’BRIEN', "O'BRIEN"]],
  ],
  [
    'an empty text for a value',
    { jobTitle: 'A' },
    { jobTitle: '' },
    { jobTitle: 'A' },
    ['ERR.1020 primaryOwner.jobTitle'],
    [],
  ],
  ['an empty text for an absent value', {}, { jobTitle: '' }, {}, [], []],
  [
    'an empty list for a list',
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
    'a block for an absent block',
    {},
    { caisInformation: { role: 'Owner' } },
    { caisInformation: { role: 'Owner' } },
    [],
    [['primaryOwner.caisInformation.role', undefined, 'Owner']],
  ],
  [
    'a block for a block',
    { caisInformation: { role: 'Owner' } },
    { caisInformation: { accountType: ['A'] } },
    { caisInformation: { role: 'Owner', accountType: ['A'] } },
    [],
    [['primaryOwner.caisInformation.accountType', undefined, ['A']]],
  ],
  [
    'an empty block for a block',
    { caisInformation: { role: 'Owner' } },
    { caisInformation: {} },
    { caisInformation: { role: 'Owner' } },
    [],
    [],
  ],
  [
    'a block of empty texts for a block',
    { caisInformation: { role: 'Owner' } },
    { caisInformation: { role: '' } },
    { caisInformation: { role: 'Owner' } },
    ['ERR.1020 primaryOwner.caisInformation.role'],
    [],
  ],
  [
    'null for a nested block',
    { caisInformation: { role: 'Owner' } },
    { caisInformation: null },
    { caisInformation: { role: 'Owner' } },
    ['ERR.1020 primaryOwner.caisInformation'],
    [],
  ],
  ['an empty block for an absent block', {}, { caisInformation: {} }, {}, [], []],
  ['an empty legal address for an absent one', {}, { legalAddress: {} }, { legalAddress: {} }, [], []],
  [
    'the longer form of an affiliation for its flag',
    { political: 'False' },
    { political: { associated: 'True' } },
    { political: { associated: 'True' } },
    [],
    [['primaryOwner.political.associated', 'False', 'True']],
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
    'the masked form of a number',
    { taxIdNumber: '401121001' },
    { taxIdNumber: '*****1001' },
    { taxIdNumber: '401121001' },
    [],
    [],
  ],
  [
    'the masked form of another number',
    { taxIdNumber: '401121001' },
    { taxIdNumber: '*****1002' },
    { taxIdNumber: '401121001' },
    ['ERR.1021 primaryOwner.taxIdNumber'],
    [],
  ],
  [
    'a number for an absent number',
    {},
    { idNumber: '****4567' },
    { idNumber: '****4567' },
    [],
    [['primaryOwner.idNumber', undefined, '****4567']],
  ],
  [
    'the masked form of an id',
    { idNumber: 'P1234567' },
    { idNumber: '****4567' },
    { idNumber: 'P1234567' },
    [],
    [],
  ],
  [
    'a text in masked form for a text that is no number',
    { jobTitle: 'ENGINEER' },
    { jobTitle: '****NEER' },
    { jobTitle: '****NEER' },
    [],
    [['primaryOwner.jobTitle', 'ENGINEER', '****NEER']],
  ],
]
for (const name of ['firstName', 'middleName', 'lastName', 'suffix', 'name']) {
  test(`a ${name} of an earlier release in plain marks is no change`, () => {
    assert.deepEqual(merge({ [name]: 'O’BRIEN' }, { [name]: "O'BRIEN" }).changed, [])
  })
}

describe('an update with', () => {
  for (const [what, before, given, after, refused, changed] of rows) {
    test(`${what} ${refused.length === 0 ? 'is merged' : `is rejected with ${refused.join(', ')}`}`, () =>
      assert.deepEqual(merge(before, given), { after, refused, changed }))
  }
})

test('paths of members of the record itself have no prefix', () => {
  const merging = new Merge()
  merging.block({}, { registrationType: 'Individual' }, '')
  assert.deepEqual(
    merging.changes.map(({ field }) => field),
    ['registrationType'],
  )
})

test('a change is reported at its path in the record, and a rejection at its path in the request', () => {
  const merging = new Merge()
  const before = { jobTitle: 'A', email: 'b', legalAddress: { city: 'C' } }
  const given = { jobTitle: 'B', email: '', legalAddress: { city: 'D' } }
  merging.block(before, given, 'associatedParties[0]', { place: 'associatedParties[100]' })
  assert.deepEqual(
    merging.changes.map(({ field }) => field),
    ['associatedParties[100].jobTitle', 'associatedParties[100].legalAddress.city'],
  )
  assert.deepEqual(
    merging.rejections.map(({ field }) => field),
    ['associatedParties[0].email'],
  )
})

describe('an address that is changed', () => {
  const austin = { city: 'AUSTIN', stateProvince: 'TX', country: 'US', postalCode: '78701' }
  const gone = (place: string) => [
    [`${place}.stateProvince`, 'TX', undefined],
    [`${place}.postalCode`, '78701', undefined],
  ]
  for (const path of ['mailingAddress', 'primaryOwner.legalAddress', 'beneficiaries[0].address']) {
    test(`loses its state and postal code when it moves abroad: ${path}`, () => {
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
    ['without a country', austin, { city: 'DALLAS' }, { ...austin, city: 'DALLAS' }],
    [
      'with a country for an address without one',
      { stateProvince: 'TX' },
      { country: 'US' },
      { stateProvince: 'TX', country: 'US' },
    ],
    ['without state and postal code', { country: 'US' }, { country: 'MX' }, { country: 'MX' }],
  ] as const) {
    test(`has the expected parts ${what}`, () => {
      assert.deepEqual(merge(before, given, 'mailingAddress').after, after)
    })
  }

  test('has one change for each part if it brings its own state', () => {
    assert.deepEqual(merge(austin, { country: 'CA', stateProvince: 'ON' }, 'mailingAddress').changed, [
      ['mailingAddress.postalCode', '78701', undefined],
      ['mailingAddress.country', 'US', 'CA'],
      ['mailingAddress.stateProvince', 'TX', 'ON'],
    ])
  })

  test('has no change for parts that were absent', () => {
    assert.deepEqual(merge({ country: 'US', postalCode: '' }, { country: 'MX' }, 'mailingAddress').changed, [
      ['mailingAddress.country', 'US', 'MX'],
    ])
  })

  test('is recognized by its path, not by a member named country', () => {
    const id = { country: 'US', postalCode: '78701' }
    for (const path of ['primaryOwner', 'addressBook'])
      assert.deepEqual(merge(id, { country: 'MX' }, path).after, { country: 'MX', postalCode: '78701' })
  })
})

describe('an update of a value that responses contain and that cannot be changed', () => {
  for (const [what, before, given, ...codes] of [
    ['an absent value', 'Open', undefined],
    ['the same value', 'Open', 'Open'],
    ['the same value in capitals', 'Open', 'OPEN'],
    ['the same value as a number', '301', 301],
    ['another value', 'Open', 'Closed', 'ERR.1021 accountStatus'],
    ['null for a value', 'Open', null, 'ERR.1020 accountStatus'],
    ['an empty text for a value', 'Open', '', 'ERR.1020 accountStatus'],
    ['null for an absent value', '', null],
    ['an empty text for an absent value', '', ''],
    ['a value for an absent value', '', 'Open', 'ERR.1021 accountStatus'],
  ] as const) {
    test(`${codes.length === 0 ? 'accepts' : 'rejects'} ${what}`, () => {
      const merging = new Merge()
      merging.fixedValue('accountStatus', before, given)
      assert.deepEqual(
        merging.rejections.map(({ code, field }) => `${code} ${field}`),
        codes,
      )
    })
  }
})
