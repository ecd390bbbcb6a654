/**
 * Checks the systems that the service depends on. Returns the reason why the service cannot serve now, or undefined.
 * The reason is public. Its cause, such as the answer of a bucket, is for the log.
 */
import type { Logger } from 'pino'
import { clockToleranceMs } from '../clock.ts'
import type { Pool } from '../database/pool.ts'
import { selectWritable } from '../database/session.ts'
import { unprepared } from '../database/statement.ts'
import { readInFirm } from '../database/transaction.ts'
import { dataTurns } from '../documents/file-turns.ts'
import { probeFolder } from '../documents/probe-folder.ts'
import { uploadSuffix } from '../documents/receive-upload.ts'
import { makeFolder } from '../make-folder.ts'
import type { Parts } from '../operations/parts.ts'
import { measureClockDifferenceMs } from '../store/agreed-time.ts'
import { checkFree, type WatchedFolder } from './free-space.ts'

const readinessTimeoutMs = 2_000
const ping = unprepared<{ writable: boolean }>(selectWritable)

/** Whether the database accepts writes; fails if it does not answer. */
export async function isWritable(app: Pool): Promise<boolean> {
  const [answer] = await readInFirm(app, null, ping)
  return answer?.writable === true
}

async function checkClock(app: Pool): Promise<void> {
  const differenceMs = await measureClockDifferenceMs(app)
  // Other processes refuse tokens of a process that is further ahead.
  if (differenceMs > clockToleranceMs)
    throw new Error(`the clocks differ by ${Math.round(differenceMs / 1_000)} seconds`)
}

async function pingDatabase(app: Pool): Promise<void> {
  if (!(await isWritable(app))) throw new Error('the database takes no writes')
}

/** The disks that the service writes to. */
export interface Disks {
  readonly uploadFolder: string
  readonly folders: readonly WatchedFolder[]
  readonly freeMinMb: number
}

export function probeUploads({ uploadFolder }: Disks): Promise<void> {
  return dataTurns.run(async () => {
    await makeFolder(uploadFolder, 0o700)
    await probeFolder(uploadFolder, uploadSuffix)
  })
}

export interface NotReady {
  readonly reason: string
  readonly cause: string
}

/** What fails while the check fails, and the check. */
export type Check = readonly [reason: string, check: () => Promise<unknown>]

export function listChecks(app: Pool, parts: Parts, disks: Disks): readonly Check[] {
  const { folders, freeMinMb } = disks
  return [
    ['the database does not answer, or takes no writes', () => pingDatabase(app)],
    [
      'the clock of this machine differs from that of the database by more than a minute',
      () => checkClock(app),
    ],
    ['there is no key to sign tokens with', () => parts.identity.checkSigning()],
    // Before the folders that a full disk makes refuse files, so that the reason names the disk.
    ...folders.map(
      (folder): Check => [
        `less than ${freeMinMb} MB are free on the disk of the ${folder.name} folder`,
        () => checkFree(folder, freeMinMb),
      ],
    ),
    ['the document store does not answer, or takes no documents', () => parts.blobs.check()],
    ['the folder of uploads takes no files', () => probeUploads(disks)],
    ['the virus scanner does not answer', async () => parts.virusScanner?.check()],
  ]
}

/** The first check that fails. All run at the same time, so that slow parts together do not outlast a probe. */
export async function findWhyNotReady(checks: readonly Check[]): Promise<NotReady | undefined> {
  const causes = await Promise.all(checks.map(([, check]) => findFailure(check)))
  for (const [at, [reason]] of checks.entries()) {
    const cause = causes[at]
    if (cause !== undefined) return { reason, cause }
  }
  return undefined
}

/** False if the check fails, or has not ended after two seconds. */
export async function succeedsInTime(check: () => Promise<unknown>): Promise<boolean> {
  return (await findFailure(check)) === undefined
}

/** Why a check fails; undefined if it succeeds. */
function findFailure(check: () => Promise<unknown>): Promise<string | undefined> {
  const late = `no answer within ${readinessTimeoutMs} ms`
  return Promise.race([
    check().then(
      () => undefined,
      (fault: unknown) => messagesOf(fault),
    ),
    new Promise<string>((resolve) => setTimeout(resolve, readinessTimeoutMs, late).unref()),
  ])
}

/** The messages of a fault and of the faults that caused it. */
function messagesOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault)
  const own = fault.message || fault.name
  return fault.cause === undefined ? own : `${own}: ${messagesOf(fault.cause)}`
}

/** Runs the same check and logs its result when it changes. Returns the public reason. */
export function loggingChanges(
  ask: () => Promise<NotReady | undefined>,
  log: Logger,
): () => Promise<string | undefined> {
  let last: string | undefined
  return async () => {
    const why = await ask()
    if (why?.reason !== last) {
      if (why === undefined) log.info('ready again')
      else log.warn(why, 'not ready')
    }
    last = why?.reason
    return last
  }
}
