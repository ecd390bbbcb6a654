/** Opens accounts as a client firm does: only through the sdk, from the first token to the open account. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { codeLists } from '@clearing/protocol'
import { type Application, address, applicationFor, applicationOf, newTaxId } from './applications.ts'
import { follow as followOf, open as openOf, read, readShape1, refusalOf, rejectionsOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

function open(application: Application) {
  return openOf(service.alpha, application)
}
function follow(accountNumber: string) {
  return followOf(service.alpha, accountNumber)
}

/** The usual case takes a tenth of the promised two seconds, but the machine of the tests may be busy. */
const completeWithinMs = 20_000

describe('a token', () => {
  for (const path of ['/identity/connect/token', '/auth/token']) {
    test(`is issued at ${path}, outside the envelope, for ten hours`, async () => {
      const body = new URLSearchParams({ client_id: 'alpha', client_secret: 'alpha-sandbox-secret' })
      const { status, headers, json } = await service.send(path, { body })
      assert.equal(status, 200)
      assert.equal(json.token_type, 'Bearer')
      assert.equal(json.expires_in, 36_000)
      assert.equal(json.access_token.split('.').length, 3)
      assert.equal('statusCode' in json, false)
      assert.match(headers.get('cache-control') ?? '', /no-store/)
    })
  }
})

describe('a number', () => {
  test('is reserved, named by a shape 2 application, and returned with the submitted blocks', async () => {
    const reserved = await service.alpha.accountNumber({
      entityNumber: '301',
      repCode: 'JC02',
      registrationType: 'Individual',
    })
    const { accountNumber, accountStatus } = reserved.data
    assert.match(accountNumber, /^[0-9]{8}$/)
    assert.equal(accountStatus, 'Reserved')
    const application = applicationFor('Individual', {
      accountNumber,
      entityNumber: 301,
      main: { repCode: 'JC02' },
      electronicDelivery: {},
      financialProfile: {},
      trustedContact: {},
    })
    const { data } = await service.alpha.newAccount(application)
    assert.ok(!('message' in data))
    assert.equal(data.accountNumber, accountNumber)
    assert.equal(data.entityNumber, '301')
    assert.equal(data.registrationType, 'Individual')
    assert.equal(data.primaryOwner.name1, 'ADA')
    assert.equal(data.primaryOwner.name3, 'MORENO')
    assert.deepEqual(data.trustedContact, {})
    assert.equal((await follow(accountNumber)).currentState, 'CreationComplete')
    assert.deepEqual(
      await rejectionsOf(
        service.alpha.newAccount({
          ...application,
          primaryOwner: { ...application.primaryOwner, taxIdNumber: newTaxId() },
        } as never),
      ),
      ['ERR.1014 accountNumber'],
    )
  })

  test('of eight free characters is assigned as requested, in any letter case, once', async () => {
    const application = applicationFor('Individual', { accountNumber: 'zx81qw00' })
    const { data } = await service.alpha.newAccount(application)
    assert.ok(!('message' in data))
    assert.equal(data.accountNumber, 'ZX81QW00')
    assert.equal((await follow('zX81qW00')).accountNumber, 'ZX81QW00')
  })

  test('that another firm holds is taken, and the response is the same as for a number of the own firm', async () => {
    const { data } = await service.beta.accountNumber({
      entityNumber: '302',
      repCode: 'BB01',
      registrationType: 'Individual',
    })
    const taken = await rejectionsOf(
      service.alpha.newAccount(applicationFor('Individual', { accountNumber: data.accountNumber })),
    )
    assert.deepEqual(taken, ['ERR.1014 accountNumber'])
  })

  test('reserved and never used is reported as not open, and has no onboarding', async () => {
    const { data } = await service.alpha.accountNumber({
      entityNumber: '301',
      repCode: 'JC01',
      registrationType: 'JointWROS',
    })
    const { accountNumber } = data
    assert.deepEqual(await rejectionsOf(service.alpha.onboardingResult({ accountNumber })), [
      'ERR.2003 accountNumber',
    ])
    const updated = service.alpha.updateAccount({
      accountNumber,
      electronicDelivery: { email: 'a@example.com' },
    })
    assert.equal((await rejectionsOf(updated)).length, 1)
  })
})

