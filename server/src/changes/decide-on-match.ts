/**
 * Decides on a match and applies the consequences: an application continues or is rejected, a waiting change takes
 * effect or is refused, the restriction of an open account is placed or ended.
 */
import { type OnboardingEvent, stepsOfChange, waitsForDeath } from '@clearing/domain'
import { type Rejection, reject } from '@clearing/protocol'
import { serviceActor } from '../actor.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import { type Decided, settleChange } from '../firm-rules/settle-change.ts'
import { advanceOnboarding } from '../onboarding/advance-onboarding.ts'
import { waitsForMatches } from '../onboarding/watchlist-review.ts'
import { type AccountHead, readAccountHead } from '../store/accounts.ts'
import { writeAudit } from '../store/audit.ts'
import { lockChangeRow, openRequest, type StoredChange, stageOf } from '../store/changes.ts'
import { readOnboarding } from '../store/onboarding.ts'
import {
  isOpenMatch,
  readMatches,
  type ScreeningMatch,
  writeClearanceEnded,
  writeMatchDecision,
} from '../store/screening.ts'
import { effectOfIdentity } from './correct-identity.ts'
import { asFirm } from './firm-context.ts'
import { endNow, placeNow } from './restrict.ts'
import { type Came, effectOfUpdate, hasOpenMatches } from './update-effect.ts'

export interface MatchDecision {
  readonly cleared: boolean
  readonly reason: string
  /** The time at which a clearance ends. */
  readonly expiresAt: Date
}

/** The reason of the refusal; undefined if the match was decided. */
export async function decideOnMatch(
  context: FirmContext,
  match: ScreeningMatch,
  decision: MatchDecision,
): Promise<Rejection | undefined> {
  const { tx, now, caller } = context
  const { account_number: accountNumber, match_id: matchId } = match
  const { cleared, reason, expiresAt } = decision
  // Locked before the match, in the same order as a decision on the change locks them.
  const waiting = match.change_id === null ? undefined : await lockChangeRow(tx, match.change_id)
  const written = await writeMatchDecision(tx, match, {
    decision: cleared ? 'Cleared' : 'Confirmed',
    by: caller.clientId,
    at: now,
    reason,
    expiresAt: cleared ? expiresAt : null,
  })
  if (!written) {
    // Read again after the lock, because another person may have decided.
    const known = (await readMatches(tx, accountNumber)).find(({ match_id }) => match_id === matchId)
    return whyDecided(known ?? match)
  }
  if (match.clearance_change_id !== null)
    await writeClearanceEnded(tx, accountNumber, match.clearance_change_id)
  writeAudit(context, {
    action: 'decide-match',
    firmId: match.firm_id,
    accountNumber,
    target: matchId,
    changes: {
      decision: cleared ? 'Cleared' : 'Confirmed',
      reason,
      entryId: match.entry_id,
      listVersion: match.list_version,
      matchedName: match.matched_name,
      score: match.score,
    },
  })
  const head = await readAccountHead(tx, accountNumber)
  if (head === undefined) throw new Error(`account ${accountNumber} has a match but no row`)
  if (waiting !== undefined) await decideWaitingChange(context, waiting, match, decision)
  else if (head.status === 'Pending') await continueApplication(context, match, decision)
  else await blockOrRelease(context, match, decision, head)
  return undefined
}

/** The refusal of a decision on a match that was decided on or dropped. */
export function whyDecided(match: ScreeningMatch): Rejection {
  return match.dropped_at === null
    ? reject(
        'ERR.2010',
        'matchId',
        `The match was already decided on: ${match.decision} by ${match.decided_by} at ${match.decided_at}.`,
      )
    : reject(
        'ERR.2010',
        'matchId',
        `The match needs no decision any more: it was dropped at ${match.dropped_at}.`,
      )
}

/**
 * A confirmed match rejects the change that waits for it, and blocks the account, also if the firm has withdrawn the
 * change (decision 232). After the last cleared match, the change takes effect, unless it still needs a second person.
 */
