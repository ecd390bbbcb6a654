/** Whether a folder takes files: one is written and removed, since rights alone do not tell of a full or broken disk. */
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Throws what the file system says. `suffix`: by which the folder's housekeeping knows what a crash has left. */
export const probeFolder = async (folder: string, suffix = ''): Promise<void> => {
  const path = join(folder, `${randomUUID()}${suffix}`)
  try {
    await writeFile(path, 'probe', { flag: 'wx', mode: 0o600 })
  } finally {
    await rm(path, { force: true }).catch(() => {})
  }
}
