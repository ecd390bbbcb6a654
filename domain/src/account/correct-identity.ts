/**
 * The tax id and the citizenship of an owner or party of an open account, corrected by operations (correct-identity).
 * The firm cannot change them (Specification, update-account, rule 2). An approved document shows the new value, and
 * the corrected record breaks no rule that the record kept before. Pure functions; decision 231.
 */
import { documentsFor, type Rejection, reject } from '@clearing/protocol/values'
import { checkAccount } from './check-account.ts'
import type { FieldChange } from './merge-blocks.ts'
import { placedBeneficiaries } from './merge-lists.ts'
import { accountRuleOf, type Finding } from './policy/finding.ts'
import { judgeAccount } from './policy/judge-account.ts'
import { isPerson, isSameParty, partiesOf } from './policy/parties.ts'
import { lendersOf } from './policy/tax-identification.ts'
import { isItin } from './policy/tax-numbers.ts'
import type { AccountRecord, Party } from './record.ts'
import type { RuleSettings } from './rule-scope.ts'
import { isForeignCitizen, isUnitedStates } from './united-states.ts'

export interface AskedIdentity {
  /** The primary owner if absent. */
  readonly customerId?: string | undefined
  readonly taxIdType?: string | undefined
  readonly taxIdNumber?: string | undefined
  readonly citizenshipCountry?: string | undefined
}

export interface CorrectedIdentity {
  readonly amended: AccountRecord
  readonly changes: readonly FieldChange[]
  /** The owner or party with the new values. */
  readonly party: Party
  /** The parties that change: `primaryOwner`, `associatedParties[0]`. */
  readonly paths: readonly string[]
}

export interface IdentityFacts extends RuleSettings {
  /** The references of the approved documents that the request names. */
  readonly shownBy: readonly string[]
  /** Customer ids of the persons whose new tax id another person has in another account of the firm. */
  readonly numbersOfOthers: ReadonlySet<string>
}

const corrected = ['taxIdType', 'taxIdNumber', 'citizenshipCountry'] as const

/** The record with the new values, or undefined if the account has no owner or party with the customer id. */
export function withIdentity(record: AccountRecord, asked: AskedIdentity): CorrectedIdentity | undefined {
  const customerId = asked.customerId || record.primaryOwner.customerId
  const found = partiesOf(record).find(({ party }) => party.customerId === customerId)
  if (found === undefined) return undefined
  const changes: FieldChange[] = []
  const paths: string[] = []
  const correct = (before: Party, path: string): Party => {
    const [party, changed] = withValues(before, valuesOf(before, found.party, record, asked))
    if (changed.length === 0) return before
    const place = path === 'primaryOwner' ? path : `associatedParties[${before.customerId ?? ''}]`
    changes.push(...changed.map((change) => ({ ...change, field: `${place}.${change.field}` })))
    paths.push(path)
    return party
  }
  const [primaryOwner = record.primaryOwner, ...associatedParties] = partiesOf(record).map(
    ({ party, path }) => correct(party, path),
  )
  const amended = { ...record, primaryOwner, associatedParties }
  const party = partiesOf(amended).find(({ path }) => path === found.path)?.party ?? found.party
  return { amended, changes, party, paths }
}

type Values = Pick<Party, (typeof corrected)[number]>

/**
 * The new values of a party. The person who is corrected has them in each role. The entity that owns the account has
 * the number that a person lends it, and the person that of the entity if it is a person's.
 */
function valuesOf(party: Party, named: Party, record: AccountRecord, asked: AskedIdentity): Values {
  const { taxIdType = '', taxIdNumber = '', citizenshipCountry = '' } = asked
  if (isSameParty(party, named)) return { taxIdType, taxIdNumber, citizenshipCountry }
  const { primaryOwner: owner } = record
  if (taxIdNumber === '' || isPerson(owner)) return {}
  const lenders = lendersOf(record)
  const isLender = (one: Party) => lenders.some((lender) => isSameParty(one, lender))
  const isOfPerson = (taxIdType || named.taxIdType) === 'SSN' || isItin(taxIdNumber)
  const shares = (party === owner && isLender(named)) || (named === owner && isLender(party) && isOfPerson)
  return shares ? { taxIdNumber, ...(party.taxIdType === named.taxIdType && { taxIdType }) } : {}
}

/** The party with the new values, and its changes by the names of its fields. An empty value changes nothing. */
function withValues(before: Party, values: Values): [Party, FieldChange[]] {
  const party = { ...before }
  const changes: FieldChange[] = []
  for (const name of corrected) {
    const to = values[name]
    if (!to || to === before[name]) continue
    party[name] = to
    changes.push({ field: name, from: before[name], to })
  }
  const from = before.caisInformation?.customerType ?? []
  // A person who becomes a citizen is a foreign person no longer.
  if (isForeignCitizen(before) && !isForeignCitizen(party) && isPerson(before) && from.includes('Foreign')) {
    const others = from.filter((type) => type !== 'Foreign')
    const to = others.length > 0 ? others : ['NotApplicable']
    party.caisInformation = { ...before.caisInformation, customerType: to }
    changes.push({ field: 'caisInformation.customerType', from, to })
  }
  return [party, changes]
}

