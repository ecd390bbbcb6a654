/**
 * The record in the form of responses: shape 1 under `data.message`, and shape 2 in `data` (Specification, Account
 * record; Reading 1.11). A field that was never given is empty.
 */
import type { Data } from '@clearing/protocol'
import { mailingAddressString } from './mailing-address.ts'
import { maskNumber } from './mask-numbers.ts'
import { beneficiaryName } from './name.ts'
import type {
  AccountRecord,
  Affiliation,
  Beneficiary,
  ElectronicDelivery,
  GovernmentId,
  Main,
  Party,
} from './record.ts'
import { registrationOf } from './registration.ts'

export interface Rendering {
  readonly accountNumber: string
  readonly accountStatus: string
  readonly accountName: string
  readonly version: number
  /** Whether tax ids and government id numbers are returned in full: the token has `pii:read` (Reading 2.4). */
  readonly personalNumbers: boolean
}

type Shape1 = Extract<Data<'get-account'>, { message: unknown }>['message']
type Shape2 = Data<'update-account'>

export function renderMain(main: Main): Shape2['main'] {
  return {
    repCode: main.repCode ?? '',
    proxyDisclosure: main.proxyDisclosure ?? 'L',
    marginIndicator: main.marginIndicator ?? 'false',
    optionTradingLevel: main.optionTradingLevel ?? '',
    optionTradingIndicator: main.optionTradingIndicator ?? 'false',
    sweepIndicator: main.sweepIndicator ?? 'false',
    ...(main.catAccountIdentifier ? { catAccountIdentifier: main.catAccountIdentifier } : {}),
  }
}

/** An absent flag is False: the default is delivery on paper. */
export function renderDelivery(delivery: ElectronicDelivery): Shape2['electronicDelivery'] {
  return {
    email: delivery.email ?? '',
    statements: delivery.statements ?? 'False',
    confirms: delivery.confirms ?? 'False',
    serviceCommunications: delivery.serviceCommunications ?? 'False',
    investorCommunications: delivery.investorCommunications ?? 'False',
    prospectus: delivery.prospectus ?? 'False',
    taxDocuments: delivery.taxDocuments ?? 'False',
  }
}

export function renderAddress(
  address: AccountRecord['mailingAddress'] | undefined,
): Shape2['mailingAddress'] {
  return address === undefined || Object.keys(address).length === 0
    ? {}
    : {
        street: address.street ?? '',
        city: address.city ?? '',
        stateProvince: address.stateProvince ?? '',
        country: address.country ?? '',
        postalCode: address.postalCode ?? '',
      }
}

export function renderProfile(profile: AccountRecord['financialProfile']): Shape2['financialProfile'] {
  return {
    annualIncome: profile.annualIncome ?? '',
    netWorth: profile.netWorth ?? '',
    liquidNetWorth: profile.liquidNetWorth ?? '',
    liquidityNeed: profile.liquidityNeed ?? '',
    liquidityTime: profile.liquidityTime ?? '',
    taxBracket: profile.taxBracket ?? '',
    investmentTimeHorizon: profile.investmentTimeHorizon ?? '',
    investmentProfile: profile.investmentProfile ?? '',
    investmentExperience: renderExperience(profile.investmentExperience),
  }
}

function renderExperience(
  experience: AccountRecord['financialProfile']['investmentExperience'],
): NonNullable<Shape2['financialProfile']['investmentExperience']> {
  return experience === undefined || Object.keys(experience).length === 0
    ? {}
    : {
        stocks: experience.stocks ?? '',
        bonds: experience.bonds ?? '',
        options: experience.options ?? '',
        mutualFunds: experience.mutualFunds ?? '',
        annuities: experience.annuities ?? '',
      }
}

function renderId(id: GovernmentId, personalNumbers: boolean): GovernmentId {
  return {
    idType: id.idType ?? '',
    idNumber: renderNumber(id.idNumber, personalNumbers),
    idLocation: id.idLocation ?? '',
    idIssueDate: id.idIssueDate ?? '',
    idExpiration: id.idExpiration ?? '',
  }
}

function renderNumber(number: string | undefined, personalNumbers: boolean): string {
  return number === undefined ? '' : personalNumbers ? number : maskNumber(number)
}

function renderIdentification(party: Party, personalNumbers: boolean) {
  const { governmentId1, governmentId2 } = party.governmentIdentification ?? {}
  const render = (id: GovernmentId | undefined) => (id === undefined ? {} : renderId(id, personalNumbers))
  return governmentId1 === undefined && governmentId2 === undefined
    ? {}
    : { governmentId1: render(governmentId1), governmentId2: render(governmentId2) }
}

