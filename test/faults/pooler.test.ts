/**
 * The service through pgbouncer: every pool over session mode, and the requests of firms over transaction mode, where
 * one session of the server serves many callers. Skipped where pgbouncer is not installed.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { applicationFor } from '../acceptance/applications.ts'
import { openAndFollow } from '../acceptance/calling.ts'
import { startDatabaseServer } from './database-server.ts'
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

test('the service works through pgbouncer, in session and in transaction mode', {
  skip: missing,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'faults-pooler-'))
  const database = await startDatabaseServer()
  let pooler: ChildProcess | undefined
  let service: ServiceProcess | undefined
  try {
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
        await assert.rejects(
          service?.operations.getAccount({ accountNumber: 'ZZZZZZZZ' }) ?? Promise.resolve(),
        )
      }),
    )
    assert.ok((await alpha.listAccounts({})).data.accounts.length >= accounts.length)
    assert.equal((await operations.operations.verifyAudit({})).data.verified, true)
    const { rows } = await database.query(
      "select count(*) from pg_stat_activity where application_name = 'clearing app'",
    )
    assert.ok(Number(rows[0].count) <= 3, `${rows[0].count} sessions serve firms`)
    assert.doesNotMatch(service.output(), /"level":"(error|fatal)"/)
    assert.equal(await service.end('SIGTERM'), 0)
  } finally {
    await service?.dispose()
    if (pooler !== undefined && pooler.exitCode === null) {
      const ended = once(pooler, 'exit')
      pooler.kill('SIGKILL')
      await ended
    }
    await database.dispose()
    await rm(folder, { recursive: true, force: true })
  }
})
