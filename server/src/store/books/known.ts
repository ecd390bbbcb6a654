/** What was known of an account when a business day was closed. */
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'

/** Facts that were entered until the close of a day, and the lines until then. */
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

/** What was known at the close that the day belongs to; undefined for a day before the first close. */
export async function readKnownAt(tx: Tx, accountNumber: string, day: string): Promise<Known | undefined> {
  const row = await tx.row(selectKnown, [accountNumber, day])
  return row && { on: row.close_date, startedAt: row.started_at, lines: Number(row.lines) }
}

/** Whether a fact counts in a view of the books: `day` is the close until which facts are known, null for all. */
export function isKnown(day: string, fact = ''): string {
  return `(${day}::date is null or ${fact}entered_on is null or ${fact}entered_on <= ${day}::date)`
}
