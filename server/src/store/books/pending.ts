/** Lines of activity that wait for their trade date. */
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { insertRows, Rows } from './bulk.ts'

export interface PendingLine {
  readonly firmId: string
  readonly externalId: string
  readonly accountNumber: string
  readonly tradeDate: string
  /** The line as it was received, as JSON. */
  readonly content: string
}

/** The fault when two concurrent loads insert a line with the same id. */
export const pendingKept = 'pending_line_pkey'

const columns = `firm_id as "firmId", external_id as "externalId", account_number as "accountNumber", trade_date as "tradeDate", content`
const selectOfFirms = statement<PendingLine>(
  'select-pending-lines-of-firms',
  `select ${columns} from clearing.pending_line where firm_id = any ($1)`,
)
const selectDue = statement<PendingLine & { readonly loadId: string; readonly line: bigint }>(
  'select-due-lines',
  `select ${columns}, load_id as "loadId", line from clearing.pending_line
   where trade_date <= $1 and (load_id, line) > ($2, $3) order by load_id, line limit $4`,
)
const selectAnyDue = statement<{ due: boolean }>(
  'select-any-due-line',
  'select exists (select from clearing.pending_line where trade_date <= $1) as due',
)
const selectPage = statement<PendingLine & { readonly loadId: string }>(
  'select-page-of-pending-lines',
  `select ${columns}, load_id as "loadId" from clearing.pending_line
   where ($1::text is null or account_number = $1) and (trade_date, account_number, external_id) > ($2, $3, $4)
   order by pending_line.trade_date, pending_line.account_number, pending_line.external_id limit $5`,
)
const insertPending = insertRows('insert-pending-lines', 'pending_line')
const deletePending = statement(
  'delete-pending-lines',
  `delete from clearing.pending_line using unnest($1::uuid[], $2::text[]) as named (firm_id, external_id)
   where pending_line.firm_id = named.firm_id and pending_line.external_id = named.external_id`,
)

/** All pending lines of some firms. */
export function readPending(tx: Tx, firmIds: readonly string[]): Promise<PendingLine[]> {
  return tx.rows(selectOfFirms, [firmIds])
}

export type PendingPlace = readonly [countsFrom: string, accountNumber: string, externalId: string]

/**
 * Pending lines after a position, of one account or of all accounts that the caller may see, in the order of
 * their days.
 */
export function readPendingPage(
  tx: Tx,
  accountNumber: string | undefined,
  {
    after = ['0001-01-01', '', ''],
    most,
  }: { readonly after: PendingPlace | undefined; readonly most: number },
): Promise<(PendingLine & { readonly loadId: string })[]> {
  return tx.rows(selectPage, [accountNumber ?? null, ...after, most])
}

export function putPending(
  tx: Tx,
  loadId: string,
  lines: readonly (PendingLine & { readonly source: number })[],
): void {
  if (lines.length === 0) return
  const rows = new Rows()
  for (const { firmId, externalId, accountNumber, tradeDate, source, content } of lines)
    rows.add(firmId, externalId, accountNumber, tradeDate, loadId, source, content)
  tx.later(insertPending, [rows.bytes()])
}

export type DuePosition = readonly [loadId: string, line: bigint]
export const firstPosition: DuePosition = ['00000000-0000-0000-0000-000000000000', 0n]

/** Lines whose day has come, in the order of arrival. */
export async function readDue(
  tx: Tx,
  day: string,
  after: DuePosition,
  most: number,
): Promise<{ readonly lines: PendingLine[]; readonly last: DuePosition | undefined }> {
  const lines = await tx.rows(selectDue, [day, ...after, most])
  const last = lines.at(-1)
  return { lines, last: last && [last.loadId, last.line] }
}

export async function isAnyDue(tx: Tx, day: string): Promise<boolean> {
  return (await tx.row(selectAnyDue, [day]))?.due === true
}

export function removePending(
  tx: Tx,
  lines: readonly { readonly firmId: string; readonly externalId: string }[],
): void {
  tx.later(deletePending, [lines.map(({ firmId }) => firmId), lines.map(({ externalId }) => externalId)])
}
