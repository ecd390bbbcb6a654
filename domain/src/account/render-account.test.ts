// The response about an account: every member of a full record, and the default of each absent member.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AccountRecord, Party } from './record.ts'
import { renderShape1, renderShape2 } from './render-account.ts'
import { renderEcho } from './render-echo.ts'

const rendering = {
  accountNumber: '30100001',
  accountStatus: 'Open',
  accountName: 'NOOR HADDAD',
  version: 7,
  personalNumbers: true,
}

/** An object of empty texts. */
function empty(names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, '']))
}

const addressNames = 'street city stateProvince country postalCode'
const profileNames =
  'annualIncome netWorth liquidNetWorth liquidityNeed liquidityTime taxBracket investmentTimeHorizon investmentProfile'
const deliveryNames =
  'statements confirms serviceCommunications investorCommunications prospectus taxDocuments'

/** A record with only the mandatory values. Each list has one empty item. */
const bare: AccountRecord = {
  registrationType: 'Individual',
  entityNumber: '301',
  main: {},
  electronicDelivery: {},
  mailingAddress: {},
  primaryOwner: {},
  associatedParties: [{}],
  financialProfile: {},
  beneficiaries: [{}],
  largeTraders: [{}],
}
const bareMain = {
  repCode: '',
  proxyDisclosure: 'L',
  marginIndicator: 'false',
  optionTradingLevel: '',
  optionTradingIndicator: 'false',
  sweepIndicator: 'false',
}
const bareDelivery = {
  email: '',
  ...Object.fromEntries(deliveryNames.split(' ').map((name) => [name, 'False'])),
}
const bareExperience = empty('stocks bonds options mutualFunds annuities')
const bareCais = { customerType: [], accountType: [], role: '' }
const bareProfile = { ...empty(profileNames), investmentExperience: {} }
const barePerson = {
  ...empty('customerId citizenshipCountry birthDate email occupation jobTitle jobIndustry employerName'),
  ...empty('employerPhoneRegionCode employerPhoneNumber taxIdType taxIdNumber otherSourceOfFund'),
  ...empty('phoneRegionCell phoneNumberCell phoneNumberHome phoneNumberBusiness maritalStatus dependents'),
  nameType: 'Individual',
  legalAddress: {},
  employerAddress: {},
  governmentIdentification: {},
  trustedContact: {},
  affiliation: {},
}
const bareOwner1 = {
  ...barePerson,
  ...empty('firstName middleName lastName suffix'),
  sourceOfFunds: [],
  caisInformation: {},
}
const bareOwner2 = { ...barePerson, ...empty('name1 name2 name3 name4 sourceOfFunds'), caisCustomerType: [] }
const bareRole = { ...empty('role tradingAuthority'), financialProfile: { investmentExperience: {} } }
const bareBeneficiary2 = {
  ...empty('customerId name1 name2 name3 name4 birthDate taxIdType taxId percentAllocation'),
  ...empty('citizenshipCountry relationship'),
  nameType: 'Individual',
  address: {},
  primaryContingent: 'Primary',
}
const bareTrader = empty('largeTraderId effectiveDate endDate endReason')

