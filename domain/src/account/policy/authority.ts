/**
 * The documents by which a person acts for the owner: the power of attorney of an agent, the court's order for a
 * guardian, the letters of executors, the resolution of an entity, and the agreement of a trust.
 */
import { accountRules, codeRow, type DocumentReferenceRow, documentsFor } from '@clearing/protocol/values'
import { adultAgeYears, ageOn } from '../age.ts'
import type { AccountRecord, Party } from '../record.ts'
import type { Judged } from './judge-account.ts'
import { isCustodial, isGuardedIra } from './minors.ts'
import { associatedOf, isPerson, isSamePerson, ownersIn, type PlacedParty, roleOf } from './parties.ts'
import { type PartyRole, type Registration, registrationRuleOf } from './registration-roles.ts'

export type AuthorityRule =
  | 'AuthorityDocumented'
  | 'GuardianshipDocumented'
  | 'LettersDocumented'
  | 'ResolutionDocumented'
  | 'TrustDocumented'

/** A party whose authority is shown by a document, and the rule that requires it. */
export interface Authorized extends PlacedParty {
  readonly rule: AuthorityRule
}

export const authorityReasons: Readonly<Record<AuthorityRule, string>> = {
  AuthorityDocumented: 'An agent shows a power of attorney or a trading authorization of the owner.',
  GuardianshipDocumented: 'A guardian shows the order of the court.',
  LettersDocumented:
    'The executors show the letters testamentary or of administration, which name all of them.',
  ResolutionDocumented: 'The entity shows the resolution that names every person who acts for it.',
  TrustDocumented:
    'The trustees show the trust agreement, or a certification of the trust that names all of them.',
}

/** Rules whose document names all persons of a kind: it is asked for once, and again for a later person. */
const together: ReadonlySet<AuthorityRule> = new Set([
  'LettersDocumented',
  'ResolutionDocumented',
  'TrustDocumented',
])

/** The references of the documents that answer a follow-up for an authority; none for other follow-ups. */
export function proofsOfAuthority(followUpCode: string): DocumentReferenceRow['value'][] {
  const row = accountRules.find(({ value, asks }) => value in authorityReasons && asks === followUpCode)
  const evidence = codeRow('followUpCode', row?.asks ?? '')?.evidence
  return evidence ? documentsFor(evidence) : []
}

export function judgeAuthority({ record, report, facts }: Judged): void {
  for (const { rule, path } of authoritiesOf(record, facts.today)) report(rule, path, authorityReasons[rule])
}

/**
 * The parties whose authority is shown. Of persons whom one document names, the last: a party who is added comes after
 * the others. `today` decides whether the owner of
 * an IRA is a minor.
 */
export function authoritiesOf(record: AccountRecord, today: string): Authorized[] {
  const found = associatedOf(record).flatMap((placed) => {
    const rule = authorityOf(placed, record, today)
    return rule === undefined ? [] : [{ ...placed, rule }]
  })
  return found.filter(
    ({ rule }, at) => !together.has(rule) || !found.slice(at + 1).some((later) => later.rule === rule),
  )
}

/** Roles by which a person acts for an entity, if the person has trading authority. */
const entityRoles: ReadonlySet<string> = new Set<PartyRole>([
  'ControlPerson',
  'BeneficialOwner',
  'Officer',
  'Director',
  'Partner',
  'Member',
])

/** The associated party stands for the joint owner who is not named yet (rule JointOwnerNamed). */
function mayBeOwner(role: string, record: AccountRecord): boolean {
  const { secondaryOwns } = registrationRuleOf(record.registrationType as Registration)
  return role === 'Associate' && secondaryOwns && ownersIn(record).length === 1
}

function authorityOf(
  { party, path }: PlacedParty,
  record: AccountRecord,
  today: string,
): AuthorityRule | undefined {
  const role = roleOf(party, record) ?? ''
  // A trust or an LLC may carry the tax id of its grantor or member, who is another customer than the entity.
  const isOwner = ownersIn(record).some(
    (one) => one.path === path || (isPerson(one.party) === isPerson(party) && isSamePerson(one.party, party)),
  )
  if (isOwner || mayBeOwner(role, record)) return undefined
  const { registrationType } = record
  if (role === 'Guardian') return 'GuardianshipDocumented'
  if (role === 'Executor') return 'LettersDocumented'
  if (role === 'Trustee') return 'TrustDocumented'
  if (role === 'Custodian' && isForMinor(record, today)) return undefined
  const isEntity = ['Corporation', 'Llc', 'Partnership'].includes(registrationType)
  if (isEntity && (role === 'AuthorizedSigner' || (entityRoles.has(role) && trades(party))))
    return 'ResolutionDocumented'
  return role === 'PowerOfAttorney' || role === 'AuthorizedSigner' || trades(party)
    ? 'AuthorityDocumented'
    : undefined
}

/** The custodian of a minor acts by the act of the State, or by the agreement of the IRA. */
function isForMinor(record: AccountRecord, today: string): boolean {
  const { birthDate } = record.primaryOwner
  const isMinor = birthDate === undefined || ageOn(birthDate, today) < adultAgeYears
  return isCustodial(record) || (isGuardedIra(record) && isMinor)
}

function trades({ tradingAuthority }: Party): boolean {
  return tradingAuthority === 'Full' || tradingAuthority === 'Limited'
}
