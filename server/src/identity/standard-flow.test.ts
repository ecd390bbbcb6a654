import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import Fastify from 'fastify'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { openIdentity } from './identity.ts'
import { mountIdentity } from './mount-identity.ts'
import { alpha, prepareGround, send } from './test-service.ts'

it('a client that knows only the issuer finds the endpoints and gets a token, and the published keys verify the token', async () => {
  await using ground = await prepareGround()
  const listener = createServer()
  await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', listening))
  const issuer = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  const { database, masterKeys } = ground
  await using identity = await openIdentity({ operations: database.operations, masterKeys, issuer })
  const server = Fastify({
    serverFactory: (answer) => listener.on('request', answer as RequestListener),
  })
  mountIdentity(server, identity)
  await server.ready()
  try {
    const metadata = await send(`${issuer}/.well-known/oauth-authorization-server`)
    assert.equal(metadata.status, 200)
    assert.match(metadata.headers.get('content-type') ?? '', /^application\/json/)
    assert.match(metadata.headers.get('cache-control') ?? '', /max-age=[1-9]/)
    assert.equal(metadata.json.issuer, issuer)
    for (const member of ['response_types_supported', 'grant_types_supported', 'scopes_supported'])
      assert.ok(Array.isArray(metadata.json[member]), member)
    const openid = await send(`${issuer}/.well-known/openid-configuration`)
    assert.deepEqual(openid.json, metadata.json)

    const answer = await send(metadata.json.token_endpoint, {
      method: 'POST',
      body: new URLSearchParams(alpha),
    })
    const keys = createRemoteJWKSet(new URL(metadata.json.jwks_uri))
    const { payload } = await jwtVerify(answer.json.access_token, keys, {
      issuer,
      audience: issuer,
      typ: 'at+jwt',
      algorithms: ['ES256'],
    })
    assert.equal(payload.iss, metadata.json.issuer)
    assert.equal(payload.sub, 'alpha')

    const published = await send(metadata.json.jwks_uri)
    assert.match(published.headers.get('content-type') ?? '', /^application\/jwk-set\+json/)
    assert.match(published.headers.get('cache-control') ?? '', /^public, max-age=[1-9]/)
    assert.equal(published.json.keys.length, 1)
    for (const key of published.json.keys) {
      assert.deepEqual(Object.keys(key).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
      assert.deepEqual([key.alg, key.use, key.kty, key.crv], ['ES256', 'sig', 'EC', 'P-256'])
    }
  } finally {
    await server.close()
    listener.close()
    listener.closeAllConnections()
  }
})

it('the metadata of an issuer with a path is found before and below the path, and no address comes from the Host header', async () => {
  await using ground = await prepareGround()
  const { database, masterKeys } = ground
  const issuer = 'https://clearing.example/accounts'
  await using identity = await openIdentity({ operations: database.operations, masterKeys, issuer })
  const server = Fastify()
  mountIdentity(server, identity)
  for (const url of [
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/accounts',
  ]) {
    const answer = await server.inject({ method: 'GET', url, headers: { host: 'evil.example' } })
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.json().issuer, issuer)
    assert.equal(answer.json().token_endpoint, `${issuer}/identity/connect/token`)
    assert.ok(!answer.body.includes('evil'))
  }
  await server.close()
})
