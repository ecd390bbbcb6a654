/** Corporate actions that lines reported. Each close looks for holders without a line of the action. */
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { insertRows, Rows } from './bulk.ts'

export interface ReportedAction {
  readonly secNo: string
  readonly transType: string
  readonly effectiveDate: string
  readonly firmId: string
  readonly externalId: string
}

const insertActions = insertRows(
  'insert-corporate-actions',
  'corporate_action',
  'on conflict (sec_no, trans_type, effective_date) do nothing',
)
const deleteActions = statement(
  'delete-corporate-actions',
  `delete from clearing.corporate_action using unnest($1::uuid[], $2::text[]) as named (firm_id, external_id)
   where corporate_action.firm_id = named.firm_id and corporate_action.external_id = named.external_id`,
)

/** Rows are written in one order, so that concurrent loads do not deadlock. */
export function noteActions(tx: Tx, actions: readonly ReportedAction[], enteredOn: string): void {
  if (actions.length === 0) return
  const byName = new Map<string, ReportedAction>()
  for (const action of actions) {
    const name = `${action.secNo} ${action.transType} ${action.effectiveDate}`
    if (!byName.has(name)) byName.set(name, action)
  }
  const rows = new Rows()
  for (const [, action] of [...byName].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { secNo, transType, effectiveDate, firmId, externalId } = action
    rows.add(secNo, transType, effectiveDate, firmId, externalId, enteredOn)
  }
  tx.later(insertActions, [rows.bytes()])
}

/** Cancelled lines report no action. */
export function forgetActions(
  tx: Tx,
  lines: readonly { readonly firmId: string; readonly externalId: string }[],
): void {
  if (lines.length === 0) return
  tx.later(deleteActions, [lines.map(({ firmId }) => firmId), lines.map(({ externalId }) => externalId)])
}
