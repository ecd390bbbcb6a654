/**
 * The facts of an open account that end on a day or were never received: identification, tax certifications, minors who
 * come of age, owners whom the registration does not fit any more, the trusted contact, the authority of persons who
 * act for the owner. The dates follow from the record and the rules; `reviewYear` decides their consequences.
 */
import { type RenewalKind, type RenewalKindRow, renewalKinds } from '@clearing/protocol/values'
import { addDays } from '../../market/calendar/day.ts'
import { adultAgeYears, birthdayAt } from '../age.ts'
import { isBlank } from '../blank.ts'
import { type AuthorityRule, authoritiesOf, authorityReasons } from '../policy/authority.ts'
import { custodialAgeOf } from '../policy/custodial-ages.ts'
import { findUnmarried, whyNotResident } from '../policy/owners.ts'
import {
  excusedRoles,
  isPerson,
  type PlacedParty,
  partiesOf,
  residenceOf,
  roleOf,
  standsBy,
} from '../policy/parties.ts'
import { type Certified, certificationsOf } from '../policy/tax-identification.ts'
import type { AccountRecord, Address, Party } from '../record.ts'
import { registrationOf } from '../registration.ts'
import { isForeignCitizen, stateOf } from '../united-states.ts'

type FollowUpCode = RenewalKindRow['asks']

export interface DueItem {
  readonly kind: RenewalKind
  /** The customer id of the party that it concerns. */
  readonly subject: string
  /** Path in the record. */
  readonly field: string
  readonly asks: FollowUpCode
  /** The first day on which something is missing, `yyyy-MM-dd`. */
  readonly fallsOn: string
  /**
   * The day under which the item is stored and listed: `fallsOn`, or the first of its month for a birthday, because
   * birth dates are encrypted.
   */
  readonly listedOn: string
  /** A sentence for the firm; it repeats no personal number and no birth date. */
  readonly reason: string
}

/**
 * The days from which the newest approved tax forms of an owner count: that of the signature if it is known, otherwise
 * that of the receipt.
 */
export interface FormDays {
  readonly w9On: string | undefined
  /** Of Form W-8BEN or W-8ECI. */
  readonly w8On: string | undefined
  /** Of Form W-8BEN-E or W-8ECI, or a Form W-8EXP that lapses. */
  readonly w8EntityOn: string | undefined
  /** Of a form that does not lapse: Form W-8IMY, and Form W-8EXP of a government. */
  readonly w8FlowThroughOn: string | undefined
}

/** The forms are those of the primary owner. */
export interface YearFacts extends FormDays {
  /** The forms of joint owners, by the path of the owner; absent if there are none. */
  readonly formsOfJointOwners?: ReadonlyMap<string, FormDays>
  /** The day since which foreign owners have an address in the United States, by path; without those of the opening. */
  readonly usAddressSince?: ReadonlyMap<string, string>
  /** The paths of owners who have shown documentary evidence of a foreign status. */
  readonly foreignEvidence?: ReadonlySet<string>
  /** The day on which the account was opened. */
  readonly openedOn: string
  /** The day on which the application was sent; absent if it is that of the opening. */
  readonly submittedOn?: string
  /** Whether the record showed a minor before: an adult may own an IRA with a guardian from the beginning. */
  readonly wasMinor?: boolean
  /** How often an owner who came of age was asked and has answered. */
  readonly ofAgeAnswers: number
  /** The day of the last accepted answer; absent if there is none. */
  readonly ofAgeAnsweredOn?: string | undefined
  /** The residence of a minor when the account opened; undefined if it is that of the record. */
  readonly residenceAtTransfer: Address | undefined
  /** Tax ids that stand for an outcome in the sandbox and belong to no person. */
  readonly magicTaxIds: ReadonlySet<string>
}

/** In the order of the kinds; nothing of a record whose registration type is unknown. */
export function fallsDue(record: AccountRecord, facts: YearFacts): DueItem[] {
  if (registrationOf(record.registrationType) === undefined) return []
  return [
    ...identifiedParties(record).flatMap(identification),
    ...certification(record, facts),
    ...comingOfAge(record, facts),
    ...endedCustodianship(record, facts),
    ...qualification(record, facts),
    ...trustedContact(record, facts),
    ...authority(record, facts),
  ]
}

