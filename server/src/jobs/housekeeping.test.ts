/**
 * One round of housekeeping: files that a crash left are removed, needed files stay, and a document without its
 * content is reported.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { access, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { wallClock } from '../clock.ts'
import { Settings } from '../config/read-settings.ts'
import { readRetention } from '../config/retention.ts'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { openFolderStore } from '../documents/folder-store.ts'
import { countSealedDocumentBytes } from '../documents/sealed-stream.ts'
import { createLog } from '../observe/log.ts'
import { queueNames } from '../store/work-queues.ts'
import { repeatRounds, runHousekeeping } from './housekeeping.ts'

let database: TestDatabase
let session: pg.Client
let folder: string
before(async () => {
  database = await createTestDatabase()
  session = await database.superuser()
  folder = await mkdtemp(join(tmpdir(), 'housekeeping-'))
})
after(async () => {
  await database?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

function hoursAgo(hours: number) {
  return new Date(Date.now() - hours * 3_600_000)
}

/** Makes a file of the given age. */
async function leave(path: string, bytes: number, hours: number): Promise<string> {
  await writeFile(path, Buffer.alloc(bytes))
  await utimes(path, hoursAgo(hours), hoursAgo(hours))
  return path
}

async function countedQueues(): Promise<number> {
  return (await session.query('select from clearing.queue_day')).rowCount ?? 0
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** Inserts only the row of a document, because housekeeping does not depend on its owner. */
function addRow(documentId: string, sizeBytes: number) {
  return session.query(`set session_replication_role = replica;
    insert into clearing.document (account_number, document_id, firm_id, type_name, reference, catalogued, display_name, comments,
      file_name, media_type, size_bytes, sha256, status, created_at)
    values ('A0000001', '${documentId}', gen_random_uuid(), 'Identity Documents', 'PASS', true, 'SCAN', '', 'scan.png', 'image/png',
      ${sizeBytes}, '', 'PendingApproval', now());
    reset session_replication_role`)
}

test('removes files that no request can still be writing, and reports a document without content', async () => {
  const documents = join(folder, 'documents')
  const uploadFolder = join(folder, 'uploads')
  await mkdir(uploadFolder)
  const blobs = await openFolderStore(documents)
  const shard = (id: string) => join(documents, id.slice(-2), id)
  const [named, orphan, young, missing] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()] as const
  const kept = [
    await leave(shard(named), countSealedDocumentBytes(10), 3),
    await leave(shard(young), 40, 0.5),
    await leave(join(uploadFolder, 'young.upload'), 5, 0.5),
    await leave(join(documents, 'incoming', 'young'), 5, 0.5),
  ]
  const left = [
    await leave(shard(orphan), 40, 3),
    await leave(join(uploadFolder, 'old.upload'), 5, 3),
    await leave(join(documents, 'incoming', 'old'), 5, 3),
  ]
  await addRow(named, 10)
  const round = () =>
    runHousekeeping({
      operations: database.operations,
      parts: { clock: wallClock, blobs },
      uploadFolder,
      retention: readRetention(new Settings({})),
      log: createLog('silent'),
    })
  assert.equal(await round(), true)
  assert.equal(await countedQueues(), queueNames.length)
  assert.deepEqual(await Promise.all(kept.map(isThere)), [true, true, true, true])
  assert.deepEqual(await Promise.all(left.map(isThere)), [false, false, false])

  await addRow(missing, 10)
  assert.equal(await round(), false)

  // One step fails for good; the others are done in each round.
  const orphaned = [await leave(join(uploadFolder, 'old.upload'), 5, 3), await leave(shard(orphan), 40, 3)]
  await session.query('alter table clearing.opening_counted rename to opening_lost')
  await assert.rejects(round(), /opening_counted/)
  assert.deepEqual(await Promise.all(orphaned.map(isThere)), [false, false])
  await session.query('alter table clearing.opening_lost rename to opening_counted')
})

