// Faults between the service and the database, in four classes that a caller treats differently. In the
// first, the caller tries again later; in the second, it asks whether the write happened; in the third, the
// write did not happen; in the fourth, our statement is wrong. No message contains a caller's values.

/** The database cannot serve now, and nothing was changed: the response is 503 with Retry-After. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
  /**
   * `away`: no connection can be made. `lost`: the connection broke or became stale during use. `read-only`:
   * the server refuses writes because it is a standby or was demoted. `silent`: the server did not respond in
   * time. `full`: disk, memory or connections are used up. `busy`: a lock or a statement took too long.
   * `contended`: concurrent transactions blocked each other, also after retries.
   */
  readonly reason: 'away' | 'lost' | 'read-only' | 'silent' | 'full' | 'busy' | 'contended'
  /** The SQLSTATE or errno, when there is one. */
  readonly code: string | undefined
  constructor(reason: DatabaseUnavailable['reason'], message: string, code?: string) {
    super(message)
    this.reason = reason
    this.code = code
  }
}

/**
 * The connection was lost after COMMIT was sent and before its response: the transaction is committed as a whole or not
 * at all.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}

/** COMMIT failed: the whole transaction is rolled back. */
export class CommitFailed extends Error {
  override readonly name = 'CommitFailed'
}

/** The server refused a statement. `code` is the SQLSTATE. The message names objects, never values. */
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

/**
 * Messages of class 22 ("invalid input syntax for type date: …") quote the sent values, so only the code is safe to
 * log.
 */
function wordsOf(refusal: Refusal): string {
  const quotesValues = refusal.code.startsWith('22')
  return quotesValues ? `SQLSTATE ${refusal.code}` : `${refusal.message} (SQLSTATE ${refusal.code})`
}

/** The server did not respond within the time that the pool allows. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** Returns true when the server itself responded with an error. Any other error is a broken or silent connection. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string'
}

/** Returns true when the connection ends with the error. */
export function endsConnection(refusal: Refusal): boolean {
  return refusal.severity === 'FATAL' || refusal.severity === 'PANIC'
}

/** Returns true when a statement violated the named constraint: `breaks(fault, 'account_pkey')`. */
export function breaks(fault: unknown, constraint: string): boolean {
  return fault instanceof StatementFailed && fault.constraint === constraint
}

/**
 * Returns true when the server refused the values of a statement: an amount beyond its column, a violated constraint.
 * Returns false when the statement itself is wrong.
 */
export function isOfData(fault: unknown): boolean {
  const found = fault instanceof CommitFailed ? fault.cause : fault
  return found instanceof StatementFailed && /^(22|23|54)/.test(found.code)
}

/**
 * Returns the fault of a failed attempt to get a connection. Its message begins with `place`, such as `DATABASE_URL: `.
 */
export function connectFault(error: unknown, place: string): DatabaseUnavailable {
  if (error instanceof DatabaseUnavailable)
    return new DatabaseUnavailable(error.reason, place + error.message, error.code)
  const code = codeOf(error)
  const message = describeConnecting(error, code)
  // The message of the pool when all its connections are in use.
  const held = message.startsWith('timeout exceeded')
  const reason = code === '53300' ? 'full' : held ? 'busy' : 'away'
  return new DatabaseUnavailable(reason, `${place}no database connection: ${message}`, code)
}

/** Messages of the driver and of the name resolution that do not say what a person must correct. */
function describeConnecting(error: unknown, code: string | undefined): string {
  const said = error instanceof Error ? error.message : String(error)
  if (/client password must be a string/.test(said)) return 'the address has no password'
  const { hostname } = error as { readonly hostname?: string }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `the host name ${hostname ?? ''} does not resolve (${code})`
  return said
}

/**
 * Returns the fault of a failed statement before COMMIT was sent. `readOnly`: the transaction was declared read-only,
 * so a refused write is an error in our code.
 */
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
 * Returns true when the server refuses all writes, because it is a standby or a demoted primary. The code of
 * a lock that a standby refuses (55000) has other meanings too, so the statement that was refused decides.
 */
function refusesWrites(error: unknown): boolean {
  if (!isRefusal(error)) return false
  return error.code === '25006' || (error.code === '55000' && error.routine === 'LockAcquireExtended')
}

/** A migration changed a table under a cached plan. The statement works after it is parsed again. */
export function isStalePlan(error: unknown): boolean {
  return isRefusal(error) && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
