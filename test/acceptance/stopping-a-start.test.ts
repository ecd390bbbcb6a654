/** A signal during the start ends every process, and the log states no other reason. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../server/src/database/test-database.ts'
import { makeTestFolder } from '../../server/src/database/test-folder.ts'
import { until } from '../../server/src/database/test-waiting.ts'
import { bundleProgram } from '../bundle-program.ts'

let folder: string
let key: string
let main: string
before(async () => {
  folder = await makeTestFolder('stopping-')
  key = join(folder, 'key')
  await writeFile(key, `${randomBytes(32).toString('base64')}\n`, { mode: 0o400 })
  main = await bundleProgram('server/src/main.ts')
})
after(() => rm(folder, { recursive: true, force: true }))

interface Starting {
  readonly child: ChildProcess
  readonly output: () => string
  readonly ended: Promise<unknown>
}

function launch(database: TestDatabase, environment: Record<string, string> = {}): Starting {
  const child = spawn(process.execPath, [main, '--empty'], {
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: join(folder, database.name),
      DATABASE_URL: database.urls.owner,
      MASTER_KEY_FILE: key,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (piece) => {
    output += piece
  })
  return { child, output: () => output, ended: once(child, 'exit') }
}

test('a start that is stopped reports the signal, and not an unavailable database', async () => {
  await using database = await createTestDatabase()
  const [session, observer] = [await database.superuser(), await database.superuser()]
  const { child, output, ended } = launch(database)
  try {
    // The start waits for this table.
    await session.query('begin; lock table clearing.firm in access exclusive mode')
    await until('the start waits', async () => {
      const { rows } = await observer.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows.length > 0
    })
    child.kill('SIGTERM')
    await until('the signal is reported', () => output().includes('"msg":"stopping"'))
    await session.query('rollback')
    assert.deepEqual(await ended, [0, null])
    assert.match(output(), /"reason":"SIGTERM","msg":"stopping"/)
    assert.doesNotMatch(output(), /"level":"(warn|error|fatal)"/)
  } finally {
    child.kill('SIGKILL')
  }
})

test('a signal reaches a process that is about to get its assignment', async () => {
  await using database = await createTestDatabase()
  const { child, output, ended } = launch(database, { PROCESSES: '2' })
  try {
    await until('the first process is ready', () => output().includes('"msg":"ready"'))
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
    for (const number of [1, 2])
      assert.match(output(), new RegExp(`"process":${number},"reason":"SIGTERM","msg":"stopping"`))
  } finally {
    child.kill('SIGKILL')
  }
})
