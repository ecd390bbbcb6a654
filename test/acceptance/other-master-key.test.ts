/** A start without a master key that the firms need is refused before it writes anything under another key. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readConfig } from '../../server/src/config/config.ts'
import { createLog } from '../../server/src/observe/log.ts'
import { startService } from '../../server/src/service.ts'
import { copyStartedPlace, type StartedPlace } from './started-place.ts'

let place: StartedPlace
let otherKey: string
before(async () => {
  place = await copyStartedPlace(false)
  otherKey = join(place.dataDir, 'other-key')
  await writeFile(otherKey, randomBytes(32).toString('base64'), { mode: 0o400 })
})
after(async () => {
  await place.database[Symbol.asyncDispose]()
  await rm(place.dataDir, { recursive: true, force: true })
})

async function startAndStop(settings: Record<string, string> = {}): Promise<void> {
  const { database, dataDir } = place
  const environment = {
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.urls.owner,
    DATABASE_CONNECTIONS: '4',
    ...settings,
  }
  const service = await startService(readConfig(environment, ['--empty']), createLog('silent'))
  await service.stop()
}

async function countKeys(): Promise<number[]> {
  const session = await place.database.superuser()
  const { rows } = await session.query(
    `select (select count(*) from clearing.firm_key)::int as firm, (select count(*) from clearing.signing_key)::int as signing,
       (select count(*) from clearing.seal_key)::int as seal`,
  )
  await session.end()
  return Object.values(rows[0])
}

test('a start with another master key is refused, makes no keys under it, and is possible with both', async () => {
  const before = await countKeys()
  await assert.rejects(
    startAndStop({ MASTER_KEY_FILE: otherKey }),
    /^Error: MASTER_KEY_FILE lacks a master key of the database: mk-[0-9a-f]{16} of 3 firms\. /,
  )
  assert.deepEqual(await countKeys(), before)
  await startAndStop({ MASTER_KEY_FILE: `${otherKey},${join(place.dataDir, 'sandbox-master-key')}` })
})

test('the lost master key of one firm stops the start until the firm is disabled', async () => {
  const session = await place.database.superuser()
  const beta = "firm_id = (select firm_id from clearing.entity where entity_number = '302')"
  await session.query(`update clearing.firm_key set master_key_id = 'mk-0000000000000000' where ${beta}`)
  await assert.rejects(
    startAndStop(),
    /^Error: DATA_DIR \(sandbox-master-key\) lacks .*: mk-0000000000000000 of 1 firm\./,
  )
  await session.query(`update clearing.firm set disabled_at = now() where ${beta}`)
  await session.end()
  await startAndStop()
})
