/**
 * Writes `server/schema.sql` from a freshly migrated database, and the digests of new migrations. With `--check`,
 * reports whether the committed files are current. Both ways fail when a recorded migration has changed.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { dumpSchema } from './dump-schema.ts'
import { readMigrations } from './migrate.ts'
import { recordDigests } from './migration-digests.ts'
import { createTestDatabase } from './test-database.ts'

const path = fileURLToPath(new URL('../../schema.sql', import.meta.url))
const check = process.argv.includes('--check')
const complaints = await recordDigests(await readMigrations(), { check })

await using database = await createTestDatabase()
const schema = await dumpSchema(database.owner)
if (!check) await writeFile(path, schema)
else if ((await readFile(path, 'utf8').catch(() => '')) !== schema) {
  complaints.push(
    'server/schema.sql differs from the result of the migrations: run npx node server/src/database/write-schema.ts',
  )
}
for (const complaint of complaints) console.error(complaint)
if (complaints.length > 0) process.exitCode = 1
