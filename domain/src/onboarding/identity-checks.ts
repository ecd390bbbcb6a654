/**
 * Checks on who the parties say they are, beyond the rules of single fields: each has an outcome and a reason, and
 * together they are what the stage IdentityCheck comes to (Reading 4.4; 31 CFR 1023.220, the customer identification
 * program of broker-dealers).
 */
import { type CodeOf, type Rejection, reject } from '@clearing/protocol'
import { ageOn } from '../account/age.ts'
import { findSanctionedPlaces } from '../account/find-sanctioned-places.ts'
import type { Finding } from '../account/policy/finding.ts'
import type { Address } from '../account/record.ts'
import { type FollowUpRequest, type ReviewCode, type StageOutcome, succeeded } from './stage-outcome.ts'
import { isBoxOnly, type StreetAddress } from './street-address.ts'

/** What is looked at of a party; a member of the specification's record each. */
export interface IdentityParty {
  /** Where the party stands in the record: `primaryOwner`, `associatedParties[0]`. */
  readonly path: string
  /** `Entity` for an entity, else a person. */
  readonly nameType?: string
  /** ISO 3166-1 alpha-2. */
  readonly citizenshipCountry?: string
  /** `yyyy-MM-dd`. */
  readonly birthDate?: string
  /** Empty or absent: as the mailing address (Reading 3.4). */
  readonly legalAddress?: StreetAddress
  readonly taxIdNumber?: string
  readonly governmentIdentification?: {
    readonly governmentId1?: { readonly idType?: string; readonly idNumber?: string }
    readonly governmentId2?: { readonly idType?: string; readonly idNumber?: string }
  }
}

export interface IdentityCase {
  /** The calendar day in New York, `yyyy-MM-dd`. */
  readonly today: string
  readonly parties: readonly IdentityParty[]
  readonly mailingAddress: StreetAddress
  /** Addresses of others whom the record names, of employers, and countries of citizenship. */
  readonly otherAddresses?: readonly Address[]
  /** How many accounts of the firm have the same tax id, birth date and registration type (Reading 3.6). */
  readonly possibleDuplicates: number
  readonly duplicatePolicy: CodeOf<'duplicatePolicy'>
  /** What the policy of the account finds, beside what it refuses. */
  readonly policy: readonly Finding[]
}

/** One finding; what passes has none, but for what is worth a remark. */
export type IdentityCheck =
  | { readonly result: 'noted'; readonly reason: string }
  | { readonly result: 'follow-up'; readonly request: FollowUpRequest }
  /** Asked once the account is open. */
  | { readonly result: 'later'; readonly request: FollowUpRequest }
  | { readonly result: 'review'; readonly code: ReviewCode; readonly reason: string }
  | { readonly result: 'reject'; readonly error: Rejection }

/** Only a handful of living persons are known to be older; an older birth date is nearly always a mistake. */
const ageYearsMax = 110

/** All findings on all parties, in the order of the parties; none when everything passes. */
export function checkIdentity(found: IdentityCase): IdentityCheck[] {
  return [
    ...found.parties.flatMap((party) => [
      ...checkAddress(party, found.mailingAddress),
      ...checkAge(party, found.today),
      ...checkForeignPerson(party),
      ...checkTaxId(party),
    ]),
    ...checkOtherAddresses(found.otherAddresses ?? []),
    ...checkDuplicates(found),
    ...found.policy.flatMap(checkOf),
  ]
}

function checkOf(finding: Finding): IdentityCheck[] {
  const { effect, field, reason, asks, holdsUp } = finding
  switch (effect) {
    case 'ask': {
      const request = { code: asks as FollowUpRequest['code'], field, reason }
      return [{ result: holdsUp ? 'follow-up' : 'later', request }]
    }
    case 'review':
      return [{ result: 'review', code: 'IdentityReview', reason }]
    case 'note':
      return [{ result: 'noted', reason }]
    case 'refuse':
    case 'restrict':
      // An application that the policy refuses is refused before it is one; nothing is restricted before it is open.
      return []
    default:
      return effect satisfies never
  }
}

/**
 * What the stage comes to: a rejection counts most, then what the firm can supply, then what operations must decide,
 * since a review is best made when the documents are there.
 */
export function judgeIdentity(checks: readonly IdentityCheck[]): StageOutcome {
  const errors = checks.flatMap((check) => (check.result === 'reject' ? [check.error] : []))
  if (errors[0]) return { kind: 'failed', reason: errors[0].reason, errors }
  const requests = checks.flatMap((check) => (check.result === 'follow-up' ? [check.request] : []))
  const later = checks.flatMap((check) => (check.result === 'later' ? [check.request] : []))
  const otherwise = judgeReviews(checks, later)
  return requests.length > 0 ? { kind: 'asked', requests, otherwise } : otherwise
}

