// Coded lists: complete, unambiguous, with the values that the specification shows.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type CodeListName,
  type CodeOf,
  canonicalCode,
  codeLists,
  codeRow,
  communityPropertyStates,
  documentsFor,
  nearestCodes,
} from './index.ts'

const listNames = Object.keys(codeLists) as CodeListName[]

// Values in the field tables and examples of the specification, and values of lists that a reading gives in full.
const namedValues: Partial<Record<CodeListName, readonly string[]>> = {
  registrationType: [
    'Individual',
    'IndividualJointForeign',
    'JointWROS',
    'JointTIC',
    'JointCP',
    'IraTraditional',
    'IraRoth',
    'IraRollover',
    'IraRothRollover',
    'IraRothConversion',
    'IraSep',
    'IraSimple',
    'JointTBE',
    'CustodialUgma',
    'CustodialUtma',
    'Trust',
    'Estate',
    'Corporation',
    'Llc',
    'Partnership',
  ],
  accountStatus: ['Reserved', 'Pending', 'Open', 'Restricted', 'Closed', 'Rejected'],
  proxyDisclosure: ['L', 'Y', 'N'],
  nameType: ['Individual', 'Entity'],
  taxIdType: ['TaxId', 'SSN'],
  governmentIdType: ['NationalId', 'Passport', 'DriversLicense', 'CompanyRegistration'],
  maritalStatus: ['Single', 'Married'],
  partyRole: ['Associate', 'Secondary'],
  tradingAuthority: ['Full', 'Limited', 'None'],
  relationship: ['Spouse', 'Other'],
  primaryContingent: ['Primary', 'Contingent'],
  occupation: ['AccountingOrAuditing', 'MedicalOrDental', 'Retired', 'Computers'],
  sourceOfFunds: ['Employment', 'Other', 'Gift', 'Retirement'],
  annualIncome: ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I'],
  netWorth: ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I'],
  liquidNetWorth: ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I'],
  liquidityNeed: ['None'],
  liquidityTime: ['Medium'],
  taxBracket: ['TenToFifteen'],
  investmentTimeHorizon: ['OneToThreeYears'],
  investmentProfile: ['Moderate'],
  investmentExperience: ['None', 'Limited', 'Average', 'Extensive'],
  caisCustomerType: [
    'Accredited',
    'Advisor',
    'CP',
    'Employee',
    'Foreign',
    'NotApplicable',
    'OthBkr',
    'Trust',
    'BD',
    'RIC',
  ],
  caisAccountType: [
    'Average',
    'DvpRvp',
    'Education',
    'EntityId',
    'Error',
    'Firm',
    'Institution',
    'Market',
    'Margin',
    'Option',
    'Other',
    'Relationship',
    'Retirement',
    'UgmaUtma',
  ],
  caisRole: ['Auth', 'TrdHolder', 'NtHolder', 'Auth3rd', 'AuthRep'],
  onboardingState: [
    'Submitted',
    'Screening',
    'AccountCreation',
    'CreationComplete',
    'ActionRequired',
    'ManualReview',
    'Rejected',
    'CreationFailed',
  ],
  stageCode: [
    'IdentityCheck',
    'WatchlistCheck',
    'AccountCreation',
    'MailingAddress',
    'TrustedContact',
    'ElectronicDelivery',
  ],
  stageStatus: ['Pending', 'Success', 'Failed'],
  followUpKind: ['Field', 'Document', 'Review'],
  documentTypeName: [
    'New Accounts Documents',
    'Identity Documents',
    'Trust Documents',
    'Account Maintenance',
    'Transfers',
  ],
  documentReference: [
    'NEWA',
    'CASH',
    'W9',
    'W8BE',
    'W8BEN-E',
    'W8IMY',
    'W8EXP',
    'W8ECI',
    'OPTS',
    'TOD',
    'FASF',
    'MRGN',
    'ADOP-simple',
    'ADOP-Traditional',
    'ADOP-Roth',
    'PASS',
    'DRLC',
    'NATL',
    'SSCD',
    'UTIL',
    'BANK',
    'TRST',
    'CERT',
    'CREG',
    'POAT',
    'TRAU',
    'CORD',
    'LTTR',
    'RESO',
    'ADDR',
    'NAME',
    'LOA',
    'DEAT',
    'ACAT',
    'DTCX',
  ],
  documentStatus: ['PendingApproval', 'Approved', 'Rejected'],
  documentRejectionCode: [
    'BLURRY',
    'CROPPED',
    'EXPIRED',
    'NAME_MISMATCH',
    'DOB_MISMATCH',
    'ADDRESS_MISMATCH',
    'WRONG_TYPE',
    'UNSIGNED',
    'UNREADABLE',
    'DUPLICATE',
    'PASSWORD_PROTECTED',
  ],
  documentFileExtension: ['.pdf', '.jpg', '.jpeg', '.bmp', '.png', '.tiff', '.tif'],
  acctType: ['Cash', 'Margin', 'Short'],
  activityAcctType: ['1', '2', '3'],
  priceType: ['CurrentSnap', 'DelayedSnap', 'LastClose'],
  buySell: ['BUY', 'SEL', 'SSL', 'BCV'],
  longShortInd: ['SHORT'],
  transferType: ['PartialTransfer', 'FullTransfer'],
  transType: [
    'Trade',
    'Deposit',
    'DepositReturn',
    'Withdrawal',
    'WithdrawalReturn',
    'Journal',
    'Dividend',
    'Interest',
    'Fee',
    'FeeRefund',
    'Tax',
    'TaxRefund',
    'CapitalGain',
    'TransferIn',
    'TransferOut',
    'Split',
    'StockDividend',
    'Merger',
    'Spinoff',
    'ReturnOfCapital',
    'Reinvest',
    'Maturity',
    'Redemption',
    'Exercise',
    'Assignment',
    'Expiration',
    'FactorChange',
    'NameChange',
  ],
  dayCount: ['30/360', '30/360 Bond Basis', 'ActAct', 'Act360', 'Act365'],
  sortMode: ['ascend', 'descend'],
  duplicatePolicy: ['Flag', 'Review', 'Refuse'],
  scope: [
    'accounts:read',
    'accounts:write',
    'positions:read',
    'activity:read',
    'documents:read',
    'documents:write',
    'events:read',
    'pii:read',
    'operations',
  ],
}

