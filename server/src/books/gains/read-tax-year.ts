/** The rows of Form 8949 for a year, in pages. */
import { isExercise, type SaleRow, type TaxYear } from '@clearing/domain/tax'
import type { Tx } from '../../database/transaction.ts'
import { findDeliveries } from '../../store/books/lines.ts'
import type { View } from '../positions/view.ts'
import { readGains } from './read-gains.ts'

/** The first and the last day of a year. */
function daysOfYear(year: number) {
  return { dateFrom: `${year}-01-01`, dateTo: `${year}-12-31` }
}

const none: ReadonlySet<string> = new Set()

/** Reads the gains of a year and adds them to `sums`. The totals are complete when everything was read. */
export async function* readTaxYear(
  tx: Tx,
  accountNumber: string,
  view: View,
  { year, sums }: { readonly year: number; readonly sums: TaxYear },
): AsyncGenerator<SaleRow[]> {
  for await (const gains of readGains(tx, accountNumber, view, daysOfYear(year))) {
    const exercises = gains.filter(({ gain }) => isExercise(gain.closing))
    const lineIds = exercises.map(({ gain }) => gain.closing.lineId)
    const delivering = lineIds.length === 0 ? none : await findDeliveries(tx, accountNumber, lineIds)
    yield gains.flatMap(({ gain, security }) => sums.add(gain, security, delivering.has(gain.closing.lineId)))
  }
  yield sums.end()
}
