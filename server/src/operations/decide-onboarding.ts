/**
 * decide-onboarding: approves or rejects an application that waits for a decision; the work then goes on by itself. Matches of watch
 * lists that it waited for are decided with it: cleared, or confirmed.
 */
import { type Rejection, reject } from '@clearing/protocol'
import { type Context, type Handler, Rejected } from '../context.ts'
import { advanceOnboarding } from '../onboarding/advance-onboarding.ts'
import { renderOnboarding } from '../onboarding/render-onboarding.ts'
import { CLEARANCE_DAYS } from '../screening/decisions.ts'
import { writeAudit } from '../store/audit.ts'
import { readOnboarding, readReviewed } from '../store/onboarding.ts'
import { readMatches, writeMatchDecision } from '../store/screening.ts'
import { accountNotFound } from './account-not-found.ts'

const dayMs = 86_400_000

export const decideOnboarding: Handler<'decide-onboarding'> = async (request, context) => {
  const { tx, now } = context
  const approved = request.decision === 'Approved'
  if (!approved && !request.reason) {
    return new Rejected([reject('ERR.1000', 'reason', 'A rejection needs a reason.')])
  }
  const waited = await readOnboarding(tx, request.accountNumber)
  if (waited?.state.currentState === 'ManualReview' && waited.state.stage === 'WatchlistCheck')
    await decideMatches(
      request.accountNumber,
      approved,
      request.reason ?? 'Approved with the application.',
      context,
    )
  const taken = await advanceOnboarding(
    tx,
    request.accountNumber,
    {
      kind: approved ? 'approved' : 'rejected',
      reason: request.reason ?? '',
      at: now.toISOString(),
      by: 'operations',
    },
    { clock: context.parts.clock, now, actor: context.caller.clientId, traceId: context.traceId },
  )
  if (taken.kind === 'absent') return accountNotFound()
  if (taken.kind === 'rejected')
    return new Rejected([(await whyDecided(request.accountNumber, context)) ?? taken.rejection])
  const onboarding = await readOnboarding(tx, request.accountNumber)
  if (!onboarding) throw new Error(`the onboarding of ${request.accountNumber} is gone`)
  return renderOnboarding(tx, onboarding)
}

/** Undefined when nobody has decided on it. */
const whyDecided = async (accountNumber: string, { tx }: Context): Promise<Rejection | undefined> => {
  const reviewed = await readReviewed(tx, accountNumber)
  if (reviewed === undefined) return undefined
  const { actor, at, to_state: state } = reviewed
  return reject('ERR.2010', '', `The application was already decided on by ${actor} at ${at}: ${state}.`)
}

const decideMatches = async (
  accountNumber: string,
  approved: boolean,
  reason: string,
  context: Context,
): Promise<void> => {
  const { tx, now, caller } = context
  const open = (await readMatches(tx, accountNumber)).filter(({ decision }) => decision === 'Open')
  for (const match of open) {
    const decision = approved ? 'Cleared' : 'Confirmed'
    const expiresAt = approved ? new Date(now.getTime() + CLEARANCE_DAYS * dayMs) : null
    await writeMatchDecision(tx, match, { decision, by: caller.clientId, at: now, reason, expiresAt })
    writeAudit(context, {
      action: 'decide-match',
      firmId: match.firm_id,
      accountNumber,
      target: match.match_id,
      changes: { decision, reason, entryId: match.entry_id },
    })
  }
}
