// Sends several prepared statements at once and reads their responses together: one network wait for any number of
// statements. They form one unit for the server (a single Sync): when one fails, later statements are not run.
import type pg from 'pg'
import { type Parser, parserOf } from './column-types.ts'
import { isStalePlan, NoAnswer } from './faults.ts'
import type { Client, Pool } from './pool.ts'
import type { Statement } from './statement.ts'

/** Values as they are sent: see `renderValue`. */
export type Rendered = string | Buffer | null

/**
 * `run` returns all rows. `open` and `fetch` return at most `rowsMax` rows, and the other rows wait in the
 * portal.
 */
export type Step =
  | { kind: 'run'; statement: Statement<unknown>; values: readonly Rendered[] }
  | {
      kind: 'open'
      statement: Statement<unknown>
      values: readonly Rendered[]
      portal: Portal
      rowsMax: number
    }
  | { kind: 'fetch'; portal: Portal; rowsMax: number }

/** A result that is read in parts within its transaction. */
export interface Portal {
  readonly name: string
  prepared?: Prepared
}

export interface Reply {
  /** The command tag: 'SELECT 3', 'COMMIT'; empty when more rows wait in the portal. */
  tag: string
  rows: unknown[]
}

/** A step or the connection failed. Steps before `index` were answered; later steps were not run. */
export class RoundTripFailed extends Error {
  override readonly name = 'RoundTripFailed'
  override readonly cause: unknown
  readonly index: number
  readonly replies: Reply[]
  /** False when no data can have reached the server. */
  readonly sent: boolean
  constructor(cause: unknown, index: number, replies: Reply[], sent: boolean) {
    super('round trip failed')
    this.cause = cause
    this.index = index
    this.replies = replies
    this.sent = sent
  }
}

/**
 * Sends all steps and waits for all responses, as long as the pool allows. A connection to a silent server is closed.
 */
export function roundTrip(pool: Pool, client: Client, steps: readonly Step[]): Promise<Reply[]> {
  const report = pool.onRoundTrip === undefined ? undefined : reporterOf(pool.onRoundTrip, steps)
  return new Promise((resolve, reject) => {
    const answer = (replies: Reply[]) => {
      report?.(false)
      resolve(replies)
    }
    const fail = (fault: RoundTripFailed) => {
      report?.(true)
      reject(fault)
    }
    const named = pool.settingsOfTransaction === undefined
    const settings = { answerTimeoutMs: pool.limits.answerTimeoutMs, named }
    client.query(new RoundTrip(steps, settings, answer, fail) as pg.Submittable)
  })
}

function reporterOf(
  onRoundTrip: NonNullable<Pool['onRoundTrip']>,
  steps: readonly Step[],
): (failed: boolean) => void {
  const startedAt = performance.now()
  const statements = steps.map((step) => (step.kind === 'fetch' ? step.portal.name : step.statement.name))
  return (failed) => onRoundTrip({ statements, durationMs: performance.now() - startedAt, failed })
}

export interface Column {
  name: string
  parse: Parser
}

/** The state of a statement on a connection. `doubtful`: it was sent for parsing in a round trip that failed. */
export interface Prepared {
  doubtful: boolean
  /** Undefined until the first response. */
  columns: Column[] | undefined
}

const preparedOn = new WeakMap<object, Map<string, Prepared>>()

/** Receives the messages that `pg` passes to its running query. */
class RoundTrip {
  readonly #steps: readonly Step[]
  readonly #resolve: (replies: Reply[]) => void
  readonly #reject: (fault: RoundTripFailed) => void
  readonly #answerTimeoutMs: number
  /** False when another session may run the next round trip and would not know the names. */
  readonly #named: boolean
  readonly #replies: Reply[] = []
  /** The prepared statement of each step, and which of them were sent for parsing in this round trip. */
  readonly #prepared: Prepared[] = []
  readonly #parsed = new Set<Prepared>()
  #rows: unknown[] = []
  #connection: Wire | undefined
  #timer: NodeJS.Timeout | undefined
  #timedOut = false
  #unreadable: unknown

  constructor(
    steps: readonly Step[],
    settings: { readonly answerTimeoutMs: number; readonly named: boolean },
    resolve: (replies: Reply[]) => void,
    reject: (fault: RoundTripFailed) => void,
  ) {
    this.#steps = steps
    this.#answerTimeoutMs = settings.answerTimeoutMs
    this.#named = settings.named
    this.#resolve = resolve
    this.#reject = reject
  }

