// Facts of an open account that end on a day or were never received, in one table. The close of a business day
// requests them, `list-renewals` lists them, and `request-renewal` requests them from selected accounts.

import type { restrictionCodes } from './account.ts'
import type { AccountRule } from './account-rules.ts'
import { type CodeRow, firstVersion, listCodes } from './code-list.ts'
import type { FollowUpCodeRow } from './onboarding.ts'

interface KindRow extends CodeRow {
  /** The account rule that requires it. */
  readonly rule: AccountRule
  /** The follow-up that requests it. */
  readonly asks: FollowUpCodeRow['value']
  /** The restriction that is placed if the follow-up is not answered in time; empty for none. */
  readonly restricts: (typeof restrictionCodes)[number]['value'] | ''
}

const rows = [
  {
    value: 'IdentityDocument',
    label: 'The government identification of a party expires',
    rule: 'IdentityDocumentCurrent',
    asks: 'IdentityDocument',
    restricts: 'MissingDocument',
  },
  {
    value: 'IdentityRecord',
    label: 'The renewed government identification of a party is not on record',
    rule: 'IdentityRecorded',
    asks: 'FieldCompletion',
    restricts: '',
  },
  {
    value: 'W9Certification',
    label: 'Form W-9 was not received',
    rule: 'UsOwnerCertified',
    asks: 'W9Certification',
    restricts: 'MissingTaxForm',
  },
  {
    value: 'W8Certification',
    label: 'Form W-8BEN or W-8ECI was not received, or lapses',
    rule: 'ForeignOwnerCertified',
    asks: 'W8Certification',
    restricts: 'MissingTaxForm',
  },
  {
    value: 'W9OrW8Certification',
    label: 'Neither Form W-9 nor Form W-8BEN or W-8ECI was received',
    rule: 'AlienOwnerCertified',
    asks: 'W9OrW8Certification',
    restricts: 'MissingTaxForm',
  },
  {
    value: 'W8EntityCertification',
    label: 'Form W-8BEN-E, W-8ECI, W-8EXP or W-8IMY was not received, or lapses',
    rule: 'ForeignEntityCertified',
    asks: 'W8EntityCertification',
    restricts: 'MissingTaxForm',
  },
  {
    value: 'ForeignStatusEvidence',
    label: 'A foreign owner got an address in the United States',
    rule: 'ForeignOwnerUsAddress',
    asks: 'ForeignIdentityDocument',
    restricts: 'MissingTaxForm',
  },
  {
    value: 'ComingOfAge',
    label: 'A minor comes of age',
    rule: 'MinorOfAge',
    asks: 'OwnerInstruction',
    restricts: 'MissingDocument',
  },
  {
    value: 'CustodianshipEnded',
    label: 'The owner came of age and gave an instruction, and the account is still custodial',
    rule: 'CustodianshipEnded',
    asks: 'OwnerInstruction',
    restricts: '',
  },
  {
    value: 'OwnersResidence',
    label: 'The owner moved to a state that does not have the registration',
    rule: 'OwnersResidence',
    asks: 'OwnerInstruction',
    restricts: '',
  },
  {
    value: 'OwnersMarried',
    label: 'Spouses who own together are not married any more',
    rule: 'OwnersMarried',
    asks: 'OwnerInstruction',
    restricts: '',
  },
  {
    value: 'TrustedContact',
    label: 'No trusted contact who can be reached was named',
    rule: 'TrustedContactAsked',
    asks: 'FieldCompletion',
    restricts: '',
  },
  {
    value: 'Occupation',
    label: 'The occupation of an owner is not known',
    rule: 'EmploymentKnown',
    asks: 'FieldCompletion',
    restricts: '',
  },
  {
    value: 'Employer',
    label: 'The employer of an owner who works is not known',
    rule: 'EmploymentKnown',
    asks: 'FieldCompletion',
    restricts: '',
  },
  {
    value: 'AuthorityDocument',
    label: 'The authority of an agent was not shown',
    rule: 'AuthorityDocumented',
    asks: 'AuthorityDocument',
    restricts: '',
  },
  {
    value: 'GuardianshipDocument',
    label: 'The appointment of a guardian was not shown',
    rule: 'GuardianshipDocumented',
    asks: 'GuardianshipDocument',
    restricts: '',
  },
  {
    value: 'LettersDocument',
    label: 'The appointment of an executor or administrator was not shown',
    rule: 'LettersDocumented',
    asks: 'LettersDocument',
    restricts: '',
  },
  {
    value: 'ResolutionDocument',
    label: 'The authority to act for an entity was not shown',
    rule: 'ResolutionDocumented',
    asks: 'ResolutionDocument',
    restricts: '',
  },
  {
    value: 'TrustDocument',
    label: 'The trust and its trustees were not shown',
    rule: 'TrustDocumented',
    asks: 'TrustDocument',
    restricts: '',
  },
  {
    value: 'BeneficialOwners',
    label: 'The beneficial owners of an entity are not stated',
    rule: 'BeneficialOwnersStated',
    asks: 'FieldCompletion',
    restricts: '',
  },
  {
    value: 'OwnershipShare',
    label: 'The share of a beneficial owner is not known',
    rule: 'OwnershipKnown',
    asks: 'FieldCompletion',
    restricts: '',
  },
  {
    value: 'ActingPerson',
    label: 'No person acts for the entities that act for an account',
    rule: 'PersonNamed',
    asks: 'FieldCompletion',
    restricts: '',
  },
] as const satisfies readonly Omit<KindRow, 'since'>[]

/** A kind of renewal. */
export type RenewalKind = (typeof rows)[number]['value']

export interface RenewalKindRow extends KindRow {
  readonly value: RenewalKind
}

/** The kinds of renewal, in the order in which they are examined. */
export const renewalKinds: readonly RenewalKindRow[] = rows.map((row) => ({ ...row, since: firstVersion }))

/** States of a renewal. */
export const renewalStates = listCodes({
  Coming: 'Due on a later day; not requested yet',
  Asked: 'Requested; the answer is due by its date',
  Overdue:
    'Not answered in time; if the kind has a restriction, the account is restricted until it is answered',
  Settled: 'Answered, or no longer needed',
})

/** Outcomes of a request for renewal for each account. */
export const renewalOutcomes = listCodes({
  Asked: 'Requested now',
  AskedAlready: 'Requested before and not answered yet',
  Refused: 'Not requested: see the code and reason',
})
