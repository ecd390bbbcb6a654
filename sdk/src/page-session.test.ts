import assert from 'node:assert/strict'
import test from 'node:test'
import { failure, startService, success } from '../test/scripted-service.ts'
import { createClient } from './client.ts'
import { RequestRejected, SignedOut } from './failures.ts'

/** The fetch of the page, which records the requests. */
function watchFetch() {
  const asked: RequestInit[] = []
  const fetch: typeof globalThis.fetch = (input, init) => {
    asked.push(init ?? {})
    return globalThis.fetch(input, init)
  }
  return { asked, fetch }
}

test('a page sends its cookie and the header of the console, but no token', async () => {
  await using service = await startService()
  const { asked, fetch } = watchFetch()
  const client = createClient({ baseUrl: service.baseUrl, session: 'page', fetch })
  await client.codeLists()
  const answer = await client.getDocument({ accountNumber: '30100001', documentId: 'x' })
  await answer.body.cancel()
  assert.deepEqual(
    asked.map(({ credentials }) => credentials),
    ['same-origin', 'same-origin'],
  )
  for (const { headers } of service.calls) {
    assert.equal(headers['x-clearing-console'], '1')
    assert.equal(headers.authorization, undefined)
  }
  assert.equal(service.tokenCalls.length, 0)
})

test('an ended session is reported at once, so that the page can sign in', async () => {
  await using service = await startService({ script: [failure(401, [{ code: 'ERR.3002' }])] })
  const client = createClient({ baseUrl: service.baseUrl, session: 'page' })
  await assert.rejects(
    client.codeLists(),
    (error) => error instanceof SignedOut && error instanceof RequestRejected && error.status === 401,
  )
  assert.equal(service.calls.length, 1)
  const events = client.events({}, { from: 'now' })
  await assert.rejects(events.next(), SignedOut)
  assert.equal(service.calls.length, 2)
})

test('the event stream of a page is sent with its session', async () => {
  const event = { id: '1', type: 'account.opened' }
  await using service = await startService({
    script: [
      { headers: { 'content-type': 'text/event-stream' }, text: `data: ${JSON.stringify(event)}\n\n` },
      success({}),
    ],
  })
  const { asked, fetch } = watchFetch()
  const client = createClient({ baseUrl: service.baseUrl, session: 'page', fetch })
  for await (const received of client.events({}, { from: 'now' })) {
    assert.equal(received.type, 'account.opened')
    break
  }
  assert.equal(asked[0]?.credentials, 'same-origin')
  assert.equal(service.calls[0]?.headers['x-clearing-console'], '1')
})

test('a client with a token does not send the header of a page', async () => {
  await using service = await startService()
  await createClient(service.settings).codeLists()
  assert.equal(service.calls[0]?.headers['x-clearing-console'], undefined)
})