for (const list of listNames) {
  test(`the values of ${list} differ in more than letter case, and every row has a label and a version`, () => {
    const rows = codeLists[list]
    assert.equal(new Set(rows.map(({ value }) => value.toLowerCase())).size, rows.length)
    for (const row of rows) {
      assert.match(row.value, /^[\x21-\x7e]+( [\x21-\x7e]+)*$/)
      assert.match(row.label, /\S/)
      assert.match(row.since, /^\d+\.\d+$/)
    }
  })
}

for (const [list, values] of Object.entries(namedValues) as [CodeListName, readonly string[]][]) {
  test(`the list ${list} has the values that the specification and the readings name`, () => {
    for (const value of values) assert.equal(canonicalCode(list, value), value)
  })
}

test('a list that a reading closes has no other values', () => {
  const closed = [
    'registrationType',
    'accountStatus',
    'proxyDisclosure',
    'taxIdType',
    'governmentIdType',
    'tradingAuthority',
    'annualIncome',
    'investmentExperience',
    'primaryContingent',
    'caisCustomerType',
    'caisAccountType',
    'caisRole',
    'onboardingState',
    'stageCode',
    'stageStatus',
    'followUpKind',
    'documentReference',
    'documentStatus',
    'documentFileExtension',
    'transType',
    'buySell',
    'scope',
  ] as const satisfies readonly CodeListName[]
  for (const list of closed) assert.equal(codeLists[list].length, namedValues[list]?.length, list)
})

