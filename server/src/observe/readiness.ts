/**
 * Checks the systems that the service depends on. Returns the reason why the service cannot serve now, or undefined.
 */
import { mkdir } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Pool } from '../database/pool.ts'
import { selectWritable } from '../database/session.ts'
import { unprepared } from '../database/statement.ts'
import { readInFirm } from '../database/transaction.ts'
import { probeFolder } from '../documents/probe-folder.ts'
import { uploadSuffix } from '../documents/receive-upload.ts'
import type { Parts } from '../operations/parts.ts'
import { checkFree, type WatchedFolder } from './free-space.ts'

const readinessTimeoutMs = 2_000
const ping = unprepared<{ writable: boolean }>(selectWritable)

/** Whether the database accepts writes; fails if it does not answer. */
export async function isWritable(app: Pool): Promise<boolean> {
  const [answer] = await readInFirm(app, null, ping)
  return answer?.writable === true
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

export async function probeUploads({ uploadFolder }: Disks): Promise<void> {
  await mkdir(uploadFolder, { recursive: true, mode: 0o700 })
  await probeFolder(uploadFolder, uploadSuffix)
}

export async function findWhyNotReady(app: Pool, parts: Parts, disks: Disks): Promise<string | undefined> {
  const { folders, freeMinMb } = disks
  const checks: [string, () => Promise<unknown>][] = [
    ['the database does not answer, or takes no writes', () => pingDatabase(app)],
    ['there is no key to sign tokens with', () => parts.identity.checkSigning()],
    // Before the folders that a full disk makes refuse files, so that the reason names the disk.
    ...folders.map((folder): [string, () => Promise<void>] => [
      `less than ${freeMinMb} MB are free on the disk of the ${folder.name} folder`,
      () => checkFree(folder, freeMinMb),
    ]),
    ['the document store does not answer, or takes no documents', () => parts.blobs.check()],
    ['the folder of uploads takes no files', () => probeUploads(disks)],
    ['the virus scanner does not answer', async () => parts.virusScanner?.check()],
  ]
  for (const [why, check] of checks) {
    const answered = await succeedsInTime(check)
    if (!answered) return why
  }
  return undefined
}

/** False if the check fails, or has not ended after two seconds. */
export function succeedsInTime(check: () => Promise<unknown>): Promise<boolean> {
  return Promise.race([
    check().then(
      () => true,
      () => false,
    ),
    new Promise<false>((resolve) => setTimeout(resolve, readinessTimeoutMs, false).unref()),
  ])
}

/** Runs the same check and logs its result when it changes. */
export function tellingChanges(
  ask: () => Promise<string | undefined>,
  log: Logger,
): () => Promise<string | undefined> {
  let last: string | undefined
  return async () => {
    const why = await ask()
    if (why !== last) {
      if (why === undefined) log.info('ready again')
      else log.warn({ reason: why }, 'not ready')
    }
    last = why
    return why
  }
}
