/** Changes of accounts, in the order of Reading 3.9 and the specification's rules of update-account. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Application, applicationFor, applicationOf, fullApplication, newTaxId } from './applications.ts'
import { open, openAndFollow, read, refusalOf, rejectionsOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
let accountNumber: string
before(async () => {
  service = await startRunningService()
  accountNumber = await openAndFollow(service.alpha, fullApplication())
})
after(() => service?.stop())

type Change = Omit<Parameters<typeof service.alpha.updateAccount>[0], 'accountNumber'>
// biome-ignore lint/suspicious/noExplicitAny: requests that the types do not allow are sent too
function update(change: any, number = accountNumber) {
  return service.alpha.updateAccount({ accountNumber: number, ...change } as Change & {
    accountNumber: string
  })
}
function record() {
  return read(service.alpha, accountNumber)
}

describe('the blocks of an update', () => {
  test('are merged attribute by attribute, and nothing else changes', async () => {
    const before = await record()
    const { data } = await update({
      primaryOwner: { jobTitle: 'Surgeon', legalAddress: { street: '15 Pier Lane' } },
      financialProfile: { investmentExperience: { bonds: 'Extensive' } },
    })
    assert.deepEqual(data, {
      ...before,
      version: before.version + 1,
      primaryOwner: {
        ...before.primaryOwner,
        jobTitle: 'SURGEON',
        legalAddress: { ...before.primaryOwner.legalAddress, street: '15 PIER LANE' },
      },
      financialProfile: {
        ...before.financialProfile,
        investmentExperience: { ...before.financialProfile.investmentExperience, bonds: 'Extensive' },
      },
    })
    assert.deepEqual(await record(), data)
  })

  test('that equal the record change nothing, not even its version', async () => {
    const before = await record()
    const { data } = await update({ primaryOwner: { jobTitle: 'surgeon' }, main: { repCode: 'jc02' } })
    assert.deepEqual(data, before)
  })

  test('may be the whole record as it was returned', async () => {
    const before = await record()
    const { data } = await update(before)
    assert.deepEqual(data, before)
  })

  test('may be the whole record as a token without pii:read sees it, including masks', async () => {
    const masked = service.client('alpha', undefined, ['accounts:read', 'accounts:write'])
    const answered = await read(masked, accountNumber)
    assert.match(answered.primaryOwner.taxIdNumber ?? '', /^\*{5}\d{4}$/)
    const before = await record()
    const { data } = await masked.updateAccount({
      ...answered,
      main: { ...answered.main, repCode: 'JC01' },
    } as never)
    assert.equal(data.main.repCode, 'JC01')
    assert.equal((await record()).primaryOwner.taxIdNumber, before.primaryOwner.taxIdNumber)
  })

  test('recompose the account’s title and the address in one line', async () => {
    const { data } = await update({
      primaryOwner: { name3: 'Haddad-Lee' },
      mailingAddress: { street: '13 Harbor Street', postalCode: '07303' },
    })
    assert.equal(data.accountName, 'N HADDAD-LEE & S HADDAD JTWROS')
    assert.equal(data.mailingAddressString, '13 HARBOR STREET JERSEY CITY NJ UNITED STATES 07303')
    await update({ primaryOwner: { lastName: 'Haddad' } })
  })

  test('can add values that were never given', async () => {
    const number = await openAndFollow(service.alpha, applicationFor('Individual'))
    const { data } = await update(
      {
        trustedContact: { name: 'Luis Moreno', relationship: 'Parent' },
        transferOfDeathBeneficiaries: [
          { name1: 'Luis', name3: 'Moreno', percentAllocation: '100', relationship: 'Parent' },
        ],
        largeTraders: [{ largeTraderId: '87654321-0001' }],
        primaryOwner: {
          governmentIdentification: { governmentId1: { idType: 'Passport', idNumber: 'Q771234' } },
        },
      },
      number,
    )
    assert.equal(data.primaryOwner.trustedContact?.name, 'LUIS MORENO')
    assert.equal(data.transferOfDeathBeneficiaries[0]?.percentAllocation, '100.00')
    assert.equal(data.largeTraders[0]?.largeTraderId, '87654321-0001')
    assert.equal(data.primaryOwner.governmentIdentification?.governmentId1?.idNumber, 'Q771234')
  })
})

describe('items of lists', () => {
  test('match by customerId, and omitted items stay', async () => {
    const { associatedParties, transferOfDeathBeneficiaries } = await record()
    const [party] = associatedParties
    const [first, second] = transferOfDeathBeneficiaries
    const { data } = await update({
      associatedParties: [{ customerId: party?.customerId, jobTitle: 'Teacher' }],
      transferOfDeathBeneficiaries: [
        { customerId: second?.customerId, percentAllocation: '50' },
        { customerId: first?.customerId, percentAllocation: '50' },
      ],
    })
    assert.deepEqual(data.associatedParties, [{ ...party, jobTitle: 'TEACHER' }])
    assert.deepEqual(data.transferOfDeathBeneficiaries, [
      { ...first, percentAllocation: '50.00' },
      { ...second, percentAllocation: '50.00' },
    ])
    const one = await update({
      transferOfDeathBeneficiaries: [{ customerId: first?.customerId, address: { city: 'Hoboken' } }],
    })
    assert.equal(one.data.transferOfDeathBeneficiaries.length, 2)
  })

  test('without a customerId are appended, and must be complete', async () => {
    const application = applicationFor('JointTIC')
    const number = await openAndFollow(service.alpha, application)
    const third = { ...application.associatedParties?.[0], firstName: 'Rana', taxIdNumber: newTaxId() }
    const { data } = await update({ associatedParties: [third] }, number)
    assert.deepEqual(
      data.associatedParties.map(({ name1 }) => name1),
      ['SAMI', 'RANA'],
    )
    assert.match(data.associatedParties[1]?.customerId ?? '', /^[0-9]{18}$/)
    assert.equal(data.accountName, 'N HADDAD & S HADDAD & R HADDAD JT TIC')
    const incomplete = await rejectionsOf(update({ associatedParties: [{ firstName: 'Rami' }] }, number))
    assert.ok(incomplete.includes('ERR.1000 associatedParties[0].lastName'), incomplete.join())
  })

  test('of retirement beneficiaries match by taxId', async () => {
    const application = applicationFor('IraRollover')
    const number = await openAndFollow(service.alpha, application)
    const taxId = application.retirementBenes?.[0]?.taxId
    const { data } = await update(
      {
        retirementBenes: [
          { taxId, percentAllocation: '40', name1: 'Louis' },
          {
            taxId: newTaxId(),
            taxIdType: 'SSN',
            name1: 'Eva',
            name3: 'Moreno',
            percentAllocation: '60',
            relationship: 'Child',
          },
        ],
      },
      number,
    )
    assert.deepEqual(
      data.retirementBenes.map(({ name1, percentAllocation }) => [name1, percentAllocation]),
      [
        ['LOUIS', '40.00'],
        ['EVA', '60.00'],
      ],
    )
    const [one] = data.retirementBenes
    const sameId = await update({ retirementBenes: [{ taxId, id: one?.id, name2: 'B' }] }, number)
    assert.equal(sameId.data.retirementBenes[0]?.name2, 'B')
    const otherId = update({ retirementBenes: [{ taxId, id: '123' }] }, number)
    assert.deepEqual(await rejectionsOf(otherId), ['ERR.1021 retirementBenes[0].id'])
    const corrected = newTaxId()
    const otherTaxId = await update({ retirementBenes: [{ id: one?.id, taxId: corrected }] }, number)
    assert.equal(otherTaxId.data.retirementBenes[0]?.taxId, corrected)
  })

  test('of T.O.D. beneficiaries keep their id', async () => {
    const [first] = (await record()).transferOfDeathBeneficiaries
    const { customerId } = first ?? {}
    const same = await update({
      transferOfDeathBeneficiaries: [{ customerId, id: customerId, name2: 'May' }],
    })
    assert.equal(same.data.transferOfDeathBeneficiaries[0]?.name2, 'MAY')
    assert.deepEqual(
      await rejectionsOf(update({ transferOfDeathBeneficiaries: [{ customerId, id: '123' }] })),
      ['ERR.1021 transferOfDeathBeneficiaries[0].id'],
    )
  })

  test('are at most 100 in all, however many updates add them', async () => {
    const trader = (index: number) => ({ largeTraderId: `1000${1000 + index}-0001` })
    const number = await openAndFollow(
      service.alpha,
      applicationFor('Individual', {
        largeTraders: Array.from({ length: 100 }, (_, index) => trader(index)),
      }),
    )
    assert.deepEqual(await rejectionsOf(update({ largeTraders: [trader(100)] }, number)), [
      'ERR.1015 largeTraders',
    ])
    const { data } = await update({ largeTraders: [{ ...trader(99), endReason: 'Sold' }] }, number)
    assert.equal(data.largeTraders.length, 100)
    assert.deepEqual((await update(data, number)).data, data)
  })

  test('that name no person of the account are refused', async () => {
    const customerId = '1'.repeat(18)
    assert.equal(
      (await refusalOf(update({ associatedParties: [{ customerId, jobTitle: 'x' }] }))).status,
      400,
    )
    assert.equal(
      (await refusalOf(update({ transferOfDeathBeneficiaries: [{ customerId, name1: 'x' }] }))).status,
      400,
    )
  })
})

const deletions: [what: string, change: () => Promise<object> | object, due: string][] = [
  ['null over a value', () => ({ primaryOwner: { jobTitle: null } }), 'primaryOwner.jobTitle'],
  ['an empty text over a value', () => ({ primaryOwner: { jobTitle: '' } }), 'primaryOwner.jobTitle'],
  ['spaces over a value', () => ({ primaryOwner: { jobTitle: '   ' } }), 'primaryOwner.jobTitle'],
  ['null over a block', () => ({ primaryOwner: { trustedContact: null } }), 'primaryOwner.trustedContact'],
  ['null over the whole owner', () => ({ primaryOwner: null }), 'primaryOwner'],
  ['an empty list over one with items', () => ({ associatedParties: [] }), 'associatedParties'],
  ['null over a list', () => ({ transferOfDeathBeneficiaries: null }), 'transferOfDeathBeneficiaries'],
  ['an empty list of codes', () => ({ primaryOwner: { sourceOfFunds: [] } }), 'primaryOwner.sourceOfFunds'],
  ['an empty e-mail', () => ({ electronicDelivery: { email: '' } }), 'electronicDelivery.email'],
  ['an empty flag', () => ({ electronicDelivery: { statements: '' } }), 'electronicDelivery.statements'],
  ['an empty postal code', () => ({ mailingAddress: { postalCode: '' } }), 'mailingAddress.postalCode'],
  ['null in an address', () => ({ mailingAddress: { street: null } }), 'mailingAddress.street'],
  ['an empty rep code', () => ({ main: { repCode: '' } }), 'main.repCode'],
  ['null over main', () => ({ main: null }), 'main'],
  ['an empty code', () => ({ financialProfile: { annualIncome: '' } }), 'financialProfile.annualIncome'],
  ['an empty name part', () => ({ primaryOwner: { middleName: '' } }), 'primaryOwner.middleName'],
  ['an empty tax id', () => ({ primaryOwner: { taxIdNumber: '' } }), 'primaryOwner.taxIdNumber'],
  [
    'an empty value of an item',
    async () => ({
      associatedParties: [{ customerId: (await record()).associatedParties[0]?.customerId, email: '' }],
    }),
    'associatedParties[0].email',
  ],
]
describe('a deletion is refused', () => {
  for (const [what, change, field] of deletions) {
    test(what, async () => {
      const before = await record()
      assert.deepEqual(await rejectionsOf(update(await change())), [`ERR.1020 ${field}`])
      assert.deepEqual(await record(), before)
    })
  }

  test('null over the employer, at each of its values', async () => {
    const number = await openAndFollow(service.alpha, applicationOf({ employerName: 'Bayside Clinic' }))
    assert.deepEqual(await rejectionsOf(update({ primaryOwner: { employer: null } }, number)), [
      'ERR.1020 primaryOwner.employerName',
    ])
  })

  test('an empty value over an empty one, or an empty block, is not a deletion', async () => {
    const number = await openAndFollow(service.alpha, applicationFor('Individual'))
    const before = await read(service.alpha, number)
    const { data } = await update(
      {
        primaryOwner: { jobTitle: '', middleName: null, legalAddress: {}, trustedContact: {} },
        associatedParties: [],
        financialProfile: {},
        main: {},
      },
      number,
    )
    assert.deepEqual(data, before)
  })
})

function otherNames(name: string): string[] {
  return [
    name,
    name.toUpperCase(),
    name.toLowerCase(),
    [...name].map((letter, at) => (at % 2 === 0 ? letter.toUpperCase() : letter.toLowerCase())).join(''),
  ]
}

/** The attributes of rule 2, with another value and the path of the rejection. {} stands for the party's customerId. */
const fixed: [path: string[], value: unknown, due?: string][] = [
  [['subNumber'], '302'],
  [['entityNumber'], '302'],
  [['registrationType'], 'Individual'],
  [['accountName'], 'SOMEBODY ELSE'],
  [['primaryOwner', 'nameType'], 'Entity'],
  [['main', 'marginIndicator'], 'false'],
  [['main', 'optionTradingIndicator'], 'false'],
  [['main', 'optionTradingLevel'], '4'],
  [['primaryOwner', 'citizenshipCountry'], 'CA'],
  [['primaryOwner', 'taxIdType'], 'TaxId'],
  [['primaryOwner', 'taxIdNumber'], '412345678'],
  [['primaryOwner', 'customerId'], '1'.repeat(18)],
  [['associatedParties', 'nameType'], 'Entity'],
  [['associatedParties', 'citizenshipCountry'], 'CA'],
  [['associatedParties', 'taxIdType'], 'TaxId'],
  [['associatedParties', 'taxIdNumber'], '412345678'],
  [['additionalParty', 'taxIdNumber'], '412345678', 'associatedParties[0].taxIdNumber'],
  [['accountStatus'], 'Closed'],
  [['mailingAddressString'], 'ELSEWHERE'],
]
describe('attributes that cannot be updated', () => {
  for (const [[block = '', name], value, due] of fixed) {
    test(`are refused in every spelling, and accepted when unchanged: ${[block, name].join('.')}`, async () => {
      const before = await record()
      const { customerId } = before.associatedParties[0] ?? {}
      const change = (attribute: string, to: unknown) => {
        if (name === undefined) return { [attribute]: to }
        if (/part/i.test(block)) return { [block]: [{ customerId, [attribute]: to }] }
        return { [block]: { [attribute]: to } }
      }
      const inList = /part/i.test(block)
      const field = due ?? [inList ? `${block}[0]` : block, name].filter(Boolean).join('.')
      for (const spelled of otherNames(name ?? block)) {
        const refusal = await refusalOf(update(change(spelled, value)))
        const found = refusal.rejections.map((one) => `${one.code} ${one.field}`)
        assert.ok(found.includes(`ERR.1021 ${field}`), found.join())
        assert.equal(refusal.status, 400)
      }
      assert.deepEqual(await record(), before)
      // biome-ignore lint/suspicious/noExplicitAny: members are read by name
      const from: any = inList
        ? before.associatedParties[0]
        : name === undefined
          ? before
          : (before as never)[block]
      const { data } = await update(change(name ?? block, from[name ?? block]))
      assert.deepEqual(data, before)
    })
  }

  test('the account’s number and fields of the service cannot be set either', async () => {
    for (const field of ['tenant', 'firmId', 'status', 'createdOn', '__proto__', 'constructor']) {
      const text = `{"accountNumber":"${accountNumber}","${field}":{"polluted":true}}`
      const answer = await service.post('update-account', text)
      assert.equal(answer.status, 400, field)
      assert.equal(({} as { polluted?: unknown }).polluted, undefined)
    }
  })
})

