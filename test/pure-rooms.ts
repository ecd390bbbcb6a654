/**
 * The tests of the rooms without input and output, in one process: loading the modules once costs less than starting
 * sixty processes.
 */
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fc from 'fast-check'

/** The environment variable that holds their files, one a line. */
export const pureFilesVariable = 'CLEARING_PURE_TEST_FILES'

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  fc.configureGlobal({ seed: Number(process.env.SEED) })
  for (const file of (process.env[pureFilesVariable] ?? '').split('\n').filter(Boolean)) {
    await import(pathToFileURL(resolve(import.meta.dirname, '..', file)).href)
  }
}
