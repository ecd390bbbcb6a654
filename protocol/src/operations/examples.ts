/** Example applications with fictitious people; they run against the sandbox as they stand. */

const address = {
  street: '12 Harbor Street',
  city: 'Jersey City',
  stateProvince: 'NJ',
  country: 'US',
  postalCode: '07302',
}

const owner = {
  nameType: 'Individual',
  firstName: 'Ada',
  middleName: '',
  lastName: 'Moreno',
  citizenshipCountry: 'US',
  birthDate: '1986-04-17',
  email: 'ada.moreno@example.com',
  legalAddress: address,
  occupation: 'AccountingOrAuditing',
  jobTitle: 'Auditor',
  employerName: 'Harbor Audit',
  taxIdType: 'SSN',
  taxIdNumber: '219099998',
  sourceOfFunds: ['Employment'],
  phoneRegionCell: '1',
  phoneNumberCell: '2015550123',
  maritalStatus: 'Single',
  dependents: '0',
  trustedContact: {
    name: 'Luis Moreno',
    relationship: 'Parent',
    phoneRegionCode: '1',
    phoneNumber: '2015550188',
  },
}

/** A whole application for an individual account, shape 1. */
export const newAccountExample = {
  registrationType: 'Individual',
  entityNumber: '301',
  main: { repCode: 'JC01', proxyDisclosure: 'L', marginIndicator: 'false', sweepIndicator: 'true' },
  mailingAddress: address,
  primaryOwner: owner,
  electronicDelivery: {
    email: 'ada.moreno@example.com',
    statements: 'true',
    confirms: 'true',
    serviceCommunications: 'true',
    investorCommunications: 'true',
    prospectus: 'true',
    taxDocuments: 'false',
  },
  financialProfile: {
    annualIncome: 'D',
    netWorth: 'F',
    liquidNetWorth: 'E',
    liquidityNeed: 'None',
    liquidityTime: 'Medium',
    taxBracket: 'TenToFifteen',
    investmentTimeHorizon: 'OneToThreeYears',
    investmentProfile: 'Moderate',
    investmentExperience: { stocks: 'Average', bonds: 'Limited', options: 'None' },
  },
  beneficiaries: [
    {
      primaryContingent: 'Primary',
      name: 'Luis Moreno',
      birthDate: '1958-11-02',
      relationship: 'Other',
      percentageAllocation: '100',
    },
  ],
}

const spouse = {
  person: 'luis',
  firstName: 'Luis',
  lastName: 'Moreno',
  citizenshipCountry: 'US',
  birthDate: '1984-09-30',
  legalAddress: {},
  taxIdType: 'SSN',
  taxIdNumber: '219099984',
  phoneNumberCell: '2015550145',
}

/** A household: an account of one, a Roth IRA whose beneficiary is the other, and an account of both. */
export const householdExample = {
  persons: [{ ...owner, person: 'ada', taxIdNumber: '219099983' }, spouse],
  accounts: [
    {
      registrationType: 'Individual',
      entityNumber: '301',
      main: { repCode: 'JC01' },
      mailingAddress: address,
      primaryOwner: { person: 'ada' },
      electronicDelivery: { statements: 'true' },
    },
    {
      registrationType: 'IraRoth',
      entityNumber: '301',
      main: { repCode: 'JC01' },
      mailingAddress: address,
      primaryOwner: { person: 'ada' },
      electronicDelivery: { statements: 'true' },
      retirementBenes: [{ person: 'luis', relationship: 'Spouse', percentAllocation: '100' }],
    },
    {
      registrationType: 'JointWROS',
      entityNumber: '301',
      main: { repCode: 'JC01' },
      mailingAddress: address,
      primaryOwner: { person: 'ada', occupation: 'AccountingOrAuditing' },
      associatedParties: [{ person: 'luis', role: 'Secondary' }],
      electronicDelivery: { statements: 'true' },
    },
  ],
}

/** A joint account: one associated party beside the owner. */
export const jointAccountExample = {
  registrationType: 'JointWROS',
  entityNumber: '301',
  main: { repCode: 'JC02' },
  mailingAddress: address,
  primaryOwner: {
    ...owner,
    firstName: 'Noor',
    lastName: 'Haddad',
    taxIdNumber: '219099981',
    email: 'noor@example.com',
  },
  associatedParties: [
    {
      role: 'Secondary',
      firstName: 'Sami',
      lastName: 'Haddad',
      citizenshipCountry: 'US',
      birthDate: '1984-09-30',
      legalAddress: {},
      taxIdType: 'SSN',
      taxIdNumber: '219099982',
      phoneNumberCell: '2015550144',
    },
  ],
  electronicDelivery: { email: 'noor@example.com', statements: 'true' },
}
