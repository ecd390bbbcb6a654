/** While processes have different master keys, as in a rolling restart, the audit trail is not reported as broken. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import pino from 'pino'
import { wallClock } from '../clock.ts'
import { rewrapKeys } from '../commands/rewrap-keys.ts'
import { openPool } from '../database/pool.ts'
import { createTestDatabase } from '../database/test-database.ts'
import { makeTestFolder } from '../database/test-folder.ts'
import { until } from '../database/test-waiting.ts'
import { openFolderStore } from '../documents/folder-store.ts'
import {
  gatherMasterKeys,
  type MasterKeys,
  masterKeyFromBytes,
  nameSessions,
} from '../encryption/master-key.ts'
import { createFirstOperationsCredential, ensureClearingFirm } from '../identity/first-credential.ts'
import { PartUnavailable } from '../part-unavailable.ts'
import { AuditHeads } from './audit-heads.ts'

test('signing moves no key to a new master key, and a key that only another process opens is no break', async () => {
  await using database = await createTestDatabase()
  const { operations } = database
  const folder = await makeTestFolder('unheld-keys-')
  const blobs = await openFolderStore(folder)
  const [old, fresh] = [masterKeyFromBytes(randomBytes(32)), masterKeyFromBytes(randomBytes(32))]
  const [before, both, after] = [gatherMasterKeys(old), gatherMasterKeys(fresh, old), gatherMasterKeys(fresh)]
  const open = (masterKeys: MasterKeys) =>
    new AuditHeads({
      pool: operations,
      masterKeys,
      blobs,
      clock: wallClock,
      log: pino({ level: 'silent' }),
      queueProof: async () => {},
    })
  const write = (masterKeys: MasterKeys) =>
    createFirstOperationsCredential({ operations, masterKeys, now: new Date(), force: true })

  await ensureClearingFirm({ operations, masterKeys: before, now: new Date() })
  await write(before)
  await open(before).sign()
  await write(before)
  await open(both).sign()
  const behind = open(before)
  assert.equal((await behind.verify(null)).verified, true)
  const uses = await operations.pg.query('select distinct master_key_id as id from clearing.seal_key')
  assert.deepEqual(uses.rows, [{ id: old.keyId }])

  // A build before this rule moved the key when it signed.
  const seal = await operations.pg.query('select key_id from clearing.seal_key')
  assert.equal(seal.rowCount, 1)
  await rewrapKeys({ operations, masterKeys: both, now: new Date() })
  const holder = openPool({ name: 'operations', url: database.urls.operations })
  holder.nameSessions(nameSessions(both))
  const session = await holder.acquire()
  await assert.rejects(
    behind.verify(null),
    (fault) => fault instanceof PartUnavailable && fault.message.includes(fresh.keyId),
  )
  assert.equal(behind.verified, true)
  assert.equal((await open(after).verify(null)).verified, true)
  session.release()
  await holder.end()
  await until('the session has ended', async () => {
    const found =
      "select from pg_stat_activity where datname = current_database() and application_name like 'clearing identity %'"
    return (await operations.pg.query(found)).rowCount === 0
  })
  // No process has the master key: the key may belong to an attacker.
  const { firms } = await behind.verify(null)
  assert.match(firms[0]?.firstBreak?.reason ?? '', /key/)
  await rm(folder, { recursive: true, force: true })
})
