/**
 * The facts of an open account that end on a day or were never received: identification, tax certifications, minors who
 * come of age, owners whom the registration does not fit any more, the trusted contact, the employment of the owners,
 * the authority of persons who act for the owner. The dates follow from the record and the rules; `reviewYear` decides
 * their consequences.
 */
import type { RenewalKind } from '@clearing/protocol/values'
import { addDays } from '../../market/calendar/day.ts'
import { adultAgeYears, birthdayAt } from '../age.ts'
import { isBlank } from '../blank.ts'
import { type AuthorityRule, authoritiesOf, authorityReasons } from '../policy/authority.ts'
import { custodialAgeOf } from '../policy/custodial-ages.ts'
import { unknownEmploymentOf } from '../policy/employment.ts'
import { isCustodial, isGuardedIra } from '../policy/minors.ts'
import { findUnmarried, whyNotResident } from '../policy/owners.ts'
import {
  excusedRoles,
  isPerson,
  isSameParty,
  type PlacedParty,
  partiesOf,
  residenceOf,
  rolesIn,
  standsBy,
} from '../policy/parties.ts'
import { trustedContactField, whyContactAsked } from '../policy/trusted-contact.ts'
import type { AccountRecord, Address, GovernmentId, Party } from '../record.ts'
import { registrationOf } from '../registration.ts'
import { isForeignCitizen, stateOf } from '../united-states.ts'
import { type CertificationFacts, certification } from './certification-due.ts'
import { type DueItem, item, subjectOf } from './due-item.ts'
import { type EntityFacts, entityDue } from './entity-due.ts'

export { type FormDays, lastYearOfW8 } from './certification-due.ts'
export { type DueItem, renewalKindOf } from './due-item.ts'

export interface YearFacts extends CertificationFacts, EntityFacts {
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
}

/** In the order of the kinds; nothing of a record whose registration type is unknown. */
export function fallsDue(record: AccountRecord, facts: YearFacts): DueItem[] {
  if (registrationOf(record.registrationType) === undefined) return []
  return [
    ...identification(record),
    ...certification(record, facts),
    ...comingOfAge(record, facts),
    ...endedCustodianship(record, facts),
    ...qualification(record, facts),
    ...trustedContact(record, facts),
    ...employment(record, facts),
    ...authority(record, facts),
    ...entityDue(record, facts),
  ]
}

/** The last day that a date can name. Systems write it for a document that does not expire. */
const LAST_DAY = '9999-12-31'

/** The roles of parties that are no customers unless they may trade. */
const bystanders = [...excusedRoles, 'Associate']

/** The parties whose identification must be current. */
function identifiedParties(record: AccountRecord): PlacedParty[] {
  return partiesOf(record).filter(
    ({ party, path }) => path === 'primaryOwner' || !standsBy(party, record, bystanders),
  )
}

/**
 * The persons whose identification must be current, each in one of the roles: the first with a document, or the first.
 * A person in several roles is identified once.
 */
export function identifiedPersons(record: AccountRecord): PlacedParty[] {
  const persons = identifiedParties(record).filter(({ party }) => isPerson(party))
  const shown = persons.filter(({ party }) => documentsOf(party).length > 0)
  const inOrder = [...shown, ...persons.filter((one) => !shown.includes(one))]
  const isFirst = ({ party }: PlacedParty, at: number) =>
    !inOrder.slice(0, at).some((one) => isSameParty(one.party, party))
  return inOrder.filter(isFirst)
}

/**
 * The last day on which a person is identified: by the latest document in any of the roles. One without a date does not
 * expire, and sorts last. Undefined if the identification does not end.
 */
function identifiedUntil(record: AccountRecord, party: Party): string | undefined {
  const latest = rolesIn(record, party)
    .flatMap((role) => documentsOf(role.party))
    .map((id) => id.idExpiration || undefined)
    .sort()
    .at(-1)
  return latest === LAST_DAY ? undefined : latest
}

function documentsOf({ governmentIdentification: ids }: Party): GovernmentId[] {
  return [ids?.governmentId1, ids?.governmentId2].flatMap((id) => (id === undefined || isBlank(id) ? [] : id))
}

function identification(record: AccountRecord): DueItem[] {
  return identifiedPersons(record).flatMap(({ party, path }) => {
    const until = identifiedUntil(record, party)
    if (until === undefined) return []
    return [
      item('IdentityDocument', {
        subject: subjectOf(party),
        field: `${path}.governmentIdentification`,
        asks: asksIdentity(party),
        fallsOn: addDays(until, 1),
        reason: `The identification of the party is valid until ${until}.`,
      }),
    ]
  })
}

/** Whether an identification of the person is valid on the day. `field` is the path of the block. */
export function isIdentificationCurrent(record: AccountRecord, field: string, day: string): boolean {
  const placed = partiesOf(record).find(({ path }) => `${path}.governmentIdentification` === field)
  const until = placed && isPerson(placed.party) ? identifiedUntil(record, placed.party) : undefined
  return until === undefined || until >= day
}

/** A foreign person shows a passport or a national identity card. */
export function asksIdentity(party: Party): DueItem['asks'] {
  return isForeignCitizen(party) ? 'ForeignIdentityDocument' : 'IdentityDocument'
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
  return isGuardedIra(record) ? [adultAgeYears] : []
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
  const reason = whyContactAsked(record)
  if (reason === undefined) return []
  const subject = subjectOf(record.primaryOwner)
  return [item('TrustedContact', { subject, field: trustedContactField, fallsOn: openedOn, reason })]
}

/** The employment of an owner who is a minor when the account opens is asked for when the owner comes of age. */
function employment(record: AccountRecord, { openedOn, statedFields }: YearFacts): DueItem[] {
  return unknownEmploymentOf(record).flatMap(({ party, path, lacks, reason }) => {
    const ofAgeOn = party.birthDate === undefined ? openedOn : birthdayAt(party.birthDate, adultAgeYears)
    const isMinor = ofAgeOn > openedOn
    const field = `${path}.${lacks}`
    if (statedFields?.has(field)) return []
    return item(lacks === 'occupation' ? 'Occupation' : 'Employer', {
      subject: subjectOf(party),
      field,
      fallsOn: isMinor ? ofAgeOn : openedOn,
      ...(isMinor && { listedOn: monthOf(ofAgeOn) }),
      reason,
    })
  })
}

/**
 * The authority of a party is asked for once, when the account opens or the party is added. The custodian of an IRA
 * acts for an owner who was a minor at the opening, who is asked for instructions later.
 */
function authority(record: AccountRecord, { openedOn }: YearFacts): DueItem[] {
  return authoritiesOf(record, openedOn).map(({ party, path, rule }) =>
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
