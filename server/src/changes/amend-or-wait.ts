/** A requested change of the blocks of a record takes effect at once, or waits (Reading 3.9). */
import { approvalSubjectsOf, type FieldChange, type Finding } from '@clearing/domain'
import type { OperationName, Request } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import { runChecksAgain } from '../onboarding/changed-record.ts'
import type { Account } from '../store/accounts.ts'
import { type IsEnough, judgeAmendment, keepAmendment } from './amend-record.ts'
import { askIfItWaits, type WaitsFor } from './ask-if-it-waits.ts'
import { whyOtherVersion } from './expected-version.ts'
import { reasonsOf } from './find-caused.ts'
import { findWaitingAlike } from './same-change.ts'
import { type Fixed, whyNotExcepted } from './why-fixed.ts'

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
  /** The record is fixed, with an exception. */
  readonly fixed?: Fixed | undefined
}

/** The account is locked. */
export async function amendOrWait(asked: Asked, context: FirmContext): Promise<Outcome | Rejected> {
  const { account, request, operation, isEnough, fixed } = asked
  const otherVersion = whyOtherVersion(account, request.expectedVersion)
  if (otherVersion !== undefined) return new Rejected([otherVersion])
  const judged = await judgeAmendment(account, request, context, isEnough ? { isEnough } : {})
  if ('rejections' in judged) return new Rejected(judged.rejections)
  const { changes, amended, customerIds } = judged
  const notExcepted = fixed === undefined ? [] : whyNotExcepted(fixed, changes)
  if (notExcepted.length > 0) return new Rejected(notExcepted)
  const reason = request.reason ?? ''
  if (changes.length === 0) return { kind: 'made', account, changes, noted: [] }
  const keep = () => keepAmendment(account, judged, context, operation, { reason })
  // An application is decided on and screened as a whole, and again after a change: changes of it do not wait.
  if (account.status === 'Pending') {
    const refused = await runChecksAgain(context, account.accountNumber)
    if (refused !== undefined) return new Rejected([refused])
    return { kind: 'made', account: keep(), changes, noted: [] }
  }
  const outcome = await askIfItWaits(
    { account, amended, changes },
    {
      operation: 'update-account',
      subjects: approvalSubjectsOf(changes),
      request,
      reason,
      customerIds,
      mustApprove: fixed && contactDuringHold,
      findAlike: () => findWaitingAlike(account, request, context),
    },
    context,
  )
  if (outcome instanceof Rejected) return outcome
  return outcome.kind === 'free'
    ? { kind: 'made', account: keep(), changes, noted: outcome.noted }
    : waiting(outcome.change.change_id, outcome.waitsFor)
}

const contactDuringHold =
  'A temporary hold is in force: ask the customer, or another source than the request, whether this is the trusted contact (FINRA Rule 4512(a)(1)(F)).'

function waiting(changeId: string, { approval, reviewed, matches }: WaitsFor): Outcome {
  const review = reviewed.length > 0 || matches
  const what = approval
    ? `a second person's approval${review ? ' and a review by operations' : ''}`
    : 'a review by operations'
  const why = reviewed.length > 0 ? ` ${reasonsOf(reviewed)}` : ''
  return { kind: 'waits', message: `The record is unchanged: change ${changeId} awaits ${what}.${why}` }
}
