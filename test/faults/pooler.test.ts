/**
 * The service through pgbouncer: every pool in session mode, and the requests of firms in transaction mode, in which
 * one session of the server serves many callers. A killed and restarted pooler costs callers a pause. The tests are
 * skipped where pgbouncer is not installed.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@clearing/sdk'
import { applicationFor } from '../acceptance/applications.ts'
import { follow, openAndFollow } from '../acceptance/calling.ts'
import { type DatabaseServer, startDatabaseServer } from './database-server.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'

const missing = spawnSync('pgbouncer', ['--version']).status !== 0 && 'pgbouncer is not installed'
const startWithinMs = 30_000

/** Runs as the user of the database: pgbouncer refuses root. */
async function startPgbouncer(folder: string, socket: string): Promise<ChildProcess> {
  const server = `host=${dirname(socket)} port=5432 dbname=clearing user=clearing_owner`
  const config = `[databases]
clearing = ${server} pool_mode=session
firms = ${server} pool_mode=transaction pool_size=3
[pgbouncer]
unix_socket_dir = ${folder}
listen_port = 6432
auth_type = any
default_pool_size = 60
max_client_conn = 200
`
  await writeFile(join(folder, 'pgbouncer.ini'), config)
  const { uid, gid } = await stat(socket)
  await chown(folder, uid, gid)
  const child = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    uid,
    gid,
  })
  let said = ''
  child.stderr.on('data', (piece) => {
    said += piece
  })
  const deadline = Date.now() + startWithinMs
  while (!/process up/.test(said)) {
    assert.ok(child.exitCode === null && Date.now() < deadline, said)
    await pause(20)
  }
  return child
}

let folder: string
let database: DatabaseServer
let pooler: ChildProcess | undefined
let service: ServiceProcess

before(async () => {
  if (missing) return
  folder = await mkdtemp(join(tmpdir(), 'faults-pooler-'))
  database = await startDatabaseServer()
  pooler = await startPgbouncer(folder, database.socket)
  const through = (name: string) =>
    `postgresql://anybody@localhost/${name}?host=${encodeURIComponent(folder)}&port=6432`
  const key = join(folder, 'key')
  await writeFile(key, `${randomBytes(32).toString('base64')}\n`, { mode: 0o400 })
  service = await makeServiceProcess({
    environment: {
      DATABASE_URL: through('clearing'),
      DATABASE_FIRMS_URL: through('firms'),
      MASTER_KEY_FILE: key,
      DOCUMENTS_DIR: join(folder, 'documents'),
    },
  })
  await service.start()
})
after(async () => {
  if (missing) return
  await service?.dispose()
  await killPooler()
  await database?.dispose()
  await rm(folder, { recursive: true, force: true })
})

async function killPooler(): Promise<void> {
  if (pooler === undefined || pooler.exitCode !== null || pooler.signalCode !== null) return
  const ended = once(pooler, 'exit')
  pooler.kill('SIGKILL')
  await ended
}

function countAccounts(): Promise<number> {
  return database
    .query('select count(*)::int as accounts from clearing.account')
    .then(({ rows }) => rows[0].accounts)
}

test('the service works through pgbouncer, in session and in transaction mode', {
  skip: missing,
}, async () => {
  const { alpha, operations } = service
  const open = () => openAndFollow(alpha, applicationFor('Individual'))
  // More callers than the pooler has sessions for them.
  const accounts = await Promise.all(Array.from({ length: 8 }, open))
  await Promise.all(
    accounts.map(async (accountNumber, at) => {
      await alpha.updateAccount({ accountNumber, primaryOwner: { jobTitle: `Clerk ${at}` } })
      const { data } = await alpha.getAccount({ accountNumber })
      assert.ok('version' in data)
      assert.equal(data.primaryOwner.jobTitle, `CLERK ${at}`)
      await assert.rejects(operations.getAccount({ accountNumber: 'ZZZZZZZZ' }))
    }),
  )
  assert.ok((await alpha.listAccounts({})).data.accounts.length >= accounts.length)
  assert.equal((await operations.operations.verifyAudit({})).data.verified, true)
  const { rows } = await database.query(
    "select count(*) from pg_stat_activity where application_name = 'clearing app'",
  )
  assert.ok(Number(rows[0].count) <= 3, `${rows[0].count} sessions serve firms`)
  assert.doesNotMatch(service.output(), /"level":"(error|fatal)"/)
})

test('a pooler that is killed under load causes a pause, and each write takes effect once', {
  skip: missing,
}, async () => {
  const before = await countAccounts()
  const client = createClient({
    baseUrl: service.address,
    clientId: 'alpha',
    clientSecret: 'alpha-sandbox-secret',
    // Longer than the default: a slow machine starts the pooler late.
    retryForMs: 180_000,
  })
  const asked = new Map<string, string | undefined>()
  let over = false
  const ask = async (key: string) => {
    const { data } = await client.newAccount(applicationFor('Individual'), { idempotencyKey: key })
    assert.ok('message' in data)
    return data.message.accountNumber
  }
  const work = async () => {
    while (!over) {
      const key = `pooler ${asked.size}`
      asked.set(key, undefined)
      asked.set(key, await ask(key))
    }
  }
  const working = Promise.all([work(), work(), work()])
  working.catch(() => {})
  const more = async () => {
    const wanted = asked.size + 10
    while (asked.size < wanted) await Promise.race([working, pause(20)])
  }
  for (let restart = 0; restart < 3; restart++) {
    await more()
    await killPooler()
    pooler = await startPgbouncer(folder, database.socket)
  }
  await more()
  over = true
  await working
  assert.equal(await countAccounts(), before + asked.size)
  assert.equal(new Set(asked.values()).size, asked.size)
  for (const accountNumber of asked.values()) await follow(client, accountNumber as string)
  assert.equal((await service.operations.operations.verifyAudit({})).data.verified, true)
  assert.doesNotMatch(service.output(), /"level":"fatal"/)
  assert.equal(await service.end('SIGTERM'), 0)
})
