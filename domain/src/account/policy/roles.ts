/** The roles of the parties: required, allowed, needed and not repeated. */

import { adultAgeYears, ageOn } from '../age.ts'
import { fullName } from '../name.ts'
import type { AccountRecord, Party } from '../record.ts'
import type { Judged } from './judge-account.ts'
import { judgeOwnership } from './ownership.ts'
import {
  associatedOf,
  isPerson,
  isSamePerson,
  ownersIn,
  type PlacedParty,
  partiesOf,
  roleOf,
} from './parties.ts'
import {
  actingRoles,
  fiduciaryRoles,
  guardingRoles,
  type PartyRole,
  personalRoles,
  type RegistrationRule,
} from './registration-roles.ts'

const custodians: ReadonlySet<string> = new Set<PartyRole>(['Custodian', 'SuccessorCustodian'])

export function judgeRoles(judged: Judged): void {
  judgeEachRole(judged)
  judgeNeededRoles(judged)
  judgeGrantor(judged)
  judgePersons(judged)
  judgeRepeats(judged)
  judgeAges(judged)
  if (judged.rule.needs.some(({ anyOf }) => anyOf.includes('ControlPerson'))) judgeOwnership(judged)
}

function judgeEachRole({ record, registration, rule, report }: Judged): void {
  const isOwner = (party: PlacedParty['party']) => isSamePerson(party, record.primaryOwner)
  for (const { party, path } of associatedOf(record)) {
    const role = roleOf(party, record)
    if (role === undefined) {
      report(
        'RoleRequired',
        `${path}.role`,
        `The role of a party of a registration ${registration} is required.`,
      )
      continue
    }
    if (!isAllowed(role, rule)) {
      const roles = ['Associate', ...rule.mayHave].join(', ')
      report(
        'RoleAllowed',
        `${path}.role`,
        `A registration ${registration} has no ${role}; it may have ${roles}.`,
      )
    }
    if (role === 'Minor' && rule.mayHave.includes(role) && !isOwner(party)) {
      const reason = 'The Minor of a custodial account is its owner; an account is held for one minor.'
      report('RoleAllowed', `${path}.role`, reason)
    }
    if (personalRoles.has(role) && !isPerson(party)) {
      report('RoleKind', `${path}.nameType`, `${articled(role)} is a person, not an entity.`)
    }
    if (custodians.has(role) && !isPerson(party)) {
      report(
        'CustodianTrustCompany',
        `${path}.nameType`,
        `${articled(role)} that is an entity is a trust company.`,
      )
    }
    if (guardingRoles.has(role) && isIdentified(party) && isOwner(party)) {
      const reason = `The ${role} is the owner; another person acts for the owner.`
      report('CustodianNotOwner', placeOf(party, path), reason)
    }
    if (fiduciaryRoles.has(role) && isOwner(party) && !lendsNumber(party, record)) {
      const reason = `The ${role} is the owner itself; a trust or an estate acts by another.`
      report('CustodianNotOwner', placeOf(party, path), reason)
    }
    if (role === 'Secondary' && rule.mayHave.includes('Secondary') && !rule.secondaryOwns) {
      const reason = `A Secondary of a registration ${registration} does not own the account. To add an owner, use a joint registration.`
      report('SecondaryNotOwner', `${path}.role`, reason)
    }
  }
}

/** A person, or an entity that is the grantor, whose number the trust has (26 CFR 301.6109-1(a)(2)). */
function lendsNumber(party: Party, { primaryOwner, associatedParties }: AccountRecord): boolean {
  const isGrantor = ({ role, ...other }: Party) => role === 'Grantor' && isSamePerson(other, party)
  return isPerson(party) || (fullName(party) !== fullName(primaryOwner) && associatedParties.some(isGrantor))
}

function isIdentified({ taxIdNumber, birthDate }: PlacedParty['party']): boolean {
  return Boolean(taxIdNumber || birthDate)
}

/** The field that shows who a party is: the tax id, or the party as a whole. */
function placeOf({ taxIdNumber }: PlacedParty['party'], path: string): string {
  return taxIdNumber ? `${path}.taxIdNumber` : path
}

/** The role with its indefinite article, at the beginning of a sentence. */
function articled(role: string): string {
  return `${/^[AEIO]/.test(role) ? 'An' : 'A'} ${role}`
}

function isAllowed(role: string, { mayHave }: RegistrationRule): boolean {
  return role === 'Associate' || mayHave.includes(role as PartyRole)
}

