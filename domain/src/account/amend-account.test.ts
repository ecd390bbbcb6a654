import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations, type Request, readRequest } from '@clearing/protocol'
import fc from 'fast-check'
import {
  type AccountRecord,
  amendAccount,
  mailingAddressString,
  parseApplication,
  renderShape1,
  renderShape2,
} from './index.ts'

const today = '2026-11-20'
type Json = { [name: string]: unknown }

function open(example: number): AccountRecord {
  let next = 100_000_000_000_000_000n
  const request = operations['new-account'].examples[example]?.request
  const { value } = readRequest(operations['new-account'].request, structuredClone(request))
  return parseApplication(value as Request<'new-account'>, () => String(next++)).record
}
function composedOf(record: AccountRecord) {
  return {
    accountStatus: 'Open',
    accountName: 'ADA MORENO',
    mailingAddressString: mailingAddressString(record.mailingAddress),
  }
}

function amend(record: AccountRecord, body: Json) {
  let next = 900_000_000_000_000_000n
  const reading = readRequest(operations['update-account'].request, { accountNumber: '30100001', ...body })
  assert.deepEqual(reading.rejections, [])
  return amendAccount(record, composedOf(record), reading.value as Request<'update-account'>, {
    today,
    magicTaxIds: new Set(),
    refusedPaths: new Set(),
    nextCustomerId: () => String(next++),
  })
}
function codesOf(outcome: ReturnType<typeof amend>) {
  return 'rejections' in outcome ? outcome.rejections.map(({ code, field }) => `${code} ${field}`) : []
}
function amendedOf(outcome: ReturnType<typeof amend>) {
  assert.ok('amended' in outcome, JSON.stringify(outcome))
  return outcome
}

const rendering = { accountNumber: '30100001', accountStatus: 'Open', accountName: 'ADA MORENO', version: 1 }

for (const personalNumbers of [true, false]) {
  for (const example of [0, 1]) {
    test(`a record that was read ${personalNumbers ? 'in full' : 'masked'} and is sent back changes nothing (example ${example})`, () => {
      const record = open(example)
      const answers = { ...rendering, personalNumbers }
      const { accountNumber: _, version, ...shape2 } = renderShape2(record, answers)
      assert.equal(version, 1)
      assert.deepEqual(amendedOf(amend(record, shape2)).changes, [])
      const { accountNumber, ...shape1 } = renderShape1(record, answers, { entityNumber: true })
      assert.equal(accountNumber, '30100001')
      assert.deepEqual(amendedOf(amend(record, shape1)).changes, [])
    })
  }
}

test('a phone of the owner without its region gets it, which is a change of its own', () => {
  const { changes } = amendedOf(amend(open(0), { primaryOwner: { phoneNumberHome: '2015550144' } }))
  assert.deepEqual(changes, [
    { field: 'primaryOwner.phoneNumberHome', from: undefined, to: '2015550144' },
    { field: 'primaryOwner.phoneRegionHome', from: undefined, to: '1' },
  ])
})

test('an update of one attribute changes nothing else', () => {
  const record = open(0)
  const { amended, changes } = amendedOf(amend(record, { electronicDelivery: { email: 'new@example.com' } }))
  assert.deepEqual(changes, [
    { field: 'electronicDelivery.email', from: 'ada.moreno@example.com', to: 'new@example.com' },
  ])
  assert.deepEqual(amended, {
    ...record,
    electronicDelivery: { ...record.electronicDelivery, email: 'new@example.com' },
  })
})

