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
import { partiesOf } from './policy/parties.ts'
import type { AccountRecord, Party } from './record.ts'
import type { RuleSettings } from './rule-scope.ts'
import { isUnitedStates } from './united-states.ts'

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
  /** `primaryOwner` or `associatedParties[0]`. */
  readonly path: string
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
  const { party: before, path } = found
  const party = { ...before }
  const place = path === 'primaryOwner' ? path : `associatedParties[${customerId}]`
  const changes: FieldChange[] = []
  for (const name of corrected) {
    const to = asked[name]
    if (!to || to === before[name]) continue
    party[name] = to
    changes.push({ field: `${place}.${name}`, from: before[name], to })
  }
  const amended =
    path === 'primaryOwner'
      ? { ...record, primaryOwner: party }
      : {
          ...record,
          associatedParties: record.associatedParties.map((one) => (one === before ? party : one)),
        }
  return { amended, changes, party, path }
}

/** Why the identity cannot be corrected; empty if it can. */
export function whyNotCorrected(
  record: AccountRecord,
  { amended, changes, party, path }: CorrectedIdentity,
  facts: IdentityFacts,
): Rejection[] {
  if (changes.length === 0) return [reject('ERR.2010', '', 'The record has these values already.')]
  const isGivenAnew = (field: string) => changes.some(({ field: changed }) => endOf(changed) === endOf(field))
  const isOfParty = (field: string) => field.startsWith(`${path}.`)
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
  }).filter(({ rule, effect }) => effect === 'review' && accountRuleOf(rule).area === 'Tax identification')
}

/**
 * A tax id is that of a tax form: after a notice of the Internal Revenue Service that the number is wrong, a new
 * certification counts (26 CFR 31.3406(d)-5). A citizenship is that of a passport; Form W-9 certifies a person of the
 * United States.
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
  const ofUnitedStates = isUnitedStates(party.citizenshipCountry ?? '')
  const passports = ['PASS', ...(ofUnitedStates ? documentsFor('UsTaxCertification') : [])]
  if (changed(['citizenshipCountry']) && !isShown(passports)) {
    const reason = `A citizenship needs an approved document that shows it: ${passports.join(', ')} (31 CFR 1023.220(a)(2)(ii)).`
    rejections.push(reject('ERR.2053', 'documentIds', reason))
  }
  return rejections
}

function endOf(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1)
}

/** The member of the request for a path in the record; empty if the request has none. */
function inRequest(field: string): string {
  return corrected.find((name) => name === endOf(field)) ?? ''
}
