/**
 * The digests of the committed migrations, one line each in `server/migrations/digests.txt`. A database
 * applies a migration only once. Therefore the line of a migration is never changed.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Migration } from './migrate.ts'

const path = fileURLToPath(new URL('../../migrations/digests.txt', import.meta.url))

function lineOf({ name, sha256 }: Migration): string {
  return `${sha256}  ${name}`
}

/**
 * The differences of the migrations from their recorded digests, and the lines for migrations without one.
 */
export function compareDigests(migrations: readonly Migration[], recorded: string) {
  const lines = recorded.split('\n').filter((line) => line !== '')
  const digests = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]))
  const names = new Set(migrations.map(({ name }) => name))
  return {
    changed: migrations
      .filter(({ name, sha256 }) => digests.has(name) && digests.get(name) !== sha256)
      .map(({ name }) => name),
    removed: [...digests.keys()].filter((name) => !names.has(name)),
    missing: migrations.filter(({ name }) => !digests.has(name)).map(lineOf),
  }
}

/**
 * Records the digests of new migrations; `check` reports them instead. Returns the faults that a person must correct.
 */
export async function recordDigests(
  migrations: readonly Migration[],
  settings: { readonly check: boolean },
): Promise<string[]> {
  const recorded = await readFile(path, 'utf8').catch(() => '')
  const { changed, removed, missing } = compareDigests(migrations, recorded)
  if (missing.length > 0 && !settings.check)
    await writeFile(path, `${[recorded.trim(), ...missing].join('\n').trim()}\n`)
  const mismatch = [...changed, ...removed]
  return [
    ...(mismatch.length === 0
      ? []
      : [
          `changed after they were recorded in server/migrations/digests.txt: ${mismatch.join(', ')}. Restore them and write a new migration; of a migration that no other branch has, remove the line and run npx node server/src/database/write-schema.ts`,
        ]),
    ...(missing.length === 0 || !settings.check
      ? []
      : [
          'server/migrations/digests.txt lacks a migration: run npx node server/src/database/write-schema.ts',
        ]),
  ]
}
