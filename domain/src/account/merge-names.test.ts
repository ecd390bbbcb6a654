// Names of beneficiaries in updates: in one field and in parts, and a first tax id beside persons of the same name.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Merge } from './merge-blocks.ts'
import { mergeBeneficiaries } from './merge-lists.ts'
import { fullName } from './name.ts'
import type { AccountRecord, Beneficiary } from './record.ts'

const settings = { nextCustomerId: () => '9', refusedPaths: new Set<string>() }
const rosa: Beneficiary = {
  customerId: '1',
  nameType: 'Individual',
  firstName: 'ROSA',
  lastName: 'DIAZ',
  primaryContingent: 'Primary',
}
const taxIdNumber = '401121001'
const john: Beneficiary = {
  ...rosa,
  firstName: 'JOHN',
  middleName: 'SMITH',
  lastName: 'JR',
  taxIdNumber,
}

function merged(list: string, stored: readonly Beneficiary[], ...given: readonly Beneficiary[]) {
  const merge = new Merge()
  const placed = given.map((value, index) => ({ value, path: `${list}[${index}]` }))
  const before = { registrationType: 'Individual', beneficiaries: stored } as unknown as AccountRecord
  const after = mergeBeneficiaries(merge, before, placed, settings).map(({ value }) => value)
  return {
    after,
    refused: merge.rejections.map(({ code, field }) => `${code} ${field}`),
    changed: merge.changes.map(({ field }) => field),
  }
}
const [one, two] = ['beneficiaries', 'transferOfDeathBeneficiaries']

describe('a first tax id in shape 1', () => {
  const given: Beneficiary = { firstName: 'ROSA', lastName: 'DIAZ', taxIdNumber }
  const other: Beneficiary = { firstName: 'ROSA', lastName: 'DIAZ' }
  const cases: readonly (readonly [
    what: string,
    stored: readonly Beneficiary[],
    given: readonly Beneficiary[],
    taxIds: readonly (string | undefined)[],
  ])[] = [
    ['is that of the person', [rosa], [given], [taxIdNumber]],
    ['is not that of a person whom another item names', [rosa], [given, other], [undefined, taxIdNumber]],
    [
      'is that of the first of two',
      [rosa, { ...rosa, customerId: '2' }],
      [given, other],
      [taxIdNumber, undefined],
    ],
    [
      'is that of the second of two',
      [rosa, { ...rosa, customerId: '2' }],
      [other, given],
      [undefined, taxIdNumber],
    ],
    [
      'is not that of a person with another birth date',
      [{ ...rosa, birthDate: '1990-01-01' }],
      [{ ...given, birthDate: '1990-01-02' }],
      [undefined, taxIdNumber],
    ],
    [
      'comes with the birth date of a person who has none',
      [rosa],
      [{ ...given, birthDate: '1990-01-02' }],
      [taxIdNumber],
    ],
    [
      'is that of the person without a tax id',
      [
        { ...rosa, taxIdNumber: '401121002' },
        { ...rosa, customerId: '2' },
      ],
      [given],
      ['401121002', taxIdNumber],
    ],
  ]
  for (const [what, stored, items, taxIds] of cases)
    test(what, () => {
      const { after, refused } = merged(one, stored, ...items)
      assert.deepEqual(refused, [])
      assert.deepEqual(
        after.map((value) => value.taxIdNumber),
        taxIds,
      )
    })
})

