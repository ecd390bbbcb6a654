/**
 * The shares of an entity's owners, and its beneficial owners: the persons who own 25 percent or more of it, directly
 * or through other entities (31 CFR 1010.230(d)(1)).
 */
import { type Decimal, decimal, max, renderDecimal, sum } from '../../decimal.ts'
import { readPercentage } from '../percentage.ts'
import type { Party } from '../record.ts'
import type { Judged } from './judge-account.ts'
import { associatedOf, isPerson, isSamePerson } from './parties.ts'

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
  const isShared = (party: Party) => shares.some((share) => isSamePerson(share.party, party))
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
    if (party.role === 'BeneficialOwner' && !isShared(party)) {
      report(
        'OwnershipKnown',
        `${path}.ownershipPercent`,
        'The share that the beneficial owner has is not known.',
      )
    }
  }
  // The share of a beneficial owner may be all that is not known.
  if (wholePercent - ofPersons < beneficialOwnerPercent || named.some(({ party }) => !isShared(party))) return
  const isOwnedThrough = shares.some(
    ({ party, percent }) => !isPerson(party) && percent >= beneficialOwnerPercent,
  )
  if (isOwnedThrough) {
    const reason =
      'An entity owns 25 percent or more. Name the persons who own 25 percent or more through it with the role BeneficialOwner, or state that there is none.'
    report('BeneficialOwnersStated', 'associatedParties', reason)
  } else if (named.length === 0) {
    const reason =
      'No beneficial owner is named. Name every person who owns 25 percent or more, directly or through others, with the role BeneficialOwner, or state that there is none.'
    report('BeneficialOwnersStated', 'associatedParties', reason)
  }
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