type Given = Omit<DueItem, 'kind' | 'asks' | 'listedOn'> & Partial<Pick<DueItem, 'asks' | 'listedOn'>>

function item(kind: RenewalKind, given: Given): DueItem {
  return { kind, asks: renewalKindOf(kind).asks, listedOn: given.fallsOn, ...given }
}

/** The row of a kind: the rule that requires it, and the consequence when no answer comes. */
export function renewalKindOf(kind: RenewalKind): RenewalKindRow {
  const row = renewalKinds.find(({ value }) => value === kind)
  if (row === undefined) throw new Error(`${kind} is not a kind of renewal`)
  return row
}

/** The last day that a date can name. Systems write it for a document that does not expire. */
const LAST_DAY = '9999-12-31'

/** The roles of parties that are no customers unless they may trade. */
const bystanders = [...excusedRoles, 'Associate']

/** The parties whose identification must be current. */
export function identifiedParties(record: AccountRecord): PlacedParty[] {
  return partiesOf(record).filter(
    ({ party, path }) => path === 'primaryOwner' || !standsBy(party, record, bystanders),
  )
}

/** A party is identified as long as one of its documents is current. One without a date does not expire. */
function identification({ party, path }: PlacedParty): DueItem[] {
  const ids = party.governmentIdentification
  const shown = [ids?.governmentId1, ids?.governmentId2].filter((id) => !isBlank(id))
  // A document without a date sorts last.
  const latest = shown
    .map((id) => id?.idExpiration || undefined)
    .sort()
    .at(-1)
  if (!isPerson(party) || latest === undefined || latest === LAST_DAY) return []
  return [
    item('IdentityDocument', {
      subject: subjectOf(party),
      field: `${path}.governmentIdentification`,
      asks: asksIdentity(party),
      fallsOn: addDays(latest, 1),
      reason: `The identification of the party is valid until ${latest}.`,
    }),
  ]
}

/** Whether the record has an identification of the party that is valid on the day. `field` is the path of the block. */
export function isIdentificationCurrent(record: AccountRecord, field: string, day: string): boolean {
  return !partiesOf(record)
    .flatMap(identification)
    .some((one) => one.field === field && one.fallsOn <= day)
}

/** A foreign person shows a passport or a national identity card. */
export function asksIdentity(party: Party): FollowUpCode {
  return isForeignCitizen(party) ? 'ForeignIdentityDocument' : 'IdentityDocument'
}

function subjectOf({ customerId }: Party): string {
  return customerId ?? ''
}

/**
 * Forms W-8BEN, W-8BEN-E, W-8ECI and W-8EXP are valid for this many calendar years after the year of their signature
 * (26 CFR 1.1441-1(e)(4)(ii)(A)). Form W-8EXP of a government, a central bank of issue or an international organization
 * does not lapse (paragraph (e)(4)(ii)(B)).
 */
const w8ValidYears = 3

/** The last year in which a form that lapses is valid that counts from a day. */
export function lastYearOfW8(countsFrom: string): number {
  return Number(countsFrom.slice(0, 4)) + w8ValidYears
}

const noForms: FormDays = {
  w9On: undefined,
  w8On: undefined,
  w8EntityOn: undefined,
  w8FlowThroughOn: undefined,
}

function certification(record: AccountRecord, facts: YearFacts): DueItem[] {
  return certificationsOf(record, facts.magicTaxIds).flatMap((certified) => {
    const forms =
      certified.path === 'primaryOwner' ? facts : (facts.formsOfJointOwners?.get(certified.path) ?? noForms)
    return certificationOfOwner(certified, forms, facts)
  })
}

const newFormAfterMove =
  'The foreign owner got an address in the United States after Form W-8BEN was signed: the owner signs a new Form W-8BEN, or Form W-9.'
const evidenceAfterMove =
  'The foreign owner got an address in the United States: the owner shows documentary evidence of the foreign status without an address in the United States, and explains the address in writing; or certifies on Form W-9.'