describe('an application', () => {
  test('gets a response in shape 1 with a number of the service, is readable at once, and completes within seconds', async () => {
    const startedMs = performance.now()
    const { accountNumber, ...record } = await open(applicationFor('Individual'))
    assert.match(accountNumber, /^[0-9]{8}$/)
    assert.equal(record.entityNumber, undefined)
    assert.equal(record.primaryOwner.firstName, 'ADA')
    const [result, account] = await Promise.all([
      service.alpha.onboardingResult({ accountNumber }),
      read(service.alpha, accountNumber),
    ])
    assert.equal(result.data.accountNumber, accountNumber)
    assert.ok(['Pending', 'Open'].includes(account.accountStatus))
    const done = await follow(accountNumber)
    assert.equal(done.currentState, 'CreationComplete')
    assert.ok(performance.now() - startedMs < completeWithinMs)
    assert.deepEqual(done.errorResponses, [])
    assert.match(done.correlationId, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/)
    assert.match(done.createdOn, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/)
    assert.match(done.lastUpdated, /\.\d+Z$/)
    assert.ok(done.lastUpdated >= done.createdOn)
    assert.deepEqual(
      done.state.map(({ code, status }) => `${code} ${status}`),
      [
        'IdentityCheck Success',
        'WatchlistCheck Success',
        'AccountCreation Success',
        'MailingAddress Success',
        'TrustedContact Success',
        'ElectronicDelivery Success',
      ],
    )
    assert.equal(done.history.at(-1)?.to, 'CreationComplete')
    assert.equal((await read(service.alpha, accountNumber)).accountStatus, 'Open')
  })

  test('can be read back directly after its response, a hundred times out of a hundred', async () => {
    const misses: string[] = []
    for (let round = 0; round < 5; round++) {
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const { accountNumber } = await open(applicationFor('Individual'))
          await Promise.all([
            service.alpha.getAccount({ accountNumber }),
            service.alpha.onboardingResult({ accountNumber }),
          ]).catch(() => misses.push(accountNumber))
        }),
      )
    }
    assert.deepEqual(misses, [])
  })

  const names: Partial<Record<string, string>> = {
    Individual: 'ADA MORENO',
    IndividualJointForeign: 'AMELIE TREMBLAY',
    JointWROS: 'N HADDAD & S HADDAD JTWROS',
    JointTIC: 'N HADDAD & S HADDAD JT TIC',
    JointCP: 'N HADDAD & S HADDAD COMM PROP',
    IraTraditional: 'ADA MORENO IRA',
    IraRoth: 'ADA MORENO ROTH IRA',
  }
  for (const { value: registrationType, group } of codeLists.registrationType) {
    test(`for ${registrationType} is opened`, async () => {
      const { accountNumber, ...submitted } = await open(applicationFor(registrationType))
      assert.equal(submitted.registrationType, registrationType)
      const done = await follow(accountNumber)
      assert.equal(done.currentState, 'CreationComplete', JSON.stringify(done.followUps))
      const data = await read(service.alpha, accountNumber)
      assert.equal(data.accountStatus, 'Open')
      assert.equal(data.registrationType, registrationType)
      if (names[registrationType] !== undefined) assert.equal(data.accountName, names[registrationType])
      assert.equal(data.retirementBenes.length, group === 'ira' ? 1 : 0)
      const people = [data.primaryOwner, ...data.associatedParties]
      for (const { customerId } of people) assert.match(customerId ?? '', /^[0-9]{18}$/)
      assert.equal(new Set(people.map(({ customerId }) => customerId)).size, people.length)
      const shape1 = await readShape1(service.alpha, accountNumber)
      assert.equal(shape1.entityNumber, '301')
      assert.equal(shape1.beneficiaries.length, group === 'ira' ? 1 : 0)
    })
  }

  const missing: [what: string, application: () => object, due: string[]][] = [
    [
      'nothing at all',
      () => ({}),
      [
        'ERR.1000 electronicDelivery',
        'ERR.1000 entityNumber',
        'ERR.1000 mailingAddress',
        'ERR.1000 main',
        'ERR.1000 primaryOwner',
        'ERR.1000 registrationType',
      ],
    ],
    [
      'a joint registration alone',
      () => ({ ...applicationFor('JointWROS'), associatedParties: [] }),
      ['ERR.1000 associatedParties'],
    ],
    [
      'an IRA without beneficiaries',
      () => ({ ...applicationFor('IraRoth'), retirementBenes: undefined }),
      ['ERR.1000 retirementBenes'],
    ],
    [
      'a foreign owner without an id',
      () => applicationOf({ citizenshipCountry: 'FR' }),
      ['ERR.1000 primaryOwner.governmentIdentification.governmentId1'],
    ],
    [
      'a foreign owner whose first id is a driver’s license',
      () =>
        applicationOf({
          citizenshipCountry: 'FR',
          governmentIdentification: { governmentId1: { idType: 'DriversLicense', idNumber: '77X' } },
        }),
      ['ERR.1015 primaryOwner.governmentIdentification.governmentId1.idType'],
    ],
    [
      'community property outside its states',
      () => applicationFor('JointCP', { mailingAddress: address }),
      ['ERR.1015 registrationType'],
    ],
    [
      'an owner of seventeen',
      () => applicationOf({ birthDate: `${new Date().getUTCFullYear() - 17}-01-01` }),
      ['ERR.1012 primaryOwner.birthDate'],
    ],
    [
      'an adult as the minor',
      () => {
        const application = applicationFor('CustodialUtma')
        return { ...application, primaryOwner: { ...application.primaryOwner, birthDate: '1980-01-01' } }
      },
      ['ERR.1012 primaryOwner.birthDate'],
    ],
    [
      'two custodians',
      () => {
        const application = applicationFor('CustodialUgma')
        const [one] = application.associatedParties ?? []
        return { ...application, associatedParties: [one, { ...one, taxIdNumber: newTaxId() }] }
      },
      ['ERR.1015 associatedParties'],
    ],
    [
      'a person as a corporation',
      () => ({ ...applicationFor('Corporation'), primaryOwner: applicationFor('Individual').primaryOwner }),
      ['ERR.1015 primaryOwner.nameType'],
    ],
    [
      'one person twice',
      () => {
        const application = applicationFor('JointTIC')
        const { taxIdNumber } = application.primaryOwner
        return {
          ...application,
          associatedParties: [{ ...application.associatedParties?.[0], taxIdNumber }],
        }
      },
      ['ERR.1014 associatedParties[0].taxIdNumber'],
    ],
    [
      'percentages that do not add up',
      () => {
        const application = applicationFor('IraSep')
        return {
          ...application,
          retirementBenes: [{ ...application.retirementBenes?.[0], percentAllocation: '99.99' }],
        }
      },
      ['ERR.1015 retirementBenes'],
    ],
    [
      'an SSN that is none',
      () => applicationOf({ taxIdNumber: '666123456' }),
      ['ERR.1016 primaryOwner.taxIdNumber'],
    ],
    [
      'no phone',
      () => applicationOf({ phoneNumberCell: undefined }),
      ['ERR.1017 primaryOwner.phoneNumberCell'],
    ],
    [
      'an id that has expired',
      () =>
        applicationOf({
          governmentIdentification: {
            governmentId1: {
              idType: 'Passport',
              idNumber: 'A1',
              idIssueDate: '2010-01-01',
              idExpiration: '2020-01-01',
            },
          },
        }),
      ['ERR.1024 primaryOwner.governmentIdentification.governmentId1.idExpiration'],
    ],
    [
      'an empty electronicDelivery in shape 1',
      () => applicationFor('Individual', { electronicDelivery: {} }),
      ['ERR.1000 electronicDelivery'],
    ],
    [
      'the entity number of another firm',
      () => applicationFor('Individual', { entityNumber: '302' }),
      ['ERR.1003 entityNumber'],
    ],
    [
      'a rep code that does not exist',
      () => applicationFor('Individual', { main: { repCode: 'ZZ99' } }),
      ['ERR.1002 main.repCode'],
    ],
  ]
  for (const [what, application, due] of missing) {
    test(`of ${what} is refused with the invalid field, and nothing is stored`, async () => {
      const before = await service.query('select count(*) from clearing.account')
      assert.deepEqual(await rejectionsOf(service.alpha.newAccount(application() as never)), due)
      const later = await service.query('select count(*) from clearing.account')
      assert.deepEqual(later.rows, before.rows)
    })
  }

  test('with an empty electronicDelivery is refused with the remedy', async () => {
    const application = applicationFor('Individual', { electronicDelivery: {} })
    const { rejections } = await refusalOf(service.alpha.newAccount(application as never))
    assert.deepEqual(
      rejections.map(({ field, reason }) => [field, reason]),
      [
        [
          'electronicDelivery',
          'Electronic delivery is required, with at least one member, such as statements false for paper.',
        ],
      ],
    )
  })

  test('with ten errors is refused with all ten at once', async () => {
    const due = await rejectionsOf(
      service.alpha.newAccount({
        ...applicationOf({
          firstName: '',
          lastName: '77',
          birthDate: '2023-02-29',
          citizenshipCountry: 'XX',
          taxIdNumber: '12',
          email: 'nowhere',
          occupation: 'Astronaught',
          phoneNumberCell: '12',
          nickname: 'Addie',
        }),
        mailingAddress: { ...address, postalCode: 'ABC' },
      } as never),
    )
    assert.deepEqual(due, [
      'ERR.1000 primaryOwner.firstName',
      'ERR.1006 primaryOwner.citizenshipCountry',
      'ERR.1007 mailingAddress.postalCode',
      'ERR.1009 primaryOwner.email',
      'ERR.1011 primaryOwner.phoneNumberCell',
      'ERR.1012 primaryOwner.birthDate',
      'ERR.1015 primaryOwner.occupation',
      'ERR.1016 primaryOwner.lastName',
      'ERR.1016 primaryOwner.taxIdNumber',
      'ERR.2001 primaryOwner.nickname',
    ])
  })

  test('of the same person with other contents is accepted, and noted as a possible duplicate', async () => {
    const application = applicationFor('Individual')
    await open(application)
    const { accountNumber } = await open({ ...application, main: { repCode: 'JC02' } })
    const done = await follow(accountNumber)
    assert.equal(done.currentState, 'CreationComplete')
    assert.match(done.state[0]?.reason ?? '', /duplicate/i)
  })

  test('stores the submitted request, with its personal numbers masked', async () => {
    const application = applicationFor('Individual')
    const { accountNumber } = await open(application)
    const { request } = await follow(accountNumber)
    const { taxIdNumber = '', birthDate = '' } = application.primaryOwner
    const text = JSON.stringify(request)
    assert.ok(text.includes(taxIdNumber.slice(-4)))
    assert.ok(!text.includes(taxIdNumber) && !text.includes(birthDate))
  })
})

