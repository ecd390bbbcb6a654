/**
 * Runs a load. Lines are taken from the body in batches. Two batches at most are in progress, so memory stays
 * flat and a slow database slows the sender. Two connections write independent parts of a batch at once, each
 * as soon as its connection has written the previous part. A part counts once whatever the outcome of its
 * COMMIT, because its progress is in the same transaction. A load that is cut off keeps its committed lines
 * and can be sent again. A batch that the database refuses is halved until the line at fault remains, and
 * that line is rejected: a line never prevents another from being booked.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { limits, type Rejection, reject } from '@clearing/protocol/values'
import {
  breaks,
  CommitFailed,
  DatabaseUnavailable,
  isOfData,
  OutcomeUnknown,
  StatementFailed,
} from '../../database/faults.ts'
import type { Pool } from '../../database/pool.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { newId } from '../../ids.ts'
import {
  addLoadProgress,
  endLoad,
  type LoadCounts,
  loadPartsMax,
  lockLoadProgress,
  type RefusedLine,
  startLoad,
} from '../../store/books/loads.ts'
import { pendingKept } from '../../store/books/pending.ts'
import { NumberText, type RawLine, type RawLines } from '../lines/raw-line.ts'
import { fullPace, type Pace } from '../pace.ts'

/** Identifies the load and its sender. */
export interface Load {
  readonly loadId: string
  readonly kind: string
  /** The name of the feed or of the file. */
  readonly source?: string
  readonly clientId: string
  readonly traceId: string
  readonly pool: Pool
  readonly now: () => Date
  /** Absent when the load gives way to no calls. */
  readonly pace?: Pace
}

/** The result of a batch. */
export interface BatchOutcome {
  readonly accepted: number
  /** The accepted lines that wait for their trade date. */
  readonly pending?: number
  readonly duplicates: number
  /** Lines whose id or key is stored with different contents, with each field that differs. */
  readonly conflicts: readonly RefusedLine[]
  readonly refused: readonly RefusedLine[]
}

export const nothingWritten: BatchOutcome = { accepted: 0, duplicates: 0, conflicts: [], refused: [] }

/** The response to a load. */
export interface LoadAnswer extends LoadCounts {
  readonly loadId: string
  rejects: { line: number; code: string; field: string; reason: string }[]
  /** A notice to the sender about lines that were stored. */
  readonly message?: string | undefined
}

/** One type of load: prepares its lines while the previous batch is being written, and writes them. */
export interface Loader<Ready> {
  /** Reads the facts that the lines need, and rejects lines that cannot be booked. */
  prepare(lines: readonly RawLine[]): Promise<Ready>
  /**
   * Writes the lines. Can be called again for the same lines after a failed transaction. Throws StaleFacts if
   * they must be prepared again. `closely`: the database refused the lines before, so all limits are read and
   * checked line by line.
   */
  write(tx: Tx, ready: Ready, closely: boolean): Promise<BatchOutcome>
  /** Divides each batch in turn. Without it a batch is one part. `hasRoom`: there may be several parts. */
  split?(batch: Batch<Ready>, hasRoom: boolean): Parts<Ready>
  /** A message about all lines, once they are written. */
  conclude?(): Promise<string | undefined>
}

/** The parts of a batch, at most `loadPartsMax`. They may be written at the same time and in any order. */
export interface Parts<Ready> {
  readonly parts: readonly Batch<Ready>[]
  /**
   * True if a part depends on no other part of the previous batch. It then follows only the part of its own
   * connection.
   */
  readonly areApart: boolean
}

/** Lines as received, and prepared. */
export interface Batch<Ready> {
  readonly raw: readonly RawLine[]
  readonly ready: Ready
}

/** The prepared lines are out of date. */
export class StaleFacts extends Error {
  override readonly name = 'StaleFacts'
}

/** Other work has taken the place of the load, so that nothing of it is left to write. */
export class LoadOvertaken extends Error {
  override readonly name: string = 'LoadOvertaken'
}

/**
 * Constraints that concurrent loads can violate in the first attempt. The second attempt sees the lines of
 * the other load.
 */
const racedFor = [
  ...['activity_key_pkey', 'price_pkey', 'fx_rate_pkey', 'account_books_pkey', pendingKept],
  ...['announcement_cancelled_by_key', 'announcement_amendment_pkey'],
  ...['fx_rate_correction_pkey', 'price_correction_pkey', 'location_position_correction_pkey'],
  ...['held_away_correction_pkey', 'fx_rate_correction_id', 'price_correction_id'],
  ...['location_position_correction_id', 'held_away_correction_id'],
]

const loadRetries = { attemptsMax: 8, backOffMs: 20 } as const

