/**
 * Why the record of an account cannot be changed now: its status, or a restriction that suspends changes (Reading 3.2).
 */
import { type CodeOf, type Rejection, reject, suspendedBy } from '@clearing/protocol'
import type { Tx } from '../database/transaction.ts'
import type { Account } from '../store/accounts.ts'
import { readRestrictionsInForce } from '../store/restrictions.ts'

export async function whyFixed(
  tx: Tx,
  { accountNumber, status }: Pick<Account, 'accountNumber' | 'status'>,
  field: string,
): Promise<Rejection | undefined> {
  if (status === 'Open') return undefined
  if (status === 'Pending') {
    const reason = 'The account is Pending; it can be changed only while a follow-up asks for a field.'
    return reject('ERR.2011', field, reason)
  }
  if (status !== 'Restricted')
    return reject('ERR.2011', field, `The account is ${status}; only an Open account can be changed.`)
  const inForce = await readRestrictionsInForce(tx, accountNumber)
  const barring = inForce.find(({ code }) =>
    suspendedBy[code as CodeOf<'restrictionCode'>]?.includes('Changes'),
  )
  return barring && reject('ERR.2011', field, `The account is Restricted: ${barring.code} suspends changes.`)
}
