import assert from 'node:assert/strict'
import test from 'node:test'
import { startService, success } from '../test/scripted-service.ts'
import { createClient } from './client.ts'
import { followOnboarding } from './follow-onboarding.ts'
import { createTokenSource } from './tokens.ts'
import { verifyWebhook } from './verify-webhook.ts'

const right = { baseUrl: 'http://127.0.0.1:1', clientId: 'a', clientSecret: 'b' }

const wrong: readonly [string, unknown, RegExp][] = [
  ['no settings', undefined, /needs settings/],
  ['no address', { ...right, baseUrl: undefined }, /baseUrl must be the address/],
  ['an empty address', { ...right, baseUrl: '' }, /baseUrl must be the address/],
  ['no scheme', { ...right, baseUrl: '127.0.0.1:8080' }, /begin with http:\/\/ or https:\/\/.*got "127/],
  ['a host as the scheme', { ...right, baseUrl: 'localhost:8080' }, /begin with http:\/\/ or https:\/\//],
  ['another scheme', { ...right, baseUrl: 'ftp://clearing.example' }, /begin with http/],
  [
    'credentials in the address',
    { ...right, baseUrl: 'http://a:b@clearing.example' },
    /^baseUrl must not contain/,
  ],
  ['a query', { ...right, baseUrl: 'http://clearing.example/?a=1' }, /end with its path/],
  ['no credentials', { baseUrl: right.baseUrl }, /^clientId is missing/],
  ['no secret', { ...right, clientSecret: undefined }, /^clientSecret is missing.*environment variable/],
  ['an empty secret', { ...right, clientSecret: '' }, /^clientSecret is missing/],
  ['a token as text', { baseUrl: right.baseUrl, accessToken: 'ey' }, /accessToken must be a function/],
  ['an unknown session', { baseUrl: right.baseUrl, session: 'cookie' }, /session must be 'page'/],
  ['scopes as one text', { ...right, scope: 'accounts:read' }, /scope must be an array/],
  ['a secret and a key', { ...right, clientKey: {} }, /clientSecret or clientKey, not both/],
  [
    'a public key',
    { ...right, clientSecret: undefined, clientKey: { kty: 'EC', crv: 'P-256' } },
    /private JSON web key/,
  ],
  ['a key as text', { ...right, clientSecret: undefined, clientKey: '{}' }, /private JSON web key/],
  ['dpop as text', { ...right, dpop: 'true' }, /dpop must be true or false/],
  [
    'dpop with tokens from another source',
    { baseUrl: right.baseUrl, accessToken: () => 't', dpop: true },
    /dpop .* needs clientId/,
  ],
  ['a timeout as text', { ...right, timeoutMs: '40' }, /timeoutMs must be a number/],
  ['a negative number of retries', { ...right, retries: -1 }, /retries must be a number of at least 0/],
  ['scopes', { ...right, scopes: ['accounts:read'] }, /^there is no setting scopes; did you mean scope\?$/],
  [
    'another unknown setting',
    { ...right, proxy: 'p' },
    /^there is no setting proxy; the settings are baseUrl/,
  ],
  ['a hook that is not a function', { ...right, onRequest: 'log' }, /onRequest must be a function/],
]

for (const [what, settings, message] of wrong) {
  test(`${what} is reported when the client is created`, () => {
    assert.throws(() => createClient(settings as typeof right), { name: 'TypeError', message })
  })
}

test('every kind of credentials is accepted', () => {
  const { baseUrl } = right
  for (const settings of [right, { baseUrl, accessToken: () => 't' }, { baseUrl, session: 'page' as const }])
    assert.equal(typeof createClient(settings).getAccount, 'function')
})

test('a misspelled setting is reported before anything is sent; one that is undefined is absent', async () => {
  await using service = await startService({ script: [success({ events: [], next: '', nextCursor: '' })] })
  const client = createClient({ ...service.settings, ...{ scopes: undefined } })
  const reservation = { entityNumber: '301', repCode: 'JC01', registrationType: 'Individual' }
  const first = (rows: AsyncGenerator<unknown>) => rows.next()
  const signed = { body: '', headers: {} }
  const misspelled: readonly [string, string, (settings: object) => Promise<unknown>][] = [
    ['idempotencykey', 'idempotencyKey', (settings) => client.accountNumber(reservation, settings)],
    ['timeout', 'timeoutMs', (settings) => client.codeLists({}, settings)],
    ['onpage', 'onPage', (settings) => first(client.listAccounts.each({}, settings))],
    ['folow', 'follow', (settings) => first(client.events({}, settings))],
    ['type', 'types', (filter) => first(client.events(filter))],
    ['everyms', 'everyMs', (settings) => followOnboarding(client, '30100001', settings)],
    ['toleranceSecond', 'toleranceSeconds', (settings) => verifyWebhook(signed, 's', settings)],
    ['scopes', 'scope', async (settings) => createTokenSource({ ...service.settings, ...settings })],
  ]
  for (const [name, nearest, use] of misspelled) {
    const message = `there is no setting ${name}; did you mean ${nearest}?`
    await assert.rejects(use({ [name]: 5 }), { name: 'TypeError', message })
  }
  assert.equal(service.calls.length, 0)
  await client.codeLists({}, { timeout: undefined } as object)
  assert.equal(service.calls.length, 1)
})

test('an idempotency key that cannot be sent is reported before the call; a read has none', async () => {
  await using service = await startService()
  const client = createClient(service.settings)
  const reservation = { entityNumber: '301', repCode: 'JC01', registrationType: 'Individual' }
  const wrongKeys: readonly unknown[] = ['', 'k\u00e9', 'k\u2013', 'a\tb', 'a\n', 'k'.repeat(256), 5]
  for (const key of wrongKeys) {
    await assert.rejects(client.accountNumber(reservation, { idempotencyKey: key as string }), {
      name: 'TypeError',
      message: /^idempotencyKey must be text of 1 to 255 characters/,
    })
  }
  assert.equal(service.calls.length, 0)
  await client.accountNumber(reservation, { idempotencyKey: 'k'.repeat(255) })
  await client.codeLists({}, { idempotencyKey: 'k\u00e9' })
  assert.equal(service.calls.length, 2)
})

test('a header that cannot be sent is reported by its name, without its value', async () => {
  await using service = await startService()
  const client = createClient(service.settings)
  for (const headers of [
    { 'x-note': 'a\u2013b' },
    { 'x-note': 'a\nb' },
    { 'x-note': undefined },
    { 'x note': 'a' },
  ]) {
    await assert.rejects(client.codeLists({}, { headers: headers as Record<string, string> }), {
      name: 'TypeError',
      message: `headers must have names and values of printable ASCII text; check "${Object.keys(headers)[0]}"`,
    })
  }
  assert.equal(service.calls.length, 0)
  await client.codeLists({}, { headers: { 'x-note': 'n' } })
  assert.equal(service.calls[0]?.headers['x-note'], 'n')
})

test('an accessToken that returns no token is reported before the call', async () => {
  await using service = await startService()
  for (const token of [undefined, null, '', 'a b', 'a\u2013b', { token: 't' }]) {
    const client = createClient({ baseUrl: service.baseUrl, accessToken: () => token as string })
    await assert.rejects(client.codeLists(), {
      name: 'TypeError',
      message: /^accessToken must return a token/,
    })
  }
  assert.equal(service.calls.length, 0)
  await createClient({ baseUrl: service.baseUrl, accessToken: async () => 't\n' }).codeLists()
  assert.equal(service.calls[0]?.headers.authorization, 'Bearer t')
})
