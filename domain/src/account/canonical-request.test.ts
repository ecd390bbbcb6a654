// The variants of a request become one form. A value that is given twice with different contents is rejected.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { beneficiaryField, canonicalRequest } from './canonical-request.ts'
import { MovedPaths } from './moved-paths.ts'

function fold(request: object) {
  return canonicalRequest(request as Parameters<typeof canonicalRequest>[0])
}
function refused(request: object) {
  return fold(request).rejections.map(({ code, field }) => `${code} ${field}`)
}

test('an empty request has an empty canonical form', () => {
  assert.deepEqual(fold({}), {
    primaryOwner: undefined,
    associatedParties: undefined,
    beneficiaries: undefined,
    largeTraders: undefined,
    emptyLists: [],
    rejections: [],
    movedPaths: new MovedPaths(),
  })
  assert.equal(fold({ primaryOwner: null }).primaryOwner, undefined)
})

describe('the employer', () => {
  test('is the employer of the owner if it is given as a block', () => {
    const { primaryOwner } = fold({
      primaryOwner: { employer: { employerName: 'BAYSIDE' }, jobTitle: 'CLERK' },
    })
    assert.deepEqual(primaryOwner, { employerName: 'BAYSIDE', jobTitle: 'CLERK' })
  })

  for (const [what, beside, inside, kept, ...codes] of [
    ['the same employer twice', 'BAYSIDE', 'BAYSIDE', 'BAYSIDE'],
    ['another employer in the block', 'BAYSIDE', 'HARBOR', 'BAYSIDE', 'ERR.1014 primaryOwner.employerName'],
    ['an empty employer in the block', 'BAYSIDE', '', 'BAYSIDE'],
    ['an empty employer beside the block', '', 'HARBOR', 'HARBOR'],
    ['no employer in the block', 'BAYSIDE', undefined, 'BAYSIDE'],
    ['no employer beside the block and an empty one in it', undefined, '', ''],
  ] as const) {
    test(`is "${kept}" if the request has ${what}`, () => {
      const request = { primaryOwner: { employerName: beside, employer: { employerName: inside } } }
      assert.equal(fold(request).primaryOwner?.employerName, kept)
      assert.deepEqual(refused(request), codes)
    })
  }

  test('is absent from the canonical request if it is not given', () => {
    assert.deepEqual(fold({ primaryOwner: { employer: { employerName: undefined } } }).primaryOwner, {})
  })

  test('is deleted, value by value, if the block is null', () => {
    assert.deepEqual(fold({ primaryOwner: { employer: null } }).primaryOwner, {
      employerName: null,
      employerPhoneRegionCode: null,
      employerPhoneNumber: null,
      employerPhoneExtension: null,
      employerAddress: null,
    })
  })
})

describe('the CAIS list of shape 2', () => {
  const types = ['Natural Person']
  test('becomes the customer type of the CAIS block', () => {
    assert.deepEqual(fold({ primaryOwner: { caisCustomerType: types } }).primaryOwner, {
      caisInformation: { customerType: types },
    })
    assert.deepEqual(
      fold({ primaryOwner: { caisCustomerType: types, caisInformation: null } }).primaryOwner,
      {
        caisInformation: { customerType: types },
      },
    )
  })

  test('is combined with the other members of the block', () => {
    const request = { primaryOwner: { caisCustomerType: types, caisInformation: { role: 'Owner' } } }
    assert.deepEqual(fold(request).primaryOwner?.caisInformation, { role: 'Owner', customerType: types })
  })

  test('is rejected if it contradicts the block, at the position of its party', () => {
    const party = { caisCustomerType: types, caisInformation: { customerType: ['Foreign'] } }
    assert.deepEqual(refused({ associatedParties: [{}, party] }), [
      'ERR.1014 associatedParties[1].caisCustomerType',
    ])
  })

  test('makes no block if it is not given', () => {
    assert.deepEqual(fold({ primaryOwner: { jobTitle: 'CLERK' } }).primaryOwner, { jobTitle: 'CLERK' })
  })
})

test('a relationship has the spelling of the list, or its own spelling', () => {
  const relationshipOf = (relationship: unknown) =>
    fold({ primaryOwner: { affiliation: { relationship, name: 'OMAR' } } }).primaryOwner?.affiliation
  assert.deepEqual(relationshipOf('spouse'), { relationship: 'Spouse', name: 'OMAR' })
  assert.deepEqual(relationshipOf('Godmother'), { relationship: 'Godmother', name: 'OMAR' })
  assert.deepEqual(relationshipOf(undefined), { relationship: undefined, name: 'OMAR' })
})

