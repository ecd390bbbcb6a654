/** Measures the free space on the disks that the service writes to, for the readiness check and the metric. */
import { statfs } from 'node:fs/promises'

export interface WatchedFolder {
  readonly name: 'data' | 'documents'
  readonly path: string
}

const bytesOfMb = 1_000_000

/** Returns the bytes that an unprivileged user may still write below a folder. */
export async function measureFree({ path }: WatchedFolder): Promise<number> {
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
}

/** Throws when a disk has less free space than the minimum. */
export async function checkFree(folder: WatchedFolder, floorMb: number): Promise<void> {
  const free = await measureFree(folder)
  if (free < floorMb * bytesOfMb)
    throw new Error(`${free} bytes are left on the disk of the ${folder.name} folder`)
}