const owner = open(0).primaryOwner
const fixed: [string, Json, string][] = [
  ['accountStatus', { accountStatus: 'Closed' }, 'accountStatus'],
  ['accountName', { accountName: 'SOMEBODY ELSE' }, 'accountName'],
  ['entityNumber', { subNumber: '302' }, 'entityNumber'],
  ['registrationType', { registrationType: 'JointTIC' }, 'registrationType'],
  ['nameType', { primaryOwner: { nameType: 'Entity' } }, 'primaryOwner.nameType'],
  ['citizenshipCountry', { primaryOwner: { citizenshipCountry: 'FR' } }, 'primaryOwner.citizenshipCountry'],
  ['taxIdType', { primaryOwner: { taxIdType: 'TaxId' } }, 'primaryOwner.taxIdType'],
  ['taxIdNumber', { primaryOwner: { taxIdNumber: '219099991' } }, 'primaryOwner.taxIdNumber'],
  ['marginIndicator', { main: { marginIndicator: true } }, 'main.marginIndicator'],
  ['customerId', { primaryOwner: { customerId: '9'.repeat(18) } }, 'primaryOwner.customerId'],
  ['optionTradingIndicator', { main: { optionTradingIndicator: 'TRUE' } }, 'main.optionTradingIndicator'],
]
for (const [attribute, body, field] of fixed) {
  test(`${attribute} cannot be changed, but may be sent with its current value`, () => {
    assert.deepEqual(codesOf(amend(open(0), body)), [`ERR.1021 ${field}`])
  })
}

test('the current value of a fixed attribute is accepted', () => {
  const body = {
    registrationType: 'individual',
    subNumber: 301,
    primaryOwner: { taxIdNumber: owner.taxIdNumber, taxIdType: 'ssn', citizenshipCountry: 'us' },
    main: { marginIndicator: 'False' },
  }
  assert.deepEqual(amendedOf(amend(open(0), body)).changes, [])
})

const deletions: [string, Json, string][] = [
  ['null for a value', { primaryOwner: { jobTitle: null } }, 'primaryOwner.jobTitle'],
  ['an empty text for a value', { primaryOwner: { jobTitle: '' } }, 'primaryOwner.jobTitle'],
  ['null for a block', { financialProfile: null }, 'financialProfile'],
  ['an empty list for beneficiaries', { beneficiaries: [] }, 'beneficiaries'],
  ['null for the owner', { primaryOwner: null }, 'primaryOwner'],
  ['null for the trusted contact', { trustedContact: null }, 'trustedContact'],
  ['an empty text for the account name', { accountName: '' }, 'accountName'],
  ['null for the registration type', { registrationType: null }, 'registrationType'],
  ['an empty list for values', { primaryOwner: { sourceOfFunds: [] } }, 'primaryOwner.sourceOfFunds'],
]
for (const [what, body, field] of deletions) {
  test(`${what} is a deletion and is refused`, () => {
    assert.deepEqual(codesOf(amend(open(0), body)), [`ERR.1020 ${field}`])
  })
}

test('empty values for attributes without a value change nothing', () => {
  const body = { primaryOwner: { middleName: '', suffix: null, affiliation: {} }, retirementBenes: [] }
  assert.deepEqual(amendedOf(amend(open(0), body)).changes, [])
})

test('a party matches by customer id, and a party without one is appended', () => {
  const record = open(1)
  const party = record.associatedParties[0]
  const { amended } = amendedOf(
    amend(record, { associatedParties: [{ customerId: party?.customerId, jobTitle: 'Baker' }] }),
  )
  assert.equal(amended.associatedParties.length, 1)
  assert.equal(amended.associatedParties[0]?.jobTitle, 'BAKER')
  assert.equal(amended.associatedParties[0]?.lastName, 'HADDAD')
  const third = {
    firstName: 'Lea',
    lastName: 'Haddad',
    citizenshipCountry: 'US',
    birthDate: '1990-01-01',
    legalAddress: {},
    taxIdType: 'SSN',
    taxIdNumber: '219099983',
    phoneNumberCell: '2015550155',
  }
  const appended = amendedOf(amend(record, { associatedParty: [third] }))
  assert.equal(appended.amended.associatedParties.length, 2)
  assert.match(appended.amended.associatedParties[1]?.customerId ?? '', /^\d{18}$/)
})

test('a party with a customer id of another account is refused', () => {
  const outcome = amend(open(1), {
    associatedParties: [{ customerId: '123456789012345678', jobTitle: 'Baker' }],
  })
  assert.deepEqual(codesOf(outcome), ['ERR.1015 associatedParties[0].customerId'])
})

