import assert from 'node:assert/strict'
import test from 'node:test'
import { type OperationDefinition, type OperationName, operations } from '@clearing/protocol'
import { startService, success, traceId } from '../test/scripted-service.ts'
import { createClient } from './client.ts'
import { pagingOf } from './paging.ts'

async function collect<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const row of rows) found.push(row)
  return found
}
function bodies(service: { calls: { text: string }[] }) {
  return service.calls.map(({ text }) => JSON.parse(text))
}

test('every operation whose response has a cursor can be iterated', () => {
  for (const [name, operation] of Object.entries<OperationDefinition>(operations)) {
    const { request, data } = operation as { request: { properties?: object }; data: { properties?: object } }
    const wanted = Object.keys(request.properties ?? {})
    const hasPlace = ['cursor', 'after', 'page'].some((place) => wanted.includes(place))
    const isList = Object.values(data.properties ?? {}).some(({ type }) => type === 'array')
    if (hasPlace && isList && !operation.writes)
      assert.ok(pagingOf(name as OperationName), `${name} has no iterator`)
  }
})

test('an iterator returns the rows of all pages, and requests each page with the whole request', async () => {
  await using service = await startService({
    script: [
      success({ calls: [{ amount: 1 }, { amount: 2 }], next: 'b' }),
      success({ calls: [], next: 'c' }),
      success({ calls: [{ amount: 3 }], next: '' }),
    ],
  })
  const client = createClient(service.settings)
  const calls = await collect(client.listCalls.each({ includeMet: true }))
  assert.deepEqual(
    calls.map(({ amount }) => amount),
    [1, 2, 3],
  )
  assert.deepEqual(bodies(service), [
    { includeMet: true },
    { includeMet: true, after: 'b' },
    { includeMet: true, after: 'c' },
  ])
})

test('onPage gets each page before its rows, with the message of an empty page', async () => {
  const none = 'Your firm has no account with this number.'
  const empty = {
    json: { message: none, data: { calls: [], next: '' }, errors: [], traceId, hasErrors: false },
  }
  await using service = await startService({
    script: [success({ calls: [{ amount: 1 }], next: 'b' }), empty],
  })
  const seen: string[] = []
  const settings = {
    onPage: ({ message, data }: { message: string; data: { calls: unknown[] } }) =>
      seen.push(`${data.calls.length} ${message}`),
  }
  for await (const { amount } of createClient(service.settings).listCalls.each({}, settings))
    seen.push(String(amount))
  assert.deepEqual(seen, ['1 Request successful.', '1', `0 ${none}`])
})

test('an iterator that begins with a deprecated name or a page number continues with after only', async () => {
  await using service = await startService({
    script: [
      success({ rejects: [{ line: 1 }], next: '1.1', nextLine: 1 }),
      success({ rejects: [{ line: 2 }], next: '', nextLine: 2 }),
      success({ documents: [{ documentId: 'a' }], page: 2, size: 1, total: 3, next: 'b' }),
      success({ documents: [{ documentId: 'b' }], page: 3, size: 1, total: 3, next: '' }),
      success({ events: [{ id: 'e' }], next: 'x', nextCursor: 'x', more: true }),
      success({ events: [{ id: 'f' }], next: '', nextCursor: 'y', more: false }),
    ],
  })
  const client = createClient(service.settings)
  assert.equal((await collect(client.operations.getLoad.each({ loadId: 'l', afterLine: 0 }))).length, 2)
  const documents = client.getDocumentDetails.each({ accountNumber: '30100001', size: 1, page: 2 })
  assert.equal((await collect(documents)).length, 2)
  assert.equal((await collect(client.listEvents.each({ cursor: 'w' }))).length, 2)
  assert.deepEqual(bodies(service), [
    { loadId: 'l', afterLine: 0 },
    { loadId: 'l', after: '1.1' },
    { accountNumber: '30100001', size: 1, page: 2 },
    { accountNumber: '30100001', size: 1, after: 'b' },
    { cursor: 'w' },
    { after: 'x' },
  ])
})

test('a response without next is an error and not the end of the list', async () => {
  await using service = await startService({ script: [success({ calls: [{ amount: 1 }] })] })
  await assert.rejects(collect(createClient(service.settings).listCalls.each()), /older than this client/)
})

test('a page is requested only when its rows are read', async () => {
  await using service = await startService({ script: [success({ calls: [{ amount: 1 }], next: 'b' })] })
  for await (const _call of createClient(service.settings).listCalls.each()) break
  assert.equal(service.calls.length, 1)
})

test('a signal ends an iterator between two rows of a page', async () => {
  const events = ['a', 'b', 'c'].map((id) => ({ id }))
  await using service = await startService({ script: [success({ events, next: '' })] })
  const controller = new AbortController()
  const taken: string[] = []
  const take = async () => {
    for await (const { id } of createClient(service.settings).listEvents.each(
      {},
      { signal: controller.signal },
    )) {
      taken.push(id)
      if (id === 'b') controller.abort(new Error('enough'))
    }
  }
  await assert.rejects(take(), /enough/)
  assert.deepEqual(taken, ['a', 'b'])
})

test('an iterator starts at the cursor of the request, and a failure ends it', async () => {
  await using service = await startService({
    script: [success({ calls: [{ amount: 1 }], next: 'q' }), { status: 400, text: 'broken' }],
  })
  const found: number[] = []
  await assert.rejects(async () => {
    for await (const { amount } of createClient(service.settings).listCalls.each({ after: 'p' }))
      found.push(amount)
  }, /list-calls/)
  assert.deepEqual(found, [1])
  assert.deepEqual(bodies(service), [{ after: 'p' }, { after: 'q' }])
})
