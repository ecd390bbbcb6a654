/** The audit trail: each write leaves a row in the hash chain of the firm it concerns, in its own transaction. */
import { statement } from '../database/statement.ts'
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
  /** What changed; personal numbers only masked. */
  readonly detail: unknown
}

const appendAudit = statement('append-audit', 'select clearing.append_audit($1, $2, $3, $4, $5, $6, $7, $8)')

/** Appended last in a transaction, wherever it is asked for: it locks the head of the firm's chain until COMMIT. */
export const writeAuditRow = (tx: Tx, row: AuditRow): void => {
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

const appendAuditRows = statement(
  'append-audit-rows',
  'select clearing.append_audit_rows($1, $2, $3, $4, $5, $6, $7, $8)',
)

/** Several rows of one firm, in their order; appended last, like one. */
export const writeAuditRows = (tx: Tx, firmId: string, rows: readonly Omit<AuditRow, 'firmId'>[]): void => {
  if (rows.length === 0) return
  tx.last(appendAuditRows, [
    firmId,
    rows.map(({ at }) => at),
    rows.map(({ actor }) => actor),
    rows.map(({ action }) => action),
    rows.map(({ accountNumber }) => accountNumber ?? ''),
    rows.map(({ target }) => target ?? ''),
    rows.map(({ traceId }) => traceId),
    rows.map(({ detail }) => JSON.stringify(detail)),
  ])
}

/** The audit row of an operation that a caller asked for. `firmId` when it concerns another firm than the caller's own. */
export const writeAudit = (
  context: {
    readonly tx: Tx
    readonly firm: { readonly firmId: string }
    readonly caller: { readonly clientId: string }
    readonly now: Date
    readonly traceId: string
  },
  row: { action: string; target?: string; accountNumber?: string; changes: unknown; firmId?: string },
): void =>
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

export interface ChainRow {
  firm_id: string
  sequence: string
  previous_hash: Buffer
  hash: Buffer
  computed_hash: Buffer
}

export interface ChainHead {
  firm_id: string
  sequence: string
  hash: Buffer
}

export const selectChainHeads = statement<ChainHead>(
  'select-chain-heads',
  'select firm_id, sequence, hash from clearing.audit_head where $1::uuid is null or firm_id = $1 order by firm_id',
)

/** A firm's rows in order, each with the hash that its content gives. */
export const selectChain = statement<ChainRow>(
  'select-chain',
  `select firm_id, sequence, previous_hash, hash,
     sha256(clearing.audit_bytes(
       firm_id, sequence, at, actor, action, account_number, target, trace_id, detail, previous_hash)) as computed_hash
   from clearing.audit where firm_id = $1 order by sequence`,
)
