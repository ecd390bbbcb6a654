/** Extensions of the time to meet calls. */

import type { CallKind } from '@clearing/domain/market'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

export interface CallExtension {
  readonly accountNumber: string
  readonly kind: CallKind
  readonly issuedOn: string
  readonly until: string
  readonly dueBy: string
  readonly reason: string
  readonly grantedBy: string
  readonly grantedAt: string
}

interface ExtensionRow {
  readonly account_number: string
  readonly kind: CallKind
  readonly issued_on: string
  readonly until: string
  readonly due_by: string
  readonly reason: string
  readonly granted_by: string
  readonly granted_at: string
}

const selectOfAccounts = statement<ExtensionRow>(
  'select-call-extensions',
  `select account_number, kind, issued_on, until, due_by, reason, granted_by, granted_at from clearing.call_extension
   where account_number = any ($1) and ($2::date is null or entered_on <= $2) order by account_number, kind, issued_on, until`,
)
const insertExtension = statement(
  'insert-call-extension',
  `insert into clearing.call_extension (account_number, kind, issued_on, until, firm_id, due_by, reason, granted_by, granted_at, entered_on)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
)

/**
 * The extensions of some accounts, the earliest end first. With `knownOn`, only extensions that were known at
 * that close.
 */
export async function readExtensions(
  tx: Tx,
  accounts: readonly string[],
  knownOn: string | null,
): Promise<CallExtension[]> {
  if (accounts.length === 0) return []
  const rows = await tx.rows(selectOfAccounts, [accounts, knownOn])
  return rows.map((row) => ({
    accountNumber: row.account_number,
    kind: row.kind,
    issuedOn: row.issued_on,
    until: row.until,
    dueBy: row.due_by,
    reason: row.reason,
    grantedBy: row.granted_by,
    grantedAt: row.granted_at,
  }))
}

/** The extensions of one call. */
export function extensionsOf(
  extensions: readonly CallExtension[],
  call: Pick<CallExtension, 'accountNumber' | 'kind' | 'issuedOn'>,
): CallExtension[] {
  return extensions.filter(
    ({ accountNumber, kind, issuedOn }) =>
      accountNumber === call.accountNumber && kind === call.kind && issuedOn === call.issuedOn,
  )
}

export function writeExtension(
  tx: Tx,
  extension: CallExtension & { readonly firmId: string; readonly enteredOn: string },
): void {
  const { accountNumber, kind, issuedOn, until, firmId, dueBy, reason, grantedBy, grantedAt, enteredOn } =
    extension
  tx.later(insertExtension, [
    ...[accountNumber, kind, issuedOn, until, firmId, dueBy],
    ...[reason, grantedBy, grantedAt, enteredOn],
  ])
}
