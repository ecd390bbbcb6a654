// The catalogue of documents and their coded fields. The catalogue is open: other texts of documentTypeName and
// reference are accepted unless a setting of the firm closes the catalogue. PendingApproval is the observed status of
// the specification. Reading 5.

import { type CodeRow, firstVersion, listCodes } from './code-list.ts'

/** What a document can prove. A follow-up requests one of these. */
export const evidences = listCodes({
  Identity: 'Identity',
  ForeignIdentity: 'Identity of a person who is not a US citizen',
  Address: 'Address',
  TaxId: 'Tax id',
  BirthDate: 'Birth date',
  Name: 'Name, or a change of it',
  Trust: 'A trust and its trustees',
  TaxCertification: 'Tax status',
  UsTaxCertification: 'Tax status of a US person',
  ForeignTaxCertification: 'Tax status of a foreign person',
  AlienTaxCertification: 'Tax status of a person in the United States who is not a US citizen',
  ForeignEntityTaxCertification: 'Tax status of a foreign entity',
  Agreement: 'Agreement of the owner',
  OptionAgreement: 'Agreement on option trading',
  MarginAgreement: 'Agreement on margin',
  AddressChange: 'A change of address',
  Authorization: "An owner's instruction",
  AgentAuthority: 'Authority of an agent whom an owner appointed',
  GuardianAuthority: 'Authority of a guardian whom a court appointed',
  EstateAuthority: 'Authority of an executor or administrator of an estate',
  EntityAuthority: 'Authority of the persons who act for an entity',
  EntityExistence: 'Existence of an entity',
  Death: 'Death of an owner',
  Transfer: 'Instruction to transfer',
})

/** What a document can prove. */
export type Evidence = (typeof evidences)[number]['value']

/** documentTypeName of the catalogue. Reading 5.1. */
export const documentTypeNames = listCodes({
  'New Accounts Documents': 'Applications, agreements and tax forms',
  'Identity Documents': 'Proof of identity, address and tax id',
  'Trust Documents': 'Trusts and their trustees',
  'Authority Documents': 'Authority of persons who act for an owner',
  'Account Maintenance': 'Changes of an account',
  Transfers: 'Transfers of an account',
})

type DocumentTypeName = (typeof documentTypeNames)[number]['value']

interface ReferenceRow extends CodeRow {
  readonly documentTypeName: DocumentTypeName
  /** What the document proves. It answers follow-ups that request one of these. */
  readonly evidence: readonly Evidence[]
  /**
   * Years for which the document is kept after the account is closed (17 CFR 240.17a-4(b)(6) and (e)(5); 31 CFR
   * 1023.220(a)(3)).
   */
  readonly keptYears: number
  /** Whether generate-document can generate the form. */
  readonly isForm: boolean
}

const form = { documentTypeName: 'New Accounts Documents', keptYears: 6, isForm: true } as const
/** A form that the owner fills in: it states facts that the record does not have. */
const foreignEntityForm = {
  ...form,
  isForm: false,
  evidence: ['TaxCertification', 'ForeignEntityTaxCertification'],
} as const
const agreement = { ...form, evidence: ['Agreement'] } as const
const identity = { documentTypeName: 'Identity Documents', keptYears: 5, isForm: false } as const
const trust = {
  documentTypeName: 'Trust Documents',
  keptYears: 6,
  isForm: false,
  evidence: ['Trust'],
} as const
const authority = { documentTypeName: 'Authority Documents', keptYears: 6, isForm: false } as const
const maintenance = { documentTypeName: 'Account Maintenance', keptYears: 6, isForm: false } as const
const transfer = {
  documentTypeName: 'Transfers',
  keptYears: 6,
  isForm: false,
  evidence: ['Transfer'],
} as const

