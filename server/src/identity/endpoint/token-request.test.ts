import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readTokenRequest } from './token-request.ts'

const formHeaders = ['Content-Type', 'application/x-www-form-urlencoded']
function read(body: string | Buffer, headers: string[] = formHeaders, url = '/identity/connect/token') {
  return readTokenRequest({ rawHeaders: headers, url, body: Buffer.from(body) })
}

describe('a token request', () => {
  it('is read with an unchanged id and secret, in a form and with Basic', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((each) => each.isWellFormed())
    const formEncode = (each: string) => new URLSearchParams({ x: each }).toString().slice(2)
    fc.assert(
      fc.property(text, text, (clientId, secret) => {
        const inForm = read(new URLSearchParams({ client_id: clientId, client_secret: secret }).toString())
        const wanted = { clientId, proof: { kind: 'secret', secret } }
        assert.deepEqual(inForm, {
          ...wanted,
          grantType: 'client_credentials',
          scope: undefined,
          resource: undefined,
          dpopProof: undefined,
        })
        const pair = Buffer.from(`${formEncode(clientId)}:${formEncode(secret)}`).toString('base64')
        assert.deepEqual(read('', ['authorization', `Basic ${pair}`]), inForm)
      }),
    )
  })

  it('is read or refused with an error of RFC 6749, for every sequence of bytes', () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((each) => Buffer.from(each))
    const nearly = fc
      .array(
        fc.tuple(
          fc.constantFrom('client_id', 'client_secret', 'grant_type', 'scope', '', '%', 'x'),
          fc.string(),
        ),
      )
      .map((pairs) => Buffer.from(pairs.map(([name, value]) => `${name}=${value}`).join('&')))
    fc.assert(
      fc.property(fc.oneof(bytes, nearly), fc.option(fc.string()), (body, authorization) => {
        const headers =
          authorization === null ? formHeaders : [...formHeaders, 'Authorization', authorization]
        const outcome = read(body, headers)
        if ('status' in outcome) assert.ok(outcome.status === 400 || outcome.status === 401)
        else assert.equal(outcome.proof.kind === 'secret' && outcome.proof.secret === '', false)
      }),
    )
  })

  it('is read or refused without an exception if it is long and repetitive', () => {
    for (const body of ['%'.repeat(8_000), '&'.repeat(8_000), '='.repeat(8_000), 'a=%20'.repeat(1_600)])
      read(body)
    for (const header of [`Basic ${' '.repeat(8_000)}x y`, `Basic ${'A'.repeat(8_000)}!`])
      assert.ok('status' in read('', ['Authorization', header]))
  })
})
