/**
 * Gives an application the entitlements that its approved agreements complete, before the rules check it again. The
 * firm's event and the audit trail name the changed fields (decision 238).
 */
import { completeEntitlements, type OnboardingState } from '@clearing/domain'
import type { Tx } from '../database/transaction.ts'
import type { FirmKeys } from '../encryption/keyring.ts'
import { type Account, amendAccountRecord, lockAccountRow } from '../store/accounts.ts'
import { writeAuditRow } from '../store/audit.ts'
import { writeEvent } from '../store/events.ts'
import type { Acting } from './advance-onboarding.ts'

/** The account with what was added. */
export async function withAgreedEntitlements(
  tx: Tx,
  account: Account,
  { followUps }: OnboardingState,
  { keys, now, actor, traceId }: { readonly keys: FirmKeys } & Pick<Acting, 'now' | 'actor' | 'traceId'>,
): Promise<Account> {
  const { accountNumber, firmId } = account
  if (completeEntitlements(account.record, followUps).changes.length === 0) return account
  const locked = await lockAccountRow(tx, accountNumber, keys)
  if (locked === undefined) throw new Error(`account ${accountNumber} has an onboarding but no row`)
  const { amended, changes } = completeEntitlements(locked.record, followUps)
  const action = 'onboarding.agreement-approved'
  const by = { actor, operation: action, traceId }
  amendAccountRecord(tx, locked, { record: amended, accountName: locked.accountName, at: now, by }, keys)
  const version = locked.version + 1
  const content = { version, fields: changes.map(({ field }) => field) }
  writeEvent(tx, { firmId, accountNumber, type: 'account.updated', at: now, traceId, content })
  writeAuditRow(tx, { firmId, at: now, actor, action, accountNumber, traceId, detail: { fields: changes } })
  return { ...locked, record: amended, version }
}
