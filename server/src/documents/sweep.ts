// Finds the results of a crash between storing content and committing its row: blobs without a row (removed or
// reported), and rows whose blob is missing or has another size (reported: an operator must restore them).
import type { BlobStore } from './blob-store.ts'

export type SweptRow = { id: string; sealedBytes: number }

export type SweepSettings = {
  blobs: BlobStore
  /** Returns the blob ids that have a row; called with batches of at most SWEEP_BATCH. */
  findNamed: (ids: readonly string[]) => Promise<ReadonlySet<string>>
  /** Returns rows whose content must exist, ordered by id, after `afterId`, at most `limit`. */
  listRows: (afterId: string | undefined, limit: number) => Promise<readonly SweptRow[]>
  /** Younger blobs may belong to an upload whose row is not committed yet. */
  ageMsMin: number
  now: Date
  /** When false, orphans are only reported. */
  removeOrphans: boolean
  signal?: AbortSignal
}

export type SweepReport = {
  blobs: number
  rows: number
  orphanIds: string[]
  orphansRemoved: number
  missingIds: string[]
  wrongSizeIds: string[]
}

export const SWEEP_BATCH = 500
/** The number of ids in a report; the counts are complete. */
const SWEEP_IDS_MAX = 10_000

export async function sweepDocuments(settings: SweepSettings): Promise<SweepReport> {
  const report: SweepReport = {
    blobs: 0,
    rows: 0,
    orphanIds: [],
    orphansRemoved: 0,
    missingIds: [],
    wrongSizeIds: [],
  }
  await sweepBlobs(settings, report)
  await sweepRows(settings, report)
  return report
}

async function sweepBlobs(settings: SweepSettings, report: SweepReport): Promise<void> {
  let batch: string[] = []
  for await (const blob of settings.blobs.list()) {
    settings.signal?.throwIfAborted()
    report.blobs++
    if (settings.now.getTime() - blob.storedAt.getTime() < settings.ageMsMin) continue
    batch.push(blob.id)
    if (batch.length < SWEEP_BATCH) continue
    await sweepBatch(settings, report, batch)
    batch = []
  }
  if (batch.length > 0) await sweepBatch(settings, report, batch)
}

async function sweepBatch(settings: SweepSettings, report: SweepReport, ids: string[]): Promise<void> {
  const named = await settings.findNamed(ids)
  for (const id of ids) {
    if (named.has(id)) continue
    if (report.orphanIds.length < SWEEP_IDS_MAX) report.orphanIds.push(id)
    if (!settings.removeOrphans) continue
    await settings.blobs.remove(id)
    report.orphansRemoved++
  }
}

async function sweepRows(settings: SweepSettings, report: SweepReport): Promise<void> {
  let afterId: string | undefined
  for (;;) {
    settings.signal?.throwIfAborted()
    const rows = await settings.listRows(afterId, SWEEP_BATCH)
    for (const row of rows) {
      report.rows++
      const bytes = await settings.blobs.measure(row.id)
      const ids = bytes === undefined ? report.missingIds : report.wrongSizeIds
      if (bytes !== row.sealedBytes && ids.length < SWEEP_IDS_MAX) ids.push(row.id)
    }
    const last = rows.at(-1)
    if (!last || rows.length < SWEEP_BATCH) return
    if (afterId !== undefined && last.id <= afterId) throw new Error('Rows to sweep must be ordered by id.')
    afterId = last.id
  }
}
