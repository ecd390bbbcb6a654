/**
 * The effect of an approved or cleared change of a record. The change is validated and screened again on the
 * current record, and stored. If the record has changed since, the change is made only if no other change
 * touched its values.
 */
import type { Rejection, Request } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import { answerFieldFollowUps } from '../onboarding/follow-ups.ts'
import { lockAccountRow } from '../store/accounts.ts'
import { type StoredChange, stageOf } from '../store/changes.ts'
import { isOpenMatch, readMatches } from '../store/screening.ts'
import { judgeAmendment, keepAmendment } from './amend-record.ts'
import { findCaused, showsAll } from './find-caused.ts'
import { saysTheSame } from './same-change.ts'
import { keepMatchesOfChange, screenChange, unlessNoList } from './screen-change.ts'
import { whatFixes, whyNotExcepted } from './why-fixed.ts'

type Change = Partial<Request<'update-account'>>

/** The result of an attempt to make a change (`stepsOfChange`). Rejections are the reasons why it is not permitted. */
export type Came = 'made' | 'waits' | 'stale' | readonly Rejection[]

/**
 * The context is that of the firm concerned. A person approves the values on the screen. Therefore the change is stale
 * if the record has another version. A change whose last match was cleared is made even if other fields of the record
 * have changed.
 */
export async function effectOfUpdate(
  request: Change,
  context: FirmContext,
  change: StoredChange,
): Promise<Came> {
  const account = await lockAccountRow(context.tx, change.account_number, context.keys)
  if (account === undefined) throw new Error(`account ${change.account_number} has a change but no row`)
  const fixed = await whatFixes(context.tx, account, 'changeId')
  // A change that was requested before the hold, and waits only for its matches, has no second person.
  if (fixed !== undefined && !(fixed.exceptContacts && change.approval_needed)) return [fixed.why]
  const customerIds = change.customer_ids ?? []
  const judged = await judgeAmendment(account, request, context, { customerIds })
  const movedOn = account.version !== change.version
  const asSeen = stageOf(change) === 'AwaitsPerson' || typeof request.expectedVersion === 'number'
  if (movedOn && asSeen) return 'stale'
  if ('rejections' in judged) return judged.rejections
  const notExcepted = fixed === undefined ? [] : whyNotExcepted(fixed, judged.changes)
  if (notExcepted.length > 0) return notExcepted
  if (movedOn && !(await saysTheSame(request, context, change, judged))) return 'stale'
  // With another change it may cause a finding that no person saw: a political office of a former US citizen.
  if (movedOn && !showsAll(change, await findCaused(context, account, judged))) return 'stale'
  const hits = await unlessNoList(() => screenChange(context, account.record, judged.amended))
  if (hits instanceof Rejected) return hits.rejections
  keepMatchesOfChange(context, account, change.change_id, hits)
  if (hits.length > 0 || (await hasOpenMatches(context, change))) return 'waits'
  if (judged.changes.length > 0) {
    const { reason, requested_by: requestedBy } = change
    const why = { reason, requestedBy }
    const changed = keepAmendment(account, judged, context, 'update-account', why)
    await answerFieldFollowUps(context, changed, judged.changes)
  }
  return 'made'
}

export async function hasOpenMatches({ tx }: FirmContext, change: StoredChange): Promise<boolean> {
  const matches = await readMatches(tx, change.account_number)
  return matches.some((match) => match.change_id === change.change_id && isOpenMatch(match))
}
