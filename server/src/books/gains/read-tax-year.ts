/** The rows of Form 8949 of a year, as they come to be whole. */
import type { SaleRow, TaxYear } from '@clearing/domain/tax'
import type { Tx } from '../../database/transaction.ts'
import type { View } from '../positions/view.ts'
import { readGains } from './read-gains.ts'

/** The first and the last day of a year. */
function daysOfYear(year: number) {
  return { dateFrom: `${year}-01-01`, dateTo: `${year}-12-31` }
}

/** Reads the gains of a year into `sums`, whose totals are right when all is read. */
export async function* readTaxYear(
  tx: Tx,
  accountNumber: string,
  view: View,
  { year, sums }: { readonly year: number; readonly sums: TaxYear },
): AsyncGenerator<SaleRow[]> {
  for await (const gains of readGains(tx, accountNumber, view, daysOfYear(year)))
    yield gains.flatMap(({ gain, security }) => sums.add(gain, security))
  yield sums.end()
}
