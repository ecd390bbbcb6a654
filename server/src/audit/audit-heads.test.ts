import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { bindingHeads, type Checkpoint, renderSignedHead, type SignedHead } from '@clearing/protocol/audit'
import pg from 'pg'
import pino from 'pino'
import { rewrapKeys } from '../commands/rewrap-keys.ts'
import { inTransaction } from '../database/transaction.ts'
import type { BlobStore } from '../documents/blob-store.ts'
import { openFolderStore } from '../documents/folder-store.ts'
import { gatherMasterKeys, type MasterKeys, masterKeyFromBytes } from '../encryption/master-key.ts'
import { ensureClearingFirm } from '../identity/first-credential.ts'
import { prepareGround, type TestGround } from '../identity/test-service.ts'
import { writeAuditRow } from '../store/audit.ts'
import { findHeads } from '../store/audit-heads.ts'
import { clearingFirmId } from '../store/firms.ts'
import { AuditHeads } from './audit-heads.ts'
import { digestOf, sha256 } from './head-files.ts'

const [alpha, beta] = ['00000000-0000-4000-8000-000000000301', '00000000-0000-4000-8000-000000000302']

let ground: TestGround
let superuser: pg.Pool
let root: string
let folder: string
let alarms: number
let heads: AuditHeads

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'audit-heads-'))
})
after(() => rm(root, { recursive: true, force: true }))
beforeEach(async () => {
  ground = await prepareGround()
  const { database, masterKeys, clock } = ground
  await ensureClearingFirm({ operations: database.operations, masterKeys, now: clock.now() })
  superuser = new pg.Pool({ connectionString: database.urls.superuser, max: 1 })
  superuser.on('error', () => {})
  folder = await mkdtemp(join(root, 'store-'))
  alarms = 0
  heads = await openHeads()
})
afterEach(async () => {
  await superuser.end()
  await ground[Symbol.asyncDispose]()
})

/** Opens one of several processes. */
async function openHeads(settings: { masterKeys?: MasterKeys; blobs?: BlobStore } = {}) {
  const { masterKeys = ground.masterKeys, blobs = await openFolderStore(folder) } = settings
  return new AuditHeads({
    pool: ground.database.operations,
    masterKeys,
    blobs,
    clock: ground.clock as never,
    log: pino({ level: 'silent' }),
    queueProof: async () => {
      alarms += 1
    },
  })
}

function write(firmId: string, rows = 1) {
  return inTransaction(ground.database.operations, { firm: null }, async (tx) => {
    for (let row = 1; row <= rows; row += 1) {
      const detail = { row, text: 'Zoë \u{1F600}' }
      writeAuditRow(tx, {
        firmId,
        at: ground.clock.now(),
        actor: 'test',
        action: 'write',
        traceId: '',
        detail,
      })
    }
  })
}

async function headsOf(firmId?: string): Promise<SignedHead[]> {
  return (
    await inTransaction(ground.database.operations, { firm: null, readOnly: true }, (tx) =>
      findHeads(tx, firmId, undefined, 1_000),
    )
  ).reverse()
}
async function breakOf(firmId = alpha, by = heads) {
  return (await by.verify(null, true)).firms.find((firm) => firm.firmId === firmId)?.firstBreak ?? null
}
async function assertVerified(by = heads) {
  const { verified, firms } = await by.verify(null, true)
  assert.equal(verified, true, JSON.stringify(firms))
}
function query(sql: string) {
  return superuser.query(`set session_replication_role = replica; ${sql}`)
}

async function files(): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  return names
    .filter((name) => name.includes('a0d17000'))
    .sort((one, other) => (one.slice(-12) < other.slice(-12) ? -1 : 1))
}
async function readFiles(): Promise<Checkpoint[]> {
  return Promise.all(
    (await files()).map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))),
  )
}

/** The tables whose state the tests restore. */
const tables = ['audit', 'audit_head', 'audit_signed_head', 'firm', 'event_row']
function keepTables() {
  return query(
    `create schema kept; ${tables.map((table) => `create table kept.${table} as table clearing.${table};`).join(' ')}`,
  )
}
function restoreTables() {
  return query(
    tables
      .map(
        (table) =>
          `delete from clearing.${table}; insert into clearing.${table} overriding system value table kept.${table};`,
      )
      .join(' '),
  )
}

