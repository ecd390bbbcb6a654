/** Renewals that operations request, before the day on which they fall due or independently of it. */
import type { RenewalKind } from '@clearing/protocol'
import { isUnsettled } from '../../onboarding/follow-ups.ts'
import type { FollowUp } from '../../onboarding/onboarding-state.ts'
import { isPerson } from '../policy/parties.ts'
import { type CertificationRule, certificationsOf } from '../policy/tax-identification.ts'
import type { AccountRecord } from '../record.ts'
import { asksIdentity, type DueItem, fallsDue, renewalKindOf, type YearFacts } from './falls-due.ts'
import type { Renewal } from './review-year.ts'

/**
 * The items to request: those of the kind that fall due, or one for the primary owner, or for each owner who certifies
 * the tax status on the form; or the reason why the account has none.
 */
export function requestRenewal(
  record: AccountRecord,
  kind: RenewalKind,
  facts: YearFacts & { readonly day: string },
): readonly DueItem[] | { readonly reason: string } {
  // What a text or a waiver answered can be requested again.
  const { statedFields: _, ...unstated } = facts
  const items = fallsDue(record, unstated).filter((item) => item.kind === kind)
  if (items.length > 0) return items
  const owner = record.primaryOwner
  const { asks } = renewalKindOf(kind)
  const asked = {
    kind,
    asks,
    subject: owner.customerId ?? '',
    fallsOn: facts.day,
    listedOn: facts.day,
  }
  const askedOf = (wanted: CertificationRule, reason: string) =>
    certificationsOf(record, facts.magicTaxIds)
      .filter(({ rule }) => rule === wanted)
      .map(({ party, path }) => ({ ...asked, subject: party.customerId ?? '', field: path, reason }))
  switch (kind) {
    case 'W9Certification': {
      const owners = askedOf('UsOwnerCertified', 'The owner must certify the tax status again on Form W-9.')
      return owners.length > 0 ? owners : { reason: 'The owners do not certify the tax status on Form W-9.' }
    }
    case 'W8Certification':
      return {
        reason: 'The owners do not certify the tax status on Form W-8BEN, or have given a later Form W-9.',
      }
    case 'W9OrW8Certification': {
      const owners = askedOf(
        'AlienOwnerCertified',
        'The owner must certify the tax status again on Form W-9, or on Form W-8BEN or W-8ECI.',
      )
      return owners.length > 0
        ? owners
        : { reason: 'The owners do not choose between Form W-9 and Form W-8BEN or W-8ECI.' }
    }
    case 'ForeignStatusEvidence':
      return { reason: 'No foreign owner got an address in the United States after the opening.' }
    case 'W8EntityCertification': {
      const owners = askedOf(
        'ForeignEntityCertified',
        'The entity must certify the tax status again on Form W-8BEN-E, W-8ECI, W-8EXP or W-8IMY.',
      )
      return owners.length > 0
        ? owners
        : { reason: 'The owner does not certify the tax status on Form W-8BEN-E, W-8ECI, W-8EXP or W-8IMY.' }
    }
    case 'IdentityDocument': {
      if (!isPerson(owner)) return { reason: 'The owner is an entity and has no government identification.' }
      const field = 'primaryOwner.governmentIdentification'
      return [
        { ...asked, asks: asksIdentity(owner), field, reason: 'The owner must show a new identification.' },
      ]
    }
    case 'IdentityRecord':
      return { reason: 'It is requested after the approval of a renewed identification.' }
    case 'ComingOfAge':
      return { reason: 'The account has no minor who comes of age.' }
    case 'CustodianshipEnded':
      return { reason: 'No owner who came of age has given an instruction for a custodial account.' }
    case 'OwnersResidence':
    case 'OwnersMarried':
      return { reason: 'The owners qualify for the registration of the account.' }
    case 'TrustedContact':
      return { reason: 'The account has a trusted contact who can be reached, or its owner is an entity.' }
    case 'Occupation':
    case 'Employer':
      return { reason: 'The account has no owner whose occupation or employer is not known.' }
    case 'BeneficialOwners':
    case 'OwnershipShare':
      return { reason: 'No entity owns the account, or its owners are known or stated.' }
    case 'ActingPerson':
      return { reason: 'A person owns the account or acts for it.' }
    case 'AuthorityDocument':
    case 'GuardianshipDocument':
    case 'LettersDocument':
    case 'ResolutionDocument':
    case 'TrustDocument':
      return { reason: 'No party of the account acts by such a document.' }
    default:
      return kind satisfies never
  }
}

/** The renewals after a request of operations: an item that was requested before is unchanged. */
export function withRequested(
  kept: readonly Renewal[],
  items: readonly DueItem[],
  followUps: readonly FollowUp[],
): Renewal[] {
  const requested = items.flatMap((item): Renewal[] => {
    const { kind, subject, field, listedOn } = item
    const asking = followUps.findLast((one) => asksFor(one, item))
    if (asking === undefined || kept.some(({ followUpId }) => followUpId === asking.id)) return []
    return [
      { kind, subject, field, listedOn, state: 'Asked', followUpId: asking.id, dueOn: null, requested: true },
    ]
  })
  const isReplaced = (one: Renewal) =>
    requested.some(({ kind, subject }) => kind === one.kind && subject === one.subject)
  return [...kept.filter((one) => !isReplaced(one)), ...requested]
}

/** Whether an unsettled follow-up asks for the item. */
export function asksFor(followUp: FollowUp, { asks, field }: Pick<DueItem, 'asks' | 'field'>): boolean {
  return followUp.code === asks && followUp.field === field && isUnsettled(followUp)
}
