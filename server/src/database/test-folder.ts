// Folders for the data of tests: in memory during a test run on a machine that has plenty of it, on the disk otherwise.
// A database is a thousand files, which some file systems are slow to create and to remove.
import { mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Names the environment variable with the folder for the data of a test run. */
export const testFoldersVariable = 'CLEARING_TEST_FOLDERS'

const memory = '/dev/shm'
/** The type of a file system in memory, as `statfs` of Linux gives it. */
const tmpfs = 0x01_02_19_94
/** Several times the need of a test run. */
const freeBytesMin = 8 * 2 ** 30

/** Makes an empty folder, which the caller removes. */
export function makeTestFolder(prefix: string): Promise<string> {
  return mkdtemp(join(process.env[testFoldersVariable] ?? tmpdir(), prefix))
}

/** Where a test run keeps its data. */
export async function findTestFolders(): Promise<string> {
  const disk = await statfs(memory).catch(() => undefined)
  const isLarge = disk?.type === tmpfs && disk.bavail * disk.bsize >= freeBytesMin
  return isLarge && process.availableMemory() >= freeBytesMin ? memory : tmpdir()
}