describe('a trusted contact outside the owner', () => {
  const contact = { name: 'SANA' }
  test('becomes the trusted contact of the owner', () => {
    assert.deepEqual(fold({ trustedContact: contact }).primaryOwner, { trustedContact: contact })
    const both = fold({ primaryOwner: { jobTitle: 'CLERK' }, trustedContact: contact })
    assert.deepEqual(both.primaryOwner, { jobTitle: 'CLERK', trustedContact: contact })
  })

  test('makes no owner if it is empty', () => {
    for (const trustedContact of [undefined, null, {}, { name: '' }])
      assert.equal(fold({ trustedContact }).primaryOwner, undefined)
  })

  test('is rejected if the owner has a different one', () => {
    const request = { primaryOwner: { trustedContact: { name: 'OMAR' } }, trustedContact: contact }
    assert.deepEqual(refused(request), ['ERR.1014 trustedContact'])
  })
})

test('items keep their positions, and absent items are omitted', () => {
  const { associatedParties } = fold({
    associatedParties: [null, { lastName: 'A' }, undefined, { lastName: 'B' }],
  })
  assert.deepEqual(associatedParties, [
    { value: { lastName: 'A' }, path: 'associatedParties[1]' },
    { value: { lastName: 'B' }, path: 'associatedParties[3]' },
  ])
  assert.deepEqual(fold({ associatedParties: [] }).associatedParties, [])
})

test('the beneficiaries of the three lists become one list, with the names of the record', () => {
  const shape2 = {
    name1: 'A',
    name2: 'B',
    name3: 'C',
    name4: 'D',
    taxId: '401121001',
    percentAllocation: '50',
    relationship: 'Son',
  }
  const kept = {
    firstName: 'A',
    middleName: 'B',
    lastName: 'C',
    suffix: 'D',
    taxIdNumber: '401121001',
    percentageAllocation: '50',
    relationship: 'Son',
  }
  const { beneficiaries } = fold({
    beneficiaries: [{ name: 'A B C', relationship: 'Son' }, { relationship: 'Aunt' }],
    transferOfDeathBeneficiaries: [shape2],
    retirementBenes: [shape2],
  })
  assert.deepEqual(beneficiaries, [
    {
      value: { firstName: 'A', middleName: 'B', lastName: 'C', relationship: 'Son' },
      path: 'beneficiaries[0]',
    },
    { value: { relationship: 'Aunt' }, path: 'beneficiaries[1]' },
    { value: kept, path: 'transferOfDeathBeneficiaries[0]' },
    { value: kept, path: 'retirementBenes[0]' },
  ])
})

test('lists that were sent empty are reported', () => {
  const names = [
    'associatedParties',
    'beneficiaries',
    'transferOfDeathBeneficiaries',
    'retirementBenes',
    'largeTraders',
  ]
  for (const name of names) {
    for (const empty of [null, [], [null]])
      assert.deepEqual(fold({ [name]: empty }).emptyLists, [name], `${name} ${JSON.stringify(empty)}`)
    for (const filled of [[{ relationship: 'Son' }], [{}], [null, {}]])
      assert.deepEqual(fold({ [name]: filled }).emptyLists, [])
  }
  assert.deepEqual(fold({ mailingAddress: {} }).emptyLists, [])
})

test('an attribute of a beneficiary is named as in its list', () => {
  for (const [attribute, one, two] of [
    ['firstName', 'name', 'name1'],
    ['middleName', 'name', 'name2'],
    ['lastName', 'name', 'name3'],
    ['suffix', 'name', 'name4'],
    ['taxIdNumber', 'taxIdNumber', 'taxId'],
    ['percentageAllocation', 'percentageAllocation', 'percentAllocation'],
    ['birthDate', 'birthDate', 'birthDate'],
  ] as const) {
    assert.equal(beneficiaryField('beneficiaries[0]', attribute), `beneficiaries[0].${one}`)
    for (const list of ['transferOfDeathBeneficiaries[2]', 'retirementBenes[2]'])
      assert.equal(beneficiaryField(list, attribute), `${list}.${two}`)
  }
})
