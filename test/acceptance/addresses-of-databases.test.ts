/** All addresses of the database must lead to one database: a start and a command are refused before they migrate. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { examine } from '../../server/src/commands/doctor.ts'
import { readConfig } from '../../server/src/config/config.ts'
import { UnsuitableDatabase } from '../../server/src/database/durability.ts'
import { compareAddresses, openPools } from '../../server/src/database/open-pools.ts'
import { createTestDatabase } from '../../server/src/database/test-database.ts'
import { makeTestFolder } from '../../server/src/database/test-folder.ts'
import { createLog } from '../../server/src/observe/log.ts'
import { Started } from '../../server/src/started.ts'

let folder: string
before(async () => {
  folder = await makeTestFolder('addresses-')
  await writeFile(join(folder, 'key'), randomBytes(32).toString('base64'), { mode: 0o400 })
})
after(() => rm(folder, { recursive: true, force: true }))

test('an address of another database is refused before a migration, and doctor reports it', async () => {
  await using database = await createTestDatabase()
  await using other = await createTestDatabase({ migrations: [] })
  const [url, elsewhere] = [database.urls.owner, other.urls.owner]
  const settings = { DATA_DIR: folder, MASTER_KEY_FILE: join(folder, 'key'), CLEARING_MODE: 'sandbox' }
  const cases: [environment: Record<string, string>, reason: string][] = [
    [
      { DATABASE_URL: url, DATABASE_OWNER_URL: elsewhere },
      'DATABASE_URL is not the database of DATABASE_OWNER_URL',
    ],
    [
      { DATABASE_URL: elsewhere, DATABASE_OWNER_URL: url },
      'DATABASE_URL is not the database of DATABASE_OWNER_URL',
    ],
    [
      { DATABASE_URL: url, DATABASE_FIRMS_URL: elsewhere },
      'DATABASE_FIRMS_URL is not the database of DATABASE_URL',
    ],
  ]
  for (const [addresses, reason] of cases) {
    const environment = { ...settings, ...addresses }
    const config = readConfig(environment, [])
    const { database: found } = config
    assert.ok(found.kind === 'external')
    const log = createLog('silent')
    const started = new Started()
    const urls = { owner: found.ownerUrl, app: found.url, operations: found.url }
    await assert.rejects(
      openPools(urls, { config, log, started }),
      (fault) => fault instanceof UnsuitableDatabase && fault.message === reason,
    )
    await started.stop(log)
    const findings = await examine(environment)
    assert.ok(
      findings.some(({ kind, text }) => kind === 'wrong' && text === reason),
      JSON.stringify(findings),
    )
  }
  const session = await other.superuser()
  const { rows } = await session.query("select to_regclass('clearing.firm') as made")
  await session.end()
  assert.deepEqual(rows, [{ made: null }])
})

test('addresses of one database with different logins and forms are accepted', async () => {
  await using database = await createTestDatabase()
  const { owner, superuser } = database.urls
  const environment = {
    DATABASE_URL: owner,
    DATABASE_OWNER_URL: superuser,
    DATABASE_FIRMS_URL: `${owner}&keepalives=1`,
  }
  if (!owner.includes('?')) environment.DATABASE_FIRMS_URL = `${owner}?keepalives=1`
  await compareAddresses(readConfig(environment, []))
})
