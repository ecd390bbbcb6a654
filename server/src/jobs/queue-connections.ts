/**
 * Gives the job queue the owner's pool. While the database is unavailable, a request for a connection waits
 * for it, and a statement that failed because of the loss is marked as repeatable. Without this, a job that
 * ends during an outage could not be completed, and the library would end the process.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { DatabaseUnavailable, statementFault } from '../database/faults.ts'
import type { Client, Pool } from '../database/pool.ts'

export interface QueueConnections {
  readonly pool: pg.Pool
  /** After this call requests fail at once while the database is unavailable. */
  stopWaiting(): void
  /** The queue has stopped. Later requests from the library's own timers never resolve. */
  end(): void
}

type Connected = Parameters<pg.Pool['connect']>[0]

const never = new Promise<never>(() => {})

const lookAgainMs = 250
/**
 * The library takes this code for a temporary network fault and repeats its statement; its statements are safe to
 * repeat.
 */
const passing = 'ETIMEDOUT'

export function openQueueConnections(owner: Pool): QueueConnections {
  let waiting = true
  let ended = false

  const connect = async (): Promise<pg.PoolClient> => {
    for (;;) {
      try {
        return markFaults(await owner.acquire(), owner)
      } catch (fault) {
        if (ended) return never
        // The pool was ended while the queue started, so the queue no longer needs a connection.
        if (!waiting || owner.pg.ending) throw asPassing(fault)
        await pause(lookAgainMs)
      }
    }
  }

  /** Opens the listening connection, for which no caller waits. The library handles its loss itself. */
  const connectTo = (callback: NonNullable<Connected>): void => {
    owner.acquire(null, owner.limits.connectTimeoutMs).then(
      (client) => callback(undefined, client, client.release),
      (fault: Error) => callback(fault, undefined, () => {}),
    )
  }

  const pool = new Proxy(owner.pg, {
    get(target, name, receiver) {
      if (name !== 'connect') return Reflect.get(target, name, receiver)
      return (callback?: Connected) => {
        if (ended) return never
        return callback === undefined ? connect() : connectTo(callback)
      }
    },
  })
  return {
    pool,
    stopWaiting: () => {
      waiting = false
    },
    end: () => {
      ended = true
    },
  }
}

function asPassing(fault: unknown): Error {
  return Object.assign(new Error(fault instanceof Error ? fault.message : String(fault), { cause: fault }), {
    code: passing,
  })
}

function markFaults(client: Client, owner: Pool): Client {
  const query = async (...words: Parameters<pg.PoolClient['query']>) => {
    try {
      return await (client.query as (...words: unknown[]) => Promise<unknown>)(...words)
    } catch (error) {
      const fault = statementFault(error, 'job queue')
      if (!(fault instanceof DatabaseUnavailable)) throw error
      if (fault.reason === 'read-only') owner.distrust()
      throw asPassing(fault)
    }
  }
  return Object.create(client, { query: { value: query } })
}
