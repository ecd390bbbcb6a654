/**
 * Records and announces that one person gave another access to the console. One admin alone could otherwise make or
 * take over the second person whose approval the admin needs (decision 182).
 */
import { limits, type Rejection, reject } from '@clearing/protocol'
import { isPerson } from '../actor.ts'
import type { Tx } from '../database/transaction.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import { writeNotification } from '../store/notifications.ts'
import { giveAccess, readAccessGivers, readSupervisors } from '../store/staff.ts'

const hourMs = 3_600_000

/** `acts` are the acts in words, such as `password reset`. Every other admin and principal is notified. */
export async function recordAccess(
  { tx, caller, traceId, parts }: Pick<FirmContext, 'tx' | 'caller' | 'traceId' | 'parts'>,
  staff: { readonly staffId: string; readonly email: string },
  acts: readonly string[],
): Promise<void> {
  const at = parts.identity.now()
  await giveAccess(tx, staff.staffId, caller.clientId, at)
  for (const recipient of new Set([...(await readSupervisors(tx)), staff.email]))
    writeNotification(tx, {
      recipient,
      kind: 'Access',
      accountNumber: '',
      target: staff.email,
      detail: `${staff.email}: ${acts.join(', ')}`,
      causedBy: caller.clientId,
      at,
      traceId,
    })
}

/**
 * Why a person may not approve the change of a requester: one of them gave the other access within the last days, or
 * the same person gave it to both. A credential may be in the hands of any person.
 */
export async function whySameHand(
  tx: Tx,
  { requester, approver }: { readonly requester: string; readonly approver: string },
  now: Date,
): Promise<Rejection | undefined> {
  const since = new Date(now.getTime() - limits.newAccessHours * hourMs)
  const [ofRequester, ofApprover] = await Promise.all([
    readAccessGivers(tx, requester, since),
    readAccessGivers(tx, approver, since),
  ])
  const shared = ofApprover.find((name) => ofRequester.includes(name) || !isPerson(name))
  if (shared === undefined) return undefined
  const reason = `${shared} gave access to the person who approves or requested the change less than ${limits.newAccessHours} hours ago; another person must approve it.`
  return reject('ERR.1003', '', reason)
}