  submit(connection: unknown): void {
    const wire = connection as Wire
    this.#connection = wire
    this.#timer = setTimeout(() => {
      this.#timedOut = true
      wire.stream.destroy()
    }, this.#answerTimeoutMs)
    wire.stream.cork()
    try {
      for (const step of this.#steps) this.#send(wire, step)
    } finally {
      wire.sync()
      wire.stream.uncork()
    }
  }

  #send(wire: Wire, step: Step): void {
    if (step.kind === 'fetch') {
      this.#prepared.push(step.portal.prepared as Prepared)
      wire.execute({ portal: step.portal.name, rows: step.rowsMax })
      return
    }
    const name = this.#nameOf(step.statement)
    const prepared = this.#prepare(wire, step.statement)
    this.#prepared.push(prepared)
    const portal = step.kind === 'run' ? '' : step.portal.name
    wire.bind({ portal, statement: name, values: step.values })
    if (prepared.columns === undefined) wire.describe({ type: 'P', name: portal })
    if (step.kind === 'open') step.portal.prepared = prepared
    wire.execute({ portal, rows: step.kind === 'run' ? 0 : step.rowsMax })
  }

  #prepare(wire: Wire, statement: Statement<unknown>): Prepared {
    const { text } = statement
    const name = this.#nameOf(statement)
    if (name === '') {
      wire.parse({ text, name })
      return { doubtful: false, columns: undefined }
    }
    let known = preparedOn.get(wire)
    if (known === undefined) {
      known = new Map()
      preparedOn.set(wire, known)
    }
    const prepared = known.get(name)
    if (prepared !== undefined && !prepared.doubtful) return prepared
    if (prepared !== undefined) wire.close({ type: 'S', name })
    wire.parse({ text, name })
    const fresh: Prepared = { doubtful: false, columns: undefined }
    known.set(name, fresh)
    this.#parsed.add(fresh)
    return fresh
  }

  #nameOf({ name }: Statement<unknown>): string {
    return this.#named ? name : ''
  }

  get #current(): Prepared | undefined {
    return this.#prepared[this.#replies.length]
  }

  handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }): void {
    const prepared = this.#current
    if (prepared !== undefined) {
      prepared.columns = message.fields.map((field) => ({
        name: field.name,
        parse: parserOf(field.dataTypeID),
      }))
    }
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    const columns = this.#current?.columns ?? []
    const row: Record<string, unknown> = {}
    try {
      for (let at = 0; at < columns.length; at++) {
        const column = columns[at] as Column
        const text = message.fields[at] as string | null
        row[column.name] = text === null ? null : column.parse(text)
      }
    } catch (error) {
      this.#unreadable ??= error
    }
    this.#rows.push(row)
  }

  handleCommandComplete(message: { text: string }): void {
    this.#answer(message.text)
  }

  handlePortalSuspended(): void {
    this.#answer('')
  }

  handleEmptyQuery(): void {
    this.#answer('EMPTY')
  }

  #answer(tag: string): void {
    const prepared = this.#current
    if (prepared !== undefined) prepared.columns ??= []
    this.#replies.push({ tag, rows: this.#rows })
    this.#rows = []
  }

  handleReadyForQuery(): void {
    clearTimeout(this.#timer)
    if (this.#unreadable === undefined) this.#resolve(this.#replies)
    else this.#reject(new RoundTripFailed(this.#unreadable, this.#replies.length, this.#replies, true))
  }

  /** The server refused a step, or the connection is lost. */
  handleError(error: unknown): void {
    clearTimeout(this.#timer)
    const index = this.#replies.length
    for (const answered of this.#prepared.slice(0, index)) this.#parsed.delete(answered)
    for (const unanswered of this.#parsed) unanswered.doubtful = true
    const refused = this.#prepared[index]
    if (refused !== undefined && isStalePlan(error)) refused.doubtful = true
    const cause = this.#timedOut ? new NoAnswer(`no answer within ${this.#answerTimeoutMs} ms`) : error
    this.#reject(new RoundTripFailed(cause, index, this.#replies, this.#connection !== undefined))
  }

  handleCopyInResponse(connection: { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('COPY is not supported')
  }

  handleCopyData(): void {}
}

/** The part of `pg`'s connection that is used here; the published types describe an older one. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void; destroy(): void }
  parse(message: { text: string; name: string }): void
  bind(message: { portal: string; statement: string; values: readonly Rendered[] }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: { portal: string; rows: number }): void
  close(message: { type: 'S'; name: string }): void
  sync(): void
}
