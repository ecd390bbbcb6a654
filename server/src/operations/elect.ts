/** elect: chooses between the options of an announced corporate action for a position. */
import { type AcctType, type Election, whyNotElected } from '@clearing/domain/books'
import { parseDecimal } from '@clearing/domain/decimal'
import { limits, type Rejection, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { noteEntitlement } from '../books/announcements/note-entitlement.ts'
import { renderElections, renderEntitlement } from '../books/announcements/render-announcement.ts'
import { readSymbols } from '../books/announcements/symbols-of-actions.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { readAccountHead } from '../store/accounts.ts'
import { writeAudit } from '../store/audit.ts'
import { awaitElections, lockEntitlement, putElections } from '../store/books/announced-entitlements.ts'
import { readAnnouncement, type StoredAnnouncement } from '../store/books/announcements.ts'
import { readBusinessDay } from '../store/business-day.ts'
import { writeEvent } from '../store/events.ts'
import type { Handler } from './context.ts'

export const elect: Handler<'elect'> = async (request, context) => {
  const { tx, now, caller, traceId } = context
  const { corporateActionId, accountNumber } = request
  const acctType = Number(request.acctType ?? '1') as AcctType
  const account = await readAccountHead(tx, accountNumber)
  if (account === undefined) return accountNotFound(context.firm)
  const elections = readElections(request.elections ?? [])
  if ('rejections' in elections) return new Rejected(elections.rejections)
  const locked = await lockEntitlement(tx, corporateActionId, accountNumber, acctType)
  if (locked === undefined) awaitElections(tx, corporateActionId)
  // Read after the lock: an amendment, and the booking on a later day, read the elections under the same lock.
  const announcement = await readAnnouncement(tx, corporateActionId)
  if (announcement === undefined)
    return new Rejected([
      reject('ERR.2003', 'corporateActionId', 'There is no corporate action with this id.'),
    ])
  const businessDate = await readBusinessDay(tx, now)
  const refused = whyClosed(announcement, businessDate)
  if (refused !== undefined) return new Rejected([refused])
  // On the last day only a row that is there already: the booking would not wait for a new one.
  const mayNote = businessDate < (announcement.deadline ?? '')
  const entitlement =
    locked ?? (mayNote ? await noteEntitlement(tx, announcement, accountNumber, acctType) : undefined)
  if (entitlement === undefined)
    return new Rejected([
      reject(
        'ERR.2003',
        'accountNumber',
        'The account type holds nothing that the corporate action concerns.',
      ),
    ])
  const wrong = whyNotElected(announcement, entitlement.quantity, elections.elections)
  if (wrong.length > 0) return new Rejected(wrong)
  const { firmId } = entitlement
  putElections(tx, { externalId: corporateActionId, accountNumber, acctType }, elections.elections, {
    by: caller.clientId,
    at: now,
  })
  const chosen = {
    corporateActionId,
    acctType: String(acctType),
    elections: renderElections(elections).map(({ option, quantity }) => ({ option, quantity })),
  }
  writeAudit(context, { action: 'elect', accountNumber, firmId, changes: chosen })
  writeEvent(tx, {
    firmId,
    accountNumber,
    type: 'corporate_action.elected',
    at: now,
    traceId,
    content: chosen,
  })
  const elected = {
    ...entitlement,
    accountName: account.account_name,
    elections: elections.elections,
    electedBy: caller.clientId,
    electedAt: now.toISOString(),
  }
  return renderEntitlement(elected, announcement, await readSymbols(tx, [announcement]))
}

/** Why an election comes too late, or has nothing to choose. */
function whyClosed(
  { externalId, deadline, cancelledBy }: StoredAnnouncement,
  businessDate: string,
): Rejection | undefined {
  const refuse = (reason: string) => reject('ERR.2049', 'corporateActionId', reason)
  if (cancelledBy !== undefined) return refuse(`The corporate action ${externalId} was cancelled.`)
  if (deadline === undefined) return refuse(`The corporate action ${externalId} leaves no choice.`)
  if (businessDate > deadline)
    return refuse(`The deadline was ${deadline}, and the business date is ${businessDate}.`)
  return undefined
}

const quantityLimits = {
  places: limits.quantityPlacesMax,
  integerDigits: limits.wholeDigitsMax,
  signed: false,
} as const

function readElections(
  given: readonly { readonly option: string; readonly quantity?: string | undefined }[],
): { readonly elections: Election[] } | { readonly rejections: Rejection[] } {
  const rejections: Rejection[] = []
  const elections = given.map(({ option, quantity }, index): Election => {
    if (quantity === undefined) return { option }
    const value = parseDecimal(quantity.trim(), quantityLimits)
    if (typeof value === 'bigint' && value > 0n) return { option, quantity: value }
    rejections.push(
      reject('ERR.1015', `elections[${index}].quantity`, 'quantity must be a decimal number above zero.'),
    )
    return { option }
  })
  return rejections.length > 0 ? { rejections } : { elections }
}