describe('the response for an empty record', () => {
  test('has every member of shape 1, empty', () => {
    assert.deepEqual(renderShape1(bare, rendering, { entityNumber: false }), {
      registrationType: 'Individual',
      main: bareMain,
      electronicDelivery: bareDelivery,
      mailingAddress: {},
      accountNumber: '30100001',
      primaryOwner: bareOwner1,
      associatedParties: [{ ...bareOwner1, ...bareRole }],
      financialProfile: bareProfile,
      beneficiaries: [
        {
          ...empty('name birthDate taxIdType taxIdNumber relationship percentageAllocation'),
          address: {},
          primaryContingent: 'Primary',
        },
      ],
    })
  })

  test('has every member of shape 2, empty', () => {
    assert.deepEqual(renderShape2(bare, rendering), {
      accountStatus: 'Open',
      accountName: 'NOOR HADDAD',
      registrationType: 'Individual',
      main: bareMain,
      electronicDelivery: bareDelivery,
      mailingAddress: {},
      mailingAddressString: '',
      accountNumber: '30100001',
      subNumber: '301',
      version: 7,
      primaryOwner: bareOwner2,
      associatedParties: [{ ...bareOwner2, ...bareRole }],
      financialProfile: bareProfile,
      largeTraders: [bareTrader],
      transferOfDeathBeneficiaries: [bareBeneficiary2],
      retirementBenes: [],
    })
  })

  test('contains the entity number if get-account requests it', () => {
    assert.equal(renderShape1(bare, rendering, { entityNumber: true }).entityNumber, '301')
  })

  test('has all members of a block that has one', () => {
    const owner: Party = {
      legalAddress: { city: 'AUSTIN' },
      trustedContact: { name: 'SANA' },
      affiliation: { relationship: 'Sister' },
      governmentIdentification: { governmentId1: { idType: 'Passport' } },
    }
    const { primaryOwner } = renderShape2({ ...bare, primaryOwner: owner }, rendering)
    assert.deepEqual(primaryOwner.legalAddress, { ...empty(addressNames), city: 'AUSTIN' })
    assert.deepEqual(primaryOwner.trustedContact, {
      ...empty('relationship phoneRegionCode phoneNumber email'),
      name: 'SANA',
      address: {},
    })
    assert.deepEqual(primaryOwner.affiliation, {
      ...empty('publicCompany industry political name organization'),
      relationship: 'Sister',
      address: {},
    })
    assert.deepEqual(primaryOwner.governmentIdentification, {
      governmentId1: { ...empty('idNumber idLocation idIssueDate idExpiration'), idType: 'Passport' },
      governmentId2: {},
    })
    const experienced: AccountRecord = {
      ...bare,
      primaryOwner: { caisInformation: { customerType: ['Employee'] } },
      associatedParties: [{ financialProfile: { investmentExperience: { annuities: 'None' } } }],
      financialProfile: { investmentExperience: { options: 'Limited' } },
    }
    const shape1 = renderShape1(experienced, rendering, { entityNumber: false })
    assert.deepEqual(shape1.primaryOwner.caisInformation, { ...bareCais, customerType: ['Employee'] })
    assert.deepEqual(shape1.financialProfile.investmentExperience, { ...bareExperience, options: 'Limited' })
    const [party] = shape1.associatedParties
    assert.deepEqual(party?.financialProfile, {
      investmentExperience: { ...bareExperience, annuities: 'None' },
    })
    const inState = { ...bare, mailingAddress: { stateProvince: 'TX' } }
    const expected = { ...empty(addressNames), stateProvince: 'TX' }
    assert.deepEqual(renderShape2(inState, rendering).mailingAddress, expected)
    const unnamed: Party = {
      trustedContact: { email: 'sana@example.com' },
      affiliation: { name: 'LUIS' },
      governmentIdentification: { governmentId2: { idLocation: 'CA' } },
    }
    const other = renderShape2({ ...bare, primaryOwner: unnamed }, rendering).primaryOwner
    assert.equal(other.trustedContact?.name, '')
    assert.equal(other.affiliation?.relationship, '')
    assert.deepEqual(other.governmentIdentification, {
      governmentId1: {},
      governmentId2: { ...empty('idType idNumber idIssueDate idExpiration'), idLocation: 'CA' },
    })
  })

  test('of new-account has a list only if it has an item, and a block only if it was sent', () => {
    const echo = { ...bare, associatedParties: [], beneficiaries: [], largeTraders: [] }
    const expected = {
      registrationType: 'Individual',
      accountNumber: '30100001',
      entityNumber: '301',
      main: bareMain,
      mailingAddress: {},
      primaryOwner: bareOwner2,
      trustedContact: {},
      electronicDelivery: bareDelivery,
      financialProfile: bareProfile,
    }
    assert.deepEqual(renderEcho(echo, rendering, {}), expected)
    assert.deepEqual(renderEcho(bare, rendering, {}), {
      ...expected,
      associatedParties: [{ ...bareOwner2, ...bareRole }],
      transferOfDeathBeneficiaries: [bareBeneficiary2],
      largeTraders: [bareTrader],
    })
    assert.deepEqual(renderEcho({ ...bare, registrationType: 'IraRoth' }, rendering, {}), {
      ...expected,
      registrationType: 'IraRoth',
      associatedParties: [{ ...bareOwner2, ...bareRole }],
      retirementBenes: [{ id: '', ...bareBeneficiary2 }],
      largeTraders: [bareTrader],
    })
    const sent = { caisInformation: { role: 'Owner' }, employer: { employerName: 'BAYSIDE' } }
    const { primaryOwner } = renderEcho(echo, rendering, { primaryOwner: sent } as never)
    assert.deepEqual(primaryOwner, {
      ...bareOwner2,
      caisInformation: {},
      employer: { ...empty('employerName employerPhoneRegionCode employerPhoneNumber'), employerAddress: {} },
    })
    const cais = { role: 'Owner' }
    const given = { ...echo, primaryOwner: { caisInformation: cais } }
    assert.deepEqual(
      renderEcho(given, rendering, { primaryOwner: sent } as never).primaryOwner.caisInformation,
      {
        ...bareCais,
        ...cais,
      },
    )
    const blank = { suffix: '', caisInformation: {}, employer: {} }
    assert.deepEqual(renderEcho(echo, rendering, { primaryOwner: blank }).primaryOwner, {
      ...bareOwner2,
      ...blank,
    })
    const named = { ...echo, primaryOwner: { suffix: 'JR' } }
    assert.equal(renderEcho(named, rendering, { primaryOwner: { suffix: 'JR' } }).primaryOwner.suffix, 'JR')
    const parties = [{ suffix: 'JR', caisInformation: cais }, { suffix: 'SR' }]
    const [first, second] =
      renderEcho({ ...echo, associatedParties: parties }, rendering, {
        associatedParties: [parties[0], {}],
      } as never).associatedParties ?? []
    assert.deepEqual([first?.suffix, first?.caisInformation], ['JR', { ...bareCais, ...cais }])
    assert.deepEqual([second?.suffix, second?.name4, second?.caisInformation], [undefined, 'SR', undefined])
  })
})