test('a machine whose clock is ahead removes no stored response and no content of an upload that is being committed', async (t) => {
  const documents = join(folder, 'documents-of-today')
  const blobs = await openFolderStore(documents)
  const uploadFolder = join(folder, 'uploads-of-today')
  await mkdir(uploadFolder)
  const id = randomUUID()
  const content = await leave(join(documents, id.slice(-2), id), 40, 0)
  const addResponse = (name: string, expires: string) =>
    session.query(
      `insert into clearing.idempotency
       values (gen_random_uuid(), 'alpha', 'new-account', 'key', sha256($1), sha256($1), '', now(), now() + $2::interval)`,
      [name, expires],
    )
  await session.query('set session_replication_role = replica')
  await addResponse('live', '7 days')
  await addResponse('expired', '-1 minute')
  await session.query('reset session_replication_role')
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 30 * 86_400_000 })
  await runHousekeeping({
    operations: database.operations,
    parts: { clock: wallClock, blobs },
    uploadFolder,
    retention: readRetention(new Settings({})),
    log: createLog('silent'),
  })
  t.mock.timers.reset()
  assert.ok(await isThere(content))
  const { rows } = await session.query("select key_hash = sha256('live') as live from clearing.idempotency")
  assert.deepEqual(rows, [{ live: true }])
})

test('a claim stays while its item waits by the clock of the service, which may be ahead', async () => {
  const blobs = await openFolderStore(join(folder, 'claimed'))
  const uploadFolder = join(folder, 'uploads-of-claims')
  await mkdir(uploadFolder)
  const dueBy = hoursAgo(-24).toISOString()
  await session.query(`set session_replication_role = replica;
    insert into clearing.onboarding (account_number, firm_id, correlation_id, current_state, state, possible_duplicates, created_at, updated_at)
    values ('A0000001', gen_random_uuid(), gen_random_uuid(), 'ActionRequired',
      '{"followUps": [{"code": "Document", "status": "Open", "dueBy": "${dueBy}"}]}', '{}', now(), now());
    insert into clearing.work_assignment values ('FollowUp.A0000001', 'a@example.com', 'a@example.com', now());
    reset session_replication_role`)
  const claimsAfter = async (aheadMs: number) => {
    const clock = { now: () => new Date(Date.now() + aheadMs), aheadMs: () => aheadMs }
    await runHousekeeping({
      operations: database.operations,
      parts: { clock, blobs },
      uploadFolder,
      retention: readRetention(new Settings({})),
      log: createLog('silent'),
    })
    return (await session.query('select from clearing.work_assignment')).rowCount
  }
  assert.equal(await claimsAfter(48 * 3_600_000), 1)
  assert.equal(await claimsAfter(0), 0)
})

test('the first round begins five minutes after the start, and the next ones every hour', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let rounds = 0
  const stop = repeatRounds(async () => {
    rounds += 1
  })
  const roundsAfter = async (minutes: number) => {
    t.mock.timers.tick(minutes * 60_000)
    await new Promise(setImmediate)
    return rounds
  }
  for (const [minutes, count] of [
    [4, 0],
    [1, 1],
    [59, 1],
    [1, 2],
    [60, 3],
  ] as const)
    assert.equal(await roundsAfter(minutes), count)
  await stop()
  assert.equal(await roundsAfter(120), 3)
})

test('a round that takes longer than an hour is not overtaken, and a stop waits for it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let rounds = 0
  let end = () => {}
  const stop = repeatRounds(() => {
    rounds += 1
    return new Promise<void>((resolve) => {
      end = resolve
    })
  })
  const roundsAfter = async (minutes: number) => {
    t.mock.timers.tick(minutes * 60_000)
    await new Promise(setImmediate)
    return rounds
  }
  assert.equal(await roundsAfter(5), 1)
  assert.equal(await roundsAfter(120), 1)
  end()
  assert.equal(await roundsAfter(0), 1)
  assert.equal(await roundsAfter(60), 2)
  let isStopped = false
  const stopped = stop().then(() => {
    isStopped = true
  })
  await new Promise(setImmediate)
  assert.equal(isStopped, false)
  end()
  await stopped
  assert.equal(await roundsAfter(120), 2)
})