const moves: [string, Json, Json][] = [
  ['with an empty state', { country: 'DE', stateProvince: '', postalCode: '10115' }, { postalCode: '10115' }],
  ['with no word on the state', { country: 'DE', postalCode: '10115' }, { postalCode: '10115' }],
  ['to a country without postal codes', { country: 'HK', city: 'Kowloon' }, { city: 'KOWLOON' }],
]
for (const [how, address, left] of moves) {
  test(`a mailing address that moves abroad ${how} loses the state, and the postal code unless a new one is given`, () => {
    const { amended, changes } = amendedOf(amend(open(0), { mailingAddress: address }))
    assert.deepEqual(amended.mailingAddress, {
      street: '12 HARBOR STREET',
      city: 'JERSEY CITY',
      country: address.country,
      ...left,
    })
    assert.deepEqual(
      changes.find(({ field }) => field === 'mailingAddress.stateProvince'),
      { field: 'mailingAddress.stateProvince', from: 'NJ', to: undefined },
    )
  })
}

test('a state cannot be emptied if the country stays the same', () => {
  const codes = codesOf(amend(open(0), { mailingAddress: { country: 'us', stateProvince: '' } }))
  assert.deepEqual(codes, ['ERR.1020 mailingAddress.stateProvince'])
})

test('a list with one person in two items is refused, because one item would be lost', () => {
  const { customerId } = open(1).associatedParties[0] ?? {}
  const parties = [
    { customerId, jobTitle: 'Baker' },
    { customerId, jobTitle: 'Cook' },
  ]
  assert.deepEqual(codesOf(amend(open(1), { associatedParties: parties })), [
    'ERR.1014 associatedParties[1].customerId',
  ])
  const named = [
    { name: 'Luis Moreno', relationship: 'Spouse' },
    { name: 'Luis Moreno', relationship: 'Other' },
  ]
  assert.deepEqual(codesOf(amend(open(0), { beneficiaries: named })), ['ERR.1014 beneficiaries[1].name'])
})

test('a beneficiary is found by its id, and an unknown id is refused', () => {
  const record = open(0)
  const id = record.beneficiaries[0]?.customerId
  const { amended } = amendedOf(
    amend(record, { transferOfDeathBeneficiaries: [{ id, relationship: 'Spouse' }] }),
  )
  assert.deepEqual(
    amended.beneficiaries.map(({ relationship }) => relationship),
    ['Spouse'],
  )
  assert.deepEqual(
    codesOf(amend(record, { todBenes: [{ id: 'X1', name1: 'Zed', percentAllocation: '1' }] })),
    ['ERR.1015 transferOfDeathBeneficiaries[0].id'],
  )
})

test('an unreadable item is not interpreted as a deletion of its list', () => {
  const reading = readRequest(operations['update-account'].request, {
    accountNumber: '30100001',
    beneficiaries: [{ taxIdNumber: 'x' }],
  })
  const record = open(0)
  const outcome = amendAccount(record, composedOf(record), reading.value as Request<'update-account'>, {
    today,
    magicTaxIds: new Set(),
    refusedPaths: reading.refusedPaths,
    nextCustomerId: () => '1'.repeat(18),
  })
  assert.deepEqual(codesOf(outcome), [])
})

test('an appended party must be complete', () => {
  const outcome = amend(open(1), { associatedParties: [{ firstName: 'Lea' }] })
  assert.ok(codesOf(outcome).includes('ERR.1000 associatedParties[0].lastName'))
})

test('a rejection names a beneficiary’s attribute as the list of the request spells it', () => {
  const record = open(0)
  const [{ customerId, firstName } = {}] = record.beneficiaries
  assert.equal(firstName, 'LUIS')
  for (const attribute of ['name1', 'percentAllocation', 'primaryContingent']) {
    const item = { customerId, [attribute]: '' }
    assert.deepEqual(codesOf(amend(record, { todBenes: [item] })), [
      `ERR.1020 transferOfDeathBeneficiaries[0].${attribute}`,
    ])
  }
  for (const attribute of ['percentageAllocation', 'primaryContingent']) {
    const item = { name: 'Luis Moreno', [attribute]: '' }
    assert.deepEqual(codesOf(amend(record, { beneficiaries: [item] })), [
      `ERR.1020 beneficiaries[0].${attribute}`,
    ])
  }
})

