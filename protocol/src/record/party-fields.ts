/**
 * The fields of a person or an organization of an account: owners, associated parties, beneficiaries, trusted contacts.
 */
import { blockOf, group, type RecordBlock } from './record-field.ts'

const saysWho = 'It identifies the person: it cannot be changed on an open account.'

export function addressBlock(label: string): RecordBlock {
  const { field } = group(label)
  return blockOf(label, {
    street: field('Street', 'text', { help: 'At most two lines of 30 characters each.' }),
    city: field('City'),
    stateProvince: field('State or province', 'text', {
      help: 'Two letters in the United States and Canada; empty elsewhere.',
    }),
    postalCode: field('Postal code'),
    country: field('Country', 'country'),
  })
}

function identification(label: string): RecordBlock {
  const { field, coded } = group(label)
  return blockOf(label, {
    idType: coded('Kind of document', 'governmentIdType'),
    idNumber: field('Document number', 'masked'),
    idLocation: field('Issued by', 'text', { help: 'Two letters of the country or state that issued it.' }),
    idIssueDate: field('Issued on', 'day'),
    idExpiration: field('Expires on', 'day'),
  })
}

const contact = group('Trusted contact')
export const trustedContactBlock = blockOf('Trusted contact', {
  name: contact.field('Name'),
  relationship: contact.coded('Relationship', 'relationship'),
  phoneRegionCode: contact.field('Phone, country code', 'phone'),
  phoneNumber: contact.field('Phone', 'phone'),
  email: contact.field('E-mail', 'email'),
  address: addressBlock('Address'),
})

const affiliations = group('Affiliations')
const affiliationBlock = blockOf('Affiliations', {
  publicCompany: blockOf(
    'Director, 10% shareholder or policy-making officer of a public company',
    {
      associated: affiliations.field('Associated', 'yesNo'),
      name: affiliations.field('Company'),
      symbol: affiliations.field('Symbol'),
    },
    { value: 'yesNo' },
  ),
  industry: blockOf(
    'Associated with a broker-dealer, an exchange or FINRA',
    {
      associated: affiliations.field('Associated', 'yesNo'),
      firmClearing: affiliations.field('Clearing firm'),
      companyName: affiliations.field('Company'),
    },
    { value: 'yesNo' },
  ),
  political: blockOf(
    'Senior political figure, or family or close associate of one',
    {
      associated: affiliations.field('Associated', 'yesNo'),
      name: affiliations.field('Name'),
      firstName: affiliations.field('First name'),
      lastName: affiliations.field('Last name'),
      organization: affiliations.field('Organization'),
      relationship: affiliations.field('Relationship'),
    },
    { value: 'yesNo' },
  ),
  service: blockOf('Related to the clearing firm or its staff', {
    associated: affiliations.field('Associated', 'yesNo'),
    name: affiliations.field('Name'),
    position: affiliations.field('Position'),
    relationship: affiliations.field('Relationship'),
    affiliatedEntity: affiliations.field('Affiliated organization'),
  }),
  relationship: affiliations.field('Relationship to the affiliated person'),
  name: affiliations.field('Affiliated person'),
  organization: affiliations.field('Organization'),
  address: addressBlock('Address of the affiliation'),
})

const experience = group('Investment experience')
export const experienceBlock = blockOf('Investment experience', {
  stocks: experience.coded('Stocks', 'investmentExperience'),
  bonds: experience.coded('Bonds', 'investmentExperience'),
  options: experience.coded('Options', 'investmentExperience'),
  mutualFunds: experience.coded('Mutual funds', 'investmentExperience'),
  annuities: experience.coded('Annuities', 'investmentExperience'),
})

const identity = group('Identity')
const reach = group('Contact')
const work = group('Employment')
const family = group('Household and funds')
const account = group('Part in the account')
const reporting = group('Reporting')

const caisBlock = blockOf('CAIS reporting', {
  customerType: reporting.field('CAIS customer type', 'codes', { list: 'caisCustomerType' }),
  accountType: reporting.field('CAIS account type', 'codes', { list: 'caisAccountType' }),
  role: reporting.coded('CAIS role', 'caisRole'),
})

