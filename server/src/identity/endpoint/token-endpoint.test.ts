import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { request as sendRaw } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { inTransaction } from '../../database/transaction.ts'
import { insertCredential, insertSecret } from '../../store/credentials.ts'
import {
  alpha,
  askToken,
  beta,
  prepareGround,
  send,
  startInstance,
  type TestGround,
  type TestInstance,
  testIssuer,
} from '../test-service.ts'
import { hashClientSecret } from './client-secret.ts'

let ground: TestGround
let service: TestInstance
before(async () => {
  ground = await prepareGround()
  service = await startInstance(ground)
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await ground[Symbol.asyncDispose]()
})

function basic(clientId: string, secret: string) {
  return `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`
}
const printable = /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/

describe('a token is issued', () => {
  it('to a client with its secret in the form, in the response of the specification', async () => {
    const { status, headers, json } = await askToken(service, { ...alpha, grant_type: 'client_credentials' })
    assert.equal(status, 200)
    assert.equal(json.token_type, 'Bearer')
    assert.equal(json.expires_in, 36_000)
    assert.match(headers.get('content-type') ?? '', /^application\/json/)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('pragma'), 'no-cache')
    assert.equal(headers.get('access-control-allow-origin'), null)
    assert.deepEqual(Object.keys(json).sort(), ['access_token', 'expires_in', 'scope', 'token_type'])
  })

  it('as a JWT of RFC 9068 with the time of the clock', async () => {
    const { json } = await askToken(service, alpha)
    const header = decodeProtectedHeader(json.access_token)
    assert.deepEqual(header, { alg: 'ES256', typ: 'at+jwt', kid: service.signingKey().kid })
    const { jti, scope, ...claims } = decodeJwt<{ scope: string }>(json.access_token)
    const issued = Math.floor(ground.clock.now().getTime() / 1000)
    assert.deepEqual(claims, {
      iss: testIssuer,
      aud: testIssuer,
      sub: 'alpha',
      client_id: 'alpha',
      iat: issued,
      exp: issued + 36_000,
      generation: 1,
    })
    assert.match(jti ?? '', /^.{20,}$/)
    assert.equal(scope, json.scope)
  })

  const given: [string, Record<string, string> | string, Record<string, string>?][] = [
    ['without grant_type, which then is client_credentials', alpha],
    ['with an empty grant_type, which counts as left out', { ...alpha, grant_type: '' }],
    [
      'by HTTP Basic with a form',
      'grant_type=client_credentials',
      { authorization: basic('beta', beta.client_secret) },
    ],
    ['by HTTP Basic with an empty body', '', { authorization: basic('beta', beta.client_secret) }],
    [
      'by HTTP Basic with the client id in the form too',
      'client_id=beta',
      { authorization: basic('beta', beta.client_secret) },
    ],
    [
      'by a scheme in other letters',
      '',
      { authorization: basic('beta', beta.client_secret).replace('Basic', 'bAsIc') },
    ],
    [
      'with a charset in the media type',
      alpha,
      { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    ],
    ['with unknown parameters', { ...alpha, audience: 'x', foo: '' }],
    ['if the service itself is the resource', { ...alpha, resource: testIssuer }],
    ['to a browser that prefers HTML', alpha, { accept: 'text/html' }],
  ]
  for (const [how, form, headers] of given) {
    it(how, async () => {
      const answer = await askToken(service, form, headers)
      assert.equal(answer.status, 200, answer.text)
    })
  }

  it('at the alternate path of the specification', async () => {
    const answer = await send(`${service.base}/auth/token`, {
      method: 'POST',
      body: new URLSearchParams(alpha),
    })
    assert.equal(answer.status, 200)
  })

  it('with every granted scope, or the fewer requested ones', async () => {
    const all = await askToken(service, alpha)
    assert.equal(
      all.json.scope,
      'accounts:read accounts:write positions:read activity:read documents:read documents:write events:read pii:read',
    )
    const fewer = await askToken(service, { ...alpha, scope: 'positions:read accounts:read positions:read' })
    assert.equal(fewer.json.scope, 'positions:read accounts:read')
    assert.equal(decodeJwt(fewer.json.access_token).scope, 'positions:read accounts:read')
    const operations = await askToken(service, {
      client_id: 'operations',
      client_secret: 'operations-sandbox-secret',
    })
    assert.equal(operations.json.scope, 'operations')
  })

  it('for secrets with any characters, in the form and by Basic', async () => {
    const { operations } = ground.database
    await inTransaction(operations, { firm: null }, async (tx) => {
      const firmId = '00000000-0000-4000-8000-000000000302'
      const at = ground.clock.now()
      await insertCredential(tx, {
        clientId: 'odd',
        firmId,
        name: 'Odd secrets',
        scopes: ['accounts:read'],
        at,
      })
    })
    for (const secret of ['a:b', 'a%b', 'a+b', 'a b', 'a%20b:+ %', 'é€😀&=']) {
      const secretId = randomUUID()
      const at = ground.clock.now()
      await inTransaction(operations, { firm: null }, async (tx) => {
        const row = { secretId, clientId: 'odd', hash: hashClientSecret(secretId, secret), at }
        assert.ok(await insertSecret(tx, row))
      })
      ground.clock.move(1)
      const inForm = await askToken(service, { client_id: 'odd', client_secret: secret })
      assert.equal(inForm.status, 200, `form: ${secret}`)
      const formEncoded = new URLSearchParams({ s: secret }).toString().slice(2)
      const byBasic = await askToken(service, '', { authorization: basic('odd', formEncoded) })
      assert.equal(byBasic.status, 200, `Basic: ${secret}`)
    }
  })
})

