/**
 * A folder that stops responding. The test opens named pipes: an operation on a pipe without a writer hangs as one on
 * the folder of another machine does.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { inTime, until } from '../database/test-waiting.ts'
import { StoreUnavailable } from './blob-store.ts'
import { fileTurnLimits } from './file-turns.ts'
import { openFolderStore } from './folder-store.ts'

/** As many as Node.js has threads for files and host names. */
const threads = 4

const usual = { ...fileTurnLimits }
let root: string
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'file-turns-'))
})
after(() => rm(root, { recursive: true, force: true }))

function sourceOf(text: string) {
  return { sizeBytes: text.length, open: () => Readable.from([Buffer.from(text)]) }
}

function openFiles(): Promise<number> {
  return readdir('/proc/self/fd').then((names) => names.length)
}

test('a folder that hangs is unavailable, leaves threads to other work, and is used again when it responds', async (context) => {
  if (process.platform !== 'linux') return context.skip('needs named pipes and /proc')
  const folder = join(root, 'documents')
  const store = await openFolderStore(folder)
  const ids = Array.from({ length: threads }, () => randomUUID())
  const paths = ids.map((id) => join(folder, id.slice(-2), id))
  for (const id of ids) await store.put(id, sourceOf(id))
  const filesBefore = await openFiles()
  for (const path of paths) {
    await rename(path, `${path}.kept`)
    execFileSync('mkfifo', [path])
  }
  fileTurnLimits.answerMs = 500
  try {
    const reads = Promise.allSettled(ids.map((id) => store.get(id)))
    // The look-up of a host name needs a thread too: no connection to the database could be opened.
    await inTime('a look-up', lookup('localhost'))
    for (const read of await inTime('the reads', reads)) {
      assert.equal(read.status, 'rejected')
      assert.ok(read.reason instanceof StoreUnavailable)
    }
    await inTime('refusals', assert.rejects(store.put(randomUUID(), sourceOf('x')), StoreUnavailable))
    await inTime('the check', assert.rejects(store.check(), StoreUnavailable))
  } finally {
    // Opens the other end of each pipe, so that the operations that hang end.
    for (const path of paths) {
      closeSync(openSync(path, 'r+'))
      await rename(`${path}.kept`, path)
    }
    Object.assign(fileTurnLimits, usual)
  }
  await until('the store responds', () =>
    store.check().then(
      () => true,
      () => false,
    ),
  )
  for (const id of ids) assert.equal((await buffer(await store.get(id))).toString(), id)
  await until('late files are closed', async () => (await openFiles()) <= filesBefore)
})
