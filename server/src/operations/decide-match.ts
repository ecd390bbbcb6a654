/**
 * decide-match: clears a watch-list match or confirms it. When the last one is cleared the application goes on; a confirmed
 * one rejects it.
 */
import type { OnboardingEvent } from '@clearing/domain'
import { reject } from '@clearing/protocol'
import { type Context, type Handler, Rejected } from '../context.ts'
import { advanceOnboarding } from '../onboarding/advance-onboarding.ts'
import { CLEARANCE_DAYS } from '../screening/decisions.ts'
import { readAccountHead } from '../store/accounts.ts'
import { writeAudit } from '../store/audit.ts'
import { readOnboarding } from '../store/onboarding.ts'
import { readMatches, writeMatchDecision } from '../store/screening.ts'
import { accountNotFound } from './account-not-found.ts'
import { renderMatch } from './render-match.ts'

const dayMs = 86_400_000

export const decideMatch: Handler<'decide-match'> = async (request, context) => {
  const { tx, now, caller } = context
  const { accountNumber, matchId, decision, reason } = request
  const head = await readAccountHead(tx, accountNumber)
  if (!head) return accountNotFound()
  const matches = await readMatches(tx, accountNumber)
  const match = matches.find(({ match_id }) => match_id === matchId)
  if (!match) {
    return new Rejected([reject('ERR.2013', 'matchId', 'The account has no match with this id.')])
  }
  const cleared = decision === 'Cleared'
  const expiresAt = expiryOf(request.expiresOn, now)
  if (cleared && expiresAt <= now) {
    return new Rejected([reject('ERR.1024', 'expiresOn', 'The clearance must expire in the future.')])
  }
  const decided = {
    decision: cleared ? 'Cleared' : 'Confirmed',
    by: caller.clientId,
    at: now,
    reason,
  } as const
  const written = await writeMatchDecision(tx, match, { ...decided, expiresAt: cleared ? expiresAt : null })
  if (!written) {
    // Read anew: somebody may have decided since.
    const known = (await readMatches(tx, accountNumber)).find(({ match_id }) => match_id === matchId)
    const by = `${known?.decision} by ${known?.decided_by} at ${known?.decided_at}`
    return new Rejected([reject('ERR.2010', 'matchId', `The match was already decided on: ${by}.`)])
  }
  writeAudit(context, {
    action: 'decide-match',
    firmId: head.firm_id,
    accountNumber,
    target: matchId,
    changes: { decision: decided.decision, reason, entryId: match.entry_id },
  })
  const open = matches.filter((one) => one.match_id !== matchId && one.decision === 'Open')
  if (!cleared || open.length === 0) await moveOn(context, accountNumber, cleared, reason)
  return renderMatch({
    ...match,
    decision: decided.decision,
    decided_by: caller.clientId,
    decided_at: now.toISOString(),
    reason,
    expires_at: cleared ? expiresAt.toISOString() : null,
  })
}

const expiryOf = (expiresOn: string | undefined, now: Date): Date =>
  expiresOn ? new Date(`${expiresOn}T00:00:00Z`) : new Date(now.getTime() + CLEARANCE_DAYS * dayMs)

/** Only an application that waits for this decision moves; matches are decided on later too, when lists change. */
const moveOn = async (
  context: Context,
  accountNumber: string,
  cleared: boolean,
  reason: string,
): Promise<void> => {
  const { tx, now, caller, traceId, parts } = context
  const onboarding = await readOnboarding(tx, accountNumber)
  const waits =
    onboarding?.state.currentState === 'ManualReview' && onboarding.state.stage === 'WatchlistCheck'
  if (!waits) return
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