describe('a token is refused', () => {
  const form = 'client_id=alpha&client_secret=alpha-sandbox-secret'
  const authorization = basic('alpha', alpha.client_secret)
  const refused: [string, number, string, string, Record<string, string>?][] = [
    ['to an unknown client', 401, 'invalid_client', 'client_id=nobody&client_secret=x'],
    ['for a wrong secret', 401, 'invalid_client', 'client_id=alpha&client_secret=x'],
    ['for a wrong secret by Basic', 401, 'invalid_client', '', { authorization: basic('alpha', 'x') }],
    ['for an empty secret by Basic', 401, 'invalid_client', '', { authorization: basic('alpha', '') }],
    [
      'for another letter case of the client id',
      401,
      'invalid_client',
      'client_id=ALPHA&client_secret=alpha-sandbox-secret',
    ],
    ['for Basic that is not base64', 401, 'invalid_client', '', { authorization: 'Basic !!!' }],
    ['for Basic with spaces in the base64', 401, 'invalid_client', '', { authorization: 'Basic YWxw aGE6' }],
    [
      'for Basic without a colon',
      401,
      'invalid_client',
      '',
      { authorization: `Basic ${Buffer.from('alpha').toString('base64')}` },
    ],
    [
      'for Basic that is not UTF-8',
      401,
      'invalid_client',
      '',
      { authorization: `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}` },
    ],
    ['for another scheme', 401, 'invalid_client', '', { authorization: 'Bearer abc' }],
    ['for another grant', 400, 'unsupported_grant_type', `${form}&grant_type=password`],
    [
      'for the grant of authorization codes',
      400,
      'unsupported_grant_type',
      `${form}&grant_type=authorization_code&code=x`,
    ],
    [
      'for the grant of refresh tokens',
      400,
      'unsupported_grant_type',
      `${form}&grant_type=refresh_token&refresh_token=x`,
    ],
    ['for the implicit grant', 400, 'unsupported_grant_type', `${form}&grant_type=implicit`],
    ['for a grant in other letters', 400, 'unsupported_grant_type', `${form}&grant_type=Client_Credentials`],
    ['for an unknown scope', 400, 'invalid_scope', `${form}&scope=accounts:read+everything`],
    ['for a scope that was not granted', 400, 'invalid_scope', `${form}&scope=operations`],
    ['for a scope with control characters', 400, 'invalid_scope', `${form}&scope=accounts:read%0aoperations`],
    ['for another resource', 400, 'invalid_target', `${form}&resource=https://elsewhere.example`],
    ['without client_id', 401, 'invalid_client', 'client_secret=x'],
    ['without client_secret', 401, 'invalid_client', 'client_id=alpha'],
    ['with an empty client_secret', 401, 'invalid_client', 'client_id=alpha&client_secret='],
    ['without anything', 401, 'invalid_client', ''],
    ['for a secret in the form and by Basic', 400, 'invalid_request', form, { authorization }],
    ['for a secret and an assertion', 400, 'invalid_request', `${form}&client_assertion=a.b.c`],
    ['for an assertion without its type', 400, 'invalid_request', 'client_id=alpha&client_assertion=a.b.c'],
    ['for two clients', 400, 'invalid_request', 'client_id=beta', { authorization }],
    ['for a repeated client_id', 400, 'invalid_request', `${form}&client_id=alpha`],
    [
      'for a repeated grant_type',
      400,
      'invalid_request',
      `${form}&grant_type=client_credentials&grant_type=client_credentials`,
    ],
    ['for a repeated scope', 400, 'invalid_request', `${form}&scope=accounts:read&scope=accounts:read`],
    ['for any repeated parameter', 400, 'invalid_request', `${form}&foo=1&foo=1`],
    ['for a repeated parameter in another encoding', 400, 'invalid_request', `${form}&client%5Fid=alpha`],
    ['for a broken escape', 400, 'invalid_request', `${form}&foo=%zz`],
    ['for bytes that are not UTF-8', 400, 'invalid_request', `${form}&foo=%ff`],
    ['for JSON', 400, 'invalid_request', JSON.stringify(alpha), { 'content-type': 'application/json' }],
    [
      'for a multipart form',
      400,
      'invalid_request',
      form,
      { 'content-type': 'multipart/form-data; boundary=x' },
    ],
    [
      'for a media type that only begins like a form',
      400,
      'invalid_request',
      form,
      { 'content-type': 'application/x-www-form-urlencodedx' },
    ],
    [
      'for a media type with something before it',
      400,
      'invalid_request',
      form,
      { 'content-type': 'text/plain, application/x-www-form-urlencoded' },
    ],
    ['for a compressed form', 400, 'invalid_request', form, { 'content-encoding': 'gzip' }],
    ['for more than 8 kB', 413, 'invalid_request', `${form}&foo=${'x'.repeat(8192)}`],
  ]
  for (const [why, status, error, body, headers] of refused) {
    it(`${why} with ${status} ${error}`, async () => {
      const answer = await askToken(service, body, headers)
      assert.equal(answer.status, status, answer.text)
      assert.equal(answer.json.error, error)
      assert.match(answer.json.error_description, printable)
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.equal(answer.headers.get('pragma'), 'no-cache')
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
      if (status === 401) assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic realm=/)
      assert.ok(!answer.text.includes('secret='), 'the response repeats the request')
    })
  }

  for (const name of [
    'client_secret',
    'client_id',
    'access_token',
    'CLIENT_SECRET',
    'client%5fsecret',
    'scope',
    'x=?&client_secret',
  ]) {
    it(`if ${name} is in the address`, async () => {
      const answer = await send(`${service.base}/identity/connect/token?${name}=x`, {
        method: 'POST',
        body: new URLSearchParams(alpha),
      })
      assert.equal(answer.status, 400)
      assert.equal(answer.json.error, 'invalid_request')
    })
  }

  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    it(`to ${method}, with the allowed methods in the response`, async () => {
      for (const path of ['/identity/connect/token', '/auth/token']) {
        const answer = await send(service.base + path, { method })
        assert.equal(answer.status, 405)
        assert.equal(answer.headers.get('allow'), 'POST')
        assert.equal(answer.headers.get('cache-control'), 'no-store')
        assert.equal(answer.json.error, 'invalid_request')
      }
    })
  }

  it('for two Authorization headers', async () => {
    const status = await new Promise<number | undefined>((done, fail) => {
      const url = new URL('/identity/connect/token', service.base)
      const message = sendRaw(url, {
        method: 'POST',
        headers: ['Host', url.host, 'Authorization', authorization, 'Authorization', authorization],
      })
      message.once('response', (response) => {
        response.resume()
        done(response.statusCode)
      })
      message.once('error', fail)
      message.end()
    })
    assert.equal(status, 400)
  })

  it('with the same response for an unknown client, a wrong secret, a disabled client and a disabled firm', async () => {
    const operations = await ground.database.operations.acquire()
    try {
      await operations.query("update clearing.credential set disabled_at = now() where client_id = 'beta'")
      await service.identity.directory.latest()
      const disabledClient = await askToken(service, beta)
      await operations.query("update clearing.credential set disabled_at = null where client_id = 'beta'")
      await operations.query("update clearing.firm set disabled_at = now() where name = 'Beta Brokerage'")
      await service.identity.directory.latest()
      const disabledFirm = await askToken(service, beta)
      await operations.query('update clearing.firm set disabled_at = null')
      const unknown = await askToken(service, { client_id: 'gamma', client_secret: 'x' })
      const wrong = await askToken(service, { client_id: 'beta', client_secret: 'x' })
      const seen = [unknown, wrong, disabledClient, disabledFirm].map(({ status, text, headers }) => ({
        status,
        text,
        headers: [...headers].filter(([name]) => name !== 'date'),
      }))
      for (const each of seen) assert.deepEqual(each, seen[0])
      assert.equal(unknown.status, 401)
      assert.equal((await askToken(service, beta)).status, 200)
    } finally {
      operations.release()
    }
  })

  it('and the failure is reported with client and address, and with a name only if the client exists', async () => {
    service.events.length = 0
    await askToken(service, alpha)
    await askToken(service, { client_id: 'alpha', client_secret: 'x' })
    await askToken(service, { client_id: 'my-secret-by-mistake', client_secret: 'x' })
    await askToken(service, { ...alpha, scope: 'operations' })
    const firmId = '00000000-0000-4000-8000-000000000301'
    const address = '127.0.0.1'
    assert.deepEqual(service.events, [
      { kind: 'token given', clientId: 'alpha', firmId, address },
      { kind: 'token refused', clientId: 'alpha', firmId, address, error: 'invalid_client' },
      { kind: 'token refused', clientId: undefined, firmId: undefined, address, error: 'invalid_client' },
      { kind: 'token refused', clientId: 'alpha', firmId, address, error: 'invalid_scope' },
    ])
  })
})