test('broad lists have many values', () => {
  assert.ok(codeLists.occupation.length >= 50)
  assert.ok(codeLists.jobIndustry.length >= 30)
  assert.ok(codeLists.sourceOfFunds.length >= 15)
})

test('the countries are the 249 of ISO 3166-1, and the runtime has a name for each', () => {
  assert.equal(codeLists.country.length, 249)
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  for (const { value } of codeLists.country) assert.ok(names.of(value), value)
  assert.equal(canonicalCode('country', 'XK'), undefined)
  assert.equal(canonicalCode('country', 'UK'), undefined)
})

test('country names are plain ASCII, because addresses return them in upper case', () => {
  for (const { label } of codeLists.country) assert.match(label, /^[A-Za-z ,.'()-]+$/)
})

test('every country has a calling code of 1 to 3 digits, and each calling code is listed once', () => {
  for (const { value, callingCode } of codeLists.country) {
    assert.match(callingCode, /^[1-9]\d{0,2}$/, value)
    assert.equal(canonicalCode('phoneRegionCode', callingCode), callingCode)
  }
  const known = { US: '1', CA: '1', GB: '44', DE: '49', MX: '52', KZ: '7', HK: '852', PR: '1', XK: undefined }
  for (const [country, callingCode] of Object.entries(known)) {
    assert.equal(codeRow('country', country)?.callingCode, callingCode)
  }
})

test('the states are those of the postal services: 50, the district, 5 territories, 3 associated, 3 military; 13 provinces', () => {
  assert.equal(codeLists.usState.length, 50 + 1 + 5 + 3 + 3)
  assert.equal(codeLists.canadianProvince.length, 13)
  for (const state of ['DC', 'PR', 'GU', 'VI', 'AS', 'MP', 'AA', 'AE', 'AP']) {
    assert.equal(canonicalCode('usState', state), state)
  }
})

test('community property accounts are for residents of ten states, Puerto Rico and Guam, and tenancies by the entirety for residents of their states', () => {
  assert.deepEqual([...communityPropertyStates].sort(), [
    'AK',
    'AZ',
    'CA',
    'GU',
    'ID',
    'LA',
    'NM',
    'NV',
    'PR',
    'TX',
    'WA',
    'WI',
  ])
  for (const state of communityPropertyStates) assert.equal(canonicalCode('usState', state), state)
  const restricted = codeLists.registrationType.filter((row) => row.residentStates.length > 0)
  assert.deepEqual(
    restricted.map((row) => row.value),
    ['JointCP', 'JointTBE'],
  )
})

test('registration types have the requirements of their group', () => {
  for (const row of codeLists.registrationType) {
    const needsParty = ['joint', 'custodial', 'trust', 'entity'].includes(row.group)
    assert.equal(row.needsAssociatedParty, needsParty, row.value)
    assert.equal(row.needsBeneficiary, row.group === 'ira', row.value)
    assert.equal(row.ownerNameType === 'Entity', row.group === 'trust' || row.group === 'entity', row.value)
    assert.equal(row.needsGovernmentIdentification, row.value === 'IndividualJointForeign', row.value)
  }
  const suffixes = {
    Individual: '',
    JointWROS: 'JTWROS',
    JointTIC: 'JT TIC',
    JointCP: 'COMM PROP',
    IraTraditional: 'IRA',
    IraRoth: 'ROTH IRA',
  }
  for (const [value, suffix] of Object.entries(suffixes)) {
    assert.equal(codeRow('registrationType', value)?.accountNameSuffix, suffix)
  }
})

test('a proof of address, identity or tax id is one of the documents that the sandbox requests', () => {
  assert.deepEqual(documentsFor('Address'), ['UTIL', 'BANK'])
  assert.deepEqual(documentsFor('Identity'), ['PASS', 'DRLC'])
  assert.deepEqual(documentsFor('TaxId'), ['SSCD'])
  assert.deepEqual(documentsFor('ForeignIdentity'), ['PASS', 'NATL'])
})

test('every follow-up that requests a document can be answered with a document of the catalogue', () => {
  for (const { value, kind, evidence } of codeLists.followUpCode) {
    assert.equal(kind === 'Document', evidence !== '', value)
    if (evidence !== '') assert.notEqual(documentsFor(evidence).length, 0, value)
  }
})

test('every document of the catalogue proves a fact and is kept for at least five years', () => {
  for (const row of codeLists.documentReference) {
    assert.notEqual(row.evidence.length, 0, row.value)
    assert.ok(row.keptYears >= 5, row.value)
    // The owner states the facts of these forms, which the record does not have.
    const isOwners = ['W8BEN-E', 'W8IMY', 'W8EXP', 'W8ECI'].includes(row.value)
    assert.equal(row.isForm, row.documentTypeName === 'New Accounts Documents' && !isOwners, row.value)
  }
})

const listAndValue = fc
  .constantFrom(...listNames)
  .chain((list) => fc.tuple(fc.constant(list), fc.constantFrom(...codeLists[list].map(({ value }) => value))))

test('a value in any letter case is returned in its canonical form', () => {
  fc.assert(
    fc.property(
      listAndValue,
      fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
      ([list, value], upper) => {
        const input = [...value].map((letter, place) =>
          upper[place % 30] ? letter.toUpperCase() : letter.toLowerCase(),
        )
        assert.equal(canonicalCode(list, input.join('')), value)
      },
    ),
  )
})

test('a value that differs in more than letter case is not matched', () => {
  fc.assert(
    fc.property(fc.constantFrom(...listNames), fc.string(), (list, input) => {
      const found = canonicalCode(list, input)
      if (found !== undefined) assert.equal(found.toLowerCase(), input.toLowerCase())
    }),
  )
  for (const input of [' US', 'US ', 'U\u0000S', '', 'constructor', '__proto__', '\u212AR']) {
    assert.equal(canonicalCode('country', input), undefined)
  }
})

test('the nearest values include the value that the caller probably meant', () => {
  const meant: readonly (readonly [CodeListName, string, string])[] = [
    ['registrationType', 'indvidual', 'Individual'],
    ['registrationType', 'RothIRA', 'IraRoth'],
    ['registrationType', 'JTWROS', 'JointWROS'],
    ['registrationType', 'UTMA', 'CustodialUtma'],
    ['registrationType', 'rollover', 'IraRollover'],
    ['registrationType', 'Wros', 'JointWROS'],
    ['occupation', 'Accounting', 'AccountingOrAuditing'],
    ['maritalStatus', 'maried', 'Married'],
    ['country', 'USA', 'US'],
    ['country', 'Germany', 'DE'],
    ['documentReference', 'Passport', 'PASS'],
    ['sourceOfFunds', 'Employmnt', 'Employment'],
    ['taxBracket', 'TenToFiften', 'TenToFifteen'],
  ]
  for (const [list, input, value] of meant) assert.equal(nearestCodes(list, input)[0], value, input)
  assert.deepEqual([...nearestCodes('registrationType', 'Joint')].sort(), ['JointCP', 'JointTBE', 'JointTIC'])
})

test('the nearest values for any input are different values of the list, at most the requested number', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...listNames),
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.integer({ min: 0, max: 12 }),
      (list, input, count) => {
        const nearest = nearestCodes(list, input, count)
        assert.equal(nearest.length, Math.min(count, codeLists[list].length))
        assert.equal(new Set(nearest).size, nearest.length)
        for (const value of nearest) assert.equal(canonicalCode(list, value), value)
      },
    ),
  )
  assert.equal(nearestCodes('occupation', 'x'.repeat(1_000_000)).length, 3)
})

test('the type of a coded field is the union of its values', () => {
  const registrationType: CodeOf<'registrationType'> = 'IraSep'
  const country: CodeOf<'country'> = 'US'
  // @ts-expect-error not a value of the list
  const wrong: CodeOf<'taxIdType'> = 'Passport'
  assert.deepEqual([registrationType, country, wrong], ['IraSep', 'US', 'Passport'])
})