describe('an update', () => {
  test('with one invalid field among many changes nothing', async () => {
    const before = await record()
    const refused = await rejectionsOf(
      update({
        main: { repCode: 'JC01' },
        primaryOwner: { jobTitle: 'Pilot', phoneNumberHome: '2015550999', birthDate: '1979-05-05' },
        financialProfile: { annualIncome: 'A' },
        associatedParties: [{ customerId: before.associatedParties[0]?.customerId, jobTitle: 'Pilot' }],
        mailingAddress: { postalCode: 'nonsense!' },
      }),
    )
    assert.deepEqual(refused, ['ERR.1007 mailingAddress.postalCode'])
    assert.deepEqual(await record(), before)
  })

  test('is refused with all its faults at once: shape, rules, deletions and fixed attributes', async () => {
    const refused = await rejectionsOf(
      update({
        primaryOwner: { jobTitle: '', taxIdNumber: '412345678', email: 'nowhere', birthDate: '2025-01-01' },
        nickname: 'x',
      }),
    )
    assert.deepEqual(refused, [
      'ERR.1009 primaryOwner.email',
      'ERR.1012 primaryOwner.birthDate',
      'ERR.1020 primaryOwner.jobTitle',
      'ERR.1021 primaryOwner.taxIdNumber',
      'ERR.2001 nickname',
    ])
  })

  test('must not leave a record that breaks the rules', async () => {
    const [first] = (await record()).transferOfDeathBeneficiaries
    const refused = update({
      transferOfDeathBeneficiaries: [{ customerId: first?.customerId, percentAllocation: '10' }],
    })
    assert.deepEqual(await rejectionsOf(refused), ['ERR.1015 transferOfDeathBeneficiaries'])
  })

  test('requires an open account', async () => {
    const slow = await open(service.alpha, applicationOf({ lastName: 'SLOW30' }))
    const refused = update({ primaryOwner: { jobTitle: 'x' } }, slow.accountNumber)
    const { status, rejections } = await refusalOf(refused)
    assert.equal(status, 409)
    assert.deepEqual(
      rejections.map(({ code }) => code),
      ['ERR.2011'],
    )
  })

  test('with a stale expected version is refused, and with the current version accepted', async () => {
    const { version } = await record()
    const { data } = await update({ expectedVersion: version, primaryOwner: { jobTitle: 'Baker' } })
    assert.equal(data.version, version + 1)
    const refused = await refusalOf(update({ expectedVersion: version, primaryOwner: { jobTitle: 'Cook' } }))
    assert.equal(refused.status, 409)
    assert.deepEqual(
      refused.rejections.map(({ code, field }) => [code, field]),
      [['ERR.2010', 'expectedVersion']],
    )
    assert.equal((await record()).primaryOwner.jobTitle, 'BAKER')
    const unversioned = await update({ expectedVersion: null as never, primaryOwner: { jobTitle: 'Cook' } })
    assert.equal(unversioned.data.version, version + 2, 'null counts as absent')
  })

  test('does not undo a concurrent update', async () => {
    const { version } = await record()
    const attributes = [
      'jobTitle',
      'employerName',
      'phoneNumberHome',
      'phoneNumberCell',
      'dependents',
    ] as const
    const values: Record<string, string> = {
      jobTitle: 'Tailor',
      employerName: 'Own',
      phoneNumberHome: '2015550777',
      phoneNumberCell: '2015550778',
      dependents: '3',
    }
    await Promise.all(attributes.map((name) => update({ primaryOwner: { [name]: values[name] } })))
    const after = await record()
    assert.equal(after.version, version + attributes.length)
    for (const name of attributes) assert.equal(after.primaryOwner[name], values[name]?.toUpperCase())
  })

  test('with one expected version, sent ten times concurrently, is accepted once', async () => {
    const { version } = await record()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) =>
        update({ expectedVersion: version, primaryOwner: { jobTitle: `Worker ${'ABCDEFGHIJ'[at]}` } }),
      ),
    )
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((await record()).version, version + 1)
  })
})

test('an account of new-account and an account changed later have a history with one row for each version', async () => {
  const application: Application = applicationFor('Individual')
  const number = await openAndFollow(service.alpha, application)
  for (const jobTitle of ['One', 'Two', 'Three']) await update({ primaryOwner: { jobTitle } }, number)
  assert.equal((await read(service.alpha, number)).version, 4)
})
