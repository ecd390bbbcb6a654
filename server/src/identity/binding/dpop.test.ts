import assert from 'node:assert/strict'
import { constants, generateKeyPairSync, hash, publicDecrypt, randomUUID, sign } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { type CryptoKey, calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Sender } from '../sender.ts'
import {
  alpha,
  askToken,
  here,
  prepareGround,
  startInstance,
  type TestGround,
  type TestInstance,
  takeToken,
  testIssuer,
} from '../test-service.ts'

const tokenUrl = `${testIssuer}/identity/connect/token`
const callUrl = `${testIssuer}/account-api/v1/get-account`

let ground: TestGround
let one: TestInstance
let two: TestInstance
let own: Awaited<ReturnType<typeof makeKey>>
let other: typeof own
before(async () => {
  ground = await prepareGround()
  one = await startInstance(ground)
  two = await startInstance(ground)
  own = await makeKey('ES256')
  other = await makeKey('ES256')
})
after(async () => {
  await one[Symbol.asyncDispose]()
  await two[Symbol.asyncDispose]()
  await ground[Symbol.asyncDispose]()
})

async function makeKey(alg: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = await exportJWK(publicKey)
  return { alg, privateKey, jwk, thumbprint: await calculateJwkThumbprint(jwk) }
}
type Key = typeof own

function seconds() {
  return Math.floor(ground.clock.now().getTime() / 1_000)
}
/** Makes a proof for a call with a token, with the given changes. */
function makeProof(
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
  key: Key = own,
  signedBy: CryptoKey = key.privateKey,
): Promise<string> {
  const all = { htm: 'POST', htu: callUrl, iat: seconds(), jti: randomUUID(), ...claims }
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  return new SignJWT(given)
    .setProtectedHeader({ alg: key.alg, typ: 'dpop+jwt', jwk: key.jwk, ...header })
    .sign(signedBy)
}
function athOf(token: string) {
  return hash('sha256', token, 'base64url')
}
async function takeBound(key: Key = own): Promise<string> {
  const answer = await askToken(one, alpha, { dpop: await makeProof({ htu: tokenUrl }, {}, key) })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.json.token_type, 'DPoP')
  return answer.json.access_token
}
function sends(proofs: readonly string[], scheme: 'Bearer' | 'DPoP' = 'DPoP'): Sender {
  const path = '/account-api/v1/get-account'
  return { ...here, presented: { scheme, proofs, method: 'POST', path, certificate: undefined } }
}
/** `known`, or the reason of the refusal. */
async function judge(token: string, sender: Sender, instance = one): Promise<string> {
  const found = await instance.identity.authenticate(token, sender)
  return found.kind === 'unproven' ? found.why : found.kind
}

describe('a token request with a DPoP proof', () => {
  for (const alg of ['ES256', 'PS256', 'EdDSA'])
    it(`of ${alg} gets a token that is bound to its key and works only with a proof of that key`, async () => {
      const key = await makeKey(alg)
      const token = await takeBound(key)
      assert.deepEqual(decodeJwt(token).cnf, { jkt: key.thumbprint })
      const ath = athOf(token)
      assert.equal(await judge(token, sends([await makeProof({ ath }, {}, key)])), 'known')
      assert.match(await judge(token, sends([await makeProof({ ath }, {}, other)])), /another key/)
    })

  it('is refused with the error of RFC 9449 if the proof does not fit, and gets no token', async () => {
    const wrong = {
      'is for a call': makeProof(),
      'is for another service': makeProof({ htu: 'https://clearing.example.com/identity/connect/token' }),
      'is old': makeProof({ htu: tokenUrl, iat: seconds() - 61 }),
      'is not a JWT': Promise.resolve('abc'),
    }
    for (const [how, proof] of Object.entries(wrong)) {
      const { status, json } = await askToken(one, alpha, { dpop: await proof })
      assert.deepEqual([status, json.error], [400, 'invalid_dpop_proof'], how)
    }
    const proof = await makeProof({ htu: tokenUrl })
    const answers = [await askToken(one, alpha, { dpop: proof }), await askToken(two, alpha, { dpop: proof })]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 400],
    )
    const twice = await askToken(one, alpha, { dpop: `${await makeProof({ htu: tokenUrl })}, x` })
    assert.equal(twice.json.error, 'invalid_dpop_proof')
    const guessed = await askToken(one, { ...alpha, client_secret: 'wrong' }, { dpop: 'abc' })
    assert.equal(guessed.json.error, 'invalid_client')
  })

  it('is refused for a signature that needs no private key', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const jwk = { ...publicKey.export({ format: 'jwk' }), e: 'AQ' }
    const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const claims = { htm: 'POST', htu: tokenUrl, iat: seconds(), jti: randomUUID() }
    const signed = `${encode({ alg: 'PS256', typ: 'dpop+jwt', jwk })}.${encode(claims)}`
    const by = { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
    // The padded digest, which needs no private key: it is the signature of a key with the exponent 1.
    const padded = publicDecrypt(
      { key: publicKey, padding: constants.RSA_NO_PADDING },
      sign('sha256', Buffer.from(signed), by),
    )
    const answer = await askToken(one, alpha, { dpop: `${signed}.${padded.toString('base64url')}` })
    assert.deepEqual([answer.status, answer.json.error], [400, 'invalid_dpop_proof'])
  })

  it('is optional: without a proof the token is a bearer token', async () => {
    const token = await takeToken(one)
    assert.equal(decodeJwt(token).cnf, undefined)
    assert.equal(await judge(token, sends([], 'Bearer')), 'known')
  })
})

