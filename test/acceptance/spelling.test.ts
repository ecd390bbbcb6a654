/** Names and codes in any letter case and every accepted spelling, over HTTP (Readings 1.1 to 1.4). */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { applicationFor, fullApplication, newTaxId } from './applications.ts'
import { type RawAnswer, type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

type Json = { [name: string]: unknown }

function codes({ json }: RawAnswer): string[] {
  return json.errors.map(({ code, field }: { code: string; field: string }) => `${code} ${field}`).sort()
}

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)

/** The value with the letter case of every property name at every depth chosen by `isUpper`. */
function respell(value: unknown, isUpper: () => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => respell(item, isUpper))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      [...name].map((letter) => (isUpper() ? letter.toUpperCase() : letter.toLowerCase())).join(''),
      respell(inner, isUpper),
    ]),
  )
}

function withoutOwn({ json }: RawAnswer): unknown {
  return JSON.parse(
    JSON.stringify(json.data, (name, value) =>
      ['accountNumber', 'customerId', 'id'].includes(name) ? '' : value,
    ),
  )
}

test(`the letter case of names, at random over the whole new-account request, changes nothing (seed ${seed})`, async () => {
  const application = fullApplication()
  const plain = await service.post('new-account', application)
  assert.equal(plain.status, 200, plain.text)
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.boolean()), async (cases) => {
      const isUpper = () => cases.next().value as boolean
      const answer = await service.post('new-account', respell(application, isUpper), {
        'idempotency-key': `case ${Math.random()}`,
      })
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(withoutOwn(answer), withoutOwn(plain))
    }),
    { seed, numRuns: 25 },
  )
})

test('codes and flags are matched in any letter case, and flags as JSON booleans too', async () => {
  const application = applicationFor('Individual') as Json & { primaryOwner: Json }
  const answer = await service.post('new-account', {
    ...application,
    registrationType: 'INDIVIDUAL',
    main: { repCode: 'jc01', proxyDisclosure: 'y', marginIndicator: 'TRUE', sweepIndicator: true },
    electronicDelivery: { email: 'Ada@Example.com', statements: true, confirms: 'False' },
    primaryOwner: {
      ...application.primaryOwner,
      occupation: 'RETIRED',
      taxIdType: 'ssn',
      citizenshipCountry: 'us',
      caisInformation: { role: 'AUTH', customerType: 'advisor' },
      maritalStatus: 'single',
    },
  })
  assert.equal(answer.status, 200, answer.text)
  const { message } = answer.json.data
  assert.equal(message.registrationType, 'Individual')
  assert.deepEqual([message.main.repCode, message.main.proxyDisclosure], ['JC01', 'Y'])
  assert.deepEqual([message.main.marginIndicator, message.main.sweepIndicator], ['true', 'true'])
  assert.deepEqual(
    [
      message.electronicDelivery.email,
      message.electronicDelivery.statements,
      message.electronicDelivery.confirms,
    ],
    ['Ada@Example.com', 'True', 'False'],
  )
  const { occupation, taxIdType, caisInformation, maritalStatus } = message.primaryOwner
  assert.deepEqual([occupation, taxIdType, maritalStatus], ['Retired', 'SSN', 'Single'])
  assert.deepEqual([caisInformation.role, caisInformation.customerType], ['Auth', ['Advisor']])
})