describe('a name in one field', () => {
  test('replaces the whole name', () => {
    const stored = { ...rosa, middleName: 'Q', suffix: 'SR', taxIdNumber }
    const { after, refused, changed } = merged(one, [stored], {
      taxIdNumber,
      firstName: 'ROSA',
      lastName: 'DIEZ',
    })
    assert.deepEqual([refused, fullName(after[0] ?? {})], [[], 'ROSA DIEZ'])
    assert.deepEqual(changed.sort(), [
      'beneficiaries[1].lastName',
      'beneficiaries[1].middleName',
      'beneficiaries[1].suffix',
    ])
  })

  test('leaves the parts of an equal name, also of one with a comma before the suffix', () => {
    for (const stored of [john, { ...john, middleName: 'SMITH,' }]) {
      const given = { taxIdNumber, firstName: 'JOHN', lastName: 'SMITH', suffix: 'JR' }
      const { after, changed } = merged(one, [stored], given)
      assert.deepEqual([after, changed], [[stored], []])
      const { taxIdNumber: _, ...unnumbered } = stored
      const { taxIdNumber: __, ...named } = given
      assert.deepEqual(merged(one, [unnumbered], named).after, [unnumbered])
    }
  })

  test('without a name changes none', () => {
    const { after, refused } = merged(one, [john], { taxIdNumber, relationship: 'Son' })
    assert.deepEqual([refused, fullName(after[0] ?? {})], [[], 'JOHN SMITH JR'])
  })

  test('makes an organization of a person when it is renamed, and leaves it as it is with the same name', () => {
    const cross = {
      ...john,
      firstName: 'AMERICAN',
      middleName: '',
      lastName: 'CROSS',
      relationship: 'Charity',
    }
    const same = merged(one, [cross], {
      taxIdNumber,
      relationship: 'Charity',
      nameType: 'Entity',
      firstName: 'AMERICAN CROSS',
    })
    assert.deepEqual([same.after, same.changed, same.refused], [[cross], [], []])
    const renamed = merged(one, [cross], {
      taxIdNumber,
      firstName: 'AMERICAN',
      middleName: 'RED',
      lastName: 'CROSS',
    })
    const [after] = renamed.after
    assert.deepEqual(renamed.refused, [])
    assert.deepEqual(
      [after?.nameType, after?.firstName, after?.lastName],
      ['Entity', 'AMERICAN RED CROSS', undefined],
    )
    assert.ok(renamed.changed.includes('beneficiaries[1].nameType'))
    const entity = { ...john, nameType: 'Entity', firstName: 'LEE FUND', middleName: '', lastName: '' }
    const again = merged(one, [entity], {
      taxIdNumber,
      firstName: 'LEE',
      middleName: 'OLD',
      lastName: 'FUND',
    })
    assert.deepEqual([again.after[0]?.firstName, again.after[0]?.lastName], ['LEE OLD FUND', undefined])
    assert.deepEqual(again.changed, ['beneficiaries[1].firstName'])
  })
})

describe('a name in parts', () => {
  const rows: readonly (readonly [
    what: string,
    given: Beneficiary,
    refused: readonly string[],
    name: string,
  ])[] = [
    [
      'may have empty parts with another last name',
      { firstName: 'JOHN', middleName: '', lastName: 'SMITH', suffix: 'JR' },
      [],
      'JOHN SMITH JR',
    ],
    [
      'may have empty parts with another first name',
      { firstName: 'JON', middleName: '', lastName: 'JR' },
      [],
      'JON JR',
    ],
    ['keeps the parts that are absent', { firstName: 'JOHN', lastName: 'SMITH' }, [], 'JOHN SMITH SMITH'],
    [
      'may not lose a part with the same first and last name',
      { firstName: 'JOHN', middleName: '', lastName: 'JR' },
      ['ERR.1020 transferOfDeathBeneficiaries[0].name2'],
      'JOHN SMITH JR',
    ],
    [
      'may not lose a part without the first name',
      { middleName: '', lastName: 'SMITH' },
      ['ERR.1020 transferOfDeathBeneficiaries[0].name2'],
      'JOHN SMITH SMITH',
    ],
    [
      'may not lose a part without the last name',
      { firstName: 'JON', middleName: '' },
      ['ERR.1020 transferOfDeathBeneficiaries[0].name2'],
      'JON SMITH JR',
    ],
  ]
  for (const [what, given, refused, name] of rows)
    test(what, () => {
      const outcome = merged(two, [john], { customerId: '1', ...given })
      assert.deepEqual([outcome.refused, fullName(outcome.after[0] ?? {})], [refused, name])
    })
})
