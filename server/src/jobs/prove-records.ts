/**
 * The records are proved once a day without anybody asking: every audit chain with every file of its signed heads, all books and
 * the seals of the days. What does not hold fails the job, which then waits in the inbox. The heads of the chains go to the log.
 */
import type { Logger } from 'pino'
import { patiently } from '../database/patiently.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import type { Parts } from '../operations/parts.ts'
import { verifyPart } from '../operations/verify-books.ts'
import { insertAuditProof } from '../store/audit-heads.ts'

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
  const { verified, firms } = await patiently(() => parts.auditHeads.verify(null, true))
  const heads = firms.map(({ firmId, rows, head }) => ({ firmId, rows, head }))
  const breaks = firms.flatMap(({ firmId, firstBreak }) =>
    firstBreak ? [`audit of firm ${firmId}, row ${firstBreak.sequence}: ${firstBreak.reason}`] : [],
  )
  const proof = { verified, firms: firms.length, rows: sum(firms), reason: breaks[0] ?? '' }
  await inTransaction(pool, { firm: null }, async (tx) => insertAuditProof(tx, new Date(), proof))
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

const sum = (firms: readonly { readonly rows: number }[]): number =>
  firms.reduce((total, { rows }) => total + rows, 0)
