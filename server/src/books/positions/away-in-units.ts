/** Reports of other custodians from before a split, in the units of the view (decision 245). */
import { renderDecimal } from '@clearing/domain/decimal'
import { carryQuantity } from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import { decimalOfColumn } from '../../store/books/bulk.ts'
import type { HeldAwayRow } from '../../store/books/positions.ts'
import { readUnitChanges } from '../../store/books/prices/counting-unit-changes.ts'
import type { ViewOfPrices } from '../../store/books/prices/last-price.ts'

/** A report, in the units of the view. */
export interface AwayRow extends HeldAwayRow {
  readonly converted?: true
}

/** The prices of the same view count in the units after the changes. */
export async function inUnitsOfView(
  tx: Tx,
  away: readonly HeldAwayRow[],
  view: ViewOfPrices,
): Promise<AwayRow[]> {
  const secNos = [...new Set(away.map(({ sec_no }) => String(sec_no)))]
  if (secNos.length === 0) return []
  const changes = await readUnitChanges(tx, secNos, view)
  return away.map((row) => {
    const reported = decimalOfColumn(row.quantity)
    const quantity = carryQuantity(String(row.sec_no), reported, changes, row.as_of)
    return quantity === reported ? row : { ...row, quantity: renderDecimal(quantity), converted: true }
  })
}
