/** The state of knowledge about an account at the close of a business day. */
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'

/** The facts and lines that were entered until the close of a day. */
export interface Known {
  /** The day that was closed. */
  readonly on: string
  /** When its close began. */
  readonly startedAt: string
  /** The sequence of the account's last line then. */
  readonly lines: number
}

const selectKnown = statement<{ close_date: string; started_at: string; lines: bigint }>(
  'select-known-at-close',
  'select close_date, started_at, lines from clearing.known_at_close($1, $2)',
)

/** The state of knowledge at the close to which the day belongs; undefined for a day before the first close. */
export async function readKnownAt(tx: Tx, accountNumber: string, day: string): Promise<Known | undefined> {
  const row = await tx.row(selectKnown, [accountNumber, day])
  return row && { on: row.close_date, startedAt: row.started_at, lines: Number(row.lines) }
}

/**
 * The SQL condition for a fact that counts in a view of the books. `day` is the close until which facts are known; null
 * for all.
 */
export function isKnown(day: string, fact = ''): string {
  return `(${day}::date is null or ${fact}entered_on is null or ${fact}entered_on <= ${day}::date)`
}