function judgeNeededRoles({ record, registration, rule, facts, report }: Judged): void {
  const roles = record.associatedParties.map((party) => roleOf(party, record))
  for (const { anyOf, countMax } of rule.needs) {
    const count = roles.filter((role) => anyOf.includes(role as PartyRole)).length
    const field = 'associatedParties'
    const names = anyOf.join(' or ')
    // A party whose role cannot be read may have the role.
    const isUnread = associatedOf(record).some(({ path }) => facts.wasRefused(`${path}.role`))
    if (count === 0 && !isUnread) {
      const reason = `A registration ${registration} needs a party with the role ${names}.`
      // Associate is the specification's own role: the account is not refused, a follow-up asks for the joint owner.
      if (rule.secondaryOwns && roles.includes('Associate')) report('JointOwnerNamed', field, reason)
      else report('RoleMissing', field, reason)
    }
    if (countMax !== undefined && count > countMax) {
      const parties = countMax === 1 ? 'one party' : `${countMax} parties`
      report(
        'RoleRepeated',
        field,
        `A registration ${registration} has at most ${parties} with the role ${names}.`,
      )
    }
  }
}

/** A trust that can be revoked, by its name. */
const revocable = /\bREVOCABLE\b|\bLIVING(?: FAMILY)? TRUST\b|\bLIVING$/
const irrevocable = /\bIRREVOCABLE\b/

function judgeGrantor({ record, registration, report }: Judged): void {
  const name = fullName(record.primaryOwner).toUpperCase()
  if (registration !== 'Trust' || !revocable.test(name) || irrevocable.test(name)) return
  if (associatedOf(record).some(({ party }) => roleOf(party, record) === 'Grantor')) return
  const reason = 'By its name, the trust is revocable, and no party is its grantor.'
  report('GrantorNamed', 'associatedParties', reason)
}

function judgePersons({ record, report }: Judged): void {
  const reason = whyNoPersonActs(record)
  if (reason !== undefined) report('PersonNamed', 'associatedParties', reason)
}

/**
 * Why no person acts for an account that an entity owns: those who act for it are entities. An entity acts by persons,
 * whose names the firm has (FINRA Rule 4512(a)(1)(E)). A party that has to be a person by its role is refused by
 * `RoleKind`, and an account for which no party acts by `RoleMissing`.
 */
export function whyNoPersonActs(record: AccountRecord): string | undefined {
  if (isPerson(record.primaryOwner)) return undefined
  const acting = record.associatedParties.filter((party) => actsNow(party, roleOf(party, record) ?? ''))
  if (acting.length === 0) return undefined
  if (acting.some((party) => isPerson(party) || personalRoles.has(roleOf(party, record) ?? '')))
    return undefined
  return 'Only entities act for the account. Name a person who acts for them, as a party with the role AuthorizedSigner.'
}

function actsNow({ tradingAuthority = 'None' }: Party, role: string): boolean {
  return tradingAuthority !== 'None' || (actingRoles.has(role) && role !== 'SuccessorTrustee')
}

/** One person, by tax id or by name and birth date, may have several roles, each once; two owners are two persons. */
function judgeRepeats({ record, report }: Judged): void {
  const seen: { readonly role: string; readonly party: PlacedParty['party'] }[] = []
  const ownerPaths = new Set(ownersIn(record).map(({ path }) => path))
  for (const { party, path } of partiesOf(record)) {
    // Without a number and a birth date, two parties of one name may be two persons.
    if (!isIdentified(party)) continue
    const role = ownerPaths.has(path) ? 'owner' : roleOf(party, record)
    if (role === undefined) continue
    if (seen.some((other) => other.role === role && isSamePerson(other.party, party))) {
      const reason = 'The same person already has this role in the account.'
      report('PersonRepeated', placeOf(party, path), reason)
    }
    seen.push({ role, party })
  }
}

function judgeAges({ record, registration, rule, facts, report }: Judged): void {
  const custodial = registration.startsWith('Custodial')
  const isYoung = ({ birthDate }: PlacedParty['party']) =>
    birthDate !== undefined && birthDate <= facts.today && ageOn(birthDate, facts.today) < adultAgeYears
  const judge = ({ party, path }: PlacedParty, what: string) => {
    if (isPerson(party) && isYoung(party)) {
      report('ActingAdult', `${path}.birthDate`, `${what} must be at least ${adultAgeYears} years old.`)
    }
  }
  const minorIra = registration.startsWith('Ira') && hasGuardian(judgedRoles(record))
  if (!custodial && !minorIra) judge({ party: record.primaryOwner, path: 'primaryOwner' }, 'The owner')
  for (const placed of associatedOf(record)) {
    const role = roleOf(placed.party, record)
    const trades = placed.party.tradingAuthority === 'Full' || placed.party.tradingAuthority === 'Limited'
    // A Secondary who does not own the account does not act for it either.
    const isAside = role === 'Secondary' && !rule.secondaryOwns
    if (role !== undefined && actingRoles.has(role) && !isAside) judge(placed, articled(role))
    else if (trades) judge(placed, 'A party with trading authority')
  }
}

function judgedRoles(record: Judged['record']): (string | undefined)[] {
  return record.associatedParties.map((party) => roleOf(party, record))
}

/** A minor's IRA has an adult who acts for the minor. */
function hasGuardian(roles: readonly (string | undefined)[]): boolean {
  return roles.includes('Guardian') || roles.includes('Custodian')
}
