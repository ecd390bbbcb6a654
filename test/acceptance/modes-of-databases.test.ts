/** A database belongs to production or to a sandbox: a start in the other mode is refused, and doctor reports it. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { examine } from '../../server/src/commands/doctor.ts'
import { readConfig } from '../../server/src/config/config.ts'
import { createTestDatabase, type TestDatabase } from '../../server/src/database/test-database.ts'
import { makeTestFolder } from '../../server/src/database/test-folder.ts'
import { createLog } from '../../server/src/observe/log.ts'
import { startService } from '../../server/src/service.ts'
import { copyStartedPlace } from './started-place.ts'

let folder: string
let key: string
before(async () => {
  folder = await makeTestFolder('modes-')
  key = join(folder, 'key')
  await writeFile(key, randomBytes(32).toString('base64'), { mode: 0o400 })
})
after(() => rm(folder, { recursive: true, force: true }))

function settingsOf(database: TestDatabase, mode: 'production' | 'sandbox' | ''): Record<string, string> {
  return {
    CLEARING_MODE: mode,
    ISSUER: 'https://clearing.example.com',
    DATABASE_URL: database.urls.owner,
    DATABASE_CONNECTIONS: '4',
    MASTER_KEY_FILE: key,
    DATA_DIR: join(folder, database.name),
    PORT: '0',
    PROCESSES: '1',
    DRAIN_SECONDS: '0',
  }
}

async function startAndStop(settings: Record<string, string>): Promise<void> {
  const service = await startService(readConfig(settings, ['--empty']), createLog('silent'))
  await service.stop()
}

async function wrongOf(settings: Record<string, string>): Promise<string> {
  const findings = await examine(settings)
  return findings.flatMap(({ kind, text }) => (kind === 'wrong' ? [text] : [])).join('\n')
}

async function readRows(database: TestDatabase): Promise<unknown> {
  const session = await database.superuser()
  const { rows } = await session.query(
    `select (select count(*)::int from clearing.firm) as firms, (select count(*)::int from clearing.staff) as staff,
       (select count(*)::int from clearing.credential_secret) as secrets,
       (select count(*)::int from clearing.sandbox_clock) as clocks`,
  )
  await session.end()
  return rows[0]
}

test('a sandbox is refused on a database that production has used, and adds nothing to it', async () => {
  await using database = await createTestDatabase()
  const production = settingsOf(database, 'production')
  assert.equal(await wrongOf(settingsOf(database, 'sandbox')), '')
  await startAndStop(production)
  const before = await readRows(database)
  const refused = /DATABASE_URL is a database of production, and CLEARING_MODE is sandbox: /
  for (const mode of ['', 'sandbox'] as const) {
    await assert.rejects(startAndStop(settingsOf(database, mode)), refused)
    assert.match(await wrongOf(settingsOf(database, mode)), refused)
  }
  // Production of a release before migration 321 noted no document store.
  await database.owner.pg.query('delete from clearing.document_store')
  await assert.rejects(startAndStop(settingsOf(database, '')), refused)
  assert.match(await wrongOf(settingsOf(database, '')), refused)
  assert.deepEqual(await readRows(database), before)
  await startAndStop(production)
  assert.equal(await wrongOf(production), '')
})

test('a sandbox starts on an empty database of its own, and starts there again', async () => {
  await using database = await createTestDatabase()
  const sandbox = settingsOf(database, 'sandbox')
  await startAndStop(sandbox)
  await startAndStop(sandbox)
  assert.equal(await wrongOf(sandbox), '')
})

test('production is refused on a database of a sandbox by one message, whose statements remove the reasons', async () => {
  const { database, dataDir } = await copyStartedPlace(false)
  await using _database = database
  const production = {
    ...settingsOf(database, 'production'),
    // The keys of the firms need the key of the sandbox; only the rows of the sandbox are examined here.
    MASTER_KEY_FILE: key,
  }
  await database.owner.pg.query('set role clearing_operations; update clearing.firm set disabled_at = now()')
  const secrets =
    /these clients have a secret of the sandbox that is public: alpha, beta, operations; these people belong to the sandbox: (\S+@example\.com(, )?){4}\. /
  await assert.rejects(startAndStop(production), secrets)
  const found = await wrongOf(production)
  assert.match(found, secrets)
  const [, statements = ''] = /run as its owner: (set role .*;) See /.exec(found) ?? []
  const session = await database.superuser()
  await session.query(statements)
  await session.query('reset role')
  await session.query('update clearing.sandbox_clock set offset_ms = 60000')
  await assert.rejects(
    startAndStop(production),
    /: the clock of the sandbox was moved\. Use another database\.$/,
  )
  await session.query('update clearing.sandbox_clock set offset_ms = 0')
  await session.end()
  assert.doesNotMatch(await wrongOf(production), /sandbox/)
  await startAndStop(production)
  await rm(dataDir, { recursive: true, force: true })
})