async function decideWaitingChange(
  context: FirmContext,
  { change, sealed }: { readonly change: StoredChange; readonly sealed: Buffer },
  match: ScreeningMatch,
  { cleared, reason }: MatchDecision,
): Promise<void> {
  const ofFirm = await asFirm(context, change.firm_id)
  const stage = stageOf(change)
  if (!cleared) {
    const next = stepsOfChange.confirmMatch[stage]
    if (next !== 'stay') await settleChange(context, change, next, { by: context.caller.clientId, reason })
    await blockAccount(ofFirm, match)
    return
  }
  const isLast = !(await hasOpenMatches(context, change))
  const next = stepsOfChange[isLast ? 'clearLastMatch' : 'clearMatch'][stage]
  if (next === 'stay') return
  const effect = change.operation === 'correct-identity' ? effectOfIdentity : effectOfUpdate
  const came = await effect(openRequest(ofFirm.keys, change, sealed) as never, ofFirm, change)
  const then = typeof came === 'string' ? next[came] : next.invalid
  if (then === 'stay') return
  await settleChange(context, change, then, came === 'made' ? approvalOf(change) : whyNotMade(came))
}

function approvalOf({ approved_by, approval_reason }: StoredChange): Decided {
  return { by: approved_by ?? serviceActor, reason: approval_reason ?? 'Its matches were cleared.' }
}

/** The firm can send its request again, and no person has to reject the change. */
function whyNotMade(came: Came): Decided {
  const errors = typeof came === 'string' ? [changedMeanwhile] : came
  const reasons = errors.map((one) => one.reason).join(' ')
  return { by: serviceActor, reason: `The change could not take effect. ${reasons}`, errors }
}

const changedMeanwhile = reject(
  'ERR.2010',
  'changeId',
  'The record has changed since the request; read it and request the change again.',
)

/**
 * A confirmed match, or the last cleared one, continues an application that waits for its matches. If an owner died, a
 * person decides on the application.
 */
async function continueApplication(
  context: FirmContext,
  { account_number: accountNumber }: ScreeningMatch,
  { cleared, reason }: MatchDecision,
): Promise<void> {
  const { tx, now, caller, traceId, parts } = context
  const onboarding = await readOnboarding(tx, accountNumber)
  if (onboarding === undefined || !waitsForMatches(onboarding.state)) return
  const open = (await readMatches(tx, accountNumber)).some(
    (match) => isOpenMatch(match) && match.change_id === null,
  )
  if (cleared && (open || waitsForDeath(onboarding.state))) return
  const event: OnboardingEvent = {
    kind: cleared ? 'approved' : 'rejected',
    reason,
    at: now.toISOString(),
    by: 'operations',
  }
  await advanceOnboarding(tx, accountNumber, event, {
    clock: parts.clock,
    now,
    actor: caller.clientId,
    traceId,
  })
}

/** A confirmed match blocks the open account. The last cleared match of a restriction ends the restriction. */
async function blockOrRelease(
  context: FirmContext,
  match: ScreeningMatch,
  { cleared }: MatchDecision,
  head: AccountHead,
): Promise<void> {
  const ofFirm = await asFirm(context, head.firm_id)
  if (!cleared) {
    await blockAccount(ofFirm, match)
    return
  }
  const restrictionId = match.restriction_id
  if (restrictionId === null) return
  const others = await readMatches(context.tx, match.account_number)
  if (others.some((other) => other.restriction_id === restrictionId && isOpenMatch(other))) return
  // A person may have ended the restriction in the meantime.
  await endNow(
    {
      accountNumber: match.account_number,
      restrictionId,
      reason: `All matches of the restriction were cleared, the last one being ${match.match_id}.`,
    },
    ofFirm,
  )
}

/**
 * A closed account, or an account that has a restriction of this code, gets no further restriction. Returns whether the
 * account got it.
 */
export async function blockAccount(ofFirm: FirmContext, match: ScreeningMatch): Promise<boolean> {
  const placed = await placeNow(
    {
      accountNumber: match.account_number,
      restrictionCode: 'Sanctions',
      reason: `Match ${match.match_id} of a watch list was confirmed.`,
    },
    ofFirm,
  )
  return 'restriction' in placed
}
