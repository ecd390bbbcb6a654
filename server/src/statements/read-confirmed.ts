/**
 * The lines of a day for its confirmation: trades, and exercises and assignments of options with the option and what it
 * delivered. A feed may state a later process date. A transaction is confirmed before it settles (17 CFR
 * 240.10b-10(a)), so its entry counts.
 */
import { readAmounts } from '../books/positions/moved-amounts.ts'
import type { View } from '../books/positions/view.ts'
import type { Tx } from '../database/transaction.ts'
import { pageConfirmed } from '../store/books/activity.ts'
import { findKnownSecurities } from '../store/books/known-securities.ts'
import type { SecurityRow } from '../store/books/securities.ts'
import { type BookedLine, bookedLine, pageRows } from './read-booked.ts'

export interface ConfirmedLine extends BookedLine {
  /** The option of an exercise or assignment. */
  readonly option?: SecurityRow
  /** Absent if the option was settled in cash. */
  readonly delivered?: SecurityRow
}

export async function readConfirmed(
  tx: Tx,
  accountNumber: string,
  day: string,
  { known, day: until }: View,
): Promise<ConfirmedLine[]> {
  const lines = known?.lines ?? null
  const pages = { accountNumber, day, lines, knownOn: known?.on ?? null, until }
  const confirmed: ConfirmedLine[] = []
  for await (const rows of pageConfirmed(tx, pages, pageRows)) {
    const outcomes = rows.filter(({ trans_type }) => trans_type !== 'Trade')
    const named = new Set(outcomes.flatMap(({ sec_no, to_sec_no }) => [sec_no, to_sec_no ?? sec_no]))
    const found =
      named.size === 0
        ? []
        : await findKnownSecurities(tx, { secNo: [...named].map(String), symbol: [] }, known?.on)
    const securities = new Map(found.map((security) => [security.sec_no, security]))
    for (const line of await readAmounts(tx, rows, { accountNumber, lines })) {
      const { trans_type, sec_no, to_sec_no } = line.row
      const option = trans_type === 'Trade' ? undefined : securities.get(sec_no)
      const delivered = option && to_sec_no !== null ? securities.get(to_sec_no) : undefined
      confirmed.push({ ...bookedLine(line), ...(option && { option }), ...(delivered && { delivered }) })
    }
  }
  return confirmed
}
