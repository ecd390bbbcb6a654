/**
 * PostgreSQL servers beside the service, which no process restarts: a first server, and standbys that follow another
 * server by streaming replication and confirm each commit. They use the programs of the embedded server.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { createCluster, openCluster, spawnServer } from '../../server/src/database/embedded-cluster.ts'
import { stopServer } from '../../server/src/database/embedded-process.ts'
import { makeTestFolder } from '../../server/src/database/test-folder.ts'
import { takeBaseBackup } from './base-backup.ts'
import { childrenOf, keepTidy } from './service-process.ts'

export interface DatabaseServer {
  /** The path of its socket. */
  readonly socket: string
  query(sql: string, values?: unknown[]): Promise<pg.QueryResult>
  /** The address for the login that owns the database. */
  readonly url: string
  /** Allows or refuses writes of sessions. A demoted primary refuses them. */
  takeWrites(take: boolean): Promise<void>
  /** Promotes a standby to primary. */
  promote(): Promise<void>
  /** Makes a standby of this server. From then on, each commit waits for its confirmation. */
  followed(): Promise<DatabaseServer>
  /** Makes a standby for which no commit waits. */
  copied(): Promise<DatabaseServer>
  /** A copy of the server's files, taken while it runs; the caller removes it. */
  backup(): Promise<string>
  /**
   * A server in the state of this server at a point that `pg_create_restore_point` named, from a backup made before
   * that point.
   */
  restored(backup: string, point: string): Promise<DatabaseServer>
  /** Stops the server and its sessions, like a machine that hangs. They can only be killed afterwards. */
  freeze(): Promise<void>
  /** kill -9 of the server and of all its sessions. */
  kill(): Promise<void>
  dispose(): Promise<void>
}

const startWithinMs = 60_000
const port = 5432
const settings = {
  listen_addresses: '',
  max_connections: '100',
  shared_buffers: '64MB',
  wal_keep_size: '256MB',
  timezone: 'UTC',
}

/** A server with an empty database `clearing` and the login that owns it. */
export async function startDatabaseServer(): Promise<DatabaseServer> {
  const server = await start(await makeTestFolder('faults-server-'), {})
  const session = await open(server.socket, 'postgres')
  await session.query('create role clearing_owner login createrole')
  await session.query('create database clearing owner clearing_owner')
  await session.end()
  return server
}

async function start(dataDir: string, more: Readonly<Record<string, string>>): Promise<DatabaseServer> {
  const keeper = keepTidy(dataDir, join(dataDir, 'no.pid'))
  const cluster = await openCluster(dataDir)
  if (!cluster.exists) await createCluster(cluster)
  const spawned = await spawnServer(cluster, { ...settings, ...more }, undefined)
  const socket = join(spawned.socketDir, `.s.PGSQL.${port}`)
  const deadline = Date.now() + startWithinMs
  for (;;) {
    const session = await open(socket, 'postgres').catch(() => undefined)
    await session?.end()
    if (session !== undefined) break
    assert.equal(spawned.failure(), undefined)
    assert.ok(Date.now() < deadline, `the server in ${dataDir} does not start`)
    await pause(20)
  }
  const pid = Number((await readFile(join(cluster.pgData, 'postmaster.pid'), 'utf8')).split('\n')[0])

  const frozen: number[] = []
  const query = async (sql: string, values?: unknown[]) => {
    const session = await open(socket, 'clearing')
    try {
      return await session.query(sql, values)
    } finally {
      await session.end()
    }
  }

  const copyAs = async (name: string) => {
    const copy = await takeBaseBackup(dataDir)
    await writeFile(join(copy, 'postgres/standby.signal'), '')
    return start(copy, {
      primary_conninfo: `host=${spawned.socketDir} port=${port} user=postgres application_name=${name}`,
    })
  }

  return {
    socket,
    query,
    url: `postgresql://clearing_owner@localhost/clearing?host=${encodeURIComponent(spawned.socketDir)}&port=${port}`,
    async takeWrites(take) {
      const setting = take ? 'off' : 'on'
      await query(`alter system set default_transaction_read_only = ${setting}`)
      await query('select pg_reload_conf()')
      // The server reads its settings after it has responded, and notifies existing sessions before it accepts new
      // ones.
      const shown = async () => (await query('show default_transaction_read_only')).rows[0]
      while ((await shown()).default_transaction_read_only !== setting) await pause(5)
    },
    async promote() {
      const { rows } = await query('select pg_promote(wait => true) as done')
      assert.equal(rows[0].done, true)
    },
    copied: () => copyAs('copy'),
    backup: () => takeBaseBackup(dataDir),
    async restored(backup, point) {
      const copy = await makeTestFolder('faults-restored-')
      await cp(backup, copy, { recursive: true })
      await cp(join(cluster.pgData, 'pg_wal'), join(copy, 'postgres/pg_wal'), { recursive: true })
      await writeFile(join(copy, 'postgres/recovery.signal'), '')
      const server = await start(copy, {
        // The log is already there.
        restore_command: 'false',
        recovery_target_name: point,
        recovery_target_action: 'promote',
      })
      while ((await server.query('select pg_is_in_recovery() as recovering')).rows[0].recovering)
        await pause(20)
      return server
    },
    async followed() {
      const standby = await copyAs('standby')
      await query("alter system set synchronous_standby_names = 'standby'")
      await query('select pg_reload_conf()')
      while ((await query("select from pg_stat_replication where sync_state = 'sync'")).rowCount === 0)
        await pause(20)
      return standby
    },
    async freeze() {
      frozen.push(pid, ...(await childrenOf(pid)))
      for (const each of frozen) process.kill(each, 'SIGSTOP')
    },
    kill: () => stopServer(cluster.pgData, pid, 'immediate'),
    async dispose() {
      for (const each of frozen) process.kill(each, 'SIGKILL')
      await stopServer(cluster.pgData, pid, 'immediate')
      const ended = once(keeper, 'exit')
      keeper.ref()
      keeper.stdin?.end()
      await ended
      await rm(spawned.socketDir, { recursive: true, force: true })
    },
  }
}

async function open(socket: string, database: string): Promise<pg.Client> {
  const session = new pg.Client({ host: join(socket, '..'), port, user: 'postgres', database })
  session.on('error', () => {})
  await session.connect()
  return session
}
