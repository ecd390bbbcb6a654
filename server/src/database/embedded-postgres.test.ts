import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { checkDurability, UnsuitableDatabase } from './durability.ts'
import { findBinaries, unprivilegedUser } from './embedded-binaries.ts'
import {
  DataFolderInUse,
  type EmbeddedPostgres,
  embeddedLimits,
  startEmbeddedPostgres,
} from './embedded-postgres.ts'
import { findServer } from './embedded-process.ts'
import { migrate } from './migrate.ts'
import { openPool } from './pool.ts'
import { statement } from './statement.ts'
import { makeTestFolder } from './test-folder.ts'
import { inTransaction, readInFirm } from './transaction.ts'

/** One data folder that is started and killed many times. */
let dataDir: string
before(async () => {
  dataDir = await makeTestFolder('clearing-embedded-')
})
after(async () => {
  await rm(dataDir, { recursive: true, force: true })
})

const selectNotes = statement<{ text: string }>(
  'select-kept-notes',
  'select text from clearing.kept order by text',
)
const insertNote = statement('insert-kept-note', 'insert into clearing.kept values ($1)')

async function notes(server: EmbeddedPostgres, write?: string): Promise<string[]> {
  const owner = openPool({ name: 'owner', url: server.urls.owner })
  try {
    if (write !== undefined) await inTransaction(owner, { firm: null }, (tx) => tx.run(insertNote, [write]))
    return (await readInFirm(owner, null, selectNotes)).map(({ text }) => text)
  } finally {
    await owner.end()
  }
}

interface Service {
  pid: number
  adopted: boolean
  urls: EmbeddedPostgres['urls']
  process: ChildProcess
}

