/**
 * The effect of an approved or cleared change of a record. The change is validated and screened again on the
 * current record, and stored. If the record has changed since, the change is made only if it still changes
 * the same values.
 */
import { isDeepStrictEqual } from 'node:util'
import { type Rejection, type Request, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import { answerFieldFollowUps } from '../onboarding/follow-ups.ts'
import { type Account, lockAccountRow, readVersions } from '../store/accounts.ts'
import type { StoredChange } from '../store/changes.ts'
import { isOpenMatch, readMatches } from '../store/screening.ts'
import { unlessNoList } from './amend-or-wait.ts'
import { type Amendment, judgeAmendment, keepAmendment } from './amend-record.ts'
import { keepMatchesOfChange, screenChange } from './screen-change.ts'
import { whyFixed } from './why-fixed.ts'

type Change = Partial<Request<'update-account'>>

/** The change was made, or it waits for open matches, or the reason why it cannot be made. */
export type Came = 'made' | 'waits' | readonly Rejection[]

/**
 * The context is that of the firm concerned. A person approves the values on the screen. Therefore the change
 * is refused if the record has another version (`asSeen`). A change whose last match was cleared is made even
 * if other fields of the record have changed.
 */
export async function effectOfUpdate(
  request: Change,
  context: FirmContext,
  change: StoredChange,
  asSeen: boolean,
): Promise<Came> {
  const account = await lockAccountRow(context.tx, change.account_number, context.keys)
  if (account === undefined) throw new Error(`account ${change.account_number} has a change but no row`)
  const fixed = await whyFixed(context.tx, account, 'changeId')
  if (fixed !== undefined) return [fixed]
  const customerIds = change.customer_ids ?? []
  const judged = await judgeAmendment(account, request, context, { customerIds })
  const movedOn = account.version !== change.version
  if (movedOn && (asSeen || request.expectedVersion !== undefined)) return [changedSince]
  if ('rejections' in judged) return judged.rejections
  if (movedOn && !(await saysTheSame(request, context, change, judged))) return [changedSince]
  const hits = await unlessNoList(() => screenChange(context, account.record, judged.amended))
  if (hits instanceof Rejected) return hits.rejections
  keepMatchesOfChange(context, account, change.change_id, hits)
  if (hits.length > 0 || (await hasOpenMatches(context, change))) return 'waits'
  if (judged.changes.length > 0) {
    const changed = keepAmendment(account, judged, context, 'update-account')
    await answerFieldFollowUps(context, changed, judged.changes)
  }
  return 'made'
}

async function hasOpenMatches({ tx }: FirmContext, change: StoredChange): Promise<boolean> {
  const matches = await readMatches(tx, change.account_number)
  return matches.some((match) => match.change_id === change.change_id && isOpenMatch(match))
}

/** Whether the request changes the same fields from the same values as at its submission. */
async function saysTheSame(
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
  return !('rejections' in then) && isDeepStrictEqual(then.changes, now.changes)
}

export const changedSince = reject(
  'ERR.2010',
  'changeId',
  'The record has changed since the request; reject this change and request it again.',
)
