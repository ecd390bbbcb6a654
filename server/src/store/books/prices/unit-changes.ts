/**
 * Lines that changed the units of a security, such as splits, or moved a position to another security. A price from
 * before such a line is of other units (decision 245).
 */
import type { ReportedUnits } from '@clearing/domain/books'
import { renderDecimal } from '@clearing/domain/decimal'
import { statement } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { dayOf } from '../../conditions.ts'
import { insertRows, Rows } from '../bulk.ts'
import { isKnown } from '../known.ts'

export interface ReportedUnitChange extends ReportedUnits {
  readonly firmId: string
  readonly externalId: string
}

const insertChanges = insertRows('insert-unit-changes', 'unit_change', 'on conflict do nothing')
const cancelChanges = statement(
  'cancel-unit-changes',
  `update clearing.unit_change set cancelled_on = $3 from unnest($1::uuid[], $2::text[]) as named (firm_id, external_id)
   where unit_change.firm_id = named.firm_id and unit_change.external_id = named.external_id and cancelled_on is null`,
)

export function noteUnitChanges(tx: Tx, changes: readonly ReportedUnitChange[], enteredOn: string): void {
  if (changes.length === 0) return
  const rows = new Rows()
  for (const { firmId, externalId, from, to, day, received, held, isStated, isMerger } of changes) {
    const ratio = [renderDecimal(received), renderDecimal(held)] as const
    rows.add(firmId, externalId, from, to, day, ...ratio, isStated, isMerger, enteredOn, null)
  }
  tx.later(insertChanges, [rows.bytes()])
}

/** The changes of cancelled lines no longer count, and still count at the closes that knew them. */
export function cancelUnitChanges(
  tx: Tx,
  lines: readonly { readonly firmId: string; readonly externalId: string }[],
  businessDate: string,
): void {
  if (lines.length === 0) return
  const firms = lines.map(({ firmId }) => firmId)
  const ids = lines.map(({ externalId }) => externalId)
  tx.later(cancelChanges, [firms, ids, businessDate])
}

/** A view of the changes, as SQL: the last day that counts, and the close until which facts are known; null for all. */
export interface ViewOfChanges {
  readonly day: string
  readonly knownOn: string
}

/** The SQL condition for a change that counts in a view. */
export function changeCounts({ day, knownOn }: ViewOfChanges): string {
  return `(${day}::date is null or effective_on <= ${day}::date) and ${isKnown(knownOn)}
     and (cancelled_on is null or cancelled_on > ${knownOn}::date)`
}

/**
 * The SQL condition that the units of a security changed after its last price, whose time is null without one. A merger
 * into a security that has a price does not change its units.
 */
export function unitsChanged(security: string, pricedAt: string, view: ViewOfChanges): string {
  return `exists (select from clearing.unit_change where to_sec_no = ${security}
     and effective_on > coalesce(${dayOf(pricedAt)}, '-infinity')
     and (${pricedAt} is null or not is_merger) and (sec_no <> to_sec_no or received <> held) and ${changeCounts(view)})`
}
