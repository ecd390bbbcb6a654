import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { SignJWT } from 'jose'
import { inTransaction } from '../../database/transaction.ts'
import { replacePublicKeys } from '../../store/credentials.ts'
import {
  type Answer,
  alpha,
  askToken,
  beta,
  here,
  prepareGround,
  startInstance,
  type TestGround,
  type TestInstance,
  testIssuer,
} from '../test-service.ts'

const pairs = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  PS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  EdDSA: generateKeyPairSync('ed25519'),
}
const keys = Object.entries(pairs).map(([alg, { publicKey }]) => ({
  ...publicKey.export({ format: 'jwk' }),
  kid: alg,
}))

let ground: TestGround
let one: TestInstance
let two: TestInstance
before(async () => {
  ground = await prepareGround()
  // The provider checks the times of an assertion against the clock of the system.
  ground.clock.move(Date.now() - ground.clock.now().getTime())
  await inTransaction(ground.database.operations, { firm: null }, (tx) =>
    replacePublicKeys(tx, 'beta', { keys }, false),
  )
  one = await startInstance(ground)
  two = await startInstance(ground)
})
after(async () => {
  await one[Symbol.asyncDispose]()
  await two[Symbol.asyncDispose]()
  await ground[Symbol.asyncDispose]()
})

function seconds() {
  return Math.floor(Date.now() / 1000)
}
function claimsOf(changes: Record<string, unknown> = {}) {
  return {
    iss: 'beta',
    sub: 'beta',
    aud: testIssuer,
    jti: randomUUID(),
    iat: seconds(),
    exp: seconds() + 60,
    ...changes,
  }
}
function signed(changes: Record<string, unknown> = {}, alg = 'ES256', key?: KeyObject) {
  const claims = Object.fromEntries(
    Object.entries(claimsOf(changes)).filter(([, value]) => value !== undefined),
  )
  const by = key ?? pairs[alg as keyof typeof pairs].privateKey
  return new SignJWT(claims).setProtectedHeader({ alg }).sign(by)
}
function ask(
  instance: TestInstance,
  assertion: string,
  more: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const form = {
    client_assertion: assertion,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    ...more,
  }
  return askToken(instance, form, headers)
}

