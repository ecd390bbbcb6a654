/** Stored loads: their progress and the lines that they rejected. */
import type { Rejection } from '@clearing/protocol'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { acceptedBy } from './accepted-later.ts'
import { insertRows, Rows } from './bulk.ts'

export interface LoadCounts {
  readonly received: number
  readonly accepted: number
  /** Accepted lines that wait for their trade date. */
  readonly pending: number
  readonly duplicates: number
  /** Lines with a known id or key and different contents. */
  readonly conflicts: number
  readonly rejected: number
}

export interface StoredLoad extends LoadCounts {
  readonly loadId: string
  readonly kind: string
  /** The name of the feed or of the file; empty if it was not given. */
  readonly source: string
  readonly state: 'Running' | 'Complete' | 'CutOff'
  readonly startedAt: string
  readonly endedAt: string | null
  /** The person who reviewed the rejects and conflicts; empty before the review. */
  readonly lookedAtBy: string
  readonly lookedAtOn: string | null
  /** True if the state is Running and the load has written nothing for a while: its process has ended. */
  readonly silent: boolean
}

/** A running load writes at least this often. */
export const silenceMaxSeconds = 60

const insertLoad = statement(
  'insert-load',
  'insert into clearing.load (load_id, kind, source, client_id, trace_id, started_at) values ($1, $2, $3, $4, $5, $6)',
)
const insertParts = statement(
  'insert-load-parts',
  'insert into clearing.load_part (load_id, part) select $1, part from generate_series(0, $2::int - 1) as part',
)
const lockProgress = statement<{ received: bigint }>(
  'lock-load-progress',
  'select received from clearing.load_part where load_id = $1 and part = $2 for update',
)
const addToPart = statement(
  'add-load-part-progress',
  'update clearing.load_part set received = received + $3 where load_id = $1 and part = $2',
)
const addProgress = statement(
  'add-load-progress',
  `update clearing.load set received = received + $2, accepted = accepted + $3, duplicates = duplicates + $4,
     rejected = rejected + $5, conflicts = conflicts + $6, pending = pending + $7, seen_at = clock_timestamp() where load_id = $1`,
)
const endRow = statement(
  'end-load',
  "update clearing.load set state = $2, ended_at = $3, seen_at = clock_timestamp() where load_id = $1 and state = 'Running'",
)
const selectLoad = statement<
  Omit<StoredLoad, keyof LoadCounts> & { readonly [Count in keyof LoadCounts]: bigint }
>(
  'select-load',
  `select load_id as "loadId", kind, source, state, received, accepted, pending, duplicates, conflicts, rejected, started_at as "startedAt",
     ended_at as "endedAt", looked_by as "lookedAtBy", looked_at as "lookedAtOn",
     state = 'Running' and seen_at < clock_timestamp() - $2::int * interval '1 second' as silent
   from clearing.load where load_id = $1`,
)
const insertRejects = insertRows('insert-load-rejects', 'load_reject')
const insertSent = insertRows('insert-load-reject-lines', 'load_reject_line')
export interface Reject {
  readonly line: number
  /** Number of the reject within its line. */
  readonly ordinal: number
  readonly code: string
  readonly field: string
  readonly reason: string
  /** The line as it was sent; empty when it was not stored. */
  readonly sent: string
  /** The later load that accepted the corrected line; null when there is none. */
  readonly acceptedBy: string | null
}

const selectRejects = statement<Omit<Reject, 'line'> & { readonly line: bigint }>(
  'select-load-rejects',
  `select line, ordinal, code, field, reason,
     coalesce((select sent from clearing.load_reject_line as kept where kept.load_id = $1 and kept.line = load_reject.line), '') as sent,
     ${acceptedBy('load', 'load_reject')} as "acceptedBy"
   from clearing.load_reject join clearing.load using (load_id) where load_id = $1 and (line, ordinal) > ($2, $3)
   order by line, ordinal limit $4`,
)

export interface RefusedLine {
  readonly line: number
  readonly rejections: readonly Rejection[]
  /** The line as it was sent, as a JSON object. Undefined if it is not an object, or is too long to store. */
  readonly sent?: string | undefined
}

/** The number of transactions that may write parts of one batch at once. */
export const loadPartsMax = 2

export function startLoad(
  tx: Tx,
  load: { loadId: string; kind: string; source: string; clientId: string; traceId: string; at: Date },
): Promise<number> {
  tx.later(insertLoad, [load.loadId, load.kind, load.source, load.clientId, load.traceId, load.at])
  return tx.run(insertParts, [load.loadId, loadPartsMax])
}

/** The lines that the load has committed in this part. The row is locked until the transaction ends. */
export async function lockLoadProgress(tx: Tx, loadId: string, part: number): Promise<number> {
  const row = await tx.row(lockProgress, [loadId, part])
  if (row === undefined) throw new Error(`load ${loadId} was not started`)
  return Number(row.received)
}

export function addLoadProgress(
  tx: Tx,
  { loadId, part }: { readonly loadId: string; readonly part: number },
  counts: LoadCounts,
  refused: readonly RefusedLine[],
): void {
  const { received, accepted, pending, duplicates, conflicts, rejected } = counts
  if (refused.length > 0) {
    const rows = new Rows()
    const kept = new Rows()
    for (const { line, rejections, sent } of refused) {
      if (sent !== undefined) kept.add(loadId, line, sent)
      rejections.forEach(({ code, field, reason }, ordinal) => {
        rows.add(loadId, line, ordinal, code, field, reason)
      })
    }
    tx.later(insertRejects, [rows.bytes()])
    tx.later(insertSent, [kept.bytes()])
  }
  tx.later(addToPart, [loadId, part, received])
  // The other part of the batch adds to this row too, so this transaction locks the row only during COMMIT.
  tx.last(addProgress, [loadId, received, accepted, duplicates, rejected, conflicts, pending])
}

export function endLoad(tx: Tx, loadId: string, state: 'Complete' | 'CutOff', at: Date): Promise<number> {
  return tx.run(endRow, [loadId, state, at])
}

export async function readLoad(tx: Tx, loadId: string): Promise<StoredLoad | undefined> {
  const row = await tx.row(selectLoad, [loadId, silenceMaxSeconds])
  if (row === undefined) return undefined
  return {
    ...row,
    received: Number(row.received),
    accepted: Number(row.accepted),
    pending: Number(row.pending),
    duplicates: Number(row.duplicates),
    conflicts: Number(row.conflicts),
    rejected: Number(row.rejected),
  }
}

/** Rejects after a position, in the order of the lines, up to a number. */
export async function readRejects(
  tx: Tx,
  loadId: string,
  after: readonly [line: number, ordinal: number],
  most: number,
): Promise<Reject[]> {
  return (await tx.rows(selectRejects, [loadId, ...after, most])).map((row) => ({
    ...row,
    line: Number(row.line),
  }))
}
