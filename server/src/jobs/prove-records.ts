/**
 * Verifies the records once a day. It verifies every audit chain with every file of its signed heads. It
 * verifies the books and the seals that changed since their last verification, and a part of the others. Jobs
 * of some accounts each verify the books, and any process may take them. A break fails its job, and the inbox
 * shows the failed job. The heads of the chains are logged.
 */
import type { Logger } from 'pino'
import { Directory } from '../books/directory.ts'
import { verifyBooksOf } from '../books/verify/verify-books-of.ts'
import type { BusinessDay } from '../business-day/close-day.ts'
import { patiently } from '../database/patiently.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import type { Parts } from '../operations/parts.ts'
import { insertAuditProof } from '../store/audit-heads.ts'
import { readBooks } from '../store/books/accounts-to-verify.ts'
import {
  findAccountsToProve,
  findSealsToProve,
  noteProvedBooks,
  noteProvedSeals,
  type ProvedBooks,
} from '../store/books/proofs.ts'
import { queue } from '../store/jobs.ts'
import { readDaysOfLines } from '../store/seals.ts'

export const proofTask = 'prove-records'

/**
 * Runs at night in New York. A missed night is run later. A failed run stays in the inbox until a person
 * handles it.
 */
export const proofSchedule = `30 7 * * * ${proofTask} ?fill=1d&max=1&jobKey=${proofTask}`

/** The number of breaks that the fault names, enough to start the search. */
const reportedMax = 5

// One snapshot of the database: a write during the verification is not a break.
const oneView = { firm: null, readOnly: true, repeatable: true, isolation: 'repeatable read' } as const

export async function proveRecords(pool: Pool, parts: Parts, log: Logger): Promise<void> {
  // The job is not retried, and a failover must not raise an alarm.
  const read = <T>(ask: (tx: Tx) => Promise<T>) => patiently(() => inTransaction(pool, oneView, ask))
  const { verified, firms } = await patiently(() => parts.auditHeads.verify(null, true))
  const heads = firms.map(({ firmId, rows, head }) => ({ firmId, rows, head }))
  const breaks = firms.flatMap(({ firmId, firstBreak }) =>
    firstBreak ? [`audit of firm ${firmId}, row ${firstBreak.sequence}: ${firstBreak.reason}`] : [],
  )
  const proof = { verified, firms: firms.length, rows: sum(firms), reason: breaks[0] ?? '' }
  await inTransaction(pool, { firm: null }, async (tx) => insertAuditProof(tx, new Date(), proof))
  const portions = await queuePortions(pool)
  const at = parts.clock.now()
  const days = await read((tx) => findSealsToProve(tx))
  const seals = await read((tx) => parts.businessDay.verifySeals(tx, { days }))
  const broken = new Set(seals.breaks.map(({ closeDate }) => closeDate))
  breaks.push(
    ...seals.breaks.map(({ kind, accountNumber, reason }) => `books, ${kind} ${accountNumber}: ${reason}`),
  )
  const proved = [...days].filter((day) => !broken.has(day))
  await inTransaction(pool, { firm: null }, async (tx) => noteProvedSeals(tx, proved, at))
  refuse(breaks)
  log.info({ portions, seals: proved.length, heads }, 'the records hold; the books are still being verified')
}

/** The number of accounts of a job. It takes some seconds, and a large account delays few others. */
const portionAccounts = 50

/** Queues jobs that verify the due books, and returns their number. */
function queuePortions(pool: Pool): Promise<number> {
  return inTransaction(pool, { firm: null }, async (tx) => {
    const due = await findAccountsToProve(tx)
    const night = new Date().toISOString()
    for (let at = 0; at < due.length; at += portionAccounts) {
      const payload: ProofPayload = { accounts: due.slice(at, at + portionAccounts) }
      queue(tx, {
        task: portionTask,
        payload,
        key: `${portionTask} ${night} ${at}`,
        due: null,
        attemptsMax: 1,
      })
    }
    return Math.ceil(due.length / portionAccounts)
  })
}

export const portionTask = 'prove-books'

export interface ProofPayload {
  readonly accounts: readonly string[]
}

/** Verifies the books of some accounts and records those without breaks. */
export async function proveBooks(
  { accounts }: ProofPayload,
  pool: Pool,
  { businessDay, clock }: Pick<Parts, 'businessDay' | 'clock'>,
): Promise<void> {
  const now = clock.now()
  const proved: ProvedBooks[] = []
  const breaks: string[] = []
  for (const accountNumber of accounts) {
    // Each account has a short transaction of its own. One transaction for the whole portion would delay
    // vacuum.
    const found = await patiently(() =>
      inTransaction(pool, oneView, (tx) => proveAccount(tx, accountNumber, { businessDay, now })),
    )
    if (found === undefined) continue
    if (found.breaks.length === 0) proved.push(found.books)
    breaks.push(...found.breaks.map(({ kind, reason }) => `books, ${kind} ${accountNumber}: ${reason}`))
  }
  await patiently(() => inTransaction(pool, { firm: null }, async (tx) => noteProvedBooks(tx, proved, now)))
  refuse(breaks)
}

async function proveAccount(
  tx: Tx,
  accountNumber: string,
  { businessDay, now }: { readonly businessDay: BusinessDay; readonly now: Date },
) {
  const [books] = await readBooks(tx, [accountNumber])
  if (books === undefined || (await businessDay.isElsewhere(tx, books.firmId))) return undefined
  const days = await readDaysOfLines(tx)
  const { breaks } = await verifyBooksOf(tx, books, new Directory(), { days, now })
  return { books, breaks }
}

function refuse(breaks: readonly string[]): void {
  if (breaks.length === 0) return
  const first = breaks.slice(0, reportedMax).join('; ')
  throw new Error(
    `The records do not hold (${breaks.length} ${breaks.length === 1 ? 'break' : 'breaks'}): ${first}`,
  )
}

function sum(firms: readonly { readonly rows: number }[]): number {
  return firms.reduce((total, { rows }) => total + rows, 0)
}
