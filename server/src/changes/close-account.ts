/**
 * Closes an account that holds and owes nothing, at once for credentials of operations, or after the approval of a
 * second person. The closing ends what waits: follow-ups, changes that cannot take effect any more, and the
 * restrictions that do not forbid it (decision 300).
 */
import { isUnsettled } from '@clearing/domain'
import { renderDecimal, roundTo, ZERO } from '@clearing/domain/decimal'
import { type CodeOf, closingForbiddenBy, type Rejection, reject } from '@clearing/protocol'
import { readInterestOwed } from '../books/margin/read-interest-owed.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import { lift, type Restricted } from '../firm-rules/restriction.ts'
import { endChange } from '../firm-rules/settle-change.ts'
import { OnboardingSteps } from '../onboarding/advance-onboarding.ts'
import { moveAccountStatus } from '../store/accounts.ts'
import { writeAudit } from '../store/audit.ts'
import { lockAccountBooks } from '../store/books/accounts.ts'
import { readExpected } from '../store/books/announced-entitlements.ts'
import { readPendingPage } from '../store/books/pending.ts'
import { readBusinessDay } from '../store/business-day.ts'
import { readWaitingChangeIds } from '../store/changes.ts'
import { writeEvent } from '../store/events.ts'
import { readPendingFundInterest } from '../store/margin-ledger.ts'
import { lockOnboardingRow } from '../store/onboarding.ts'
import {
  holdsSomething,
  lockAccountStatus,
  type Restriction,
  readRestrictionsInForce,
} from '../store/restrictions.ts'
import { notFound, wrongStatus } from './restrict.ts'

export interface CloseRequest {
  readonly accountNumber: string
  readonly reason: string
}

/** Locks the account. Returns why it cannot be closed. The check also precedes a request for approval. */
export async function checkClosing(
  { tx, firm, now }: Pick<FirmContext, 'tx' | 'firm' | 'now'>,
  { accountNumber }: CloseRequest,
): Promise<Rejection | undefined> {
  // The books are locked first, as in a load. The check then sees a line that is being posted, and the next
  // line finds the account closed.
  await lockAccountBooks(tx, [{ accountNumber, firmId: firm.firmId }])
  const account = await lockAccountStatus(tx, accountNumber)
  if (account === undefined) return notFound
  if (account.status !== 'Open' && account.status !== 'Restricted') return wrongStatus(account.status)
  const refuse = (reason: string) => reject('ERR.2011', 'accountNumber', reason)
  const forbidden = whyForbidden(await readRestrictionsInForce(tx, accountNumber))
  if (forbidden !== undefined) return refuse(forbidden)
  if (await holdsSomething(tx, accountNumber))
    return refuse('The account holds positions, cash or activity that has not settled.')
  const [pending] = await readPendingPage(tx, accountNumber, { after: undefined, most: 1 })
  if (pending !== undefined)
    return refuse(`The line ${pending.externalId} of the account is pending until ${pending.tradeDate}.`)
  const today = await readBusinessDay(tx, now)
  const expected = await readExpected(tx, accountNumber, today)
  if (expected !== undefined) {
    const { externalId, bookOn } = expected
    return refuse(
      `The account is entitled to the corporate action ${externalId}, whose lines of ${bookOn} are not booked.`,
    )
  }
  const interest = await readInterestOwed(tx, accountNumber, { now, today })
  if (interest.mayChange)
    return refuse(
      'The margin interest of the account may still change, because of lines since the last close or a close that is under way. Close the account after the next close.',
    )
  const owed = roundTo(interest.owed, moneyPlaces)
  if (owed > ZERO)
    return refuse(`The account owes margin interest of ${renderDecimal(owed)}, which no line has charged.`)
  if (owed < ZERO)
    return refuse(
      `The account is owed a refund of margin interest of ${renderDecimal(-owed)}, which no line has paid.`,
    )
  const earned = roundTo(await readPendingFundInterest(tx, accountNumber, null), moneyPlaces)
  if (earned > ZERO)
    return refuse(
      `The account has earned ${renderDecimal(earned)} from a money-market fund, which no line has paid.`,
    )
  return undefined
}

const moneyPlaces = 2

/** The restrictions that forbid the closing, and what ends each of them. */
function whyForbidden(inForce: readonly Restriction[]): string | undefined {
  const codes = [...new Set(inForce.map(({ code }) => code as CodeOf<'restrictionCode'>))].sort()
  const forbidding = codes.flatMap((code) => {
    const end = closingForbiddenBy[code]
    return end === undefined ? [] : [`${code}: ${end}`]
  })
  if (forbidding.length === 0) return undefined
  return `The account is Restricted, and a restriction forbids the closing. ${forbidding.join('; ')}.`
}

/** `changeId`: the change that requested the closing, if a second person approved it. */
export async function closeNow(
  request: CloseRequest,
  context: FirmContext,
  changeId?: string,
): Promise<Restricted | Rejection> {
  const refused = await checkClosing(context, request)
  if (refused !== undefined) return refused
  const { tx, now, traceId, firm, caller } = context
  const { accountNumber, reason } = request
  const by = { actor: caller.clientId, operation: 'close-account', traceId }
  // The clearance of a match is a decision about a person, and stays.
  for (const waiting of await readWaitingChangeIds(tx, accountNumber))
    if (waiting !== changeId) await endChange(context, waiting, closed)
  await waiveFollowUps(accountNumber, context)
  for (const { restriction_id: restrictionId } of await readRestrictionsInForce(tx, accountNumber))
    await lift(context, { accountNumber, restrictionId, reason: closed })
  if (!(await moveAccountStatus(tx, accountNumber, { from: 'Open', to: 'Closed' }, now, by)))
    throw new Error(`account ${accountNumber} could be closed and is not Open`)
  const content = { accountStatus: 'Closed' }
  writeEvent(tx, { firmId: firm.firmId, accountNumber, type: 'account.closed', at: now, traceId, content })
  writeAudit(context, { action: 'close-account', accountNumber, changes: { reason } })
  return { accountStatus: 'Closed', restriction: null }
}

const closed = 'The account was closed.'

/** The follow-ups of a closed account need no answer. A document under review can still be decided on. */
async function waiveFollowUps(accountNumber: string, context: FirmContext): Promise<void> {
  const { tx, now, caller, traceId, parts } = context
  const onboarding = await lockOnboardingRow(tx, accountNumber)
  if (onboarding === undefined) return
  const steps = new OnboardingSteps(onboarding)
  const acting = { clock: parts.clock, now, actor: caller.clientId, traceId }
  for (const { id: followUpId, kind } of onboarding.state.followUps.filter(isUnsettled)) {
    if (kind === 'Review') continue
    const waived = { kind: 'follow-up-waived', followUpId, reason: closed } as const
    const taken = steps.take({ ...waived, at: now.toISOString(), by: 'operations' }, acting)
    if (taken.kind === 'rejected')
      throw new Error(`${followUpId} of ${accountNumber} was not waived: ${taken.rejection.reason}`)
  }
  steps.store(tx, [])
}
