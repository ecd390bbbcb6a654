/** The audit trail: each write appends a row to the hash chain of the firm that it concerns, in its own transaction. */
import type { AuditRow as ChainRow } from '@clearing/protocol/audit'
import { confirmed, statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

export interface AuditRow {
  readonly firmId: string
  readonly at: Date
  /** The credential or person who acted, or the service itself. */
  readonly actor: string
  /** The operation, or the step of the service. */
  readonly action: string
  readonly accountNumber?: string
  readonly target?: string
  readonly traceId: string
  /** The change; personal numbers are masked. */
  readonly detail: unknown
}

const appendAudit = statement('append-audit', 'select clearing.append_audit($1, $2, $3, $4, $5, $6, $7, $8)')

/** The row is appended at the end of the transaction, because it locks the head of the firm's chain until COMMIT. */
export function writeAuditRow(tx: Tx, row: AuditRow): void {
  tx.last(appendAudit, [
    row.firmId,
    row.at,
    row.actor,
    row.action,
    row.accountNumber ?? '',
    row.target ?? '',
    row.traceId,
    JSON.stringify(row.detail),
  ])
}

/** The caller of an operation, its time and its transaction. */
export interface AuditContext {
  readonly tx: Tx
  readonly firm: { readonly firmId: string }
  readonly caller: { readonly clientId: string }
  readonly now: Date
  readonly traceId: string
}

/**
 * Writes the audit row of an operation that a caller requested. `firmId` is given when the operation concerns
 * a firm other than the caller's own.
 */
export function writeAudit(
  context: AuditContext,
  row: { action: string; target?: string; accountNumber?: string; changes: unknown; firmId?: string },
): void {
  writeAuditRow(context.tx, {
    firmId: row.firmId ?? context.firm.firmId,
    at: context.now,
    actor: context.caller.clientId,
    action: row.action,
    ...(row.target ? { target: row.target } : {}),
    ...(row.accountNumber ? { accountNumber: row.accountNumber } : {}),
    traceId: context.traceId,
    detail: row.changes,
  })
}

const selectActor = statement<{ actor: string; detail: string }>(
  'select-actor-of-action',
  `select actor, detail from clearing.audit
   where firm_id = $1 and account_number = $2 and action = $3 and target = $4
   order by sequence desc limit 1`,
)

/** Who performed an action last on a document or a follow-up of an account, and with which reason. */
export async function readActor(
  tx: Tx,
  of: { readonly firmId: string; readonly accountNumber: string },
  action: 'add-document' | 'waive-follow-up',
  target: string,
): Promise<{ readonly actor: string; readonly reason: string } | undefined> {
  const row = await tx.row(selectActor, [of.firmId, of.accountNumber, action, target])
  return row === undefined ? undefined : { actor: row.actor, reason: JSON.parse(row.detail).reason ?? '' }
}

/** A firm with the stored head of its chain; null without a head. */
export interface StoredChain {
  readonly firm_id: string
  /** Whether the firm exists. */
  readonly known: boolean
  readonly sequence: bigint | null
  readonly hash: Buffer | null
}

// The firms of the table, and every other chain that has a head or rows. The statement steps through the
// index of the rows from firm to firm.
const selectChains = confirmed(
  statement<StoredChain>(
    'select-chains',
    `with recursive chained as (
     (select firm_id as firm from clearing.audit order by firm_id limit 1)
     union all
     select (select firm_id from clearing.audit where firm_id > firm order by firm_id limit 1) from chained where firm is not null
   ), found as (
     select firm_id from clearing.firm
     union select firm_id from clearing.audit_head
     union select firm from chained where firm is not null
   )
   select firm_id, firm.name is not null as known, head.sequence, head.hash
   from found left join clearing.firm using (firm_id) left join clearing.audit_head as head using (firm_id)
   order by firm_id`,
  ),
)

/** A row of the audit trail as the database returns it. */
export interface StoredAuditRow {
  readonly firm_id: string
  readonly sequence: bigint
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly account_number: string
  readonly target: string
  readonly trace_id: string
  readonly detail: string
  readonly previous_hash: Buffer
  readonly hash: Buffer
}

const selectChain = confirmed(
  statement<StoredAuditRow>(
    'select-chain',
    `select firm_id, sequence, at, actor, action, account_number, target, trace_id, detail, previous_hash, hash
   from clearing.audit where firm_id = $1 and sequence > $2 order by sequence`,
  ),
)
const selectHashes = statement<{ firm_id: string; sequence: bigint; hash: Buffer }>(
  'select-hashes-of-rows',
  `select firm_id, sequence, hash from clearing.audit
   join unnest($1::uuid[], $2::bigint[]) as wanted (firm_id, sequence) using (firm_id, sequence)`,
)

const chainPageRowsMax = 2_000

/** Every firm, and every chain whose firm no longer exists. */
export function readChains(tx: Tx): Promise<StoredChain[]> {
  return tx.rows(selectChains)
}

/** A firm's rows after a position of its chain, in order. Memory does not grow with the number of rows. */
export async function* eachChainRow(tx: Tx, firmId: string, after: number): AsyncGenerator<ChainRow[]> {
  for await (const page of tx.pages(selectChain, [firmId, after], chainPageRowsMax)) {
    yield page.map(parseChainRow)
  }
}

function parseChainRow(row: StoredAuditRow): ChainRow {
  return {
    firmId: row.firm_id,
    sequence: Number(row.sequence),
    at: row.at,
    actor: row.actor,
    action: row.action,
    accountNumber: row.account_number,
    target: row.target,
    traceId: row.trace_id,
    detail: row.detail,
    previousHash: row.previous_hash.toString('hex'),
    hash: row.hash.toString('hex'),
  }
}

/** The hashes of single rows, in hexadecimal, by `${firmId} ${sequence}`. */
export async function readRowHashes(
  tx: Tx,
  places: readonly { readonly firmId: string; readonly sequence: number }[],
): Promise<Map<string, string>> {
  const wanted = [places.map(({ firmId }) => firmId), places.map(({ sequence }) => sequence)]
  const rows = await tx.rows(selectHashes, wanted)
  return new Map(rows.map(({ firm_id, sequence, hash }) => [`${firm_id} ${sequence}`, hash.toString('hex')]))
}
