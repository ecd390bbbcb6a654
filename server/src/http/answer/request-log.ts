/**
 * The log of calls, for the engineers of the firms that made the calls. A call is redacted and shortened when
 * it is answered, and written in a batch a moment later, so that no request waits for it. The log may be
 * incomplete: a crash loses the calls in memory, and calls beyond the memory limit are dropped while the
 * database is unavailable. The audit trail is the complete record.
 */
import { randomUUID } from 'node:crypto'
import { limits, redactAnswer, redactRequest } from '@clearing/protocol'
import type { Logger } from 'pino'
import type { Pool } from '../../database/pool.ts'
import { inTransaction } from '../../database/transaction.ts'
import { insertRequests, type LoggedRequest } from '../../store/requests.ts'
import type { Call } from '../call.ts'

const batchRowsMax = 500
/** Longest time that a call waits for its batch. */
const gatherMs = 100
const retryMs = 1_000
const heldRowsMax = 10_000
const heldCharactersMax = 8_000_000

/** The id is empty until the call is first written. */
type Waiting = Omit<LoggedRequest, 'requestId'> & { requestId: string }

export class RequestLog {
  readonly #pool: Pool
  readonly #logger: Logger
  #waiting: Waiting[] = []
  #characters = 0
  #lost = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  /** True while the first waiting calls may have been recorded by an attempt whose outcome is unknown. */
  #isInDoubt = false
  #closed = false

  /** `pool` must see every firm: a batch holds calls of several firms. */
  constructor(pool: Pool, logger: Logger) {
    this.#pool = pool
    this.#logger = logger
  }

  /** Adds a finished call. Calls by the clearing firm's own people and credentials are not recorded here. */
  keep(call: Call, status: number, codes: readonly string[], answer: string | undefined): void {
    const { route, firm, caller } = call
    if (route === undefined || firm === undefined || caller === undefined) return
    // While a firm moves, its rows are being copied.
    if (firm.moving) return
    if (!route.firmBound || caller.scopes.has('operations')) return
    if (this.#waiting.length >= heldRowsMax || this.#characters >= heldCharactersMax) {
      this.#lost += 1
      return
    }
    const durationMs = Math.round(performance.now() - call.startedMs)
    const at = new Date(Date.now() - durationMs)
    const { bodySent } = call
    const lengthMax = limits.requestBodyKeptLengthMax
    const kept: Waiting = {
      firmId: firm.firmId,
      at,
      requestId: '',
      traceId: call.traceId,
      clientId: caller.clientId,
      operation: route.name,
      address: call.address,
      status,
      errorCodes: codes,
      durationMs,
      idempotencyKey: call.idempotencyKey ?? null,
      replayed: call.replayed,
      requestBody:
        bodySent === undefined ? null : redactRequest(route.operation.request, bodySent, lengthMax),
      // A read can be repeated; the responses of writes and refusals cannot.
      answerBody:
        answer === undefined || (status === 200 && !route.operation.writes)
          ? null
          : redactAnswer(answer, lengthMax),
    }
    this.#waiting.push(kept)
    this.#characters += sizeOf(kept)
    if (this.#writing === undefined) this.#writeIn(this.#waiting.length === batchRowsMax ? 0 : gatherMs)
  }

  /** Writes the waiting calls and accepts no more. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#writing
    await this.#write()
  }

  #writeIn(pauseMs: number): void {
    if (this.#closed || (this.#timer !== undefined && pauseMs > 0)) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#writing ??= this.#write().then((done) => {
        this.#writing = undefined
        if (!done) this.#writeIn(retryMs)
        else if (this.#waiting.length > 0) this.#writeIn(gatherMs)
      })
    }, pauseMs)
    this.#timer.unref()
  }

  /** Resolves to true when the database took all calls that waited at the start. */
  async #write(): Promise<boolean> {
    for (let left = this.#waiting.length; left > 0; ) {
      const batch = this.#waiting.slice(0, batchRowsMax)
      // Made only now, because the text of an id takes half a kilobyte while it waits.
      for (const kept of batch) kept.requestId ||= randomUUID()
      try {
        await inTransaction(this.#pool, { firm: null, repeatable: true, mayBeLost: true }, async (tx) =>
          insertRequests(tx, batch, this.#isInDoubt),
        )
      } catch (fault) {
        this.#logger.warn({ err: fault, waiting: this.#waiting.length }, 'calls could not be logged')
        this.#isInDoubt = true
        return false
      }
      this.#isInDoubt = false
      this.#waiting.splice(0, batch.length)
      left -= batch.length
      for (const kept of batch) this.#characters -= sizeOf(kept)
    }
    if (this.#lost > 0) this.#logger.warn({ calls: this.#lost }, 'calls are missing in the log of calls')
    this.#lost = 0
    return true
  }
}

function sizeOf({ requestBody, answerBody }: LoggedRequest): number {
  return (requestBody?.length ?? 0) + (answerBody?.length ?? 0)
}
