/** Merges submitted items into an account's lists. An item without a match is appended, and no item is removed. */
import { plainMarks, reject } from '@clearing/protocol/values'
import { completeBeneficiary, completeParty, withRole } from './application.ts'
import { compact, isBlank } from './blank.ts'
import { beneficiaryField, type Placed } from './canonical-request.ts'
import { maskNumber } from './mask-numbers.ts'
import type { Merge } from './merge-blocks.ts'
import { fullName } from './name.ts'
import type { AccountRecord, Address, Beneficiary, Party } from './record.ts'
import { registrationOf } from './registration.ts'

const fixedWithoutTaxId = ['customerId', 'nameType', 'citizenshipCountry']
const fixedWithTaxId = new Set([...fixedWithoutTaxId, 'taxIdType', 'taxIdNumber'])

/**
 * The attributes of a party that cannot be changed. A party without a tax id, such as a foreign person who has applied
 * for an ITIN, may get one later: this adds a value and changes none.
 */
export function fixedOf(party: Party | undefined): ReadonlySet<string> {
  return party !== undefined && isBlank(party.taxIdNumber) ? new Set(fixedWithoutTaxId) : fixedWithTaxId
}

const fixedOfBeneficiary = new Set(['customerId', 'id', 'nameType'])

/** The record's beneficiaries with their paths in shape 2. */
export function placedBeneficiaries(record: AccountRecord): Placed<Beneficiary>[] {
  const retirement = registrationOf(record.registrationType)?.group === 'ira'
  const list = retirement ? 'retirementBenes' : 'transferOfDeathBeneficiaries'
  return record.beneficiaries.map((value, index) => ({ value, path: `${list}[${index}]` }))
}

/** A changed party with the values that the service completes, which are changes too. */
export function completed(
  merge: Merge,
  party: Party,
  place: string,
  mailingAddress: Address,
  { nextCustomerId }: { nextCustomerId: () => string },
): Party {
  const complete = completeParty(party, mailingAddress, nextCustomerId)
  for (const [name, to] of Object.entries(complete)) {
    if (party[name as keyof Party] === undefined)
      merge.changes.push({ field: `${place}.${name}`, from: undefined, to })
  }
  return complete
}

/** Parties match by customerId; an item without it is appended. */
export function mergeParties(
  merge: Merge,
  record: AccountRecord,
  given: readonly Placed<Party>[],
  mailingAddress: Address,
  settings: { nextCustomerId: () => string },
): Party[] {
  const parties = [...record.associatedParties]
  const named = new Set<string>()
  for (const { value, path } of given) {
    if (isBlank(value)) continue
    if (!value.customerId) {
      const added = withRole(completeParty(compact(value), mailingAddress, settings.nextCustomerId), record)
      merge.changes.push({ field: `associatedParties[${added.customerId}]`, from: undefined, to: added })
      parties.push(added)
      continue
    }
    const index = parties.findIndex(({ customerId }) => customerId === value.customerId)
    if (index < 0) {
      merge.rejections.push(
        reject('ERR.1015', `${path}.customerId`, 'No associated party of this account has this customer id.'),
      )
      continue
    }
    if (named.has(value.customerId)) {
      merge.rejections.push(reject('ERR.1014', `${path}.customerId`, 'The same party is given twice.'))
      continue
    }
    named.add(value.customerId)
    const place = `associatedParties[${value.customerId}]`
    const changed = merge.block(parties[index], value, path, fixedOf(parties[index]), place)
    parties[index] = completed(merge, changed, place, mailingAddress, settings)
  }
  return parties
}

/**
 * T.O.D. beneficiaries match by customerId or id, retirement ones by taxId, those of shape 1 by tax id or name; others
 * are appended.
 */
