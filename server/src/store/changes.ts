/**
 * Changes that wait for a second person. The request is sealed; the changed fields are stored with personal
 * numbers masked.
 */
import type { ApprovalSubject, ChangeStage } from '@clearing/domain'
import { json, statement, unprepared } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { FirmKeys } from '../encryption/keyring.ts'
import { openText, seal } from '../encryption/seal.ts'
import { Conditions } from './conditions.ts'

export interface ChangedField {
  readonly field: string
  readonly before: string
  readonly after: string
}

export interface StoredChange {
  readonly change_id: string
  readonly firm_id: string
  readonly firm_name: string
  readonly account_number: string
  readonly operation: string
  readonly subjects: ApprovalSubject[]
  readonly state: 'Requested' | 'Approved' | 'Rejected' | 'Withdrawn'
  readonly fields: ChangedField[]
  readonly version: number | null
  readonly reason: string
  readonly requested_by: string
  readonly requested_at: string
  readonly decided_by: string | null
  readonly decided_at: string | null
  readonly decision_reason: string | null
  /** Whether a second person must approve. Otherwise the change waits only for its matches. */
  readonly approval_needed: boolean
  /** The second person, when the approval came before the matches were decided. */
  readonly approved_by: string | null
  readonly approved_at: string | null
  readonly approval_reason: string | null
  /** Customer ids of the persons that the change adds, in their order. */
  readonly customer_ids: string[] | null
  readonly open_matches: number
}

const columns = `change_id, change_request.firm_id, firm.name as firm_name, account_number, operation, subjects, state, fields, version,
  reason, requested_by, requested_at, decided_by, decided_at, decision_reason, approval_needed, approved_by, approved_at,
  approval_reason, customer_ids,
  (select count(*)::integer from clearing.screening_match
    where screening_match.account_number = change_request.account_number and screening_match.change_id = change_request.change_id
      and decision = 'Open' and dropped_at is null) as open_matches`
const joined = 'clearing.change_request join clearing.firm using (firm_id)'