test('a rejection names a value in the place in which the request has it', () => {
  const record = open(1)
  const [{ customerId = '' } = {}] = record.associatedParties
  const caisInformation = { customerType: ['Accredited'] }
  const known: AccountRecord = {
    ...record,
    primaryOwner: { ...record.primaryOwner, caisInformation, employerName: 'BAYSIDE', trustedContact: {} },
    associatedParties: record.associatedParties.map((party) => ({ ...party, caisInformation })),
  }
  const rows: readonly (readonly [request: Json, rejections: readonly string[]])[] = [
    [{ primaryOwner: { caisCustomerType: [] } }, ['ERR.1020 primaryOwner.caisCustomerType']],
    [
      { primaryOwner: { caisInformation: { customerType: null } } },
      ['ERR.1020 primaryOwner.caisInformation.customerType'],
    ],
    [
      { associatedParties: [{ customerId, caisCustomerType: null }] },
      ['ERR.1020 associatedParties[0].caisCustomerType'],
    ],
    [{ primaryOwner: { employer: { name: '' } } }, ['ERR.1020 primaryOwner.employer.employerName']],
    [{ primaryOwner: { employer: null } }, ['ERR.1020 primaryOwner.employerName']],
    [{ primaryOwner: { employerName: '' } }, ['ERR.1020 primaryOwner.employerName']],
    [{ trustedContact: { email: 'lea@example.com' } }, ['ERR.1000 trustedContact.name']],
    [
      { trustedContact: { email: 'lea@example.com' }, primaryOwner: { firstName: '4' } },
      ['ERR.1016 primaryOwner.firstName', 'ERR.1000 trustedContact.name'],
    ],
    [
      { primaryOwner: { trustedContact: { email: 'lea@example.com' } } },
      ['ERR.1000 primaryOwner.trustedContact.name'],
    ],
  ]
  for (const [request, rejections] of rows) assert.deepEqual(codesOf(amend(known, request)), rejections)
})

test('an empty name of a beneficiary in one field is a deletion', () => {
  const record = open(0)
  const [luis] = record.beneficiaries
  assert.ok(luis)
  const numbered = { ...record, beneficiaries: [{ ...luis, taxIdNumber: '219099971' }] }
  for (const name of ['', null]) {
    const outcome = amend(numbered, { beneficiaries: [{ taxIdNumber: '219099971', name }] })
    assert.deepEqual(codesOf(outcome), ['ERR.1020 beneficiaries[0].name'])
  }
  const blank = { taxIdNumber: '219099971', primaryContingent: '' }
  assert.deepEqual(codesOf(amend(numbered, { beneficiaries: [blank] })), [
    'ERR.1020 beneficiaries[0].primaryContingent',
  ])
})

test('a name is checked as that of the person or entity of the record', () => {
  const person = open(0)
  const primaryOwner = { ...person.primaryOwner, nameType: 'Entity', firstName: 'ACME' }
  const renamed = amend({ ...person, primaryOwner }, { primaryOwner: { name1: 'Acme & Co. 2' } })
  assert.ok(!codesOf(renamed).includes('ERR.1016 primaryOwner.firstName'), codesOf(renamed).join())
  for (const nameType of [undefined, 'Individual']) {
    const body = { primaryOwner: { ...(nameType ? { nameType } : {}), name1: 'Acme & Co. 2' } }
    const reading = readRequest(operations['update-account'].request, {
      accountNumber: '30100001',
      ...body,
    })
    const found = nameType
      ? reading.rejections.map(({ code, field }) => `${code} ${field}`)
      : codesOf(amend(person, body))
    assert.deepEqual(found, ['ERR.1016 primaryOwner.firstName'])
  }
  const added = { firstName: 'Acme & Co. 2', role: 'Associate' }
  assert.ok(
    codesOf(amend(person, { associatedParties: [added] })).includes(
      'ERR.1016 associatedParties[0].firstName',
    ),
  )
})

