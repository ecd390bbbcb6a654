/**
 * What is not known about an entity that owns an account: its beneficial owners, their shares, and a person who acts
 * for it. A text of the firm answers until the owners change.
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
  /** The paths of the questions that texts answer. */
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

/** Whether a text answered the question, and operations accepted it. */
function isStated({ kind, status, answers }: FollowUp): boolean {
  return kind === 'Field' && (status === 'Accepted' || status === 'Waived') && isWritten(answers?.at(-1))
}

/** Whether a text answered a question about all parties, so that their earlier records show if it is still true. */
export function areOwnersStated(followUps: readonly FollowUp[]): boolean {
  return followUps.some((one) => one.field === everyone && isStated(one))
}

/** The paths of the questions that texts answer. `earlier` begins with the newest record. */
export function statedFieldsOf(
  record: AccountRecord,
  followUps: readonly FollowUp[],
  earlier: readonly EarlierRecord[],
): ReadonlySet<string> {
  const changed = earlier.find((one) => partiesIn(one.record) !== partiesIn(record))
  const isTrue = ({ field, answers }: FollowUp) =>
    field !== everyone || changed === undefined || changed.endedAt < (answers?.at(-1)?.at ?? '')
  return new Set(followUps.filter((one) => isStated(one) && isTrue(one)).map(({ field }) => field))
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