const insertChange = statement(
  'insert-change-request',
  `insert into clearing.change_request
     (change_id, firm_id, account_number, operation, subjects, request, fields, version, reason, requested_by, requested_at, trace_id,
      approval_needed, customer_ids)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
)
const selectChange = statement<StoredChange>(
  'select-change-request',
  `select ${columns} from ${joined} where change_id = $1`,
)
const lockChange = statement<{ request: Buffer }>(
  'lock-change-request',
  'select request from clearing.change_request where change_id = $1 for update',
)
const selectWaiting = statement<{ change_id: string }>(
  'select-waiting-changes-of-account',
  `select change_id from clearing.change_request
   where account_number = $1 and state = 'Requested' and operation <> 'decide-match' order by change_id`,
)
const selectWaitingUpdates = statement<StoredChange & { request: Buffer }>(
  'select-waiting-updates-of-account',
  `select ${columns}, request from ${joined}
   where account_number = $1 and state = 'Requested' and operation = $2 order by change_id`,
)
const decide = statement(
  'decide-change-request',
  `update clearing.change_request set state = $2, decided_by = $3, decided_at = $4, decision_reason = $5
   where change_id = $1 and state = 'Requested'`,
)
const approve = statement(
  'approve-change-request',
  `update clearing.change_request set approved_by = $2, approved_at = $3, approval_reason = $4
   where change_id = $1 and state = 'Requested' and approved_by is null`,
)

function place(firm: string, changeId: string) {
  return {
    firm,
    table: 'change_request',
    column: 'request',
    row: changeId,
  }
}

export interface NewChange {
  readonly changeId: string
  readonly firmId: string
  readonly accountNumber: string
  readonly operation: string
  readonly subjects: readonly ApprovalSubject[]
  readonly request: unknown
  readonly fields: readonly ChangedField[]
  readonly version: number | null
  readonly reason: string
  readonly by: string
  readonly at: Date
  readonly traceId: string
  readonly approvalNeeded: boolean
  readonly customerIds: readonly string[] | null
}

/** Seals the request under the keys of the firm that it concerns. */
export function writeChange(tx: Tx, change: NewChange, keys: FirmKeys): void {
  tx.later(insertChange, [
    change.changeId,
    change.firmId,
    change.accountNumber,
    change.operation,
    change.subjects,
    seal(keys, JSON.stringify(change.request), place(change.firmId, change.changeId)),
    json(change.fields),
    change.version,
    change.reason,
    change.by,
    change.at,
    change.traceId,
    change.approvalNeeded,
    change.customerIds,
  ])
}

/** What the change waits for, or how it ended. */
export function stageOf({ state, approval_needed, approved_by }: StoredChange): ChangeStage {
  if (state !== 'Requested') return state
  return approval_needed && approved_by === null ? 'AwaitsPerson' : 'AwaitsMatches'
}

export function readChange(tx: Tx, changeId: string): Promise<StoredChange | undefined> {
  return tx.row(selectChange, [changeId])
}

/** The change with its row locked and its request still sealed. ARCHITECTURE.md has the order of locks. */
export async function lockChangeRow(
  tx: Tx,
  changeId: string,
): Promise<{ readonly change: StoredChange; readonly sealed: Buffer } | undefined> {
  const locked = await tx.row(lockChange, [changeId])
  const change = locked && (await readChange(tx, changeId))
  return locked && change && { change, sealed: locked.request }
}

/** The changes of an account that are not decided, without the clearances of matches. */
export async function readWaitingChangeIds(tx: Tx, accountNumber: string): Promise<string[]> {
  return (await tx.rows(selectWaiting, [accountNumber])).map(({ change_id }) => change_id)
}

/** The changes of an account's record that are not decided, the earliest first. Their rows are not locked. */
export async function readWaitingUpdates(
  tx: Tx,
  accountNumber: string,
  operation: 'update-account' | 'correct-identity' = 'update-account',
): Promise<{ readonly change: StoredChange; readonly sealed: Buffer }[]> {
  const rows = await tx.rows(selectWaitingUpdates, [accountNumber, operation])
  return rows.map(({ request, ...change }) => ({ change, sealed: request }))
}

export function openRequest(keys: FirmKeys, change: StoredChange, sealed: Buffer): unknown {
  return JSON.parse(openText(keys, sealed, place(change.firm_id, change.change_id)))
}

/** False if the change was decided in the meantime. */
export async function writeDecision(
  tx: Tx,
  changeId: string,
  decision: { state: 'Approved' | 'Rejected' | 'Withdrawn'; by: string; at: Date; reason: string },
): Promise<boolean> {
  return (await tx.run(decide, [changeId, decision.state, decision.by, decision.at, decision.reason])) === 1
}

/** Stores a second person's approval of a change whose matches are open. False if there is one already. */
export async function writeApproval(
  tx: Tx,
  changeId: string,
  approval: { by: string; at: Date; reason: string },
): Promise<boolean> {
  return (await tx.run(approve, [changeId, approval.by, approval.at, approval.reason])) === 1
}

export interface ChangeFilter {
  readonly state: string | undefined
  readonly firmId: string | undefined
  readonly accountNumber: string | undefined
  readonly requestedBy: string | undefined
  readonly changeId: string | undefined
}

/** Changes after a position, the newest first. */
export function findChanges(
  tx: Tx,
  filter: ChangeFilter,
  after: readonly [requestedAt: string, changeId: string] | undefined,
  most: number,
): Promise<StoredChange[]> {
  const c = new Conditions()
    .when(filter.state, (at) => `state = ${at}`)
    .when(filter.firmId, (at) => `change_request.firm_id = ${at}::uuid`)
    .when(filter.accountNumber, (at) => `account_number = ${at}`)
    .when(filter.requestedBy, (at) => `lower(requested_by) = lower(${at})`)
    .when(filter.changeId, (at) => `change_id = ${at}::uuid`)
  if (after !== undefined)
    c.and(`(requested_at, change_id) < (${c.bind(after[0])}::timestamptz, ${c.bind(after[1])}::uuid)`)
  return tx.rows(
    unprepared<StoredChange>(
      `select ${columns} from ${joined}${c.where()} order by requested_at desc, change_id desc limit ${most}`,
    ),
    c.values,
  )
}
