/**
 * What is not known about an entity that owns an account: its beneficial owners, their shares, and a person who acts
 * for it. A text of the firm answers until the owners change, and a waiver stands until then.
 */
import { isWritten } from '../../onboarding/follow-ups.ts'
import type { FollowUp } from '../../onboarding/onboarding-state.ts'
import { unknownOwnersOf } from '../policy/ownership.ts'
import { registrationRuleOf } from '../policy/registration-roles.ts'
import { whyNoPersonActs } from '../policy/roles.ts'
import type { AccountRecord } from '../record.ts'
import { registrationOf } from '../registration.ts'
import { type DueItem, item, subjectOf } from './due-item.ts'
import type { EarlierRecord } from './us-address.ts'

export interface EntityFacts {
  /** The day on which the account was opened. */
  readonly openedOn: string
  /** The paths of the questions that texts answer or operations waived. */
  readonly statedFields?: ReadonlySet<string>
}

const kindOf = { BeneficialOwnersStated: 'BeneficialOwners', OwnershipKnown: 'OwnershipShare' } as const

export function entityDue(
  record: AccountRecord,
  { openedOn: fallsOn, statedFields }: EntityFacts,
): DueItem[] {
  const type = registrationOf(record.registrationType)
  const isOwned =
    type !== undefined &&
    registrationRuleOf(type.value).needs.some(({ anyOf }) => anyOf.includes('ControlPerson'))
  const owners = (isOwned ? unknownOwnersOf(record) : []).map(({ rule, field, reason, party }) =>
    item(kindOf[rule], { subject: subjectOf(party), field, fallsOn, reason }),
  )
  const reason = whyNoPersonActs(record)
  const subject = subjectOf(record.primaryOwner)
  const acting =
    reason === undefined ? [] : [item('ActingPerson', { subject, field: everyone, fallsOn, reason })]
  return [...owners, ...acting].filter(({ field }) => !statedFields?.has(field))
}

/** The path of a question about all parties. */
const everyone = 'associatedParties'

/**
 * The time of the owners whom an answer is about: that of a text which operations accepted, or else of their waiver;
 * undefined if the question is not answered.
 */
function statedAt({ code, kind, status, answers, withdrawnOn, waivedAt }: FollowUp): string | undefined {
  if (kind !== 'Field' || withdrawnOn !== undefined) return undefined
  if (status !== 'Accepted' && status !== 'Waived') return undefined
  const answer = answers?.at(-1)
  if (isWritten(answer)) return answer?.at
  return code === 'FieldCompletion' ? waivedAt : undefined
}

/** Whether a question about all parties was answered, so that their earlier records show if it still is. */
export function areOwnersStated(followUps: readonly FollowUp[]): boolean {
  return followUps.some((one) => one.field === everyone && statedAt(one) !== undefined)
}

/** The paths of the questions that texts or waivers answer. `earlier` begins with the newest record. */
export function statedFieldsOf(
  record: AccountRecord,
  followUps: readonly FollowUp[],
  earlier: readonly EarlierRecord[],
): ReadonlySet<string> {
  const changed = earlier.find((one) => partiesIn(one.record) !== partiesIn(record))
  const isTrue = (field: string, at: string) =>
    field !== everyone || changed === undefined || changed.endedAt < at
  return new Set(
    followUps.flatMap((one) => {
      const at = statedAt(one)
      return at !== undefined && isTrue(one.field, at) ? one.field : []
    }),
  )
}

/** The parties, their roles and shares. */
function partiesIn({ associatedParties }: AccountRecord): string {
  return JSON.stringify(
    associatedParties.map(({ customerId, role, nameType, ownershipPercent }) => [
      customerId,
      role,
      nameType,
      ownershipPercent,
    ]),
  )
}
