/** Rescreening of all open accounts against a changed watch list: its progress and the matches found. */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

export interface Rescreening {
  readonly rescreening_id: string
  readonly list_name: string
  readonly list_version: string
  /** Ids of new and changed entries. */
  readonly gained: string[]
  /** The last screened account. */
  readonly after_account: string
  readonly accounts: number
  readonly matches: number
  readonly restricted: number
  readonly started_by: string
  readonly ended_at: string | null
  readonly trace_id: string
}

const columns =
  'rescreening_id, list_name, list_version, gained, after_account, accounts, matches, restricted, started_by, ended_at, trace_id'

const insertRescreening = statement(
  'insert-rescreening',
  `insert into clearing.rescreening (rescreening_id, list_name, list_version, gained, started_by, started_at, trace_id, accounts_in_all)
   select $1, $2, $3, $4, $5, $6, $7, count(*) from clearing.account where status in ('Open', 'Restricted')`,
)
export function writeRescreening(
  tx: Tx,
  started: {
    readonly rescreeningId: string
    readonly listName: string
    readonly listVersion: string
    readonly gained: readonly string[]
    readonly by: string
    readonly at: Date
    readonly traceId: string
  },
): void {
  tx.later(insertRescreening, [
    started.rescreeningId,
    started.listName,
    started.listVersion,
    started.gained,
    started.by,
    started.at,
    started.traceId,
  ])
}

const selectRescreening = statement<Rescreening>(
  'select-rescreening',
  `select ${columns} from clearing.rescreening where rescreening_id = $1`,
)
const lockRescreening = statement<Rescreening>(
  'lock-rescreening',
  `select ${columns} from clearing.rescreening where rescreening_id = $1 for update`,
)
export function readRescreening(tx: Tx, rescreeningId: string): Promise<Rescreening | undefined> {
  return tx.row(selectRescreening, [rescreeningId])
}
export function lockRescreeningRow(tx: Tx, rescreeningId: string): Promise<Rescreening | undefined> {
  return tx.row(lockRescreening, [rescreeningId])
}

const updateRescreening = statement(
  'update-rescreening',
  `update clearing.rescreening set after_account = $2, accounts = $3, matches = $4, restricted = $5, ended_at = $6
   where rescreening_id = $1`,
)
export function writeRescreened(
  tx: Tx,
  { rescreening_id, after_account, accounts, matches, restricted }: Rescreening,
  endedAt: Date | null,
): void {
  tx.later(updateRescreening, [rescreening_id, after_account, accounts, matches, restricted, endedAt])
}

const selectAny = statement<{ running: boolean }>(
  'select-any-rescreening',
  'select exists (select from clearing.rescreening where ended_at is null) as running',
)
/** Whether open accounts are being compared with a changed list. */
export async function isAnyRescreening(tx: Tx): Promise<boolean> {
  return (await tx.row(selectAny))?.running === true
}
