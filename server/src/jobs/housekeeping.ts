/**
 * Removes data that is no longer needed: records older than their retention, and uploads and blobs that a
 * crash left behind. Also counts the waiting items of each queue and the applications of past days, and fills
 * new columns of older rows. Every process runs it; a second run has no further effect.
 */
import type { Logger } from 'pino'
import { wallClock } from '../clock.ts'
import type { Retention } from '../config/retention.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { removeStaleUploads } from '../documents/receive-upload.ts'
import { countSealedDocumentBytes } from '../documents/sealed-stream.ts'
import { sweepDocuments } from '../documents/sweep.ts'
import type { Parts } from '../operations/parts.ts'
import { readAgreedTime } from '../store/agreed-time.ts'
import { easternDay } from '../store/books/calendar.ts'
import { listDocumentSizes, readNamedDocuments } from '../store/documents-kept.ts'
import { countOpenings } from '../store/openings.ts'
import { fillParties } from '../store/parties.ts'
import { noteQueueDay } from '../store/queue-days.ts'
import { sweepSignIn } from '../store/sweep-sign-in.ts'
import { countQueues, sweepAssignments } from '../store/work.ts'
import { removeOld } from './remove-old.ts'
import { runEach } from './run-each.ts'

/** A process that is restarted within the hour does its housekeeping too, but not while it starts. */
const firstAfterMs = 5 * 60 * 1_000
const everyMs = 60 * 60 * 1_000
/** Longer than any request can run, so no request still writes a file of this age. */
const leftBehindMs = 60 * 60 * 1_000

export interface Housekeeping {
  readonly operations: Pool
  readonly parts: Pick<Parts, 'clock' | 'blobs'>
  readonly uploadFolder: string
  readonly retention: Retention
  readonly log: Logger
}

/** Runs one round. A step that fails does not keep the others. Resolves to true when every document has its content. */
export async function runHousekeeping(housekeeping: Housekeeping): Promise<boolean> {
  const { operations, parts, uploadFolder, retention } = housekeeping
  const now = new Date()
  const write = <Row>(body: (tx: Tx) => Promise<Row>) =>
    inTransaction(operations, { firm: null, repeatable: true }, body)
  let whole = false
  await runEach([
    () =>
      write(async (tx) => {
        sweepSignIn(tx, now)
        await sweepAssignments(tx, parts.clock.now())
      }),
    () =>
      write(async (tx) => {
        const at = parts.clock.now()
        noteQueueDay(tx, easternDay(at), await countQueues(tx, { firmId: undefined, me: '', now: at }))
      }),
    async () => {
      while (await write((tx) => countOpenings(tx, parts.clock.now())));
    },
    async () => {
      while (await write(fillParties));
    },
    async () =>
      removeOld({ operations, retention, now: await write((tx) => readAgreedTime(tx, parts.clock)) }),
    () => removeStaleUploads(uploadFolder, leftBehindMs, now),
    async () => parts.blobs.removeUnfinished(leftBehindMs, await write(readWallTime)),
    async () => {
      whole = await compareDocuments(housekeeping, await write(readWallTime))
    },
  ])
  return whole
}

function readWallTime(tx: Tx): Promise<Date> {
  return readAgreedTime(tx, wallClock)
}

/** Removes contents that no document names. Resolves to true when every document has its content. */
async function compareDocuments({ operations, parts, log }: Housekeeping, now: Date): Promise<boolean> {
  const read = <Row>(ask: (tx: Tx) => Promise<Row>) =>
    inTransaction(operations, { firm: null, readOnly: true, repeatable: true }, ask)
  const report = await sweepDocuments({
    blobs: parts.blobs,
    findNamed: (ids) => read((tx) => readNamedDocuments(tx, ids)),
    listRows: async (afterId, limit) => {
      const rows = await read((tx) => listDocumentSizes(tx, afterId, limit))
      return rows.map((row) => ({
        id: row.document_id,
        sealedBytes: countSealedDocumentBytes(Number(row.size_bytes)),
      }))
    },
    ageMsMin: leftBehindMs,
    now,
    removeOrphans: true,
  })
  const { missingIds, wrongSizeIds, orphansRemoved } = report
  if (orphansRemoved > 0) log.info({ orphansRemoved }, 'contents that no document names were removed')
  const whole = missingIds.length === 0 && wrongSizeIds.length === 0
  if (!whole) log.error({ missingIds, wrongSizeIds }, 'documents without their content')
  return whole
}

/** Runs housekeeping at intervals. Returns a function that stops it. */
export function startHousekeeping(housekeeping: Housekeeping): () => Promise<void> {
  return repeatRounds(() =>
    runHousekeeping(housekeeping).catch((fault) => housekeeping.log.error({ err: fault }, 'housekeeping')),
  )
}

/**
 * Runs a round five minutes after the start, and then an hour after the end of each round, so that no two rounds run at
 * once. The returned function waits for the round that is running. A round must not reject.
 */
export function repeatRounds(round: () => Promise<unknown>): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  let isStopped = false
  const begin = () => {
    running = round().finally(() => {
      if (!isStopped) timer = setTimeout(begin, everyMs).unref()
    })
  }
  let timer = setTimeout(begin, firstAfterMs).unref()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    await running
  }
}
