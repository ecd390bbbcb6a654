/**
 * The catalogue of fields contains every field of the record in the contract, with the coded list and the kind of the
 * contract.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { balanceSummary } from '../operations/positions.ts'
import { accountShape1, accountShape2, newAccountRequest, updateAccountRequest } from '../shapes/account.ts'
import { accountBlock, balanceLabels, fieldLabel, fieldOf, listFields, pathLabels } from './index.ts'

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly patternProperties?: object
  readonly 'x-code-list'?: string
  readonly 'x-reads'?: { readonly kind: string; readonly list?: string }
}

/** The values of a shape by path. A list is represented by its first item. */
function leavesOf(schema: Schema, path: string): [path: string, schema: Schema][] {
  if (schema.properties !== undefined)
    return Object.entries(schema.properties).flatMap(([name, each]) =>
      leavesOf(each, path === '' ? name : `${path}.${name}`),
    )
  if (schema.items?.properties !== undefined) return leavesOf(schema.items, `${path}[0]`)
  const blocks = schema.anyOf?.filter((each) => each.properties !== undefined) ?? []
  return [[path, schema] as [string, Schema], ...blocks.flatMap((each) => leavesOf(each, path))]
}

const notOfTheRecord = ['expectedVersion', 'reason']
const shapes = { accountShape1, accountShape2, newAccountRequest, updateAccountRequest }
const formatOf: Readonly<Record<string, readonly string[]>> = {
  date: ['day'],
  birthDate: ['day'],
  flag: ['yesNo'],
  email: ['email'],
  country: ['country'],
  percent: ['percent'],
  codes: ['codes'],
  code: ['code'],
  taxId: ['masked'],
}

for (const [name, shape] of Object.entries(shapes)) {
  test(`every field of ${name} is in the catalogue`, () => {
    const leaves = leavesOf(shape as Schema, '').filter(([path]) => !notOfTheRecord.includes(path))
    assert.ok(leaves.length > 60)
    for (const [path, schema] of leaves) {
      const field = fieldOf(path)
      const isOpenBlock = schema.patternProperties !== undefined
      if (isOpenBlock) continue
      assert.ok(field, `${path} is not in the catalogue`)
      const list = schema['x-code-list'] ?? schema['x-reads']?.list
      if (list !== undefined && !path.endsWith('affiliation.relationship'))
        assert.equal(field.list, list, path)
      const formats = formatOf[schema['x-reads']?.kind ?? '']
      if (formats !== undefined) assert.ok(formats.includes(field.format), `${path} is ${field.format}`)
    }
  })
}

test('no two fields of a block have the same label', () => {
  const seen = new Map<string, string>()
  for (const { path, place, field } of listFields()) {
    const key = `${path.slice(0, path.lastIndexOf('.') + 1)} ${field.label}`
    assert.equal(seen.get(key), undefined, `${path} and ${seen.get(key)} are both ${place} › ${field.label}`)
    seen.set(key, path)
  }
  assert.ok(seen.size > 150)
})

test('a field is found by any of its names, and its path is rendered from the outermost block to the innermost', () => {
  assert.equal(fieldOf('primaryOwner.name1')?.label, 'First name')
  assert.equal(fieldOf('PRIMARYOWNER.Name3')?.label, 'Last name')
  assert.equal(fieldOf('retirementBenes[2].taxId')?.label, 'Tax id')
  assert.equal(fieldOf('subNumber')?.label, 'Entity')
  assert.equal(fieldOf('primaryOwner.affiliation.industry')?.format, 'yesNo')
  assert.equal(fieldOf('constructor'), undefined)
  assert.equal(fieldOf('primaryOwner.toString'), undefined)
  assert.equal(fieldLabel('primaryOwner.legalAddress'), 'Legal address')
  assert.throws(() => fieldLabel('primaryOwner.shoeSize'))
  const words = (path: string) => pathLabels(path, (name) => `(${name})`).join(' › ')
  assert.equal(words('retirementBenes[1].address.city'), 'Retirement beneficiary 2 › Address › City')
  assert.equal(words('associatedParties[100000000000004711].name3'), 'Associated party …4711 › Last name')
  assert.equal(words('primaryOwner.shoeSize'), 'Primary owner › (shoeSize)')
})

test('every amount of balance-summary has a label', () => {
  const { properties } = balanceSummary.data as unknown as { properties: Record<string, Schema> }
  for (const block of ['marginBalance', 'availableWithdrawal', 'openCall'])
    for (const name of Object.keys(properties[block]?.properties ?? assert.fail(block)))
      assert.match(balanceLabels[name] ?? '', /^[A-Z]/, name)
})

test('each field that update-account cannot change has a reason', () => {
  for (const path of [
    'accountName',
    'main.marginIndicator',
    'primaryOwner.taxIdNumber',
    'associatedParties[0].citizenshipCountry',
    'retirementBenes[0].nameType',
  ])
    assert.match(fieldOf(path)?.fixed ?? '', /^\w.*\.$/, path)
  assert.equal(fieldOf('primaryOwner.legalAddress.city')?.fixed, undefined)
  assert.equal(accountBlock.label, 'Account')
})
