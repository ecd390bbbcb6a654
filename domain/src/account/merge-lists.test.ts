// Beneficiaries and large traders of an update: the matching item of the account, and the result.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Merge } from './merge-blocks.ts'
import { mergeBeneficiaries, mergeLargeTraders, placedBeneficiaries } from './merge-lists.ts'
import type { AccountRecord, Beneficiary } from './record.ts'

const settings = {
  nextCustomerId: () => '9',
  refusedPaths: new Set(['beneficiaries[0].name', 'largeTraders[0]']),
}

function record(changes: Partial<AccountRecord> = {}): AccountRecord {
  return {
    registrationType: 'Individual',
    entityNumber: '301',
    main: {},
    electronicDelivery: {},
    mailingAddress: { country: 'US' },
    primaryOwner: {},
    associatedParties: [],
    financialProfile: {},
    beneficiaries: [],
    largeTraders: [],
    ...changes,
  }
}

function outcome(merge: Merge) {
  return {
    refused: merge.rejections.map(({ code, field }) => `${code} ${field}`),
    changed: merge.changes.map(({ field }) => field),
  }
}

describe('beneficiaries', () => {
  const luis: Beneficiary = {
    customerId: '1',
    nameType: 'Individual',
    firstName: 'LUIS',
    taxIdNumber: '401121001',
    primaryContingent: 'Primary',
    percentageAllocation: '60.00',
  }
  const eva: Beneficiary = {
    ...luis,
    customerId: '2',
    firstName: 'EVA',
    taxIdNumber: '401121002',
    percentageAllocation: '40.00',
  }
  const ana: Beneficiary = {
    customerId: '3',
    nameType: 'Individual',
    firstName: 'ANA',
    primaryContingent: 'Contingent',
    percentageAllocation: '100.00',
  }
  type Given = Beneficiary & { id?: string }
  const give = (list: string, ...given: Given[]) => {
    const merge = new Merge()
    const placed = given.map((value, index) => ({ value, path: `${list}[${index}]` }))
    const before = record({ beneficiaries: [luis, eva, ana] })
    const merged = mergeBeneficiaries(merge, before, placed, settings).map(({ value }) => value)
    return { merged, ...outcome(merge) }
  }
  const [one, two, ira] = ['beneficiaries', 'transferOfDeathBeneficiaries', 'retirementBenes']

  /** The list that was sent, the beneficiary, and the matching person: 1 Luis, 2 Eva, 3 Ana, or 0 for a new person. */
  const matches: readonly [what: string, list: string, given: Given, who: 0 | 1 | 2 | 3][] = [
    ['by customer id', two, { customerId: '2' }, 2],
    ['by customer id, whatever the tax id', two, { customerId: '2', taxIdNumber: '401121001' }, 2],
    ['by id', ira, { id: '3' }, 3],
    ['by id, with a tax id of no beneficiary', ira, { id: '2', taxIdNumber: '401121009' }, 2],
    ['by tax id', ira, { taxIdNumber: '401121002' }, 2],
    ['by the masked tax id', ira, { taxIdNumber: '*****1002' }, 2],
    ['by tax id, whatever the name', one, { taxIdNumber: '401121001', firstName: 'EVA' }, 1],
    ['by tax id, of the same kind', one, { taxIdNumber: '401121001', primaryContingent: 'Primary' }, 1],
    ['by tax id, of another kind', one, { taxIdNumber: '401121001', primaryContingent: 'Contingent' }, 0],
    ['by another tax id', one, { taxIdNumber: '401121003' }, 0],
    ['by another tax id and the same name', one, { taxIdNumber: '401121003', firstName: 'EVA' }, 0],
    ['by a first tax id and the same name', one, { taxIdNumber: '401121003', firstName: 'ANA' }, 3],
    [
      'by a first tax id and the same name, in shape 2',
      two,
      { taxIdNumber: '401121003', firstName: 'ANA' },
      0,
    ],
    [
      'by a first tax id and the same name, of another kind',
      one,
      { taxIdNumber: '401121003', firstName: 'ANA', primaryContingent: 'Primary' },
      0,
    ],
    ['by a first tax id and another name', one, { taxIdNumber: '401121003', firstName: 'ANNA' }, 0],
    ['by name, in shape 1', one, { firstName: 'ANA' }, 3],
    ['by name, if the record has a tax id', one, { firstName: 'EVA' }, 2],
    ['by another name, in shape 1', one, { firstName: 'ANNA' }, 0],
    ['by name, in shape 2', two, { firstName: 'ANA' }, 0],
    ['without a name, in shape 1', one, { relationship: 'Son' }, 0],
  ]
  for (const [what, list, given, who] of matches) {
    test(`are matched ${what} to ${['no person', 'Luis', 'Eva', 'Ana'][who]}`, () => {
      const { merged } = give(list, { relationship: 'Aunt', ...given })
      const changed = merged.findIndex(({ relationship }) => relationship !== undefined)
      assert.equal(merged.length, who === 0 ? 4 : 3)
      assert.equal(changed, who === 0 ? 3 : who - 1)
    })
  }

  test('are matched by a name that an earlier release stored with typographic marks', () => {
    const merge = new Merge()
    const before = record({ beneficiaries: [{ customerId: '1', firstName: 'ANA', lastName: 'O’BRIEN' }] })
    const value = { firstName: 'ANA', lastName: "O'BRIEN" }
    const placed = [{ value, path: 'beneficiaries[0]' }]
    assert.equal(mergeBeneficiaries(merge, before, placed, settings).length, 1)
    assert.deepEqual(merge.changes, [])
  })

  for (const [shape, list, given, names] of [
    ['keep the parts of a name in one field', one, { taxIdNumber: '401121001' }, ['MARY ANN', undefined]],
    ['change the parts of a name in several fields', two, { customerId: '1' }, ['MARY', 'ANN']],
  ] as const) {
    test(`${shape} if they make the same name`, () => {
      const mary = { ...luis, firstName: 'MARY ANN', lastName: 'LEE' }
      const value = { ...given, firstName: 'MARY', middleName: 'ANN', lastName: 'LEE' }
      const before = record({ beneficiaries: [mary] })
      const [merged] = mergeBeneficiaries(new Merge(), before, [{ value, path: `${list}[0]` }], settings)
      assert.deepEqual([merged?.value.firstName, merged?.value.middleName], names)
    })
  }

  test('without a name match no other item without a name', () => {
    const merge = new Merge()
    const before = record({ beneficiaries: [{ customerId: '1' }] })
    const placed = [{ value: { relationship: 'Son' }, path: 'beneficiaries[0]' }]
    assert.equal(mergeBeneficiaries(merge, before, placed, settings).length, 2)
  })

  test('with the same name match in order, so the first is changed', () => {
    const merge = new Merge()
    const before = record({ beneficiaries: [ana, { ...ana, customerId: '4' }] })
    const placed = [{ value: { firstName: 'ANA', relationship: 'Son' }, path: 'beneficiaries[0]' }]
    const merged = mergeBeneficiaries(merge, before, placed, settings).map(({ value }) => value)
    assert.deepEqual(merged, [
      { ...ana, relationship: 'Son' },
      { ...ana, customerId: '4' },
    ])
  })

  for (const [what, others] of [
    ['nothing else', [{}, {}]],
    ['the birth date', [{ birthDate: '1990-01-02' }, { birthDate: '1991-01-02' }]],
    ['the birth date of one', [{ birthDate: '1990-01-02' }, {}]],
    ['the rank', [{ primaryContingent: 'Primary' }, { primaryContingent: 'Contingent' }]],
    ['the tax id', [{ taxIdNumber: '401121003' }, {}]],
  ] as const) {
    test(`with the same name are distinguished by ${what}, in every order, when the record is sent back`, () => {
      const [one, two] = others.map((other, index) => ({ ...ana, customerId: `${index + 3}`, ...other }))
      const back = others.map((other) => ({ firstName: 'ANA', birthDate: '', taxIdNumber: '', ...other }))
      for (const sent of what === 'nothing else' ? [back] : [back, back.toReversed()]) {
        const merge = new Merge()
        const placed = sent.map((value, index) => ({ value, path: `beneficiaries[${index}]` }))
        mergeBeneficiaries(merge, record({ beneficiaries: [one, two] as never }), placed, settings)
        assert.deepEqual(outcome(merge), { refused: [], changed: [] })
      }
    })
  }

  for (const [what, other] of [
    ['another birth date', { birthDate: '1991-01-02' }],
    ['another rank', { birthDate: '1990-01-02', primaryContingent: 'Primary' }],
  ] as const) {
    test(`with a name of the account and ${what} are added beside the item of that person`, () => {
      const present = { ...ana, birthDate: '1990-01-02' }
      const kept = { firstName: 'ANA', birthDate: '1990-01-02' }
      const added = { firstName: 'ANA', ...other }
      for (const sent of [
        [kept, added],
        [added, kept],
      ]) {
        const merge = new Merge()
        const placed = sent.map((value, index) => ({ value, path: `beneficiaries[${index}]` }))
        mergeBeneficiaries(merge, record({ beneficiaries: [present] }), placed, settings)
        assert.deepEqual(outcome(merge), { refused: [], changed: ['beneficiaries[9]'] })
      }
    })
  }

  for (const [what, corrected] of [
    ['customer id', { customerId: '3', birthDate: '1991-01-02' }],
    ['tax id', { taxIdNumber: '401121003', birthDate: '1991-01-02' }],
  ] as const) {
    test(`with another birth date are found by the ${what}, beside an item of the same name`, () => {
      const merge = new Merge()
      const before = { ...ana, birthDate: '1990-01-02', taxIdNumber: '401121003' }
      const placed = [corrected, { firstName: 'ANA' }].map((value, index) => ({
        value,
        path: `beneficiaries[${index}]`,
      }))
      mergeBeneficiaries(merge, record({ beneficiaries: [before] }), placed, settings)
      assert.deepEqual(outcome(merge), {
        refused: ['ERR.1014 beneficiaries[1].name'],
        changed: ['beneficiaries[3].birthDate'],
      })
    })
  }

  for (const [what, others, given, who] of [
    [
      'the birth date',
      [{ birthDate: '1990-01-02' }, { birthDate: '1991-01-02' }],
      { birthDate: '1991-01-02' },
      '4',
    ],
    ['the absence of a birth date', [{ birthDate: '1990-01-02' }, {}], {}, '4'],
    ['the rank', [{}, { primaryContingent: 'Primary' }], { primaryContingent: 'Primary' }, '4'],
    ['the order, if the rank is absent', [{}, { primaryContingent: 'Primary' }], {}, '3'],
    ['the absence of a tax id', [{ taxIdNumber: '401121003' }, {}], {}, '4'],
    [
      'the birth date before the absence of a tax id',
      [{ birthDate: '1990-01-02' }, { birthDate: '1991-01-02', taxIdNumber: '401121003' }],
      { birthDate: '1991-01-02' },
      '4',
    ],
    [
      'the absence of a tax id before the rank',
      [{ taxIdNumber: '401121003', primaryContingent: 'Primary' }, {}],
      { primaryContingent: 'Primary' },
      '4',
    ],
  ] as const) {
    test(`with the same name are distinguished by ${what}, when one of them is sent alone`, () => {
      const merge = new Merge()
      const before = others.map((other, index) => ({ ...ana, customerId: `${index + 3}`, ...other }))
      const placed = [
        { value: { firstName: 'ANA', relationship: 'Son', ...given }, path: 'beneficiaries[0]' },
      ]
      mergeBeneficiaries(merge, record({ beneficiaries: before as never }), placed, settings)
      assert.equal(merge.changes[0]?.field, `beneficiaries[${who}].relationship`)
    })
  }

  test('of two other names do not decide who a third one is', () => {
    const merge = new Merge()
    const before = record({ beneficiaries: [{ ...ana, birthDate: '1990-01-02' }] })
    const placed = [
      { value: { firstName: 'ANA', birthDate: '1991-01-02' }, path: 'beneficiaries[0]' },
      { value: { firstName: 'EVA', birthDate: '1990-01-02' }, path: 'beneficiaries[1]' },
    ]
    mergeBeneficiaries(merge, before, placed, settings)
    assert.deepEqual(outcome(merge), {
      refused: [],
      changed: ['beneficiaries[3].birthDate', 'beneficiaries[9]'],
    })
  })

  test('with a name of the account and another birth date, alone, correct the birth date', () => {
    const merge = new Merge()
    const before = record({ beneficiaries: [{ ...ana, birthDate: '1990-01-02' }] })
    const placed = [{ value: { firstName: 'ANA', birthDate: '1991-01-02' }, path: 'beneficiaries[0]' }]
    mergeBeneficiaries(merge, before, placed, settings)
    assert.deepEqual(outcome(merge), { refused: [], changed: ['beneficiaries[3].birthDate'] })
  })

  test('with a name of the account, one kept and one corrected, match one person each, in every order', () => {
    const kept = { firstName: 'ANA', birthDate: '1990-01-02' }
    const corrected = { firstName: 'ANA', birthDate: '1992-01-02' }
    const before = [
      { ...ana, birthDate: '1990-01-02' },
      { ...ana, customerId: '4', birthDate: '1991-01-02' },
    ]
    for (const sent of [
      [kept, corrected],
      [corrected, kept],
    ]) {
      const merge = new Merge()
      const placed = sent.map((value, index) => ({ value, path: `beneficiaries[${index}]` }))
      mergeBeneficiaries(merge, record({ beneficiaries: before }), placed, settings)
      assert.deepEqual(outcome(merge), { refused: [], changed: ['beneficiaries[4].birthDate'] })
    }
  })

  test('that could not be read are left out, and empty ones are not', () => {
    const added = { customerId: '9', nameType: 'Individual', primaryContingent: 'Primary' }
    assert.deepEqual(give(one, {}, { firstName: '' }), {
      merged: [luis, eva, ana, added],
      refused: [],
      changed: ['beneficiaries[9]'],
    })
  })

  test('that are new are added with a new customer id, and a repeat is rejected', () => {
    const { merged, refused, changed } = give(
      one,
      { firstName: 'JO', percentageAllocation: '5' },
      { firstName: 'JO' },
    )
    assert.deepEqual(merged[3], {
      customerId: '9',
      nameType: 'Individual',
      firstName: 'JO',
      primaryContingent: 'Primary',
      percentageAllocation: '5.00',
    })
    assert.deepEqual(refused, ['ERR.1014 beneficiaries[1].name'])
    assert.deepEqual(changed, ['beneficiaries[9]'])
  })

  for (const [what, list, given, field] of [
    [
      'an unknown customer id',
      two,
      { customerId: '7' },
      'ERR.1015 transferOfDeathBeneficiaries[0].customerId',
    ],
    ['an unknown id', ira, { id: '7' }, 'ERR.1015 retirementBenes[0].id'],
    [
      'an unknown customer id and an unknown id',
      ira,
      { customerId: '7', id: '7' },
      'ERR.1015 retirementBenes[0].customerId',
    ],
    [
      'an unknown customer id and a known id',
      ira,
      { customerId: '7', id: '1' },
      'ERR.1015 retirementBenes[0].customerId',
    ],
    [
      'the id of a later beneficiary',
      ira,
      { id: '2', taxIdNumber: '401121001' },
      'ERR.1021 retirementBenes[0].id',
    ],
    [
      'the id of another beneficiary',
      ira,
      { id: '1', taxIdNumber: '401121002' },
      'ERR.1021 retirementBenes[0].id',
    ],
    [
      'another name type',
      two,
      { customerId: '1', nameType: 'Entity' },
      'ERR.1021 transferOfDeathBeneficiaries[0].nameType',
    ],
  ] as const) {
    test(`with ${what} are rejected, and none is added`, () => {
      const { refused, merged } = give(list, { relationship: 'Son', ...given })
      assert.deepEqual(refused, [field])
      assert.equal(merged.length, 3)
    })
  }

  for (const [what, list, given, field] of [
    ['by customer id', two, { customerId: '1' }, 'transferOfDeathBeneficiaries[1].customerId'],
    ['by id', ira, { id: '1' }, 'retirementBenes[1].id'],
    ['by customer id and id', ira, { customerId: '1', id: '1' }, 'retirementBenes[1].customerId'],
    ['by tax id', ira, { taxIdNumber: '401121001' }, 'retirementBenes[1].taxId'],
    ['by name', one, { firstName: 'ANA' }, 'beneficiaries[1].name'],
  ] as const) {
    test(`that are repeated ${what} are rejected the second time, and the first one counts`, () => {
      const twice = give(list, { ...given, relationship: 'Son' }, { ...given, relationship: 'Aunt' })
      assert.deepEqual(twice.refused, [`ERR.1014 ${field}`])
      const relationships = twice.merged.map(({ relationship }) => relationship)
      assert.deepEqual(
        relationships.filter((each) => each !== undefined),
        ['Son'],
      )
    })
  }

  test('may be sent with an id that equals their customer id', () => {
    assert.deepEqual(give(ira, { id: '2', taxIdNumber: '401121002' }), {
      merged: [luis, eva, ana],
      refused: [],
      changed: [],
    })
  })

  test('have a percentage with two decimals, which stays if it is absent from the update', () => {
    const { merged, changed } = give(
      two,
      { customerId: '1', percentageAllocation: '60' },
      { customerId: '2', percentageAllocation: '40.5' },
    )
    assert.deepEqual(
      merged.map(({ percentageAllocation }) => percentageAllocation),
      ['60.00', '40.50', '100.00'],
    )
    assert.deepEqual(changed, ['beneficiaries[2].percentageAllocation'])
    assert.deepEqual(give(two, { customerId: '1', relationship: 'Son' }).changed, [
      'beneficiaries[1].relationship',
    ])
  })

  test('have the paths under which shape 2 returns them', () => {
    const pathsOf = (registrationType: string) =>
      placedBeneficiaries(record({ registrationType, beneficiaries: [luis, eva] })).map(({ path }) => path)
    assert.deepEqual(pathsOf('IraRoth'), ['retirementBenes[0]', 'retirementBenes[1]'])
    assert.deepEqual(pathsOf('Individual'), [
      'transferOfDeathBeneficiaries[0]',
      'transferOfDeathBeneficiaries[1]',
    ])
  })
})

