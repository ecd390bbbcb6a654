/** Keeps the request's own transaction from seeming forgotten to the database while the operation works in others, or its client reads slowly. */
import { unprepared } from './statement.ts'
import type { Tx } from './transaction.ts'

/** Well below the time after which a session that is idle in its transaction is ended. */
const aliveEveryMs = 3_000
const alive = unprepared('select 1')

/** The work's answer; meanwhile the transaction shows that it lives. */
export const whileAlive = async <T>(tx: Tx, work: Promise<T>): Promise<T> => {
  const keptAlive = setInterval(() => void tx.run(alive).catch(() => {}), aliveEveryMs)
  try {
    return await work
  } finally {
    clearInterval(keptAlive)
  }
}
