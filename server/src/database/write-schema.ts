/**
 * Writes `server/schema.sql` from a freshly migrated database. With `--check`, reports whether the committed file is
 * current.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { dumpSchema } from './dump-schema.ts'
import { createTestDatabase } from './test-database.ts'

const path = fileURLToPath(new URL('../../schema.sql', import.meta.url))
await using database = await createTestDatabase()
const schema = await dumpSchema(database.owner)
if (!process.argv.includes('--check')) await writeFile(path, schema)
else if ((await readFile(path, 'utf8').catch(() => '')) !== schema) {
  console.error(
    'server/schema.sql is not what the migrations make: run npx node server/src/database/write-schema.ts',
  )
  process.exitCode = 1
}
