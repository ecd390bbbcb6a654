import assert from 'node:assert/strict'
import test from 'node:test'
import { failure, type Script, startService, success } from '../test/scripted-service.ts'
import { createClient } from './client.ts'
import {
  type CallFailed,
  OutcomeUnknown,
  RequestRejected,
  ServiceFailed,
  ServiceUnavailable,
  Silence,
} from './failures.ts'
import type { Retry } from './settings.ts'

const reservation = { entityNumber: '301', repCode: 'JC01', registrationType: 'Individual' }
const rate = failure(429, [{ code: 'ERR.2007' }])
const away = failure(503, [{ code: 'ERR.5003' }])
const cut = { text: '{"statusCode":200,"mess' }

const fault = failure(500, [{ code: 'ERR.5000' }])

/** Each row has the replies of the service in order, and the number of attempts until the result. */
const passing: readonly [title: string, script: Script][] = [
  ['too many requests', [rate, success({})]],
  ['a service that is unavailable for a while', [away, away, success({})]],
  [
    'a gateway without its service',
    [{ status: 502, text: 'bad gateway' }, { status: 504, text: '' }, success({})],
  ],
  [
    'a service that its proxy cannot reach',
    [
      { status: 520, text: 'error code: 520' },
      { status: 522, text: '' },
      { status: 524, text: '' },
      success({}),
    ],
  ],
  ['a request that arrives too slowly', [failure(408, [{ code: 'ERR.2004' }]), success({})]],
  ['a fault of the service', [fault, fault, success({})]],
  ['a connection that breaks', ['hang-up', success({})]],
  ['a response that is cut off', [{ headers: { 'content-length': '999' }, text: '{' }, success({})]],
  ['a response that breaks off without a length', [cut, success({})]],
  [
    'a call with a concurrent duplicate that is still running',
    [failure(409, [{ code: 'ERR.2009' }]), success({})],
  ],
]
for (const [title, script] of passing) {
  test(`${title} is retried, and every attempt of a write has the same key and trace`, async () => {
    await using service = await startService({ script })
    const client = createClient({ ...service.settings, timeoutMs: 1_500 })
    await client.accountNumber(reservation)
    assert.equal(service.calls.length, script.length)
    assert.equal(new Set(service.calls.map((call) => call.headers['idempotency-key'])).size, 1)
    assert.equal(new Set(service.calls.map((call) => call.headers.traceparent)).size, 1)
    assert.equal(new Set(service.calls.map((call) => call.text)).size, 1)
  })
}

/** Each row has a response that retries cannot correct, and the resulting error. */
const final: readonly [title: string, Script[number], new (...args: never[]) => CallFailed][] = [
  ['a wrong request', failure(400, [{ code: 'ERR.1000' }]), RequestRejected],
  ['a missing scope', failure(403, [{ code: 'ERR.3004' }]), RequestRejected],
  ['an unknown account', failure(404, [{ code: 'ERR.2003' }]), RequestRejected],
  ['a stale version', failure(409, [{ code: 'ERR.2010' }]), RequestRejected],
  ['a key used for another body', failure(422, [{ code: 'ERR.2008' }]), RequestRejected],
  ['a page of another server', { status: 200, text: '<html>' }, ServiceFailed],
  ['a redirection', { status: 302, headers: { location: '/elsewhere' }, text: '' }, ServiceFailed],
]
for (const [title, reply, kind] of final) {
  test(`${title} is not retried`, async () => {
    await using service = await startService({ script: [reply] })
    await assert.rejects(createClient(service.settings).accountNumber(reservation), kind)
    assert.equal(service.calls.length, 1)
  })
}

test('a fault of the service that stays is reported after two retries', async () => {
  await using service = await startService({ script: [fault] })
  const client = createClient(service.settings)
  await assert.rejects(client.accountNumber(reservation), ServiceFailed)
  assert.equal(service.calls.length, 3)
  await assert.rejects(client.codeLists({}, { retries: 1 }), ServiceFailed)
  assert.equal(service.calls.length, 5)
})

test('retries end at the maximum number', async () => {
  await using service = await startService({ script: [rate] })
  const client = createClient({ ...service.settings, retries: 3 })
  await assert.rejects(client.codeLists(), RequestRejected)
  assert.equal(service.calls.length, 4)
  await assert.rejects(client.codeLists({}, { retries: 0 }), RequestRejected)
  assert.equal(service.calls.length, 5)
})

test('a read and a write with a key are retried until the time ends', async () => {
  let failures = 0
  await using service = await startService({ script: [() => (failures++ < 20 ? away : success({}))] })
  const client = createClient({ ...service.settings, retryDelayMsMax: 2 })
  await client.codeLists()
  failures = 0
  await client.accountNumber(reservation)
  assert.equal(service.calls.length, 42)
  failures = Number.NEGATIVE_INFINITY
  const settings = { retryForMs: 100, idempotencyKey: 'key-1' }
  await assert.rejects(client.accountNumber(reservation, settings), OutcomeUnknown)
})

