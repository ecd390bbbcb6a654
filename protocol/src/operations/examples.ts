/**
 * Example applications with fictitious people, ids and lines of loads. They run against the sandbox unchanged, except
 * for the ids.
 */

/** The number of an open account, shown where a reader uses a number of their own. */
export const exampleAccount = '48210733'

/** One id of each kind, in the form that the service generates. */
export const exampleIds = {
  break: '019ab3c0-11d2-7f04-8a6e-3c5b90e1d7a2',
  change: '019ab3c0-2e47-7b19-9d03-a1f86c24b5e0',
  document: '019ab3c0-37aa-7c82-b5f1-0d94e7635c18',
  firm: '019ab3c0-45f0-7e6d-8c27-92b1d3a4f60e',
  incident: '019ab3c0-4d7b-7c58-93ae-71f0b6c2d845',
  load: '019ab3c0-5c13-7a95-a4d8-6e70f2c8b931',
  match: '019ab3c0-68be-7d31-9b4c-f5a203d71e86',
  restriction: '019ab3c0-7f02-7486-8e9a-1b6cd5f40327',
  view: '019ab3c0-81c4-7e0a-a2f6-4b9d57c30e18',
  webhook: '019ab3c0-8ad9-71c5-b763-d8e4a09f2b5c',
}

function linesOf(...lines: string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

export const securitiesExample = linesOf(
  'symbol,cusip,description,secTypeCode,secTypeName,currency',
  'GRNL,38741T100,GRANULE CORP,C,Common Stock,USD',
)

// Prices and rates are of a day before the demonstration's, which has its own of every week of the last years.
export const pricesExample = linesOf(
  'symbol,priceType,priceDate,price',
  'HRBR,LastClose,2019-01-04T21:00:00Z,48.10',
  'QUAY,LastClose,2019-01-04T21:00:00Z,130.95',
)

export const fxRatesExample = linesOf('currency,date,rate', 'EUR,2019-01-04,1.0841', 'CAD,2019-01-04,0.7322')

export const activityExample = linesOf(
  'externalId,acctNo,transType,buySell,symbol,quantity,price,netAmount,tradeDate',
  'EX-1,30100008,Deposit,,,,,10000.00,2026-01-30',
  'EX-2,30100008,Trade,BUY,HRBR,100,48.10,,2026-01-30',
)

export const corporateActionsExample = linesOf(
  'externalId,type,symbol,recordDate,payDate,cashPerShare',
  'EX-CA-1,Dividend,HRBR,2026-02-13,2026-02-27,0.25',
)

export const amendedActionExample = linesOf(
  'externalId,amends,type,symbol,recordDate,payDate,cashPerShare',
  'EX-CA-1-A,EX-CA-1,Dividend,HRBR,2026-02-13,2026-02-27,0.26',
)

export const heldAwayExample = linesOf(
  'acctNo,acctType,symbol,custodian,asOfDate,quantity,cost,openDate',
  '30100008,Cash,HRBR,Bayside Trust,2026-01-30,40,1720.00,2024-06-03',
)

export const locationPositionsExample = linesOf(
  'location,asOfDate,symbol,quantity',
  'DTC,2026-01-30,HRBR,20740',
  'DTC,2026-01-30,QUAY,600',
)

export const accountTermsExample = linesOf('acctNo,houseLongPercent,houseShortPercent', '30100008,30,35')

/** Records of sdn.csv: number, name, type, programme, title, six columns of ships, remarks. */
export const watchListExample =
  '1,"VERDANT, Orrin","individual","OWN",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"DOB 14 Mar 1961; nationality Freedonia."\n'

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
