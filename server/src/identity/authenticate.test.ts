import assert from 'node:assert/strict'
import { createHmac, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { decodeJwt } from 'jose'
import {
  encode,
  forge,
  here,
  prepareGround,
  startInstance,
  type TestGround,
  type TestInstance,
  takeToken,
  testIssuer,
} from './test-service.ts'

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

function secondsNow() {
  return Math.floor(ground.clock.now().getTime() / 1000)
}
function goodHeader() {
  return { alg: 'ES256', typ: 'at+jwt', kid: service.signingKey().kid }
}
function goodClaims(): Record<string, unknown> {
  return {
    iss: testIssuer,
    aud: testIssuer,
    sub: 'alpha',
    client_id: 'alpha',
    iat: secondsNow(),
    exp: secondsNow() + 36_000,
    jti: 'a-token-of-the-test',
    scope: 'accounts:read positions:read',
    generation: 1,
  }
}
async function judge(token: string): Promise<string> {
  return (await service.identity.authenticate(token, here)).kind
}
function resign(header: unknown, claims: unknown, signature: (signed: string) => Buffer | string): string {
  const signed = `${encode(header)}.${encode(claims)}`
  const made = signature(signed)
  return `${signed}.${typeof made === 'string' ? made : made.toString('base64url')}`
}
function es256(key: KeyObject) {
  return (signed: string) => sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
}

describe('a valid token', () => {
  it('identifies the firm, the client and the scopes', async () => {
    const answer = await service.identity.authenticate(await takeToken(service), here)
    assert.ok(answer.kind === 'known')
    assert.equal(answer.firm.name, 'Alpha Securities')
    assert.deepEqual([...answer.firm.entityNumbers], ['301'])
    assert.deepEqual([...answer.firm.repCodes], ['JC01', 'JC02'])
    assert.deepEqual(answer.firm.settings, {
      duplicateApplications: 'Flag',
      documentCatalogueClosed: false,
      keysOnly: false,
      requestsPerSecond: 200,
      changesNeedingApproval: [],
    })
    assert.equal(answer.caller.clientId, 'alpha')
    assert.equal(answer.caller.scopes.size, 8)
  })

  it('is answered at once the second time', async () => {
    const token = await takeToken(service)
    const first = await service.identity.authenticate(token, here)
    const second = service.identity.authenticate(token, here)
    assert.ok(!(second instanceof Promise))
    assert.equal(second, first)
  })

  it('is accepted when the test makes it, so that each later case fails because of its one difference', async () => {
    assert.equal(await judge(forge(service.signingKey(), goodHeader(), goodClaims())), 'known')
    assert.equal(
      await judge(forge(service.signingKey(), goodHeader(), { ...goodClaims(), nbf: secondsNow() })),
      'known',
    )
  })

  it('has no scope that its client has lost and no unknown scope', async () => {
    const claims = { ...goodClaims(), jti: 'wide', scope: 'accounts:read operations everything' }
    const answer = await service.identity.authenticate(
      forge(service.signingKey(), goodHeader(), claims),
      here,
    )
    assert.ok(answer.kind === 'known')
    assert.deepEqual([...answer.caller.scopes], ['accounts:read'])
  })
})

describe('a token header is refused', () => {
  const alien = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const alienJwk = alien.publicKey.export({ format: 'jwk' })

  for (const alg of ['none', 'None', 'NONE', 'nOnE', '', null, 0, ['ES256'], undefined]) {
    it(`if alg is ${JSON.stringify(alg)} and the signature is absent, empty or valid`, async () => {
      const header = { ...goodHeader(), alg }
      const unsigned = `${encode(header)}.${encode(goodClaims())}`
      assert.equal(await judge(`${unsigned}.`), 'invalid')
      assert.equal(await judge(unsigned), 'invalid')
      assert.equal(await judge(forge(service.signingKey(), header, goodClaims())), 'invalid')
    })
  }

  it('if it has HS256 and is signed with the public key in any of its forms', async () => {
    const { publicKey, publicJwk } = service.signingKey()
    const secrets = [
      publicKey.export({ format: 'pem', type: 'spki' }),
      publicKey.export({ format: 'der', type: 'spki' }),
      JSON.stringify(publicJwk),
      JSON.stringify({ keys: [publicJwk] }),
      Buffer.from(publicJwk.x, 'base64url'),
      '',
    ]
    for (const secret of secrets)
      for (const alg of ['HS256', 'HS512', 'ES256']) {
        const mac = (signed: string) => createHmac('sha256', secret).update(signed).digest()
        assert.equal(await judge(resign({ ...goodHeader(), alg }, goodClaims(), mac)), 'invalid')
      }
  })

  it('if it has another algorithm, even one for which its key could sign', async () => {
    for (const alg of ['RS256', 'PS256', 'ES384', 'ES512', 'EdDSA', 'ES256K', 'es256', 'ES256 '])
      assert.equal(
        await judge(forge(service.signingKey(), { ...goodHeader(), alg }, goodClaims())),
        'invalid',
      )
  })

  it('if it contains a key or the address of a key, and nothing is fetched', async () => {
    let fetched = 0
    const elsewhere = createServer((_request, response) => {
      fetched++
      response.end(JSON.stringify({ keys: [{ ...alienJwk, kid: 'alien', alg: 'ES256', use: 'sig' }] }))
    })
    await new Promise<void>((listening) => elsewhere.listen(0, '127.0.0.1', listening))
    const address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/keys`
    const additions = [
      { jwk: alienJwk },
      { jku: address },
      { x5u: address },
      { x5c: ['MIIB'] },
      { x5t: 'abc' },
      { 'x5t#S256': 'abc' },
      { crit: ['exp'], exp: 1 },
      { crit: [] },
      { crit: ['b64'], b64: false },
      { crit: ['b64'], b64: true },
      { b64: false },
      { b64: true },
      { zip: 'DEF' },
      { cty: 'JWT' },
      { url: address },
      { nonce: 'x' },
      { epk: alienJwk },
      { enc: 'A256GCM' },
      { iss: testIssuer },
      { unknown: 1 },
    ]
    try {
      for (const addition of additions) {
        const header = { ...goodHeader(), ...addition }
        assert.equal(
          await judge(forge(service.signingKey(), header, goodClaims())),
          'invalid',
          JSON.stringify(addition),
        )
        for (const kid of [service.signingKey().kid, 'alien', undefined]) {
          const own = resign({ ...header, kid }, goodClaims(), es256(alien.privateKey))
          assert.equal(await judge(own), 'invalid', JSON.stringify(addition))
        }
      }
      assert.equal(fetched, 0)
    } finally {
      await new Promise((closed) => elsewhere.close(closed))
    }
  })

  it('if its kid is a path, SQL, a NUL, a name of an object or not text', async () => {
    const { kid } = service.signingKey()
    const kids = [
      '../../../../dev/null',
      '/dev/null',
      'file:///etc/passwd',
      "' or '1'='1",
      "x'; drop table clearing.signing_key; --",
      `${kid}\u0000`,
      '\u0000',
      '__proto__',
      'constructor',
      'toString',
      '',
      ' ',
      ` ${kid}`,
      kid.toUpperCase(),
      'x'.repeat(2_000),
      null,
      0,
      [kid],
      { kid },
      undefined,
    ]
    for (const each of kids)
      assert.equal(
        await judge(forge(service.signingKey(), { ...goodHeader(), kid: each }, goodClaims())),
        'invalid',
        JSON.stringify(each),
      )
  })

  it('if it belongs to a token for another purpose', async () => {
    for (const typ of [
      'JWT',
      'jwt',
      'logout+jwt',
      'dpop+jwt',
      'secevent+jwt',
      'id+jwt',
      'AT+JWT',
      'application/at+jwt',
      '',
      null,
      undefined,
    ])
      assert.equal(
        await judge(forge(service.signingKey(), { ...goodHeader(), typ }, goodClaims())),
        'invalid',
        String(typ),
      )
  })

  it('if it is not a JSON object', async () => {
    for (const header of ['', 'null', '[]', '"x"', '1', '{', '{"alg":"ES256"', '\ufeff{"alg":"ES256"}'])
      assert.equal(await judge(forge(service.signingKey(), header, goodClaims())), 'invalid', header)
  })
})

describe('a token signature is refused', () => {
  it('if it is of another key, also with a kid of the service', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    assert.equal(await judge(resign(goodHeader(), goodClaims(), es256(privateKey))), 'invalid')
  })

  it('if it is empty, short, long, all zeros, all ones, or in DER', async () => {
    const key = service.signingKey().privateKey as KeyObject
    const der = (signed: string) => sign('sha256', Buffer.from(signed), key)
    const made = [
      () => '',
      () => Buffer.alloc(63),
      () => Buffer.alloc(65),
      () => Buffer.alloc(64),
      () => Buffer.alloc(64, 0xff),
      der,
    ]
    for (const signature of made)
      assert.equal(await judge(resign(goodHeader(), goodClaims(), signature)), 'invalid')
  })

  it('if it is of another token', async () => {
    const [one, two] = [await takeToken(service), await takeToken(service)]
    const [header, claims] = one.split('.')
    assert.equal(await judge(`${header}.${claims}.${two.split('.')[2]}`), 'invalid')
  })

  it('if the claims of the token were changed', async () => {
    const [header, claims = '', signature] = (await takeToken(service)).split('.')
    const changed = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), scope: 'operations' }
    assert.equal(await judge(`${header}.${encode(changed)}.${signature}`), 'invalid')
  })
})

// The clock of the service continues while the clock of the test stands still, so times near a limit differ by
// minutes.
describe('each claim of a token has the form that the service writes', () => {
  const other: Record<string, unknown[]> = {
    iss: ['https://elsewhere.example', `${testIssuer}/`, testIssuer.toUpperCase(), '', [testIssuer], 1, null],
    aud: ['https://elsewhere.example', `${testIssuer}/`, '', [testIssuer], [testIssuer, 'other'], {}, null],
    sub: ['beta', '', ['alpha'], 1, null],
    client_id: ['beta', '', ['alpha'], 1, null, 'ALPHA', 'nobody'],
    exp: [
      () => String(secondsNow() + 600),
      () => [secondsNow() + 600],
      () => secondsNow() + 600.5,
      () => secondsNow() + 36_001,
      () => 1e20,
      '',
      null,
      true,
    ],
    iat: [
      () => String(secondsNow()),
      () => [secondsNow()],
      () => secondsNow() + 0.5,
      () => secondsNow() + 61,
      () => secondsNow() + 36_001,
      '',
      null,
    ],
    nbf: [
      () => String(secondsNow()),
      () => [secondsNow()],
      () => secondsNow() + 61,
      () => secondsNow() - 0.5,
      '',
      null,
    ],
    jti: ['', 1, ['x'], null],
    scope: [['accounts:read'], 1, null, {}],
    generation: [0, 2, '1', [1], 1.5, null],
  }
  const optional = new Set(['nbf', 'scope'])

  for (const [claim, values] of Object.entries(other)) {
    it(`${claim} must not be wrong, an array, or of another type`, async () => {
      for (const value of values) {
        const claims = { ...goodClaims(), [claim]: typeof value === 'function' ? value() : value }
        const verdict = await judge(forge(service.signingKey(), goodHeader(), claims))
        assert.notEqual(verdict, 'known', JSON.stringify(claims[claim as keyof typeof claims]))
      }
    })
    it(`${claim} ${optional.has(claim) ? 'may be' : 'must not be'} missing`, async () => {
      const { [claim]: _left, ...claims } = goodClaims()
      const verdict = await judge(forge(service.signingKey(), goodHeader(), claims))
      assert.equal(verdict, optional.has(claim) ? 'known' : 'invalid')
    })
  }

  it('the claims are a JSON object', async () => {
    for (const claims of ['', 'null', '[]', '"x"', '{'])
      assert.equal(await judge(forge(service.signingKey(), goodHeader(), claims)), 'invalid', claims)
  })
})

describe('a token has only one textual form', () => {
  it('spellings that only lenient base64 decoders accept are refused', async () => {
    const token = await takeToken(service)
    const [header, claims, signature = ''] = token.split('.')
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const last = alphabet.indexOf(signature.slice(-1))
    const looseBits = signature.slice(0, -1) + alphabet[last + 1]
    assert.deepEqual(Buffer.from(looseBits, 'base64url'), Buffer.from(signature, 'base64url'))
    const loose = [
      `${token}=`,
      `${token}==`,
      `${token} `,
      ` ${token}`,
      `${token}\n`,
      `${header}. ${claims}.${signature}`,
      `${header}=.${claims}.${signature}`,
      `${header}.${claims}.${signature.slice(0, 10)} ${signature.slice(10)}`,
      `${header}.${claims}.${signature.slice(0, 10)}\n${signature.slice(10)}`,
      `${header}.${claims}.${signature.slice(0, 10)}!${signature.slice(10)}`,
      `${header}.${claims}.${looseBits}`,
      `${header}.${claims}.${signature.replaceAll('-', '+').replaceAll('_', '/')}!`,
      `${token}.`,
      `.${token}`,
      `${token}.x`,
      `${header}..${signature}`,
      `..${signature}`,
      '..',
      '',
      'x',
      `${header}.${claims}.${signature}\u0000`,
      `${header}.${claims}.${signature}é`,
      `${'A'.repeat(5_000)}.${claims}.${signature}`,
      JSON.stringify({ protected: header, payload: claims, signature }),
    ]
    for (const each of loose) assert.equal(await judge(each), 'invalid', each.slice(-40))
    assert.equal(await judge(token), 'known')
  })
})

describe('the lifetime of a token', () => {
  const hour = 3_600_000
  it('is ten hours and sixty seconds for clock skew, and an expired token stays expired if the clock goes back', async () => {
    await using own = await prepareGround()
    await using instance = await startInstance(own)
    const [seen, late, unseen] = [
      await takeToken(instance),
      await takeToken(instance),
      await takeToken(instance),
    ]
    const exp = (decodeJwt(seen).exp as number) * 1000
    const verdictAt = async (ms: number, token = seen) => {
      own.clock.move(ms - own.clock.now().getTime())
      return (await instance.identity.authenticate(token, here)).kind
    }
    assert.equal(await verdictAt(exp - 36_000_000), 'known')
    assert.equal(await verdictAt(exp - 1_000), 'known')
    assert.equal(await verdictAt(exp + 59_000), 'known')
    assert.equal(await verdictAt(exp + 59_000, late), 'known')
    assert.equal(await verdictAt(exp + 61_000), 'expired')
    assert.equal(await verdictAt(exp + 61_000, unseen), 'expired')
    assert.equal(await verdictAt(exp - hour), 'expired')
    assert.equal(await verdictAt(exp - hour, unseen), 'expired')
  })
})

describe('a private key of another purpose that has leaked', () => {
  it('cannot sign tokens, even if its public half is in the header', async () => {
    const key = createPrivateKey(
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' }),
    )
    const { kid: _left, ...header } = goodHeader()
    assert.equal(await judge(resign(header, goodClaims(), es256(key))), 'invalid')
  })
})
