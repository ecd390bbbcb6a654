/**
 * decide-onboarding: approves or rejects an application that waits for a decision, after which its onboarding
 * continues. An approval is refused while a match on a watch list is open. A rejection leaves the matches open, because
 * whether a person is the listed one does not depend on it (decision 277).
 */
import { type Rejection, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { advanceOnboarding } from '../onboarding/advance-onboarding.ts'
import { renderOnboarding } from '../onboarding/render-onboarding.ts'
import { describeMatch } from '../screening/describe-match.ts'
import { lockOnboardingRow, type Onboarding, readOnboarding, readReviewed } from '../store/onboarding.ts'
import { isOpenMatch, readMatches, type ScreeningMatch } from '../store/screening.ts'
import type { Context, Handler } from './context.ts'

export const decideOnboarding: Handler<'decide-onboarding'> = async (request, context) => {
  const { tx, now } = context
  const approved = request.decision === 'Approved'
  if (!approved && !request.reason) {
    return new Rejected([reject('ERR.1000', 'reason', 'A rejection needs a reason.')])
  }
  const locked = await lockOnboardingRow(tx, request.accountNumber)
  const needsMatches = approved && locked?.state.accountStatus === 'Pending'
  const open = needsMatches ? (await readMatches(tx, request.accountNumber)).filter(isOpenMatch) : []
  const first = whyMatchesFirst(open)
  if (first !== undefined) return new Rejected([first])
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
  if (taken.kind === 'absent') return accountNotFound(context.firm)
  if (taken.kind === 'rejected')
    return new Rejected([
      whyWithdrawn(locked) ?? (await whyDecided(request.accountNumber, context)) ?? taken.rejection,
    ])
  const onboarding = await readOnboarding(tx, request.accountNumber)
  if (!onboarding) throw new Error(`the onboarding of ${request.accountNumber} was not found`)
  return renderOnboarding(context, onboarding)
}

function whyWithdrawn(locked: Onboarding | undefined): Rejection | undefined {
  const at = locked?.state.withdrawnAt
  return at === undefined ? undefined : reject('ERR.2010', '', `The firm withdrew the application at ${at}.`)
}

/** The rejection if the application was decided on before; otherwise undefined. */
async function whyDecided(accountNumber: string, { tx }: Context): Promise<Rejection | undefined> {
  const reviewed = await readReviewed(tx, accountNumber)
  // A request for information decides nothing.
  if (reviewed === undefined || reviewed.to_state === 'ActionRequired') return undefined
  const { actor, at, to_state: state } = reviewed
  // An approval leads to the next stage, whichever that is.
  const decision = state === 'Rejected' ? 'Rejected' : 'Approved'
  return reject('ERR.2010', '', `The application was already decided on: ${decision} by ${actor} at ${at}.`)
}

/** Matches are decided one by one, each with its reason; an approval clears none of them. */
function whyMatchesFirst(open: readonly ScreeningMatch[]): Rejection | undefined {
  if (open.length === 0) return undefined
  const named = open.slice(0, namedMax).map((match) => `${match.match_id} (${describeMatch(match)})`)
  const more = open.length > namedMax ? ` and ${open.length - namedMax} more` : ''
  return reject('ERR.2010', '', `First decide on the open matches: ${named.join(', ')}${more}.`)
}

const namedMax = 5
