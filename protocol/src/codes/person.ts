// The coded fields of owners, associated parties and beneficiaries. Observed values of the specification: nameType
// Individual; taxIdType TaxId, SSN; idType NationalId, Passport, DriversLicense; maritalStatus Single, Married; role
// Associate, Secondary; relationship Spouse, Other; primaryContingent Primary, Contingent. Reading 3.7.

import { listCodes } from './code-list.ts'

/** Whether a name is the name of a person or of an organization. */
export const nameTypes = listCodes({ Individual: 'Person', Entity: 'Organization' })

/** Kinds of tax id. Reading 3.7. */
export const taxIdTypes = listCodes({
  SSN: 'Social security number',
  TaxId: 'Employer (EIN) or individual taxpayer (ITIN) identification number',
})

/** Kinds of government identification. */
export const governmentIdTypes = listCodes({
  NationalId: 'National identity card',
  Passport: 'Passport',
  DriversLicense: "Driver's license",
  CompanyRegistration: 'Registration of an entity with a government',
})

/** Marital statuses. */
export const maritalStatuses = listCodes({
  Single: 'Single',
  Married: 'Married',
  DomesticPartnership: 'Domestic partnership',
  Separated: 'Separated',
  Divorced: 'Divorced',
  Widowed: 'Widowed',
})

/** Roles of an associated party in the account. */
export const partyRoles = listCodes({
  Associate: 'Associated with the account',
  Secondary: 'Joint owner',
  Custodian: 'Custodian of a minor',
  SuccessorCustodian: 'Successor custodian',
  Minor: 'Minor',
  Guardian: 'Guardian or conservator',
  Trustee: 'Trustee',
  SuccessorTrustee: 'Successor trustee',
  Grantor: 'Grantor of a trust',
  Executor: 'Executor or administrator of an estate',
  Officer: 'Officer',
  Director: 'Director',
  Partner: 'Partner',
  Member: 'Member of a limited liability company',
  ControlPerson: 'Control person',
  BeneficialOwner: 'Beneficial owner',
  AuthorizedSigner: 'Authorized signer',
  PowerOfAttorney: 'Holder of a power of attorney',
  Beneficiary: 'Beneficiary of a trust or estate',
  InterestedParty: 'Receives copies of statements',
})

/** Relationships to an owner: of beneficiaries, trusted contacts and affiliated persons. */
export const relationships = listCodes({
  Self: 'Self',
  Spouse: 'Spouse',
  Husband: 'Husband',
  Wife: 'Wife',
  DomesticPartner: 'Domestic partner',
  FormerSpouse: 'Former spouse',
  Parent: 'Parent',
  Father: 'Father',
  Mother: 'Mother',
  StepParent: 'Step-parent',
  Child: 'Child',
  Son: 'Son',
  Daughter: 'Daughter',
  StepChild: 'Step-child',
  Sibling: 'Sibling',
  Brother: 'Brother',
  Sister: 'Sister',
  Grandparent: 'Grandparent',
  Grandchild: 'Grandchild',
  AuntOrUncle: 'Aunt or uncle',
  NieceOrNephew: 'Niece or nephew',
  Cousin: 'Cousin',
  InLaw: 'Relative by marriage',
  OtherRelative: 'Other relative',
  Guardian: 'Guardian',
  Caregiver: 'Caregiver',
  Friend: 'Friend',
  Neighbor: 'Neighbor',
  Colleague: 'Colleague',
  BusinessPartner: 'Business partner',
  Employer: 'Employer',
  Employee: 'Employee',
  Attorney: 'Attorney',
  Accountant: 'Accountant',
  FinancialAdvisor: 'Financial advisor',
  Trustee: 'Trustee',
  Trust: 'Trust',
  Estate: 'Estate',
  Charity: 'Charity',
  Other: 'Other',
})

/**
 * Whether a beneficiary is primary or contingent. A contingent beneficiary receives a share only if no primary
 * beneficiary is left.
 */
export const primaryContingents = listCodes({ Primary: 'Primary', Contingent: 'Contingent' })
