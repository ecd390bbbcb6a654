// The one way into the database: statements run in a transaction that belongs to one firm (or, for operations, to
// none), and what is returned was committed: the answer to COMMIT was COMMIT. Nothing else in the code base begins or ends one.
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable, statementFault } from './faults.ts'
import { giveBack, OpenTransaction, setFirmToRead } from './open-transaction.ts'
import type { Pool } from './pool.ts'
import { type Reply, RoundTripFailed, roundTrip, type Step } from './round-trip.ts'
import { renderValue, type Statement, type Value } from './statement.ts'

export interface Scope {
  /** The firm whose rows are visible (row-level security); null for none, or for the operations role that sees all. */
  firm: string | null
  /** The server refuses writes. Read-only and not isolated further, each statement costs one round trip and the transaction none. */
  readOnly?: boolean
  /** `read committed` when absent: each statement sees what is committed when it begins. For one view over several reads: `repeatable read`. */
  isolation?: 'read committed' | 'repeatable read' | 'serializable'
  /** The body has no effect outside `tx` and may be run again after a serialization failure, a deadlock or a lost connection. */
  repeatable?: boolean
}

/**
 * A running transaction. Statements asked for in the same turn of the event loop travel together:
 * `await Promise.all([tx.rows(…), tx.run(…)])` waits for the network once. They run in the order they were asked for.
 */
export interface Tx {
  readonly firm: string | null
  /** All rows. */
  rows<Row>(statement: Statement<Row>, values?: readonly Value[]): Promise<Row[]>
  /** The row, or undefined when there is none; more than one is a fault. */
  row<Row>(statement: Statement<Row>, values?: readonly Value[]): Promise<Row | undefined>
  /** The number of rows inserted, updated, deleted or selected. */
  run(statement: Statement<unknown>, values?: readonly Value[]): Promise<number>
  /** Sent with the next statement or with COMMIT, for writes whose answer nobody needs (audit, events, jobs). A refusal fails the transaction. */
  later(statement: Statement<unknown>, values?: readonly Value[]): void
  /** As `later`, but after every other statement of the transaction: for a lock that should be held shortly and always be taken last. */
  last(statement: Statement<unknown>, values?: readonly Value[]): void
  /** The rows in parts of at most `rowsMax`, so that memory does not grow with the result. */
  pages<Row>(statement: Statement<Row>, values: readonly Value[], rowsMax: number): AsyncGenerator<Row[]>
  /** Nothing of this transaction is kept; `inTransaction` still returns what the body returns. */
  abandon(): void
}

const transactionLimits = {
  attemptsMax: 5,
  /** When the server went away, the pool's other connections may be as dead and not known to be. */
  attemptsAfterLossMax: 3,
  backOffMs: 5,
} as const

/**
 * Runs the body in a transaction and commits. Throws what the body throws (everything undone), CommitFailed (everything undone),
 * OutcomeUnknown (connection lost at COMMIT), DatabaseUnavailable (everything undone), StatementFailed (a statement was refused).
 */
export async function inTransaction<T>(pool: Pool, scope: Scope, body: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await perform(new OpenTransaction(pool, scope), body)
    } catch (fault) {
      if (scope.repeatable !== true || !isWorthRepeating(fault, attempt)) throw fault
      await backOff(attempt)
    }
  }
}

async function perform<T>(transaction: OpenTransaction, body: (tx: Tx) => Promise<T>): Promise<T> {
  let result: T
  try {
    result = await body(transaction)
  } catch (error) {
    await transaction.rollBack()
    throw error
  }
  await transaction.finish()
  return result
}

/** One statement that reads, in the firm's sight, in one round trip and its own read-only transaction. Repeated when the connection breaks. */
export async function readInFirm<Row>(
  pool: Pool,
  firm: string | null,
  statement: Statement<Row>,
  values: readonly Value[] = [],
): Promise<Row[]> {
  const steps: Step[] = [
    { kind: 'run', statement: setFirmToRead, values: [firm ?? ''] },
    { kind: 'run', statement, values: values.map(renderValue) },
  ]
  for (let attempt = 1; ; attempt++) {
    const client = await pool.acquire()
    try {
      const replies = await roundTrip(pool, client, steps)
      client.release()
      return (replies[1] as Reply).rows as Row[]
    } catch (error) {
      await giveBack(client, pool)
      const fault = statementFault(
        error instanceof RoundTripFailed ? error.cause : error,
        statement.name,
        true,
      )
      if (!isWorthRepeating(fault, attempt)) throw fault
      await backOff(attempt)
    }
  }
}

/** A silent server is not asked again: its caller has waited long enough. */
function isWorthRepeating(fault: unknown, attempt: number): boolean {
  if (!(fault instanceof DatabaseUnavailable)) return false
  if (fault.reason === 'contended') return attempt < transactionLimits.attemptsMax
  const lost = fault.reason === 'lost' || fault.reason === 'read-only'
  return lost && attempt < transactionLimits.attemptsAfterLossMax
}

/** Longer each time, by chance, so that those who collided do not collide again. */
function backOff(attempt: number): Promise<void> {
  return pause(transactionLimits.backOffMs * 2 ** attempt * (0.5 + Math.random()))
}
