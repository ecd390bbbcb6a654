/**
 * A requested change of a record takes effect at once, or waits: for a second person, for a review of facts that
 * account policy does not leave to the firm, for the matches on watch lists that it would cause, or for several of
 * them. All parts of a request wait together (Reading 3.9).
 */
import { type ApprovalSubject, approvalSubjectsOf, type FieldChange, type Finding } from '@clearing/domain'
import { type OperationName, type Rejection, type Request, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import { runChecksAgain } from '../onboarding/changed-record.ts'
import { NoWatchList } from '../screening/watch-lists.ts'
import type { Account } from '../store/accounts.ts'
import { type IsEnough, judgeAmendment, keepAmendment } from './amend-record.ts'
import { askForChange, changedFields, subjectsToApprove } from './ask-for-change.ts'
import { asField, findCaused, reasonsOf } from './find-caused.ts'
import { findWaitingAlike } from './same-change.ts'
import { keepMatchesOfChange, screenChange } from './screen-change.ts'

export type Outcome =
  | {
      readonly kind: 'made'
      readonly account: Account
      readonly changes: readonly FieldChange[]
      /** What account policy notes about the change of an open account. */
      readonly noted: readonly Finding[]
    }
  | { readonly kind: 'waits'; readonly message: string }

interface Asked {
  readonly account: Account
  readonly request: Partial<Request<'update-account'>>
  readonly operation: OperationName
  readonly isEnough?: IsEnough
}

/** The account is locked. */
export async function amendOrWait(asked: Asked, context: FirmContext): Promise<Outcome | Rejected> {
  const { account, request, operation, isEnough } = asked
  if ((request.expectedVersion ?? account.version) !== account.version) {
    return new Rejected([
      reject(
        'ERR.2010',
        'expectedVersion',
        `The record has version ${account.version}; read it again before changing it.`,
      ),
    ])
  }
  const judged = await judgeAmendment(account, request, context, isEnough ? { isEnough } : {})
  if ('rejections' in judged) return new Rejected(judged.rejections)
  const { changes, amended, customerIds } = judged
  const reason = request.reason ?? ''
  if (changes.length === 0) return { kind: 'made', account, changes, noted: [] }
  const keep = () => keepAmendment(account, judged, context, operation, { reason })
  // An application is decided on and screened as a whole, and again after a change: changes of it do not wait.
  if (account.status === 'Pending') {
    const refused = await runChecksAgain(context, account.accountNumber)
    if (refused !== undefined) return new Rejected([refused])
    return { kind: 'made', account: keep(), changes, noted: [] }
  }
  const subjects = approvalSubjectsOf(changes)
  const approvals = subjectsToApprove(context, subjects)
  const { reviewed, noted } = await findCaused(context, account, judged)
  const hits = await unlessNoList(() => screenChange(context, account.record, amended))
  if (hits instanceof Rejected) return hits
  const waitsFor = {
    approval: approvals.length > 0,
    reviewed,
    matches: hits.length > 0,
  }
  if (!waitsFor.approval && reviewed.length === 0 && !waitsFor.matches)
    return { kind: 'made', account: keep(), changes, noted }
  const alike = await findWaitingAlike(account, request, context)
  if (alike !== undefined) {
    const left = alike.approved_by === null ? waitsFor : { approval: false, reviewed: [] }
    return waiting(alike.change_id, { ...left, matches: alike.open_matches > 0 })
  }
  const screening: ApprovalSubject[] = waitsFor.matches ? ['Screening'] : []
  const reviewing: ApprovalSubject[] = reviewed.length > 0 ? ['ReviewedFacts'] : []
  const change = askForChange(context, {
    operation: 'update-account',
    accountNumber: account.accountNumber,
    subjects: [...subjects, ...reviewing, ...screening],
    request,
    fields: [...changedFields(changes), ...reviewed.map(asField)],
    version: account.version,
    reason,
    approvalNeeded: waitsFor.approval || reviewed.length > 0,
    customerIds,
    openMatches: hits.length,
  })
  keepMatchesOfChange(context, account, change.change_id, hits)
  return waiting(change.change_id, waitsFor)
}

interface WaitsFor {
  readonly approval: boolean
  readonly reviewed: readonly Finding[]
  readonly matches: boolean
}

function waiting(changeId: string, { approval, reviewed, matches }: WaitsFor): Outcome {
  const review = reviewed.length > 0 || matches
  const what = approval
    ? `a second person's approval${review ? ' and a review by operations' : ''}`
    : 'a review by operations'
  const why = reviewed.length > 0 ? ` ${reasonsOf(reviewed)}` : ''
  return { kind: 'waits', message: `The record is unchanged: change ${changeId} awaits ${what}.${why}` }
}

/**
 * Without a watch list no name can be screened: no change that needs screening takes effect, and the outcome of an
 * application is unknown.
 */
export async function unlessNoList<T>(screen: () => Promise<T>): Promise<T | Rejected> {
  try {
    return await screen()
  } catch (fault) {
    if (!(fault instanceof NoWatchList)) throw fault
    return new Rejected([noList], undefined, retryAfterSeconds)
  }
}

const retryAfterSeconds = 60
const noList: Rejection = reject(
  'ERR.5003',
  '',
  'No watch list is loaded: names and addresses cannot be screened until one is loaded.',
)