describe('signing', () => {
  it('signs only chains that have grown, and each head follows the one before', async () => {
    await heads.sign()
    assert.deepEqual(await files(), [])
    await write(alpha, 3)
    await heads.sign()
    await heads.sign()
    await write(beta)
    await heads.sign()
    await write(alpha)
    await heads.sign()
    const [one, two, three] = await readFiles()
    assert.deepEqual(
      [one, two, three].map((checkpoint) =>
        checkpoint?.heads.map(({ firmId, number, sequence }) => [firmId, number, sequence]),
      ),
      [
        [[alpha, 1, 3]],
        [
          [alpha, 1, 3],
          [beta, 2, 1],
        ],
        [
          [alpha, 3, 4],
          [beta, 2, 1],
        ],
      ],
    )
    assert.equal(two?.previous, digestOf(one as Checkpoint))
    assert.equal(three?.previous, digestOf(two as Checkpoint))
    const ofAlpha = await headsOf(alpha)
    assert.deepEqual(
      ofAlpha.map(({ previous }) => previous),
      ['', sha256(renderSignedHead(ofAlpha[0] as SignedHead))],
    )
    await assertVerified()
  })

  it('sends each firm its own head as an event', async () => {
    await write(alpha)
    await write(beta)
    await write(clearingFirmId)
    await heads.sign()
    const { rows } = await query(
      "select firm_id, content from clearing.logged_event where type = 'audit.head.signed' order by firm_id",
    ).then((results) => (results as unknown as pg.QueryResult[])[1] as pg.QueryResult)
    assert.deepEqual(
      rows.map(({ firm_id, content }) => [firm_id, content]),
      (await headsOf()).map((head) => [head.firmId, head]),
    )
    assert.equal(rows.length, 3)
  })

  it('does not sign a broken chain, signs the others, and raises one alarm', async () => {
    await write(alpha, 5)
    await heads.sign()
    await write(alpha, 5)
    await write(beta)
    await query(`update clearing.audit set actor = 'somebody' where firm_id = '${alpha}' and sequence = 8`)
    await heads.sign()
    await heads.sign()
    assert.equal(alarms, 1)
    assert.deepEqual(
      (await headsOf(alpha)).map(({ sequence }) => sequence),
      [5],
    )
    assert.deepEqual(
      (await headsOf(beta)).map(({ sequence }) => sequence),
      [1],
    )
    assert.equal((await breakOf())?.sequence, 8)
    assert.equal(await breakOf(beta), null)
  })

  it('makes one chain of checkpoints when many processes sign at the same time', async () => {
    const processes = await Promise.all(Array.from({ length: 4 }, () => openHeads()))
    for (let round = 1; round <= 5; round += 1) {
      await Promise.all(
        processes.map(async (each) => {
          await write(alpha)
          await each.sign()
        }),
      )
    }
    const checkpoints = await readFiles()
    assert.deepEqual(
      checkpoints.map(({ checkpoint }) => checkpoint),
      checkpoints.map((_, at) => at + 1),
    )
    for (const [at, { previous }] of checkpoints.entries())
      assert.equal(previous, at === 0 ? '' : digestOf(checkpoints[at - 1] as Checkpoint))
    for (const each of processes) await assertVerified(each)
  })

  it('raises no alarm in another process that verifies while firms write and heads are signed', async () => {
    const other = await openHeads()
    let over = false
    const working = Promise.all([
      ...[alpha, beta].map(async (firm) => {
        while (!over) await write(firm)
      }),
      (async () => {
        while (!over) await heads.sign()
      })(),
    ])
    working.catch(() => {})
    try {
      for (let look = 1; look <= 40 || (await files()).length <= 5; look += 1) await assertVerified(other)
    } finally {
      over = true
      await working
    }
  })

  it('continues after a checkpoint that is in the document store but not in the database', async () => {
    await write(alpha)
    await heads.sign()
    await write(alpha)
    await heads.sign()
    // The state after a process died between the write of the file and the commit.
    await query('delete from clearing.audit_signed_head where number = 2')
    const next = await openHeads()
    await assertVerified(next)
    await write(alpha)
    await next.sign()
    assert.deepEqual(
      (await headsOf(alpha)).map(({ number }) => number),
      [1, 2, 3],
    )
    await assertVerified(next)
    assert.equal(alarms, 0)
  })

  it('runs once in an interval for many processes', async () => {
    const everyMs = 1_000
    const processes = await Promise.all(Array.from({ length: 3 }, () => openHeads()))
    const stops = processes.map((each) => each.start(everyMs, () => false))
    const startedMs = performance.now()
    while ((await files()).length < 3) await write(alpha)
    await Promise.all(stops.map((stop) => stop()))
    const intervals = (performance.now() - startedMs) / everyMs
    const { length } = await files()
    assert.ok(length <= 2 + intervals / 0.9, `${length} checkpoints in ${intervals} intervals`)
  })

  it('runs on its schedule, and continues after an outage of the document store', async () => {
    let away = true
    const store = await openFolderStore(folder)
    const blobs: BlobStore = {
      ...store,
      measure: (id) => (away ? Promise.reject(new Error('away')) : store.measure(id)),
    }
    const timed = await openHeads({ blobs })
    const stop = timed.start(20, () => false)
    try {
      await write(alpha)
      await pause(100)
      assert.deepEqual(await files(), [])
      away = false
      while (timed.signedAtMs === undefined) await pause(20)
      assert.equal((await files()).length, 1)
    } finally {
      await stop()
    }
    await assertVerified()
  })
})

