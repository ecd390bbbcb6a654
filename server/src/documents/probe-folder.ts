/**
 * Checks that a folder accepts files by writing and removing one, because permissions do not show a full or broken
 * disk.
 */
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Throws the error of the file system. `suffix` lets the folder's housekeeping recognize a file that a crash left. */
export async function probeFolder(folder: string, suffix = ''): Promise<void> {
  const path = join(folder, `${randomUUID()}${suffix}`)
  try {
    await writeFile(path, 'probe', { flag: 'wx', mode: 0o600 })
  } finally {
    await rm(path, { force: true }).catch(() => {})
  }
}
