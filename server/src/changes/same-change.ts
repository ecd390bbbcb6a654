/**
 * Compares a waiting change with the record and with further requests. A request that is sent again while its change
 * waits is the same change.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Request } from '@clearing/protocol'
import type { FirmContext } from '../firm-rules/context.ts'
import { type Account, readVersions } from '../store/accounts.ts'
import { openRequest, readWaitingUpdates, type StoredChange } from '../store/changes.ts'
import { type Amendment, judgeAmendment } from './amend-record.ts'

type Change = Partial<Request<'update-account'>>

/**
 * Whether the request changes fields only from the values that they had at its submission. Fields that have the
 * requested values by now need no change.
 */
export async function saysTheSame(
  request: Change,
  context: FirmContext,
  { account_number: accountNumber, version, customer_ids: customerIds }: StoredChange,
  now: Amendment,
): Promise<boolean> {
  if (version === null) return false
  const versions = await readVersions(context.tx, accountNumber, version, version, context.keys)
  const seen: Account | undefined = versions.get(version)
  if (seen === undefined) return false
  const then = await judgeAmendment(seen, request, context, { customerIds: customerIds ?? [] })
  return (
    !('rejections' in then) &&
    now.changes.every((one) => then.changes.some((other) => isDeepStrictEqual(one, other)))
  )
}

/** Whether the stored request asks for the same, whatever reason it has. */
function asksTheSame({ keys }: FirmContext, change: StoredChange, sealed: Buffer, request: object): boolean {
  const withoutReason = ({ reason: _, ...asked }: { reason?: unknown }) => asked
  const stored = openRequest(keys, change, sealed) as object
  const asStored = JSON.parse(JSON.stringify(request)) as object
  return isDeepStrictEqual(withoutReason(stored), withoutReason(asStored))
}

/** The waiting correction of the same caller with this request, unless the record has changed since. */
export async function findWaitingCorrection(
  { accountNumber, version }: Account,
  request: Request<'correct-identity'>,
  context: FirmContext,
): Promise<StoredChange | undefined> {
  const waiting = await readWaitingUpdates(context.tx, accountNumber, 'correct-identity')
  return waiting.find(
    ({ change, sealed }) =>
      change.requested_by === context.caller.clientId &&
      change.version === version &&
      asksTheSame(context, change, sealed, request),
  )?.change
}

/** The waiting change of the same caller with this request, unless changes of the record prevent it. */
export async function findWaitingAlike(
  account: Account,
  request: Change,
  context: FirmContext,
): Promise<StoredChange | undefined> {
  const { tx, caller } = context
  for (const { change, sealed } of await readWaitingUpdates(tx, account.accountNumber)) {
    if (change.requested_by !== caller.clientId) continue
    if (!asksTheSame(context, change, sealed, request)) continue
    if (change.version === account.version) return change
    const customerIds = change.customer_ids ?? []
    const judged = await judgeAmendment(account, request, context, { customerIds })
    if (!('rejections' in judged) && (await saysTheSame(request, context, change, judged))) return change
  }
  return undefined
}
