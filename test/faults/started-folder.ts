/**
 * The data folder of a sandbox that a test run started once and stopped. A service that works on a copy of it avoids
 * its first start, which takes longer than most of the tests.
 */
import { existsSync } from 'node:fs'
import { cp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTestFolder, testFoldersVariable } from '../../server/src/database/test-folder.ts'
import { doOnce } from '../done-once.ts'

/** `make` starts and stops a sandbox without accounts, and copies its data folder. */
export async function copyStartedFolder(make: (into: string) => Promise<void>): Promise<string> {
  const dataDir = await makeTestFolder('faults-')
  const run = process.env[testFoldersVariable]
  // A file that runs alone shares no folder.
  if (run === undefined) return dataDir
  const started = join(run, 'started')
  const makeStarted = async () => {
    const unfinished = await makeTestFolder('unfinished-')
    await make(unfinished)
    await rm(join(unfinished, 'service.pid'), { force: true })
    await rename(unfinished, started)
  }
  await doOnce(`${started}.lock`, () => existsSync(started), makeStarted)
  await cp(started, dataDir, { recursive: true })
  return dataDir
}