test('each retry is reported with its reason and waits as long as the service requests', async () => {
  await using service = await startService({
    script: [failure(429, [{ code: 'ERR.2007' }], { 'retry-after': '1' }), away, success({})],
  })
  const retries: Retry[] = []
  const onRetry = (retry: Retry) => retries.push(retry)
  await createClient({ ...service.settings, onRetry }).codeLists()
  assert.deepEqual(
    retries.map(({ operation, number, reason }) => [operation, number, (reason as CallFailed).status]),
    [
      ['code-lists', 1, 429],
      ['code-lists', 2, 503],
    ],
  )
  assert.ok((retries[0]?.delayMs ?? 0) >= 1000)
  assert.ok((retries[1]?.delayMs ?? 1000) < 1000)
})

test('a requested wait beyond the limit of the caller ends the call and is reported', async () => {
  const closed = failure(503, [{ code: 'ERR.1004' }], { 'retry-after': '36000' })
  await using service = await startService({ script: [closed] })
  await assert.rejects(createClient(service.settings).accountNumber(reservation), (error) => {
    assert.ok(error instanceof ServiceUnavailable)
    assert.equal(error.retryAfterMs, 36_000_000)
    assert.ok(error.has('ERR.1004'))
    return true
  })
  assert.equal(service.calls.length, 1)
})

/** Each row has the replies to a write until the retries end, and whether it may have taken effect. */
const writes: readonly [title: string, Script, new (...args: never[]) => CallFailed][] = [
  ['lost connections', ['hang-up'], OutcomeUnknown],
  ['silence', ['silence'], OutcomeUnknown],
  ['an incomplete response', ['half'], OutcomeUnknown],
  ['a response that breaks off without a length', [cut], OutcomeUnknown],
  ['an unavailable service', [away], OutcomeUnknown],
  ['closed update hours', [failure(503, [{ code: 'ERR.1004' }])], ServiceUnavailable],
  ['only too many requests', [rate], RequestRejected],
  ['a lost connection, then too many requests', ['hang-up', rate], OutcomeUnknown],
  ['a concurrent duplicate that never ends', [failure(409, [{ code: 'ERR.2009' }])], OutcomeUnknown],
  [
    'a lost connection, then a rejection of the same key',
    ['hang-up', failure(400, [{ code: 'ERR.1000' }])],
    RequestRejected,
  ],
  [
    'a lost connection, then a credential without access',
    ['hang-up', failure(403, [{ code: 'ERR.2029' }])],
    OutcomeUnknown,
  ],
  [
    "a lost connection, then another firm's entity number",
    ['hang-up', failure(403, [{ code: 'ERR.1003', field: 'entityNumber' }])],
    RequestRejected,
  ],
  ['a lost connection, then a page of a proxy', ['hang-up', { status: 404, text: '<html>' }], OutcomeUnknown],
]
for (const [title, script, kind] of writes) {
  test(`a write with ${title} ends with ${kind.name}`, async () => {
    await using service = await startService({ script })
    const isSilent = script.some((reply) => reply === 'silence' || reply === 'half')
    const client = createClient({
      baseUrl: service.baseUrl,
      accessToken: () => 'token',
      retries: 1,
      retryDelayMs: 1,
      timeoutMs: isSilent ? 40 : 10_000,
    })
    await assert.rejects(client.accountNumber(reservation, { idempotencyKey: 'key-1' }), (error) => {
      assert.equal((error as Error).constructor, kind)
      assert.equal((error as CallFailed).idempotencyKey, 'key-1')
      return true
    })
  })
}

for (const [title, reply] of [
  ['a lost connection', 'hang-up'],
  ['an unavailable service', away],
  ['an incomplete response', cut],
  ['a concurrent duplicate', failure(409, [{ code: 'ERR.2009' }])],
] as const) {
  test(`after ${title}, neither the error, nor its cause, nor the retry states that nothing was changed`, async () => {
    await using service = await startService({ script: [reply] })
    const retried: Retry[] = []
    const onRetry = (retry: Retry) => retried.push(retry)
    const client = createClient({ ...service.settings, onRetry, retries: 1 })
    await assert.rejects(client.accountNumber(reservation), (error) => {
      assert.ok(error instanceof OutcomeUnknown)
      for (const { message } of [error, error.cause as Error, ...retried.map(({ reason }) => reason)])
        assert.doesNotMatch(message, /Nothing was changed/)
      return true
    })
    assert.equal(retried.length, 1)
  })
}

test('a token that becomes invalid again while a call is retried is replaced again', async () => {
  const expired = failure(401, [{ code: 'ERR.3003' }])
  await using service = await startService({ script: [expired, away, expired, away, expired, success({})] })
  await createClient(service.settings).accountNumber(reservation)
  assert.deepEqual(
    service.calls.map(({ headers }) => headers.authorization),
    ['token-1', 'token-2', 'token-2', 'token-3', 'token-3', 'token-4'].map((token) => `Bearer ${token}`),
  )
})