describe('large traders', () => {
  const known = [
    { largeTraderId: '12345678-0001', effectiveDate: '2026-01-02' },
    { largeTraderId: '12345678-0002', effectiveDate: '2026-01-02' },
  ]
  const give = (...given: Parameters<typeof mergeLargeTraders>[2]) => {
    const merge = new Merge()
    const { values } = mergeLargeTraders(merge, record({ largeTraders: known }), given, settings)
    return { traders: values, ...outcome(merge) }
  }

  test('match by their id', () => {
    for (const at of [0, 1]) {
      const { traders, changed } = give({ ...known[at], endReason: 'SOLD' } as never)
      assert.deepEqual(
        traders,
        known.map((one, index) => (index === at ? { ...one, endReason: 'SOLD' } : one)),
      )
      assert.deepEqual(changed, [`largeTraders[${known[at]?.largeTraderId}].endReason`])
    }
  })

  test('with another id are added', () => {
    const { traders, changed } = give({ largeTraderId: '12345678-0003', endReason: '' } as never)
    assert.deepEqual(traders, [...known, { largeTraderId: '12345678-0003' }])
    assert.deepEqual(changed, ['largeTraders[12345678-0003]'])
  })

  test('that could not be read are left out, and empty ones are not', () => {
    const { traders, refused } = give({}, { largeTraderId: '' })
    assert.deepEqual([traders, refused], [[...known, {}], []])
  })

  test('whose value is deleted are rejected at their path in the request', () => {
    assert.deepEqual(give({}, { ...known[1], effectiveDate: '' } as never).refused, [
      'ERR.1020 largeTraders[1].effectiveDate',
    ])
  })
})