const address = {
  street: '7 MESA ROAD',
  city: 'AUSTIN',
  stateProvince: 'TX',
  country: 'US',
  postalCode: '78701',
}
const passport = {
  idType: 'Passport',
  idNumber: 'P1234567',
  idLocation: 'CA',
  idIssueDate: '2020-01-02',
  idExpiration: '2030-01-02',
}
const contact = {
  name: 'SANA HADDAD',
  relationship: 'Sister',
  phoneRegionCode: '1',
  phoneNumber: '2015550111',
  email: 'sana@example.com',
  address,
}
const affiliation = {
  publicCompany: 'True',
  industry: 'False',
  political: 'False',
  service: { name: 'BAYSIDE' },
  relationship: 'Brother',
  name: 'OMAR',
  organization: 'HARBOR',
  address,
}
const rest: Party = {
  customerId: '100000000000000001',
  nameType: 'Entity',
  citizenshipCountry: 'CA',
  birthDate: '1981-12-24',
  email: 'noor@example.com',
  legalAddress: address,
  occupation: 'Computers',
  jobTitle: 'ENGINEER',
  jobIndustry: 'SOFTWARE',
  employerName: 'BAYSIDE',
  employerPhoneRegionCode: '44',
  employerPhoneNumber: '2015550112',
  employerPhoneExtension: '12',
  employerAddress: { ...address, city: 'DALLAS' },
  taxIdType: 'SSN',
  taxIdNumber: '401121001',
  governmentIdentification: { governmentId1: passport, governmentId2: { ...passport, idNumber: 'N7654321' } },
  otherSourceOfFund: 'LOTTERY',
  phoneRegionCell: '1',
  phoneNumberCell: '2015550113',
  phoneRegionHome: '52',
  phoneNumberHome: '2015550114',
  phoneRegionBusiness: '49',
  phoneNumberBusiness: '2015550115',
  trustedContact: contact,
  affiliation,
  maritalStatus: 'Married',
  dependents: '2',
  institutionalInvestor: 'No',
}
const names1 = { firstName: 'NOOR', middleName: 'A', lastName: 'HADDAD', suffix: 'JR' }
const names2 = { name1: 'NOOR', name2: 'A', name3: 'HADDAD', name4: 'JR' }
const cais = { customerType: ['Natural Person'], accountType: ['Retirement'], role: 'Owner' }
const owner: Party = { ...rest, ...names1, sourceOfFunds: ['Salary', 'Other'], caisInformation: cais }
const role = { role: 'Partner', tradingAuthority: 'Full', ownershipPercent: '25.00' }
const experience = { financialProfile: { investmentExperience: { ...bareExperience, options: 'Limited' } } }
const profile = {
  annualIncome: 'A',
  netWorth: 'B',
  liquidNetWorth: 'C',
  liquidityNeed: 'D',
  liquidityTime: 'E',
  taxBracket: 'F',
  investmentTimeHorizon: 'G',
  investmentProfile: 'H',
  investmentExperience: { ...bareExperience, stocks: 'Good' },
}
const kin = {
  birthDate: '2001-02-03',
  taxIdType: 'SSN',
  relationship: 'Son',
  primaryContingent: 'Contingent',
}
const trader = { largeTraderId: 'LT1', effectiveDate: '2026-01-02', endDate: '2026-02-02', endReason: 'SOLD' }
const full: AccountRecord = {
  registrationType: 'Corporation',
  entityNumber: '301',
  main: {
    repCode: 'JC01',
    proxyDisclosure: 'N',
    marginIndicator: 'true',
    optionTradingLevel: '2',
    optionTradingIndicator: 'true',
    sweepIndicator: 'true',
    catAccountIdentifier: 'CAT1',
  },
  electronicDelivery: {
    email: 'post@example.com',
    ...Object.fromEntries(deliveryNames.split(' ').map((name) => [name, 'True'])),
  },
  mailingAddress: { ...address, city: 'HOUSTON' },
  primaryOwner: owner,
  associatedParties: [{ ...owner, ...role, ...experience }],
  financialProfile: profile,
  beneficiaries: [
    {
      ...kin,
      ...names1,
      customerId: '100000000000000002',
      nameType: 'Entity',
      address,
      taxIdNumber: '401121002',
      citizenshipCountry: 'CA',
      percentageAllocation: '100.00',
    },
  ],
  largeTraders: [trader],
}

