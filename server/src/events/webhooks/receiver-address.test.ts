import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guardedLookup, isAllowedAddress, isOpenToOthers, parseReceiverUrl } from './receiver-address.ts'
import { retryDelay, retryDelaysMs } from './retry-delays.ts'

const production = { sandbox: false }
const sandbox = { sandbox: true }

const refused = [
  ...[
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.9.9.9',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
  ],
  ...[
    '192.168.1.1',
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '168.63.129.16',
    '224.0.0.1',
    '255.255.255.255',
  ],
  ...[
    '::',
    '::1',
    'fe80::1',
    'fec0::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
  ],
  ...['64:ff9b::7f00:1', '2002:7f00:1::1', '2001::1', '2001:db8::1', '::127.0.0.1', 'not an address'],
]
for (const address of refused) {
  test(`${address} is not a public address`, () => {
    assert.equal(isAllowedAddress(address, production), false)
    assert.equal(isAllowedAddress(address, sandbox), /^(::ffff:)?127\.|^::1$/.test(address))
  })
}
for (const address of [
  '1.1.1.1',
  '8.8.8.8',
  '172.32.0.1',
  '192.169.0.1',
  '100.128.0.1',
  '168.63.129.17',
  '2606:4700::1111',
  '2a00:1450::1',
]) {
  test(`${address} is a public address`, () => assert.ok(isAllowedAddress(address, production)))
}

const urls: [string, RegExp | undefined, RegExp | undefined][] = [
  ['https://hooks.example.com/x?y=1', undefined, undefined],
  ['http://hooks.example.com', /https/, undefined],
  ['https://127.0.0.1/hook', /private/, undefined],
  ['https://2130706433/', /private/, undefined],
  ['https://0x7f.1/', /private/, undefined],
  ['https://[::1]/', /private/, undefined],
  ['https://[::ffff:10.0.0.1]/', /private/, /private/],
  ['http://169.254.169.254/latest/meta-data', /https/, /private/],
  ['https://user:secret@hooks.example.com', /password/, /password/],
  ['https://hooks.example.com/#here', /fragment/, /fragment/],
  ['https://hooks.example.com:0/', /port/, /port/],
  ['https://hooks.example.com:1/', undefined, undefined],
  ['ftp://hooks.example.com', /whole https address, such as https:/, /whole http or https .*, such as http:/],
  ['hooks.example.com', /whole/, /whole/],
  ['localhost:3000/hook', /whole/, /whole/],
  ['https://', /whole/, /whole/],
]
for (const [text, inProduction, inSandbox] of urls) {
  test(`the address ${text} is ${inProduction ? 'refused' : 'accepted'} in production and ${inSandbox ? 'refused' : 'accepted'} in the sandbox`, () => {
    for (const [policy, expected] of [
      [production, inProduction],
      [sandbox, inSandbox],
    ] as const) {
      const parsed = parseReceiverUrl(text, policy)
      if (expected === undefined) assert.ok(parsed instanceof URL, String(parsed))
      else assert.match(String(parsed), expected)
    }
  })
}

test('a sandbox that other machines can reach sends nothing to the local machine', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1']) {
    assert.equal(isAllowedAddress(address, sandbox), true)
    assert.equal(isAllowedAddress(address, { sandbox: true, openToOthers: true }), false)
  }
  const isOpen = (host: string, issuer = `http://${host}:8080`, trustedProxies: string[] = []) =>
    isOpenToOthers({ host, issuer, trustedProxies })
  for (const host of ['127.0.0.1', '127.1.2.3', '[::1]', 'localhost'])
    assert.equal(isOpen(host.replace(/[[\]]/g, ''), `http://${host}:8080`), false, host)
  for (const host of ['0.0.0.0', '10.1.2.3', 'clearing.example']) assert.equal(isOpen(host), true, host)
  assert.equal(isOpen('::', 'http://127.0.0.1:8080'), true)
  assert.equal(isOpen('127.0.0.1', 'https://clearing.example'), true, 'behind a proxy on this machine')
  assert.equal(isOpen('127.0.0.1', 'http://127.0.0.1:8080', ['127.0.0.1']), true, 'behind a named proxy')
})

test('a host name is resolved for each connection and refused if one of its addresses is private', async () => {
  const answers = [['1.1.1.1'], ['10.0.0.1'], ['1.1.1.1', '169.254.169.254'], ['127.0.0.1'], []]
  const looked = guardedLookup(production, (_name, _options, callback) => {
    const addresses = (answers.shift() ?? []).map((address) => ({ address, family: 4 }))
    callback(null, addresses)
  })
  const connect = () =>
    new Promise<string>((resolve) => {
      looked('hooks.example.com', {}, (error, address) => resolve(error?.name ?? String(address)))
    })
  assert.equal(await connect(), '1.1.1.1')
  while (answers.length > 0) assert.equal(await connect(), 'AddressRefused')
})

test('a delivery is retried for more than three days with increasing delays', () => {
  const waits = retryDelaysMs.map((_, at) => retryDelay(at + 1, 0, retryDelaysMs, () => 0) ?? 0)
  assert.ok(waits.reduce((sum, each) => sum + each, 0) > 3 * 24 * 60 * 60 * 1_000)
  assert.ok(waits.every((each, at) => at === 0 || each > (waits[at - 1] ?? 0)))
  assert.equal(retryDelay(waits.length + 1, 0), undefined)
})

test('a delay has a random part and is never shorter than the Retry-After of the receiver', () => {
  const spread = [0, 0.5, 0.999].map((chance) => retryDelay(1, 0, [1_000], () => chance))
  assert.deepEqual(spread, [1_000, 1_100, 1_199.8])
  assert.equal(retryDelay(1, 90_000, [1_000]), 90_000)
})