export async function runLoad<Ready>(
  settings: Omit<Load, 'loadId'>,
  lines: RawLines,
  makeLoader: (load: Load) => Loader<Ready>,
): Promise<LoadAnswer> {
  const load: Load = { ...settings, loadId: newId(settings.now()) }
  const { loadId, kind, source = '', clientId, traceId, pool } = load
  await inTransaction(pool, { firm: null }, (tx) =>
    startLoad(tx, { loadId, kind, source, clientId, traceId, at: load.now() }),
  )
  const totals = new Totals()
  let state: 'Complete' | 'CutOff' = 'CutOff'
  let message: string | undefined
  try {
    const loader = makeLoader(load)
    await takeBatches(load, lines, loader, totals)
    message = await loader.conclude?.()
    state = 'Complete'
  } catch (fault) {
    // Its sender has nothing to send again, and no person has to look at it.
    if (fault instanceof LoadOvertaken) state = 'Complete'
    throw fault
  } finally {
    await end(load, state)
  }
  return { loadId, ...totals.counts, rejects: totals.rejects, message }
}

/** A batch that is being written. */
interface Writing {
  /** The result of each part. */
  readonly parts: readonly Promise<BatchOutcome>[]
  /**
   * The result of all parts and of all previous batches. After it settles, with or without a fault, no part
   * is being written.
   */
  readonly whole: Promise<void>
}

async function takeBatches<Ready>(
  load: Load,
  lines: RawLines,
  loader: Loader<Ready>,
  totals: Totals,
): Promise<void> {
  let last: Writing | undefined
  let lastButOne: Writing | undefined
  try {
    for await (const raw of lines) {
      if (raw.length === 0) continue
      const ready = await loader.prepare(raw)
      await lastButOne?.whole
      lastButOne = last
      last = beginBatch(load, loader, { raw, ready }, last, totals)
    }
  } finally {
    await last?.whole
  }
}

function beginBatch<Ready>(
  load: Load,
  loader: Loader<Ready>,
  batch: Batch<Ready>,
  before: Writing | undefined,
  totals: Totals,
): Writing {
  const { parts, areApart } = loader.split?.(batch, hasRoom(load, totals.partsOpen)) ?? {
    parts: [batch],
    areApart: false,
  }
  const inParts = areApart && before?.parts.length === parts.length
  const written = parts.map(async (part, index) => {
    await (inParts ? before?.parts[index] : before?.whole)
    totals.partsOpen += 1
    return writePart({ load, loader, part: index, totals }, part).finally(() => {
      totals.partsOpen -= 1
    })
  })
  const whole = (async () => {
    const ended = await Promise.allSettled([before?.whole, ...written])
    for (const end of ended) if (end.status === 'rejected') throw end.reason
    totals.add(await Promise.all(written), batch.raw.length)
  })()
  // The fault is handled at the next await; until then it must not count as an unhandled rejection.
  for (const promise of [whole, ...written]) promise.catch(() => {})
  return { parts: written, whole }
}

/** A load takes a second connection only if no calls are running and other loads leave one free. */
function hasRoom({ pool, pace = fullPace }: Load, ours: number): boolean {
  if (pace.isSlow) return false
  const { open, idle, waiting } = pool.figures()
  return pool.limits.connectionsMax - (open - idle + waiting - ours) > loadPartsMax
}

/** One of the parts in which the batches of a load are written. */
interface PartOfLoad<Ready> {
  readonly load: Load
  readonly loader: Loader<Ready>
  readonly part: number
  readonly totals: Totals
}

async function writePart<Ready>(
  to: PartOfLoad<Ready>,
  { raw, ready: prepared }: Batch<Ready>,
): Promise<BatchOutcome> {
  const { load, loader, part, totals } = to
  const { loadId, pool } = load
  const before = totals.receivedOfParts[part] ?? 0
  let ready = prepared
  let closely = totals.looksClosely
  let written = nothingWritten
  for (let attempt = 1; ; attempt += 1) {
    try {
      await inTransaction(pool, { firm: null }, async (tx) => {
        const done = await lockLoadProgress(tx, loadId, part)
        // An attempt of unknown outcome had committed: `written` is its result.
        if (done > before) return
        written = await loader.write(tx, ready, closely)
        addLoadProgress(
          tx,
          { loadId, part },
          countsOf(written, raw.length),
          asSent(linesToReport(written), raw),
        )
      })
      totals.receivedOfParts[part] = before + raw.length
      return written
    } catch (fault) {
      if (attempt < loadRetries.attemptsMax && isWorthRepeating(fault)) {
        await pause(loadRetries.backOffMs * 2 ** attempt * Math.random())
        if (fault instanceof StaleFacts) ready = await loader.prepare(raw)
      } else if (!isOfData(fault)) throw fault
      else if (closely) return writeByHalves(to, raw, fault)
      else {
        closely = true
        // The rest of the load is checked closely too, because such lines seldom come alone.
        totals.looksClosely = true
      }
    }
  }
}