/** Another process that starts the server and locks the folder. */
async function startService(folder: string, ...settings: string[]): Promise<Service> {
  const program = fileURLToPath(new URL('./testing/embedded-service.ts', import.meta.url))
  const child = spawn(process.execPath, [program, folder, ...settings], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { ...(JSON.parse(line.toString()) as Omit<Service, 'process'>), process: child }
}

async function kill(service: Service): Promise<void> {
  service.process.kill('SIGKILL')
  await once(service.process, 'exit')
}

test('a new folder gets a database with the three roles, checksums and durable settings', async () => {
  await using server = await startEmbeddedPostgres({ dataDir })
  assert.equal(server.adopted, false)
  const owner = openPool({ name: 'owner', url: server.urls.owner })
  await migrate(owner)
  const client = await owner.acquire()
  await client.query('create table clearing.kept (text text primary key)')
  const { rows } = await client.query(
    "select current_setting('data_checksums') as checksums, current_setting('listen_addresses') as listens, datlocprovider as provider, datcollate as locale from pg_database where datname = current_database()",
  )
  assert.deepEqual(rows, [{ checksums: 'on', listens: '', provider: 'b', locale: 'C.UTF-8' }])
  client.release()
  await owner.end()
  for (const name of ['app', 'operations'] as const) {
    const pool = openPool({ name, url: server.urls[name] })
    await checkDurability(pool)
    await pool.end()
  }
  assert.deepEqual(await notes(server, 'first'), ['first'])
})

test('a stop leaves no process and no socket, and the next start finds the written rows', async () => {
  assert.equal(await findServer(join(dataDir, 'postgres')), undefined)
  const server = await startEmbeddedPostgres({ dataDir })
  const socketDir = new URL(server.urls.app).searchParams.get('host') ?? ''
  assert.ok((await lstat(socketDir)).isDirectory())
  assert.deepEqual(await notes(server), ['first'])
  await server.stop()
  assert.throws(() => process.kill(server.pid, 0), { code: 'ESRCH' })
  await assert.rejects(lstat(socketDir), { code: 'ENOENT' })
})

test('the socket folder and the data directory are closed to other users', async () => {
  await using server = await startEmbeddedPostgres({ dataDir })
  const socketDir = new URL(server.urls.app).searchParams.get('host') ?? ''
  for (const folder of [socketDir, join(dataDir, 'postgres')]) {
    assert.equal((await lstat(folder)).mode & 0o077, 0)
  }
})

test('a service takes over the running server of a killed service', async () => {
  const service = await startService(dataDir)
  await kill(service)
  await using server = await startEmbeddedPostgres({ dataDir })
  assert.deepEqual([server.adopted, server.pid], [true, service.pid])
  assert.deepEqual(await notes(server, 'second'), ['first', 'second'])
})

test('a service restarts the server of a killed service if its socket was deleted', async () => {
  const service = await startService(dataDir)
  await kill(service)
  await rm(new URL(service.urls.app).searchParams.get('host') ?? '', { recursive: true })
  await using server = await startEmbeddedPostgres({ dataDir })
  assert.equal(server.adopted, false)
  assert.deepEqual(await notes(server), ['first', 'second'])
})

test('a service waits for a slow server instead of stopping it', async () => {
  const service = await startService(dataDir)
  process.kill(service.pid, 'SIGSTOP')
  const second = startEmbeddedPostgres({ dataDir })
  setTimeout(() => process.kill(service.pid, 'SIGCONT'), embeddedLimits.connectTimeoutMs + 200)
  await assert.rejects(second, DataFolderInUse)
  await kill(service)
  await using server = await startEmbeddedPostgres({ dataDir })
  assert.deepEqual([server.adopted, server.pid], [true, service.pid])
})

test('a server with other settings is restarted, not taken over', async () => {
  const service = await startService(dataDir, 'work_mem=9MB')
  await kill(service)
  await using server = await startEmbeddedPostgres({ dataDir })
  assert.equal(server.adopted, false)
  assert.notEqual(server.pid, service.pid)
})

test('a second service on the folder is refused, and the first keeps running', async () => {
  const service = await startService(dataDir)
  await assert.rejects(startEmbeddedPostgres({ dataDir }), DataFolderInUse)
  const pool = openPool({ name: 'app', url: service.urls.app })
  assert.equal((await readInFirm(pool, null, statement('still-there', 'select 1 as one'))).length, 1)
  await pool.end()
  await kill(service)
  await using server = await startEmbeddedPostgres({ dataDir })
  assert.equal(server.adopted, true)
})

test('only one of several services that start at once on a new folder gets it', async () => {
  const folder = await makeTestFolder('clearing-embedded-')
  const starts = await Promise.allSettled([1, 2, 3].map(() => startEmbeddedPostgres({ dataDir: folder })))
  const started = starts.filter((start) => start.status === 'fulfilled')
  assert.equal(started.length, 1)
  for (const start of starts)
    if (start.status === 'rejected') assert.ok(start.reason instanceof DataFolderInUse)
  assert.deepEqual((await readdir(folder)).sort(), ['postgres', 'postgres.log'])
  await started[0]?.value.stop()
  await rm(folder, { recursive: true, force: true })
})

test('the server has its own process group, so Ctrl-C does not reach it', {
  skip: process.platform !== 'linux',
}, async () => {
  await using server = await startEmbeddedPostgres({ dataDir })
  const fields = (await readFile(`/proc/${server.pid}/stat`, 'utf8')).split(') ')[1]?.split(' ')
  assert.deepEqual(fields?.slice(2, 4), [String(server.pid), String(server.pid)])
})

test('the next start recovers every confirmed write after service and server were killed together', async () => {
  const service = await startService(dataDir)
  process.kill(service.pid, 'SIGKILL')
  await kill(service)
  await using server = await startEmbeddedPostgres({ dataDir })
  assert.deepEqual(await notes(server), ['first', 'second'])
})

test('the start waits for processes that outlive a killed server', {
  skip: process.platform !== 'linux',
}, async () => {
  const service = await startService(dataDir)
  const owner = openPool({ name: 'owner', url: service.urls.owner })
  const client = await owner.acquire()
  const answer = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const survivor = answer.rows[0]?.pid ?? 0
  process.kill(survivor, 'SIGSTOP')
  process.kill(service.pid, 'SIGKILL')
  await kill(service)
  setTimeout(() => process.kill(survivor, 'SIGCONT'), 300)
  await using server = await startEmbeddedPostgres({ dataDir })
  // If the parent has not reaped the process yet, it is a process without a working directory.
  await assert.rejects(readlink(`/proc/${survivor}/cwd`))
  assert.deepEqual(await notes(server), ['first', 'second'])
  client.release(true)
  await owner.end()
})

test('a server that dies while its service runs is started again at the same address', async () => {
  const events: string[] = []
  const { promise: back, resolve } = Promise.withResolvers<void>()
  await using server = await startEmbeddedPostgres({
    dataDir,
    onEvent: (event) => {
      events.push(event)
      if (event.endsWith('is back')) resolve()
    },
  })
  const { urls, pid } = server
  process.kill(pid, 'SIGKILL')
  await back
  assert.deepEqual(server.urls, urls)
  assert.notEqual(server.pid, pid)
  assert.deepEqual(await notes(server, 'third'), ['first', 'second', 'third'])
  assert.equal(events.length, 2)
})

test('a process id file that names another program is ignored', async () => {
  const file = join(dataDir, 'postgres', 'postmaster.pid')
  await writeFile(file, `${process.pid}\n${dataDir}/postgres\n1\n5432\n/nowhere\n\n1 1\nready\n`)
  await using server = await startEmbeddedPostgres({ dataDir })
  assert.notEqual(server.pid, process.pid)
  assert.deepEqual(await notes(server), ['first', 'second', 'third'])
})

test('a database that may lose confirmed commits is refused with one line', async () => {
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    await using server = await startEmbeddedPostgres({ dataDir, serverSettings: { [name]: 'off' } })
    const pool = openPool({ name: 'app', url: server.urls.app })
    await assert.rejects(checkDurability(pool), (error: unknown) => {
      assert.ok(error instanceof UnsuitableDatabase)
      assert.match(error.message, new RegExp(`^[^\\n]*${name} must not be off$`))
      return true
    })
    await pool.end()
  }
})

