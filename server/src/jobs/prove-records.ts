/**
 * Verifies the records once a day: every audit chain with every file of its signed heads, all books, and the seals of
 * the days. A break fails the job, which then shows in the inbox. The heads of the chains are logged.
 */
import type { Logger } from 'pino'
import { patiently } from '../database/patiently.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import type { Parts } from '../operations/parts.ts'
import { verifyPart } from '../operations/verify-books.ts'
import { insertAuditProof } from '../store/audit-heads.ts'

export const proofTask = 'prove-records'

/**
 * Runs at night in New York. A missed night is made up for. A failed run stays in the inbox until a person handles it.
 */
export const proofSchedule = `30 7 * * * ${proofTask} ?fill=1d&max=1&jobKey=${proofTask}`

/** The fault names this many breaks, enough to start the search. */
const reportedMax = 5

export async function proveRecords(pool: Pool, parts: Parts, log: Logger): Promise<void> {
  // One snapshot of the database: a write during the verification is not a break.
  const oneView = { firm: null, readOnly: true, repeatable: true, isolation: 'repeatable read' } as const
  // The job is not retried, and a failover must not raise an alarm.
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
      `The records do not hold (${breaks.length} breaks): ${breaks.slice(0, reportedMax).join('; ')}`,
    )
  log.info({ accounts, heads }, 'the records hold')
}

function sum(firms: readonly { readonly rows: number }[]): number {
  return firms.reduce((total, { rows }) => total + rows, 0)
}
