import assert from 'node:assert/strict'
import test from 'node:test'
import { failure, issue, startService, success } from '../test/scripted-service.ts'
import { createClient } from './client.ts'
import type { ClientKey } from './client-key.ts'
import { RequestRejected, ServiceUnavailable, TokenRefused } from './failures.ts'
import { createTokenSource } from './tokens.ts'

const refused = failure(401, [{ code: 'ERR.3002' }])
function bearers(service: { calls: { headers: { authorization?: string | undefined } }[] }) {
  return service.calls.map((call) => call.headers.authorization)
}

test('concurrent calls send one token request, with the credentials as a form', async () => {
  await using service = await startService()
  const client = createClient({ ...service.settings, scope: ['accounts:read', 'pii:read'] })
  await Promise.all(Array.from({ length: 20 }, () => client.codeLists()))
  await client.codeLists()
  assert.equal(service.tokenCalls.length, 1)
  const [call] = service.tokenCalls
  assert.deepEqual(Object.fromEntries(new URLSearchParams(call?.text)), {
    grant_type: 'client_credentials',
    client_id: 'alpha',
    client_secret: 'secret',
    scope: 'accounts:read pii:read',
  })
  assert.match(call?.headers['content-type'] as string, /^application\/x-www-form-urlencoded/)
})

test('an expired token is not sent', async () => {
  await using service = await startService({ tokenScript: [issue('old', 0), issue('new', 36_000)] })
  const client = createClient(service.settings)
  await client.codeLists()
  await client.codeLists()
  await client.codeLists()
  assert.deepEqual(bearers(service), ['Bearer old', 'Bearer new', 'Bearer new'])
})

test('a token is renewed before it expires, while the old one is still used', async (t) => {
  await using service = await startService()
  let nowMs = 0
  t.mock.method(performance, 'now', () => nowMs)
  const tokens = createTokenSource(service.settings)
  assert.equal(await tokens.current(), 'token-1')
  nowMs = 36_000_000 * 0.74
  assert.equal(await tokens.current(), 'token-1')
  assert.equal(service.tokenCalls.length, 1)
  nowMs = 36_000_000 * 0.96
  assert.equal(await tokens.current(), 'token-1')
  while ((await tokens.current()) === 'token-1') await new Promise((resolve) => setImmediate(resolve))
  assert.equal(await tokens.current(), 'token-2')
  assert.equal(service.tokenCalls.length, 2)
})

test('a failed renewal does not fail calls while the old token is valid', async (t) => {
  await using service = await startService({
    tokenScript: [issue('old', 100), { status: 400, json: { error: 'x' } }],
  })
  let nowMs = 0
  t.mock.method(performance, 'now', () => nowMs)
  const tokens = createTokenSource(service.settings)
  await tokens.current()
  nowMs = 99_000
  assert.equal(await tokens.current(), 'old')
  while (service.tokenCalls.length < 2) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(await tokens.current(), 'old')
  nowMs = 100_000
  await assert.rejects(tokens.current(), TokenRefused)
})

test('a rejected token is replaced once, and the call is sent again with the same key', async () => {
  await using service = await startService({ script: [refused, success({})] })
  const client = createClient({ ...service.settings, retries: 0 })
  await client.accountNumber({ entityNumber: '301', repCode: 'JC01', registrationType: 'Individual' })
  assert.deepEqual(bearers(service), ['Bearer token-1', 'Bearer token-2'])
  assert.equal(service.calls[0]?.headers['idempotency-key'], service.calls[1]?.headers['idempotency-key'])
})

test('calls whose common token was rejected share one request for a new token', async () => {
  await using service = await startService({
    script: [({ headers }) => (headers.authorization === 'Bearer token-1' ? refused : success({}))],
  })
  const client = createClient(service.settings)
  await Promise.all(Array.from({ length: 10 }, () => client.codeLists()))
  assert.equal(service.tokenCalls.length, 2)
})

test('a second rejection of a token ends the call', async () => {
  await using service = await startService({ script: [refused] })
  const client = createClient(service.settings)
  await assert.rejects(
    client.codeLists(),
    (error) => error instanceof RequestRejected && error.has('ERR.3002'),
  )
  assert.equal(service.calls.length, 2)
})

test('the error for wrong credentials contains the description of the token endpoint, and the request is not retried', async () => {
  await using service = await startService({
    tokenScript: [{ status: 401, json: { error: 'invalid_client', error_description: 'Unknown client' } }],
  })
  const client = createClient(service.settings)
  await assert.rejects(client.codeLists(), (error) => {
    assert.ok(error instanceof TokenRefused)
    assert.equal(
      error.message,
      'No access token (401 invalid_client): Unknown client\n  Check clientId and clientSecret. The credential may be disabled, or its secret replaced.',
    )
    assert.deepEqual(
      [error.status, error.error, error.errorDescription],
      [401, 'invalid_client', 'Unknown client'],
    )
    return true
  })
  assert.equal(service.tokenCalls.length, 1)
  assert.equal(service.calls.length, 0)
})

