/** Through the sdk: the public keys that replace-client-keys accepts, and their use in token requests. */
import assert from 'node:assert/strict'
import {
  constants,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  publicDecrypt,
  randomUUID,
  sign,
} from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { SignJWT } from 'jose'
import { rejectionsOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const ed = generateKeyPairSync('ed25519')

let service: RunningService
let clientId: string
before(async () => {
  service = await startRunningService()
  const { firms } = (await service.operations.operations.listFirms({})).data
  const { firmId = '' } = firms.find(({ name }) => name === 'Alpha Securities') ?? {}
  clientId = (await service.operations.operations.createCredential({ firmId, name: 'Keys' })).data.clientId
})
after(() => service.stop())

function jwkOf(key: KeyObject, more: Record<string, string> = {}) {
  const { kty = '', crv, x, y, n, e } = key.export({ format: 'jwk' })
  const members = Object.entries({ crv, x, y, n, e }).filter(([, value]) => value !== undefined)
  return { kty, kid: 'one', ...(Object.fromEntries(members) as Record<string, string>), ...more }
}

async function claimsOf() {
  const { issuer } = (await service.send('/.well-known/oauth-authorization-server', { method: 'GET' })).json
  const exp = Math.floor(Date.now() / 1_000) + 60
  return { iss: clientId, sub: clientId, aud: issuer, jti: randomUUID(), exp }
}

async function statusOf(assertion: string): Promise<number> {
  const { status } = await service.send('/identity/connect/token', {
    body: new URLSearchParams({
      client_assertion: assertion,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    }),
  })
  return status
}

describe('the public keys of a credential', () => {
  const accepted: [string, ReturnType<typeof jwkOf>, KeyObject, string][] = [
    ['EC', jwkOf(ec.publicKey, { alg: 'ES256', use: 'sig' }), ec.privateKey, 'ES256'],
    [
      'EC of Web Crypto',
      Object.assign(jwkOf(ec.publicKey), { key_ops: ['verify'], ext: true }),
      ec.privateKey,
      'ES256',
    ],
    ['RSA', jwkOf(rsa.publicKey, { alg: 'PS256' }), rsa.privateKey, 'PS256'],
    ['Ed25519', jwkOf(ed.publicKey, { alg: 'EdDSA' }), ed.privateKey, 'EdDSA'],
  ]
  for (const [what, key, privateKey, alg] of accepted) {
    it(`verify the requests of the client: ${what}`, async () => {
      await service.operations.operations.replaceClientKeys({ clientId, keys: [key] })
      const assertion = new SignJWT(await claimsOf()).setProtectedHeader({ alg, kid: 'one' })
      assert.equal(await statusOf(await assertion.sign(privateKey)), 200)
    })
  }

  const refused: [string, ReturnType<typeof jwkOf>, string][] = [
    ['is for encryption', jwkOf(ec.publicKey, { use: 'enc' }), 'ERR.1015 keys[0].use'],
    ['has an empty use', jwkOf(ec.publicKey, { use: '' }), 'ERR.1015 keys[0].use'],
    [
      'is for an algorithm that is not accepted',
      jwkOf(rsa.publicKey, { alg: 'RS256' }),
      'ERR.1015 keys[0].alg',
    ],
    ['is for the algorithm of other keys', jwkOf(ec.publicKey, { alg: 'PS256' }), 'ERR.1015 keys[0].alg'],
    ['names its algorithm in other letters', jwkOf(ec.publicKey, { alg: 'es256' }), 'ERR.1015 keys[0].alg'],
    ['names its algorithm as RFC 9864 does', jwkOf(ed.publicKey, { alg: 'Ed25519' }), 'ERR.1015 keys[0].alg'],
    ['has the exponent 1', jwkOf(rsa.publicKey, { e: 'AQ' }), 'ERR.1016 keys[0]'],
    ['has an even exponent', jwkOf(rsa.publicKey, { e: 'AQAA' }), 'ERR.1016 keys[0]'],
  ]
  for (const [what, key, rejection] of refused) {
    it(`are refused if a key ${what}`, async () => {
      const replacing = service.operations.operations.replaceClientKeys({ clientId, keys: [key] })
      assert.deepEqual(await rejectionsOf(replacing), [rejection])
    })
  }

  it('are refused if a key is private, with the advice to make another pair', async () => {
    const keys = [jwkOf(ec.publicKey, { d: 'AQ' })]
    const replacing = service.operations.operations.replaceClientKeys({ clientId, keys })
    await assert.rejects(replacing, /keys\[0\]\.d: .*This is a private key, .*make another pair/)
  })

  it('do not verify a signature that needs no private key', async () => {
    const weak = createPublicKey({
      key: { ...rsa.publicKey.export({ format: 'jwk' }), e: 'AQ' },
      format: 'jwk',
    })
    await service.operations.operations.replaceClientKeys({ clientId, keys: [jwkOf(weak)] }).catch(() => {})
    const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const signed = `${encode({ alg: 'PS256', kid: 'one' })}.${encode(await claimsOf())}`
    const key = { key: rsa.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
    // The padded digest, which needs no private key: it is the signature of a key with the exponent 1.
    const padded = publicDecrypt(
      { key: rsa.publicKey, padding: constants.RSA_NO_PADDING },
      sign('sha256', Buffer.from(signed), key),
    )
    assert.equal(await statusOf(`${signed}.${padded.toString('base64url')}`), 401)
  })
})
