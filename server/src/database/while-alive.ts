/**
 * Keeps the transaction of a request from timing out as idle while the operation works in other transactions, or while
 * its client reads slowly.
 */
import { unprepared } from './statement.ts'
import type { Tx } from './transaction.ts'

/** Well below the time after which the server ends a session that is idle in its transaction. */
const aliveEveryMs = 3_000
const alive = unprepared('select 1')

/** Returns the result of the work, and sends statements in the transaction meanwhile. */
export async function whileAlive<T>(tx: Tx, work: Promise<T>): Promise<T> {
  const keptAlive = setInterval(() => void tx.run(alive).catch(() => {}), aliveEveryMs)
  try {
    return await work
  } finally {
    clearInterval(keptAlive)
  }
}
