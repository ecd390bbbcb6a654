// What can go wrong between us and the database, in four classes that a caller treats differently: try again later,
// ask whether it happened, it certainly did not happen, our statement is wrong. No message carries a caller's values.

/** The database cannot serve us now, and nothing was changed: answer 503 with Retry-After. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
  /**
   * `away`: no connection to be had · `lost`: the connection broke or grew stale in use · `read-only`: the server takes no
   * writes: it is a standby, or was the primary ·
   * `silent`: the server gave no answer in our time · `full`: disk, memory or connections used up · `busy`: a lock or a statement took too long ·
   * `contended`: concurrent transactions stood in each other's way, also after our retries.
   */
  readonly reason: 'away' | 'lost' | 'read-only' | 'silent' | 'full' | 'busy' | 'contended'
  /** The SQLSTATE or errno behind it, when there is one. */
  readonly code: string | undefined
  constructor(reason: DatabaseUnavailable['reason'], message: string, code?: string) {
    super(message)
    this.reason = reason
    this.code = code
  }
}

/** The connection was lost after COMMIT was sent and before its answer: the transaction is wholly there or wholly absent. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}

/** COMMIT did not commit: everything of the transaction is undone. */
export class CommitFailed extends Error {
  override readonly name = 'CommitFailed'
}

/** The server refused a statement. `code` is the SQLSTATE; names of objects are given, values never. */
export class StatementFailed extends Error {
  override readonly name = 'StatementFailed'
  readonly code: string
  readonly statement: string
  readonly constraint: string | undefined
  readonly table: string | undefined
  readonly column: string | undefined
  constructor(statement: string, refusal: Refusal) {
    super(`statement ${statement || '(unprepared)'}: ${wordsOf(refusal)}`)
    this.code = refusal.code
    this.statement = statement
    this.constraint = refusal.constraint
    this.table = refusal.table
    this.column = refusal.column
  }
}

/** An ErrorResponse of the server. */
export interface Refusal extends Error {
  readonly code: string
  readonly severity: string
  readonly constraint?: string
  readonly table?: string
  readonly column?: string
  readonly routine?: string
}

/** Messages of class 22 ("invalid input syntax for type date: …") quote what was sent; only the code is safe to log. */
function wordsOf(refusal: Refusal): string {
  const quotesValues = refusal.code.startsWith('22')
  return quotesValues ? `SQLSTATE ${refusal.code}` : `${refusal.message} (SQLSTATE ${refusal.code})`
}

/** The server was waited for as long as the pool allows. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** True when the server itself answered with an error; anything else is a broken or silent connection. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string'
}

/** True when the connection goes down with the error. */
export function endsConnection(refusal: Refusal): boolean {
  return refusal.severity === 'FATAL' || refusal.severity === 'PANIC'
}

/** True when a statement broke the named constraint: `breaks(fault, 'account_pkey')`. */
export function breaks(fault: unknown, constraint: string): boolean {
  return fault instanceof StatementFailed && fault.constraint === constraint
}

/** True when the server refused what a statement was given: an amount beyond its column, a broken constraint. Not when the statement itself is wrong. */
export function isOfData(fault: unknown): boolean {
  const found = fault instanceof CommitFailed ? fault.cause : fault
  return found instanceof StatementFailed && /^(22|23|54)/.test(found.code)
}

/** The fault of a failed attempt to get a connection. */
export function connectFault(error: unknown): DatabaseUnavailable {
  if (error instanceof DatabaseUnavailable) return error
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : String(error)
  // The pool's words when all its connections are held.
  const held = message.startsWith('timeout exceeded')
  const reason = code === '53300' ? 'full' : held ? 'busy' : 'away'
  return new DatabaseUnavailable(reason, `no database connection: ${message}`, code)
}

/** The fault of a failed statement, before COMMIT was sent. `readOnly`: the transaction was ours to read in only, so a refused write is a mistake in it. */
export function statementFault(error: unknown, statement: string, readOnly = false): Error {
  if (!isRefusal(error)) {
    const message = error instanceof Error ? error.message : String(error)
    const reason = error instanceof NoAnswer ? 'silent' : 'lost'
    return new DatabaseUnavailable(reason, `database connection lost: ${message}`, codeOf(error))
  }
  const reason = readOnly && refusesWrites(error) ? undefined : unavailability(error)
  if (reason !== undefined) return new DatabaseUnavailable(reason, wordsOf(error), error.code)
  return new StatementFailed(statement, error)
}

function unavailability(refusal: Refusal): DatabaseUnavailable['reason'] | undefined {
  const { code } = refusal
  if (refusesWrites(refusal)) return 'read-only'
  if (code === '40001' || code === '40P01') return 'contended'
  if (code === '55P03' || code === '57014') return 'busy'
  if (code.startsWith('53')) return 'full'
  if (code.startsWith('08') || code.startsWith('58') || code.startsWith('57P') || endsConnection(refusal))
    return 'lost'
  if (isStalePlan(refusal)) return 'lost'
  return undefined
}

/**
 * True when the server takes no writes at all: it is a standby, or a primary that was demoted. The lock that a standby does not
 * give has a code that means other things too (55000), and is known by where it is refused.
 */
function refusesWrites(error: unknown): boolean {
  if (!isRefusal(error)) return false
  return error.code === '25006' || (error.code === '55000' && error.routine === 'LockAcquireExtended')
}

/** A migration changed a table under a kept plan; the statement works again when it is parsed anew. */
export function isStalePlan(error: unknown): boolean {
  return isRefusal(error) && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