const spellings: [what: string, respelled: (application: Json & { primaryOwner: Json }) => Json][] = [
  [
    'name1 to name4',
    ({ primaryOwner, ...rest }) => {
      const { firstName, lastName, ...others } = primaryOwner
      return { ...rest, primaryOwner: { ...others, name1: firstName, name3: lastName } }
    },
  ],
  [
    'lower-case names of a person',
    ({ primaryOwner, ...rest }) => {
      const { firstName, lastName, ...others } = primaryOwner
      return {
        ...rest,
        primaryOwner: { ...others, firstname: firstName, middlename: '', lastname: lastName },
      }
    },
  ],
  ['subNumber for entityNumber', ({ entityNumber, ...rest }) => ({ ...rest, subNumber: entityNumber })],
  ['an integer entityNumber', (rest) => ({ ...rest, entityNumber: 301 })],
  [
    'otherSourceOfFunds',
    ({ primaryOwner, ...rest }) => ({
      ...rest,
      primaryOwner: { ...primaryOwner, otherSourceOfFunds: 'Lottery' },
    }),
  ],
  [
    'othersourceoffund',
    ({ primaryOwner, ...rest }) => ({
      ...rest,
      primaryOwner: { ...primaryOwner, othersourceoffund: 'Lottery' },
    }),
  ],
  [
    'sourceOfFunds as one text',
    ({ primaryOwner, ...rest }) => ({
      ...rest,
      primaryOwner: { ...primaryOwner, sourceOfFunds: 'employment, gift' },
    }),
  ],
  ['associatedParty', (rest) => ({ ...rest, associatedParty: [] })],
  [
    'todBenes',
    (rest) => ({
      ...rest,
      todBenes: [{ name1: 'Luis', name3: 'Moreno', percentAllocation: '100', relationship: 'Parent' }],
    }),
  ],
  [
    'Beneficiaries',
    (rest) => ({
      ...rest,
      Beneficiaries: [{ name: 'Luis Moreno', percentageAllocation: '100', relationship: 'Other' }],
    }),
  ],
  [
    'a nested address in capitals',
    ({ primaryOwner, ...rest }) => ({
      ...rest,
      primaryOwner: {
        ...primaryOwner,
        Affiliation: {
          Name: 'Omar',
          Address: {
            Street: '2 Tower Plaza',
            City: 'Newark',
            StateProvince: 'NJ',
            PostalCode: '07102',
            Country: 'US',
          },
        },
      },
    }),
  ],
]
for (const [what, respelled] of spellings) {
  test(`another spelling is understood: ${what}`, async () => {
    const application = applicationFor('Individual') as Json & { primaryOwner: Json }
    const answer = await service.post('new-account', respelled(application))
    assert.equal(answer.status, 200, answer.text)
    const { primaryOwner, beneficiaries } = answer.json.data.message
    assert.deepEqual([primaryOwner.firstName, primaryOwner.lastName], ['ADA', 'MORENO'])
    if (what.startsWith('other')) assert.equal(primaryOwner.otherSourceOfFund, 'LOTTERY')
    if (what.includes('one text')) assert.deepEqual(primaryOwner.sourceOfFunds, ['Employment', 'Gift'])
    if (/bene/i.test(what)) assert.equal(beneficiaries[0].name, 'LUIS MORENO')
    if (what.includes('capitals')) assert.equal(primaryOwner.affiliation.address.city, 'NEWARK')
  })
}

test('one property in two spellings, or twice in the text, is refused', async () => {
  const application = applicationFor('Individual')
  const { primaryOwner } = application
  const twice = { ...application, primaryOwner: { ...primaryOwner, name1: 'Eva' } }
  assert.deepEqual(codes(await service.post('new-account', twice)), ['ERR.1014 primaryOwner.firstName'])
  const text = JSON.stringify(application).replace('"repCode":', '"REPCODE":"JC01","repCode":')
  assert.deepEqual(codes(await service.post('new-account', text)), ['ERR.1014 main.repCode'])
})

test('an error names a field by the name that the request has for it', async () => {
  const { entityNumber, ...application } = applicationFor('JointWROS')
  const { firstName, lastName, ...others } = application.primaryOwner
  const [second] = application.associatedParties ?? []
  const named = {
    ...application,
    SubNumber: '3011',
    primaryOwner: { ...others, name1: '', NAME3: 'M0reno' },
    associatedParties: [{ ...second, firstName: 'Sam1', name4: '*' }],
  }
  const fields = [
    'ERR.1000 primaryOwner.name1',
    'ERR.1001 subNumber',
    'ERR.1016 associatedParties[0].firstName',
    'ERR.1016 associatedParties[0].name4',
    'ERR.1016 primaryOwner.name3',
  ]
  for (const operation of ['new-account', 'validate-account'] as const)
    assert.deepEqual(codes(await service.post(operation, named)), fields)
  const household = await service.post('open-accounts', { accounts: [named] })
  const [result] = household.json.data.results
  assert.deepEqual(codes({ ...household, json: result }), fields)
})

