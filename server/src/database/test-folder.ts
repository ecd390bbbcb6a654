// Folders for the data of tests. They are in memory during a test run on a machine with enough of it, and on
// the disk otherwise. A database has a thousand files, which some file systems create and remove slowly.
import { mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The environment variable with the folder for the data of a test run. */
export const testFoldersVariable = 'CLEARING_TEST_FOLDERS'

const memory = '/dev/shm'
/** The type of a file system in memory, as `statfs` of Linux gives it. */
const tmpfs = 0x01_02_19_94
/** Several times the memory that a test run needs. */
const freeBytesMin = 8 * 2 ** 30

/** Makes an empty folder, which the caller removes. */
export function makeTestFolder(prefix: string): Promise<string> {
  return mkdtemp(join(process.env[testFoldersVariable] ?? tmpdir(), prefix))
}

/** The folder of a test run's data. */
export async function findTestFolders(): Promise<string> {
  const disk = await statfs(memory).catch(() => undefined)
  const isLarge = disk?.type === tmpfs && disk.bavail * disk.bsize >= freeBytesMin
  return isLarge && process.availableMemory() >= freeBytesMin ? memory : tmpdir()
}