/** Writes lines that the database refused together by halves, and rejects each line that it refuses alone. */
async function writeByHalves<Ready>(
  to: PartOfLoad<Ready>,
  raw: readonly RawLine[],
  fault: unknown,
): Promise<BatchOutcome> {
  const { loader } = to
  const [only] = raw
  if (only !== undefined && raw.length === 1) {
    const refused = [{ line: only.line, rejections: [refusedByDatabase(fault)] }]
    const outcome = { ...nothingWritten, refused }
    const rejecting: Loader<BatchOutcome> = { prepare: async () => outcome, write: async () => outcome }
    return writePart({ ...to, loader: rejecting }, { raw, ready: outcome })
  }
  const middle = Math.ceil(raw.length / 2)
  const outcomes: BatchOutcome[] = []
  for (const half of [raw.slice(0, middle), raw.slice(middle)]) {
    outcomes.push(await writePart(to, { raw: half, ready: await loader.prepare(half) }))
  }
  return {
    accepted: outcomes.reduce((sum, { accepted }) => sum + accepted, 0),
    pending: outcomes.reduce((sum, { pending = 0 }) => sum + pending, 0),
    duplicates: outcomes.reduce((sum, { duplicates }) => sum + duplicates, 0),
    conflicts: outcomes.flatMap(({ conflicts }) => conflicts),
    refused: outcomes.flatMap(({ refused }) => refused),
  }
}

/** The rule of the database that was violated, without values. */
function refusedByDatabase(fault: unknown): Rejection {
  const found = fault instanceof CommitFailed ? fault.cause : fault
  const rule = found instanceof StatementFailed ? (found.constraint ?? `SQLSTATE ${found.code}`) : 'COMMIT'
  return reject('ERR.1015', '', `The books cannot store this line: the database refuses it (${rule}).`)
}

function isWorthRepeating(fault: unknown): boolean {
  if (fault instanceof DatabaseUnavailable || fault instanceof OutcomeUnknown || fault instanceof StaleFacts)
    return true
  return racedFor.some((constraint) => breaks(fault, constraint))
}

function countsOf(
  { accepted, pending = 0, duplicates, conflicts, refused }: BatchOutcome,
  received: number,
): LoadCounts {
  return { received, accepted, pending, duplicates, conflicts: conflicts.length, rejected: refused.length }
}

/** The rejected lines that the response lists. */
function linesToReport({ conflicts, refused }: BatchOutcome): readonly RefusedLine[] {
  return conflicts.length === 0 ? refused : [...refused, ...conflicts]
}

/** The rejected lines with the text that was sent, so that a person can correct them. */
function asSent(reported: readonly RefusedLine[], raw: readonly RawLine[]): readonly RefusedLine[] {
  if (reported.length === 0) return reported
  const found = new Map(raw.map((one) => [one.line, one]))
  return reported.map((refused) => {
    const one = found.get(refused.line)
    if (one === undefined || 'rejection' in one) return refused
    const sent = JSON.stringify(one.members, (_name, value) =>
      value instanceof NumberText ? value.text : value,
    )
    return sent.length > limits.rejectedLineLengthMax ? refused : { ...refused, sent }
  })
}

async function end({ pool, loadId, now }: Load, state: 'Complete' | 'CutOff'): Promise<void> {
  try {
    await inTransaction(pool, { firm: null, repeatable: true }, (tx) => endLoad(tx, loadId, state, now()))
  } catch (fault) {
    // A load that the database cut off is recognized by its missing progress.
    if (state === 'Complete') throw fault
  }
}

class Totals {
  counts: LoadCounts = { received: 0, accepted: 0, pending: 0, duplicates: 0, conflicts: 0, rejected: 0 }
  readonly rejects: { line: number; code: string; field: string; reason: string }[] = []

  /** Parts that are being written, each with a connection. */
  partsOpen = 0

  /** Lines that each part has committed. */
  readonly receivedOfParts: number[] = []

  /** True after the database has refused lines of this load. */
  looksClosely = false

  /** The result of the parts of a batch. */
  add(parts: readonly BatchOutcome[], received: number): void {
    const { counts } = this
    const sum = (countOf: (part: BatchOutcome) => number) =>
      parts.reduce((total, part) => total + countOf(part), 0)
    this.counts = {
      received: counts.received + received,
      accepted: counts.accepted + sum(({ accepted }) => accepted),
      pending: counts.pending + sum(({ pending = 0 }) => pending),
      duplicates: counts.duplicates + sum(({ duplicates }) => duplicates),
      conflicts: counts.conflicts + sum(({ conflicts }) => conflicts.length),
      rejected: counts.rejected + sum(({ refused }) => refused.length),
    }
    for (const { line, rejections } of parts.flatMap(linesToReport).sort((a, b) => a.line - b.line)) {
      for (const { code, field, reason } of rejections) {
        if (this.rejects.length < limits.loadRejectsMax) this.rejects.push({ line, code, field, reason })
      }
    }
  }
}
