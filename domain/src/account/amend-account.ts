/**
 * update-account's rule: the blocks sent are merged into the record, attribute by attribute; nothing else changes;
 * a deletion is refused with ERR.1020, a change of a fixed attribute with ERR.1021 (Specification, update-account,
 * rules 1 and 2; Reading 3.9). All of the changes or none.
 */
import { type Rejection, type Request, reject } from '@clearing/protocol'
import { completeBeneficiary, completeParty } from './application.ts'
import { compact, isBlank } from './blank.ts'
import { beneficiaryField, canonicalRequest, type Placed } from './canonical-request.ts'
import { checkAccount } from './check-account.ts'
import { fullName } from './name.ts'
import type { AccountRecord, Address, Beneficiary, Party } from './record.ts'
import { registrationOf } from './registration.ts'
import { Findings, type RuleSettings } from './rule-scope.ts'

export interface FieldChange {
  /** Path in the record, list items by customer id: `associatedParties[100…].email`. */
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

/** What the record says beside its blocks: composed or kept by the service, never set by a caller. */
export interface ComposedFields {
  readonly accountStatus: string
  readonly accountName: string
  readonly mailingAddressString: string
}

export type Amendment =
  | { readonly amended: AccountRecord; readonly changes: readonly FieldChange[] }
  | { readonly rejections: readonly Rejection[] }

type Json = { [name: string]: unknown }

const fixedOfParty = new Set(['customerId', 'nameType', 'citizenshipCountry', 'taxIdType', 'taxIdNumber'])
const fixedOfBeneficiary = new Set(['customerId', 'id', 'nameType'])
const fixedOfMain = new Set(['marginIndicator', 'optionTradingIndicator', 'optionTradingLevel'])
const none: ReadonlySet<string> = new Set()

class Merge {
  readonly rejections: Rejection[] = []
  readonly changes: FieldChange[] = []

  /** The block with the given attributes merged in; `path` as the caller sees it, `place` as the record keeps it. */
  block<T extends object>(
    before: T | undefined,
    given: object | null | undefined,
    path: string,
    fixed: ReadonlySet<string> = none,
    place: string = path,
  ): T {
    const merged = { ...(before ?? {}) } as Json
    if (given === null) {
      if (!isBlank(before)) this.refuseDeletion(path)
      return merged as T
    }
    this.leaveCountry(merged, (given ?? {}) as Json, path, place)
    for (const [name, value] of Object.entries(given ?? {})) {
      this.member(
        merged,
        name,
        value,
        path === '' ? name : `${path}.${name}`,
        fixed,
        place === '' ? name : `${place}.${name}`,
      )
    }
    return merged as T
  }

  /**
   * State and postal code are of a country: an address that moves to another one has none but those that come with
   * it. Else nobody could ever move abroad, where a state must be empty (Reading 1.7).
   */
  leaveCountry(address: Json, given: Json, path: string, place: string): void {
    if (!/address$/i.test(path) || !given.country || !address.country) return
    if (given.country === address.country) return
    for (const name of ['stateProvince', 'postalCode']) {
      if (isBlank(address[name]) || !isBlank(given[name])) continue
      this.changes.push({ field: `${place}.${name}`, from: address[name], to: undefined })
      delete address[name]
    }
  }

  member(
    into: Json,
    name: string,
    value: unknown,
    path: string,
    fixed: ReadonlySet<string>,
    place: string,
  ): void {
    const before = into[name]
    if (isBlank(value)) {
      const emptyBlock = typeof value === 'object' && value !== null && !Array.isArray(value)
      if (emptyBlock) into[name] = this.block(before as object | undefined, value, path, none, place)
      else if (!isBlank(before)) this.refuseDeletion(path)
      if (isBlank(into[name]) && name !== 'legalAddress') delete into[name]
      return
    }
    if (isBlock(value)) {
      if (typeof before === 'string') this.replace(into, name, value, path, fixed, place)
      else into[name] = this.block(before as object | undefined, value, path, none, place)
      return
    }
    if (!sameValue(before, value, name)) this.replace(into, name, value, path, fixed, place)
  }

  replace(
    into: Json,
    name: string,
    value: unknown,
    path: string,
    fixed: ReadonlySet<string>,
    place: string,
  ): void {
    if (fixed.has(name)) {
      this.rejections.push(reject('ERR.1021', path, `${path} cannot be changed.`))
      return
    }
    this.changes.push({ field: place, from: into[name], to: value })
    into[name] = value
  }

  refuseDeletion(path: string): void {
    this.rejections.push(reject('ERR.1020', path, `${path} has a value, and values cannot be deleted.`))
  }

