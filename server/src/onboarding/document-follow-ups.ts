/**
 * Follow-ups that a document answers. A document is linked to them when it is added, and settles them when it
 * is decided on (Reading 4.5).
 */
import { awaitsFirm, type FollowUp, isUnsettled } from '@clearing/domain'
import type { Tx } from '../database/transaction.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import { readOnboarding } from '../store/onboarding.ts'
import { type Acting, advanceOnboarding } from './advance-onboarding.ts'

function awaits(followUp: FollowUp, reference: string): boolean {
  return (
    followUp.kind === 'Document' && awaitsFirm(followUp) && followUp.acceptedDocuments.includes(reference)
  )
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
  const onboarding = await readOnboarding(context.tx, accountNumber)
  const followUp = onboarding?.state.followUps.find((one) => awaits(one, reference))
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
  const onboarding = await readOnboarding(tx, accountNumber)
  const waiting = (onboarding?.state.followUps ?? []).filter(
    (one) => one.kind === 'Document' && isUnsettled(one) && one.acceptedDocuments.includes(reference),
  )
  return waiting.length === 1 ? (waiting[0]?.id ?? null) : null
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
