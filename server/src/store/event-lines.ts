/**
 * Lines of the event log. After a restore of the database to an earlier moment, new events get positions of the
 * lost time. Therefore each restore begins a line, and a cursor names its line (decision 201). A restored database
 * contains only the lines that lead to its own state.
 */
import { randomInt } from 'node:crypto'
import { StatementFailed } from '../database/faults.ts'
import type { Pool } from '../database/pool.ts'
import { statement } from '../database/statement.ts'
import { inTransaction, readInFirm, type Tx } from '../database/transaction.ts'

/** The line whose cursors name no line. */
export const firstLine = 0
/** The mark of no line: a position of it is lost. */
export const unknownLine = 2 ** 31 - 1

/** The mark of the current line, as a part of a statement that reads positions. */
export const currentLine = '(select mark from clearing.event_line order by number desc limit 1)'

/**
 * The first transaction of which a line has other events than the current line, as a part of a statement: null if there
 * is none, and 0 for an unknown line.
 */
export function partingOf(mark: string): string {
  return `(select case when own.number is null then '0'::xid8 else (select next.parted_at from clearing.event_line as next
      where next.number > own.number order by next.number limit 1) end
    from (select) as one left join clearing.event_line as own on own.mark = ${mark})`
}

const selectCluster = statement<{ cluster: string }>(
  'select-cluster-and-time-line',
  `select (select system_identifier::text from pg_control_system()) || '/'
     || left(pg_walfile_name(pg_current_wal_lsn()), 8) as cluster`,
)
/** The functions are not granted, do not exist, or are not supported by the server. */
const refusals = ['42501', '42883', '0A000']
const unknownCluster = 'unknown'

/** Names the cluster and its time line, unless a managed database refuses to. */
async function readCluster(operations: Pool): Promise<string> {
  try {
    const [found] = await readInFirm(operations, null, selectCluster)
    return found?.cluster ?? unknownCluster
  } catch (fault) {
    if (fault instanceof StatementFailed && refusals.includes(fault.code)) return unknownCluster
    throw fault
  }
}

interface Newest {
  readonly number: number
  readonly cluster: string | null
}
const selectNewest = statement<Newest>(
  'select-newest-event-line',
  'select number, cluster from clearing.event_line order by number desc limit 1',
)
const lockLines = statement('lock-event-lines', 'select pg_advisory_xact_lock(310, 1)')
const nameCluster = statement(
  'name-cluster-of-event-line',
  'update clearing.event_line set cluster = $2 where number = $1',
)
const insertLine = statement(
  'insert-event-line',
  `insert into clearing.event_line (mark, parted_at, cluster)
   values ($1, coalesce($2::xid8, pg_current_xact_id()), $3)`,
)

export interface NewLine {
  readonly cluster: string | null
  /** The first transaction that is not shared with the line before; null: that which begins the line. */
  readonly partedAt: string | null
}

/** True if the next start begins a line, as after a restore. */
export async function isLineDue(operations: Pool): Promise<boolean> {
  const [newest] = await readInFirm(operations, null, selectNewest)
  return typeof newest?.cluster === 'string' && newest.cluster !== (await readCluster(operations))
}

/** The cluster in which the current line began. */
export async function readClusterOfLine(tx: Tx): Promise<string | null> {
  return (await tx.row(selectNewest))?.cluster ?? null
}

/**
 * True until the first start in another cluster, as after `pg_dump`, has begun its line. Another time line of the same
 * cluster is not another cluster.
 */
export async function isInOtherCluster(operations: Pool): Promise<boolean> {
  const [newest] = await readInFirm(operations, null, selectNewest)
  const [before, now] = [newest?.cluster ?? '', await readCluster(operations)]
  const bothKnown = before.includes('/') && now.includes('/')
  return bothKnown && before.split('/')[0] !== now.split('/')[0]
}

/** Begins a line in a transaction of which each event belongs to it. */
export async function beginLine(tx: Tx, { cluster, partedAt }: NewLine): Promise<void> {
  await tx.run(insertLine, [randomInt(1, unknownLine), partedAt, cluster])
}

/**
 * Begins a line if the database continues on another time line of PostgreSQL, as after a restore to an earlier
 * moment, or in another cluster. Call it before the process writes events. Cursors that were written before the new
 * line began remain valid, so a promoted standby may begin one too. `notify` belongs to the transaction that begins the
 * line. Returns true if a line began.
 */
export async function followCluster(
  operations: Pool,
  notify: (tx: Tx) => Promise<void> = async () => {},
): Promise<boolean> {
  const cluster = await readCluster(operations)
  const [newest] = await readInFirm(operations, null, selectNewest)
  if (newest === undefined || newest.cluster === cluster) return false
  return inTransaction(operations, { firm: null }, async (tx) => {
    await tx.run(lockLines)
    const last = await tx.row(selectNewest)
    if (last === undefined || last.cluster === cluster) return false
    if (last.cluster !== null) {
      await beginLine(tx, { cluster, partedAt: null })
      await notify(tx)
      return true
    }
    await tx.run(nameCluster, [last.number, cluster])
    return false
  })
}