function judgeReviews(checks: readonly IdentityCheck[], later: readonly FollowUpRequest[]): StageOutcome {
  const reviews = checks.flatMap((check) => (check.result === 'review' ? [check] : []))
  if (reviews[0]) {
    const reason = reviews.map((check) => check.reason).join(' ')
    return { kind: 'referred', code: reviews[0].code, reason, later }
  }
  const noted = checks.flatMap((check) => (check.result === 'noted' ? [check.reason] : [])).join(' ')
  return later.length > 0 ? { ...succeeded(noted), later } : succeeded(noted)
}

function isPerson(party: IdentityParty): boolean {
  return party.nameType !== 'Entity'
}

function checkAddress(party: IdentityParty, mailingAddress: StreetAddress): IdentityCheck[] {
  const own = party.legalAddress
  const hasOwn = own !== undefined && Object.values(own).some((value) => value !== undefined && value !== '')
  const address = hasOwn ? own : mailingAddress
  const checks: IdentityCheck[] = []
  if (isBoxOnly(address)) {
    const reason =
      'The legal address must be a residential or business street address, not a post office box.'
    const field = `${party.path}.legalAddress`
    checks.push({ result: 'follow-up', request: { code: 'FieldCorrection', field, reason } })
  }
  if (findSanctionedPlaces(address).length > 0) {
    const reason = 'A party has its address in a country or region under comprehensive sanctions.'
    checks.push({ result: 'review', code: 'IdentityReview', reason })
  }
  return checks
}

function checkOtherAddresses(addresses: readonly Address[]): IdentityCheck[] {
  if (!addresses.some((address) => findSanctionedPlaces(address).length > 0)) return []
  const reason =
    'A citizenship, or the address of a person named, is of a country or region under comprehensive sanctions.'
  return [{ result: 'review', code: 'IdentityReview', reason }]
}

function checkAge(party: IdentityParty, today: string): IdentityCheck[] {
  if (!isPerson(party) || party.birthDate === undefined) return []
  if (ageOn(party.birthDate, today) <= ageYearsMax) return []
  const reason = `By the birth date the person is older than ${ageYearsMax}; a document must prove it.`
  const field = `${party.path}.birthDate`
  return [{ result: 'follow-up', request: { code: 'BirthDateDocument', field, reason } }]
}

/** 31 CFR 1023.220(a)(2)(i)(A)(4)(ii): for a person who is not a US person, a passport or another government document. */
function checkForeignPerson(party: IdentityParty): IdentityCheck[] {
  const { citizenshipCountry, governmentIdentification: ids } = party
  if (!isPerson(party) || citizenshipCountry === undefined || citizenshipCountry === 'US') return []
  const proves = [ids?.governmentId1, ids?.governmentId2].some(
    (id) =>
      (id?.idType === 'Passport' || id?.idType === 'NationalId') &&
      id.idNumber !== undefined &&
      id.idNumber !== '',
  )
  if (proves) return []
  const reason = 'A person who is not a US citizen is identified by a passport or a national identity card.'
  const field = `${party.path}.governmentIdentification`
  return [{ result: 'follow-up', request: { code: 'ForeignIdentityDocument', field, reason } }]
}

function checkTaxId(party: IdentityParty): IdentityCheck[] {
  if (!/^(\d)\1{8}$/.test(party.taxIdNumber ?? '')) return []
  const reason = 'The tax id is nine times the same digit; a document must prove it.'
  const field = `${party.path}.taxIdNumber`
  return [{ result: 'follow-up', request: { code: 'TaxIdDocument', field, reason } }]
}

function checkDuplicates({ possibleDuplicates, duplicatePolicy }: IdentityCase): IdentityCheck[] {
  if (possibleDuplicates === 0) return []
  const reason = 'The same person already has an account of this registration type.'
  switch (duplicatePolicy) {
    case 'Flag':
      return [{ result: 'noted', reason: 'Possible duplicate of an account.' }]
    case 'Review':
      return [{ result: 'review', code: 'DuplicateReview', reason }]
    case 'Refuse':
      return [{ result: 'reject', error: reject('ERR.2012', 'primaryOwner.taxIdNumber', reason) }]
    default:
      return duplicatePolicy satisfies never
  }
}
