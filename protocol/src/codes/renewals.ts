// What of an open account ends on a day or was never received: one table. The business day asks for it, `list-renewals` lists it,
// and `request-renewal` asks for it of a selection of accounts.

import type { restrictionCodes } from './account.ts'
import type { AccountRule } from './account-rules.ts'
import { type CodeRow, firstVersion, listCodes } from './code-list.ts'
import type { FollowUpCodeRow } from './onboarding.ts'

interface KindRow extends CodeRow {
  /** The rule of the account that asks for it. */
  readonly rule: AccountRule
  /** The follow-up that asks for it. */
  readonly asks: FollowUpCodeRow['value']
  /** The restriction of an account that does not answer in time; empty for none. */
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
    value: 'W9Certification',
    label: 'Form W-9 was not received',
    rule: 'UsOwnerCertified',
    asks: 'W9Certification',
    restricts: 'MissingTaxForm',
  },
  {
    value: 'W8Certification',
    label: 'Form W-8BEN was not received, or lapses',
    rule: 'ForeignOwnerCertified',
    asks: 'W8Certification',
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
    value: 'TrustedContact',
    label: 'No trusted contact was named',
    rule: 'TrustedContactAsked',
    asks: 'FieldCompletion',
    restricts: '',
  },
] as const satisfies readonly Omit<KindRow, 'since'>[]

/** A kind of renewal. */
export type RenewalKind = (typeof rows)[number]['value']

export interface RenewalKindRow extends KindRow {
  readonly value: RenewalKind
}

/** What is renewed, in the order in which it is looked at. */
export const renewalKinds: readonly RenewalKindRow[] = rows.map((row) => ({ ...row, since: firstVersion }))

/** How a renewal stands. */
export const renewalStates = listCodes({
  Coming: 'The day has not come; nothing is asked yet',
  Asked: 'Asked for, and to be answered by its date',
  Overdue: 'Not answered in time; the account is restricted until it is, where the kind says so',
  Settled: 'Answered, or no longer needed',
})

/** What became of a request for renewal, account by account. */
export const renewalOutcomes = listCodes({
  Asked: 'Asked for now',
  AskedAlready: 'Asked for before, and still to be answered',
  Refused: 'Not asked for: see the code and reason',
})
