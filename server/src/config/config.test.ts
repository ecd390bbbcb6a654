import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { inspect } from 'node:util'
import { examineConfig, readConfig } from './config.ts'
import { fileNameOf, findMisspelt, secretNames, settingNames } from './setting-names.ts'

const folder = mkdtempSync(join(tmpdir(), 'config-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function fileOf(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text, { mode: 0o400 })
  return path
}

const key = fileOf('key', `${randomBytes(32).toString('base64')}\n`)
const production = {
  CLEARING_MODE: 'production',
  ISSUER: 'https://clearing.example.com',
  DATABASE_URL: 'postgresql://clearing:secret@database/clearing',
  MASTER_KEY_FILE: key,
}

function mistakesOf(environment: Record<string, string>, base: Record<string, string> = production) {
  return examineConfig({ ...base, ...environment }, []).mistakes
}

test('a production configuration without an error is accepted', () => {
  assert.deepEqual(mistakesOf({}), [])
  assert.equal(readConfig(production, []).drainSeconds, 5)
  assert.equal(readConfig({}, []).drainSeconds, 0)
})

test('production runs one process per core, the sandbox runs one process, and a setting gives another number', () => {
  assert.equal(readConfig({}, []).processes, 1)
  assert.equal(readConfig({ PROCESSES: '3' }, []).processes, 3)
  const automatic = readConfig(production, []).processes
  assert.ok(automatic >= 1 && automatic <= availableParallelism())
  assert.equal(readConfig({ PROCESSES: 'auto' }, []).processes, automatic)
  assert.equal(readConfig({ ...production, PROCESSES: '1' }, []).processes, 1)
})

test('without ISSUER, the address to listen on is the public address, also one of IPv6', () => {
  assert.equal(readConfig({ HOST: '0.0.0.0', PORT: '81' }, []).issuer, 'http://0.0.0.0:81')
  assert.equal(readConfig({ HOST: '::1', PORT: '81' }, []).issuer, 'http://[::1]:81')
  for (const HOST of ['a b', '[::1]'])
    assert.match(String(mistakesOf({ HOST }, {})), /^HOST must be an address of this machine/)
})

/** Each row: settings, and the error that is reported. */
const wrong: readonly [Record<string, string>, RegExp][] = [
  [{ ISSUER: 'http://clearing.example.com' }, /^ISSUER must be an address that begins with https:\/\/$/],
  [{ ISSUER: 'https:clearing.example.com' }, /^ISSUER must be an address that begins with https:\/\/$/],
  [{ ISSUER: 'clearing.example.com' }, /^ISSUER must be an address/],
  ...[
    'https://a:b@clearing.example.com',
    'https://clearing.example.com/?x=1',
    'https://clearing.example.com#x',
    'https://clearing.example.com?',
    'https://@clearing.example.com',
  ].map((ISSUER): [Record<string, string>, RegExp] => [
    { ISSUER },
    /^ISSUER must have no user name, query or fragment$/,
  ]),
  [{ ISSUER: '' }, /^ISSUER must be the public address/],
  [{ TRUSTED_PROXIES: 'blah' }, /^TRUSTED_PROXIES: blah is not an address/],
  [{ TRUSTED_PROXIES: '10.0.0.1, 10.0.0.0/33' }, /^TRUSTED_PROXIES: 10\.0\.0\.0\/33 is not/],
  [{ CLIENT_CERTIFICATE_HEADER: 'Client-Cert' }, /^CLIENT_CERTIFICATE_HEADER needs TRUSTED_PROXIES$/],
  [
    { CLIENT_CERTIFICATE_HEADER: 'a b', TRUSTED_PROXIES: '10.0.0.1' },
    /^CLIENT_CERTIFICATE_HEADER must be the name of a header/,
  ],
  [{ TRUSTED_PROXIES: '0.0.0.0/0' }, /^TRUSTED_PROXIES: 0\.0\.0\.0\/0 is not/],
  [{ TRUSTED_PROXIES: 'proxy.example.com' }, /^TRUSTED_PROXIES: proxy\.example\.com is not/],
  [{ TRUSTED_PROXIE: '10.0.0.1' }, /^TRUSTED_PROXIE is not a setting; TRUSTED_PROXIES is$/],
  [{ trusted_proxies: '10.0.0.1' }, /^trusted_proxies is not a setting; TRUSTED_PROXIES is$/],
  [{ ACCOUNT_NUMBERS: '54-10' }, /^ACCOUNT_NUMBERS must be a range/],
  [{ ACCOUNT_NUMBERS: '0-54' }, /^ACCOUNT_NUMBERS must be a range/],
  [{ CELL: 'cell-0', ACCOUNT_NUMBERS: '10-54' }, /^CELL, ACCOUNT_NUMBERS and DIRECTORY_URL must be given/],
  [
    { CELL: 'Cell 0', ACCOUNT_NUMBERS: '10-54', DIRECTORY_URL: 'postgresql://h/cells' },
    /^CELL must be a name/,
  ],
  [{ DATABASE_CONECTIONS: '5' }, /^DATABASE_CONECTIONS is not a setting; DATABASE_CONNECTIONS is$/],
  [{ METRIC_PORT: '9464' }, /^METRIC_PORT is not a setting; METRICS_PORT is$/],
  [{ MASTER_KEY_FILE: '/none' }, /^MASTER_KEY_FILE: there is no file \/none$/],
  [{ MASTER_KEY_FILE: folder }, /^MASTER_KEY_FILE: the file .* cannot be read \(EISDIR\)$/],
  [{ MASTER_KEY_FILE: fileOf('blank', '\n') }, /^MASTER_KEY_FILE: the file .* is empty$/],
  [{ DATABASE_URL: 'mysql://database' }, /^DATABASE_URL must be an address that begins with postgresql:/],
  [{ DATABASE_OWNER_URL: 'database' }, /^DATABASE_OWNER_URL must be an address/],
  [
    { DATABASE_URL: 'postgresql://clearing:p@ss#w@h/d' },
    /^DATABASE_URL: percent-encode special characters of the user name and the password/,
  ],
  [{ DATABASE_URL: 'postgresql://clearing:12/3@h/d' }, /^DATABASE_URL: percent-encode special characters/],
  [
    { DATABASE_URL: 'postgresql://h/d?sslmode=allow' },
    /^DATABASE_URL: sslmode must be one of disable, prefer,/,
  ],
  [
    { DIRECTORY_URL: 'postgresql://h/d?sslrootcert=/none', CELL: 'cell-0', ACCOUNT_NUMBERS: '10-54' },
    /^DIRECTORY_URL, sslrootcert: there is no file \/none$/,
  ],
  [
    {
      STAFF_ISSUER: 'http://id.example.com',
      STAFF_CLIENT_ID: 'c',
      STAFF_CLIENT_SECRET: 's',
      STAFF_ROLES: 'admin=a',
    },
    /^STAFF_ISSUER must be .* https:\/\/$/,
  ],
  [{ STAFF_ROLES: 'admin=a' }, /^STAFF_ROLES needs STAFF_ISSUER$/],
  [{ CLAMD: 'scanner' }, /^CLAMD must be host:port/],
  [{ CLAMD: 'scanner:99999' }, /^CLAMD must be host:port/],
  [{ S3_ENDPOINT: 'https://store.example.com' }, /^S3_ENDPOINT needs S3_BUCKET$/],
  [{ AWS_ACCESS_KEY_ID: 'id' }, /^AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be given together$/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /^OTEL_EXPORTER_OTLP_ENDPOINT must be an address/],
  [{ METRICS_PORT: '8080' }, /^METRICS_PORT must not be the port of the service$/],
  [{ PROCESSES: '0' }, /^PROCESSES must be auto, or a whole number from 1 to 128$/],
  [{ PROCESSES: 'all' }, /^PROCESSES must be auto/],
  [{ PROCESSES: '0x2' }, /^PROCESSES must be auto/],
  [{ PROCESSES: '1e1' }, /^PROCESSES must be auto/],
  [{ PORT: '0x50' }, /^PORT must be a whole number from 0 to 65535$/],
  [{ PORT: '8e3' }, /^PORT must be a whole number from 0 to 65535$/],
  [{ DRAIN_SECONDS: '-1' }, /^DRAIN_SECONDS must be a whole number from 0 to 300$/],
]
for (const [environment, words] of wrong)
  test(`an error is reported: ${Object.entries(environment).join(' ').replaceAll(folder, '…')}`, () => {
    const mistakes = mistakesOf(environment)
    assert.equal(mistakes.length, 1, mistakes.join())
    assert.match(mistakes[0] ?? '', words)
  })

test('proxies are addresses and networks of both families, separated by commas and spaces', () => {
  const { config, mistakes } = examineConfig(
    { ...production, TRUSTED_PROXIES: '10.0.0.1, 10.1.0.0/16 ,fd00::/8,::1,loopback' },
    [],
  )
  assert.deepEqual(mistakes, [])
  assert.deepEqual(config.trustedProxies, ['10.0.0.1', '10.1.0.0/16', 'fd00::/8', '::1', 'loopback'])
})

test('all errors are reported at once', () => {
  assert.throws(() => readConfig({ ...production, ISSUER: 'x', CLAMD: 'y', PORT: 'z' }, ['--emty']), {
    name: 'Error',
    message: /4 mistake\(s\)/,
  })
})

test('each secret can come from a file, but not from two sources', () => {
  for (const secret of secretNames) {
    const value = secret.endsWith('_URL') ? 'postgresql://owner@elsewhere/clearing' : 'a secret'
    const path = fileOf(secret, `${value}\n`)
    const others = secret === 'DATABASE_URL' ? { DATABASE_URL: '' } : {}
    const beside: Record<string, string> = {
      ...others,
      ...(secret.startsWith('AWS')
        ? { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key', S3_BUCKET: 'b' }
        : {}),
      ...(secret.startsWith('STAFF')
        ? { STAFF_ISSUER: 'https://id.example.com', STAFF_CLIENT_ID: 'c', STAFF_ROLES: 'admin=a' }
        : {}),
      ...(secret.startsWith('DIRECTORY') ? { CELL: 'cell-0', ACCOUNT_NUMBERS: '10-54' } : {}),
      [secret]: '',
    }
    const { config, mistakes } = examineConfig({ ...production, ...beside, [fileNameOf(secret)]: path }, [])
    assert.deepEqual(mistakes, [], secret)
    assert.ok(inspect(config, { depth: 9 }).includes(value), secret)
    const twice = mistakesOf({ ...beside, [secret]: value, [fileNameOf(secret)]: path })
    assert.deepEqual(twice, [`${secret} and ${fileNameOf(secret)} exclude each other`])
    const gone = mistakesOf({ ...beside, [fileNameOf(secret)]: join(folder, 'gone') })
    assert.ok(
      gone.some((mistake) => mistake.startsWith(`${fileNameOf(secret)}: there is no file`)),
      gone.join(),
    )
  }
})

test('no error message contains a secret', () => {
  const url = 'postgresq://clearing:hunter2@database/clearing'
  assert.ok(mistakesOf({ DATABASE_URL: url }).length > 0)
  assert.doesNotMatch(mistakesOf({ DATABASE_URL: url }).join(), /hunter2/)
})

test('known slips are reported although they are far from the setting', () => {
  assert.deepEqual(
    findMisspelt(['TRUSTED_PROXY', 'MASTER_KEY', 'CLOSE_TIME']).map(({ meant }) => meant),
    ['TRUSTED_PROXIES', 'MASTER_KEY_FILE', 'CLOSE_AT'],
  )
})

test('variables of other programs are not reported as misspelled settings', () => {
  const others =
    'HOME HOSTNAME HOSTTYPE PATH PWD USER SHELL TERM LANG EDITOR PORTAL NODE_ENV NODE_OPTIONS TZ AWS_REGION AWS_PROFILE AWS_SESSION_TOKEN AWS_ACCESS_KEY PGHOST PGDATA DATABASE_PASSWORD DATABASE_HOST DATABASE_PORT DATABASE_SERVICE_HOST CLEARING_PORT CLEARING_URL CLEARING_CLIENT_ID CLEARING_CLIENT_SECRET CLEARING_SERVICE_PORT OTEL_SERVICE_NAME LOGNAME KUBERNETES_PORT npm_config_loglevel'
  assert.deepEqual(findMisspelt(others.split(' ')), [])
  assert.deepEqual(findMisspelt(settingNames), [])
})