function certificationOfOwner(
  { party, path, rule }: Certified,
  { w9On, w8On, w8EntityOn, w8FlowThroughOn }: FormDays,
  facts: YearFacts,
): DueItem[] {
  const owner = { subject: subjectOf(party), field: path }
  const movedOn = facts.usAddressSince?.get(path)
  const missing = (kind: RenewalKind, reason: string) => [
    item(kind, { ...owner, fallsOn: facts.openedOn, reason }),
  ]
  const lapsing = (kind: RenewalKind, countsFrom: string, form: string) => {
    const lastYear = lastYearOfW8(countsFrom)
    const reason = `The Form ${form} is valid until ${lastYear}-12-31.`
    return [item(kind, { ...owner, fallsOn: `${lastYear + 1}-01-01`, reason })]
  }
  switch (rule) {
    case 'UsOwnerCertified':
      return w9On === undefined
        ? missing('W9Certification', 'The owner has not certified the tax status on Form W-9.')
        : []
    case 'ForeignOwnerCertified':
      // A later Form W-9 ends the foreign status.
      if (w9On !== undefined && (w8On === undefined || w9On > w8On)) return []
      if (w8On === undefined)
        return missing(
          'W8Certification',
          'The foreign owner has not certified the tax status on Form W-8BEN or W-8ECI.',
        )
      return [
        ...(movedOn !== undefined && w8On < movedOn
          ? [item('W8Certification', { ...owner, fallsOn: movedOn, reason: newFormAfterMove })]
          : lapsing('W8Certification', w8On, 'W-8BEN or W-8ECI of the foreign owner')),
        ...(movedOn !== undefined && !facts.foreignEvidence?.has(path)
          ? [item('ForeignStatusEvidence', { ...owner, fallsOn: movedOn, reason: evidenceAfterMove })]
          : []),
      ]
    case 'ForeignEntityCertified':
      // Some forms do not lapse. An entity whose Form W-9 was approved has certified that it is a US person.
      if (w9On !== undefined || w8FlowThroughOn !== undefined) return []
      return w8EntityOn === undefined
        ? missing(
            'W8EntityCertification',
            'The foreign entity has not certified the tax status on Form W-8BEN-E, W-8ECI, W-8EXP or W-8IMY.',
          )
        : lapsing('W8EntityCertification', w8EntityOn, 'W-8BEN-E, W-8ECI or W-8EXP of the foreign entity')
    default:
      return rule satisfies never
  }
}

/**
 * The usual age at which the state ends the custodianship, then the latest age that a transfer may name. An owner who
 * shows at the first age that the transfer names a later one is asked again at the second. An account that opened
 * between the two is asked at the second.
 */
function comingOfAge(record: AccountRecord, facts: YearFacts): DueItem[] {
  const { ofAgeAnswers } = facts
  const owner = record.primaryOwner
  const days = daysOfAge(record, facts)
  const fallsOn = days[ofAgeAnswers] ?? days.at(-1)
  if (fallsOn === undefined) return []
  const reason = record.registrationType.startsWith('Ira')
    ? 'The owner comes of age and acts for the account alone.'
    : 'The owner comes of age, and the custodianship ends: the owner says what becomes of the account, or the transfer is shown to name a later age.'
  const subject = subjectOf(owner)
  return [
    item('ComingOfAge', { subject, field: 'primaryOwner', fallsOn, listedOn: monthOf(fallsOn), reason }),
  ]
}

/**
 * The birthdays after the application at which the custodianship or the guardianship ends. Without one, the owner was
 * of age before: no adult owns a custodial account, and an adult whom the record showed as a minor needs no guardian.
 */
function daysOfAge(record: AccountRecord, facts: YearFacts): string[] {
  const { birthDate } = record.primaryOwner
  if (birthDate === undefined) return []
  const days = endingAges(record, facts).map((age) => birthdayAt(birthDate, age))
  const after = days.filter((day) => day > (facts.submittedOn ?? facts.openedOn))
  if (after.length > 0) return after
  return facts.wasMinor || isCustodial(record) ? days.slice(-1) : []
}