const partyMembers: RecordBlock['members'] = {
  role: account.coded('Role', 'partyRole'),
  tradingAuthority: account.coded('Trading authority', 'tradingAuthority'),
  ownershipPercent: account.field('Share owned', 'percent'),
  nameType: identity.coded('Person or organization', 'nameType', { fixed: saysWho }),
  firstName: identity.field('First name', 'text', { help: 'For an organization, the whole name.' }),
  middleName: identity.field('Middle name'),
  lastName: identity.field('Last name'),
  suffix: identity.field('Suffix'),
  birthDate: identity.field('Date of birth', 'day'),
  citizenshipCountry: identity.field('Country of citizenship', 'country', { fixed: saysWho }),
  taxIdType: identity.coded('Tax id type', 'taxIdType', { fixed: saysWho }),
  taxIdNumber: identity.field('Tax id', 'masked', { fixed: saysWho }),
  customerId: identity.field('Customer id', 'text', { fixed: 'The service assigns it.' }),
  legalAddress: addressBlock('Legal address'),
  email: reach.field('E-mail', 'email'),
  phoneRegionCell: reach.field('Mobile phone, country code', 'phone'),
  phoneNumberCell: reach.field('Mobile phone', 'phone'),
  phoneRegionHome: reach.field('Home phone, country code', 'phone'),
  phoneNumberHome: reach.field('Home phone', 'phone'),
  phoneRegionBusiness: reach.field('Business phone, country code', 'phone'),
  phoneNumberBusiness: reach.field('Business phone', 'phone'),
  governmentIdentification: blockOf('Identification', {
    governmentId1: identification('Identification 1'),
    governmentId2: identification('Identification 2'),
  }),
  occupation: work.coded('Occupation', 'occupation'),
  jobTitle: work.field('Job title'),
  jobIndustry: work.coded('Industry', 'jobIndustry'),
  employerName: work.field('Employer'),
  employerPhoneRegionCode: work.field('Employer phone, country code', 'phone'),
  employerPhoneNumber: work.field('Employer phone', 'phone'),
  employerPhoneExtension: work.field('Employer phone, extension'),
  employerAddress: addressBlock('Employer address'),
  maritalStatus: family.coded('Marital status', 'maritalStatus'),
  dependents: family.field('Dependents', 'whole'),
  sourceOfFunds: family.field('Source of funds', 'codes', { list: 'sourceOfFunds' }),
  otherSourceOfFund: family.field('Other source of funds'),
  institutionalInvestor: reporting.field('Institutional investor', 'yesNo'),
  caisCustomerType: reporting.field('CAIS customer type', 'codes', { list: 'caisCustomerType' }),
  caisInformation: caisBlock,
  financialProfile: blockOf('Financial profile', { investmentExperience: experienceBlock }),
  affiliation: affiliationBlock,
  trustedContact: trustedContactBlock,
}

/** Shape 2 numbers the parts of a name; the employer as an object has the names of the flat fields. */
const nameParts = { name1: 'firstName', name2: 'middleName', name3: 'lastName', name4: 'suffix' }

export const ownerBlock = blockOf(
  'Primary owner',
  { ...partyMembers, employer: blockOf('Employer', employerMembers()) },
  { aliases: nameParts },
)
export const associatedPartyBlock = blockOf(
  'Associated parties',
  { ...partyMembers, employer: blockOf('Employer', employerMembers()) },
  { item: 'Associated party', aliases: nameParts },
)

function employerMembers(): RecordBlock['members'] {
  return Object.fromEntries(Object.entries(partyMembers).filter(([name]) => name.startsWith('employer')))
}

const share = group('Beneficiary')

export function beneficiariesBlock(label: string, item: string): RecordBlock {
  return blockOf(
    label,
    {
      primaryContingent: share.coded('Rank', 'primaryContingent'),
      percentageAllocation: share.field('Share', 'percent'),
      relationship: share.coded('Relationship', 'relationship'),
      name: share.field('Name'),
      nameType: share.coded('Person or organization', 'nameType', { fixed: saysWho }),
      firstName: share.field('First name'),
      middleName: share.field('Middle name'),
      lastName: share.field('Last name'),
      suffix: share.field('Suffix'),
      birthDate: share.field('Date of birth', 'day'),
      citizenshipCountry: share.field('Country of citizenship', 'country'),
      taxIdType: share.coded('Tax id type', 'taxIdType'),
      taxIdNumber: share.field('Tax id', 'masked'),
      customerId: share.field('Customer id', 'text', { fixed: 'The service assigns it.' }),
      id: share.field('Beneficiary id', 'text', { fixed: 'The service assigns it.' }),
      address: addressBlock('Address'),
    },
    { item, aliases: { ...nameParts, taxId: 'taxIdNumber', percentAllocation: 'percentageAllocation' } },
  )
}
