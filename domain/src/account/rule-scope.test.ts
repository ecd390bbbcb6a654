// A field has one rejection, and a path that the reader rejected has none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Findings } from './rule-scope.ts'

test('a field is rejected once, or once by each rule', () => {
  const findings = new Findings(new Set())
  findings.add('ERR.1000', 'main.repCode', 'Rep code is required.')
  findings.add('ERR.1015', 'main.repCode', 'Another.')
  findings.add('ERR.1015', 'main', 'Around it.')
  assert.deepEqual(findings.rejections, [
    { code: 'ERR.1000', field: 'main.repCode', reason: 'Rep code is required.' },
    { code: 'ERR.1015', field: 'main', reason: 'Around it.' },
  ])
  const role = 'associatedParties[0].role'
  const ruled = new Findings(new Set())
  ruled.add('ERR.1015', role, 'Not allowed.', 'RoleAllowed')
  ruled.add('ERR.1015', role, 'Not allowed.', 'RoleAllowed')
  ruled.add('ERR.1015', role, 'Owns 25 percent.', 'BeneficialOwnerNamed')
  assert.deepEqual(
    ruled.rejections.map(({ rule }) => rule),
    ['RoleAllowed', 'BeneficialOwnerNamed'],
  )
})

test('a list is rejected once for each reason, and beside items that the reader rejected', () => {
  const findings = new Findings(new Set(['beneficiaries[0].name', 'largeTraders']))
  for (const reason of ['One.', 'Two.', 'One.']) findings.add('ERR.1015', 'beneficiaries', reason)
  findings.add('ERR.1015', 'largeTraders', 'Three.')
  assert.deepEqual(
    findings.rejections.map(({ reason }) => reason),
    ['One.', 'Two.'],
  )
})

test('each list of the record is known by its other items', () => {
  for (const list of [
    'associatedParties',
    'beneficiaries',
    'transferOfDeathBeneficiaries',
    'retirementBenes',
    'largeTraders',
  ]) {
    assert.equal(new Findings(new Set([`${list}[0].name`])).isUnknown(list), false)
    assert.equal(new Findings(new Set([list])).isUnknown(list), true)
  }
  assert.equal(new Findings(new Set(['main.repCode'])).isUnknown('main'), true)
})

test('a rule adds nothing to a field that another check has rejected', () => {
  const findings = new Findings(new Set())
  findings.add('ERR.1016', 'primaryOwner.taxIdNumber', 'Not a number.')
  findings.add('ERR.1014', 'primaryOwner.taxIdNumber', 'Twice.', 'PersonRepeated')
  assert.equal(findings.rejections.length, 1)
})

test('an item of a list counts as rejected as a whole, and by the attributes that are asked for', () => {
  for (const [refused, was] of [
    ['', true],
    ['beneficiaries', true],
    ['beneficiaries[0]', true],
    ['beneficiaries[0].percentageAllocation', true],
    ['beneficiaries[0].address', false],
    ['beneficiaries[0].address.percentageAllocation', false],
    ['retirementBenes[0].percentageAllocation', false],
    ['retirementBenes[0]', false],
  ] as const) {
    const findings = new Findings(new Set([refused]))
    assert.equal(findings.hasRefusedItem('beneficiaries', ['percentageAllocation']), was, refused)
  }
})

test('a path that the reader rejected covers the paths inside it and around it', () => {
  for (const [refused, field, was] of [
    ['main.repCode', 'main.repCode', true],
    ['main.repCode', 'main', true],
    ['main', 'main.repCode', true],
    ['', 'main.repCode', true],
    ['associatedParties', 'associatedParties[0]', true],
    ['associatedParties', 'associatedParties[0].lastName', true],
    ['associatedParties[0]', 'associatedParties', true],
    ['associatedParties[0].lastName', 'associatedParties', true],
    ['associatedParties[0]', 'associatedParties[1]', false],
    ['associatedParties[1]', 'associatedParties[10]', false],
    ['main', 'mainly', false],
    ['mainly', 'main', false],
    ['primaryOwner.main', 'main', false],
  ] as const) {
    const findings = new Findings(new Set(['other', refused]))
    assert.equal(findings.wasRefused(field), was, `${refused} refused: ${field}`)
    findings.add('ERR.1000', field, 'It is required.')
    const list = field === 'associatedParties'
    assert.equal(findings.rejections.length, was && !list ? 0 : 1)
  }
})
