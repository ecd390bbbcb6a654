/** Certified clients that know only the issuer find the endpoints and obtain a token, and the token works. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { RequestRejected } from '@clearing/sdk'
import * as oauth from 'oauth4webapi'
import * as oidc from 'openid-client'
import { until } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
let issuer: URL
before(async () => {
  service = await startRunningService()
  const metadata = await service.send('/.well-known/oauth-authorization-server', { method: 'GET' })
  issuer = new URL(metadata.json.issuer)
})
after(() => service?.stop())

/** The test uses plain HTTP, and the port that the service was given. */
function options(): oidc.DiscoveryRequestOptions {
  return {
    algorithm: 'oauth2',
    execute: [oidc.allowInsecureRequests],
    [oidc.customFetch]: (url, init) =>
      fetch(url.replace(issuer.origin, service.address), init as RequestInit),
  }
}

for (const [how, authentication] of [
  ['in the form', oidc.ClientSecretPost],
  ['by Basic', oidc.ClientSecretBasic],
] as const) {
  test(`openid-client obtains a token with its secret ${how}, for the requested scope, and calls with it`, async () => {
    const secret = 'alpha-sandbox-secret'
    const client = await oidc.discovery(issuer, 'alpha', secret, authentication(secret), options())
    assert.equal(client.serverMetadata().issuer, issuer.href.replace(/\/$/, ''))
    const tokens = await oidc.clientCredentialsGrant(client, { scope: 'accounts:read' })
    assert.equal(tokens.token_type.toLowerCase(), 'bearer')
    assert.equal(tokens.expires_in, 36_000)
    const answer = await service.send('/account-api/v1/code-lists', {
      headers: { authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' },
      body: '{"name":"scope"}',
    })
    assert.equal(answer.status, 200)
    const refused = await service.send('/account-api/v1/new-account', {
      headers: { authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' },
      body: '{}',
    })
    assert.equal(refused.status, 403)
  })
}

test('oauth4webapi obtains a bound token and calls with it, and handles a refusal of either', async () => {
  const insecure = {
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: (url: string, init: object) =>
      fetch(url.replace(issuer.origin, service.address), init as RequestInit),
  }
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
  const server = await oauth.processDiscoveryResponse(issuer, found)
  // Proofs contain the called address. The port is known only now.
  const here = { ...server, token_endpoint: `${service.address}/identity/connect/token` }
  const client: oauth.Client = { client_id: 'alpha' }
  const DPoP = oauth.DPoP({}, await oauth.generateKeyPair('ES256'))
  const takeToken = async (secret: string) => {
    const authentication = oauth.ClientSecretPost(secret)
    const settings = { DPoP, ...insecure }
    const asked = await oauth.clientCredentialsGrantRequest(here, client, authentication, {}, settings)
    return oauth.processClientCredentialsResponse(server, client, asked)
  }
  const token = await takeToken('alpha-sandbox-secret')
  assert.equal(token.token_type, 'dpop')
  const call = (bearer: string) => {
    const headers = new Headers({ 'content-type': 'application/json' })
    const url = new URL('/account-api/v1/list-accounts', service.address)
    return oauth.protectedResourceRequest(bearer, 'POST', url, headers, '{}', { DPoP, ...insecure })
  }
  assert.equal((await call(token.access_token)).status, 200)
  await assert.rejects(call(`${token.access_token}x`), { code: oauth.WWW_AUTHENTICATE_CHALLENGE })
  await assert.rejects(takeToken('wrong'), { code: oauth.WWW_AUTHENTICATE_CHALLENGE, status: 401 })
})

test('a wrong secret gets the error of the standard', async () => {
  const client = await oidc.discovery(issuer, 'alpha', 'wrong', oidc.ClientSecretPost('wrong'), options())
  const wrong = oidc.clientCredentialsGrant(client)
  await assert.rejects(wrong, { name: 'WWWAuthenticateChallengeError', status: 401 })
})

test('a client with public keys signs its requests, and its secret is invalid until the keys are removed', async () => {
  const { operations } = service.operations
  const { data } = await operations.listFirms({})
  const firmId =
    data.firms.find(({ name }) => name === 'Beta Advisers')?.firmId ?? data.firms[0]?.firmId ?? ''
  const made = await operations.createCredential({ firmId, clientId: 'signing', name: 'Signing' })
  const { clientSecret } = made.data
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  const key = { kid: 'first', kty: kty ?? '', crv: crv ?? '', x: x ?? '', y: y ?? '' }
  const given = await operations.replaceClientKeys({ clientId: 'signing', keys: [key] })
  assert.deepEqual(given.data.keyIds, ['first'])

  const signing = oidc.PrivateKeyJwt({ key: pair.privateKey, kid: 'first' })
  const client = await oidc.discovery(issuer, 'signing', undefined, signing, options())
  const tokens = await oidc.clientCredentialsGrant(client)
  assert.equal(tokens.token_type.toLowerCase(), 'bearer')
  const statusWithSecret = async () => {
    const body = new URLSearchParams({ client_id: 'signing', client_secret: clientSecret })
    return (await service.send('/identity/connect/token', { body })).status
  }
  assert.equal(await statusWithSecret(), 401)

  const statusOf = async (token: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return (await service.send('/account-api/v1/code-lists', { headers, body: '{}' })).status
  }
  await operations.replaceClientKeys({ clientId: 'signing', keys: [key] })
  assert.notEqual(await statusOf(tokens.access_token), 401)
  await operations.replaceClientKeys({ clientId: 'signing', keys: [key], endTokens: true })
  await until(
    () => statusOf(tokens.access_token),
    (status) => status === 401,
  )
  assert.notEqual(await statusOf((await oidc.clientCredentialsGrant(client)).access_token), 401)

  await operations.replaceClientKeys({ clientId: 'signing' })
  assert.equal(await statusWithSecret(), 200)
  await assert.rejects(oidc.clientCredentialsGrant(client))
})

test('keys that are not public, too weak, or named twice are refused, and nothing is changed', async () => {
  const { operations } = service.operations
  const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  const { d, kty, crv, x, y } = await crypto.subtle.exportKey('jwk', privateKey)
  const key = { kid: 'k', kty: kty ?? '', crv: crv ?? '', x: x ?? '', y: y ?? '' }
  for (const [keys, code] of [
    [[{ ...key, d }], 'ERR.2001'],
    [[{ ...key, x: 'AA' }], 'ERR.1016'],
    [[{ kid: 'k', kty: 'oct', k: 'AAAA' }], 'ERR.2001'],
    [[key, key], 'ERR.1014'],
  ] as const) {
    const asked = operations.replaceClientKeys({ clientId: 'alpha', keys: keys as never })
    await assert.rejects(asked, (error) => error instanceof RequestRejected && error.has(code))
  }
  assert.ok(await service.token('alpha'))
})
