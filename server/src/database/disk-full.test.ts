import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { DatabaseUnavailable, OutcomeUnknown } from './faults.ts'
import { openPool } from './pool.ts'
import { statement } from './statement.ts'
import { inTransaction, readInFirm } from './transaction.ts'

const insertCrate = statement('insert-crate', 'insert into clearing.crate values ($1, $2)')
const selectCrates = statement<{ n: number }>('select-crates', 'select n from clearing.crate')

/** Mounts a separate disk of the given size, or gives a mounted disk another size. Only root on Linux may mount. */
function mountSmallDisk(folder: string, size: string, remount = false): boolean {
  try {
    execFileSync('mount', [
      ...(remount ? ['-o', `remount,size=${size}`] : ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs']),
      folder,
    ])
    return true
  } catch {
    return false
  }
}

test('a full disk loses no confirmed write, and the service continues by itself when space is free again', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'clearing-full-'))
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !mountSmallDisk(folder, '94m')) {
    await rm(folder, { recursive: true })
    return context.skip('needs the right to mount a disk')
  }
  try {
    await using server = await startEmbeddedPostgres({ dataDir: folder })
    const pool = openPool({ name: 'owner', url: server.urls.owner })
    const client = await pool.acquire()
    await client.query(
      'create schema clearing; create table clearing.crate (n integer primary key, content text); alter table clearing.crate alter content set storage plain',
    )
    client.release()
    const content = randomBytes(3_500).toString('hex')
    const confirmed: number[] = []
    const faults: unknown[] = []
    let next = 0
    const insert = async () => {
      const n = next++
      try {
        await inTransaction(pool, { firm: null }, (tx) => tx.run(insertCrate, [n, content]))
        confirmed.push(n)
        return true
      } catch (fault) {
        faults.push(fault)
        return false
      }
    }
    while (faults.length < 20) await Promise.all(Array.from({ length: 8 }, insert))
    mountSmallDisk(folder, '300m', true)
    for (let tries = 0; !(await insert()); tries++) {
      assert.ok(tries < 200, 'the server did not recover')
      await pause(50)
    }
    for (const fault of faults)
      assert.ok(fault instanceof DatabaseUnavailable || fault instanceof OutcomeUnknown)
    const present = new Set((await readInFirm(pool, null, selectCrates)).map(({ n }) => n))
    assert.deepEqual(
      confirmed.filter((n) => !present.has(n)),
      [],
    )
    await pool.end()
  } finally {
    execFileSync('umount', [folder])
    await rm(folder, { recursive: true })
  }
})
