/**
 * Answers at the port while none of the processes serves, so that callers get 503 with Retry-After instead of a refused
 * connection. A process that is about to open the port must have it closed here first.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { reject } from '@clearing/protocol'
import { renderRejections } from '../http/answer/envelope.ts'
import { continueTrace, renderTraceId } from '../http/trace-context.ts'

const retryAfterSeconds = 2
/** The pause before the next attempt while an ended process still holds the port. */
const againMs = 20
const starting = [reject('ERR.5003', '', 'The service is starting; nothing was changed.')]

export class StandIn {
  readonly #host: string
  readonly #port: number
  #server: Server | undefined

  constructor(host: string, port: number) {
    this.#host = host
    this.#port = port
  }

  /** Opens the port as soon as it is free, unless `close` is called before. */
  async open(): Promise<void> {
    if (this.#server !== undefined) return
    const server = createServer((request, response) => {
      const { traceId, spanId } = continueTrace(String(request.headers.traceparent ?? ''))
      response.writeHead(503, {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'retry-after': String(retryAfterSeconds),
        connection: 'close',
      })
      response.end(renderRejections(503, starting, renderTraceId(traceId, spanId)))
    })
    this.#server = server
    while (this.#server === server) {
      server.listen({ host: this.#host, port: this.#port, exclusive: true })
      const isOpen = await once(server, 'listening').then(
        () => true,
        () => false,
      )
      if (isOpen) return
      await pause(againMs, undefined, { ref: false })
    }
  }

  /** Frees the port at once. Running responses end. */
  close(): void {
    this.#server?.close()
    this.#server = undefined
  }
}
