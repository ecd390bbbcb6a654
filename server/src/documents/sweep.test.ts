import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import type { BlobStore } from './blob-store.ts'
import { openFolderStore } from './folder-store.ts'
import type { SweepSettings, SweptRow } from './sweep.ts'
import { SWEEP_BATCH, sweepDocuments } from './sweep.ts'

let folder = ''
let blobs: BlobStore
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sweep-'))
  blobs = await openFolderStore(folder)
})
after(() => rm(folder, { recursive: true, force: true }))

function idOf(number: number) {
  return `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
}
function put(number: number, bytes = 3) {
  return blobs.put(idOf(number), { sizeBytes: bytes, open: () => Readable.from([Buffer.alloc(bytes)]) })
}
const later = new Date(Date.now() + 3_600_000)

function settingsFor(rows: SweptRow[], changes: Partial<SweepSettings> = {}): SweepSettings {
  const ordered = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return {
    blobs,
    findNamed: async (ids) => new Set(ids.filter((id) => rows.some((row) => row.id === id))),
    listRows: async (afterId, limit) =>
      ordered.filter((row) => afterId === undefined || row.id > afterId).slice(0, limit),
    ageMsMin: 1_800_000,
    now: later,
    removeOrphans: true,
    ...changes,
  }
}

test('blobs without a row are removed, and rows whose blob is missing or has another size are reported', async () => {
  for (const number of [1, 2, 3, 4]) await put(number)
  const rows = [1, 2, 5].map((number) => ({ id: idOf(number), sealedBytes: number === 2 ? 4 : 3 }))
  const reported = await sweepDocuments(settingsFor(rows, { removeOrphans: false }))
  assert.deepEqual(reported, {
    blobs: 4,
    rows: 3,
    orphanIds: reported.orphanIds,
    orphansRemoved: 0,
    missingIds: [idOf(5)],
    wrongSizeIds: [idOf(2)],
  })
  assert.deepEqual(reported.orphanIds.toSorted(), [idOf(3), idOf(4)])

  assert.equal((await sweepDocuments(settingsFor(rows))).orphansRemoved, 2)
  assert.equal(await blobs.measure(idOf(3)), undefined)
  assert.equal(await blobs.measure(idOf(1)), 3)
  assert.deepEqual((await sweepDocuments(settingsFor(rows))).orphanIds, [])
})

test('a new blob without a row is kept, because its upload may not be committed yet', async () => {
  await put(9)
  const report = await sweepDocuments(settingsFor([], { now: new Date(), blobs }))
  assert.equal(report.orphansRemoved, 0)
  assert.equal(await blobs.measure(idOf(9)), 3)
})

test('all rows and blobs are checked if there is more than one batch', async () => {
  const rows = Array.from({ length: SWEEP_BATCH + 20 }, (_, index) => ({
    id: idOf(1000 + index),
    sealedBytes: 3,
  }))
  const asked: number[] = []
  for (const row of rows.slice(0, -5)) {
    await blobs.put(row.id, { sizeBytes: 3, open: () => Readable.from([Buffer.alloc(3)]) })
  }
  const settings = settingsFor(rows)
  const report = await sweepDocuments({
    ...settings,
    findNamed: (ids) => {
      asked.push(ids.length)
      return settings.findNamed(ids)
    },
  })
  assert.equal(report.rows, SWEEP_BATCH + 20)
  assert.deepEqual(
    report.missingIds,
    rows.slice(-5).map(({ id }) => id),
  )
  assert.ok(asked.length > 1 && asked.every((count) => count <= SWEEP_BATCH))
})

test('rows that are not ordered by id are a fault, not an endless sweep', async () => {
  const rows = Array.from({ length: SWEEP_BATCH }, (_, index) => ({ id: idOf(index), sealedBytes: 3 }))
  await assert.rejects(sweepDocuments(settingsFor([], { listRows: async () => rows })), /ordered by id/)
})

test('a sweep can be stopped', async () => {
  const signal = AbortSignal.abort()
  await assert.rejects(sweepDocuments(settingsFor([], { signal })), { name: 'AbortError' })
})
