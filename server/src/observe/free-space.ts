/** Measures the free space on the disks that the service writes to, for the readiness check and the metric. */
import { statfs } from 'node:fs/promises'
import { dataTurns, documentTurns } from '../documents/file-turns.ts'
import { within } from '../within.ts'

/** Less than a probe of readiness or a scrape waits. */
const measureWithinMs = 1_500

export interface WatchedFolder {
  readonly name: 'data' | 'documents'
  readonly path: string
}

const bytesOfMb = 1_000_000

/**
 * Returns the bytes that an unprivileged user may still write below a folder; undefined if the folder does not respond.
 */
export async function measureFree(folder: WatchedFolder): Promise<number | undefined> {
  return within(measure(folder), measureWithinMs).catch(() => undefined)
}

async function measure({ name, path }: WatchedFolder): Promise<number> {
  const turns = name === 'documents' ? documentTurns : dataTurns
  const { bavail, bsize } = await turns.run(() => statfs(path))
  return bavail * bsize
}

/**
 * Throws when a disk has less free space than the minimum. A folder that does not respond fails the checks that write
 * to it.
 */
export async function checkFree(folder: WatchedFolder, floorMb: number): Promise<void> {
  const free = await measureFree(folder)
  if (free !== undefined && free < floorMb * bytesOfMb)
    throw new Error(`${free} bytes are left on the disk of the ${folder.name} folder`)
}
