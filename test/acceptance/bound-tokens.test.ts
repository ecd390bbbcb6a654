/**
 * Tokens that are bound to a key of the client (RFC 9449), used by the sdk and by a certified client. A stolen token is
 * useless.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient } from '@clearing/sdk'
import * as oidc from 'openid-client'
import { until } from './calling.ts'
import { type RawAnswer, type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

const alpha = { clientId: 'alpha', clientSecret: 'alpha-sandbox-secret' }

/** A client of the sdk with bound tokens, and the headers of its requests to the service, the latest first. */
function spiedClient(credentials = alpha) {
  const sent: Headers[] = []
  const spy: typeof fetch = (url, init) => {
    sent.unshift(new Headers(init?.headers))
    return service.contract.fetch(url, init)
  }
  const client = createClient({
    ...credentials,
    baseUrl: service.address,
    dpop: true,
    fetch: spy,
    retryDelayMs: 50,
  })
  return { client, sent }
}
function listCodes(headers: Record<string, string>): Promise<RawAnswer> {
  return service.send('/account-api/v1/code-lists', {
    headers: { 'content-type': 'application/json', ...headers },
    body: '{"name":"scope"}',
  })
}

test('the sdk with dpop reads, writes and follows events, with a new proof for each request', async () => {
  const { client, sent } = spiedClient()
  await client.codeLists({ name: 'scope' })
  const lost = { sandboxFault: '503' } as const
  const { accountNumber } = (
    await client.accountNumber({ entityNumber: '301', repCode: 'JC01', registrationType: 'Individual' }, lost)
  ).data
  assert.match(accountNumber, /^\d{8}$/)
  const ends = new AbortController()
  const event = client.events({}, { from: 'now', signal: ends.signal }).next()
  await until(
    async () => sent.length,
    (count) => count >= 5,
  )
  ends.abort()
  await assert.rejects(event, { name: 'AbortError' })
  assert.ok(sent.every((headers) => headers.has('dpop')))
  assert.equal(new Set(sent.map((headers) => headers.get('dpop'))).size, sent.length)
  const calls = sent.filter((headers) => headers.has('authorization'))
  assert.ok(calls.every((headers) => headers.get('authorization')?.startsWith('DPoP ')))
})

test('an intercepted call is useless: neither the token alone, nor the token with its proof works', async () => {
  const { client, sent } = spiedClient()
  await client.codeLists({ name: 'scope' })
  const [stolen = new Headers()] = sent
  const token = stolen.get('authorization')?.replace('DPoP ', '') ?? ''
  const proof = stolen.get('dpop') ?? ''
  const tries: [string, Record<string, string>][] = [
    ['ERR.2030', { authorization: `Bearer ${token}` }],
    ['ERR.2030', { authorization: `DPoP ${token}` }],
    ['ERR.2030', { authorization: `Bearer ${token}`, dpop: proof }],
    ['ERR.2031', { authorization: `DPoP ${token}`, dpop: proof }],
    ['ERR.2031', { authorization: `DPoP ${token}`, dpop: `${proof}, ${proof}` }],
  ]
  for (const [code, headers] of tries) {
    const { status, json, headers: answered } = await listCodes(headers)
    assert.deepEqual([status, json.errors[0].code], [401, code])
    assert.match(
      answered.get('www-authenticate') ?? '',
      /^DPoP realm="clearing", error="invalid_(token|dpop_proof)", error_description="[^"\\]+", algs="ES256 PS256 EdDSA"$/,
    )
  }
  const stream = await fetch(`${service.address}/account-api/v1/events`, {
    headers: { authorization: `DPoP ${token}`, dpop: proof },
  })
  assert.equal(stream.status, 401)
  await stream.arrayBuffer()
  // The client itself continues to work.
  await client.codeLists({ name: 'scope' })
})

test('a DPoP header is never ignored: with a bearer token, or without a token', async () => {
  const token = await service.token('alpha')
  const unbound = await listCodes({ authorization: `Bearer ${token}`, dpop: 'x' })
  assert.deepEqual([unbound.status, unbound.json.errors[0].code], [401, 'ERR.2031'])
  const asBound = await listCodes({ authorization: `DPoP ${token}`, dpop: 'x' })
  assert.equal(asBound.json.errors[0].code, 'ERR.2031')
  const alone = await listCodes({ dpop: 'x' })
  assert.equal(alone.json.errors[0].code, 'ERR.3001')
})

