/**
 * All lists page in one form: `after` and `size`, `next`. Page by page, every list has the same rows as in one page.
 * Deprecated names still work and are reported as deprecated.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  type CodeListName,
  codeLists,
  deprecatedMembers,
  type OperationDefinition,
  operations,
} from '@clearing/protocol'
import { rowsName } from '@clearing/sdk'
import { type ListedRows, placedOperations, shapeOf, startListedRows } from './listed-rows.ts'

let lists: ListedRows
before(async () => {
  lists = await startListedRows()
})
after(() => lists?.service.stop())

const pagesMax = 500
type Row = Record<string, unknown>

/** Rows of the operation's list that do not change during the test. */
async function walk(name: string, operation: OperationDefinition, size: number, order: object = {}) {
  const rows: unknown[] = []
  let place = {}
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const answer = await lists.ask(name, operation, {
      ...lists.requestOf(operation),
      ...order,
      size,
      ...place,
    })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.headers.get('deprecation'), null)
    const { next, [rowsName(operation.data) as string]: page } = answer.json.data
    rows.push(...(name === 'list-deliveries' ? page.map(withoutAttempts) : page))
    if (next === '') return rows
    assert.ok(page.length <= size)
    place = { after: next }
  }
  throw new Error(`${name} does not come to its end`)
}

/** Deliveries to an address without a listener are tried again while they are listed. */
function withoutAttempts({ attempts: _, status: __, nextAttemptOn: ___, ...delivery }: Row) {
  return delivery
}

/** Each call adds a row to these logs. */
const growing = ['list-requests', 'list-readings', 'list-audit', 'list-events']
/**
 * The first list is empty when everything is correct, and the last for a program. The others need closed days, which
 * their own tests close.
 */
const walkedElsewhere = [
  'verify-books',
  'list-corrections',
  'list-margin-interest',
  'list-closes',
  'list-statements',
  'list-corporate-actions',
  'list-action-entitlements',
  'list-notifications',
  'list-incidents',
]

describe('every list', () => {
  for (const { name, operation } of placedOperations(['after'])) {
    if (growing.includes(name) || walkedElsewhere.includes(name)) continue
    test(`${name} has the same rows one by one and all at once`, async () => {
      const whole = await walk(name, operation, 100)
      assert.ok(whole.length > 1 || name === 'list-audit-heads')
      assert.deepEqual(await walk(name, operation, 1), whole)
    })
  }

  test('has a next page in the logs that grow by being read', async () => {
    for (const name of growing) {
      const operation: OperationDefinition = operations[name as keyof typeof operations]
      const first = await lists.ask(name, operation, { size: 1 })
      const second = await lists.ask(name, operation, { size: 1, after: first.json.data.next })
      const [one, other] = [first, second].map(({ json }) => json.data[rowsName(operation.data) as string])
      assert.deepEqual([one.length, other.length], [1, 1], name)
      assert.notDeepEqual(one, other, name)
    }
  })
})

describe('every order', () => {
  const sorted = placedOperations(['sortBy']).filter(
    ({ operation }) => 'after' in (shapeOf(operation).properties ?? {}),
  )
  const ordersOf = (operation: OperationDefinition): string[] => {
    const { sortBy } = shapeOf(operation).properties as { sortBy: { 'x-code-list': CodeListName } }
    return codeLists[sortBy['x-code-list']].map(({ value }) => value)
  }

  test('covers the lists that the console sorts', () => {
    assert.ok(sorted.some(({ name }) => name === 'list-work') && sorted.length > 3)
  })

  for (const { name, operation } of sorted) {
    test(`of ${name} has the same rows one by one and all at once, and in reverse backwards`, async () => {
      const everything = await walk(name, operation, 100)
      for (const sortBy of ordersOf(operation)) {
        const whole = await walk(name, operation, 100, { sortBy, sortMode: 'ascend' })
        assert.deepEqual(await walk(name, operation, 1, { sortBy, sortMode: 'ascend' }), whole, sortBy)
        assert.deepEqual(
          await walk(name, operation, 2, { sortBy, sortMode: 'descend' }),
          whole.toReversed(),
          sortBy,
        )
        // Accounts that were never open have no day for the sort.
        if (sortBy !== 'openedDate') assert.equal(whole.length, everything.length, sortBy)
      }
    })

    // Pages by number have no cursor in an order.
    if (name !== 'get-document-details')
      test(`of ${name} has its own cursors`, async () => {
        const request = { ...lists.requestOf(operation), size: 1 }
        const [one, other] = ordersOf(operation)
        const first = await lists.ask(name, operation, { ...request, sortBy: one, sortMode: 'ascend' })
        for (const order of [
          { sortBy: other, sortMode: 'ascend' },
          { sortBy: one, sortMode: 'descend' },
        ]) {
          const answer = await lists.ask(name, operation, {
            ...request,
            ...order,
            after: first.json.data.next,
          })
          assert.equal(answer.status, 400)
          assert.equal(answer.json.errors[0].field, 'after')
        }
      })
  }
})