export function mergeBeneficiaries(
  merge: Merge,
  record: AccountRecord,
  given: readonly Placed<Beneficiary>[],
  nextCustomerId: () => string,
): Placed<Beneficiary>[] {
  const merged = placedBeneficiaries(record)
  const named = new Set<string | undefined>()
  for (const { value, path } of given) {
    if (isBlank(value)) continue
    const { id, ...rest } = value as Beneficiary & { id?: string }
    const index = findBeneficiary(merged, value, path)
    const present = merged[index]
    if (!present) {
      if (rest.customerId || id) {
        const field = `${path}.${rest.customerId ? 'customerId' : 'id'}`
        merge.rejections.push(
          reject('ERR.1015', field, 'No beneficiary of this account has this customer id.'),
        )
        continue
      }
      const added = completeBeneficiary(compact(rest), nextCustomerId)
      named.add(added.customerId)
      merge.changes.push({ field: `beneficiaries[${added.customerId}]`, from: undefined, to: added })
      merged.push({ value: added, path })
      continue
    }
    if (named.has(present.value.customerId)) {
      const key = rest.customerId ? 'customerId' : rest.taxIdNumber ? 'taxIdNumber' : 'firstName'
      const field = !rest.customerId && id ? `${path}.id` : beneficiaryField(path, key)
      merge.rejections.push(reject('ERR.1014', field, 'The same beneficiary is given twice.'))
      continue
    }
    named.add(present.value.customerId)
    merge.fixedValue(`${path}.id`, present.value.customerId ?? '', id)
    const place = `beneficiaries[${present.value.customerId}]`
    const isNamed = path.startsWith('beneficiaries') && sameName(rest, present.value)
    const kept = isNamed ? withoutName(rest) : rest
    const normal = kept.percentageAllocation ? { ...kept, ...percentOnly(kept) } : kept
    merged[index] = { path, value: merge.block(present.value, normal, path, fixedOfBeneficiary, place) }
  }
  return merged
}

/** Shape 1 has the name in one field, and an equal name leaves its parts as they are. */
function withoutName({ firstName, middleName, lastName, suffix, ...others }: Beneficiary): Beneficiary {
  return others
}

function percentOnly(beneficiary: Beneficiary): Pick<Beneficiary, 'percentageAllocation'> {
  const { percentageAllocation } = completeBeneficiary(beneficiary, () => '')
  return percentageAllocation === undefined ? {} : { percentageAllocation }
}

function findBeneficiary(
  present: readonly Placed<Beneficiary>[],
  given: Beneficiary & { id?: string },
  path: string,
): number {
  const index = present.findIndex(({ value }) => matches(value, given, path))
  if (index >= 0 || given.customerId || !given.id) return index
  // A corrected tax id is that of no beneficiary, but the id names one.
  return present.findIndex(({ value }) => value.customerId === given.id)
}

function matches(present: Beneficiary, given: Beneficiary & { id?: string }, path: string): boolean {
  if (given.customerId) return given.customerId === present.customerId
  // A retirement beneficiary is found by its tax id, and its id is then compared (Reading 3.9).
  if (given.id && !given.taxIdNumber) return given.id === present.customerId
  if (given.taxIdNumber && present.taxIdNumber) {
    return (
      (given.taxIdNumber === present.taxIdNumber || given.taxIdNumber === maskNumber(present.taxIdNumber)) &&
      (given.primaryContingent ?? present.primaryContingent) === present.primaryContingent
    )
  }
  if (!path.startsWith('beneficiaries') || given.taxIdNumber) return false
  return sameName(given, present) && fullName(given) !== ''
}

/** Names of earlier releases may have typographic marks, which a request no longer has. */
function sameName(given: Beneficiary, present: Beneficiary): boolean {
  return fullName(given) === plainMarks(fullName(present))
}

/** Large traders match by their id. */
export function mergeLargeTraders(
  merge: Merge,
  record: AccountRecord,
  given: readonly { largeTraderId?: string }[],
): AccountRecord['largeTraders'] {
  const traders = [...record.largeTraders]
  given.forEach((trader, position) => {
    if (isBlank(trader)) return
    const path = `largeTraders[${position}]`
    const index = traders.findIndex(({ largeTraderId }) => largeTraderId === trader.largeTraderId)
    if (index >= 0) {
      const place = `largeTraders[${trader.largeTraderId}]`
      traders[index] = merge.block(traders[index], trader, path, undefined, place)
      return
    }
    merge.changes.push({ field: `largeTraders[${trader.largeTraderId}]`, from: undefined, to: trader })
    traders.push(compact(trader))
  })
  return traders
}
