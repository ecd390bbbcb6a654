// The only way into the database. Statements run in a transaction that belongs to one firm (or, for
// operations, to none). When `inTransaction` returns a result, the server has confirmed COMMIT, and no crash
// can lose the rows that were written or read. No other code begins or ends a transaction.
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable, statementFault } from './faults.ts'
import { flushSeen, isFlushed, needsStandbys, noteRead } from './flush.ts'
import { giveBack, OpenTransaction } from './open-transaction.ts'
import { openingToRead } from './opening.ts'
import type { Pool } from './pool.ts'
import { type Reply, RoundTripFailed, roundTrip, type Step } from './round-trip.ts'
import { renderValue, type Statement, type Value } from './statement.ts'

export interface Scope {
  /**
   * The firm whose rows are visible (row-level security); null for no firm, or for the operations role, which sees all
   * firms.
   */
  firm: string | null
  /**
   * The server refuses writes. With the default isolation, each statement costs one round trip and the transaction
   * costs none.
   */
  readOnly?: boolean
  /**
   * Defaults to `read committed`: each statement sees everything that is committed when it begins. `repeatable read`
   * gives several reads one snapshot.
   */
  isolation?: 'read committed' | 'repeatable read' | 'serializable'
  /**
   * The body has no effect outside `tx`, so it may be run again after a serialization failure, a deadlock or a lost
   * connection.
   */
  repeatable?: boolean
  /**
   * True when the caller commits another transaction after the last look-up, as for an access record. The
   * flush of that commit also covers the look-ups.
   */
  flushFollows?: boolean
  /** A crash may lose the transaction, so its caller does not wait for the disk. */
  mayBeLost?: boolean
}

/**
 * A running transaction. Statements that are issued in the same turn of the event loop are sent together: `await
 * Promise.all([tx.rows(…), tx.run(…)])` waits for the network once. They run in the order in which they were issued.
 */
export interface Tx {
  readonly firm: string | null
  /** Returns all rows. */
  rows<Row>(statement: Statement<Row>, values?: readonly Value[]): Promise<Row[]>
  /** Returns the row, or undefined when there is none; more than one row is a fault. */
  row<Row>(statement: Statement<Row>, values?: readonly Value[]): Promise<Row | undefined>
  /** Returns the number of rows that were inserted, updated, deleted or selected. */
  run(statement: Statement<unknown>, values?: readonly Value[]): Promise<number>
  /**
   * Sends the statement with the next statement or with COMMIT: for writes whose result is not needed (audit, events,
   * jobs). A refusal fails the transaction. `onRows` is called with its rows before `inTransaction` returns; when
   * `inTransaction` throws, they mean nothing.
   */
  later<Row>(statement: Statement<Row>, values?: readonly Value[], onRows?: (rows: Row[]) => void): void
  /**
   * Like `later`, but after every other statement of the transaction: for a lock that must be held briefly and always
   * be taken last.
   */
  last(statement: Statement<unknown>, values?: readonly Value[]): void
  /** `work` is called once COMMIT is confirmed: not after a rollback, and not when the outcome is unknown. */
  onCommit(work: () => void): void
  /** Returns the rows in parts of at most `rowsMax`, so that memory does not grow with the result. */
  pages<Row>(statement: Statement<Row>, values: readonly Value[], rowsMax: number): AsyncGenerator<Row[]>
  /**
   * For readers that send their response before the end of the body. Ends the transaction, and resolves when
   * no crash can undo the rows that were read.
   */
  endReading(): Promise<void>
  /** Rolls the transaction back at its end; `inTransaction` still returns the result of the body. */
  abandon(): void
}

const transactionLimits = {
  attemptsMax: 5,
  /** After the server was lost, other connections of the pool may be dead too without being marked as lost. */
  attemptsAfterLossMax: 3,
  backOffMs: 5,
} as const

/**
 * Runs the body in a transaction and commits. Throws the error of the body (rolled back), CommitFailed (rolled back),
 * OutcomeUnknown (connection lost at COMMIT), DatabaseUnavailable (rolled back), or StatementFailed (a statement was
 * refused).
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

/**
 * Runs one reading statement with the rights of the firm, in one round trip and its own read-only transaction. Repeats
 * it when the connection breaks.
 */
export async function readInFirm<Row>(
  pool: Pool,
  firm: string | null,
  statement: Statement<Row>,
  values: readonly Value[] = [],
): Promise<Row[]> {
  const run: Step = { kind: 'run', statement, values: values.map(renderValue) }
  const standbys = needsStandbys([run])
  const steps: Step[] = [openingToRead(pool, firm ?? ''), run, isFlushed(standbys)]
  for (let attempt = 1; ; attempt++) {
    try {
      const reply = await readOnce(pool, firm, { name: statement.name, steps, standbys })
      return reply.rows as Row[]
    } catch (fault) {
      if (!isWorthRepeating(fault, attempt)) throw fault
      await backOff(attempt)
    }
  }
}

interface ReadingSteps {
  readonly name: string
  readonly steps: readonly Step[]
  readonly standbys: boolean
}

async function readOnce(
  pool: Pool,
  firm: string | null,
  { name, steps, standbys }: ReadingSteps,
): Promise<Reply> {
  const client = await pool.acquire(firm)
  let replies: Reply[]
  try {
    replies = await roundTrip(pool, client, steps)
  } catch (error) {
    await giveBack(client, pool)
    throw statementFault(error instanceof RoundTripFailed ? error.cause : error, name, true)
  }
  if (noteRead(pool, replies[2])) client.release()
  else await flushSeen(pool, client, { standbys })
  return replies[1] as Reply
}

/** A silent server gets no second attempt, because the caller has waited long enough. */
function isWorthRepeating(fault: unknown, attempt: number): boolean {
  if (!(fault instanceof DatabaseUnavailable)) return false
  if (fault.reason === 'contended') return attempt < transactionLimits.attemptsMax
  const lost = fault.reason === 'lost' || fault.reason === 'read-only'
  return lost && attempt < transactionLimits.attemptsAfterLossMax
}

/** Waits longer each time, with a random part, so that transactions that collided do not collide again. */
function backOff(attempt: number): Promise<void> {
  return pause(transactionLimits.backOffMs * 2 ** attempt * (0.5 + Math.random()))
}
