/**
 * The owner's pool as the job queue is given it: when the database is away, whoever asks for a connection waits until it
 * is back, and a statement that met the loss is marked as one to send again. Without that a job that ends while the
 * database is away could not be put away: the library would let the failure end the process.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { DatabaseUnavailable, statementFault } from '../database/faults.ts'
import type { Client, Pool } from '../database/pool.ts'

export interface QueueConnections {
  readonly pool: pg.Pool
  /** From now on nobody waits: who asks while the database is away is refused. */
  stopWaiting(): void
  /** The queue has stopped: what the library still asks for, on timers of its own, is never answered. */
  end(): void
}

type Connected = Parameters<pg.Pool['connect']>[0]

const never = new Promise<never>(() => {})

const lookAgainMs = 250
/** A code that the library takes for a passing fault of the network. It repeats its own statements, which bear it. */
const passing = 'ETIMEDOUT'

export const openQueueConnections = (owner: Pool): QueueConnections => {
  let waiting = true
  let ended = false

  const connect = async (): Promise<pg.PoolClient> => {
    for (;;) {
      try {
        return markFaults(await owner.acquire(), owner)
      } catch (fault) {
        if (ended) return never
        // Whoever has ended the pool while the queue was starting does not want it any more.
        if (!waiting || owner.pg.ending) throw asPassing(fault)
        await pause(lookAgainMs)
      }
    }
  }

  /** The connection that listens, whose loss the library minds itself. */
  const connectTo = (callback: NonNullable<Connected>): void => {
    owner.acquire().then(
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

const asPassing = (fault: unknown): Error =>
  Object.assign(new Error(fault instanceof Error ? fault.message : String(fault), { cause: fault }), {
    code: passing,
  })

const markFaults = (client: Client, owner: Pool): Client => {
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
