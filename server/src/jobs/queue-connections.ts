/**
 * The owner's pool as the job queue is given it: when the database is away, whoever asks for a connection waits until it
 * is back, and a statement that met the loss is marked as one to send again. Without that a job that ends while the
 * database is away could not be put away: the library would let the failure end the process.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { DatabaseUnavailable, statementFault } from '../database/faults.ts'

export interface QueueConnections {
  readonly pool: pg.Pool
  /** From now on nobody waits: who asks while the database is away is refused. */
  stopWaiting(): void
  /** The queue has stopped: what the library still asks for, on timers of its own, is never answered. */
  end(): void
}

const never = new Promise<never>(() => {})

const lookAgainMs = 250
/** A code that the library takes for a passing fault of the network. It repeats its own statements, which bear it. */
const passing = 'ETIMEDOUT'

export const openQueueConnections = (owner: pg.Pool): QueueConnections => {
  let waiting = true
  let ended = false

  const connect = async (): Promise<pg.PoolClient> => {
    for (;;) {
      try {
        return markFaults(await owner.connect())
      } catch (fault) {
        if (ended) return never
        // Whoever has ended the pool while the queue was starting does not want it any more.
        if (!waiting || owner.ending) throw fault
        await pause(lookAgainMs)
      }
    }
  }

  const pool = new Proxy(owner, {
    get(target, name, receiver) {
      if (name !== 'connect') return Reflect.get(target, name, receiver)
      // With a callback: the connection that listens, whose loss the library minds itself.
      return (callback?: Parameters<pg.Pool['connect']>[0]) => {
        if (ended) return never
        return callback === undefined ? connect() : target.connect(callback)
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

const markFaults = (client: pg.PoolClient): pg.PoolClient => {
  const query = async (...words: Parameters<pg.PoolClient['query']>) => {
    try {
      return await (client.query as (...words: unknown[]) => Promise<unknown>)(...words)
    } catch (error) {
      const fault = statementFault(error, 'job queue')
      if (!(fault instanceof DatabaseUnavailable)) throw error
      throw Object.assign(new Error(fault.message, { cause: error }), { code: passing })
    }
  }
  return Object.create(client, { query: { value: query } })
}