test('coded lists and the catalogue of errors are served, whole and one by one', async () => {
  const { data } = await service.alpha.codeLists({})
  assert.deepEqual(data.codeLists.map(({ name }) => name).sort(), Object.keys(codeLists).sort())
  assert.ok(data.errors.length > 40)
  const one = await service.alpha.codeLists({ name: 'registrationType' })
  assert.deepEqual(
    one.data.codeLists.map(({ name }) => name),
    ['registrationType'],
  )
  assert.equal(one.data.codeLists[0]?.values.length, codeLists.registrationType.length)
})

test('the rules of account policy are served with their effect at each moment and their source', async () => {
  const { data } = await service.alpha.codeLists({ name: 'accountRule' })
  const served = data.codeLists[0]?.values ?? []
  assert.deepEqual(
    served.map(({ value, effects, source }) => [value, effects, source]),
    codeLists.accountRule.map(({ value, effects, source }) => [value, effects, source]),
  )
  for (const { source } of served) assert.notEqual(source, '')
})

test('positions and activity of an account without activity are empty and add up to zero', async () => {
  const { accountNumber } = await open(applicationFor('Individual'))
  await follow(accountNumber)
  const summary = await service.alpha.positionSummary({ accountNumber })
  assert.equal(summary.data.acctNo, accountNumber)
  assert.equal(summary.data.totalAccountValue, 0)
  assert.deepEqual(summary.data.portfolios, [])
  const activity = await service.alpha.tradeActivity({
    accountNumber,
    dateFrom: '2026-01-01',
    dateTo: '2026-12-31',
  })
  assert.deepEqual(activity.data.activity, [])
  const backwards = service.alpha.tradeActivity({
    accountNumber,
    dateFrom: '2026-12-31',
    dateTo: '2026-01-01',
  })
  assert.deepEqual(await rejectionsOf(backwards), ['ERR.1025 dateFrom'])
})
