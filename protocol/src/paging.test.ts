/**
 * All operations page in one form: `after` and `size`, `next`, and `total` with `counted`. Other names are marked as
 * deprecated.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deprecatedMembers, type OperationDefinition } from './operation.ts'
import { operations } from './operations/index.ts'

interface Shape {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly 'x-deprecated'?: { readonly since: string }
}

const reads = (Object.entries(operations) as [string, OperationDefinition][])
  .filter(([, { writes, answers }]) => !writes && answers !== 'file')
  .map(([name, operation]) => ({
    name,
    operation,
    asked: (operation.request as Shape).properties ?? {},
    answered: (operation.data as Shape).properties ?? {},
  }))

const paged = reads.filter(({ asked }) => 'after' in asked)

/** Reading 5.5 has pages by number. A client keeps the position in the log of events between polls. */
const ofTheirOwn: Readonly<Record<string, readonly string[]>> = {
  'get-document-details': ['page', 'total'],
  'list-events': ['nextCursor'],
}
const words =
  /^(after|before|cursor|offset|limit|page|pageSize|size|next|previous|total|more|nextCursor|previousCursor)$|^(after|next)[A-Z]/
const ofTheForm = ['after', 'size', 'next', 'previous']

test('an operation that takes a cursor returns the next cursor, and its rows are in one list', () => {
  assert.ok(paged.length > 15)
  for (const { name, answered } of paged) {
    assert.equal(answered.next?.type, 'string', name)
    const lists = Object.values(answered).filter(
      ({ type, items }) => type === 'array' && items?.type === 'object',
    )
    assert.equal(lists.length, 1, name)
  }
})

test('members of a page have no other names, except deprecated names that are marked', () => {
  for (const { name, asked, answered } of reads) {
    for (const [member, shape] of [...Object.entries(asked), ...Object.entries(answered)]) {
      if (!words.test(member) || ofTheForm.includes(member) || ofTheirOwn[name]?.includes(member)) continue
      // Only with `counted`.
      if (member === 'total' && 'counted' in asked) continue
      assert.match(shape['x-deprecated']?.since ?? '', /^\d{4}-\d\d-\d\d$/, `${name} ${member}`)
    }
  }
})

test('a list that takes a size also takes a cursor', () => {
  for (const { name, asked, answered } of reads)
    if ('size' in asked || 'next' in answered) assert.ok('after' in asked, name)
})

test('deprecated members of a request are found by their deprecation marks', () => {
  assert.deepEqual([...deprecatedMembers(operations['list-accounts']).keys()], ['cursor'])
  assert.deepEqual([...deprecatedMembers(operations['list-work']).keys()], [])
})
