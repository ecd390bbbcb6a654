import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { operations } from '../operations/index.ts'
import { callTableFile, namesOfType, renderCallTable } from './call-table.ts'

test('the committed table of calls is current', () => {
  assert.equal(readFileSync(callTableFile, 'utf8'), renderCallTable())
})

test('no member is a decimal in one place of an operation and an integer in another', () => {
  for (const [name, { data }] of Object.entries(operations)) {
    const integers = namesOfType(data, 'integer')
    const both = [...namesOfType(data, 'number')].filter((member) => integers.has(member))
    assert.deepEqual(both, [], name)
  }
})
