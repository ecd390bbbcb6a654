/**
 * Follow-ups that a document answers. A document is linked to them when it is added, or when they are opened after it,
 * and settles them when it is decided on (Reading 4.5).
 */
import {
  awaitsFirm,
  type FollowUp,
  finalStates,
  isLateInReview,
  isUnsettled,
  type OnboardingJob,
  type OnboardingState,
} from '@clearing/domain'
import type { Tx } from '../database/transaction.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import { type Document, linkDocument, lockUnlinkedDocuments } from '../store/documents.ts'
import { lockOnboardingRow, readOnboarding } from '../store/onboarding.ts'
import { type Acting, advanceOnboarding, type OnboardingSteps } from './advance-onboarding.ts'

/** The requests of an account and its state. */
type Asking = Pick<OnboardingState, 'currentState' | 'followUps'>

function takes({ kind, acceptedDocuments }: FollowUp, reference: string): boolean {
  return kind === 'Document' && acceptedDocuments.includes(reference)
}

/** The first follow-up that a document of this reference answers. */
function firstAwaiting(asking: Asking, reference: string): FollowUp | undefined {
  const awaits = (one: FollowUp) => awaitsFirm(one) || isLateInReview(one, asking)
  return asking.followUps.find((one) => takes(one, reference) && awaits(one))
}

/**
 * The follow-ups of the account. While an application is in progress, a stage may be about to open one: this waits for
 * the stage, which answers a follow-up with the documents that it finds.
 */
async function readAsking(tx: Tx, accountNumber: string): Promise<Asking | undefined> {
  const read = await readOnboarding(tx, accountNumber)
  if (read === undefined || finalStates.includes(read.state.currentState)) return read?.state
  return (await lockOnboardingRow(tx, accountNumber))?.state
}

/** The only unsettled follow-up that a document of this reference answers, if there is only one. */
function onlyWaiting(asking: Asking, reference: string): FollowUp | undefined {
  const waits = (one: FollowUp) => isUnsettled(one) || isLateInReview(one, asking)
  const [first, ...others] = asking.followUps.filter((one) => takes(one, reference) && waits(one))
  return others.length === 0 ? first : undefined
}

/**
 * Links the document to the first open follow-up that its reference answers, and returns the follow-up's id, or null.
 */
export async function answerDocumentFollowUp(
  context: FirmContext,
  accountNumber: string,
  reference: string,
  documentId: string,
): Promise<string | null> {
  const asking = await readAsking(context.tx, accountNumber)
  const followUp = asking && firstAwaiting(asking, reference)
  if (!followUp) return null
  const taken = await advanceOnboarding(
    context.tx,
    accountNumber,
    {
      kind: 'follow-up-answered',
      followUpId: followUp.id,
      answer: { documentId, fields: [], text: '' },
      at: context.now.toISOString(),
      by: 'firm',
    },
    {
      clock: context.parts.clock,
      now: context.now,
      actor: context.caller.clientId,
      traceId: context.traceId,
    },
  )
  return taken.kind === 'advanced' ? followUp.id : null
}

/**
 * The only follow-up that an approved document settles although it was linked to none, such as a second copy that was
 * added while the first was under review. Null if there is none, or if several persons are asked for such a document.
 */
export async function followUpSettledBy(
  tx: Tx,
  accountNumber: string,
  reference: string,
): Promise<string | null> {
  const asking = await readAsking(tx, accountNumber)
  return (asking && onlyWaiting(asking, reference)?.id) ?? null
}

/**
 * Answers the follow-ups that a stage has just opened with documents that were added before, and accepts those whose
 * document is approved. Returns the jobs of its steps.
 */
export async function answerWithEarlierDocuments(
  tx: Tx,
  accountNumber: string,
  steps: OnboardingSteps,
  acting: Acting,
): Promise<readonly OnboardingJob[]> {
  const references = steps.state.followUps.filter(isNew).flatMap(({ acceptedDocuments }) => acceptedDocuments)
  if (references.length === 0) return []
  const jobs: OnboardingJob[] = []
  for (const document of await lockUnlinkedDocuments(tx, accountNumber, references))
    jobs.push(...answerWith(tx, document, steps, acting))
  return jobs
}

function isNew({ kind, status, answers }: FollowUp): boolean {
  return kind === 'Document' && status === 'Open' && answers === undefined
}

function answerWith(
  tx: Tx,
  { account_number, document_id, reference, status }: Document,
  steps: OnboardingSteps,
  acting: Acting,
): readonly OnboardingJob[] {
  const isApproved = status === 'Approved'
  const find = isApproved ? onlyWaiting : firstAwaiting
  const followUp = find(steps.state, reference)
  if (followUp === undefined || !isNew(followUp)) return []
  const { id: followUpId } = followUp
  linkDocument(tx, { account_number, document_id }, followUpId)
  const at = acting.now.toISOString()
  const answer = { documentId: document_id, fields: [], text: '' }
  steps.take({ kind: 'follow-up-answered', followUpId, answer, at, by: 'firm' }, acting)
  if (!isApproved) return []
  const taken = steps.take({ kind: 'follow-up-accepted', followUpId, at, by: 'service' }, acting)
  return taken.kind === 'advanced' ? taken.step.jobs : []
}

/** Accepts or refuses the follow-up that the document answers. A settled follow-up stays unchanged. */
export async function settleDocumentFollowUp(
  tx: Tx,
  accountNumber: string,
  followUpId: string,
  decision: { approved: boolean; reason: string },
  acting: Acting,
): Promise<void> {
  const at = acting.now.toISOString()
  await advanceOnboarding(
    tx,
    accountNumber,
    decision.approved
      ? { kind: 'follow-up-accepted', followUpId, at, by: 'operations' }
      : { kind: 'follow-up-refused', followUpId, reason: decision.reason, at, by: 'operations' },
    acting,
  )
}