test('a change between the two forms of an affiliation deletes nothing', () => {
  const record = open(0)
  const long = { associated: 'True', firmClearing: 'False', companyName: 'BAYSIDE' }
  for (const [before, given, after] of [
    [long, 'true', long],
    [long, false, { ...long, associated: 'False' }],
    [long, { companyName: 'Quay' }, { ...long, companyName: 'QUAY' }],
    ['True', { firmClearing: 'false', companyName: 'Bayside' }, long],
    ['False', { companyName: 'Bayside' }, { associated: 'False', companyName: 'BAYSIDE' }],
    ['False', 'true', 'True'],
    [undefined, 'true', 'True'],
    [undefined, { ...long, associated: true }, long],
  ]) {
    const primaryOwner = { ...record.primaryOwner, affiliation: { industry: before, organization: 'QUAY' } }
    const affiliated = { ...record, primaryOwner } as AccountRecord
    const { amended } = amendedOf(
      amend(affiliated, { primaryOwner: { affiliation: { industry: given } } } as Json),
    )
    assert.deepEqual(amended.primaryOwner.affiliation?.industry, after, JSON.stringify([before, given]))
  }
})

test('an empty item of a list is rejected as in an application', () => {
  const record = open(0)
  const required = {
    largeTraders: ['ERR.1000 largeTraders[0].largeTraderId'],
    beneficiaries: ['ERR.1000 beneficiaries[0].name', 'ERR.1000 beneficiaries[0].percentageAllocation'],
    associatedParties: ['ERR.1000 associatedParties[0].firstName', 'ERR.1000 associatedParties[0].lastName'],
  }
  for (const [list, codes] of Object.entries(required)) {
    const found = codesOf(amend(record, { [list]: [{}] }))
    assert.deepEqual(found.slice(0, codes.length), codes)
  }
  const trading = { ...record, largeTraders: [{ largeTraderId: '12345678-0000' }] }
  assert.deepEqual(codesOf(amend(trading, { largeTraders: [{}] })), [
    'ERR.1000 largeTraders[0].largeTraderId',
  ])
})

test('a rejection names a large trader by its position in the request', () => {
  const record = { ...open(0), largeTraders: [{ largeTraderId: '12345678-0000' }] }
  const added = { largeTraderId: '87654321-000', effectiveDate: '2026-01-05' }
  assert.deepEqual(codesOf(amend(record, { largeTraders: [added] })), [
    'ERR.1016 largeTraders[0].largeTraderId',
  ])
})

test('a large trader that a change names twice is rejected, and an account that has one twice can be sent back', () => {
  const first = { largeTraderId: '12345678-0000', effectiveDate: '2024-01-05' }
  const again = { ...first, effectiveDate: '2026-01-05' }
  for (const largeTraders of [[], [first]]) {
    const outcome = amend({ ...open(0), largeTraders }, { largeTraders: [first, again] })
    assert.deepEqual(codesOf(outcome), ['ERR.1014 largeTraders[1].largeTraderId'])
  }
  const earlier = { ...open(0), largeTraders: [first, again] }
  assert.deepEqual(amendedOf(amend(earlier, { largeTraders: [first, again] })).changes, [])
})

test('the shares of beneficiaries must still sum to 100 after a change', () => {
  const record = open(0)
  const [first] = record.beneficiaries
  const outcome = amend(record, {
    transferOfDeathBeneficiaries: [{ customerId: first?.customerId, percentAllocation: '60' }],
  })
  assert.deepEqual(codesOf(outcome), ['ERR.1015 transferOfDeathBeneficiaries'])
  const { amended } = amendedOf(
    amend(record, {
      transferOfDeathBeneficiaries: [
        { customerId: first?.customerId, percentAllocation: '60' },
        { name1: 'Rosa', name3: 'Moreno', percentAllocation: '40.00' },
      ],
    }),
  )
  assert.deepEqual(
    amended.beneficiaries.map((item) => item.percentageAllocation),
    ['60.00', '40.00'],
  )
})

