/**
 * A backup of a service's data folder while it works, by the low-level interface that PostgreSQL's manual describes, and
 * data folders made from it: with all of the write-ahead log, or as a loss of power would leave it at its very worst, when
 * no page written since the backup and no byte of the log behind the last sync has reached the disk.
 */
import assert from 'node:assert/strict'
import { copyFile, mkdir, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findServer } from '../../server/src/database/embedded-process.ts'

/** Of a server's folder, what belongs to its life and not to its data. */
const leftOut = /^postgres\/(postmaster\.(pid|opts)|(pg_wal|pg_replslot|pg_dynshmem|pg_stat_tmp)\/.+)$/
/** Relations that live as long as a session, and may be gone before they are copied. */
const temporary = /(^|\/)(pgsql_tmp.*|t\d+_\d+(_\w+)?(\.\d+)?)$/

/** The folder of a backup; whoever asked for it removes it. */
export const takeBaseBackup = async (dataDir: string): Promise<string> => {
  const into = await mkdtemp(join(tmpdir(), 'faults-backup-'))
  await withSession(dataDir, async (session) => {
    await session.query("select pg_backup_start('drill', fast => true)")
    await copyFolder(dataDir, into, '')
    const { rows } = await session.query('select labelfile from pg_backup_stop(wait_for_archive => false)')
    await writeFile(join(into, 'postgres/backup_label'), rows[0].labelfile)
  })
  return into
}

/** A new data folder: the backup, the write-ahead log as it is now, and the documents of now. */
export const restoreAll = async (base: string, dataDir: string): Promise<string> => {
  const into = await restoreBase(base, dataDir)
  const wal = await readdir(join(dataDir, 'postgres/pg_wal'))
  for (const name of wal.filter(isSegment)) await copyWal(dataDir, into, name)
  return into
}

/** A place in the write-ahead log: everything before it was on the disk when it was asked for. */
export interface Cut {
  readonly segment: string
  readonly offset: number
}

export const cutHere = (dataDir: string): Promise<Cut> => withSession(dataDir, readCut)

/** The cut behind statements of a session, with nothing between. */
export const cutAfter = (dataDir: string, sql: string): Promise<Cut & { behind: boolean }> =>
  withSession(dataDir, async (session) => {
    const answers = (await session.query(`${sql}; ${selectCut}`)) as unknown as pg.QueryResult[]
    const row = answers.at(-1)?.rows[0]
    return { ...cutOf(row), behind: row.behind as boolean }
  })

/** A new data folder as the machine would find it after the power was lost at the cut. */
export const restoreCut = async (base: string, dataDir: string, cut: Cut): Promise<string> => {
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

const readCut = async (session: pg.Client): Promise<Cut> => cutOf((await session.query(selectCut)).rows[0])

const cutOf = (row: { file_name: string; file_offset: number }): Cut => ({
  segment: row.file_name,
  offset: row.file_offset,
})

const isSegment = (name: string): boolean => /^[0-9A-F]{24}$/.test(name)

const copyWal = (dataDir: string, into: string, name: string): Promise<void> =>
  copyFile(join(dataDir, 'postgres/pg_wal', name), join(into, 'postgres/pg_wal', name))

const restoreBase = async (base: string, dataDir: string): Promise<string> => {
  const into = await mkdtemp(join(tmpdir(), 'faults-restored-'))
  await copyFolder(base, into, '')
  await rm(join(into, 'documents'), { recursive: true, force: true })
  await copyFolder(dataDir, into, 'documents')
  return into
}

const copyFolder = async (from: string, into: string, below: string): Promise<void> => {
  await mkdir(join(into, below), { recursive: true, mode: 0o700 })
  for (const entry of await readdir(join(from, below), { withFileTypes: true })) {
    const path = join(below, entry.name)
    if (leftOut.test(path) || temporary.test(path) || path === 'service.pid') continue
    if (entry.isDirectory()) await copyFolder(from, into, path)
    else if (entry.isFile()) await copyStanding(join(from, path), join(into, path))
  }
}

/** A file that was dropped since its folder was read is in the log as dropped. */
const copyStanding = async (from: string, into: string): Promise<void> => {
  try {
    await copyFile(from, into)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

const withSession = async <T>(dataDir: string, act: (session: pg.Client) => Promise<T>): Promise<T> => {
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
