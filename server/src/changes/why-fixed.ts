/**
 * Why the record of an account cannot be changed now: its status, or a restriction that suspends changes (Reading 3.2).
 * During a temporary hold, the trusted contacts can be recorded, after a second person has approved it (decision 326).
 */
import { type FieldChange, temporaryHoldCode } from '@clearing/domain'
import { type CodeOf, type Rejection, reject, suspendedBy } from '@clearing/protocol'
import type { Tx } from '../database/transaction.ts'
import type { Account } from '../store/accounts.ts'
import { readRestrictionsInForce } from '../store/restrictions.ts'

export interface Fixed {
  readonly why: Rejection
  /** Only a temporary hold suspends changes: the notice of the hold goes to the trusted contact. */
  readonly exceptContacts: boolean
}

export async function whatFixes(
  tx: Tx,
  { accountNumber, status }: Pick<Account, 'accountNumber' | 'status'>,
  field: string,
): Promise<Fixed | undefined> {
  const whole = (reason: string) => ({ why: reject('ERR.2011', field, reason), exceptContacts: false })
  if (status === 'Open') return undefined
  if (status === 'Pending')
    return whole('The account is Pending; it can be changed only while a follow-up asks for a field.')
  if (status !== 'Restricted') return whole(`The account is ${status}; only an Open account can be changed.`)
  const barring = (await readRestrictionsInForce(tx, accountNumber)).filter(({ code }) =>
    suspendedBy[code as CodeOf<'restrictionCode'>]?.includes('Changes'),
  )
  const other = barring.find(({ code }) => code !== temporaryHoldCode)
  if (other !== undefined) return whole(`The account is Restricted: ${other.code} suspends changes.`)
  if (barring.length === 0) return undefined
  const reason = `The account is Restricted: ${temporaryHoldCode} suspends changes, except of the trusted contact in a request of its own.`
  return { why: reject('ERR.2011', field, reason), exceptContacts: true }
}

/** For changes in which no trusted contact is recorded. */
export async function whyFixed(
  tx: Tx,
  account: Pick<Account, 'accountNumber' | 'status'>,
  field: string,
): Promise<Rejection | undefined> {
  return (await whatFixes(tx, account, field))?.why
}

/** Why changes cannot be made although the record is fixed; none if they only record trusted contacts. */
export function whyNotExcepted(
  { why, exceptContacts }: Fixed,
  changes: readonly FieldChange[],
): readonly Rejection[] {
  return exceptContacts && changes.every(({ field }) => contactPath.test(field)) ? [] : [why]
}

const contactPath = /^(primaryOwner|associatedParties\[[^\]]*\])\.trustedContact(\.|$)/
