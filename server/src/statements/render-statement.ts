/** A version of a statement or confirmation, as responses have it. */
import type { StatementRow } from '../store/statements.ts'

export function renderStatement(row: StatementRow) {
  return {
    accountNumber: row.account_number,
    kind: row.kind,
    periodFrom: row.period_from,
    periodTo: row.period_to,
    version: row.version,
    delivery: row.delivery,
    madeBy: row.made_by,
    madeOn: row.made_at,
    digest: row.digest.toString('hex'),
  }
}
