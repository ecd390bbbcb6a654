/**
 * Statistics for the tables of a new database. A session keeps the plans of its prepared statements and of its checks
 * of foreign keys. Without statistics, PostgreSQL may look for an account in any index that begins with the firm, and
 * then reads every account of the firm. Autovacuum analyzes a new table a minute later at the earliest.
 */
import type { Logger } from 'pino'
import type { Pool } from './pool.ts'
import { statement, unprepared } from './statement.ts'
import { inTransaction, readInFirm } from './transaction.ts'

/** Every account that opens is a job. The first statistics suffice for one firm, the second also for many. */
const afterJobs: readonly number[] = [50, 1_000]
/** PostgreSQL counts the changes of a table up to a second after their commit. */
const countedAfterMs = 2_000

const selectNewTables = statement<{ name: string }>(
  'select-new-tables',
  `select pg_catalog.format('%I.%I', changes.schemaname, changes.relname) as name
   from pg_catalog.pg_stat_user_tables as changes join pg_catalog.pg_class as known on known.oid = changes.relid
   where schemaname = 'clearing' and last_autoanalyze is null and n_mod_since_analyze >= 50 and reltuples < 10000
   order by changes.relname`,
)

/**
 * Analyzes the tables that have new rows and that autovacuum has not analyzed yet, and returns their names. A large
 * table is left out, because a server that crashed does not know when its tables were analyzed.
 */
export async function analyzeNewTables(owner: Pool): Promise<string[]> {
  const tables = await readInFirm(owner, null, selectNewTables)
  for (const { name } of tables)
    await inTransaction(owner, { firm: null }, (tx) =>
      tx.run(unprepared(`analyze (skip_locked) ${name}`), []),
    )
  return tables.map(({ name }) => name)
}

/** Counts the jobs of a process, and analyzes new tables after the first of them. */
export class FirstStatistics {
  readonly #owner: Pool
  readonly #log: Logger
  readonly #afterMs: number
  #jobs = 0
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(owner: Pool, log: Logger, afterMs = countedAfterMs) {
    this.#owner = owner
    this.#log = log
    this.#afterMs = afterMs
  }

  countJob(): void {
    this.#jobs += 1
    if (!afterJobs.includes(this.#jobs)) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#running = this.#analyze()
    }, this.#afterMs).unref()
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#running
  }

  async #analyze(): Promise<void> {
    try {
      const tables = await analyzeNewTables(this.#owner)
      if (tables.length > 0) this.#log.info({ tables: tables.length }, 'new tables were analyzed')
    } catch (fault) {
      // Autovacuum follows, and until then calls take longer.
      this.#log.warn({ err: fault }, 'new tables were not analyzed')
    }
  }
}
