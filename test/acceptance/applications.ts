/**
 * Applications of fictitious people for the tests: a valid one for every registration type, one with every field, and
 * unique tax ids.
 */
import { codeLists, type Request } from '@clearing/protocol'

export type Application = Request<'new-account'>
export type RegistrationType = (typeof codeLists.registrationType)[number]['value']

let counter = 0

/** A valid SSN that no other person has. */
export function newTaxId(): string {
  counter += 1
  const serial = (counter % 9_000) + 1_000
  const group = 10 + (Math.floor(counter / 9_000) % 80)
  return `${400 + (process.pid % 200)}${group}${serial}`
}

export const address = {
  street: '12 Harbor Street',
  city: 'Jersey City',
  stateProvince: 'NJ',
  country: 'US',
  postalCode: '07302',
}

const texan = {
  street: '7 Mesa Road',
  city: 'Austin',
  stateProvince: 'TX',
  country: 'US',
  postalCode: '73301',
}

function person(firstName: string, lastName: string, birthDate = '1986-04-17') {
  return {
    firstName,
    lastName,
    citizenshipCountry: 'US',
    birthDate,
    legalAddress: {},
    taxIdType: 'SSN',
    taxIdNumber: newTaxId(),
    phoneNumberCell: '2015550123',
  }
}

function entity(name1: string) {
  return {
    nameType: 'Entity',
    name1,
    citizenshipCountry: 'US',
    legalAddress: {},
    taxIdType: 'TaxId',
    taxIdNumber: newTaxId(),
    phoneNumberBusiness: '2015550177',
  }
}

const foreignIds = {
  governmentId1: {
    idType: 'Passport',
    idNumber: 'P8812345',
    idLocation: 'CA',
    idIssueDate: '2021-03-01',
    idExpiration: '2041-03-01',
  },
}

function retirement(name1 = 'Luis', name3 = 'Moreno') {
  return {
    name1,
    name3,
    primaryContingent: 'Primary',
    percentAllocation: '100',
    birthDate: '1958-11-02',
    taxIdType: 'SSN',
    taxId: newTaxId(),
    relationship: 'Spouse',
  }
}

function minorBirthDate(): string {
  return `${new Date().getUTCFullYear() - 8}-02-03`
}

/** A valid application of a registration type, shape 1. */
export function applicationFor(registrationType: RegistrationType, changes: object = {}): Application {
  const row = codeLists.registrationType.find(({ value }) => value === registrationType)
  if (row === undefined) throw new Error(`there is no registration type ${registrationType}`)
  const base = {
    registrationType,
    entityNumber: '301',
    main: { repCode: 'JC01' },
    mailingAddress: registrationType === 'JointCP' ? texan : address,
    electronicDelivery: { email: 'ada.moreno@example.com', statements: 'true' },
  }
  const blocks = blocksFor(row.group, registrationType)
  return { ...base, ...blocks, ...changes } as Application
}

function blocksFor(
  group: (typeof codeLists.registrationType)[number]['group'],
  type: RegistrationType,
): object {
  switch (group) {
    case 'individual':
      return type === 'IndividualJointForeign'
        ? {
            primaryOwner: {
              ...person('Amelie', 'Tremblay'),
              citizenshipCountry: 'CA',
              governmentIdentification: foreignIds,
            },
          }
        : { primaryOwner: person('Ada', 'Moreno') }
    case 'joint':
      return {
        primaryOwner: person('Noor', 'Haddad'),
        associatedParties: [{ role: 'Secondary', ...person('Sami', 'Haddad', '1984-09-30') }],
      }
    case 'ira':
      return { primaryOwner: person('Ada', 'Moreno'), retirementBenes: [retirement()] }
    case 'custodial':
      return {
        primaryOwner: person('Mina', 'Okafor', minorBirthDate()),
        associatedParties: [{ role: 'Custodian', ...person('Chidi', 'Okafor', '1979-01-20') }],
      }
    case 'trust':
      return {
        primaryOwner: entity('Okafor Family'),
        associatedParties: [
          { role: type === 'Estate' ? 'Executor' : 'Trustee', ...person('Chidi', 'Okafor', '1979-01-20') },
        ],
      }
    case 'entity':
      return {
        primaryOwner: entity('Harbor Audit Inc'),
        associatedParties: [{ role: 'ControlPerson', ...person('Chidi', 'Okafor', '1979-01-20') }],
      }
    default:
      return group satisfies never
  }
}

/** An individual's application whose owner has these attributes. */
export function applicationOf(owner: object, changes: object = {}): Application {
  const application = applicationFor('Individual', changes)
  return { ...application, primaryOwner: { ...application.primaryOwner, ...owner } } as Application
}

/** An application for an account with margin. */
export function marginApplication(owner: object = {}): Application {
  return applicationOf(owner, { main: { repCode: 'JC01', marginIndicator: 'true' } })
}

