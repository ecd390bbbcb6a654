// A transaction between its first statement and its end. The first statement takes a connection. Statements of one turn
// of the event loop are sent together, BEGIN with the first statement and COMMIT with the last.

import {
  CommitFailed,
  DatabaseUnavailable,
  endsConnection,
  isRefusal,
  OutcomeUnknown,
  statementFault,
} from './faults.ts'
import {
  flushLog,
  flushSeen,
  flushSince,
  isFlushed,
  needsStandbys,
  noteFlush,
  noteRead,
  watchStandbys,
} from './flush.ts'
import { openingOf, openingToRead } from './opening.ts'
import type { Client, Pool } from './pool.ts'
import { readTogether } from './read-together.ts'
import { type Portal, type Reply, RoundTripFailed, roundTrip, type Step } from './round-trip.ts'
import { awaitConfirmation, checkConfirmations } from './standby-waits.ts'
import { control, renderValue, type Statement, type Value } from './statement.ts'
import type { Scope, Tx } from './transaction.ts'

const commit: Step = { kind: 'run', statement: control('commit', 'commit'), values: [] }
const rollback: Step = { kind: 'run', statement: control('rollback', 'rollback'), values: [] }
function looksUp({ step }: Asked): boolean {
  return step.kind === 'run' && step.statement.looksUp === true
}

interface Asked {
  step: Step
  /** Absent when nothing waits for the reply. */
  answer?: (reply: Reply) => void
  /** Called with the reply when it arrives. */
  onRows?: (reply: Reply) => void
  refuse?: (fault: unknown) => void
}

export class OpenTransaction implements Tx {
  readonly firm: string | null
  readonly #pool: Pool
  readonly #scope: Scope
  /** True when BEGIN is sent before the first statement. Reads that need no common snapshot need no BEGIN. */
  #explicit: boolean
  #begun = false
  #ended = false
  #abandoned = false
  #client: Client | undefined
  /** The first failure. After it, only ROLLBACK is possible. */
  #failure: unknown
  #asked: Asked[] = []
  /** Sent before COMMIT and after all other statements. */
  readonly #last: Asked[] = []
  readonly #onCommit: (() => void)[] = []
  #sending: Promise<void> | undefined
  #portals = 0
  /** True when the last round trip of reads may have seen a commit that is not on disk. */
  #sawUnflushed = false
  /** True when the rows read must be on synchronous standbys. */
  #standbys = false
  /** The time of the last look-up whose flush is left to a commit of the caller. */
  #seenMs: number | undefined
  /** The flushes for which this reader waits. */
  readonly #flushes: Promise<void>[] = []

  constructor(pool: Pool, scope: Scope) {
    this.#pool = pool
    this.#scope = scope
    this.#explicit = scope.readOnly !== true || (scope.isolation ?? 'read committed') !== 'read committed'
    this.firm = scope.firm
  }

  async rows<Row>(statement: Statement<Row>, values: readonly Value[] = []): Promise<Row[]> {
    const reply = await this.#ask({ kind: 'run', statement, values: values.map(renderValue) })
    return reply.rows as Row[]
  }

  async row<Row>(statement: Statement<Row>, values: readonly Value[] = []): Promise<Row | undefined> {
    const rows = await this.rows(statement, values)
    if (rows.length > 1)
      throw new Error(`statement ${statement.name}: ${rows.length} rows instead of at most one`)
    return rows[0]
  }

  async run(statement: Statement<unknown>, values: readonly Value[] = []): Promise<number> {
    const reply = await this.#ask({ kind: 'run', statement, values: values.map(renderValue) })
    return countOf(reply.tag)
  }

  later<Row>(statement: Statement<Row>, values: readonly Value[] = [], onRows?: (rows: Row[]) => void): void {
    this.#mustBeOpen()
    const step: Step = { kind: 'run', statement, values: values.map(renderValue) }
    this.#asked.push(onRows === undefined ? { step } : { step, onRows: ({ rows }) => onRows(rows as Row[]) })
  }

  last(statement: Statement<unknown>, values: readonly Value[] = []): void {
    this.#mustBeOpen()
    this.#last.push({ step: { kind: 'run', statement, values: values.map(renderValue) } })
  }

  onCommit(work: () => void): void {
    this.#mustBeOpen()
    this.#onCommit.push(work)
  }

  async *pages<Row>(
    statement: Statement<Row>,
    values: readonly Value[],
    rowsMax: number,
  ): AsyncGenerator<Row[]> {
    this.#explicit = true
    const portal: Portal = { name: `pages-${++this.#portals}` }
    let reply = await this.#ask({ kind: 'open', statement, values: values.map(renderValue), portal, rowsMax })
    while (reply.rows.length > 0) {
      yield reply.rows as Row[]
      if (reply.tag !== '') return
      reply = await this.#ask({ kind: 'fetch', portal, rowsMax })
    }
  }