test('a token that is rejected twice for one attempt ends the call', async () => {
  const expired = failure(401, [{ code: 'ERR.3003' }])
  await using service = await startService({ script: [away, expired] })
  await assert.rejects(createClient(service.settings).codeLists(), RequestRejected)
  assert.equal(service.calls.length, 3)
})

test('a write whose token request fails after a lost attempt has an unknown outcome', async () => {
  await using service = await startService({
    script: ['hang-up', failure(401, [{ code: 'ERR.3003' }])],
    tokenScript: [{ json: { access_token: 'a' } }, { status: 401, json: { error: 'invalid_client' } }],
  })
  await assert.rejects(createClient(service.settings).accountNumber(reservation), OutcomeUnknown)
})

test('a read without a response has no unknown outcome', async () => {
  await using service = await startService({ script: ['silence'] })
  const { baseUrl } = service
  const client = createClient({ baseUrl, accessToken: () => 'token', retries: 1, timeoutMs: 40 })
  await assert.rejects(client.codeLists(), (error) => {
    assert.ok(error instanceof ServiceUnavailable)
    assert.match(
      error.message,
      /^code-lists: no response for 40 ms\n {2}traceId 00-[0-9a-f]{32}-.*\n {2}Nothing was changed. If the service needs longer, raise timeoutMs;/,
    )
    assert.ok((error.cause as Error).cause instanceof Silence)
    return true
  })
})

test('a timeout without an end, or longer than a timer runs, does not end a call', async () => {
  for (const timeoutMs of [Number.POSITIVE_INFINITY, 2 ** 31]) {
    await using service = await startService()
    const client = createClient({ ...service.settings, retries: 0, timeoutMs })
    await client.accountNumber(reservation)
    await createClient(service.settings).accountNumber(reservation, { retries: 0, timeoutMs })
  }
})

test('a wrong limit of a call is reported before the call is sent', async () => {
  await using service = await startService()
  const client = createClient(service.settings)
  for (const [settings, message] of [
    [{ timeoutMs: Number.NaN }, /^timeoutMs must be a number of at least 0; got NaN$/],
    [{ retries: -1 }, /^retries must be a number of at least 0; got -1$/],
    [{ retryForMs: Number.NaN }, /^retryForMs must be a number of at least 0; got NaN$/],
  ] as const)
    await assert.rejects(client.accountNumber(reservation, settings), { name: 'TypeError', message })
  assert.equal(service.calls.length, 0)
})

test('a write to an address without a listener is known to have no effect', async () => {
  const service = await startService()
  await service[Symbol.asyncDispose]()
  const client = createClient({ ...service.settings, retries: 1, accessToken: () => 't' })
  await assert.rejects(client.accountNumber(reservation), (error) => {
    assert.ok(error instanceof ServiceUnavailable)
    assert.match(error.message, /ECONNREFUSED/)
    return true
  })
})

test('a port that fetch refuses is reported at once: no retry can help', async () => {
  const settings = { baseUrl: 'http://127.0.0.1:6000', onRetry: () => assert.fail('it was retried') }
  const message = /^fetch does not connect to the port of http:\/\/127\.0\.0\.1:6000\/.*: use another port$/
  for (const credentials of [{ accessToken: () => 't' }, { clientId: 'a', clientSecret: 'b' }]) {
    const client = createClient({ ...settings, ...credentials })
    await assert.rejects(client.accountNumber(reservation), { name: 'TypeError', message })
    await assert.rejects(client.events({}).next(), { name: 'TypeError', message })
  }
})

test('a caller can abort a call while it waits for the response', async () => {
  await using service = await startService({
    script: [
      () => {
        controller.abort(new Error('no longer wanted'))
        return 'silence'
      },
    ],
  })
  const controller = new AbortController()
  const settings = { signal: controller.signal, retries: 0 }
  const call = createClient(service.settings).accountNumber(reservation, settings)
  await assert.rejects(call, /no longer wanted/)
  assert.equal(service.calls.length, 1)
})

test('a caller can abort a call between two attempts', async () => {
  await using service = await startService({ script: [away] })
  const controller = new AbortController()
  const client = createClient({
    ...service.settings,
    retryDelayMs: 60_000,
    retryDelayMsMax: 60_000,
    onRetry: () => controller.abort(new Error('no longer wanted')),
  })
  await assert.rejects(client.codeLists({}, { signal: controller.signal }), /no longer wanted/)
  assert.equal(service.calls.length, 1)
})

test('a call with an aborted signal sends nothing', async () => {
  await using service = await startService()
  const client = createClient(service.settings)
  await assert.rejects(client.codeLists({}, { signal: AbortSignal.abort(new Error('never')) }), /never/)
  assert.equal(service.calls.length + service.tokenCalls.length, 0)
})
