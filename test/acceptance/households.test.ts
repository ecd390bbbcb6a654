/** open-accounts: several applications in one request, each with its result, and persons that are defined once. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Data, Request } from '@clearing/protocol'
import { address, applicationFor, applicationOf, newTaxId } from './applications.ts'
import { follow, read, refusalOf, rejectionsOf } from './calling.ts'
import { signIn } from './person.ts'
import { type RunningService, startRunningService } from './running-service.ts'

type Batch = Request<'open-accounts'>
type Results = Data<'open-accounts'>

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

async function send(batch: object): Promise<Results> {
  return (await service.alpha.openAccounts(batch as Batch)).data
}
function rejections({ results }: Results) {
  return results.map(({ errors }) => errors.map(({ code, field }) => `${code} ${field}`).sort())
}
async function countAccounts() {
  return Number((await service.query('select count(*) from clearing.account')).rows[0].count)
}

function person(name: string, firstName: string, more: object = {}) {
  return {
    person: name,
    firstName,
    lastName: 'Moreno',
    citizenshipCountry: 'US',
    birthDate: '1984-09-30',
    legalAddress: {},
    taxIdType: 'SSN',
    taxIdNumber: newTaxId(),
    phoneNumberCell: '2015550145',
    ...more,
  }
}
function account(registrationType: string, blocks: object) {
  return {
    registrationType,
    entityNumber: '301',
    main: { repCode: 'JC01' },
    mailingAddress: address,
    electronicDelivery: { email: 'ada.moreno@example.com', statements: 'true' },
    ...blocks,
  }
}

test('a household opens: each account by itself, each person one customer', async () => {
  const data = await send({
    persons: [person('ada', 'Ada', { occupation: 'Retired' }), person('luis', 'Luis')],
    accounts: [
      account('Individual', { primaryOwner: { person: 'ADA' } }),
      account('IraRoth', {
        primaryOwner: { person: 'luis', jobTitle: 'Cook' },
        retirementBenes: [{ person: 'ada', relationship: 'Spouse', percentAllocation: '100' }],
      }),
      account('JointWROS', {
        PrimaryOwner: { Person: 'ada' },
        associatedParties: [{ person: 'luis', role: 'Secondary' }],
        beneficiaries: [{ name: 'Eva Moreno', relationship: 'Child', percentageAllocation: '100' }],
      }),
    ],
  })
  assert.equal(data.accepted, 3)
  assert.equal(data.rejected, 0)
  assert.deepEqual(
    data.results.map(({ accountName, accountStatus }) => [accountName, accountStatus]),
    [
      ['ADA MORENO', 'Pending'],
      ['LUIS MORENO ROTH IRA', 'Pending'],
      ['A MORENO & L MORENO JTWROS', 'Pending'],
    ],
  )
  for (const { accountNumber } of data.results) {
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
  }
  const [own, ira, joint] = await Promise.all(
    data.results.map(({ accountNumber }) => read(service.alpha, accountNumber)),
  )
  assert.equal(own?.primaryOwner.occupation, 'Retired')
  assert.equal(ira?.primaryOwner.jobTitle, 'COOK')
  assert.equal(own?.primaryOwner.customerId, joint?.primaryOwner.customerId)
  assert.equal(ira?.primaryOwner.customerId, joint?.associatedParties[0]?.customerId)
  assert.equal(ira?.retirementBenes[0]?.name3, 'MORENO')
  assert.equal(ira?.retirementBenes[0]?.taxId, own?.primaryOwner.taxIdNumber)
  assert.equal(joint?.associatedParties[0]?.jobTitle, '')
})

test('a person may have several roles in an account', async () => {
  const entity = (name: string) => ({
    person: name,
    nameType: 'Entity',
    name1: 'Moreno Marine',
    citizenshipCountry: 'US',
    legalAddress: {},
    taxIdType: 'TaxId',
    taxIdNumber: `2239${newTaxId().slice(-5)}`,
    phoneNumberBusiness: '9735550170',
  })
  const parties = (...roles: string[]) => roles.map((role) => ({ person: 'ada', role }))
  const beneficiary = { person: 'luis', percentAllocation: '100' }
  const data = await send({
    persons: [person('ada', 'Ada'), person('luis', 'Luis'), entity('company'), entity('trust')],
    accounts: [
      account('Llc', {
        primaryOwner: { person: 'company' },
        associatedParties: parties('ControlPerson', 'BeneficialOwner'),
      }),
      account('Trust', {
        primaryOwner: { person: 'trust' },
        associatedParties: parties('Trustee', 'Grantor', 'Beneficiary'),
      }),
      account('IraRoth', {
        primaryOwner: { person: 'ada' },
        associatedParties: [{ person: 'luis', role: 'PowerOfAttorney' }],
        retirementBenes: [beneficiary, { ...beneficiary, primaryContingent: 'Contingent' }],
      }),
      account('Individual', {
        primaryOwner: { person: 'ada' },
        transferOfDeathBeneficiaries: [{ person: 'ada', percentAllocation: '100' }],
      }),
    ],
  })
  assert.deepEqual(rejections(data), [[], [], [], ['ERR.1014 transferOfDeathBeneficiaries[0].taxId']])
  const records = await Promise.all(
    data.results.slice(0, 3).map(({ accountNumber }) => read(service.alpha, accountNumber)),
  )
  const ids = records.map(({ associatedParties }) => associatedParties.map(({ customerId }) => customerId))
  assert.deepEqual(
    ids.map((of) => new Set(of).size),
    [2, 3, 1],
  )
  assert.equal(ids[0]?.[0], ids[1]?.[0])
  assert.equal(ids[0]?.[0], records[2]?.primaryOwner.customerId)
})

describe('an application that is refused', () => {
  const right = () => applicationFor('Individual')
  test('does not affect the others, and gets the response of new-account', async () => {
    const wrong = { ...applicationOf({ lastName: '', birthDate: '1850-01-01' }), colour: 'red' }
    const data = await send({ accounts: [right(), wrong, 7, right()] })
    assert.deepEqual(
      data.results.map(({ outcome }) => outcome),
      ['Accepted', 'Rejected', 'Rejected', 'Accepted'],
    )
    const alone = await rejectionsOf(service.alpha.newAccount(wrong as never))
    assert.deepEqual(rejections(data)[1], alone)
    assert.deepEqual(data.results[1], {
      position: 1,
      outcome: 'Rejected',
      accountNumber: '',
      accountName: '',
      accountStatus: '',
      errors: data.results[1]?.errors,
    })
    const { rows } = await service.query('select detail from clearing.audit where account_number = $1', [
      data.results[3]?.accountNumber,
    ])
    assert.equal(rows.length >= 1, true)
  })

  test('stops the others when all or none were requested', async () => {
    const before = await countAccounts()
    const batch = {
      accounts: [right(), applicationOf({ lastName: '' }), { ...right(), entityNumber: '999' }],
      allOrNone: true,
    }
    assert.deepEqual(await rejectionsOf(send(batch)), [
      'ERR.1000 accounts[1].primaryOwner.lastName',
      'ERR.1001 accounts[2].entityNumber',
    ])
    assert.equal(await countAccounts(), before)
    assert.equal((await send({ accounts: [right(), right()], allOrNone: 'TRUE' })).accepted, 2)
  })

  test('may be one with a number that an earlier application of the batch took', async () => {
    const accountNumber = 'BATCH001'
    const data = await send({
      accounts: [
        { ...right(), accountNumber },
        { ...right(), accountNumber },
      ],
    })
    assert.deepEqual(rejections(data), [[], ['ERR.1014 accountNumber']])
  })

  test('may be one that names an undefined person', async () => {
    const batch = {
      persons: [person('ada', 'Ada')],
      accounts: [account('Individual', { primaryOwner: { person: 'eva' } })],
    }
    assert.ok(rejections(await send(batch))[0]?.includes('ERR.1015 primaryOwner.person'))
  })
})

describe('a request that is refused as a whole', () => {
  test('because a person of the household cannot be read, or two have one name', async () => {
    const accounts = [account('Individual', { primaryOwner: { person: 'ada' } })]
    const unreadable = [person('ada', 'Ada', { birthDate: 'May' })]
    assert.deepEqual(await rejectionsOf(send({ persons: unreadable, accounts })), [
      'ERR.1012 persons[0].birthDate',
    ])
    const twice = [person('ada', 'Ada'), person('Ada', 'Adam')]
    assert.deepEqual(await rejectionsOf(send({ persons: twice, accounts })), ['ERR.1014 persons[1].person'])
  })

  test('because there are none, or too many', async () => {
    assert.ok((await refusalOf(send({ accounts: [] }))).has('ERR.1000'))
    assert.ok((await refusalOf(send({ accounts: Array(101).fill({}) }))).has('ERR.1015'))
  })
})

test('a hundred accounts open in one request', async () => {
  const data = await send({ accounts: Array.from({ length: 100 }, () => applicationFor('Individual')) })
  assert.equal(data.accepted, 100)
  assert.equal(new Set(data.results.map(({ accountNumber }) => accountNumber)).size, 100)
})

test('sent again gets the first response, with its key and without', async () => {
  const batch = { accounts: [applicationFor('Individual'), applicationOf({ lastName: '' })] }
  const first = await service.post('open-accounts', batch, { 'idempotency-key': 'household-1' })
  const before = await countAccounts()
  const again = await service.post('open-accounts', batch, { 'idempotency-key': 'household-1' })
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(again.json.data, first.json.data)
  const without = await service.post('open-accounts', batch)
  assert.deepEqual(without.json.data, first.json.data)
  assert.equal(await countAccounts(), before)
})

describe('an application is stored as it was sent', () => {
  const reveal = {
    'x-clearing-reveal': 'personal-numbers',
    'x-clearing-reveal-reason': 'The firm disputes the name',
  }

  test('letter by letter, beside its interpretation', async () => {
    const sent = `{ "RegistrationType": "individual",\n${JSON.stringify({ ...applicationFor('Individual'), registrationType: undefined }).slice(1)}`
    const answer = await service.post('new-account', sent)
    const { accountNumber } = answer.json.data.message
    const operator = await signIn(service, 'operator@example.com')
    const whole = (await operator.call('get-application', { accountNumber }, reveal)).json.data
    assert.equal(whole.text, sent)
    const { taxIdNumber } = JSON.parse(sent).primaryOwner
    type Row = Record<string, string>
    const rows = (data: { fields: Row[] }) => new Map(data.fields.map((row) => [row.field, row]))
    assert.deepEqual(rows(whole).get('registrationType'), {
      field: 'registrationType',
      sentAs: 'RegistrationType',
      sent: 'individual',
      understood: 'Individual',
    })
    assert.deepEqual(rows(whole).get('primaryOwner.taxIdNumber'), {
      field: 'primaryOwner.taxIdNumber',
      sentAs: 'primaryOwner.taxIdNumber',
      sent: taxIdNumber,
      understood: taxIdNumber,
    })
    const masked = (await operator.call('get-application', { accountNumber })).json.data
    assert.ok(!JSON.stringify(masked).includes(taxIdNumber))
    assert.equal(rows(masked).get('primaryOwner.taxIdNumber')?.sent, `*****${taxIdNumber.slice(5)}`)
    const viewer = await signIn(service, 'viewer@example.com')
    assert.equal((await viewer.call('get-application', { accountNumber }, reveal)).status, 403)
    const readings = (await operator.call('list-readings', { accountNumber })).json.data.readings
    assert.deepEqual(
      readings.map(({ operation, reason }: Record<string, string>) => [operation, reason]),
      [['get-application', 'The firm disputes the name']],
    )
    const { rows: kept } = await service.query(
      "select count(*) from clearing.account_change where encode(sent, 'escape') like '%' || $1 || '%'",
      [taxIdNumber],
    )
    assert.equal(Number(kept[0].count), 0)
  })

  test('each account of a household shows its own part, whichever came first', async () => {
    const batch = {
      persons: [person('ada', 'Ada'), person('luis', 'Luis'), person('eva', 'Eva')],
      accounts: [
        account('Individual', { primaryOwner: { person: 'nobody' } }),
        account('Individual', { primaryOwner: { person: 'ADA' } }),
        account('Individual', { primaryOwner: { person: 'luis', jobTitle: 'Cook' } }),
      ],
    }
    const { results } = await send(batch)
    const operator = await signIn(service, 'operator@example.com')
    for (const [at, index] of [
      [1, 0],
      [2, 1],
    ] as const) {
      const accountNumber = results[at]?.accountNumber ?? ''
      const { text, operation } = (await operator.call('get-application', { accountNumber }, reveal)).json
        .data
      assert.equal(operation, 'open-accounts')
      assert.deepEqual(JSON.parse(text), { persons: [batch.persons[index]], account: batch.accounts[at] })
    }
    const { fields } = (await operator.call('get-application', { accountNumber: results[2]?.accountNumber }))
      .json.data
    const sent = (field: string) => fields.find((row: { field: string }) => row.field === field)
    assert.equal(sent('primaryOwner.jobTitle').understood, 'COOK')
    assert.equal(sent('persons[0].firstName').sent, 'Luis')
  })

  test('applications of an earlier release, and all of another firm, are not found', async () => {
    const { results } = await send({ accounts: [applicationFor('Individual')] })
    const [{ accountNumber = '' } = {}] = results
    await service.query('update clearing.account_change set sent = null where account_number = $1', [
      accountNumber,
    ])
    const operator = await signIn(service, 'operator@example.com')
    const { status, json } = await operator.call('get-application', { accountNumber })
    assert.deepEqual([status, json.errors[0].code], [404, 'ERR.2013'])
  })
})

test('a person whom no account names is refused, and no account is opened', async () => {
  const before = await countAccounts()
  const batch = (owner: object) => ({
    persons: [person('ada', 'Ada'), person('luis', 'Luis')],
    accounts: [account('Individual', { primaryOwner: owner })],
  })
  assert.deepEqual(await rejectionsOf(send(batch({ person: ' ADA' }))), ['ERR.1015 persons[1].person'])
  assert.equal(await countAccounts(), before)
  const refused = await send({
    ...batch({ person: 'ada' }),
    accounts: [
      account('Individual', { primaryOwner: { person: 'ada' } }),
      account('NoSuchType', { primaryOwner: { person: 'luis' } }),
    ],
  })
  assert.deepEqual([refused.accepted, refused.rejected], [1, 1], 'a name in a refused account counts')
})
