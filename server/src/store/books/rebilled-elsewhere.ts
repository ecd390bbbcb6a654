/** Rebills in another account than the line that they correct: what became of that line, and the breaks that end. */
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'

/** A line of another account of the firm. */
export interface LineElsewhere {
  readonly accountNumber: string
  readonly isCancelled: boolean
}

const isCancelled = `exists (
    select from clearing.correction as taken where taken.account_number = key.account_number
      and taken.tag_no = key.external_id and taken.correction = 'C'
  )`
const selectElsewhere = statement<{
  external_id: string
  account_number: string
  is_cancelled: boolean
}>(
  'select-lines-elsewhere',
  `select key.external_id, key.account_number, ${isCancelled} as is_cancelled from clearing.activity_key as key
   where key.firm_id = $1 and key.external_id = any ($2) and key.account_number <> $3`,
)

/** The lines with these ids in other accounts of the firm, by id. */
export async function readLinesElsewhere(
  tx: Tx,
  { firmId, accountNumber }: { readonly firmId: string; readonly accountNumber: string },
  externalIds: readonly string[],
): Promise<Map<string, LineElsewhere>> {
  if (externalIds.length === 0) return new Map()
  const rows = await tx.rows(selectElsewhere, [firmId, externalIds, accountNumber])
  return new Map(
    rows.map((row) => [
      row.external_id,
      { accountNumber: row.account_number, isCancelled: row.is_cancelled },
    ]),
  )
}

const rebillKinds = "kind in ('UnknownOriginal', 'RebillWithoutCancel')"
/** The SQL condition for a break `open` of a rebill whose original is a cancelled line of another account. */
export const isRebilledElsewhere = `open.${rebillKinds} and exists (
    select from clearing.activity_key as own
    join clearing.activity as rebill on rebill.account_number = own.account_number
      and rebill.process_date = own.process_date and rebill.sequence = own.sequence
    join clearing.activity_key as key on key.firm_id = own.firm_id and key.external_id = rebill.tag_no
      and key.account_number <> own.account_number
    where own.firm_id = open.firm_id and own.external_id = open.external_id and rebill.correction = 'R' and ${isCancelled}
  )`
const resolveElsewhere = statement(
  'resolve-breaks-of-rebills-elsewhere',
  `update clearing.books_break as open set resolved_at = $2
   where open.firm_id = any ($1) and open.resolved_at is null and ${isRebilledElsewhere}`,
)

/** Resolves the breaks of rebills whose originals are cancelled in another account. */
export function resolveRebilledElsewhere(tx: Tx, firmIds: readonly string[], at: Date): void {
  if (firmIds.length > 0) tx.later(resolveElsewhere, [firmIds, at])
}