test('a database with another encoding than UTF8 is refused', async () => {
  await using server = await startEmbeddedPostgres({ dataDir })
  const superuser = new pg.Client({ connectionString: server.urls.superuser })
  await superuser.connect()
  await superuser.query(
    "create database bytes owner clearing_owner encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0",
  )
  await superuser.end()
  const url = new URL(server.urls.owner)
  url.pathname = '/bytes'
  const pool = openPool({ name: 'owner', url: url.href })
  await assert.rejects(checkDurability(pool), {
    message: 'the encoding of the database is SQL_ASCII, and must be UTF8',
  })
  await pool.end()
})

test('a role whose settings may lose confirmed commits is refused', async () => {
  await using server = await startEmbeddedPostgres({ dataDir })
  const owner = openPool({ name: 'owner', url: server.urls.owner })
  const client = await owner.acquire()
  await client.query('alter role clearing_app set synchronous_commit = off')
  const pool = openPool({ name: 'app', url: server.urls.app })
  await assert.rejects(checkDurability(pool), /synchronous_commit must not be off/)
  await pool.end()
  await client.query('alter role clearing_app reset all')
  client.release()
  await owner.end()
})

test('a server that cannot start reports the reason and the file with more details', async () => {
  const attempt = startEmbeddedPostgres({ dataDir, serverSettings: { shared_buffers: 'plenty' } })
  await assert.rejects(attempt, /ended with code 1: .*shared_buffers.* \(see .*postgres\.log\)/)
  assert.match(await readFile(join(dataDir, 'postgres.log'), 'utf8'), /shared_buffers/)
  assert.deepEqual(await readdir(dataDir), ['postgres', 'postgres.log'])
})

const asRoot = process.getuid?.() === 0 && process.platform === 'linux'

test('root gets a server in a folder that is closed to other users', { skip: !asRoot }, async () => {
  const closed = await mkdtemp(join(tmpdir(), 'clearing-closed-'))
  await chmod(closed, 0o700)
  try {
    await using server = await startEmbeddedPostgres({ dataDir: join(closed, 'data') })
    process.kill(server.pid, 0)
    const service = { pid: server.pid, found: await findServer(join(closed, 'data', 'postgres')) }
    assert.equal(service.found?.pid, service.pid)
  } finally {
    await rm(closed, { recursive: true, force: true })
  }
})

test('programs without their links in a folder that is closed to other users are copied to a folder in which they can run', {
  skip: !asRoot,
}, async () => {
  const closed = await mkdtemp(join(tmpdir(), 'clearing-closed-'))
  await chmod(closed, 0o700)
  const temporary = process.env.TMPDIR
  try {
    const runAs = await unprivilegedUser()
    const installed = join((await findBinaries(runAs)).native, '..')
    const folder = join(closed, 'package')
    const filter = async (source: string) => !(await lstat(source)).isSymbolicLink()
    await cp(installed, folder, { recursive: true, filter })
    const open = `${closed}-open`
    await mkdir(open)
    process.env.TMPDIR = open
    const copied = await findBinaries(runAs, folder)
    assert.ok(copied.native.startsWith(open))
    const version = spawn(join(copied.native, 'bin', 'initdb'), ['--version'], { ...runAs, stdio: 'ignore' })
    assert.deepEqual(await once(version, 'exit'), [0, null])
    assert.deepEqual(await findBinaries(runAs, folder), copied)
    await rm(open, { recursive: true })
  } finally {
    if (temporary === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = temporary
    await rm(closed, { recursive: true, force: true })
  }
})
