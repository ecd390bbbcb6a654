/**
 * Merges submitted beneficiaries and large traders into those of an account. Items without a match are appended, and
 * none is removed.
 */
import { reject } from '@clearing/protocol/values'
import { completeBeneficiary } from './application.ts'
import { compact } from './blank.ts'
import { beneficiaryField, type Placed } from './canonical-request.ts'
import { fixedOfBeneficiary } from './fixed-fields.ts'
import { maskNumber } from './mask-numbers.ts'
import type { Merge } from './merge-blocks.ts'
import { mergeName, sameName } from './merge-names.ts'
import { isUnread, MergedItems, type MergeSettings } from './merged-items.ts'
import { fullName } from './name.ts'
import { completePercentage } from './percentage.ts'
import type { AccountRecord, Beneficiary, LargeTrader } from './record.ts'
import { registrationOf } from './registration.ts'

/** The record's beneficiaries with their paths in shape 2. */
export function placedBeneficiaries(record: AccountRecord): Placed<Beneficiary>[] {
  const retirement = registrationOf(record.registrationType)?.group === 'ira'
  const list = retirement ? 'retirementBenes' : 'transferOfDeathBeneficiaries'
  return record.beneficiaries.map((value, index) => ({ value, path: `${list}[${index}]`, unnamed: true }))
}

/**
 * T.O.D. beneficiaries match by customerId or id, retirement ones by taxId, those of shape 1 by tax id or name; others
 * are appended.
 */
export function mergeBeneficiaries(
  merge: Merge,
  record: AccountRecord,
  given: readonly Placed<Beneficiary>[],
  { nextCustomerId, refusedPaths }: MergeSettings,
): Placed<Beneficiary>[] {
  const merged = placedBeneficiaries(record)
  const named = new Set<string | undefined>()
  for (const { value, path } of given) {
    if (isUnread(value, path, refusedPaths)) continue
    const { id, ...rest } = value as Beneficiary & { id?: string }
    const index = findBeneficiary(merged, value, path, given)
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
      const reason =
        key === 'taxIdNumber'
          ? "An earlier item has this tax id. Give each person once, with the person's own tax id."
          : 'An earlier item names this beneficiary. Give each person once.'
      merge.rejections.push(reject('ERR.1014', field, reason))
      continue
    }
    named.add(present.value.customerId)
    merge.fixedValue(`${path}.id`, present.value.customerId ?? '', id)
    const place = `beneficiaries[${present.value.customerId}]`
    const inOne = path.startsWith('beneficiaries')
    const item = mergeName(merge, { present: present.value, given: rest, inOne, place })
    const fieldOf = (name: string) => beneficiaryField(path, name as keyof Beneficiary)
    const settings = { fixed: fixedOfBeneficiary, place, fieldOf }
    merged[index] = { path, value: merge.block(item.before, completePercentage(item.given), path, settings) }
  }
  return merged
}

function findBeneficiary(
  present: readonly Placed<Beneficiary>[],
  given: Beneficiary & { id?: string },
  path: string,
  request: readonly Placed<Beneficiary>[],
): number {
  const found =
    nearest(
      present.filter(({ value }) => matches(value, given, path)),
      given,
      request,
    ) ?? withoutTaxIdYet(present, given, path, request)
  if (found) return present.indexOf(found)
  if (given.customerId) return -1
  // A beneficiary without a tax id, or with a corrected one, is that of its id.
  return present.findIndex(({ value }) => value.customerId === given.id)
}

/**
 * The beneficiary of this name who gets a first tax id: one without a tax id, of the same rank and birth date. The
 * items of the request without a tax id come first.
 */
function withoutTaxIdYet(
  present: readonly Placed<Beneficiary>[],
  { taxIdNumber, ...given }: Beneficiary & { id?: string },
  path: string,
  request: readonly Placed<Beneficiary>[],
): Placed<Beneficiary> | undefined {
  if (!taxIdNumber || given.customerId) return undefined
  const isNamesake = (value: Beneficiary, at: string) => !value.taxIdNumber && matches(given, value, at)
  const namesakes = present.filter(({ value }) => !value.taxIdNumber && matches(value, given, path))
  const others = request.filter((other) => isNamesake(other.value, other.path))
  if (namesakes.length <= others.length) return undefined
  const isSame = ({ birthDate, primaryContingent }: Beneficiary) =>
    (given.birthDate || birthDate) === (birthDate || given.birthDate) &&
    (given.primaryContingent || primaryContingent) === primaryContingent
  return nearest(
    namesakes.filter(({ value }) => isSame(value)),
    given,
    request,
  )
}

/**
 * Whether a person of the same name is another one: the request gives another birth date or rank, and names the person
 * of the record in an item of its own.
 */
function isAnother(
  given: Beneficiary,
  present: Beneficiary,
  request: readonly Placed<Beneficiary>[],
): boolean {
  const differs = ({ birthDate, primaryContingent }: Beneficiary) =>
    (birthDate || present.birthDate) !== present.birthDate ||
    (primaryContingent || present.primaryContingent) !== present.primaryContingent
  return differs(given) && request.some(({ value, path }) => matches(present, value, path) && !differs(value))
}

/** Persons with the same name are distinguished by their other members, and each item means another one of them. */
function nearest(
  matching: readonly Placed<Beneficiary>[],
  given: Beneficiary,
  request: readonly Placed<Beneficiary>[],
): Placed<Beneficiary> | undefined {
  if (given.customerId || given.taxIdNumber) return matching[0]
  const likeness = ({ value, unnamed }: Placed<Beneficiary>) =>
    Number(unnamed === true) * 8 +
    Number((given.birthDate || undefined) === value.birthDate) * 4 +
    Number(!value.taxIdNumber) * 2 +
    Number((given.primaryContingent || value.primaryContingent) === value.primaryContingent)
  return matching
    .filter(({ value }) => !isAnother(given, value, request))
    .toSorted((one, other) => likeness(other) - likeness(one))[0]
}

function matches(present: Beneficiary, given: Beneficiary & { id?: string }, path: string): boolean {
  if (given.customerId) return given.customerId === present.customerId
  // A retirement beneficiary is found by its tax id, and its id is then compared (Reading 3.9).
  if (given.taxIdNumber && present.taxIdNumber) {
    return (
      (given.taxIdNumber === present.taxIdNumber || given.taxIdNumber === maskNumber(present.taxIdNumber)) &&
      (given.primaryContingent || present.primaryContingent) === present.primaryContingent
    )
  }
  if (!path.startsWith('beneficiaries') || given.taxIdNumber) return false
  return sameName(given, present) && fullName(given) !== ''
}

/** Large traders match by their id. The rules reject a second item with the same id. */
export function mergeLargeTraders(
  merge: Merge,
  record: AccountRecord,
  given: readonly ({ largeTraderId?: string } | null)[],
  { refusedPaths }: Pick<MergeSettings, 'refusedPaths'>,
): MergedItems<LargeTrader> {
  const traders = new MergedItems('largeTraders', record.largeTraders)
  given.forEach((trader, position) => {
    const path = `largeTraders[${position}]`
    if (trader === null || isUnread(trader, path, refusedPaths)) return
    const place = `largeTraders[${trader.largeTraderId}]`
    const index = traders.values.findIndex(
      ({ largeTraderId }, at) => largeTraderId === trader.largeTraderId && !traders.isNamed(at),
    )
    if (index >= 0) {
      traders.put(index, merge.block(traders.values[index], trader, path, { place }), path)
      return
    }
    merge.changes.push({ field: place, from: undefined, to: trader })
    traders.put(traders.values.length, compact(trader), path)
  })
  return traders
}