/** Why the identity cannot be corrected; empty if it can. */
export function whyNotCorrected(
  record: AccountRecord,
  { amended, changes, party, paths }: CorrectedIdentity,
  facts: IdentityFacts,
): Rejection[] {
  if (changes.length === 0) return [reject('ERR.2010', '', 'The record has these values already.')]
  const isGivenAnew = (field: string) => changes.some(({ field: changed }) => endOf(changed) === endOf(field))
  const isOfParty = (field: string) => paths.some((path) => field.startsWith(`${path}.`))
  const settings = { ...facts, moment: 'change' } as const
  const keyOf = ({ code, field, rule = '' }: Rejection) => `${code} ${field} ${rule}`
  const known = new Set(checkAccount(record, placedBeneficiaries(record), settings).map(keyOf))
  const broken = checkAccount(amended, placedBeneficiaries(amended), settings)
    .filter((one) => !known.has(keyOf(one)) || (isOfParty(one.field) && isGivenAnew(one.field)))
    .map((one) => ({ ...one, field: inRequest(one.field) }))
  const knownRules = new Set(reviewedOn(record, facts).map(({ rule, field }) => `${rule} ${field}`))
  const conflicts = reviewedOn(amended, facts)
    .filter(
      ({ rule, field }) => !knownRules.has(`${rule} ${field}`) || (isOfParty(field) && isGivenAnew(field)),
    )
    .map(({ rule, field, reason }) => reject('ERR.2054', inRequest(field), reason, rule))
  return [...broken, ...conflicts, ...whyNotShown(changes, party, facts.shownBy)]
}

/** What an application with this tax id would be reviewed for: two people decide, but not against a rule. */
function reviewedOn(record: AccountRecord, facts: IdentityFacts): Finding[] {
  return judgeAccount(record, {
    moment: 'opening',
    today: facts.today,
    sandbox: false,
    magicTaxIds: facts.magicTaxIds,
    numbersOfOthers: facts.numbersOfOthers,
    wasRefused: () => false,
    isUnknown: () => false,
  }).filter(
    ({ rule, effect }) =>
      // A foreign person may have one, such as a student who works: the change waits for a review of the fact.
      rule !== 'ForeignWithSsn' && effect === 'review' && accountRuleOf(rule).area === 'Tax identification',
  )
}

/**
 * A tax id is that of a tax form: after a notice of the Internal Revenue Service that the number is wrong, a new
 * certification counts (26 CFR 31.3406(d)-5). Form W-9 certifies a person of the United States.
 */
function whyNotShown(changes: readonly FieldChange[], party: Party, shownBy: readonly string[]): Rejection[] {
  const isShown = (accepted: readonly string[]) => shownBy.some((reference) => accepted.includes(reference))
  const changed = (names: readonly string[]) => changes.some(({ field }) => names.includes(endOf(field)))
  const rejections: Rejection[] = []
  const forms: readonly string[] = documentsFor('TaxCertification')
  if (changed(['taxIdType', 'taxIdNumber']) && !isShown(forms)) {
    const reason = `A tax id needs an approved tax form that certifies it: ${forms.join(', ')} (26 CFR 31.3406(d)-5).`
    rejections.push(reject('ERR.2053', 'documentIds', reason))
  }
  const showing = showingCountry(party)
  if (changed(['citizenshipCountry']) && !isShown(showing)) {
    const what = isPerson(party) ? 'A citizenship' : 'The country of an entity'
    const reason = `${what} needs an approved document that shows it: ${showing.join(', ')} (31 CFR 1023.220(a)(2)(ii)).`
    rejections.push(reject('ERR.2053', 'documentIds', reason))
  }
  return rejections
}

/**
 * The documents that show the new citizenship of a person, or the country under whose laws an entity is organized,
 * which line 2 of its Form W-8 states.
 */
function showingCountry(party: Party): readonly string[] {
  const ofUnitedStates = isUnitedStates(party.citizenshipCountry ?? '')
  const evidence = isPerson(party) ? 'ForeignIdentity' : 'EntityExistence'
  const forms = ofUnitedStates
    ? documentsFor('UsTaxCertification')
    : isPerson(party)
      ? []
      : documentsFor('ForeignEntityTaxCertification')
  return [...documentsFor(evidence), ...forms]
}

function endOf(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1)
}

/** The member of the request for a path in the record; empty if the request has none. */
function inRequest(field: string): string {
  return corrected.find((name) => name === endOf(field)) ?? ''
}
