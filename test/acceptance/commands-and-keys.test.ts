/**
 * Commands that wrap keys are refused with other master keys than those of the database and of the running service:
 * the service could not open what they wrap.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../server/src/database/test-database.ts'
import { makeTestFolder } from '../../server/src/database/test-folder.ts'
import { bundleProgram } from '../bundle-program.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let folder: string
let database: TestDatabase
let service: RunningService
let firmId: string
let keyId: string

before(async () => {
  folder = await makeTestFolder('commands-and-keys-')
  for (const name of ['own', 'other'])
    await writeFile(join(folder, name), `${randomBytes(32).toString('base64')}\n`, { mode: 0o400 })
  database = await createTestDatabase()
  service = await startRunningService({ environment: environmentWith('own') })
  const { firms } = (await service.operations.operations.listFirms({})).data
  firmId = firms.find(({ name }) => name === 'Alpha Securities')?.firmId ?? assert.fail()
  const { keys } = (await (await fetch(`${service.address}/identity/jwks`)).json()) as {
    keys: { kid: string }[]
  }
  keyId = keys[0]?.kid ?? assert.fail()
})
after(async () => {
  await service?.stop()
  await database?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

function environmentWith(...names: readonly string[]): Record<string, string> {
  return {
    DATABASE_URL: database.urls.owner,
    DATA_DIR: join(folder, 'data'),
    MASTER_KEY_FILE: names.map((name) => join(folder, name)).join(','),
  }
}

async function run(keys: readonly string[], words: readonly string[]) {
  const child = spawn(process.execPath, [await bundleProgram('server/src/main.ts'), ...words], {
    env: { ...process.env, ...environmentWith(...keys) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  const [exitCode] = await once(child, 'close')
  return { exitCode, output: (await output).join('') }
}

/** The keys, credentials and people that the commands could change. */
async function readChangeable(): Promise<string> {
  const { rows } = await database.operations.pg.query<{ found: string }>(
    `select json_build_array(
       (select json_agg(json_build_array(firm_id, key_id, master_key_id) order by firm_id, key_id) from clearing.firm_key),
       (select json_agg(json_build_array(kid, master_key_id) order by kid) from clearing.signing_key),
       (select count(*) from clearing.credential), (select count(*) from clearing.staff))::text as found`,
  )
  return rows[0]?.found ?? assert.fail()
}

test('a command is refused with another master key than that of the database', async () => {
  const before = await readChangeable()
  const commands = {
    // The id of a key can begin with a hyphen.
    'remove-signing-key': ['--', keyId],
    'replace-data-key': [firmId],
    'create-admin': ['other@example.com', 'Other', '--force'],
  }
  for (const [name, words] of Object.entries(commands)) {
    const { exitCode, output } = await run(['other'], [name, ...words])
    assert.equal(exitCode, 1, name)
    assert.match(output, /^Nothing was changed: MASTER_KEY_FILE lacks a master key of the database: mk-/)
  }
  assert.equal(await readChangeable(), before)
})

test('a command is refused while the running service lacks the first of its master keys', async () => {
  const before = await readChangeable()
  const { exitCode, output } = await run(['other', 'own'], ['replace-data-key', firmId])
  assert.equal(exitCode, 1)
  assert.match(output, /^Nothing was changed: a running process does not have master key mk-/)
  assert.equal(await readChangeable(), before)
})

test('a command works with the master key of the service, also beside an older one', async () => {
  const { exitCode, output } = await run(['own', 'other'], ['replace-data-key', firmId])
  assert.equal(exitCode, 0, output)
})

test('a move, and the removal after it, are refused while the settings of a cell name another master key', async () => {
  await using directory = await createTestDatabase({ migrations: [] })
  const files = await Promise.all(
    ['own', 'other'].map(async (key, at) => {
      const cell = { CELL: `cell-${at}`, ACCOUNT_NUMBERS: '10-99', DIRECTORY_URL: directory.urls.owner }
      const lines = Object.entries({ ...environmentWith(key), ...cell }).map((pair) => `${pair.join('=')}\n`)
      const path = join(folder, `cell-${at}.env`)
      await writeFile(path, lines.join(''))
      return path
    }),
  )
  const [own = '', other = ''] = files
  for (const [from, to, words] of [
    [own, other, []],
    [other, own, ['--remove']],
  ] as const) {
    const { exitCode, output } = await run(
      ['own'],
      ['move-firm', firmId, '--from', from, '--to', to, ...words],
    )
    assert.equal(exitCode, 1, output)
    assert.match(output, /^Nothing was changed: MASTER_KEY_FILE of cell-1 lacks a master key of the database/)
  }
})
