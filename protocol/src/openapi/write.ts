/**
 * Writes the committed snapshot `protocol/openapi.json`: `node protocol/src/openapi/write.ts`. With `--release` also
 * `protocol/released.snapshot.json`, when a version is released: from then on clients may rely on it.
 */
import { writeFile } from 'node:fs/promises'
import { releasedFile, renderReleased, renderSnapshot, snapshotFile } from './snapshot.ts'

await writeFile(snapshotFile, renderSnapshot())
if (process.argv.includes('--release')) await writeFile(releasedFile, renderReleased())
