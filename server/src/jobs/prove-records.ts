/**
 * The records are proved once a day without anybody asking: every audit chain, all books and the seals of the days. What
 * does not hold fails the job, which then waits in the inbox. The heads of the chains go to the log, which lies
 * outside the database: a chain that was cut at its end or written anew is known by them.
 */
import type { Logger } from 'pino'
import { patiently } from '../database/patiently.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { verifyChains } from '../operations/verify-audit.ts'
import { verifyPart } from '../operations/verify-books.ts'
import type { Parts } from '../parts.ts'

export const proofTask = 'prove-records'

/** By night in New York. A night without a process is made up for; what has failed waits until somebody has looked. */
export const proofSchedule = `30 7 * * * ${proofTask} ?fill=1d&max=1&jobKey=${proofTask}`

/** Of breaks, told in the fault: enough to know where to look. */
const toldMax = 5

export const proveRecords = async (pool: Pool, parts: Parts, log: Logger): Promise<void> => {
  // In one view: what is written meanwhile is no break.
  const oneView = { firm: null, readOnly: true, repeatable: true, isolation: 'repeatable read' } as const
  // The job is not tried again, and a failover is no reason to look at the records.
  const read = <T>(ask: (tx: Tx) => Promise<T>) => patiently(() => inTransaction(pool, oneView, ask))
  const { firms } = await read((tx) => verifyChains(tx, null))
  const heads = firms.map(({ firmId, rows, head }) => ({ firmId, rows, head }))
  const breaks = firms.flatMap(({ firmId, firstBreak }) =>
    firstBreak ? [`audit of firm ${firmId}, row ${firstBreak.sequence}: ${firstBreak.reason}`] : [],
  )
  let accounts = 0
  for (let after = ''; ; ) {
    const request = after === '' ? {} : { after }
    const settings = { now: parts.clock.now(), businessDay: parts.businessDay }
    const part = await read((tx) => verifyPart(tx, request, settings))
    accounts += part.accounts
    breaks.push(
      ...part.breaks.map(({ kind, accountNumber, reason }) => `books, ${kind} ${accountNumber}: ${reason}`),
    )
    if (part.next === '') break
    after = part.next
  }
  if (breaks.length > 0)
    throw new Error(
      `The records do not hold (${breaks.length} breaks): ${breaks.slice(0, toldMax).join('; ')}`,
    )
  log.info({ accounts, heads }, 'the records hold')
}
