/**
 * The account record as the service stores it: one canonical form, from which both shapes of responses are rendered
 * (Specification, Account record; Reading 1.11). A value that was never given is absent.
 */

export interface Address {
  street?: string
  city?: string
  /** Two letters in the US and Canada, absent elsewhere (Reading 1.7). */
  stateProvince?: string
  /** ISO 3166-1 alpha-2. */
  country?: string
  postalCode?: string
}

export interface GovernmentId {
  idType?: string
  idNumber?: string
  idLocation?: string
  /** `yyyy-MM-dd`. */
  idIssueDate?: string
  /** `yyyy-MM-dd`. */
  idExpiration?: string
}

export interface GovernmentIdentification {
  governmentId1?: GovernmentId
  governmentId2?: GovernmentId
}

export interface TrustedContact {
  name?: string
  relationship?: string
  phoneRegionCode?: string
  phoneNumber?: string
  email?: string
  address?: Address
}

/** A block of the richer affiliation form; its members depend on the block (Reading 3.5). */
export type AffiliationBlock = { associated?: string; [member: string]: string | undefined }

export interface Affiliation {
  publicCompany?: string | AffiliationBlock
  industry?: string | AffiliationBlock
  political?: string | AffiliationBlock
  service?: AffiliationBlock
  relationship?: string
  name?: string
  organization?: string
  address?: Address
}

export interface CaisInformation {
  customerType?: string[]
  accountType?: string[]
  role?: string
}

export interface InvestmentExperience {
  stocks?: string
  bonds?: string
  options?: string
  mutualFunds?: string
  annuities?: string
}

export interface FinancialProfile {
  annualIncome?: string
  netWorth?: string
  liquidNetWorth?: string
  liquidityNeed?: string
  liquidityTime?: string
  taxBracket?: string
  investmentTimeHorizon?: string
  investmentProfile?: string
  investmentExperience?: InvestmentExperience
}

/** A person or an entity of an account. An entity's two name lines are firstName and lastName (Reading 1.1). */
export interface Party {
  /** 18 digits, ours. */
  customerId?: string
  nameType?: string
  firstName?: string
  middleName?: string
  lastName?: string
  suffix?: string
  citizenshipCountry?: string
  /** `yyyy-MM-dd`. */
  birthDate?: string
  email?: string
  /** An empty address means the same as the mailing address (Reading 3.4). */
  legalAddress?: Address
  occupation?: string
  jobTitle?: string
  jobIndustry?: string
  employerName?: string
  employerPhoneRegionCode?: string
  employerPhoneNumber?: string
  employerPhoneExtension?: string
  employerAddress?: Address
  taxIdType?: string
  /** 9 digits. */
  taxIdNumber?: string
  governmentIdentification?: GovernmentIdentification
  sourceOfFunds?: string[]
  otherSourceOfFund?: string
  phoneRegionCell?: string
  phoneNumberCell?: string
  phoneRegionHome?: string
  phoneNumberHome?: string
  phoneRegionBusiness?: string
  phoneNumberBusiness?: string
  caisInformation?: CaisInformation
  trustedContact?: TrustedContact
  affiliation?: Affiliation
  maritalStatus?: string
  dependents?: string
  institutionalInvestor?: string
  /** Associated parties only. */
  role?: string
  /** Per cent of an entity that the party owns, with two decimals. Associated parties only. */
  ownershipPercent?: string
  /** Associated parties only. */
  tradingAuthority?: string
  /** Associated parties only. */
  financialProfile?: { investmentExperience?: InvestmentExperience }
}

/** A beneficiary: of an IRA a retirement beneficiary, of every other account a T.O.D. beneficiary (Reading 1.11). */
export interface Beneficiary {
  /** 18 digits, ours. */
  customerId?: string
  nameType?: string
  firstName?: string
  middleName?: string
  lastName?: string
  suffix?: string
  address?: Address
  birthDate?: string
  taxIdType?: string
  taxIdNumber?: string
  relationship?: string
  citizenshipCountry?: string
  primaryContingent?: string
  /** Per cent with two decimals, `33.33`. */
  percentageAllocation?: string
}

export interface LargeTrader {
  largeTraderId?: string
  effectiveDate?: string
  endDate?: string
  endReason?: string
}

export interface Main {
  repCode?: string
  proxyDisclosure?: string
  marginIndicator?: string
  optionTradingLevel?: string
  optionTradingIndicator?: string
  sweepIndicator?: string
  catAccountIdentifier?: string
}

export interface ElectronicDelivery {
  email?: string
  statements?: string
  confirms?: string
  serviceCommunications?: string
  investorCommunications?: string
  prospectus?: string
  taxDocuments?: string
}

export interface AccountRecord {
  registrationType: string
  entityNumber: string
  main: Main
  electronicDelivery: ElectronicDelivery
  mailingAddress: Address
  primaryOwner: Party
  associatedParties: Party[]
  financialProfile: FinancialProfile
  beneficiaries: Beneficiary[]
  largeTraders: LargeTrader[]
}

export type AccountStatus = 'Reserved' | 'Pending' | 'Open' | 'Restricted' | 'Closed' | 'Rejected'
