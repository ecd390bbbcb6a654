import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstat, mkdir } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { statement, unprepared } from './statement.ts'
import {
  type Contents,
  createTestDatabase,
  startTestServer,
  testServer,
  testServerVariable,
} from './test-database.ts'
import {
  createBareDatabase,
  createParcelDatabase,
  firmA,
  insertParcel,
  selectParcels,
} from './testing/parcels.ts'
import { inTransaction, readInFirm } from './transaction.ts'

const selectDatabases = unprepared<{ name: string }>('select datname as name from pg_database')
const selectTables = statement<{ found: string | null }>(
  'select-tables',
  "select to_regclass('clearing.parcel')::text as found",
)

test('each database is separate and is dropped after its use', async () => {
  await using watcher = await createBareDatabase()
  const names = async () => (await readInFirm(watcher.owner, null, selectDatabases)).map(({ name }) => name)
  const made: string[] = []
  {
    await using one = await createParcelDatabase()
    await using other = await createBareDatabase()
    await inTransaction(one.app, { firm: firmA }, (tx) => tx.run(insertParcel, ['here', 1]))
    assert.equal((await readInFirm(one.app, firmA, selectParcels)).length, 1)
    assert.deepEqual(await readInFirm(other.app, firmA, selectTables), [{ found: null }])
    made.push(one.name, other.name)
    const found = await names()
    assert.ok(made.every((name) => found.includes(name)))
  }
  const left = await names()
  assert.ok(made.every((name) => !left.includes(name)))
})

test('concurrent requests for databases use one template', async () => {
  const databases = await Promise.all(Array.from({ length: 4 }, () => createBareDatabase()))
  assert.equal(new Set(databases.map(({ name }) => name)).size, 4)
  await Promise.all(databases.map((db) => db[Symbol.asyncDispose]()))
})

test('contents are made once, and every database that requests them has the rows and the folder', async () => {
  let times = 0
  const contents: Contents = {
    name: `contents_${process.pid}`,
    async fill({ owner, templateFolder }) {
      times += 1
      await inTransaction(owner, { firm: null }, (tx) =>
        tx.run(unprepared('create table public.crate (weight int)')),
      )
      await mkdir(templateFolder)
    },
  }
  const databases = await Promise.all([1, 2].map(() => createTestDatabase({ migrations: [], contents })))
  assert.equal(times, 1)
  for (const database of databases) {
    const found = unprepared<{ found: string | null }>("select to_regclass('public.crate')::text as found")
    assert.deepEqual(await readInFirm(database.owner, null, found), [{ found: 'public.crate' }])
    assert.ok((await lstat(database.templateFolder)).isDirectory())
    await database[Symbol.asyncDispose]()
  }
})

test('the child processes of a test run use its server, which leaves no files behind', async () => {
  const server = await startTestServer()
  const folder = new URL(server.url).searchParams.get('host') ?? ''
  const child = await startTestProcess({ ...process.env, [testServerVariable]: server.url })
  assert.equal(child.server, server.url)
  child.process.kill('SIGKILL')
  await once(child.process, 'exit')
  assert.ok((await lstat(folder)).isDirectory())
  await server.stop()
  await assert.rejects(lstat(folder), { code: 'ENOENT' })
})

test('the server of a killed test process ends by itself', async () => {
  const { [testServerVariable]: _, ...environment } = process.env
  const child = await startTestProcess(environment)
  assert.notEqual(child.server, process.env[testServerVariable] ?? (await testServer()))
  const folder = new URL(child.server).searchParams.get('host') ?? ''
  child.process.kill('SIGKILL')
  await once(child.process, 'exit')
  for (let tries = 0; tries < 400 && (await lstat(folder).catch(() => undefined)) !== undefined; tries++)
    await pause(25)
  await assert.rejects(lstat(folder), { code: 'ENOENT' })
})

async function startTestProcess(env: NodeJS.ProcessEnv) {
  const program = fileURLToPath(new URL('./testing/testing-process.ts', import.meta.url))
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { server: line.toString().trim(), process: child }
}
