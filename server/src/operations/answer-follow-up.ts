/**
 * answer-follow-up: answers one follow-up by an existing document, by a change of the requested field, or by a text for
 * operations. The onboarding then continues.
 */
import {
  type AccountRecord,
  awaitsFirm,
  type FieldChange,
  type FollowUp,
  type FollowUpAnswer,
  isLateInReview,
  mayEndByChange,
  type OnboardingState,
} from '@clearing/domain'
import { type Rejection, type Request, reject } from '@clearing/protocol'
import { serviceActor } from '../actor.ts'
import { Answered, Rejected } from '../answers.ts'
import { amendOrWait } from '../changes/amend-or-wait.ts'
import { whatFixes } from '../changes/why-fixed.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { parseUuid } from '../ids.ts'
import { advanceOnboarding } from '../onboarding/advance-onboarding.ts'
import { answerFieldFollowUps, answersOf, whyStillAsked } from '../onboarding/follow-ups.ts'
import { renderOnboarding } from '../onboarding/render-onboarding.ts'
import { lockAccountRow, readAccountHead } from '../store/accounts.ts'
import { writeAudit } from '../store/audit.ts'
import { linkDocument, lockDocumentRow } from '../store/documents.ts'
import { readOnboarding } from '../store/onboarding.ts'
import type { Context, Handler } from './context.ts'

type Answer = Request<'answer-follow-up'>

const noFollowUp = 'The application has no follow-up with this id. onboarding-result lists them.'

export const answerFollowUp: Handler<'answer-follow-up'> = async (request, context) => {
  const { accountNumber, followUpId } = request
  const onboarding = await readOnboarding(context.tx, accountNumber)
  if (!onboarding) return accountNotFound(context.firm)
  const followUp = onboarding.state.followUps.find(({ id }) => id.toUpperCase() === followUpId.toUpperCase())
  if (!followUp) {
    return new Rejected([reject('ERR.2013', 'followUpId', noFollowUp)])
  }
  const head = await readAccountHead(context.tx, accountNumber)
  if (head?.status === 'Closed')
    return new Rejected([
      reject('ERR.2011', 'accountNumber', 'The account is Closed; its follow-ups need no answer.'),
    ])
  const rejections = [...checkState(request, followUp, onboarding.state), ...checkParts(request, followUp)]
  if (rejections.length > 0) return new Rejected(rejections)
  const given = await giveAnswer(request, followUp, context)
  if (Array.isArray(given) && given.length > 0) return new Rejected(given)
  const answered = await readOnboarding(context.tx, accountNumber)
  if (!answered) throw new Error(`the onboarding of ${accountNumber} was not found`)
  const data = await renderOnboarding(context, answered)
  return Array.isArray(given) ? data : new Answered(data, given)
}

function checkState({ changes }: Answer, followUp: FollowUp, state: OnboardingState): Rejection[] {
  if (followUp.kind === 'Review') {
    return [
      reject('ERR.2010', 'followUpId', 'The clearing firm decides on this follow-up; it needs no answer.'),
    ]
  }
  if (awaitsFirm(followUp) || isLateInReview(followUp, state)) return []
  if (changes && mayEndByChange(followUp)) return []
  return [reject('ERR.2010', 'followUpId', `This follow-up is ${followUp.status.toLowerCase()} already.`)]
}

/**
 * The kind of follow-up decides the answer: a document answers a request for a document, and a change a request for a
 * field, or for a document that it makes unnecessary. A text may be sent with either, or alone.
 */
function checkParts(request: Answer, followUp: FollowUp): Rejection[] {
  const { documentId, changes, text } = request
  if (!documentId && !changes && !text) {
    const part = followUp.kind === 'Document' ? 'documentId' : 'changes'
    return [reject('ERR.1000', part, 'An answer is a documentId, changes of fields, or a text.')]
  }
  const rejections: Rejection[] = []
  if (documentId && followUp.kind !== 'Document') {
    rejections.push(
      reject('ERR.1015', 'documentId', 'This follow-up asks for a field: send changes, or a text.'),
    )
  }
  if (changes && followUp.kind !== 'Field' && !mayEndByChange(followUp)) {
    rejections.push(
      reject('ERR.1015', 'changes', 'This follow-up asks for a document: send documentId, or a text.'),
    )
  }
  return rejections
}

/** A change of an open account waits for approval, as in update-account, or the changes do not settle the follow-up. */
interface Remark {
  readonly message: string
}

/** The reason of the refusal, or undefined. */
function giveAnswer(request: Answer, followUp: FollowUp, context: Context): Promise<Rejection[] | Remark> {
  if (request.documentId) return answerWithDocument(request, request.documentId, followUp, context)
  if (request.changes) return answerWithChanges(request, followUp, context)
  return keepAnswer(request, followUp, { documentId: '', fields: [], text: request.text ?? '' }, context)
}

