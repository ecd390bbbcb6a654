/**
 * Writes the committed outputs of the contract, `protocol/openapi.json` and `protocol/src/calls/table.ts`:
 * `node protocol/src/openapi/write.ts`. With `--check`, it only reports whether they are current. With
 * `--release`, also writes `protocol/released.snapshot.json`, for the release of
 * a version: from then on clients rely on it.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { callTableFile, renderCallTable } from './call-table.ts'
import { releasedFile, renderReleased, renderSnapshot, snapshotFile } from './snapshot.ts'

const outputs = [
  [snapshotFile, renderSnapshot()],
  [callTableFile, renderCallTable()],
] as const

if (process.argv.includes('--check')) {
  for (const [file, text] of outputs) {
    if ((await readFile(file, 'utf8')) === text) continue
    console.error(`${fileURLToPath(file)} is not current: node protocol/src/openapi/write.ts`)
    process.exitCode = 1
  }
} else {
  for (const [file, text] of outputs) await writeFile(file, text)
}
if (process.argv.includes('--release')) await writeFile(releasedFile, renderReleased())
