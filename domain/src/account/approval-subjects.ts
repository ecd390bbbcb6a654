/**
 * The parts of a change that may need the approval of a second person (Reading 3.9; FINRA 4515): names, addresses,
 * beneficiaries, and with decision 229 contacts and birth dates.
 */
import type { CodeOf } from '@clearing/protocol'
import type { FieldChange } from './merge-blocks.ts'

export type ApprovalSubject = CodeOf<'approvalSubject'>

const party = String.raw`(primaryOwner|associatedParties\[[^\]]*\])`
const rules: readonly (readonly [ApprovalSubject, RegExp])[] = [
  // A new party brings a new name.
  [
    'Names',
    new RegExp(
      String.raw`^${party}\.(firstName|middleName|lastName|suffix|name[1-4])$|^associatedParties\[[^\]]*\]$`,
    ),
  ],
  ['Addresses', new RegExp(String.raw`^mailingAddress(\.|$)|^${party}\.legalAddress(\.|$)`)],
  ['Beneficiaries', /^(beneficiaries|retirementBenes|transferOfDeathBeneficiaries)(\[|\.|$)/],
  // Where statements, confirmations and calls go.
  [
    'Contacts',
    new RegExp(
      String.raw`^electronicDelivery(\.|$)|^${party}\.(email|phone(Region|Number)(Cell|Home|Business))$`,
    ),
  ],
  ['BirthDate', new RegExp(String.raw`^${party}\.birthDate$`)],
]

/** Each subject once, in the order of the list. */
export function approvalSubjectsOf(changes: readonly FieldChange[]): ApprovalSubject[] {
  return rules
    .filter(([, paths]) => changes.some(({ field }) => paths.test(field)))
    .map(([subject]) => subject)
}