const delivery = {
  email: 'Noor.Haddad@example.com',
  statements: 'true',
  confirms: 'false',
  serviceCommunications: 'true',
  investorCommunications: 'false',
  prospectus: 'true',
  taxDocuments: 'true',
}

function fullAddress(street: string) {
  return { ...address, street }
}

function fullPerson(firstName: string, lastName: string) {
  return {
    nameType: 'Individual',
    firstName,
    middleName: 'Lee',
    lastName,
    suffix: 'Jr',
    citizenshipCountry: 'US',
    birthDate: '1981-12-24',
    email: `${firstName}@example.com`,
    legalAddress: fullAddress('14 Pier Lane'),
    occupation: 'MedicalOrDental',
    jobTitle: 'Head nurse',
    jobIndustry: codeLists.jobIndustry[0]?.value,
    employerName: 'Bayside Clinic',
    employerPhoneRegionCode: '1',
    employerPhoneNumber: '2015550150',
    employerPhoneExtension: '42',
    employerAddress: fullAddress('1 Clinic Road'),
    taxIdType: 'SSN',
    taxIdNumber: newTaxId(),
    governmentIdentification: {
      governmentId1: {
        idType: 'DriversLicense',
        idNumber: 'D5512345',
        idLocation: 'NJ',
        idIssueDate: '2022-05-06',
        idExpiration: '2042-05-06',
      },
      governmentId2: {
        idType: 'Passport',
        idNumber: 'X9912345',
        idLocation: 'US',
        idIssueDate: '2020-01-02',
        idExpiration: '2040-01-02',
      },
    },
    sourceOfFunds: ['Employment', 'Gift'],
    otherSourceOfFund: 'Lottery',
    phoneRegionCell: '1',
    phoneNumberCell: '2015550161',
    phoneRegionHome: '1',
    phoneNumberHome: '2015550162',
    phoneRegionBusiness: '44',
    phoneNumberBusiness: '2075550163',
    caisInformation: { customerType: ['Advisor', 'Employee'], accountType: ['Institution'], role: 'Auth' },
    trustedContact: {
      name: 'Sana Haddad',
      relationship: 'Sibling',
      phoneRegionCode: '1',
      phoneNumber: '2015550188',
      email: 'sana@example.com',
      address: fullAddress('9 Cove Street'),
    },
    affiliation: {
      publicCompany: 'true',
      industry: 'FALSE',
      political: 'false',
      relationship: 'Spouse',
      name: 'Omar Haddad',
      organization: 'Bayside Holdings',
      address: fullAddress('2 Tower Plaza'),
    },
    maritalStatus: 'Married',
    dependents: '2',
    institutionalInvestor: 'false',
  }
}

const experience = {
  stocks: 'Extensive',
  bonds: 'Average',
  options: 'None',
  mutualFunds: 'Limited',
  annuities: 'None',
}

/** An application with every field that a caller can send. */
export function fullApplication(): Application {
  return {
    registrationType: 'JointWROS',
    entityNumber: '301',
    main: {
      repCode: 'JC02',
      proxyDisclosure: 'Y',
      marginIndicator: 'true',
      optionTradingLevel: '2',
      optionTradingIndicator: 'true',
      sweepIndicator: 'true',
      catAccountIdentifier: 'CAT-77',
    },
    mailingAddress: fullAddress('12 Harbor Street'),
    primaryOwner: fullPerson('Noor', 'Haddad'),
    associatedParties: [
      {
        ...fullPerson('Sami', 'Haddad'),
        role: 'Secondary',
        tradingAuthority: 'Full',
        financialProfile: { investmentExperience: experience },
      },
    ],
    electronicDelivery: delivery,
    financialProfile: {
      annualIncome: 'D',
      netWorth: 'F',
      liquidNetWorth: 'E',
      liquidityNeed: 'None',
      liquidityTime: 'Medium',
      taxBracket: 'TenToFifteen',
      investmentTimeHorizon: 'OneToThreeYears',
      investmentProfile: 'Moderate',
      investmentExperience: experience,
    },
    beneficiaries: [
      {
        primaryContingent: 'Primary',
        name: 'Leila Haddad',
        address: fullAddress('3 Quay Walk'),
        birthDate: '2004-06-30',
        taxIdType: 'SSN',
        taxIdNumber: newTaxId(),
        relationship: 'Child',
        percentageAllocation: '60.5',
      },
      {
        primaryContingent: 'Primary',
        name: 'Karim Haddad',
        birthDate: '2006-01-15',
        taxIdType: 'SSN',
        taxIdNumber: newTaxId(),
        relationship: 'Child',
        percentageAllocation: '39.50',
      },
    ],
    largeTraders: [
      {
        largeTraderId: '12345678-0001',
        effectiveDate: '2024-02-01',
        endDate: '2026-02-01',
        endReason: 'Moved',
      },
    ],
  } as Application
}
