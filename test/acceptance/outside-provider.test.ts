/** Staff sign in at the clearing firm's OpenID provider, whose claims determine the person and the role. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { after, before, test } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { atWork, browse, type Jar } from './person.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let provider: Server
let issuer: string
let service: RunningService
/** The claims of the provider about the next person who signs in. */
let claims: Record<string, unknown> = {}
const codes = new Map<string, URLSearchParams>()
/** The next response of the provider to a code, instead of a valid token. */
let wrongResponse: string | undefined

before(async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }
  provider = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', issuer)
    const answer = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.pathname === '/.well-known/openid-configuration')
      return answer({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        end_session_endpoint: `${issuer}/logout`,
      })
    if (url.pathname === '/keys') return answer({ keys: [jwk] })
    if (url.pathname === '/authorize') {
      const code = `code-${codes.size}`
      codes.set(code, url.searchParams)
      const to = new URL(url.searchParams.get('redirect_uri') ?? '')
      to.searchParams.set('code', code)
      to.searchParams.set('state', url.searchParams.get('state') ?? '')
      return response.writeHead(302, { location: to.href }).end()
    }
    let text = ''
    for await (const part of request) text += part
    const form = new URLSearchParams(text)
    const asked = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const client = Buffer.from(request.headers.authorization?.split(' ')[1] ?? '', 'base64').toString()
    if (asked?.get('code_challenge') !== challenge || client !== 'clearing:outside-secret')
      return answer({ error: 'invalid_grant' }, 400)
    const idToken = await new SignJWT({ nonce: asked.get('nonce'), ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .setIssuer(issuer)
      .setAudience('clearing')
      .setSubject('s1')
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
    if (wrongResponse !== undefined) return response.writeHead(200).end(wrongResponse)
    return answer({ id_token: idToken, access_token: 'x', token_type: 'Bearer' })
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const address = provider.address()
  issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  service = await startRunningService({
    environment: {
      STAFF_ISSUER: issuer,
      STAFF_CLIENT_ID: 'clearing',
      STAFF_CLIENT_SECRET: 'outside-secret',
      STAFF_ROLE_CLAIM: 'realm.roles',
      STAFF_ROLES: 'viewer=everyone operator=desk,night-desk admin=console-admins',
    },
  })
})
after(async () => {
  await service?.stop()
  provider?.closeAllConnections()
  provider?.close()
})

/** Through both sites, as a browser does. */
async function signInAs(who: Record<string, unknown>) {
  claims = who
  const jar: Jar = new Map()
  const began = await browse(service, jar, '/console/sign-in?returnTo=/console/audit')
  const away = began.headers.get('location') ?? ''
  assert.ok(away.startsWith(`${issuer}/authorize?`))
  const back = (await fetch(away, { redirect: 'manual' })).headers.get('location') ?? ''
  const { pathname, search } = new URL(back)
  const answer = await browse(service, jar, pathname + search)
  return { jar, answer, back: pathname + search, me: atWork(service, '', jar) }
}
const nora = { email: 'Nora@Example.org', email_verified: true, name: 'Nora Holm' }

test('a person comes back with the highest role to which their groups map', async () => {
  const { answer, me } = await signInAs({ ...nora, realm: { roles: ['everyone', 'night-desk'] } })
  assert.equal(answer.headers.get('location'), '/console/audit')
  const { json } = await me.send('/console/session', { method: 'GET' })
  assert.deepEqual([json.email, json.name, json.role], ['nora@example.org', 'Nora Holm', 'operator'])
  assert.equal((await me.call('list-work')).status, 200)
})

test('signing out leads to the provider, which ends its session too', async () => {
  const { me } = await signInAs({ ...nora, realm: { roles: ['desk'] } })
  const { status, json } = await me.send('/console/sign-out')
  assert.equal(status, 200)
  const there = new URL(json.location)
  assert.equal(there.origin + there.pathname, `${issuer}/logout`)
  assert.deepEqual(Object.fromEntries(there.searchParams), {
    client_id: 'clearing',
    post_logout_redirect_uri: `${service.address}/console/`,
  })
  assert.equal((await me.call('list-work')).status, 401)
})

test('a changed role at the provider changes the role here, and ends the earlier sessions', async () => {
  const first = await signInAs({ ...nora, realm: { roles: ['desk'] } })
  const second = await signInAs({ ...nora, realm: { roles: ['everyone'] } })
  assert.equal((await second.me.send('/console/session', { method: 'GET' })).json.role, 'viewer')
  assert.equal((await first.me.call('list-work')).status, 401)
})

for (const [what, who] of [
  ['no group that maps', { ...nora, realm: { roles: ['others'] } }],
  ['an address that is not verified', { ...nora, email_verified: false, realm: { roles: ['desk'] } }],
  ['no address', { name: 'X', realm: { roles: ['desk'] } }],
  ['the nonce of another sign-in', { ...nora, nonce: 'another', realm: { roles: ['desk'] } }],
] as const) {
  test(`a person with ${what} is refused`, async () => {
    const { answer, jar } = await signInAs(who)
    assert.equal(answer.status, 403)
    assert.equal(jar.get('clearing-session'), undefined)
  })
}

function encode(value: object) {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
for (const [what, response] of [
  ['no JSON', '<html>'],
  ['no object', 'null'],
  ['no token', '{}'],
  ['a token that is no text', '{"id_token":1}'],
  ['a token without signature', '{"id_token":"x"}'],
  ['an unsigned token', JSON.stringify({ id_token: `${encode({ alg: 'none' })}.${encode({})}.` })],
  [
    'a token of an unknown key',
    JSON.stringify({ id_token: `${encode({ alg: 'ES256', kid: 'k2' })}.e30.AA` }),
  ],
] as const) {
  test(`a response of the provider that has ${what} admits no person, and is no fault`, async () => {
    wrongResponse = response
    try {
      const { answer, jar } = await signInAs({ ...nora, realm: { roles: ['desk'] } })
      assert.equal(answer.status, 403)
      assert.equal(jar.get('clearing-session'), undefined)
    } finally {
      wrongResponse = undefined
    }
  })
}

test('a person who was disabled here stays out, and a response counts only in its own browser', async () => {
  await service.query("update clearing.staff set disabled_at = now() where email = 'nora@example.org'")
  assert.equal((await signInAs({ ...nora, realm: { roles: ['desk'] } })).answer.status, 403)
  claims = { ...nora, email: 'else@example.org', realm: { roles: ['desk'] } }
  const began = await browse(service, new Map(), '/console/sign-in')
  const back = (await fetch(began.headers.get('location') ?? '', { redirect: 'manual' })).headers.get(
    'location',
  )
  const { pathname, search } = new URL(back ?? '')
  assert.equal((await browse(service, new Map(), pathname + search)).status, 400)
})
