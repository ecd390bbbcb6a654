/** Why the review ends a restriction, and the person whose decision answered the request: for the audit trail. */
import { type FollowUp, renewalKindOf } from '@clearing/domain'
import { documentsFor } from '@clearing/protocol/values'
import { serviceActor } from '../actor.ts'
import type { Restricting } from '../firm-rules/restriction.ts'
import { readActor } from '../store/audit.ts'
import { readApprovalFor } from '../store/documents.ts'
import { evidenceOfForeignStatus, type StoredRenewal } from '../store/renewals.ts'

interface Cause {
  /** The person or credential; `service` if the record answers the request. */
  readonly by: string
  readonly reason: string
}

/** `asked` are the renewals that held the restriction. Of several persons, the one of the last renewal counts. */
export async function whyLifted(
  context: Restricting,
  accountNumber: string,
  asked: readonly StoredRenewal[],
  followUps: readonly FollowUp[],
): Promise<Cause> {
  const causes: Cause[] = []
  for (const renewal of asked) {
    const followUp = followUps.find(({ id }) => id === renewal.followUpId)
    causes.push(await causeOf(context, accountNumber, renewal, followUp))
  }
  return {
    by: causes.findLast(({ by }) => by !== serviceActor)?.by ?? serviceActor,
    reason: causes.map(({ reason }) => reason).join(' '),
  }
}

async function causeOf(
  { tx, firm: { firmId } }: Restricting,
  accountNumber: string,
  renewal: StoredRenewal,
  followUp: FollowUp | undefined,
): Promise<Cause> {
  const { followUpId } = renewal
  const { label, restricts } = renewalKindOf(renewal.kind)
  const request = `${followUpId} (${label})`
  if (followUp?.withdrawnOn !== undefined)
    return { by: serviceActor, reason: `${request} is no longer asked for: the record changed.` }
  if (followUp?.status === 'Waived') {
    const waiver = await readActor(tx, { firmId, accountNumber }, 'waive-follow-up', followUpId)
    return waiver === undefined
      ? { by: serviceActor, reason: `${request} was waived.` }
      : { by: waiver.actor, reason: `${request} was waived: ${waiver.reason}` }
  }
  // A tax form or evidence counts also if it answered another follow-up or none.
  const forms = restricts === 'MissingTaxForm' ? documentsFor('TaxCertification') : []
  const evidence = renewal.kind === 'ForeignStatusEvidence' ? evidenceOfForeignStatus : []
  const approval = await readApprovalFor(tx, accountNumber, renewal, [...forms, ...evidence])
  if (approval !== undefined)
    return {
      by: approval.by,
      reason: `${request} was answered by the approved document ${approval.reference}.`,
    }
  return { by: serviceActor, reason: `${request} is no longer asked: the record answers it.` }
}