describe('a token that is bound to a key', () => {
  it('is refused without a proof, and as a bearer token with a proof', async () => {
    const token = await takeBound()
    const proof = await makeProof({ ath: athOf(token) })
    for (const sender of [sends([]), sends([], 'Bearer'), sends([proof], 'Bearer')])
      assert.match(await judge(token, sender), /bound to a key: send Authorization: DPoP/)
    assert.equal(await judge(token, sends([proof])), 'known')
  })

  it('is refused with a proof that does not fit the request', async () => {
    const token = await takeBound()
    const ath = athOf(token)
    const rsa = await generateKeyPair('RS256', { extractable: true })
    const hmac = new TextEncoder().encode('a secret that two parties share..')
    const wrong: [RegExp, Promise<string>][] = [
      [/htm/, makeProof({ ath, htm: 'GET' })],
      [/htm/, makeProof({ ath, htm: 'post' })],
      [/htm/, makeProof({ ath, htm: undefined })],
      [/htu/, makeProof({ ath, htu: `${testIssuer}/account-api/v1/new-account` })],
      [/htu/, makeProof({ ath, htu: 'https://127.0.0.1:8080/account-api/v1/get-account' })],
      [/htu/, makeProof({ ath, htu: '/account-api/v1/get-account' })],
      [/htu/, makeProof({ ath, htu: [callUrl] })],
      [/iat/, makeProof({ ath, iat: seconds() - 61 })],
      [/iat/, makeProof({ ath, iat: seconds() + 61 })],
      [/iat/, makeProof({ ath, iat: undefined })],
      [/JWT/, makeProof({ ath, iat: `${seconds()}` })],
      [/jti/, makeProof({ ath, jti: undefined })],
      [/jti/, makeProof({ ath, jti: '' })],
      [/jti/, makeProof({ ath, jti: 'x'.repeat(201) })],
      [/ath/, makeProof()],
      [/ath/, makeProof({ ath: athOf('another token') })],
      [/JWT/, makeProof({ ath }, { typ: 'jwt' })],
      [/JWT/, makeProof({ ath }, { typ: undefined })],
      [/JWT/, makeProof({ ath }, { jwk: undefined })],
      [/JWT/, makeProof({ ath }, { jwk: other.jwk })],
      [/JWT/, exportJWK(own.privateKey).then((jwk) => makeProof({ ath }, { jwk }))],
      [/JWT/, makeProof({ ath }, { crit: ['exp'] }).catch(() => 'x')],
      [
        /JWT/,
        exportJWK(rsa.publicKey).then((jwk) =>
          makeProof({ ath }, { alg: 'RS256', jwk }, own, rsa.privateKey),
        ),
      ],
      [
        /JWT/,
        new SignJWT({ ath, htm: 'POST', htu: callUrl, iat: seconds(), jti: 'h' })
          .setProtectedHeader({ alg: 'HS256', typ: 'dpop+jwt', jwk: { kty: 'oct' } })
          .sign(hmac),
      ],
      [/JWT/, makeProof({ ath }).then((proof) => `${proof.slice(0, proof.lastIndexOf('.'))}.`)],
      [/JWT/, Promise.resolve('')],
      [/JWT/, Promise.resolve(token)],
      [/longer/, Promise.resolve('x'.repeat(4_097))],
    ]
    for (const [at, [why, proof]] of wrong.entries())
      assert.match(await judge(token, sends([await proof])), why, `proof ${at}`)
    const two = [await makeProof({ ath }), await makeProof({ ath })]
    assert.match(await judge(token, sends(two)), /once/)
    assert.equal(await judge(token, sends([await makeProof({ ath, htu: `${callUrl}?a=b#c` })])), 'known')
    assert.equal(
      await judge(token, sends([await makeProof({ ath, htu: callUrl.replace('127.0.0.1', 'LOCALHOST') })])),
      'known',
    )
  })

  it('is refused with a proof that was used before, in any process and with any number of concurrent attempts', async () => {
    const token = await takeBound()
    const proof = await makeProof({ ath: athOf(token) })
    const tries = await Promise.all(
      Array.from({ length: 20 }, (_, at) => judge(token, sends([proof]), at % 2 === 0 ? one : two)),
    )
    assert.equal(tries.filter((each) => each === 'known').length, 1)
    assert.ok(tries.every((each) => each === 'known' || /used before/.test(each)))
    // Two proofs with the same id by different keys are different proofs.
    const [mine, theirs] = [await makeKey('ES256'), await makeKey('ES256')]
    for (const key of [mine, theirs]) {
      const bound = await takeBound(key)
      const named = await makeProof({ ath: athOf(bound), jti: 'one name' }, {}, key)
      assert.equal(await judge(bound, sends([named])), 'known')
    }
  })

  it('cannot be made from another token, because the service signs the key too', async () => {
    const [header, , signature] = (await takeBound()).split('.')
    const claims = { ...decodeJwt(await takeBound()), cnf: { jkt: other.thumbprint } }
    const forged = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`
    const proof = await makeProof({ ath: athOf(forged) }, {}, other)
    assert.equal(await judge(forged, sends([proof])), 'invalid')
  })
})

it('a proof with a token that is not bound is refused, not ignored', async () => {
  const token = await takeToken(one)
  const proof = await makeProof({ ath: athOf(token) })
  for (const sender of [sends([proof]), sends([proof], 'Bearer'), sends([]), sends(['x'], 'Bearer')])
    assert.match(await judge(token, sender), /not bound to a key/)
})
