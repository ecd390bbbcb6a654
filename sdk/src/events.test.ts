import assert from 'node:assert/strict'
import test from 'node:test'
import { failure, type Reply, startService, success } from '../test/scripted-service.ts'
import { createClient } from './client.ts'
import { type CloudEvent, EventsMissed } from './events.ts'
import { RequestRejected, ServiceFailed, TokenRefused } from './failures.ts'

function event(sequence: number) {
  return {
    id: `id-${sequence}`,
    type: 'account.updated',
    sequence,
    cursor: `c${sequence}`,
  }
}
function page(sequences: number[], more: boolean, nextCursor: string) {
  return success({ events: sequences.map(event), next: more ? nextCursor : '', nextCursor, more })
}
function streamed(...blocks: string[]): Reply {
  return {
    headers: { 'content-type': 'text/event-stream' },
    text: blocks.map((block) => `${block}\n\n`).join(''),
  }
}
function block(sequence: number) {
  return `id: c${sequence}\ndata: ${JSON.stringify(event(sequence))}`
}

async function take(events: AsyncIterable<CloudEvent>, count: number): Promise<(number | undefined)[]> {
  const taken: (number | undefined)[] = []
  for await (const { sequence } of events) {
    taken.push(sequence)
    if (taken.length === count) break
  }
  return taken
}

test('events are read page by page, and then streamed from the end of the last page', async () => {
  await using service = await startService({
    script: [page([1, 2], true, 'c2'), page([3], false, 'c3'), streamed('id: c3', block(4)), 'silence'],
  })
  const client = createClient(service.settings)
  assert.deepEqual(
    await take(client.events({ types: ['account.*', 'call.met'], repCode: 'JC01' }), 4),
    [1, 2, 3, 4],
  )
  const [first, second, third] = service.calls
  assert.deepEqual(JSON.parse(first?.text ?? ''), {
    types: ['account.*', 'call.met'],
    repCode: 'JC01',
    size: 500,
  })
  assert.equal(JSON.parse(second?.text ?? '').after, 'c2')
  assert.equal(third?.path, '/account-api/v1/events?types=account.*%2Ccall.met&repCode=JC01')
  assert.equal(third?.headers['last-event-id'], 'c3')
  assert.equal(third?.headers.accept, 'text/event-stream')
})

test('a broken stream resumes after the last event, with a new token if the old one was refused', async () => {
  await using service = await startService({
    script: [
      streamed('id: c0', block(1), block(2)),
      'hang-up',
      failure(503, [{ code: 'ERR.5003' }], { 'retry-after': '0' }),
      failure(401, [{ code: 'ERR.3003' }]),
      streamed(': heartbeat', 'id: c9'),
      streamed(block(10)),
      'silence',
    ],
  })
  const client = createClient(service.settings)
  assert.deepEqual(await take(client.events({}, { from: 'now' }), 3), [1, 2, 10])
  assert.deepEqual(
    service.calls.slice(0, 6).map(({ headers }) => headers['last-event-id']),
    [undefined, 'c2', 'c2', 'c2', 'c2', 'c9'],
  )
  assert.equal(service.tokenCalls.length, 2)
})

test('without follow, the loop ends at the end of the log', async () => {
  await using service = await startService({ script: [page([5], false, 'c5')] })
  const client = createClient(service.settings)
  assert.deepEqual(await take(client.events({ cursor: 'c4' }, { follow: false }), 9), [5])
  assert.equal(JSON.parse(service.calls[0]?.text ?? '').after, 'c4')
  assert.equal(service.calls.length, 1)
})

test('a cursor older than the log causes an error with the cursor at which to continue', async () => {
  const reset = `event: reset\nid: c99\ndata: ${JSON.stringify({ cursor: 'c99', reason: 'Too old.' })}`
  await using service = await startService({ script: [page([], false, 'c1'), streamed(reset)] })
  const client = createClient(service.settings)
  await assert.rejects(take(client.events({ cursor: 'c1' }), 1), (error) => {
    assert.ok(error instanceof EventsMissed)
    assert.deepEqual([error.message, error.cursor], ['Too old.', 'c99'])
    return true
  })
})

test('a rejected filter causes an error and is not retried', async () => {
  await using service = await startService({ script: [failure(400, [{ code: 'ERR.1015', field: 'types' }])] })
  const client = createClient(service.settings)
  await assert.rejects(take(client.events({}, { from: 'now' }), 1), (error) => {
    assert.ok(error instanceof RequestRejected)
    assert.ok(error.has('ERR.1015'))
    return true
  })
  assert.equal(service.calls.length, 1)
})

test('a signal ends the loop between two events of a page', async () => {
  const controller = new AbortController()
  await using service = await startService({ script: [page([1, 2, 3], false, 'c3')] })
  const events = createClient(service.settings).events({}, { signal: controller.signal })
  const stop = async () => {
    for await (const { sequence } of events) {
      if (sequence === 2) controller.abort(new Error('enough'))
      assert.notEqual(sequence, 3)
    }
  }
  await assert.rejects(stop(), /enough/)
})

test('a signal ends the loop while it waits', async () => {
  const controller = new AbortController()
  await using service = await startService({
    script: [
      () => {
        setImmediate(() => controller.abort(new Error('enough')))
        return 'silence'
      },
    ],
  })
  const client = createClient(service.settings)
  await assert.rejects(take(client.events({}, { from: 'now', signal: controller.signal }), 1), /enough/)
})

test('a stream without data for longer than the interval of the service counts as broken', async () => {
  await using service = await startService({ script: ['silence', streamed(block(1))] })
  const client = createClient({ ...service.settings, timeoutMs: 200 })
  assert.deepEqual(await take(client.events({}, { from: 'now' }), 1), [1])
})

test('a loop without a token ends with the reason, and does not try for ever', async () => {
  const refused = { status: 401, json: { error: 'invalid_client' } }
  await using service = await startService({ script: ['silence'], tokenScript: [refused] })
  const { clientId, clientSecret, ...connection } = service.settings
  const onRetry = ({ reason }: { reason: Error }) => assert.fail(reason)
  const newEvents = { from: 'now' } as const
  const client = createClient({ ...connection, clientId, clientSecret, onRetry })
  await assert.rejects(take(client.events({}, newEvents), 1), TokenRefused)
  const accessToken = () => Promise.reject(new Error('the vault is sealed'))
  const borrowing = createClient({ ...connection, accessToken, onRetry })
  await assert.rejects(take(borrowing.events({}, newEvents), 1), /^Error: the vault is sealed$/)
})

test('a page of an intermediary is not read as a stream', async () => {
  const page = { headers: { 'content-type': 'text/html' }, text: '<p>Sign in' }
  await using service = await startService({ script: [page] })
  await assert.rejects(take(createClient(service.settings).events({}, { from: 'now' }), 1), ServiceFailed)
  assert.equal(service.calls.length, 1)
})