it('a process that cannot sign after its start knows when the newest checkpoint was signed', async () => {
  const store = await openFolderStore(folder)
  const away = () => Promise.reject(new Error('away'))
  const fresh = () => openHeads({ blobs: { ...store, measure: away } })
  const unsigned = await fresh()
  await write(alpha)
  await unsigned.sign()
  assert.equal(unsigned.signedAtMs, undefined)
  const before = Date.now()
  await heads.sign()
  await write(alpha)
  const restarted = await fresh()
  await restarted.sign()
  assert.equal((await files()).length, 1)
  // The database runs on this machine, but counts microseconds.
  assert.ok(Math.abs((restarted.signedAtMs ?? 0) - before) < 60_000, String(restarted.signedAtMs))
})

describe('keys', () => {
  it('older signatures stay verifiable after a key is replaced or rewrapped', async () => {
    const [old, fresh] = [masterKeyFromBytes(randomBytes(32)), masterKeyFromBytes(randomBytes(32))]
    await write(alpha)
    await (await openHeads({ masterKeys: gatherMasterKeys(old) })).sign()
    await write(alpha)
    ground.clock.move(1_000)
    // A process without the old key makes a new one, because it cannot verify the owner of the old key.
    const fresher = await openHeads({ masterKeys: gatherMasterKeys(fresh) })
    await fresher.sign()
    assert.match((await breakOf(alpha, fresher))?.reason ?? '', /key/)
    const both = gatherMasterKeys(fresh, old)
    const holder = await openHeads({ masterKeys: both })
    await holder.sign()
    await assertVerified(holder)
    await query('delete from clearing.firm_key')
    await rewrapKeys({ operations: ground.database.operations, masterKeys: both, now: new Date() })
    const alone = await openHeads({ masterKeys: gatherMasterKeys(fresh) })
    await assertVerified(alone)
    await write(alpha)
    await alone.sign()
    await assertVerified(alone)
    const signed = await headsOf(alpha)
    assert.equal(signed.length, 3)
    assert.equal(new Set(signed.map(({ keyId }) => keyId)).size, 2)
    assert.equal((await alone.keys()).own.size, 2)
  })
})