test('a token sent by the scheme DPoP is refused in the words of this scheme, in calls and in the stream', async () => {
  const { client, sent } = spiedClient()
  await client.codeLists({ name: 'scope' })
  const expired =
    /^DPoP realm="clearing", error="invalid_token", error_description="[^"]+", algs="ES256 PS256 EdDSA"$/
  const authorization = sent[0]?.get('authorization') ?? ''
  const broken = { authorization: `${authorization}x`, dpop: 'x' }
  const call = await listCodes(broken)
  assert.deepEqual([call.status, call.json.errors[0].code], [401, 'ERR.3002'])
  assert.match(call.headers.get('www-authenticate') ?? '', expired)
  const stream = await service.send('/account-api/v1/events', { method: 'GET', headers: broken })
  assert.match(stream.headers.get('www-authenticate') ?? '', expired)
  const bearer = await listCodes({ authorization: `${authorization.replace('DPoP', 'Bearer')}x` })
  assert.match(
    bearer.headers.get('www-authenticate') ?? '',
    /^Bearer realm="clearing", error="invalid_token"/,
  )
})

test('a credential that requires bound tokens gets no others, and its existing ones are refused', async () => {
  const { operations } = service.operations
  const { firmId } = (
    await operations.createFirm({ name: 'Bound', entityNumbers: ['390'], repCodes: ['BO01'] })
  ).data
  const made = (await operations.createCredential({ firmId, name: 'Bound' })).data
  const before = await service.token(made.clientId, made.clientSecret)
  assert.equal((await listCodes({ authorization: `Bearer ${before}` })).status, 200)
  const { data } = await operations.updateCredential({ clientId: made.clientId, boundTokens: true })
  assert.deepEqual([data.boundTokens, data.addressRanges], [true, []])
  const ended = await listCodes({ authorization: `Bearer ${before}` })
  assert.equal(ended.json.errors[0].code, 'ERR.3002')
  const body = new URLSearchParams({ client_id: made.clientId, client_secret: made.clientSecret })
  const refused = await service.send('/identity/connect/token', { body })
  assert.deepEqual([refused.status, refused.json.error], [400, 'invalid_dpop_proof'])
  const { client } = spiedClient({ clientId: made.clientId, clientSecret: made.clientSecret })
  await client.codeLists({ name: 'scope' })
})

test('the sdk with a key signs its token requests, needs no secret, and its tokens can be bound as well', async () => {
  const { operations } = service.operations
  const { firmId } = (
    await operations.createFirm({
      name: 'Keys only',
      entityNumbers: ['391'],
      repCodes: ['KO01'],
      settings: { keysOnly: true },
    })
  ).data
  const { clientId } = (await operations.createCredential({ firmId, name: 'Signs' })).data
  const curve = { name: 'ECDSA', namedCurve: 'P-256' }
  const pair = await crypto.subtle.generateKey(curve, true, ['sign', 'verify'])
  const jwk = await crypto.subtle.exportKey('jwk', pair.privateKey)
  const { kty = '', crv = '', x = '', y = '', d = '' } = jwk
  await operations.replaceClientKeys({ clientId, keys: [{ kid: 'first', kty, crv, x, y }] })
  const { issuer } = (await service.send('/.well-known/oauth-authorization-server', { method: 'GET' })).json
  const clientKey = { kty, crv, x, y, d, kid: 'first' }
  for (const dpop of [false, true]) {
    const connection = { baseUrl: service.address, issuer, clientId, dpop, fetch: service.contract.fetch }
    const client = createClient({ ...connection, clientKey })
    await client.codeLists({ name: 'scope' })
  }
  const elsewhere = createClient({
    baseUrl: service.address,
    issuer: 'https://other.example',
    clientId,
    clientKey,
  })
  await assert.rejects(elsewhere.codeLists({ name: 'scope' }), { name: 'TokenRefused', status: 401 })
})

test('openid-client, which is certified, obtains a bound token and calls with it', async () => {
  const server = { issuer: service.address, token_endpoint: `${service.address}/identity/connect/token` }
  const secret = oidc.ClientSecretPost(alpha.clientSecret)
  const config = new oidc.Configuration(server, alpha.clientId, undefined, secret)
  oidc.allowInsecureRequests(config)
  const DPoP = oidc.getDPoPHandle(config, await oidc.randomDPoPKeyPair())
  const tokens = await oidc.clientCredentialsGrant(config, {}, { DPoP })
  assert.equal(tokens.token_type, 'dpop')
  const answer = await oidc.fetchProtectedResource(
    config,
    tokens.access_token,
    new URL(`${service.address}/account-api/v1/code-lists`),
    'POST',
    '{"name":"scope"}',
    new Headers({ 'content-type': 'application/json' }),
    { DPoP },
  )
  assert.equal(answer.status, 200)
  await answer.arrayBuffer()
  const metadata = await service.send('/.well-known/oauth-authorization-server', { method: 'GET' })
  assert.deepEqual(metadata.json.dpop_signing_alg_values_supported, ['ES256', 'PS256', 'EdDSA'])
})

test('an isolated sandbox has its own address, for which proofs are made', async () => {
  const { data } = await service.alpha.sandbox.createSandbox({})
  const client = createClient({ ...alpha, baseUrl: data.baseUrl, dpop: true })
  await client.codeLists({ name: 'scope' })
})
