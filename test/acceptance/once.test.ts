/**
 * A write takes effect once, however often it is sent: keys, exact repeats, concurrent duplicates (Readings 1.12, 3.6).
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { limits } from '@clearing/protocol'
import { applicationFor, newTaxId } from './applications.ts'
import { openAndFollow, read, refusalOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

async function accounts(): Promise<number> {
  return Number((await service.query('select count(*) from clearing.account')).rows[0].count)
}

async function submit(application: object, key?: string) {
  const { status, headers, json } = await service.post(
    'new-account',
    application,
    key === undefined ? {} : { 'idempotency-key': key },
  )
  return {
    status,
    data: json.data,
    errors: json.errors,
    replayed: headers.get('idempotent-replayed') === 'true',
  }
}

describe('a key', () => {
  test('returns the first response again, marked, with another trace', async () => {
    const application = applicationFor('Individual')
    const first = await service.alpha.newAccount(application, { idempotencyKey: 'k1' })
    const before = await accounts()
    const second = await service.alpha.newAccount(application, { idempotencyKey: 'k1' })
    assert.deepEqual(second.data, first.data)
    assert.deepEqual([first.replayed, second.replayed], [false, true])
    assert.notEqual(second.traceId, first.traceId)
    assert.equal(await accounts(), before)
  })

  test('ignores different spellings of the same request', async () => {
    const application = applicationFor('Individual')
    const first = await submit(application, 'k2')
    const { registrationType, entityNumber, ...rest } = application
    const respelled = { ...rest, EntityNumber: Number(entityNumber), REGISTRATIONTYPE: 'individual' }
    assert.equal(registrationType, 'Individual')
    const second = await submit(respelled, '"k2"')
    assert.deepEqual(second, { ...first, replayed: true })
  })

  test('used with another body is refused', async () => {
    await submit(applicationFor('Individual'), 'k3')
    const other = service.alpha.newAccount(applicationFor('Individual'), { idempotencyKey: 'k3' })
    const { status, rejections } = await refusalOf(other)
    assert.deepEqual([status, rejections.map(({ code }) => code)], [422, ['ERR.2008']])
  })

  test('of a refused request is free for the corrected one', async () => {
    const application = applicationFor('Individual')
    assert.equal((await submit({ ...application, main: { repCode: 'ZZ99' } }, 'k4')).status, 400)
    const corrected = await submit(application, 'k4')
    assert.deepEqual([corrected.status, corrected.replayed], [200, false])
  })

  test('belongs to one operation and one client', async () => {
    const application = applicationFor('Individual')
    const accountNumber = await openAndFollow(service.alpha, application)
    const change = { accountNumber, primaryOwner: { jobTitle: 'Clerk' } }
    const first = await service.alpha.updateAccount(change, { idempotencyKey: 'k5' })
    assert.equal(first.replayed, false)
    const reserve = { entityNumber: '302', repCode: 'BB01', registrationType: 'Individual' }
    assert.equal((await service.beta.accountNumber(reserve, { idempotencyKey: 'k5' })).replayed, false)
    const again = await service.alpha.updateAccount(change, { idempotencyKey: 'k5' })
    assert.deepEqual([again.replayed, again.data.version], [true, first.data.version])
  })

  test('returns the first response, even if the record has changed since', async () => {
    const accountNumber = await openAndFollow(service.alpha, applicationFor('Individual'))
    const set = (jobTitle: string, idempotencyKey: string) =>
      service.alpha.updateAccount({ accountNumber, primaryOwner: { jobTitle } }, { idempotencyKey })
    const first = await set('One', 'k6')
    await set('Two', 'k7')
    assert.deepEqual((await set('One', 'k6')).data, first.data)
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.jobTitle, 'TWO')
  })

  for (const [what, key, status] of [
    ['255 characters', 'x'.repeat(limits.idempotencyKeyLengthMax), 200],
    ['256 characters', 'x'.repeat(limits.idempotencyKeyLengthMax + 1), 400],
    ['nothing', '""', 400],
  ] as const) {
    test(`of ${what} is refused with ${status}`, async () => {
      assert.equal((await submit(applicationFor('Individual'), key)).status, status)
    })
  }

  test('sent forty times concurrently creates one account', async () => {
    const application = applicationFor('Individual')
    const before = await accounts()
    const answers = await Promise.all(Array.from({ length: 40 }, () => submit(application, 'forty')))
    const numbers = new Set(
      answers.filter(({ status }) => status === 200).map(({ data }) => data.message.accountNumber),
    )
    assert.equal(numbers.size, 1)
    for (const { status, errors } of answers)
      assert.ok(status === 200 || (status === 409 && errors[0].code === 'ERR.2009'), `${status}`)
    assert.equal(await accounts(), before + 1)
  })
})

describe('without a key', () => {
  test('an exact repeat gets the first response, marked', async () => {
    const application = applicationFor('IraRoth')
    const first = await submit(application)
    const second = await submit(application)
    assert.deepEqual(second, { ...first, replayed: true })
  })

  test('forty concurrent requests create one account, five times in a row', async () => {
    for (let round = 0; round < 5; round++) {
      const application = applicationFor('Individual')
      const before = await accounts()
      const answers = await Promise.all(Array.from({ length: 40 }, () => submit(application)))
      const made = answers.filter(({ status }) => status === 200)
      assert.equal(new Set(made.map(({ data }) => data.message.accountNumber)).size, 1)
      assert.equal(await accounts(), before + 1)
    }
  })

  test('a repeat by another credential of the firm, or another firm, is a separate submission', async () => {
    const application = applicationFor('Individual')
    const first = await submit(application)
    const ofBeta = { ...application, entityNumber: '302', main: { repCode: 'BB01' } }
    const { data } = await service.beta.newAccount(ofBeta)
    assert.ok('message' in data)
    assert.notEqual(data.message.accountNumber, first.data.message.accountNumber)
  })

  test('after ten minutes the same submission creates another account, flagged as a possible duplicate', async () => {
    const application = applicationFor('Individual')
    const first = await submit(application)
    await service.query(
      "update clearing.idempotency set expires_at = now() - interval '1 second' where kind = 'repeat'",
    )
    const second = await submit(application)
    assert.equal(second.replayed, false)
    assert.notEqual(second.data.message.accountNumber, first.data.message.accountNumber)
  })

  test('the same person with other contents is a second account', async () => {
    const application = applicationFor('Individual')
    const first = await submit(application)
    const second = await submit({ ...application, main: { repCode: 'JC02' } })
    assert.deepEqual([second.status, second.replayed], [200, false])
    assert.notEqual(second.data.message.accountNumber, first.data.message.accountNumber)
  })
})

describe('a lost response', () => {
  test('after its commit is recovered by the client’s own retry, with one effect', async () => {
    const before = await accounts()
    const { data, replayed } = await service.alpha.newAccount(applicationFor('Individual'), {
      sandboxFault: 'drop-after-commit',
    })
    assert.ok('message' in data)
    assert.equal(replayed, true)
    assert.equal(await accounts(), before + 1)
  })

  test('of an update, a reservation and a document has one effect too', async () => {
    const accountNumber = await openAndFollow(service.alpha, applicationFor('Individual'))
    const sandboxFault = 'drop-after-commit'
    const { data } = await service.alpha.updateAccount(
      { accountNumber, primaryOwner: { jobTitle: 'Clerk' } },
      { sandboxFault },
    )
    assert.equal(data.version, 2)
    const before = await accounts()
    const reserve = { entityNumber: '301', repCode: 'JC01', registrationType: 'Individual' }
    await service.alpha.accountNumber(reserve, { sandboxFault })
    assert.equal(await accounts(), before + 1)
  })

  for (const fault of ['500', '503', '429'] as const) {
    test(`caused by the requested fault ${fault} changes nothing, and the client retries`, async () => {
      const application = applicationFor('Individual', { main: { repCode: 'JC02' } })
      const before = await accounts()
      await assert.rejects(service.alpha.newAccount(application, { sandboxFault: fault, retries: 0 }))
      assert.equal(await accounts(), before)
      await service.alpha.newAccount(application, { sandboxFault: fault })
      assert.equal(await accounts(), before + 1)
    })
  }

  test('the client waits for slow responses', async () => {
    const startedMs = performance.now()
    await service.alpha.codeLists({ name: 'scope' }, { sandboxFault: 'slow=300' })
    assert.ok(performance.now() - startedMs >= 290)
  })
})

describe('a firm’s setting for possible duplicates', () => {
  const setPolicy = async (duplicateApplications: string) => {
    const { data } = await service.operations.operations.listFirms({})
    const firmId = data.firms.find(({ name }) => name === 'Beta Brokerage')?.firmId ?? ''
    await service.operations.operations.updateFirm({ firmId, settings: { duplicateApplications } })
  }
  const twice = async () => {
    const taxIdNumber = newTaxId()
    const application = applicationFor('Individual', { entityNumber: '302', main: { repCode: 'BB01' } })
    const person = { ...application, primaryOwner: { ...application.primaryOwner, taxIdNumber } }
    await openAndFollow(service.beta, person)
    return { ...person, mailingAddress: { ...person.mailingAddress, postalCode: '07303' } }
  }

  test('refuse: the second application is a conflict', async () => {
    await setPolicy('Refuse')
    const second = await twice()
    // Another instance may still have the previous setting in memory for a moment.
    const refusal = await refusalOf(service.beta.newAccount(second))
    assert.deepEqual([refusal.status, refusal.rejections.map(({ code }) => code)], [409, ['ERR.2012']])
  })

  test('review: operations decide', async () => {
    await setPolicy('review')
    const second = await twice()
    const accountNumber = await openAndFollow(service.beta, second)
    const { data } = await service.beta.onboardingResult({ accountNumber })
    assert.equal(data.currentState, 'ManualReview')
    assert.deepEqual(
      data.followUps.map(({ code }) => code),
      ['DuplicateReview'],
    )
  })
})