describe('a client that signs its requests', () => {
  for (const alg of Object.keys(pairs)) {
    it(`with ${alg} gets a token that works`, async () => {
      const answer = await ask(one, await signed({}, alg))
      assert.equal(answer.status, 200, answer.text)
      const known = await two.identity.authenticate(answer.json.access_token, here)
      assert.ok(known.kind === 'known')
      assert.equal(known.caller.clientId, 'beta')
    })
  }

  it('may also send its client id', async () => {
    assert.equal((await ask(one, await signed(), { client_id: 'beta' })).status, 200)
    assert.equal((await ask(one, await signed(), { client_id: 'alpha' })).status, 401)
  })

  it('can use each assertion only once on all instances', async () => {
    const assertion = await signed()
    assert.equal((await ask(one, assertion)).status, 200)
    assert.equal((await ask(one, assertion)).status, 401)
    assert.equal((await ask(two, assertion)).status, 401)
    const raced = await signed()
    const answers = await Promise.all([one, two, one, two].map((instance) => ask(instance, raced)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401])
  })

  it('can no longer use a secret', async () => {
    assert.equal((await askToken(one, beta)).status, 401)
  })

  const refused: [string, () => Promise<string>][] = [
    ['another audience', () => signed({ aud: 'https://elsewhere.example' })],
    ['the token endpoint as audience', () => signed({ aud: `${testIssuer}/identity/connect/token` })],
    ['several audiences', () => signed({ aud: [testIssuer, 'https://elsewhere.example'] })],
    ['another issuer', () => signed({ iss: 'alpha' })],
    ['an unknown client', () => signed({ sub: 'nobody', iss: 'nobody' })],
    ['a client that has no keys', () => signed({ sub: 'alpha', iss: 'alpha' })],
    ['a sub that is a number', () => signed({ sub: 5 })],
    ['a sub that is an object', () => signed({ sub: {} })],
    ['no jti', () => signed({ jti: undefined })],
    ['an iat that is not a number', () => signed({ iat: 'now' })],
    [
      'a key of another client',
      () => signed({}, 'ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
    ],
    ['RS256', () => signed({}, 'RS256', pairs.PS256.privateKey)],
    [
      'no signature',
      async () => {
        const [header, claims] = (await signed()).split('.')
        return `${header}.${claims}.`
      },
    ],
    ['no JWT', async () => 'x.y.z'],
  ]
  for (const [what, make] of refused) {
    it(`is refused for ${what}, like a wrong secret`, async () => {
      const answer = await ask(one, await make())
      const wrong = await askToken(one, { ...alpha, client_secret: 'wrong' })
      assert.equal(answer.status, 401, answer.text)
      assert.equal(answer.text, wrong.text)
      assert.deepEqual(one.faults, [])
    })
  }

  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const wrongTimes: [string, () => Record<string, unknown>, RegExp][] = [
    [
      'an iat too far ahead',
      () => ({ iat: seconds() + 65 }),
      /^The iat of .* is [67]\d seconds ahead .* 60 .*clock/,
    ],
    ['an nbf too far ahead', () => ({ nbf: seconds() + 120 }), /^The nbf of .* is 1[0-3]\d seconds ahead/],
    ['an exp in the past', () => ({ exp: seconds() - 120 }), /^The assertion expired 1[0-3]\d seconds ago/],
    [
      'an exp too late',
      () => ({ exp: seconds() + 3_600 }),
      /^The assertion expires in 3[56]\d\d seconds; at most 300/,
    ],
    ['no exp', () => ({ exp: undefined }), /^The assertion has no exp\.$/],
  ]
  for (const [what, claims, description] of wrongTimes) {
    it(`learns of ${what}, and another sender does not`, async () => {
      const own = await ask(one, await signed(claims()))
      assert.deepEqual([own.status, own.json.error], [401, 'invalid_client'])
      assert.match(`${own.json.error_description}`, description)
      const forged = await ask(one, await signed(claims(), 'ES256', stranger))
      assert.equal(forged.text, (await askToken(one, { ...alpha, client_secret: 'wrong' })).text)
    })
  }

  it('gets a token with an iat 50 seconds ahead', async () => {
    assert.equal((await ask(one, await signed({ iat: seconds() + 50 }))).status, 200)
  })

  it('must name the type of its assertion', async () => {
    for (const assertion of [await signed(), await signed({ sub: 'nobody', iss: 'nobody' })]) {
      const answer = await ask(one, assertion, { client_assertion_type: 'urn:other' })
      assert.equal(answer.status, 400)
      assert.equal(answer.json.error, 'invalid_request')
    }
  })

  const wrongRequests: [string, Record<string, string>, Record<string, string>][] = [
    ['invalid_scope', { scope: 'operations' }, {}],
    ['invalid_target', { resource: 'https://elsewhere.example' }, {}],
    ['unsupported_grant_type', { grant_type: 'password' }, {}],
    ['invalid_dpop_proof', {}, { dpop: 'x.y.z' }],
  ]
  for (const [error, form, headers] of wrongRequests) {
    it(`gets ${error} only if it has signed the request`, async () => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const forged = await ask(one, await signed({}, 'ES256', privateKey), form, headers)
      const unknown = await ask(one, await signed({ sub: 'nobody', iss: 'nobody' }), form, headers)
      assert.equal(forged.status, 401, forged.text)
      assert.equal(forged.text, unknown.text)
      const own = await ask(one, await signed(), form, headers)
      if (error === 'invalid_scope')
        assert.match(
          `${own.json.error_description}`,
          /^The scope operations is unknown or not granted .* Granted: /,
        )
      assert.equal(own.status, 400)
      assert.equal(own.json.error, error)
    })
  }

  it('is accepted with a new key at once, on an instance that has not seen the change', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const newKey = { ...publicKey.export({ format: 'jwk' }), kid: 'new' }
    assert.equal((await ask(two, await signed())).status, 200)
    // The notification arrives in a later turn of the event loop than the request.
    await inTransaction(ground.database.operations, { firm: null }, (tx) =>
      replacePublicKeys(tx, 'beta', { keys: [...keys, newKey] }, false),
    )
    const answer = await ask(two, await signed({}, 'ES256', privateKey))
    assert.equal(answer.status, 200, answer.text)
  })
})
