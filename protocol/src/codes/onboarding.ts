// The coded fields of an onboarding result and its follow-ups. CreationComplete is the observed state of the
// specification. Reading 4.1 and 4.2.

import { type CodeRow, firstVersion, listCodes } from './code-list.ts'
import type { Evidence } from './documents.ts'

/** States of an onboarding (currentState). Reading 4.1. */
export const onboardingStates = listCodes({
  Submitted: 'Accepted; the checks have not begun',
  Screening: 'Identity, address, duplicates and watch lists are being checked',
  AccountCreation: 'The account is being set up',
  CreationComplete: 'The account was opened',
  ActionRequired:
    'The firm must answer follow-ups, or its answers are under review: then no follow-up is Open or Rejected',
  ManualReview: 'Operations must decide',
  Rejected: 'The account is not opened',
  CreationFailed: 'The account could not be set up; see errorResponses',
})

/** Stages of an onboarding. Reading 4.2. */
export const stageCodes = listCodes({
  IdentityCheck: 'The identity of owners and parties',
  WatchlistCheck: 'Names against watch lists',
  AccountCreation: 'Setting up the account',
  MailingAddress: 'Setting up the mailing address',
  TrustedContact: 'Setting up the trusted contact',
  ElectronicDelivery: 'Setting up electronic delivery',
})

/** Statuses of a stage. Reading 4.2. */
export const stageStatuses = listCodes({ Pending: 'Not done yet', Success: 'Done', Failed: 'Failed' })

/** Kinds of follow-up, by what answers them: a changed field, a document, or a decision of operations. Reading 4.2. */
export const followUpKinds = listCodes({
  Field: 'A field must be corrected',
  Document: 'A document must be added',
  Review: 'Operations must decide',
})

/** Statuses of a follow-up. */
export const followUpStatuses = listCodes({
  Open: 'Waits for an answer',
  Answered: 'Answered; waits for review',
  Accepted: 'The answer was accepted',
  Rejected: 'The answer was not accepted; another is needed',
  Waived: 'No longer needed: operations decided so, or a change of the record ended the question',
  Expired: 'Not answered in time',
})

interface FollowUpRow extends CodeRow {
  readonly kind: 'Field' | 'Document' | 'Review'
  /** What the document must prove; empty for the other kinds. */
  readonly evidence: Evidence | ''
}

const rows = [
  { value: 'IdentityDocument', label: 'Proof of identity', kind: 'Document', evidence: 'Identity' },
  {
    value: 'ForeignIdentityDocument',
    label: 'Proof of identity of a person who is not a US citizen',
    kind: 'Document',
    evidence: 'ForeignIdentity',
  },
  { value: 'AddressDocument', label: 'Proof of address', kind: 'Document', evidence: 'Address' },
  { value: 'TaxIdDocument', label: 'Proof of the tax id', kind: 'Document', evidence: 'TaxId' },
  { value: 'BirthDateDocument', label: 'Proof of the birth date', kind: 'Document', evidence: 'BirthDate' },
  { value: 'NameDocument', label: 'Proof of the name', kind: 'Document', evidence: 'Name' },
  {
    value: 'EntityDocument',
    label: 'Proof of the existence of an entity, by a government',
    kind: 'Document',
    evidence: 'EntityExistence',
  },
  {
    value: 'TrustDocument',
    label: 'Proof of the trust and its trustees',
    kind: 'Document',
    evidence: 'Trust',
  },
  {
    value: 'TaxCertification',
    label: 'Certification of the tax status',
    kind: 'Document',
    evidence: 'TaxCertification',
  },
  {
    value: 'W9Certification',
    label: 'Certification of a US person',
    kind: 'Document',
    evidence: 'UsTaxCertification',
  },
  {
    value: 'W8Certification',
    label: 'Certification of a foreign person',
    kind: 'Document',
    evidence: 'ForeignTaxCertification',
  },
  {
    value: 'W9OrW8Certification',
    label: 'Certification of a person in the United States who is not a US citizen',
    kind: 'Document',
    evidence: 'AlienTaxCertification',
  },
  {
    value: 'W8EntityCertification',
    label: 'Certification of a foreign entity',
    kind: 'Document',
    evidence: 'ForeignEntityTaxCertification',
  },
  {
    value: 'OptionAgreement',
    label: 'Agreement on option trading',
    kind: 'Document',
    evidence: 'OptionAgreement',
  },
  { value: 'MarginAgreement', label: 'Agreement on margin', kind: 'Document', evidence: 'MarginAgreement' },
  {
    value: 'OwnerInstruction',
    label: 'Instruction of the owner what becomes of the account',
    kind: 'Document',
    evidence: 'Authorization',
  },
  {
    value: 'AuthorityDocument',
    label: 'Proof of the authority of an agent',
    kind: 'Document',
    evidence: 'AgentAuthority',
  },
  {
    value: 'GuardianshipDocument',
    label: 'Proof of the appointment of a guardian',
    kind: 'Document',
    evidence: 'GuardianAuthority',
  },
  {
    value: 'LettersDocument',
    label: 'Proof of the appointment of an executor or administrator',
    kind: 'Document',
    evidence: 'EstateAuthority',
  },
  {
    value: 'ResolutionDocument',
    label: 'Proof of the authority to act for an entity',
    kind: 'Document',
    evidence: 'EntityAuthority',
  },
  { value: 'FieldCorrection', label: 'Correction of a field', kind: 'Field', evidence: '' },
  { value: 'FieldCompletion', label: 'Completion of a field', kind: 'Field', evidence: '' },
  { value: 'IdentityReview', label: 'Decision on the identity', kind: 'Review', evidence: '' },
  { value: 'WatchlistReview', label: 'Possible match on a watch list', kind: 'Review', evidence: '' },
  { value: 'DuplicateReview', label: 'Possible duplicate of an account', kind: 'Review', evidence: '' },
] as const satisfies readonly Omit<FollowUpRow, 'since'>[]

/** A follow-up code with its kind and the evidence that it requests. */
export interface FollowUpCodeRow extends FollowUpRow {
  readonly value: (typeof rows)[number]['value']
}

/** Codes of follow-ups. */
export const followUpCodes: readonly FollowUpCodeRow[] = rows.map((row) => ({ ...row, since: firstVersion }))
