/**
 * Runs a load: lines are taken from the body a batch at a time, and each batch is committed before the one after the next
 * is read, so that memory stays flat and a slow database slows the sender. A batch counts once, whatever happens at its
 * COMMIT: its progress is in the same transaction. A load that is cut off keeps what was committed and can be sent again.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '@clearing/protocol'
import { breaks, DatabaseUnavailable, OutcomeUnknown } from '../../database/faults.ts'
import type { Pool } from '../../database/pool.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { newId } from '../../ids.ts'
import {
  addLoadProgress,
  endLoad,
  type LoadCounts,
  lockLoadProgress,
  type RefusedLine,
  startLoad,
} from '../../store/books/loads.ts'
import type { RawLine, RawLines } from '../lines/raw-line.ts'

/** Which load it is, and on whose behalf. */
export interface Load {
  readonly loadId: string
  readonly kind: string
  readonly clientId: string
  readonly traceId: string
  readonly pool: Pool
  readonly now: () => Date
}

/** What became of a batch. */
export interface BatchOutcome {
  readonly accepted: number
  readonly duplicates: number
  readonly refused: readonly RefusedLine[]
}

/** What a load is answered with. */
export interface LoadAnswer extends LoadCounts {
  readonly loadId: string
  rejects: { line: number; code: string; field: string; reason: string }[]
}

/** One kind of load: how its lines are made ready, while the batch before is being written, and how they are written. */
export interface Loader<Ready> {
  /** Reads what the lines need, and refuses those that cannot be taken. */
  prepare(lines: readonly RawLine[]): Promise<Ready>
  /** Writes them; may be called again for the same lines when a transaction failed. Throws StaleFacts to have them prepared anew. */
  write(tx: Tx, ready: Ready): Promise<BatchOutcome>
}

/** What was prepared is no longer so. */
export class StaleFacts extends Error {
  override readonly name = 'StaleFacts'
}

/** Constraints that two loads at the same moment may break once; the second try sees the other's lines. */
const racedFor = ['activity_key_pkey', 'price_pkey', 'fx_rate_pkey', 'account_books_pkey']

export const loadRetries = { attemptsMax: 8, backOffMs: 20 } as const

export async function runLoad<Ready>(
  settings: Omit<Load, 'loadId'>,
  lines: RawLines,
  makeLoader: (load: Load) => Loader<Ready>,
): Promise<LoadAnswer> {
  const load: Load = { ...settings, loadId: newId(settings.now()) }
  const { loadId, kind, clientId, traceId, pool } = load
  await inTransaction(pool, { firm: null }, (tx) =>
    startLoad(tx, { loadId, kind, clientId, traceId, at: load.now() }),
  )
  const totals = new Totals()
  let state: 'Complete' | 'CutOff' = 'CutOff'
  try {
    await takeBatches(load, lines, makeLoader(load), totals)
    state = 'Complete'
  } finally {
    await end(load, state)
  }
  return { loadId, ...totals.counts, rejects: totals.rejects }
}

async function takeBatches<Ready>(
  load: Load,
  lines: RawLines,
  loader: Loader<Ready>,
  totals: Totals,
): Promise<void> {
  let writing: Promise<void> = Promise.resolve()
  try {
    for await (const batch of lines) {
      if (batch.length === 0) continue
      const ready = await loader.prepare(batch)
      await writing
      writing = writeBatch(load, loader, batch, ready, totals)
      // Its fault is met at the next await; until then it must not count as unhandled.
      writing.catch(() => {})
    }
  } finally {
    await writing
  }
}

async function writeBatch<Ready>(
  load: Load,
  loader: Loader<Ready>,
  batch: readonly RawLine[],
  prepared: Ready,
  totals: Totals,
): Promise<void> {
  let ready = prepared
  let written: BatchOutcome = { accepted: 0, duplicates: 0, refused: [] }
  for (let attempt = 1; ; attempt += 1) {
    try {
      await inTransaction(load.pool, { firm: null }, async (tx) => {
        const done = await lockLoadProgress(tx, load.loadId)
        // An attempt whose outcome was not known had committed: `written` is what it wrote.
        if (done > totals.counts.received) return
        written = await loader.write(tx, ready)
        addLoadProgress(tx, load.loadId, countsOf(written, batch.length), written.refused)
      })
      totals.add(written, batch.length)
      return
    } catch (fault) {
      if (attempt === loadRetries.attemptsMax || !isWorthRepeating(fault)) throw fault
      await pause(loadRetries.backOffMs * 2 ** attempt * Math.random())
      if (fault instanceof StaleFacts) ready = await loader.prepare(batch)
    }
  }
}

function isWorthRepeating(fault: unknown): boolean {
  if (fault instanceof DatabaseUnavailable || fault instanceof OutcomeUnknown || fault instanceof StaleFacts)
    return true
  return racedFor.some((constraint) => breaks(fault, constraint))
}

function countsOf({ accepted, duplicates, refused }: BatchOutcome, received: number): LoadCounts {
  return { received, accepted, duplicates, rejected: refused.length }
}

async function end({ pool, loadId, now }: Load, state: 'Complete' | 'CutOff'): Promise<void> {
  try {
    await inTransaction(pool, { firm: null, repeatable: true }, (tx) => endLoad(tx, loadId, state, now()))
  } catch (fault) {
    // A load that was cut off by the database shows itself by its silence.
    if (state === 'Complete') throw fault
  }
}

class Totals {
  counts: LoadCounts = { received: 0, accepted: 0, duplicates: 0, rejected: 0 }
  readonly rejects: { line: number; code: string; field: string; reason: string }[] = []

  add({ accepted, duplicates, refused }: BatchOutcome, received: number): void {
    const { counts } = this
    this.counts = {
      received: counts.received + received,
      accepted: counts.accepted + accepted,
      duplicates: counts.duplicates + duplicates,
      rejected: counts.rejected + refused.length,
    }
    for (const { line, rejections } of refused) {
      for (const { code, field, reason } of rejections) {
        if (this.rejects.length < limits.loadRejectsMax) this.rejects.push({ line, code, field, reason })
      }
    }
  }
}
