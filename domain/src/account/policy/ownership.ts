/**
 * The shares of an entity's owners, and its beneficial owners: the persons who own 25 percent or more of it, directly
 * or through other entities (31 CFR 1010.230(d)(1)).
 */
import { type Decimal, decimal, max, renderDecimal, sum } from '../../decimal.ts'
import { readPercentage } from '../percentage.ts'
import type { AccountRecord, Party } from '../record.ts'
import type { Judged } from './judge-account.ts'
import { associatedOf, isPerson, isSamePerson, type PlacedParty } from './parties.ts'

const wholePercent = decimal('100')
const beneficialOwnerPercent = decimal('25')

/** A person who is named in two roles owns the same share once. */
interface Share {
  readonly party: Party
  percent: Decimal
  /** Whether the party is more than a beneficial owner, whose share may be that of an entity. */
  isDirect: boolean
}

export function judgeOwnership({ record, report }: Judged): void {
  const parties = associatedOf(record)
  const shares = sharesOf(record.associatedParties)
  const ofPersons = totalOf(shares.filter(({ party }) => isPerson(party)))
  const total = max(ofPersons, totalOf(shares.filter(({ isDirect }) => isDirect)))
  if (total > wholePercent) {
    const reason = `The shares of the owners add up to ${renderDecimal(total, 2)} percent.`
    report('OwnershipTotal', 'associatedParties', reason)
  }
  const named = parties.filter(({ party }) => party.role === 'BeneficialOwner')
  for (const { party, path } of parties) {
    const percent = readPercentage(party.ownershipPercent)
    if (
      isPerson(party) &&
      percent !== undefined &&
      percent >= beneficialOwnerPercent &&
      !named.some((other) => isSamePerson(other.party, party))
    ) {
      const reason = 'A person who owns 25 percent or more is a party with the role BeneficialOwner too.'
      report('BeneficialOwnerNamed', `${path}.role`, reason)
    }
  }
  for (const { rule, field, reason } of unknownOwnersOf(record)) report(rule, field, reason)
}

/** What is not known about the owners of an entity, and whom it is about: a beneficial owner, or the entity. */
export interface UnknownOwners {
  readonly rule: 'OwnershipKnown' | 'BeneficialOwnersStated'
  readonly field: string
  readonly reason: string
  readonly party: Party
}

export function unknownOwnersOf(record: AccountRecord): UnknownOwners[] {
  const shares = sharesOf(record.associatedParties)
  const named = associatedOf(record).filter(({ party }) => party.role === 'BeneficialOwner')
  const ofUnknownShare = named.filter(({ party }) => shareIn(shares, party) === undefined)
  if (ofUnknownShare.length > 0) {
    return ofUnknownShare.map(({ party, path }) => ({
      rule: 'OwnershipKnown',
      field: `${path}.ownershipPercent`,
      reason: 'The share that the beneficial owner has is not known.',
      party,
    }))
  }
  const reason = whyNotStated(shares, named)
  if (reason === undefined) return []
  return [{ rule: 'BeneficialOwnersStated', field: 'associatedParties', reason, party: record.primaryOwner }]
}

/** Why a person who owns 25 percent or more may not be named. The share of each one who is named is known. */
function whyNotStated(shares: readonly Share[], named: readonly PlacedParty[]): string | undefined {
  const ofPersons = totalOf(shares.filter(({ party }) => isPerson(party)))
  if (wholePercent - ofPersons < beneficialOwnerPercent) return undefined
  const isLarge = ({ percent }: Share) => percent >= beneficialOwnerPercent
  if (shares.some((share) => !isPerson(share.party) && isLarge(share))) {
    return 'An entity owns 25 percent or more. Name the persons who own 25 percent or more through it with the role BeneficialOwner, or state that there is none.'
  }
  if (shares.some((share) => isLarge(share) && named.some(({ party }) => isSamePerson(share.party, party))))
    return undefined
  return 'No beneficial owner of 25 percent or more is named. Name every person who owns 25 percent or more, directly or through others, with the role BeneficialOwner, or state that there is none.'
}

function shareIn(shares: readonly Share[], party: Party): Decimal | undefined {
  return shares.find((share) => isSamePerson(share.party, party))?.percent
}

function sharesOf(parties: readonly Party[]): Share[] {
  const shares: Share[] = []
  for (const party of parties) {
    const percent = readPercentage(party.ownershipPercent)
    if (percent === undefined) continue
    const isDirect = party.role !== 'BeneficialOwner'
    const share = shares.find((one) => isSamePerson(one.party, party))
    if (share === undefined) shares.push({ party, percent, isDirect })
    else {
      share.percent = max(percent, share.percent)
      share.isDirect ||= isDirect
    }
  }
  return shares
}

function totalOf(shares: readonly Share[]): Decimal {
  return sum(shares.map(({ percent }) => percent))
}