export function renderTrustedContact(
  contact: Party['trustedContact'],
): NonNullable<Shape1['primaryOwner']['trustedContact']> {
  return contact === undefined
    ? {}
    : {
        name: contact.name ?? '',
        relationship: contact.relationship ?? '',
        phoneRegionCode: contact.phoneRegionCode ?? '',
        phoneNumber: contact.phoneNumber ?? '',
        email: contact.email ?? '',
        address: renderAddress(contact.address),
      }
}

function renderAffiliation(
  affiliation: Affiliation | undefined,
): NonNullable<Shape2['primaryOwner']['affiliation']> {
  return affiliation === undefined
    ? {}
    : ({
        publicCompany: affiliation.publicCompany ?? '',
        industry: affiliation.industry ?? '',
        political: affiliation.political ?? '',
        ...(affiliation.service ? { service: affiliation.service } : {}),
        relationship: affiliation.relationship ?? '',
        name: affiliation.name ?? '',
        organization: affiliation.organization ?? '',
        address: renderAddress(affiliation.address),
      } as NonNullable<Shape2['primaryOwner']['affiliation']>)
}

/** The fields of a person that both shapes share. */
function renderPerson(party: Party, personalNumbers: boolean) {
  return {
    customerId: party.customerId ?? '',
    nameType: party.nameType ?? 'Individual',
    citizenshipCountry: party.citizenshipCountry ?? '',
    birthDate: party.birthDate ?? '',
    email: party.email ?? '',
    legalAddress: renderAddress(party.legalAddress),
    occupation: party.occupation ?? '',
    jobTitle: party.jobTitle ?? '',
    jobIndustry: party.jobIndustry ?? '',
    ...renderEmployer(party),
    taxIdType: party.taxIdType ?? '',
    taxIdNumber: renderNumber(party.taxIdNumber, personalNumbers),
    governmentIdentification: renderIdentification(party, personalNumbers),
    otherSourceOfFund: party.otherSourceOfFund ?? '',
    phoneRegionCell: party.phoneRegionCell ?? '',
    phoneNumberCell: party.phoneNumberCell ?? '',
    ...(party.phoneRegionHome ? { phoneRegionHome: party.phoneRegionHome } : {}),
    phoneNumberHome: party.phoneNumberHome ?? '',
    ...(party.phoneRegionBusiness ? { phoneRegionBusiness: party.phoneRegionBusiness } : {}),
    phoneNumberBusiness: party.phoneNumberBusiness ?? '',
    trustedContact: renderTrustedContact(party.trustedContact),
    affiliation: renderAffiliation(party.affiliation),
    maritalStatus: party.maritalStatus ?? '',
    dependents: party.dependents ?? '',
    ...(party.institutionalInvestor ? { institutionalInvestor: party.institutionalInvestor } : {}),
  }
}

function renderPerson1(party: Party, personalNumbers: boolean): Shape1['primaryOwner'] {
  return {
    ...renderPerson(party, personalNumbers),
    firstName: party.firstName ?? '',
    middleName: party.middleName ?? '',
    lastName: party.lastName ?? '',
    suffix: party.suffix ?? '',
    sourceOfFunds: party.sourceOfFunds ?? [],
    caisInformation: renderCais(party.caisInformation),
  }
}

export function renderCais(
  cais: Party['caisInformation'],
): NonNullable<Shape1['primaryOwner']['caisInformation']> {
  return cais === undefined || Object.keys(cais).length === 0
    ? {}
    : { customerType: cais.customerType ?? [], accountType: cais.accountType ?? [], role: cais.role ?? '' }
}

export function renderEmployer(party: Party) {
  return {
    employerName: party.employerName ?? '',
    employerPhoneRegionCode: party.employerPhoneRegionCode ?? '',
    employerPhoneNumber: party.employerPhoneNumber ?? '',
    ...(party.employerPhoneExtension ? { employerPhoneExtension: party.employerPhoneExtension } : {}),
    employerAddress: renderAddress(party.employerAddress),
  }
}

export function renderPerson2(party: Party, personalNumbers: boolean): Shape2['primaryOwner'] {
  return {
    ...renderPerson(party, personalNumbers),
    name1: party.firstName ?? '',
    name2: party.middleName ?? '',
    name3: party.lastName ?? '',
    name4: party.suffix ?? '',
    sourceOfFunds: (party.sourceOfFunds ?? []).join(', '),
    caisCustomerType: party.caisInformation?.customerType ?? [],
  }
}

function renderRole(party: Party) {
  return {
    role: party.role ?? '',
    tradingAuthority: party.tradingAuthority ?? '',
    ...(party.ownershipPercent ? { ownershipPercent: party.ownershipPercent } : {}),
    financialProfile: {
      investmentExperience: renderExperience(party.financialProfile?.investmentExperience),
    },
  }
}

