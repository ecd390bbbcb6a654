/** Replaces the master key of a database in use: all data opens with the new key alone, and no sealed value changes. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { takeSealKey } from '../audit/seal-key.ts'
import { openPool } from '../database/pool.ts'
import { createTestDatabase } from '../database/test-database.ts'
import { until } from '../database/test-waiting.ts'
import { inTransaction } from '../database/transaction.ts'
import { createKeyring } from '../encryption/keyring.ts'
import {
  gatherMasterKeys,
  type MasterKeys,
  masterKeyFromBytes,
  nameSessions,
} from '../encryption/master-key.ts'
import { openText, seal } from '../encryption/seal.ts'
import { ensureClearingFirm } from '../identity/first-credential.ts'
import { rotateSigningKeys } from '../identity/keys/rotate-signing-keys.ts'
import { seedSandboxFirms } from '../identity/sandbox-firms.ts'
import { loadFirmKeys } from '../store/firms.ts'
import { assertUsableKeys } from './assert-usable-keys.ts'
import { rewrapKeys } from './rewrap-keys.ts'

const place = { firm: '', table: 'account', column: 'sealed', row: 'a/1' }

test('the new master key alone opens all data after rewrapping', async () => {
  await using database = await createTestDatabase()
  const { operations } = database
  const now = new Date()
  const [old, fresh] = [masterKeyFromBytes(randomBytes(32)), masterKeyFromBytes(randomBytes(32))]
  const before = gatherMasterKeys(old)
  await ensureClearingFirm({ operations, masterKeys: before, now })
  await seedSandboxFirms({ operations, masterKeys: before, now })
  await rotateSigningKeys({ operations, masterKeys: before, now })
  const takeSeal = (masterKeys: MasterKeys) =>
    inTransaction(operations, { firm: null }, (tx) => takeSealKey(tx, masterKeys, now))
  const sealed = await takeSeal(before)
  const { rows } = await operations.pg.query('select firm_id from clearing.firm order by firm_id')
  const firmId = rows[1].firm_id as string
  const keyring = (masterKeys: MasterKeys) =>
    createKeyring({ masterKeys, loadFirmKeys: (id) => loadFirmKeys(database.app, id) })
  const text = seal(await keyring(before).load(firmId), Buffer.from('219099998'), { ...place, firm: firmId })

  // A process that has the new key already signs, and changes nothing for those that do not have it.
  const both = gatherMasterKeys(fresh, old)
  assert.equal((await takeSeal(both)).keyId, sealed.keyId)
  assert.equal((await takeSeal(before)).keyId, sealed.keyId)
  await assert.rejects(rewrapKeys({ operations, masterKeys: gatherMasterKeys(fresh), now }), /not configured/)
  const done = await rewrapKeys({ operations, masterKeys: both, now })
  assert.deepEqual(done, { firmKeys: rows.length * 2, signingKeys: 1, sealKeys: 1 })

  const after = gatherMasterKeys(fresh)
  assert.equal(openText(await keyring(after).load(firmId), text, { ...place, firm: firmId }), '219099998')
  assert.equal((await takeSeal(after)).keyId, sealed.keyId)
  const again = await rewrapKeys({ operations, masterKeys: after, now })
  assert.deepEqual(again, { firmKeys: 0, signingKeys: 0, sealKeys: 0 })
})

test('keys are usable only if every running process holds the current one', async () => {
  await using database = await createTestDatabase()
  const { operations } = database
  const now = new Date()
  const [old, fresh] = [masterKeyFromBytes(randomBytes(32)), masterKeyFromBytes(randomBytes(32))]
  await ensureClearingFirm({ operations, masterKeys: gatherMasterKeys(old), now })
  const masterKeys = gatherMasterKeys(fresh, old)
  const runProcess = async (held: MasterKeys) => {
    const pool = openPool({ name: 'operations', url: database.urls.operations })
    pool.nameSessions(nameSessions(held))
    const session = await pool.acquire()
    return {
      end() {
        session.release()
        return pool.end()
      },
    }
  }
  const prepared = await runProcess(masterKeys)
  const forgotten = await runProcess(gatherMasterKeys(old))
  const check = () => assertUsableKeys(operations, masterKeys, 'MASTER_KEY_FILE')
  await assert.rejects(check(), /^Error: Nothing was changed: a running process does not have master key/)
  await forgotten.end()
  const others =
    "select from pg_stat_activity where datname = current_database() and application_name like 'clearing i%'"
  await until('the end of the session', async () => (await operations.pg.query(others)).rowCount === 1)
  await check()
  assert.equal((await rewrapKeys({ operations, masterKeys, now })).firmKeys, 2)
  await prepared.end()
})
