/** One form of paging over the table of operations: `after` and `size`, `next`, and `total` where `counted` is sent. Other names are older ones, and marked. */
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

/** Pages by number are in the readings (5.5), and the place in the log of events is kept from one pull to a later one. */
const ofTheirOwn: Readonly<Record<string, readonly string[]>> = {
  'get-document-details': ['page', 'total'],
  'list-events': ['nextCursor'],
}
const words =
  /^(after|before|cursor|offset|limit|page|pageSize|size|next|previous|total|more|nextCursor|previousCursor)$|^(after|next)[A-Z]/
const ofTheForm = ['after', 'size', 'next', 'previous']

test('what asks for a place answers the next one, and its rows are one list', () => {
  assert.ok(paged.length > 15)
  for (const { name, answered } of paged) {
    assert.equal(answered.next?.type, 'string', name)
    const lists = Object.values(answered).filter(
      ({ type, items }) => type === 'array' && items?.type === 'object',
    )
    assert.equal(lists.length, 1, name)
  }
})

test('no member of a page has another name, but for older ones, which are marked', () => {
  for (const { name, asked, answered } of reads) {
    for (const [member, shape] of [...Object.entries(asked), ...Object.entries(answered)]) {
      if (!words.test(member) || ofTheForm.includes(member) || ofTheirOwn[name]?.includes(member)) continue
      // Counted where that is asked for.
      if (member === 'total' && 'counted' in asked) continue
      assert.match(shape['x-deprecated']?.since ?? '', /^\d{4}-\d\d-\d\d$/, `${name} ${member}`)
    }
  }
})

test('a list whose size can be chosen has a place too', () => {
  for (const { name, asked, answered } of reads)
    if ('size' in asked || 'next' in answered) assert.ok('after' in asked, name)
})

test('the members of a request that are on their way out are known by their marks', () => {
  assert.deepEqual([...deprecatedMembers(operations['list-accounts']).keys()], ['cursor'])
  assert.deepEqual([...deprecatedMembers(operations['list-work']).keys()], [])
})
