/**
 * Takes a backup of a service's data folder while the service runs, with the low-level interface in PostgreSQL's
 * manual, and makes data folders from it. A folder has the whole write-ahead log, or the worst state that a loss of
 * power can leave: no page written since the backup and no byte of the log after the last sync has reached the disk.
 */
import assert from 'node:assert/strict'
import { appendFile, copyFile, mkdir, open, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { findServer } from '../../server/src/database/embedded-process.ts'
import { makeTestFolder } from '../../server/src/database/test-folder.ts'

/** Files of a server's folder that belong to its process, not to its data. */
const leftOut = /^postgres\/(postmaster\.(pid|opts)|(pg_wal|pg_replslot|pg_dynshmem|pg_stat_tmp)\/.+)$/
/** Relations that live as long as a session, and may disappear before they are copied. */
const temporary = /(^|\/)(pgsql_tmp.*|t\d+_\d+(_\w+)?(\.\d+)?)$/

/** The folder of a backup; the caller removes it. */
export async function takeBaseBackup(dataDir: string): Promise<string> {
  const into = await makeTestFolder('faults-backup-')
  await withSession(dataDir, async (session) => {
    await session.query("select pg_backup_start('drill', fast => true)")
    await copyFolder(dataDir, into, '')
    const { rows } = await session.query('select labelfile from pg_backup_stop(wait_for_archive => false)')
    await writeFile(join(into, 'postgres/backup_label'), rows[0].labelfile)
  })
  return into
}

/** A new data folder: the backup, the present write-ahead log, and the present documents. */
export async function restoreAll(base: string, dataDir: string): Promise<string> {
  const into = await restoreBase(base, dataDir)
  const wal = await readdir(join(dataDir, 'postgres/pg_wal'))
  for (const name of wal.filter(isSegment)) await copyWal(dataDir, into, name)
  return into
}

/** A new data folder that recovers to a restore point, as an operator restores the database to an earlier moment. */
export async function restoreTo(base: string, dataDir: string, point: string): Promise<string> {
  const into = await restoreAll(base, dataDir)
  await appendFile(
    join(into, 'postgres/postgresql.auto.conf'),
    `restore_command = 'false'\nrecovery_target_name = '${point}'\nrecovery_target_action = 'promote'\nhot_standby = off\n`,
  )
  await writeFile(join(into, 'postgres/recovery.signal'), '')
  return into
}

/** A position in the write-ahead log. Everything before it was on the disk when it was read. */
export interface Cut {
  readonly segment: string
  readonly offset: number
}

export function cutHere(dataDir: string): Promise<Cut> {
  return withSession(dataDir, readCut)
}

/** Takes a cut directly after the statements of a session. */
export function cutAfter(dataDir: string, sql: string): Promise<Cut & { behind: boolean }> {
  return withSession(dataDir, async (session) => {
    const answers = (await session.query(`${sql}; ${selectCut}`)) as unknown as pg.QueryResult[]
    const row = answers.at(-1)?.rows[0]
    return { ...cutOf(row), behind: row.behind as boolean }
  })
}

/** A new data folder in the state after a loss of power at the cut. */
export async function restoreCut(base: string, dataDir: string, cut: Cut): Promise<string> {
  const into = await restoreBase(base, dataDir)
  const wal = await readdir(join(dataDir, 'postgres/pg_wal'))
  for (const name of wal.filter(isSegment)) if (name <= cut.segment) await copyWal(dataDir, into, name)
  const last = await open(join(into, 'postgres/pg_wal', cut.segment), 'r+')
  try {
    const { size } = await last.stat()
    await last.write(Buffer.alloc(size - cut.offset), 0, size - cut.offset, cut.offset)
  } finally {
    await last.close()
  }
  return into
}

const selectCut = `select lsn > flushed as behind, (pg_walfile_name_offset(flushed)).*
  from pg_current_wal_insert_lsn() as lsn, pg_current_wal_flush_lsn() as flushed`

async function readCut(session: pg.Client): Promise<Cut> {
  return cutOf((await session.query(selectCut)).rows[0])
}

function cutOf(row: { file_name: string; file_offset: number }): Cut {
  return {
    segment: row.file_name,
    offset: row.file_offset,
  }
}

function isSegment(name: string): boolean {
  return /^[0-9A-F]{24}$/.test(name)
}

function copyWal(dataDir: string, into: string, name: string): Promise<void> {
  return copyFile(join(dataDir, 'postgres/pg_wal', name), join(into, 'postgres/pg_wal', name))
}

async function restoreBase(base: string, dataDir: string): Promise<string> {
  const into = await makeTestFolder('faults-restored-')
  await copyFolder(base, into, '')
  await rm(join(into, 'documents'), { recursive: true, force: true })
  await copyFolder(dataDir, into, 'documents')
  return into
}

async function copyFolder(from: string, into: string, below: string): Promise<void> {
  await mkdir(join(into, below), { recursive: true, mode: 0o700 })
  for (const entry of await readdir(join(from, below), { withFileTypes: true })) {
    const path = join(below, entry.name)
    if (leftOut.test(path) || temporary.test(path) || path === 'service.pid') continue
    if (entry.isDirectory()) await copyFolder(from, into, path)
    else if (entry.isFile()) await copyStanding(join(from, path), join(into, path))
  }
}

/** The log records the removal of a file that disappears while its folder is copied. */
async function copyStanding(from: string, into: string): Promise<void> {
  try {
    await copyFile(from, into)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

async function withSession<T>(dataDir: string, act: (session: pg.Client) => Promise<T>): Promise<T> {
  const server = await findServer(join(dataDir, 'postgres'))
  assert.ok(server, 'the database does not run')
  const { socketDir: host, port } = server
  const session = new pg.Client({ host, port, user: 'postgres', database: 'clearing' })
  await session.connect()
  try {
    return await act(session)
  } finally {
    await session.end()
  }
}