  abandon(): void {
    this.#abandoned = true
  }

  async endReading(): Promise<void> {
    this.#ended = true
    await this.#sending
    const client = this.#client
    this.#client = undefined
    // Everything that a standby has replayed is on the disk of its primary.
    if (client !== undefined && this.#pool.standby) await giveBack(client, this.#pool)
    else if (client !== undefined) await this.#endSeen(client)
    await Promise.all(this.#flushes)
    if (this.#seenMs !== undefined) await flushSince(this.#pool, this.#seenMs)
  }

  /** A write without effect returns a stored response, which is equal to a commit. */
  async #endSeen(client: Client): Promise<void> {
    const standbys = this.#standbys || this.#scope.readOnly !== true
    await flushSeen(this.#pool, client, { before: [rollback], standbys })
  }

  /** Commits, or throws the reason why the transaction was not committed. */
  async finish(): Promise<void> {
    await this.#sending
    if (this.#failure !== undefined) {
      await this.rollBack()
      throw new CommitFailed('a failed statement was passed over: nothing is committed', {
        cause: this.#failure,
      })
    }
    const reads = this.#scope.readOnly === true && this.#scope.isolation !== 'serializable'
    this.#ended = true
    if (this.#abandoned || (reads && this.#asked.length + this.#last.length === 0)) await this.endReading()
    else if (this.#begun || this.#asked.length + this.#last.length > 0) await this.#commit()
    else this.#release()
  }

  /** Returns the connection without any effect of this transaction. */
  async rollBack(): Promise<void> {
    this.#ended = true
    await this.#sending
    const client = this.#client
    this.#client = undefined
    if (client !== undefined) await giveBack(client, this.#pool)
  }

  #mustBeOpen(): void {
    if (this.#ended)
      throw new Error('the transaction has ended: the body did not wait for all its statements')
    if (this.#failure !== undefined) throw this.#failure
  }

  #ask(step: Step): Promise<Reply> {
    this.#mustBeOpen()
    return new Promise((answer, refuse) => {
      this.#asked.push({ step, answer, refuse })
      this.#sending ??= this.#send()
    })
  }

  /** Sends the statements of this turn, then the statements that were added meanwhile, until no statement waits. */
  async #send(): Promise<void> {
    await undefined
    while (this.#asked.some(({ answer }) => answer !== undefined)) {
      const asked = this.#asked
      this.#asked = []
      await this.#exchange(asked)
    }
    this.#sending = undefined
    // Each read is its own transaction, so other callers may use the connection in between.
    if (!this.#explicit && this.#failure === undefined) this.#releaseReader()
  }

  async #exchange(asked: readonly Asked[]): Promise<void> {
    const opening = this.#opening()
    this.#standbys ||= needsStandbys(asked.map(({ step }) => step))
    const explicit = this.#explicit
    try {
      if (this.#failure !== undefined) throw this.#failure
      if (!explicit && this.#client === undefined && asked.every(looksUp)) {
        const steps = asked.map(({ step }) => step)
        const later = this.#scope.flushFollows === true
        const read = await readTogether(this.#pool, this.firm ?? '', opening[0] as Step, steps, later)
        const { replies, flush } = read
        if (flush === 'later') this.#seenMs = performance.now()
        else if (flush !== undefined) this.#flushes.push(flush)
        deliver(asked, replies)
        return
      }
      this.#client ??= await this.#pool.acquire(this.firm)
      const steps = [
        ...opening,
        ...asked.map(({ step }) => step),
        ...(explicit ? [] : [isFlushed(this.#standbys)]),
      ]
      const replies = await roundTrip(this.#pool, this.#client, steps)
      this.#sawUnflushed = !explicit && !noteRead(this.#pool, replies.at(-1))
      const expected = explicit ? 'T' : 'I'
      const status = this.#client.getTransactionStatus()
      if (status !== expected)
        throw new Error(`the session's transaction status is ${status}, must be ${expected}`)
      this.#begun = explicit
      deliver(asked, replies.slice(opening.length))
    } catch (error) {
      this.#fail(error, opening.length, asked)
    }
  }

  #opening(): Step[] {
    if (this.#begun) return []
    return this.#explicit ? openingOf(this.#pool, this.#scope) : [openingToRead(this.#pool, this.firm ?? '')]
  }

  /**
   * Reports the failure to each waiting statement. Statements that were answered before the failure keep their results.
   */
  #fail(error: unknown, opening: number, asked: readonly Asked[]): void {
    this.#failure ??= this.#faultOf(error, opening, asked)
    const answered = error instanceof RoundTripFailed ? error.replies.slice(opening) : []
    for (const [at, { answer, refuse }] of asked.entries()) {
      const reply = answered[at]
      if (reply === undefined) refuse?.(this.#failure)
      else answer?.(reply)
    }
  }

  #faultOf(error: unknown, opening: number, asked: readonly Asked[]): unknown {
    if (!(error instanceof RoundTripFailed)) return error
    const step = asked[error.index - opening]?.step
    const name = step === undefined || step.kind === 'fetch' ? 'transaction control' : step.statement.name
    const fault = statementFault(error.cause, name, this.#scope.readOnly)
    // After a failover, new connections may find the new primary; existing connections lead to the old one.
    if (fault instanceof DatabaseUnavailable && fault.reason === 'read-only') this.#pool.distrust()
    return fault
  }

  /** Deferred statements are sent with COMMIT. */
  async #commit(): Promise<void> {
    const asked = [...this.#asked, ...this.#last]
    const opening = this.#opening()
    await this.#checkConfirmations()
    this.#client ??= await this.#pool.acquire(this.firm)
    const client = this.#client
    const unconfirmed = watchStandbys(client)
    const beganMs = performance.now()
    const steps = [
      ...opening,
      ...asked.map(({ step }) => step),
      commit,
      ...(this.#scope.mayBeLost === true ? [] : [flushLog]),
    ]
    let replies: Reply[]
    try {
      replies = await awaitConfirmation(this.#pool, client, () => roundTrip(this.#pool, client, steps))
    } catch (error) {
      const fault = this.#commitFault(error, opening.length, asked)
      await this.rollBack()
      throw fault
    } finally {
      unconfirmed()
    }
    this.#release()
    const tag = replies[opening.length + asked.length]?.tag
    if (tag !== 'COMMIT') throw new CommitFailed(`COMMIT was answered with ${tag}: nothing is committed`)
    if (unconfirmed()) throw new OutcomeUnknown('committed on this server, but no standby confirmed it')
    deliver(asked, replies.slice(opening.length))
    if (this.#scope.mayBeLost !== true) noteFlush(this.#pool, client, beganMs, replies.at(-1))
    for (const work of this.#onCommit) work()
  }

  async #checkConfirmations(): Promise<void> {
    try {
      if (this.#scope.mayBeLost !== true) checkConfirmations(this.#pool)
    } catch (fault) {
      await this.rollBack()
      throw fault
    }
  }

  #commitFault(error: unknown, opening: number, asked: readonly Asked[]): unknown {
    const fault = this.#faultOf(error, opening, asked)
    if (!(error instanceof RoundTripFailed) || !error.sent || this.#scope.readOnly === true) return fault
    // An error response to COMMIT or before it that keeps the connection means that the server committed nothing. Any
    // other error leaves the outcome unknown.
    const committed = error.index > opening + asked.length
    if (!committed && isRefusal(error.cause) && !endsConnection(error.cause)) return fault
    return new OutcomeUnknown('connection lost at COMMIT: the transaction is wholly there or wholly absent', {
      cause: fault,
    })
  }

  /**
   * Returns the connection after reads when the rows that they saw are on disk. The response waits for the disk; the
   * next read does not.
   */
  #releaseReader(): void {
    const client = this.#client
    if (client === undefined || !this.#sawUnflushed) {
      this.#release()
      return
    }
    this.#client = undefined
    const flush = flushSeen(this.#pool, client, { standbys: this.#standbys })
    // Its failure becomes the failure of the transaction at its end.
    flush.catch(() => {})
    this.#flushes.push(flush)
  }

  #release(): void {
    const client = this.#client
    this.#client = undefined
    client?.release(client.getTransactionStatus() !== 'I')
  }
}

function deliver(asked: readonly Asked[], replies: readonly Reply[]): void {
  for (const [at, { answer, onRows }] of asked.entries()) {
    onRows?.(replies[at] as Reply)
    answer?.(replies[at] as Reply)
  }
}

/** A connection that does not become idle again is not returned to the pool. */
export async function giveBack(client: Client, pool: Pool): Promise<void> {
  try {
    await roundTrip(pool, client, [rollback])
    client.release(client.getTransactionStatus() !== 'I')
  } catch {
    client.release(true)
  }
}

/** Returns the last number of a command tag: 'INSERT 0 3' → 3. */
function countOf(tag: string): number {
  const count = Number(tag.slice(tag.lastIndexOf(' ') + 1))
  return Number.isInteger(count) ? count : 0
}
