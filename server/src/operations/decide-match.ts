/**
 * decide-match: clears or confirms a watch-list match. Clearing a likely match needs a second person. The person who
 * requested the change that waits for the match cannot decide on it.
 */
import { type Rejection, reject } from '@clearing/protocol'
import { isSameActor } from '../actor.ts'
import { Answered, Rejected } from '../answers.ts'
import { askForChange, subjectsToApprove } from '../changes/ask-for-change.ts'
import { decideOnMatch, type MatchDecision, whyDecided } from '../changes/decide-on-match.ts'
import { asFirm } from '../changes/firm-context.ts'
import { queueRemembering } from '../changes/remember-listed-person.ts'
import type { ClearMatch } from '../changes/take-effect.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { newId, parseUuid } from '../ids.ts'
import { CLEARANCE_DAYS, isLikelyOrRestricting } from '../screening/decisions.ts'
import { describeMatch } from '../screening/describe-match.ts'
import { renderMatch } from '../screening/render-match.ts'
import { readAccountHead } from '../store/accounts.ts'
import { startOfEasternDay } from '../store/books/calendar.ts'
import { readChange } from '../store/changes.ts'
import {
  isOpenMatch,
  readMatches,
  type ScreeningMatch,
  type StoredMatch,
  writeClearanceAsked,
} from '../store/screening.ts'
import type { Context, Handler } from './context.ts'

const dayMs = 86_400_000

export const decideMatch: Handler<'decide-match'> = async (request, context) => {
  const { tx, now } = context
  const { accountNumber, matchId, reason } = request
  const cleared = request.decision === 'Cleared'
  const head = await readAccountHead(tx, accountNumber)
  if (!head) return accountNotFound(context.firm)
  const match = await findMatch(context, accountNumber, matchId)
  if (!match) return new Rejected([reject('ERR.2013', 'matchId', 'The account has no match with this id.')])
  const expiresAt = request.expiresOn
    ? startOfEasternDay(request.expiresOn)
    : new Date(now.getTime() + CLEARANCE_DAYS * dayMs)
  const refused =
    whyNoReason(reason) ??
    (cleared && expiresAt <= now
      ? reject('ERR.1024', 'expiresOn', 'The clearance must expire in the future.')
      : undefined) ??
    (await whyNotNow(context, match))
  if (refused !== undefined) return new Rejected([refused])
  const decision = { cleared, reason, expiresAt }
  if (cleared && (await needsSecondPerson(context, match))) return askToClear(context, match, decision)
  const undecided = await decideOnMatch(context, match, decision)
  if (undecided !== undefined) return new Rejected([undecided])
  if (!cleared) queueRemembering(tx, match, context.traceId)
  const decided = await findMatch(context, accountNumber, matchId)
  if (decided === undefined) throw new Error(`match ${matchId} was decided but not found`)
  return renderMatch(decided)
}

async function findMatch(
  { tx }: Context,
  accountNumber: string,
  matchId: string,
): Promise<StoredMatch | undefined> {
  return (await readMatches(tx, accountNumber)).find(({ match_id }) => match_id === parseUuid(matchId))
}

/** A reason must contain letters or digits. */
function whyNoReason(reason: string): Rejection | undefined {
  return /[\p{L}\p{N}]/u.test(reason)
    ? undefined
    : reject('ERR.1000', 'reason', 'A decision on a match needs a reason.')
}

async function whyNotNow({ tx, caller }: Context, match: ScreeningMatch): Promise<Rejection | undefined> {
  if (!isOpenMatch(match)) return whyDecided(match)
  if (match.clearance_change_id !== null)
    return reject(
      'ERR.2010',
      'matchId',
      `Change ${match.clearance_change_id} already asks a second person to clear it.`,
    )
  const change = match.change_id === null ? undefined : await readChange(tx, match.change_id)
  return change !== undefined && isSameActor(change.requested_by, caller.clientId)
    ? reject(
        'ERR.1003',
        '',
        'You requested the change that caused the match; another person must decide on it.',
      )
    : undefined
}

async function needsSecondPerson(context: Context, match: ScreeningMatch): Promise<boolean> {
  if (!isLikelyOrRestricting(match)) return false
  return subjectsToApprove(await asFirm(context, match.firm_id), ['Matches']).length > 0
}

async function askToClear(context: Context, match: StoredMatch, { reason, expiresAt }: MatchDecision) {
  const ofFirm = await asFirm(context, match.firm_id)
  const { account_number: accountNumber, match_id: matchId } = match
  const request: ClearMatch = { matchId, reason, expiresAt: expiresAt.toISOString() }
  // The statement that another person's request can prevent comes first: a refusal must leave nothing in the
  // transaction.
  const changeId = newId(context.now)
  if (!(await writeClearanceAsked(context.tx, match, changeId)))
    return new Rejected([
      reject('ERR.2010', 'matchId', 'The match has just been decided, or its clearance was just requested.'),
    ])
  askForChange(ofFirm, {
    changeId,
    operation: 'decide-match',
    accountNumber,
    subjects: ['Matches'],
    request,
    fields: [{ field: `match with ${describeMatch(match)}`, before: 'Open', after: 'Cleared' }],
    reason,
  })
  const message = `The match is still open: change ${changeId} awaits a second person's approval.`
  return new Answered(renderMatch({ ...match, clearance_change_id: changeId }), { message })
}
