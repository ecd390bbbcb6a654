/**
 * Answers follow-ups by changes of the record: a follow-up is answered if the rules that caused it find nothing any
 * more, or, if no rule caused it, by a change of its field (Reading 4.5).
 */
import {
  type AccountRecord,
  awaitsFirm,
  type FieldChange,
  type Finding,
  type FollowUp,
  isIdentificationCurrent,
  mayEndByChange,
} from '@clearing/domain'
import { serviceActor } from '../actor.ts'
import type { Tx } from '../database/transaction.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import { easternDay } from '../store/books/calendar.ts'
import { readOnboarding } from '../store/onboarding.ts'
import { advanceOnboarding } from './advance-onboarding.ts'
import { findInRecord } from './find-in-record.ts'

function isOpenField(followUp: FollowUp): boolean {
  return followUp.kind === 'Field' && awaitsFirm(followUp)
}

/** Which changes an application that waits accepts: `any`, or only those that answer a request for a document. */
export async function readAcceptedChanges(tx: Tx, accountNumber: string): Promise<'any' | 'ending' | 'none'> {
  const followUps = (await readOnboarding(tx, accountNumber))?.state.followUps ?? []
  if (followUps.some(isOpenField)) return 'any'
  return followUps.some(mayEndByChange) ? 'ending' : 'none'
}

/** Whether the changed record answers an open request of the application for a document. */
export async function endsRequest(
  context: FirmContext,
  accountNumber: string,
  record: AccountRecord,
): Promise<boolean> {
  const followUps = (await readOnboarding(context.tx, accountNumber))?.state.followUps ?? []
  return followUps.filter(mayEndByChange).some(whatIsMet(context, record))
}

/**
 * Accepts the open follow-ups that the changed record answers. The record has passed its rules, and the stage that
 * asked checks it again.
 */
export async function answerFieldFollowUps(
  context: FirmContext,
  { accountNumber, record }: { readonly accountNumber: string; readonly record: AccountRecord },
  changes: readonly FieldChange[],
  text = '',
): Promise<void> {
  if (changes.length === 0) return
  const onboarding = await readOnboarding(context.tx, accountNumber)
  const open = (onboarding?.state.followUps ?? []).filter((one) => isOpenField(one) || mayEndByChange(one))
  if (open.length === 0) return
  const met = whatIsMet(context, record)
  const answered = open.filter((followUp) =>
    followUp.found === undefined ? isAskedFor(followUp, record, changes) : met(followUp),
  )
  const acting = {
    clock: context.parts.clock,
    now: context.now,
    actor: context.caller.clientId,
    traceId: context.traceId,
  }
  const at = context.now.toISOString()
  for (const { id } of answered) {
    const answer = { documentId: '', fields: changes.map(({ field }) => field), text }
    const given = { kind: 'follow-up-answered', followUpId: id, answer, at, by: 'firm' } as const
    const taken = await advanceOnboarding(context.tx, accountNumber, given, acting)
    if (taken.kind !== 'advanced') continue
    const accepted = { kind: 'follow-up-accepted', followUpId: id, at, by: 'service' } as const
    await advanceOnboarding(context.tx, accountNumber, accepted, { ...acting, actor: serviceActor })
  }
}

/** The rules of an application decide, because some of the follow-ups are opened at the opening only. */
function findPending({ now, parts }: Pick<FirmContext, 'now' | 'parts'>, record: AccountRecord): Finding[] {
  return findInRecord({ record, status: 'Pending' }, { now, sandbox: parts.sandbox })
}

/** Tells which follow-ups the changes concern. They are made, although a rule may ask for more. */
export function answersOf(
  context: Pick<FirmContext, 'now' | 'parts'>,
  record: AccountRecord,
  changes: readonly FieldChange[],
): (followUp: FollowUp) => boolean {
  const met = whatIsMet(context, record)
  return (followUp) => isAskedFor(followUp, record, changes) || met(followUp)
}

/** Why the record still lacks what a follow-up asks for. */
export function whyStillAsked(
  context: Pick<FirmContext, 'now' | 'parts'>,
  record: AccountRecord,
  { found = [], reasons }: FollowUp,
): string {
  const current = findPending(context, record)
    .filter((one) => found.some(({ rule, field }) => one.rule === rule && one.field === field))
    .map(({ reason }) => reason)
  return (current.length > 0 ? current : reasons).join(' ')
}

/**
 * Whether the changes include the requested one. A rule of all parties is answered when it is met, and so is a request
 * for a document.
 */
function isAskedFor(followUp: FollowUp, record: AccountRecord, changes: readonly FieldChange[]): boolean {
  if (followUp.kind === 'Document') return false
  if (followUp.field === 'associatedParties' && followUp.found !== undefined) return false
  return changes.some(({ field }) => touches(field, fieldByCustomer(followUp.field, record)))
}

/** Tells whether none of the rules that caused a follow-up is still broken. */
function whatIsMet(
  context: Pick<FirmContext, 'now' | 'parts'>,
  record: AccountRecord,
): (followUp: FollowUp) => boolean {
  const current = findPending(context, record)
  const today = easternDay(context.now)
  const isBroken = ({ rule, field }: { rule: string; field: string }) =>
    // Only the day decides this rule: it is no finding of the record.
    rule === 'IdentityRecorded'
      ? !isIdentificationCurrent(record, field, today)
      : current.some((finding) => finding.rule === rule && finding.field === field)
  return ({ found = [] }) => found.length > 0 && !found.some(isBroken)
}

/** Follow-ups name a party by its position, and changes by its customer id. Parties keep their positions. */
function fieldByCustomer(field: string, record: AccountRecord): string {
  return field.replace(
    /^associatedParties\[(\d+)\]/,
    (whole, position) =>
      `associatedParties[${record.associatedParties[Number(position)]?.customerId ?? whole}]`,
  )
}

function touches(changed: string, asked: string): boolean {
  return (
    asked === '' ||
    changed === asked ||
    changed.startsWith(`${asked}.`) ||
    changed.startsWith(`${asked}[`) ||
    asked.startsWith(`${changed}.`)
  )
}