export function isCustodial({ registrationType }: AccountRecord): boolean {
  return registrationType.startsWith('Custodial')
}

/** The account is closed or registered anew within this many days after the instruction. */
const instructionDays = 30

/**
 * A custodial account whose owner gave the instruction at the last age, and that is still custodial: the owner is asked
 * again after each answer. A closed account is not reviewed.
 */
function endedCustodianship(record: AccountRecord, facts: YearFacts): DueItem[] {
  const { ofAgeAnswers, ofAgeAnsweredOn } = facts
  const ages = isCustodial(record) ? daysOfAge(record, facts).length : 0
  if (ages === 0 || ofAgeAnswers < ages || ofAgeAnsweredOn === undefined) return []
  return [
    item('CustodianshipEnded', {
      subject: subjectOf(record.primaryOwner),
      field: 'primaryOwner',
      fallsOn: addDays(ofAgeAnsweredOn, instructionDays),
      reason: `The owner came of age and gave an instruction on ${ofAgeAnsweredOn}, and the account is still custodial: the instruction is carried out, or replaced by another.`,
    }),
  ]
}

function monthOf(day: string): string {
  return `${day.slice(0, 7)}-01`
}

function endingAges(record: AccountRecord, { residenceAtTransfer }: YearFacts): number[] {
  const { registrationType, primaryOwner } = record
  if (registrationType === 'CustodialUgma' || registrationType === 'CustodialUtma') {
    const act = registrationType === 'CustodialUgma' ? 'UGMA' : 'UTMA'
    const state = stateOf(residenceAtTransfer ?? residenceOf(primaryOwner, record))
    const { age, latest } = custodialAgeOf(act, state)
    return [...new Set([age, latest])]
  }
  const actsFor = (role: string | undefined) => role === 'Guardian' || role === 'Custodian'
  const guarded = record.associatedParties.some((party) => actsFor(roleOf(party, record)))
  return registrationType.startsWith('Ira') && guarded ? [adultAgeYears] : []
}

/**
 * Owners who moved, or whose marriage ended: the registration does not fit them any more, and they say what becomes of
 * the account.
 */
function qualification(record: AccountRecord, { openedOn }: YearFacts): DueItem[] {
  const lost = (kind: RenewalKind, field: string, why: string) =>
    item(kind, {
      subject: subjectOf(record.primaryOwner),
      field,
      fallsOn: openedOn,
      reason: `${why} The owners instruct what becomes of the account.`,
    })
  const moved = whyNotResident(record)
  const [unmarried] = findUnmarried(record)
  return [
    ...(moved === undefined ? [] : [lost('OwnersResidence', 'registrationType', moved)]),
    ...(unmarried === undefined ? [] : [lost('OwnersMarried', unmarried.field, unmarried.reason)]),
  ]
}

function trustedContact(record: AccountRecord, { openedOn }: YearFacts): DueItem[] {
  const owner = record.primaryOwner
  if (!isPerson(owner) || !isBlank(owner.trustedContact)) return []
  const field = 'primaryOwner.trustedContact'
  const reason = 'The owner may name a trusted contact, or decline to.'
  return [item('TrustedContact', { subject: subjectOf(owner), field, fallsOn: openedOn, reason })]
}

/** The authority of a party is asked for once, when the account opens or the party is added. */
function authority(record: AccountRecord, { openedOn }: YearFacts): DueItem[] {
  return authoritiesOf(record).map(({ party, path, rule }) =>
    item(kindOfAuthority[rule], {
      subject: subjectOf(party),
      field: path,
      fallsOn: openedOn,
      reason: authorityReasons[rule],
    }),
  )
}

const kindOfAuthority = {
  AuthorityDocumented: 'AuthorityDocument',
  GuardianshipDocumented: 'GuardianshipDocument',
  LettersDocumented: 'LettersDocument',
  ResolutionDocumented: 'ResolutionDocument',
  TrustDocumented: 'TrustDocument',
} as const satisfies Record<AuthorityRule, RenewalKind>
