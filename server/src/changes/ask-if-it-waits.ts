/**
 * Whether a change of the record of an open account takes effect at once, or waits: for a second person, for a review
 * of facts that account policy does not leave to the firm, for the matches on watch lists that it would cause, or for
 * several of them. All parts of a request wait together (Reading 3.9).
 */
import type { ApprovalSubject, Finding } from '@clearing/domain'
import type { OperationName } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import type { Account } from '../store/accounts.ts'
import type { ChangedField, StoredChange } from '../store/changes.ts'
import type { Amendment } from './amend-record.ts'
import { askForChange, changedFields, subjectsToApprove } from './ask-for-change.ts'
import { asField, findCaused } from './find-caused.ts'
import { keepMatchesOfChange, screenChange, unlessNoList } from './screen-change.ts'

export type ChangeOutcome =
  /** Nothing waits, and nothing is stored. `noted` is what account policy notes about the change. */
  | { readonly kind: 'free'; readonly noted: readonly Finding[] }
  /** The change is stored, now or by an earlier request for the same. */
  | { readonly kind: 'waits'; readonly change: StoredChange; readonly waitsFor: WaitsFor }

export interface WaitsFor {
  readonly approval: boolean
  readonly reviewed: readonly Finding[]
  readonly matches: boolean
}

/** How the change is stored if it waits. */
interface Asking {
  readonly operation: OperationName
  /** What the change is about; some subjects need a second person. */
  readonly subjects: readonly ApprovalSubject[]
  readonly request: object
  readonly reason: string
  readonly customerIds?: readonly string[]
  /** What the second person sees besides the changed fields and the findings. */
  readonly shown?: readonly ChangedField[]
  /** Why a principal approves the change, whatever its subjects and requester are. */
  readonly mustApprove?: string | undefined
  /** The waiting change of an earlier request for the same. */
  readonly findAlike: () => Promise<StoredChange | undefined>
}

/** The account is locked, and the change was judged. The context is that of the firm concerned. */
export async function askIfItWaits(
  { account, amended, changes }: Pick<Amendment, 'amended' | 'changes'> & { readonly account: Account },
  { findAlike, subjects, shown = [], mustApprove, ...asking }: Asking,
  context: FirmContext,
): Promise<ChangeOutcome | Rejected> {
  const { accountNumber, version } = account
  const approvals = subjectsToApprove(context, subjects)
  const { reviewed, noted } = await findCaused(context, account, { amended, changes })
  const hits = await unlessNoList(() => screenChange(context, account.record, amended))
  if (hits instanceof Rejected) return hits
  const demanded = mustApprove === undefined ? [] : [{ field: 'finding', before: '', after: mustApprove }]
  const waitsFor = {
    approval: approvals.length + demanded.length > 0,
    reviewed,
    matches: hits.length > 0,
  }
  if (!waitsFor.approval && reviewed.length === 0 && !waitsFor.matches) return { kind: 'free', noted }
  const alike = await findAlike()
  if (alike !== undefined) {
    const left = alike.approved_by === null ? waitsFor : { approval: false, reviewed: [] }
    return { kind: 'waits', change: alike, waitsFor: { ...left, matches: alike.open_matches > 0 } }
  }
  const screening: ApprovalSubject[] = waitsFor.matches ? ['Screening'] : []
  const reviewing: ApprovalSubject[] = reviewed.length + demanded.length > 0 ? ['ReviewedFacts'] : []
  const change = askForChange(context, {
    ...asking,
    accountNumber,
    subjects: [...subjects, ...reviewing, ...screening],
    fields: [...changedFields(changes), ...shown, ...reviewed.map(asField), ...demanded],
    version,
    approvalNeeded: waitsFor.approval || reviewed.length > 0,
    openMatches: hits.length,
  })
  keepMatchesOfChange(context, account, change.change_id, hits)
  return { kind: 'waits', change, waitsFor }
}
