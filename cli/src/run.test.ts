import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runCommandLine } from './run.ts'
import { makeTestTerminal } from './test-terminal.ts'

const home = mkdtempSync(join(tmpdir(), 'clearing-run-'))
after(() => rmSync(home, { recursive: true, force: true }))
const environment = { XDG_CONFIG_HOME: home, HOME: home }

async function run(words: readonly string[], more: Record<string, string> = {}) {
  const terminal = makeTestTerminal({ environment: { ...environment, ...more } })
  const exitCode = await runCommandLine(words, terminal)
  return { exitCode, printed: terminal.printed.join('\n'), noted: terminal.noted.join('\n') }
}

const broken = join(home, 'broken.json')
writeFileSync(broken, '{"registrationType": "Individual"')

for (const [words, pattern] of [
  [['get-account'], /needs accountNumber/],
  [['get-account', 'a', 'b'], undefined],
  [['get-account', '30100001', '--account-number', '30100002'], /given twice/],
  [['get-account', '--entity-number', '1', '--entity-number', '2', 'a'], /is given 2 times/],
  [['new-account', '--file', join(home, 'nowhere.json')], /there is no such file/],
  [['new-account', '--file', home], /it is a folder/],
  [
    ['new-account', '--file', broken],
    /broken\.json is not JSON: it ends too early|broken\.json is not JSON at /,
  ],
  [['list-events', '--size', 'many'], /--size takes a whole number/],
  [
    ['get-account', '30100001', '--profile', 'nobody'],
    /There is no profile nobody. The profiles are: none yet/,
  ],
  [['get-account', '30100001'], /clearing profile add/],
  [['add-document', '30100001', '--dry-run', '--file'], undefined],
  [['completion', 'powershell'], /The shells are bash, zsh, fish/],
  [['completion', 'toString'], /The shells are bash, zsh, fish/],
  [['profile', 'add', '../x'], /letters, digits/],
  [['profile', 'add', 'x', '--url', 'ftp://host'], /not the address of a service/],
  [['get-acount'], undefined],
  [['update-account', '30100001', '--version', '1', '--dry-run'], /Did you mean --expected-version\?/],
  [['get-statement', '30100001', '-V', '--dry-run'], /Did you mean --statement-version\?/],
  [['-p', 'alpha', 'list-accounts', '--version'], /--version stands without a verb/],
  [['firms', 'lst'], undefined],
  [['get-account', '30100001', '--bogus'], undefined],
] as [string[], RegExp | undefined][]) {
  test(`wrong usage is reported: ${words.join(' ').replaceAll(home, '…')}`, async () => {
    const { exitCode, noted, printed } = await run(words)
    assert.equal(exitCode, 2)
    assert.equal(printed, '')
    // The messages of the parser itself go directly to standard error.
    if (pattern !== undefined) assert.match(noted, pattern)
  })
}

test('a document without a name, or of which there is no file, is wrong usage', async () => {
  const place = {
    CLEARING_URL: 'http://127.0.0.1:9',
    CLEARING_CLIENT_ID: 'alpha',
    CLEARING_CLIENT_SECRET: 'alpha-sandbox-secret',
  }
  const words = [
    'add-document',
    '30100001',
    '--document-type-name',
    'Identity Documents',
    '--reference',
    'UTIL',
  ]
  for (const [file, pattern] of [
    ['-', /such as --file-name bill\.pdf/],
    ['/dev/null', /such as --file-name bill\.pdf/],
    [join(home, 'nowhere.pdf'), /there is no such file/],
    [home, /is a folder/],
  ] as const) {
    const { exitCode, noted } = await run([...words, '--file', file], place)
    assert.equal(exitCode, 2, noted)
    assert.match(noted, pattern)
  }
})

test('an idempotency key that cannot be sent is wrong usage', async () => {
  const place = {
    CLEARING_URL: 'http://127.0.0.1:9',
    CLEARING_CLIENT_ID: 'alpha',
    CLEARING_CLIENT_SECRET: 'secret',
  }
  for (const key of ['', 'k\u00e9', 'k'.repeat(256)]) {
    const { exitCode, noted } = await run(['account-number', '--idempotency-key', key], place)
    assert.equal(exitCode, 2)
    assert.match(noted, /^--idempotency-key takes 1 to 255 characters/)
  }
})

test('an incomplete environment is refused, and the message names the missing part', async () => {
  const part = { CLEARING_URL: 'http://127.0.0.1:8080', CLEARING_CLIENT_ID: 'alpha' }
  const { exitCode, noted } = await run(['get-account', '30100001'], part)
  assert.equal(exitCode, 2)
  assert.match(noted, /^CLEARING_CLIENT_SECRET: not set\. There is no profile/)
})

test('wrong usage is one line of JSON with --json', async () => {
  const { noted } = await run(['get-account', '--json'])
  assert.equal(JSON.parse(noted).error.name, 'WrongUsage')
})

test('the global flags are accepted before and after the verb', async () => {
  for (const words of [
    ['--json', 'account-number', '--dry-run', '--rep-code', 'JC01'],
    ['account-number', '--dry-run', '--rep-code', 'JC01', '--json'],
  ]) {
    const { exitCode, printed } = await run(words)
    assert.equal(exitCode, 0)
    assert.deepEqual(JSON.parse(printed), { repCode: 'JC01' })
  }
})

test('a dry run shows the request that is made from flags, arguments and lists', async () => {
  const { printed } = await run([
    ...['create-firm', '--name', 'Gamma', '--entity-numbers', '303, 304', '--entity-numbers', '305'],
    ...[
      '--settings.requests-per-second',
      '50',
      '--settings.document-catalogue-closed',
      '--dry-run',
      '--json',
    ],
  ])
  assert.deepEqual(JSON.parse(printed), {
    name: 'Gamma',
    entityNumbers: ['303', '304', '305'],
    settings: { requestsPerSecond: 50, documentCatalogueClosed: true },
  })
  const no = await run(['disable-credential', 'gamma', '--no-disabled', '--dry-run', '--json'])
  assert.deepEqual(JSON.parse(no.printed), { clientId: 'gamma', disabled: false })
  const sandbox = await run([
    'sandbox',
    'decide-onboarding',
    '30100001',
    '--decision',
    'Approved',
    '--dry-run',
  ])
  assert.match(sandbox.printed, /^POST \/sandbox-api\/v1\/decide-onboarding\n/)
})

test('an argument overrides the member of a file, whatever the letter case of its name', async () => {
  const file = join(home, 'update.json')
  writeFileSync(file, '{"AccountNumber": "30100002", "email": "ada@example.com"}')
  const { printed } = await run(['update-account', '30100001', '--file', file, '--dry-run', '--json'])
  assert.deepEqual(JSON.parse(printed), { AccountNumber: '30100001', email: 'ada@example.com' })
})

test('flags override the members of a file, whatever the letter case of the names', async () => {
  const file = join(home, 'application.json')
  writeFileSync(
    file,
    '{"PrimaryOwner": {"firstName": "Ada", "LastName": "Moreno"}, "main": {"repCode": "JC01"}}',
  )
  const words = ['new-account', '--file', file, '--primary-owner.last-name', 'Lopez', '--dry-run', '--json']
  const { printed } = await run(words)
  assert.deepEqual(JSON.parse(printed), {
    PrimaryOwner: { firstName: 'Ada', LastName: 'Lopez' },
    main: { repCode: 'JC01' },
  })
})