describe('a restored database', () => {
  const acknowledge = (filesLost = false, by = heads) =>
    inTransaction(ground.database.operations, { firm: null }, (tx) => by.acknowledgeRestore(tx, filesLost))

  it('is detected and explained, is signed again after the acknowledgement, and stays bound to older heads', async () => {
    await write(alpha, 3)
    await heads.sign()
    await write(alpha, 2)
    await keepTables()
    await write(alpha, 4)
    await write(beta)
    await heads.sign()
    await write(alpha)
    await heads.sign()
    await restoreTables()
    // A restart of the processes.
    heads = await openHeads()
    const found = await breakOf()
    assert.equal(found?.sequence, 6)
    assert.match(found?.reason ?? '', /checkpoints up to 1, the document store up to 3.*acknowledge-restore/)
    // Rows written before the acknowledgement are not signed.
    await write(alpha, 20)
    await heads.sign()
    assert.equal(alarms, 1)
    assert.equal((await files()).length, 3)
    assert.equal((await breakOf())?.sequence, 10)

    const acknowledged = await acknowledge()
    assert.equal(acknowledged?.checkpoint, 4)
    // The records are verified again, which ends the alarm.
    assert.equal(alarms, 2)
    await assertVerified()
    await assertVerified(await openHeads())
    assert.deepEqual(
      (await headsOf(alpha)).map(({ number, sequence, keeps }) => [number, sequence, keeps]),
      [
        [1, 3, null],
        [4, 25, 1],
      ],
    )
    assert.deepEqual(
      (await headsOf(beta)).map(({ sequence, keeps }) => [sequence, keeps]),
      [[0, 0]],
    )
    assert.equal(await acknowledge(), undefined)
    await write(alpha)
    await write(beta)
    await heads.sign()
    await assertVerified()
    await query(`update clearing.audit set actor = 'somebody' where firm_id = '${alpha}' and sequence = 2`)
    assert.equal((await breakOf())?.sequence, 2)
  })

  it('is detected even if the backup is older than the first signature', async () => {
    await write(alpha, 2)
    await keepTables()
    await heads.sign()
    await write(alpha)
    await heads.sign()
    await restoreTables()
    heads = await openHeads()
    assert.match((await breakOf())?.reason ?? '', /acknowledge-restore/)
    await acknowledge()
    await assertVerified()
  })

  it('needs no acknowledgement if no rows are missing', async () => {
    await write(alpha, 2)
    await heads.sign()
    await keepTables()
    await restoreTables()
    heads = await openHeads()
    await assertVerified()
    assert.equal(await acknowledge(), undefined)
  })

  it('is distinguished from a loss of files, which are reported until their loss is acknowledged', async () => {
    for (let round = 1; round <= 3; round += 1) {
      await write(alpha)
      await heads.sign()
    }
    const all = await files()
    await rm(join(folder, all[1] ?? ''))
    heads = await openHeads()
    assert.match((await breakOf())?.reason ?? '', /checkpoint 2 is missing/)
    assert.equal(await acknowledge(), undefined)
    assert.equal((await acknowledge(true))?.filesFrom, 4)
    await assertVerified()
    // The whole document store is lost.
    for (const name of await files()) await rm(join(folder, name))
    heads = await openHeads()
    assert.match((await breakOf())?.reason ?? '', /checkpoint 4 is missing/)
    assert.equal((await acknowledge())?.checkpoint, 5)
    await assertVerified()
    await write(alpha)
    await heads.sign()
    await assertVerified()
    await query(`update clearing.audit set actor = 'somebody' where firm_id = '${alpha}' and sequence = 1`)
    assert.equal((await breakOf())?.sequence, 1)
  })

  it('invalidates only the exported heads that were signed after the backup', async () => {
    await write(alpha, 3)
    await heads.sign()
    await keepTables()
    await write(alpha)
    await heads.sign()
    const gone = (await headsOf(alpha)).at(-1) as SignedHead
    await restoreTables()
    heads = await openHeads()
    await acknowledge()
    const kept = [...(await headsOf(alpha)), gone]
    assert.deepEqual(
      bindingHeads(kept).map(({ number }) => number),
      [1, 3],
    )
  })
})

describe('files', () => {
  it('are never changed after they are written', async () => {
    await write(alpha)
    await heads.sign()
    const copy = `${folder}.copy`
    await cp(folder, copy, { recursive: true })
    for (let round = 1; round <= 3; round += 1) {
      await write(alpha)
      await heads.sign()
    }
    const [first = ''] = await files()
    assert.equal(await readFile(join(folder, first), 'utf8'), await readFile(join(copy, first), 'utf8'))
  })

  it('are reported if any byte has changed', async () => {
    await write(alpha)
    await heads.sign()
    const [name = ''] = await files()
    const path = join(folder, name)
    const written = await readFile(path)
    const fresh = await openHeads()
    for (let at = 0; at < written.length; at += 7) {
      const changed = Buffer.from(written)
      changed[at] = (changed[at] ?? 0) ^ 1
      await writeFile(path, changed)
      assert.notEqual(await breakOf(alpha, fresh), null, `byte ${at}`)
    }
    await writeFile(path, written)
    await assertVerified(fresh)
  })
})