const rows = [
  { value: 'NEWA', label: 'New account application', ...agreement },
  { value: 'CASH', label: 'Customer agreement', ...agreement },
  {
    value: 'W9',
    label: 'Form W-9',
    ...form,
    evidence: ['TaxCertification', 'UsTaxCertification', 'AlienTaxCertification'],
  },
  {
    value: 'W8BE',
    label: 'Form W-8BEN',
    ...form,
    evidence: ['TaxCertification', 'ForeignTaxCertification', 'AlienTaxCertification'],
  },
  { value: 'W8BEN-E', label: 'Form W-8BEN-E', ...foreignEntityForm },
  { value: 'W8IMY', label: 'Form W-8IMY', ...foreignEntityForm },
  { value: 'W8EXP', label: 'Form W-8EXP', ...foreignEntityForm },
  {
    value: 'W8ECI',
    label: 'Form W-8ECI',
    ...form,
    isForm: false,
    evidence: [
      'TaxCertification',
      'ForeignTaxCertification',
      'AlienTaxCertification',
      'ForeignEntityTaxCertification',
    ],
  },
  { value: 'OPTS', label: 'Option agreement', ...form, evidence: ['Agreement', 'OptionAgreement'] },
  { value: 'TOD', label: 'Transfer on death agreement', ...agreement },
  { value: 'FASF', label: 'Foreign account form', ...agreement },
  { value: 'MRGN', label: 'Margin agreement', ...form, evidence: ['Agreement', 'MarginAgreement'] },
  { value: 'ADOP-simple', label: 'SIMPLE IRA adoption agreement', ...agreement },
  { value: 'ADOP-Traditional', label: 'Traditional IRA adoption agreement', ...agreement },
  { value: 'ADOP-Roth', label: 'Roth IRA adoption agreement', ...agreement },
  { value: 'PASS', label: 'Passport', ...identity, evidence: ['Identity', 'ForeignIdentity', 'BirthDate'] },
  { value: 'DRLC', label: "Driver's license", ...identity, evidence: ['Identity', 'BirthDate'] },
  { value: 'NATL', label: 'National identity card', ...identity, evidence: ['ForeignIdentity', 'BirthDate'] },
  { value: 'SSCD', label: 'Social security card', ...identity, evidence: ['TaxId'] },
  { value: 'UTIL', label: 'Utility bill', ...identity, evidence: ['Address'] },
  { value: 'BANK', label: 'Bank statement', ...identity, evidence: ['Address'] },
  {
    value: 'CREG',
    label: 'Certificate of incorporation, or extract of a register',
    ...identity,
    evidence: ['EntityExistence'],
  },
  { value: 'TRST', label: 'Trust agreement', ...trust },
  { value: 'CERT', label: 'Certification of trust', ...trust },
  { value: 'POAT', label: 'Power of attorney', ...authority, evidence: ['AgentAuthority'] },
  { value: 'TRAU', label: 'Trading authorization', ...authority, evidence: ['AgentAuthority'] },
  { value: 'CORD', label: 'Court order of guardianship', ...authority, evidence: ['GuardianAuthority'] },
  {
    value: 'LTTR',
    label: 'Letters testamentary or of administration',
    ...authority,
    evidence: ['EstateAuthority'],
  },
  {
    value: 'RESO',
    label: 'Corporate resolution, or the like of another entity',
    ...authority,
    evidence: ['EntityAuthority'],
  },
  { value: 'ADDR', label: 'Change of address', ...maintenance, evidence: ['AddressChange'] },
  { value: 'NAME', label: 'Change of name', ...maintenance, evidence: ['Name'] },
  { value: 'LOA', label: 'Letter of authorization', ...maintenance, evidence: ['Authorization'] },
  { value: 'DEAT', label: 'Death certificate', ...maintenance, evidence: ['Death'] },
  { value: 'ACAT', label: 'Account transfer form', ...transfer },
  { value: 'DTCX', label: 'DTC transfer instruction', ...transfer },
] as const satisfies readonly Omit<ReferenceRow, 'since'>[]

/** A document of the catalogue: its reference, title (label), type, evidence and retention period. */
export interface DocumentReferenceRow extends ReferenceRow {
  readonly value: (typeof rows)[number]['value']
}

/** The catalogue of documents, by reference. Reading 5.1. */
export const documentReferences: readonly DocumentReferenceRow[] = rows.map((row) => ({
  ...row,
  since: firstVersion,
}))

/** The references of the documents with this evidence, in the order of the catalogue. */
export function documentsFor(evidence: Evidence): DocumentReferenceRow['value'][] {
  return documentReferences.filter((row) => row.evidence.includes(evidence)).map((row) => row.value)
}

/** Statuses of a document. Reading 5.2. */
export const documentStatuses = listCodes({
  PendingApproval: 'Stored; waits for review',
  Approved: 'Approved',
  Rejected: 'Rejected; see the rejection code',
})

/** Why a document was rejected. */
export const documentRejectionCodes = listCodes({
  BLURRY: 'Not sharp enough to be read',
  CROPPED: 'Part of the document is missing',
  EXPIRED: 'Expired',
  NAME_MISMATCH: 'The name differs from the record',
  DOB_MISMATCH: 'The birth date differs from the record',
  ADDRESS_MISMATCH: 'The address differs from the record',
  WRONG_TYPE: 'Not the requested kind of document',
  UNSIGNED: 'A signature is missing',
  UNREADABLE: 'The file cannot be opened or read',
  DUPLICATE: 'The same document is already on file',
  PASSWORD_PROTECTED: 'The file is protected by a password',
})

interface FileExtensionRow extends CodeRow {
  readonly mediaType: 'application/pdf' | 'image/jpeg' | 'image/bmp' | 'image/png' | 'image/tiff'
}

const extensionRows = [
  { value: '.pdf', label: 'PDF', mediaType: 'application/pdf' },
  { value: '.jpg', label: 'JPEG', mediaType: 'image/jpeg' },
  { value: '.jpeg', label: 'JPEG', mediaType: 'image/jpeg' },
  { value: '.bmp', label: 'BMP', mediaType: 'image/bmp' },
  { value: '.png', label: 'PNG', mediaType: 'image/png' },
  { value: '.tiff', label: 'TIFF', mediaType: 'image/tiff' },
  { value: '.tif', label: 'TIFF', mediaType: 'image/tiff' },
] as const satisfies readonly Omit<FileExtensionRow, 'since'>[]

/** An allowed file extension with the media type of its content. */
export interface DocumentFileExtensionRow extends FileExtensionRow {
  readonly value: (typeof extensionRows)[number]['value']
}

/** File extensions of uploads. Specification, Limits. */
export const documentFileExtensions: readonly DocumentFileExtensionRow[] = extensionRows.map((row) => ({
  ...row,
  since: firstVersion,
}))