test('shape 2 gives each part of a name in both of its names, and returns what was sent', async () => {
  const { primaryOwner, ...rest } = applicationFor('Individual') as Json & { primaryOwner: Json }
  const { firstName, lastName, ...others } = primaryOwner
  async function sendNames(names: Json) {
    const accountNumber = Math.random().toString(36).slice(2, 10).padEnd(8, '0')
    const owner = { ...others, taxIdNumber: newTaxId(), name1: firstName, name3: lastName, ...names }
    return service.post('new-account', { ...rest, accountNumber, primaryOwner: { ...owner, employer: {} } })
  }
  for (const [names, suffix] of [
    [{ name2: '', name4: '', suffix: '' }, ''],
    [{ name4: 'Jr', suffix: 'JR' }, 'JR'],
    [{ name4: 'Jr', suffix: '' }, 'JR'],
  ] as const) {
    const answer = await sendNames(names)
    assert.equal(answer.status, 200, answer.text)
    const { primaryOwner: echoed } = answer.json.data
    assert.deepEqual([echoed.name4, echoed.suffix, echoed.employer], [suffix, suffix, {}])
  }
  assert.deepEqual(codes(await sendNames({ name4: 'Jr', suffix: 'Sr' })), ['ERR.1014 primaryOwner.suffix'])
})

test('shape 2 returns an employer that was sent as a block with the names that were sent', async () => {
  const { primaryOwner, ...rest } = applicationFor('Individual') as Json & { primaryOwner: Json }
  const place = {
    street: '1 Main St',
    city: 'Austin',
    stateProvince: 'TX',
    country: 'US',
    postalCode: '73301',
  }
  const address = { ...place, street: '1 MAIN ST', city: 'AUSTIN' }
  const long = { employerName: 'MERCY HOSP', employerPhoneRegionCode: '', employerPhoneNumber: '' }
  const short = { name: 'MERCY HOSP', phoneRegionCode: '', phoneNumber: '', address: {} }
  const phone = { phoneRegionCode: '1', phoneNumber: '5125550147', phoneExtension: '12' }
  for (const [employer, echoed] of [
    [{ name: 'Mercy Hosp' }, short],
    [
      { NAME: 'Mercy Hosp', Address: place },
      { ...short, address },
    ],
    [
      { name: 'Mercy Hosp', ...phone },
      { ...short, ...phone },
    ],
    [
      { employerName: 'Mercy Hosp', phoneNumber: '5125550147' },
      { ...short, ...phone, phoneExtension: undefined },
    ],
    [{ employerName: 'Mercy Hosp' }, { ...long, employerAddress: {} }],
    [
      { EmployerName: 'Mercy Hosp', employerAddress: place },
      { ...long, employerAddress: address },
    ],
  ] as const) {
    const accountNumber = Math.random().toString(36).slice(2, 10).padEnd(8, '0')
    const owner = { ...primaryOwner, taxIdNumber: newTaxId(), employer }
    const answer = await service.post('new-account', { ...rest, accountNumber, primaryOwner: owner })
    assert.equal(answer.status, 200, answer.text)
    const { primaryOwner: returned } = answer.json.data
    assert.deepEqual(returned.employer, JSON.parse(JSON.stringify(echoed)))
    assert.equal(returned.employerName, 'MERCY HOSP')
  }
})

test('an unknown property is refused under the caller’s name for it', async () => {
  const application = { ...applicationFor('Individual'), NickName: 'x' }
  assert.deepEqual(codes(await service.post('new-account', application)), ['ERR.2001 NickName'])
})

test('texts are stored in upper case, normalized, trimmed, with single spaces, and returned in this form', async () => {
  const application = applicationFor('Individual') as Json & { primaryOwner: Json }
  const answer = await service.post('new-account', {
    ...application,
    primaryOwner: {
      ...application.primaryOwner,
      lastName: '  mu\u0308ller   lu\u0308denscheid ',
      jobTitle: ' chief  clerk\u00a0of straße ',
      taxIdNumber: newTaxId(),
    },
  })
  assert.equal(answer.status, 200, answer.text)
  const { accountNumber, primaryOwner } = answer.json.data.message
  assert.equal(primaryOwner.lastName, 'MÜLLER LÜDENSCHEID'.normalize('NFC'))
  const record = await service.post('get-account', { AccountNumber: accountNumber.toLowerCase() })
  assert.equal(record.json.data.primaryOwner.name3, primaryOwner.lastName)
  assert.equal(record.json.data.primaryOwner.jobTitle, primaryOwner.jobTitle)
  assert.match(primaryOwner.jobTitle, /^CHIEF CLERK OF STRA/)
})