test('an error about the beneficiaries of an IRA names the list retirementBenes', () => {
  const record = { ...open(0), registrationType: 'IraRoth' }
  const [first] = record.beneficiaries
  record.beneficiaries = [
    { ...first, percentageAllocation: '50.00', taxIdNumber: '219099101' },
    { ...first, customerId: '800000000000000000', percentageAllocation: '50.00', taxIdNumber: '219099102' },
  ]
  const outcome = amend(record, { retirementBenes: [{ taxId: '219099102', percentAllocation: '40' }] })
  assert.deepEqual(codesOf(outcome), ['ERR.1015 retirementBenes'])
})

test('percentages that do not add up are reported at the list that the request names', () => {
  for (const [registrationType, list, item] of [
    ['Individual', 'beneficiaries', { name: 'Eva Sol', percentageAllocation: '10' }],
    ['Individual', 'retirementBenes', { name1: 'Eva', percentAllocation: '10' }],
    ['IraRoth', 'transferOfDeathBeneficiaries', { name1: 'Eva', percentAllocation: '10' }],
  ] as const) {
    const record = { ...open(0), registrationType }
    assert.deepEqual(codesOf(amend(record, { [list]: [item] })), [`ERR.1015 ${list}`])
  }
})

test('an account of a registration that is no longer known can be changed', () => {
  const record = { ...open(0), registrationType: 'Club' }
  assert.equal(amendedOf(amend(record, { primaryOwner: { jobTitle: 'Partner' } })).changes.length, 1)
})

test('an update with one wrong field changes nothing', () => {
  const record = open(0)
  const before = structuredClone(record)
  const outcome = amend(record, { primaryOwner: { jobTitle: 'Partner', taxIdNumber: '219099991' } })
  assert.deepEqual(codesOf(outcome), ['ERR.1021 primaryOwner.taxIdNumber'])
  assert.deepEqual(record, before)
})

/** Leaves that may be changed freely, with valid values. */
const leaves: [string, fc.Arbitrary<string>][] = [
  ['primaryOwner.jobTitle', fc.constantFrom('BAKER', 'PILOT', 'AUDITOR')],
  ['primaryOwner.email', fc.constantFrom('a@example.com', 'b@example.com')],
  ['primaryOwner.middleName', fc.constantFrom('B', 'CARLA')],
  ['primaryOwner.trustedContact.name', fc.constantFrom('LUIS MORENO', 'ROSA MORENO')],
  ['primaryOwner.trustedContact.address.city', fc.constantFrom('NEWARK')],
  ['mailingAddress.street', fc.constantFrom('1 PIER RD', '2 PIER RD')],
  ['electronicDelivery.confirms', fc.constantFrom('True', 'False')],
  ['financialProfile.annualIncome', fc.constantFrom('A', 'B', 'C')],
  ['financialProfile.investmentExperience.annuities', fc.constantFrom('None', 'Limited')],
  ['main.sweepIndicator', fc.constantFrom('true', 'false')],
]
function put(target: Json, path: string, value: unknown): Json {
  const [name = '', ...rest] = path.split('.')
  target[name] =
    rest.length === 0 ? value : put((target[name] as Json | undefined) ?? {}, rest.join('.'), value)
  return target
}

test('random updates give the result of a plain merge', () => {
  const choice = fc
    .constantFrom(...leaves)
    .chain(([path, values]) => values.map((value) => ({ path, value })))
  fc.assert(
    fc.property(fc.array(fc.array(choice, { minLength: 1, maxLength: 5 }), { maxLength: 8 }), (updates) => {
      let record = open(0)
      const model = structuredClone(record) as unknown as Json
      for (const update of updates.filter(
        (each) => !each.some(({ path }) => path.includes('address.city')),
      )) {
        const body: Json = {}
        for (const { path, value } of update) put(body, path, value)
        for (const { path, value } of update) put(model, path, value)
        record = amendedOf(amend(record, body)).amended
      }
      assert.deepEqual(record, model)
    }),
    { numRuns: 200 },
  )
})