test('a client with a key is advised about the key, and a description with the remedy needs no advice', async () => {
  const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
  ])
  const clientKey = (await crypto.subtle.exportKey('jwk', privateKey)) as ClientKey
  for (const [description, advice] of [
    ['Client authentication failed.', /^Check clientId, clientKey, .*replace-client-keys/],
    ['The iat of the assertion is 65 seconds ahead of the service.', undefined],
    ['The assertion expired 70 seconds ago.', undefined],
  ] as const) {
    const json = { error: 'invalid_client', error_description: description }
    await using service = await startService({ tokenScript: [{ status: 401, json }] })
    const { clientSecret: _secret, ...settings } = service.settings
    await assert.rejects(createClient({ ...settings, clientKey }).codeLists(), (error) => {
      assert.ok(error instanceof TokenRefused)
      if (advice === undefined) assert.equal(error.advice, undefined)
      else assert.match(`${error.advice}`, advice)
      return true
    })
  }
})

test('the error for an address without a token endpoint contains the reason of the service and what to check', async () => {
  const reason = 'There is no sandbox at this address.'
  await using service = await startService({ tokenScript: [failure(404, [{ code: 'ERR.2027', reason }])] })
  await assert.rejects(createClient(service.settings).codeLists(), {
    name: 'TokenRefused',
    message: `No access token (404 unexpected_answer): ${reason}\n  Check baseUrl, or tokenUrl.`,
  })
})

test('a page instead of a token advises to check the address', async () => {
  await using service = await startService({
    tokenScript: [{ headers: { 'content-type': 'text/html' }, text: '<p>Sign in' }],
  })
  await assert.rejects(createClient(service.settings).codeLists(), {
    name: 'TokenRefused',
    message:
      'No access token (200 unexpected_answer)\n  The response is not that of a token endpoint. Check baseUrl, or tokenUrl.',
  })
})

test('a token request is retried while the endpoint is unavailable', async () => {
  await using service = await startService({
    tokenScript: [{ status: 503, text: 'busy' }, 'hang-up', { status: 429, text: '' }, issue('t', 60)],
  })
  await createClient(service.settings).codeLists()
  assert.equal(service.tokenCalls.length, 4)
})

test('an endpoint that stays unavailable makes the service unavailable', async () => {
  await using service = await startService({ tokenScript: ['hang-up'] })
  const client = createClient({ ...service.settings, retries: 2 })
  await assert.rejects(client.codeLists(), ServiceUnavailable)
  assert.equal(service.tokenCalls.length, 3)
})

test('a caller that stops waiting for a token does not affect the other callers', async () => {
  await using service = await startService()
  const client = createClient(service.settings)
  const impatient = new AbortController()
  const ended = client.codeLists({}, { signal: impatient.signal })
  const other = client.codeLists()
  impatient.abort(new Error('enough'))
  await assert.rejects(ended, /enough/)
  await other
  assert.equal(service.tokenCalls.length, 1)
})

test('a function of the caller supplies tokens, and a new token after a rejection', async () => {
  await using service = await startService({ script: [refused, success({}), success({})] })
  const wanted: boolean[] = []
  const client = createClient({
    baseUrl: service.baseUrl,
    accessToken: ({ renew }) => {
      wanted.push(renew)
      return renew ? 'mine-2' : 'mine-1'
    },
  })
  await client.codeLists()
  await client.codeLists()
  assert.deepEqual(wanted, [false, true, false])
  assert.deepEqual(bearers(service), ['Bearer mine-1', 'Bearer mine-2', 'Bearer mine-1'])
  assert.equal(service.tokenCalls.length, 0)
})

test('a token service that ignores the proof causes an error, so that an unbound token is never used as a bound one', async () => {
  await using service = await startService()
  const client = createClient({ ...service.settings, dpop: true })
  await assert.rejects(client.codeLists(), TokenRefused)
  assert.equal(service.calls.length, 0)
})

test('the retries of a call limit its token requests, and other callers wait within their own limits', async () => {
  await using service = await startService({ tokenScript: ['hang-up', 'hang-up', issue('t', 60)] })
  const client = createClient(service.settings)
  const patient = client.codeLists()
  await assert.rejects(client.codeLists({}, { retries: 1 }), ServiceUnavailable)
  await patient
  assert.equal(service.tokenCalls.length, 3)
})

test('the time of the retries and the timeout of a call limit its token request', async () => {
  await using service = await startService({ tokenScript: ['silence'] })
  const client = createClient(service.settings)
  for (const limits of [
    { retries: 0, timeoutMs: 40 },
    { retryForMs: 50, timeoutMs: 40 },
  ])
    await assert.rejects(client.codeLists({}, limits), {
      name: 'ServiceUnavailable',
      operation: 'token',
      summary: 'no response for 40 ms',
    })
})
