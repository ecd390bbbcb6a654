/** The rows of Form 8949 for a year, in pages. */
import {
  dateSold,
  type ExemptRecipient,
  exemptRecipientOf,
  isExercise,
  type SaleRow,
  type TaxYear,
} from '@clearing/domain/tax'
import type { Tx } from '../../database/transaction.ts'
import { findDeliveries } from '../../store/books/lines.ts'
import type { View } from '../positions/view.ts'
import { type KnownGain, readGains } from './read-gains.ts'

/** The first and the last day of a year. */
function daysOfYear(year: number) {
  return { dateFrom: `${year}-01-01`, dateTo: `${year}-12-31` }
}

const none: ReadonlySet<string> = new Set()

/** What decides which sales of an account have a Form 1099-B. */
export function recipientOf({ account }: View): ExemptRecipient {
  return exemptRecipientOf(account.registration_type)
}

/** Reads the gains of a year and adds them to `sums`. The totals are complete when everything was read. */
export async function* readTaxYear(
  tx: Tx,
  accountNumber: string,
  view: View,
  { year, sums }: { readonly year: number; readonly sums: TaxYear },
): AsyncGenerator<SaleRow[]> {
  if (recipientOf(view).isWhole) return
  const days = daysOfYear(year)
  for await (const page of byDateSold(readGains(tx, accountNumber, view, { ...days, orSettled: true }))) {
    const gains = page.filter((known) => soldOn(known) >= days.dateFrom && soldOn(known) <= days.dateTo)
    const exercises = gains.filter(({ gain }) => isExercise(gain.closing))
    const lineIds = exercises.map(({ gain }) => gain.closing.lineId)
    const delivering = lineIds.length === 0 ? none : await findDeliveries(tx, accountNumber, lineIds)
    yield gains.flatMap(({ gain, security }) => sums.add(gain, security, delivering.has(gain.closing.lineId)))
  }
  yield sums.end()
}

function soldOn({ gain, security }: KnownGain): string {
  return dateSold(gain, security)
}

/**
 * Reorders pages that are in order of the closing date. A short sale waits until all gains before its delivery were
 * read.
 */
async function* byDateSold(pages: AsyncIterable<KnownGain[]>): AsyncGenerator<KnownGain[]> {
  let waiting: KnownGain[] = []
  for await (const page of pages) {
    const read = page.at(-1)?.gain.closing.closeDate ?? ''
    const gains = [...waiting, ...page].sort((a, b) => compareTexts(soldOn(a), soldOn(b)))
    yield gains.filter((known) => soldOn(known) <= read)
    waiting = gains.filter((known) => soldOn(known) > read)
  }
  yield waiting
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