  fixedValue(path: string, before: string, given: unknown): void {
    if (given === undefined) return
    if (given === null || given === '') {
      if (before !== '') this.refuseDeletion(path)
      return
    }
    if (String(given).toUpperCase() !== before.toUpperCase()) {
      this.rejections.push(reject('ERR.1021', path, `${path} cannot be changed.`))
    }
  }
}

const isBlock = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Equal, or the masked form of the value, which a caller without `pii:read` sends back unchanged. */
const sameValue = (before: unknown, given: unknown, name: string): boolean => {
  if (JSON.stringify(before) === JSON.stringify(given)) return true
  if (name !== 'taxIdNumber' && name !== 'idNumber') return false
  return typeof before === 'string' && typeof given === 'string' && maskNumber(before) === given
}

/** A number masked to its last four characters. */
export const maskNumber = (number: string): string =>
  number.length <= 4 ? '*'.repeat(number.length) : '*'.repeat(number.length - 4) + number.slice(-4)

/** A change as it may be written to the audit trail: personal numbers masked, birth dates left out. */
export const maskChange = (change: FieldChange): FieldChange => {
  const name = change.field.slice(change.field.lastIndexOf('.') + 1)
  return { field: change.field, from: maskMember(name, change.from), to: maskMember(name, change.to) }
}

const maskMember = (name: string, value: unknown): unknown => {
  if (typeof value === 'string') {
    if (name === 'taxIdNumber' || name === 'taxId' || name === 'idNumber') return maskNumber(value)
    return name === 'birthDate' ? '****-**-**' : value
  }
  if (Array.isArray(value)) return value.map((item) => maskMember(name, item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [member, maskMember(member, inner)]),
  )
}

/** A whole request or record with its personal numbers masked, for the audit trail and onboarding-result. */
export const maskPersonalNumbers = <T>(value: T): T => maskMember('', value) as T

export const amendAccount = (
  record: AccountRecord,
  composed: ComposedFields,
  request: Partial<Request<'update-account'>>,
  settings: RuleSettings & { nextCustomerId: () => string },
): Amendment => {
  const merge = new Merge()
  const canonical = canonicalRequest(request)
  merge.rejections.push(...canonical.rejections)
  for (const [name, before] of [
    ['accountStatus', composed.accountStatus],
    ['accountName', composed.accountName],
    ['mailingAddressString', composed.mailingAddressString],
    ['registrationType', record.registrationType],
    ['entityNumber', record.entityNumber],
  ] as const) {
    merge.fixedValue(name === 'entityNumber' ? 'subNumber' : name, before, request[name])
  }
  for (const [name, before] of [
    ['primaryOwner', record.primaryOwner],
    ['trustedContact', record.primaryOwner.trustedContact],
  ] as const) {
    if (request[name] === null && !isBlank(before)) merge.refuseDeletion(name)
  }
  const refused = new Findings(settings.refusedPaths)
  for (const name of canonical.emptyLists) {
    if (listNamed(record, name).length > 0 && !refused.wasRefused(name)) merge.refuseDeletion(name)
  }
  const mailingAddress = merge.block(record.mailingAddress, request.mailingAddress, 'mailingAddress')
  const beneficiaries = mergeBeneficiaries(
    merge,
    record,
    canonical.beneficiaries ?? [],
    settings.nextCustomerId,
  )
  const amended: AccountRecord = {
    ...record,
    main: merge.block(record.main, request.main, 'main', fixedOfMain),
    electronicDelivery: merge.block(
      record.electronicDelivery,
      request.electronicDelivery,
      'electronicDelivery',
    ),
    mailingAddress,
    primaryOwner: completed(
      merge.block(record.primaryOwner, canonical.primaryOwner, 'primaryOwner', fixedOfParty),
      mailingAddress,
      settings,
    ),
    associatedParties: mergeParties(
      merge,
      record,
      canonical.associatedParties ?? [],
      mailingAddress,
      settings,
    ),
    financialProfile: merge.block(record.financialProfile, request.financialProfile, 'financialProfile'),
    beneficiaries: beneficiaries.map(({ value }) => value),
    largeTraders: mergeLargeTraders(merge, record, canonical.largeTraders ?? []),
  }
  const rejections = [
    ...merge.rejections,
    ...newlyBroken(record, amended, beneficiaries, merge.rejections, settings),
  ]
  return rejections.length > 0 ? { rejections } : { amended, changes: merge.changes }
}

/** What the record answers under a list's name: an IRA's beneficiaries are retirementBenes, another account's are not. */
const listNamed = (record: AccountRecord, name: string): readonly unknown[] => {
  const retirement = registrationOf(record.registrationType)?.group === 'ira'
  switch (name) {
    case 'associatedParties':
      return record.associatedParties
    case 'largeTraders':
      return record.largeTraders
    case 'retirementBenes':
      return retirement ? record.beneficiaries : []
    case 'transferOfDeathBeneficiaries':
      return retirement ? [] : record.beneficiaries
    default:
      return record.beneficiaries
  }
}

/** The record's beneficiaries at the places where shape 2 answers them. */
const placedBeneficiaries = (record: AccountRecord): Placed<Beneficiary>[] => {
  const retirement = registrationOf(record.registrationType)?.group === 'ira'
  const list = retirement ? 'retirementBenes' : 'transferOfDeathBeneficiaries'
  return record.beneficiaries.map((value, index) => ({ value, path: `${list}[${index}]` }))
}

const completed = (
  party: Party,
  mailingAddress: Address,
  settings: { nextCustomerId: () => string },
): Party => completeParty(party, mailingAddress, settings.nextCustomerId)

/** Parties match by customerId; an item without it is appended. */
const mergeParties = (
  merge: Merge,
  record: AccountRecord,
  given: readonly Placed<Party>[],
  mailingAddress: Address,
  settings: { nextCustomerId: () => string },
): Party[] => {
  const parties = [...record.associatedParties]
  const named = new Set<string>()
  for (const { value, path } of given) {
    if (isBlank(value)) continue
    if (!value.customerId) {
      const added = completed(compact(value), mailingAddress, settings)
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
    parties[index] = completed(
      merge.block(parties[index], value, path, fixedOfParty, place),
      mailingAddress,
      settings,
    )
  }
  return parties
}

/**
 * T.O.D. beneficiaries match by customerId or id, retirement ones by taxId, those of shape 1 by tax id or name; others
 * are appended.
 */
const mergeBeneficiaries = (
  merge: Merge,
  record: AccountRecord,
  given: readonly Placed<Beneficiary>[],
  nextCustomerId: () => string,
): Placed<Beneficiary>[] => {
  const merged = placedBeneficiaries(record)
  const named = new Set<string | undefined>()
  for (const { value, path } of given) {
    if (isBlank(value)) continue
    const { id, ...rest } = value as Beneficiary & { id?: string }
    const index = merged.findIndex((present) => matches(present.value, value, path))
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
    if (id) merge.fixedValue(`${path}.id`, present.value.customerId ?? '', id)
    const place = `beneficiaries[${present.value.customerId}]`
    const normal = rest.percentageAllocation ? { ...rest, ...percentOnly(rest) } : rest
    merged[index] = { path, value: merge.block(present.value, normal, path, fixedOfBeneficiary, place) }
  }
  return merged
}

const percentOnly = (beneficiary: Beneficiary): Pick<Beneficiary, 'percentageAllocation'> => {
  const { percentageAllocation } = completeBeneficiary(beneficiary, () => '')
  return percentageAllocation === undefined ? {} : { percentageAllocation }
}

const matches = (present: Beneficiary, given: Beneficiary & { id?: string }, path: string): boolean => {
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
  return fullName(given) === fullName(present) && fullName(given) !== ''
}

/** Large traders match by their id. */
const mergeLargeTraders = (
  merge: Merge,
  record: AccountRecord,
  given: readonly { largeTraderId?: string }[],
): AccountRecord['largeTraders'] => {
  const traders = [...record.largeTraders]
  given.forEach((trader, position) => {
    if (isBlank(trader)) return
    const path = `largeTraders[${position}]`
    const index = traders.findIndex(({ largeTraderId }) => largeTraderId === trader.largeTraderId)
    if (index >= 0) {
      traders[index] = merge.block(
        traders[index],
        trader,
        path,
        none,
        `largeTraders[${trader.largeTraderId}]`,
      )
      return
    }
    merge.changes.push({ field: `largeTraders[${trader.largeTraderId}]`, from: undefined, to: trader })
    traders.push(compact(trader))
  })
  return traders
}

/** Rules that the update breaks; one that the record broke before (an id that has expired since) does not stop other changes. */
const newlyBroken = (
  record: AccountRecord,
  amended: AccountRecord,
  beneficiaries: readonly Placed<Beneficiary>[],
  found: readonly Rejection[],
  settings: RuleSettings,
): Rejection[] => {
  const before = checkAccount(record, placedBeneficiaries(record), settings)
  const known = new Set(before.map(({ code, field }) => `${code} ${field}`))
  const named = new Set(found.map(({ field }) => field))
  return checkAccount(amended, beneficiaries, settings).filter(
    ({ code, field }) => !known.has(`${code} ${field}`) && !named.has(field),
  )
}
