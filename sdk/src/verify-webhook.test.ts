import assert from 'node:assert/strict'
import test from 'node:test'
import { signWebhook } from './sign-webhook.ts'
import { verifyWebhook, WebhookRefused } from './verify-webhook.ts'
import { makeWebhookSecret } from './webhook-secret.ts'

/** The example of the Standard Webhooks specification. */
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const body = '{"test": 2432232314}'
const headers = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}
const now = new Date(1_614_265_330_000)

/** As of a package, such as node-fetch: it has no own enumerable members. */
class HeadersOfPackage {
  readonly #headers: Headers
  constructor(headers: Record<string, string>) {
    this.#headers = new Headers(headers)
  }
  get(name: string): string | null {
    return this.#headers.get(name)
  }
}

test('a genuine delivery is accepted in any form of its headers and body', async () => {
  const given = [
    { body, headers },
    { body, headers: new Headers(headers) },
    { body, headers: new HeadersOfPackage(headers) },
    { body, headers: new Map(Object.entries(headers)) },
    { body, headers: { ...headers, get: 'a header of this name' } },
    { body: await new Response(body).arrayBuffer(), headers },
    { body: new TextEncoder().encode(body), headers: { 'Webhook-Id': [headers['webhook-id']], ...headers } },
  ]
  for (const received of given) {
    assert.deepEqual(await verifyWebhook(received, secret, { now }), { test: 2432232314 })
  }
})

test('one signature with one of the secrets is sufficient during a rotation', async () => {
  const other = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
  const two = { ...headers, 'webhook-signature': `v1,AAAA v2,x ${headers['webhook-signature']}` }
  assert.ok(await verifyWebhook({ body, headers: two }, [other, secret], { now }))
  await assert.rejects(verifyWebhook({ body, headers }, [other], { now }), WebhookRefused)
})

const refused: [string, Record<string, string>, string, Date][] = [
  ['a changed body', headers, '{"test": 2432232315}', now],
  ['a changed id', { ...headers, 'webhook-id': 'msg_other' }, body, now],
  ['a changed time', { ...headers, 'webhook-timestamp': '1614265331' }, body, now],
  ['a replay after six minutes', headers, body, new Date(now.getTime() + 360_000)],
  ['a time in the future', headers, body, new Date(now.getTime() - 360_000)],
  [
    'a signature of another version',
    { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1', 'v0') },
    body,
    now,
  ],
  ['no signature', { ...headers, 'webhook-signature': '' }, body, now],
  ['no time', { ...headers, 'webhook-timestamp': 'now' }, body, now],
  ['a signature that is not base64', { ...headers, 'webhook-signature': 'v1,%%%' }, body, now],
]
for (const [what, given, text, at] of refused) {
  test(`${what} is refused`, async () => {
    await assert.rejects(verifyWebhook({ body: text, headers: given }, secret, { now: at }), WebhookRefused)
  })
}

test('a setting of the time check that is not a number throws a TypeError instead of accepting a replay', async () => {
  const late = new Date(now.getTime() + 10 * 86_400_000)
  const unset = Number(JSON.parse('{}').tolerance)
  for (const toleranceSeconds of [unset, -1, JSON.parse('"300"'), JSON.parse('null')])
    await assert.rejects(verifyWebhook({ body, headers }, secret, { now: late, toleranceSeconds }), {
      name: 'TypeError',
      message: /^toleranceSeconds must be a number of at least 0; got /,
    })
  for (const wrong of [new Date('x'), JSON.parse('1614265330000')])
    await assert.rejects(verifyWebhook({ body, headers }, secret, { now: wrong }), {
      name: 'TypeError',
      message: /^now must be a valid Date; got /,
    })
})

test('a delivery is accepted until the tolerance is exceeded', async () => {
  for (const [offsetMs, toleranceSeconds] of [[300_000], [-300_000], [0, 0], [1e12, Infinity]] as const) {
    const settings = {
      now: new Date(now.getTime() + offsetMs),
      ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }),
    }
    assert.ok(await verifyWebhook({ body, headers }, secret, settings))
  }
  for (const [offsetMs, toleranceSeconds] of [
    [301_000, 300],
    [1_000, 0],
  ] as const)
    await assert.rejects(
      verifyWebhook({ body, headers }, secret, { now: new Date(now.getTime() + offsetMs), toleranceSeconds }),
      WebhookRefused,
    )
})

test('bytes that decode to the signed text are refused', async () => {
  const marked = new TextEncoder().encode(`\ufeff${body}`)
  await assert.rejects(verifyWebhook({ body: marked, headers }, secret, { now }), WebhookRefused)
})

test('a secret in another form, or none, throws a TypeError, because the delivery is not at fault', async () => {
  const unset = JSON.parse('{}').secret
  for (const wrong of ['secret', '', unset, [unset]])
    await assert.rejects(verifyWebhook({ body, headers }, wrong, { now }), {
      name: 'TypeError',
      message: "a webhook's secret begins with whsec_",
    })
  await assert.rejects(verifyWebhook({ body, headers }, [], { now }), TypeError)
})

test('a signed body that is not JSON is refused', async () => {
  const own = makeWebhookSecret()
  const signed = await signWebhook('a', '{"b":', own)
  await assert.rejects(verifyWebhook({ body: '{"b":', headers: { ...signed } }, own), {
    name: 'WebhookRefused',
    message: 'The body is signed, but is not JSON.',
  })
})

test('a parsed body throws a TypeError that asks for the body as received', async () => {
  for (const parsed of [JSON.parse(body), JSON.parse('null')])
    await assert.rejects(verifyWebhook({ body: parsed, headers }, secret, { now }), {
      name: 'TypeError',
      message: /^body must be the text or the bytes of the request, as received\./,
    })
})

test('a signed delivery has the signature of the specification and is accepted', async () => {
  assert.deepEqual(await signWebhook(headers['webhook-id'], body, secret, now), headers)
  const own = makeWebhookSecret()
  assert.match(own, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const signed = await signWebhook('a', '{"b":1}', own)
  assert.deepEqual(await verifyWebhook({ body: '{"b":1}', headers: { ...signed } }, own), { b: 1 })
})
