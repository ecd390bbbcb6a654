/** The applications of the demonstration accounts: fictitious people, whose accounts are opened through new-account. */

const address = {
  street: '12 Harbor Street',
  city: 'Jersey City',
  stateProvince: 'NJ',
  country: 'US',
  postalCode: '07302',
}

function person(firstName: string, lastName: string, birthDate: string, taxIdNumber: string) {
  return {
    firstName,
    lastName,
    citizenshipCountry: 'US',
    birthDate,
    email: `${firstName}.${lastName}@example.com`.toLowerCase(),
    legalAddress: {},
    occupation: 'Computers',
    employerName: 'Harbor Works',
    taxIdType: 'SSN',
    taxIdNumber,
    sourceOfFunds: ['Employment'],
    phoneRegionCell: '1',
    phoneNumberCell: '2015550123',
    maritalStatus: 'Single',
  }
}

const financialProfile = {
  annualIncome: 'E',
  netWorth: 'G',
  liquidNetWorth: 'F',
  liquidityNeed: 'None',
  liquidityTime: 'Medium',
  taxBracket: 'TenToFifteen',
  investmentTimeHorizon: 'OneToThreeYears',
  investmentProfile: 'Moderate',
  investmentExperience: { stocks: 'Average', bonds: 'Limited', options: 'Limited' },
}

function application(
  accountNumber: string,
  owner: ReturnType<typeof person>,
  more: Record<string, unknown> = {},
  main: Record<string, string> = {},
) {
  return {
    registrationType: 'Individual',
    accountNumber,
    entityNumber: '301',
    main: { repCode: 'JC01', ...main },
    mailingAddress: address,
    primaryOwner: owner,
    electronicDelivery: { email: owner.email, statements: 'true', confirms: 'true' },
    financialProfile,
    ...more,
  }
}

const margin = { marginIndicator: 'true' }

export const demonstrationAccounts = [
  application('30100001', person('Ada', 'Moreno', '1986-04-17', '219099001')),
  application('30100002', person('Bruno', 'Castell', '1979-11-30', '219099002'), {}, margin),
  application('30100003', person('Chiara', 'Voss', '1968-02-08', '219099003'), {
    registrationType: 'JointWROS',
    associatedParties: [{ role: 'Secondary', ...person('Dario', 'Voss', '1966-07-21', '219099013') }],
  }),
  application('30100004', person('Edda', 'Larsson', '1991-09-02', '219099004'), {}, margin),
  application('30100005', person('Farid', 'Okoye', '1983-12-12', '219099005'), {}, { repCode: 'JC02' }),
  application('30100006', person('Greta', 'Palmer', '1995-05-25', '219099006')),
  application(
    '30100007',
    person('Hugo', 'Renard', '1974-01-19', '219099007'),
    {},
    { ...margin, optionTradingIndicator: 'true', optionTradingLevel: '4' },
  ),
  application('30100008', person('Ines', 'Sato', '1999-08-08', '219099008')),
  application('30100009', person('Jonas', 'Weld', '1981-03-03', '219099009')),
]