describe('an older name', () => {
  for (const { name, operation } of placedOperations(['cursor', 'afterLine'])) {
    test(`of ${name} leads to the same page as the new one, and the response gives the date since which it is deprecated`, async () => {
      const [older] = [...deprecatedMembers(operation).keys()]
      const request = { ...lists.requestOf(operation), size: 1 }
      const first = await lists.ask(name, operation, request)
      const { next, nextCursor = null, nextLine } = first.json.data
      assert.notEqual(next, '')
      if (nextCursor !== null) assert.equal(nextCursor, next)
      const [newer, old] = await Promise.all([
        lists.ask(name, operation, { ...request, after: next }),
        lists.ask(name, operation, { ...request, [older as string]: nextLine ?? nextCursor }),
      ])
      assert.deepEqual(old.json.data, newer.json.data)
      assert.equal(old.headers.get('deprecation'), `@${Date.UTC(2026, 10, 22) / 1_000}`)
      assert.match(old.headers.get('link') ?? '', /rel="deprecation"/)
      assert.equal(newer.headers.get('deprecation'), null)
    })
  }

  test('beside the new one with another value is refused', async () => {
    const operation = operations['list-accounts']
    const { next } = (await lists.ask('list-accounts', operation, { size: 1 })).json.data
    const both = await lists.ask('list-accounts', operation, { size: 1, after: next, cursor: `${next}x` })
    assert.deepEqual(
      [
        both.status,
        both.json.errors.map(({ code, field }: { code: string; field: string }) => `${code} ${field}`),
      ],
      [400, ['ERR.1014 after']],
    )
    const same = await lists.ask('list-accounts', operation, { size: 1, after: next, cursor: next })
    assert.equal(same.status, 200)
    const load = operations['get-load']
    const request = { ...lists.requestOf(load), size: 1 }
    const first = (await lists.ask('get-load', load, request)).json.data
    for (const [afterLine, status] of [
      [first.nextLine, 200],
      [first.nextLine + 1, 400],
    ]) {
      const answer = await lists.ask('get-load', load, { ...request, after: first.next, afterLine })
      assert.equal(answer.status, status, answer.text)
      if (status === 400) assert.match(answer.text, /"ERR\.1014".*"after"/)
    }
  })
})

test('the first page of a list has the total number of rows on request', async () => {
  const counting = placedOperations(['counted'])
  assert.ok(counting.length >= 3)
  for (const { name, operation } of counting) {
    const whole = await walk(name, operation, 100)
    const ask = async (members: object) =>
      (await lists.ask(name, operation, { ...lists.requestOf(operation), size: 1, ...members })).json.data
    const first = await ask({ counted: true })
    assert.equal(first.total, whole.length, name)
    assert.equal((await ask({})).total, null)
    assert.equal((await ask({ counted: true, after: first.next })).total, null)
  }
  const { operations: clearing } = lists.service.operations
  for (const filter of [
    { assigned: 'Nobody' },
    { assignedTo: 'nobody@example.com' },
    { queues: ['Break', 'Call'] },
    { olderThanHours: 1 },
    { olderThanHours: 0, assigned: 'Nobody', queues: ['Application'] },
  ]) {
    const { data } = await clearing.listWork({ ...filter, size: 100, counted: true })
    assert.equal(data.total, data.work.length, JSON.stringify(filter))
  }
})

test('a page of rejects may end between two of one line, and no reject of the line is omitted', async () => {
  const line = { externalId: 'two-faults', acctNo: 'nobody', transType: 'Nothing', quantity: 'many' }
  const { operations: clearing } = lists.service.operations
  const { data } = await clearing.loadActivity({ lines: { ndjson: [line] } })
  const all = (await clearing.getLoad({ loadId: data.loadId })).data.rejects
  assert.ok(all.length > 1 && new Set(all.map(({ line }) => line)).size === 1)
  const walked: unknown[] = []
  for await (const reject of clearing.getLoad.each({ loadId: data.loadId, size: 1 })) walked.push(reject)
  assert.deepEqual(walked, all)
})