describe('the response for a complete record', () => {
  test('has the values of the record in shape 1', () => {
    assert.deepEqual(renderShape1(full, rendering, { entityNumber: true }), {
      entityNumber: '301',
      registrationType: 'Corporation',
      main: full.main,
      electronicDelivery: full.electronicDelivery,
      mailingAddress: full.mailingAddress,
      accountNumber: '30100001',
      primaryOwner: owner,
      associatedParties: [{ ...owner, ...role, ...experience }],
      financialProfile: profile,
      beneficiaries: [
        {
          ...kin,
          name: 'NOOR A HADDAD JR',
          address,
          taxIdNumber: '401121002',
          percentageAllocation: '100.00',
        },
      ],
    })
  })

  const owner2 = { ...rest, ...names2, sourceOfFunds: 'Salary, Other', caisCustomerType: ['Natural Person'] }
  const beneficiary2 = {
    ...kin,
    ...names2,
    customerId: '100000000000000002',
    nameType: 'Entity',
    address,
    taxId: '401121002',
    percentAllocation: '100.00',
    citizenshipCountry: 'CA',
  }
  test('has the values of the record in shape 2, under the names of shape 2', () => {
    const answer = renderShape2(full, rendering)
    assert.deepEqual(answer.primaryOwner, owner2)
    assert.deepEqual(answer.associatedParties, [{ ...owner2, ...role, ...experience }])
    assert.deepEqual(answer.transferOfDeathBeneficiaries, [beneficiary2])
    assert.deepEqual(answer.largeTraders, [trader])
    assert.equal(answer.mailingAddressString, '7 MESA ROAD HOUSTON TX UNITED STATES 78701')
  })

  test('has the beneficiaries of an IRA as retirement beneficiaries, with their ids', () => {
    const answer = renderShape2({ ...full, registrationType: 'IraRoth' }, rendering)
    assert.deepEqual(answer.transferOfDeathBeneficiaries, [])
    assert.deepEqual(answer.retirementBenes, [{ id: '100000000000000002', ...beneficiary2 }])
  })

  test('has numbers masked to their last four characters without the right to read them', () => {
    const answer = renderShape2(full, { ...rendering, personalNumbers: false })
    assert.equal(answer.primaryOwner.taxIdNumber, '*****1001')
    assert.equal(answer.primaryOwner.governmentIdentification?.governmentId1?.idNumber, '****4567')
    assert.equal(answer.transferOfDeathBeneficiaries[0]?.taxId, '*****1002')
    const one = renderShape1(full, { ...rendering, personalNumbers: false }, { entityNumber: false })
    assert.equal(one.beneficiaries[0]?.taxIdNumber, '*****1002')
    assert.equal(one.associatedParties[0]?.governmentIdentification?.governmentId2?.idNumber, '****4321')
  })
})