function renderBeneficiary1(item: Beneficiary, personalNumbers: boolean): Shape1['beneficiaries'][number] {
  return {
    primaryContingent: item.primaryContingent ?? 'Primary',
    name: beneficiaryName(item),
    address: renderAddress(item.address),
    birthDate: item.birthDate ?? '',
    taxIdType: item.taxIdType ?? '',
    taxIdNumber: renderNumber(item.taxIdNumber, personalNumbers),
    relationship: item.relationship ?? '',
    percentageAllocation: item.percentageAllocation ?? '',
  }
}

function renderBeneficiary2(
  item: Beneficiary,
  personalNumbers: boolean,
): Shape2['transferOfDeathBeneficiaries'][number] {
  return {
    customerId: item.customerId ?? '',
    nameType: item.nameType ?? 'Individual',
    name1: item.firstName ?? '',
    name2: item.middleName ?? '',
    name3: item.lastName ?? '',
    name4: item.suffix ?? '',
    address: renderAddress(item.address),
    birthDate: item.birthDate ?? '',
    taxIdType: item.taxIdType ?? '',
    taxId: renderNumber(item.taxIdNumber, personalNumbers),
    percentAllocation: item.percentageAllocation ?? '',
    citizenshipCountry: item.citizenshipCountry ?? '',
    primaryContingent: item.primaryContingent ?? 'Primary',
    relationship: item.relationship ?? '',
  }
}

/** Beneficiaries of an IRA are retirement beneficiaries, of every other account T.O.D. beneficiaries. */
export function renderBeneficiaries(record: AccountRecord, personalNumbers: boolean) {
  const rendered = record.beneficiaries.map((item) => renderBeneficiary2(item, personalNumbers))
  return registrationOf(record.registrationType)?.group === 'ira'
    ? {
        transferOfDeathBeneficiaries: [],
        retirementBenes: rendered.map((item) => ({ id: item.customerId, ...item })),
      }
    : { transferOfDeathBeneficiaries: rendered, retirementBenes: [] }
}

export function renderLargeTraders(record: AccountRecord): Shape2['largeTraders'] {
  return record.largeTraders.map((trader) => ({
    largeTraderId: trader.largeTraderId ?? '',
    effectiveDate: trader.effectiveDate ?? '',
    endDate: trader.endDate ?? '',
    endReason: trader.endReason ?? '',
  }))
}

/** Shape 1; `entityNumber` only in responses of get-account. */
export function renderShape1(
  record: AccountRecord,
  rendering: Rendering,
  settings: { entityNumber: boolean },
): Shape1 {
  return {
    ...(settings.entityNumber ? { entityNumber: record.entityNumber } : {}),
    registrationType: record.registrationType,
    main: renderMain(record.main),
    electronicDelivery: renderDelivery(record.electronicDelivery),
    mailingAddress: renderAddress(record.mailingAddress),
    accountNumber: rendering.accountNumber,
    primaryOwner: renderPerson1(record.primaryOwner, rendering.personalNumbers),
    associatedParties: record.associatedParties.map((party) => ({
      ...renderPerson1(party, rendering.personalNumbers),
      ...renderRole(party),
    })),
    financialProfile: renderProfile(record.financialProfile),
    beneficiaries: record.beneficiaries.map((item) => renderBeneficiary1(item, rendering.personalNumbers)),
  }
}

export function renderParties2(record: AccountRecord, personalNumbers: boolean): Shape2['associatedParties'] {
  return record.associatedParties.map((party) => ({
    ...renderPerson2(party, personalNumbers),
    ...renderRole(party),
  }))
}

/** Renders `data` of shape 2. Without `personalNumbers`, tax ids and id numbers show their last four characters. */
export function renderShape2(record: AccountRecord, rendering: Rendering): Shape2 {
  return {
    accountStatus: rendering.accountStatus,
    accountName: rendering.accountName,
    registrationType: record.registrationType,
    main: renderMain(record.main),
    electronicDelivery: renderDelivery(record.electronicDelivery),
    mailingAddress: renderAddress(record.mailingAddress),
    mailingAddressString: mailingAddressString(record.mailingAddress),
    accountNumber: rendering.accountNumber,
    subNumber: record.entityNumber,
    version: rendering.version,
    primaryOwner: renderPerson2(record.primaryOwner, rendering.personalNumbers),
    associatedParties: renderParties2(record, rendering.personalNumbers),
    financialProfile: renderProfile(record.financialProfile),
    largeTraders: renderLargeTraders(record),
    ...renderBeneficiaries(record, rendering.personalNumbers),
  }
}
