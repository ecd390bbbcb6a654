/**
 * Writes the committed snapshot `protocol/openapi.json`: `node protocol/src/openapi/write.ts`. With `--release`, also writes
 * `protocol/released.snapshot.json`, for the release of a version: from then on clients rely on it.
 */
import { writeFile } from 'node:fs/promises'
import { releasedFile, renderReleased, renderSnapshot, snapshotFile } from './snapshot.ts'

await writeFile(snapshotFile, renderSnapshot())
if (process.argv.includes('--release')) await writeFile(releasedFile, renderReleased())
