/**
 * Writes a renewed identification to the record of its person, in the transaction that approves the document (decision
 * 227). The change is screened, and waits for a match, as one of update-account.
 */
import { isIdentification, renewIdentification, type ShownId } from '@clearing/domain'
import { type Rejection, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import { followUpSettledBy } from '../onboarding/document-follow-ups.ts'
import { answerFieldFollowUps } from '../onboarding/follow-ups.ts'
import { lockAccountRow } from '../store/accounts.ts'
import { lockDocumentRow } from '../store/documents.ts'
import { readOnboarding } from '../store/onboarding.ts'
import { amendOrWait } from './amend-or-wait.ts'
import { notFound } from './restrict.ts'
import { whyFixed } from './why-fixed.ts'

interface Approval {
  readonly accountNumber: string
  readonly documentId: string
}

/** Why the record was not changed, or the message for a change that waits; empty if it was made. */
export async function recordIdentification(
  context: FirmContext,
  { accountNumber, documentId }: Approval,
  shown: ShownId,
): Promise<Rejected | string> {
  const { tx, keys } = context
  const account = await lockAccountRow(tx, accountNumber, keys)
  if (account === undefined) return new Rejected([notFound])
  if (account.status === 'Pending') return new Rejected([ofApplication])
  const fixed = await whyFixed(tx, account, 'accountNumber')
  if (fixed !== undefined) return new Rejected([fixed])
  const document = await lockDocumentRow(tx, accountNumber, documentId)
  // The decision on the document says so.
  if (document?.status !== 'PendingApproval') return ''
  const { reference, catalogued, follow_up_id } = document
  const followUpId = follow_up_id ?? (await followUpSettledBy(tx, accountNumber, reference))
  const followUps = (await readOnboarding(tx, accountNumber))?.state.followUps ?? []
  const field = followUps.find(({ id }) => id === followUpId)?.field
  if (!catalogued || !isIdentification(reference) || field === undefined) return new Rejected([notRenewed])
  const renewed = renewIdentification(account.record, field, reference, shown)
  if ('rejections' in renewed) return new Rejected(renewed.rejections)
  const request = { accountNumber, ...renewed.blocks }
  const outcome = await amendOrWait({ account, request, operation: 'decide-document' }, context)
  if (outcome instanceof Rejected) {
    // Each role of the person breaks the same rule.
    const byMember = new Map(
      outcome.rejections.map((one) => [`${one.code} ${memberOf(one.field)}`, one] as const),
    )
    return new Rejected([...byMember.values()].map((one) => ({ ...one, field: memberOf(one.field) })))
  }
  if (outcome.kind === 'waits') return outcome.message
  await answerFieldFollowUps(context, outcome.account, outcome.changes)
  return ''
}

const ofApplication: Rejection = reject(
  'ERR.2011',
  'accountNumber',
  'The account is Pending; an application is checked with the identification that the firm sent. Approve the document without these members.',
)
const notRenewed: Rejection = reject(
  'ERR.1015',
  'idNumber',
  'Only a passport, driver’s license or national identity card that answers a request for a renewed identification is written to the record. Use update-account for another.',
)

/** The member of the request: the last name of the path in the record. */
function memberOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}