async function answerWithDocument(
  request: Answer,
  sentId: string,
  followUp: FollowUp,
  context: Context,
): Promise<Rejection[]> {
  const { tx, parts, now, traceId } = context
  const { accountNumber } = request
  const documentId = parseUuid(sentId)
  const document = documentId === undefined ? undefined : await lockDocumentRow(tx, accountNumber, documentId)
  if (!document) return [reject('ERR.2013', 'documentId', 'The account has no document with this id.')]
  const accepted = followUp.acceptedDocuments
  if (!document.catalogued || !accepted.includes(document.reference)) {
    return [reject('ERR.1015', 'documentId', `This follow-up is answered by one of ${accepted.join(', ')}.`)]
  }
  if (document.status === 'Rejected') {
    return [reject('ERR.2010', 'documentId', 'The document was rejected; add another.')]
  }
  if (document.follow_up_id !== null && document.follow_up_id !== followUp.id) {
    return [reject('ERR.2010', 'documentId', `The document already answers ${document.follow_up_id}.`)]
  }
  linkDocument(tx, document, followUp.id)
  const answer = { documentId: document.document_id, fields: [], text: request.text ?? '' }
  const refused = await keepAnswer(request, followUp, answer, context)
  if (refused.length > 0 || document.status !== 'Approved') return refused
  const event = {
    kind: 'follow-up-accepted',
    followUpId: followUp.id,
    at: now.toISOString(),
    by: 'service',
  } as const
  await advanceOnboarding(tx, accountNumber, event, { clock: parts.clock, now, actor: serviceActor, traceId })
  return []
}

async function answerWithChanges(
  request: Answer,
  followUp: FollowUp,
  context: Context,
): Promise<Rejection[] | Remark> {
  const { accountNumber, changes = {}, text = '' } = request
  const account = await lockAccountRow(context.tx, accountNumber, context.keys)
  if (!account) throw new Error(`account ${accountNumber} has an onboarding but no row`)
  // For an open account the change follows the rules of update-account.
  const fixed =
    account.status === 'Pending' ? undefined : await whatFixes(context.tx, account, 'accountNumber')
  if (fixed?.exceptContacts === false) return [fixed.why]
  const isEnough = (made: readonly FieldChange[], amended: AccountRecord) =>
    answersOf(context, amended, made)(followUp)
      ? []
      : [
          reject(
            'ERR.1000',
            followUp.field,
            followUp.kind === 'Document'
              ? 'The follow-up asks for a document, and the changes do not make it unnecessary.'
              : 'The follow-up asks for this field, and the changes do not change it.',
          ),
        ]
  const asked = { account, request: changes, operation: 'answer-follow-up', isEnough, fixed } as const
  const outcome = await amendOrWait(asked, context)
  if (outcome instanceof Rejected) {
    return outcome.rejections.map((one) =>
      one === fixed?.why ? one : { ...one, field: one.field === '' ? 'changes' : `changes.${one.field}` },
    )
  }
  if (outcome.kind === 'waits') return { message: outcome.message }
  await answerFieldFollowUps(context, outcome.account, outcome.changes, text)
  const onboarding = await readOnboarding(context.tx, accountNumber)
  const still = onboarding?.state.followUps.find((one) => one.id === followUp.id && awaitsFirm(one))
  if (still === undefined) return []
  // The changes are in the history of the record. An answer of a text alone is reviewed by operations.
  if (text !== '') return keepAnswer(request, still, { documentId: '', fields: [], text }, context)
  const why = whyStillAsked(context, outcome.account.record, still)
  return { message: `The record has the changes, and follow-up ${still.id} still asks: ${why}` }
}

async function keepAnswer(
  { accountNumber }: Answer,
  followUp: FollowUp,
  answer: Omit<FollowUpAnswer, 'at'>,
  context: Context,
): Promise<Rejection[]> {
  const { tx, now, parts, caller, traceId } = context
  const taken = await advanceOnboarding(
    tx,
    accountNumber,
    { kind: 'follow-up-answered', followUpId: followUp.id, answer, at: now.toISOString(), by: 'firm' },
    { clock: parts.clock, now, actor: caller.clientId, traceId },
  )
  if (taken.kind === 'rejected') return [taken.rejection]
  if (taken.kind === 'absent') throw new Error(`the onboarding of ${accountNumber} was not found`)
  writeAudit(context, {
    action: 'answer-follow-up',
    accountNumber,
    target: followUp.id,
    changes: { documentId: answer.documentId, written: answer.text !== '' },
  })
  return []
}
