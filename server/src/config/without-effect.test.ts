import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { examineConfig } from './config.ts'
import { fileNameOf, secretNames, settingNames } from './setting-names.ts'
import { findWithoutEffect, rulesWithoutEffect } from './without-effect.ts'

const folder = mkdtempSync(join(tmpdir(), 'without-effect-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function fileOf(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text, { mode: 0o400 })
  return path
}

const key = randomBytes(32).toString('base64')
const files = {
  key: fileOf('key', key),
  copy: fileOf('copy', `${key}\n`),
  other: fileOf('other', randomBytes(32).toString('base64')),
  access: fileOf('access', 'AKIA'),
  secret: fileOf('secret', 'a secret'),
}
const production = {
  CLEARING_MODE: 'production',
  ISSUER: 'https://clearing.example.com',
  DATABASE_URL: 'postgresql://clearing:secret@database/clearing',
  MASTER_KEY_FILE: files.key,
}
const keys = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'a secret' }
const keyFiles = { AWS_ACCESS_KEY_ID_FILE: files.access, AWS_SECRET_ACCESS_KEY_FILE: files.secret }

/** Each row: settings beside those of production, and the settings that have no effect. */
const cases: readonly [Record<string, string>, Record<string, string>][] = [
  [{}, {}],
  [{ DOCUMENTS_DIR: '/documents' }, {}],
  [{ S3_BUCKET: 'b', ...keys }, {}],
  [
    { S3_BUCKET: 'b', DOCUMENTS_DIR: '/documents' },
    { DOCUMENTS_DIR: 'documents are kept in the bucket of S3_BUCKET' },
  ],
  [keys, { AWS_ACCESS_KEY_ID: 'S3_BUCKET is absent', AWS_SECRET_ACCESS_KEY: 'S3_BUCKET is absent' }],
  [
    { ...keyFiles, AWS_SESSION_TOKEN: 't' },
    {
      AWS_ACCESS_KEY_ID_FILE: 'S3_BUCKET is absent',
      AWS_SECRET_ACCESS_KEY_FILE: 'S3_BUCKET is absent',
      AWS_SESSION_TOKEN: 'S3_BUCKET is absent',
    },
  ],
  [{ S3_BUCKET: 'b', ...keys, AWS_SESSION_TOKEN: 't' }, {}],
  [{ S3_BUCKET: 'b', ...keyFiles }, {}],
  [
    { S3_BUCKET: 'b', ...keyFiles, AWS_SESSION_TOKEN: 't' },
    Object.fromEntries(
      Object.keys(keyFiles).map((name) => [
        name,
        'with AWS_SESSION_TOKEN, the keys are read from the environment and not from files',
      ]),
    ),
  ],
  [{ S3_BUCKET: 'b', AWS_SESSION_TOKEN: 't' }, { AWS_SESSION_TOKEN: 'AWS_ACCESS_KEY_ID is absent' }],
  [{ REPLICA_LAG_MAX_SECONDS: '5' }, { REPLICA_LAG_MAX_SECONDS: 'DATABASE_READ_URL is absent' }],
  [{ REPLICA_LAG_MAX_SECONDS: '5', DATABASE_READ_URL: 'postgresql://standby/clearing' }, {}],
  [
    { SANDBOXES_MAX: '5', SANDBOXES_READY: '1' },
    { SANDBOXES_MAX: 'CLEARING_MODE is production', SANDBOXES_READY: 'CLEARING_MODE is production' },
  ],
  [{ CLEARING_MODE: 'sandbox', SANDBOXES_MAX: '1', SANDBOXES_READY: '1' }, {}],
  [
    { CLEARING_MODE: 'sandbox', SANDBOXES_MAX: '0', SANDBOXES_READY: '1' },
    { SANDBOXES_READY: 'SANDBOXES_MAX is 0' },
  ],
  [{ CLEARING_MODE: 'sandbox', SANDBOXES_READY: '1' }, {}],
  [{ MASTER_KEY_FILE: `${files.key},${files.other}` }, {}],
  ...[`${files.key}, ${files.key}`, `${files.other},${files.key},${files.copy}`].map(
    (MASTER_KEY_FILE): [Record<string, string>, Record<string, string>] => [
      { MASTER_KEY_FILE },
      { MASTER_KEY_FILE: 'two of its files hold the same key, so the second file adds none' },
    ],
  ),
  [{ LOG_LEVEL: 'debug' }, {}],
]
for (const [given, expected] of cases) {
  const shown = Object.entries(given).join(' ').replaceAll(folder, '…')
  test(`settings without an effect are found: ${shown || 'none'}`, () => {
    const { config, mistakes } = examineConfig({ ...production, ...given }, [])
    assert.deepEqual(mistakes, [])
    const found = config.withoutEffect.map(({ setting, why }) => [setting, why])
    assert.deepEqual(Object.fromEntries(found), expected)
  })
}

test('an empty value counts as absent, and needs no warning', () => {
  const empty = { DOCUMENTS_DIR: '', S3_BUCKET: 'b', SANDBOXES_MAX: ' ' }
  assert.deepEqual(examineConfig({ ...production, ...empty }, []).config.withoutEffect, [])
})

test('the word --empty has an effect in a sandbox only', () => {
  const found = (environment: Record<string, string>) =>
    examineConfig(environment, ['--empty']).config.withoutEffect.map(({ setting }) => setting)
  assert.deepEqual(found({}), [])
  assert.deepEqual(found(production), ['--empty'])
})

test('LOG_LEVEL has no effect in a sandbox on a terminal', () => {
  const find = (mode: 'sandbox' | 'production', terminal: boolean) =>
    findWithoutEffect({ mode, terminal, masterKeys: [], text: () => undefined }, new Set(['LOG_LEVEL']))
  assert.equal(find('sandbox', true).length, 1)
  assert.equal(find('sandbox', false).length + find('production', true).length, 0)
})

test('the rules name settings', () => {
  const names = new Set([...settingNames, ...secretNames.map(fileNameOf), '--empty'])
  for (const { settings } of rulesWithoutEffect)
    for (const setting of settings) assert.ok(names.has(setting), setting)
})
