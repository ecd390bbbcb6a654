/** validate-account returns the result of new-account and the questions of the onboarding, and stores nothing. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { codeLists, type Data, limits, type Request } from '@clearing/protocol'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { address, applicationFor, applicationOf, fullApplication, newTaxId } from './applications.ts'
import { follow, open, refusalOf, rejectionsOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

type Application = Request<'new-account'>

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

async function validate(application: Application) {
  return (await service.alpha.validateAccount(application)).data
}

/** The number of rows in every table to which a submission could write. */
async function rows() {
  const tables = [
    'account',
    'account_change',
    'party',
    'onboarding',
    'audit',
    'event_row',
    'screening_match',
    'document',
  ]
  const counts = tables.map((table) => `(select count(*) from clearing.${table})`)
  const { rows: found } = await service.query(
    `select ${counts.join(', ')}, (select count(*) from graphile_worker._private_jobs)`,
  )
  return JSON.stringify(found)
}

describe('an application that is right', () => {
  for (const { value } of codeLists.registrationType) {
    test(`of type ${value} would open automatically`, async () => {
      const foreseen = await validate(applicationFor(value))
      assert.equal(foreseen.valid, true)
      assert.equal(foreseen.currentState, 'CreationComplete')
      assert.deepEqual(
        foreseen.followUps.filter(({ blocking }) => blocking),
        [],
      )
      assert.deepEqual(
        foreseen.state.map(({ status }) => status),
        Array(6).fill('Success'),
      )
    })
  }

  test('gets the title that the account will have', async () => {
    const application = fullApplication()
    const { accountName } = await validate(application)
    const { accountNumber } = await open(service.alpha, application)
    const { data } = await service.alpha.getAccount({ accountNumber })
    assert.ok('accountName' in data)
    assert.equal(accountName, data.accountName)
  })
})

test('an application that is wrong gets every error that new-account gives it', async () => {
  const wrong = {
    ...applicationOf({
      firstName: '',
      birthDate: '2999-01-01',
      taxIdNumber: '666123456',
      phoneNumberCell: '12',
    }),
    entityNumber: '999',
    mailingAddress: { ...address, stateProvince: 'ZZ' },
    beneficiaries: [{ name: 'Luis', percentageAllocation: '50' }],
    colour: 'red',
  } as unknown as Application
  const given = await rejectionsOf(service.alpha.validateAccount(wrong))
  assert.ok(given.length >= 6, given.join())
  assert.deepEqual(given, await rejectionsOf(service.alpha.newAccount(wrong)))
})

describe('the expected questions', () => {
  const cases: [what: string, application: () => Application][] = [
    [
      'a box alone as legal address',
      () => applicationOf({ legalAddress: { ...address, street: 'PO Box 12' } }),
    ],
    ['a person who is very old', () => applicationOf({ birthDate: '1901-01-01' })],
    [
      'an address in a sanctioned country',
      () =>
        applicationOf({
          phoneRegionCell: '53',
          legalAddress: { street: '1 Calle', city: 'Havana', country: 'CU' },
        }),
    ],
    [
      'a person on the fictitious list',
      () => applicationOf({ firstName: 'Ruslan', lastName: 'Zerkalov', birthDate: '1968-08-12' }),
    ],
    ...['2', '3', '4', '5', '6', '7'].map((last): [string, () => Application] => [
      `the magic tax id 00000000${last}`,
      () => applicationOf({ taxIdNumber: `00000000${last}` }),
    ]),
    ['the magic tax id that is rejected', () => applicationOf({ taxIdNumber: '000000001' })],
    ['the magic tax id whose creation fails', () => applicationOf({ taxIdNumber: '000000009' })],
  ]
  for (const [what, application] of cases) {
    test(`of ${what} are those that the onboarding asks`, async () => {
      const asked = application()
      const foreseen = await validate(asked)
      const { accountNumber } = await open(service.alpha, asked)
      const real = await follow(service.alpha, accountNumber)
      assert.equal(foreseen.currentState, real.currentState)
      assert.deepEqual(foreseen.errorResponses, real.errorResponses)
      assert.deepEqual(foreseen.state, real.state)
      const first = real.followUps.map(({ code, kind, field, reasons, acceptedDocuments, blocking }) => ({
        code,
        kind,
        field,
        reasons,
        acceptedDocuments,
        blocking,
      }))
      assert.deepEqual(foreseen.followUps.slice(0, first.length), first)
    })
  }

  test('include the results of later stages', async () => {
    const foreseen = await validate(
      applicationOf({ taxIdNumber: '000000005', legalAddress: { ...address, street: 'P.O. Box 9' } }),
    )
    assert.equal(foreseen.currentState, 'ActionRequired')
    assert.deepEqual(
      foreseen.followUps.filter(({ blocking }) => blocking).map(({ code }) => code),
      ['FieldCorrection', 'WatchlistReview'],
    )
  })
})

test('a review that waits behind a document is predicted, and takes place when the document has arrived', async () => {
  const owner = {
    birthDate: '1901-01-01',
    phoneRegionCell: '53',
    legalAddress: { street: '1 Calle', city: 'Havana', country: 'CU' },
  }
  const foreseen = await validate(applicationOf(owner))
  assert.deepEqual(
    foreseen.followUps.filter(({ blocking }) => blocking).map(({ code }) => code),
    ['BirthDateDocument', 'IdentityReview'],
  )
  const { accountNumber } = await open(service.alpha, applicationOf(owner))
  assert.equal((await follow(service.alpha, accountNumber)).currentState, 'ActionRequired')
  const { documentId } = (
    await service.alpha.addDocument({
      documentTypeName: 'Identity Documents',
      reference: 'PASS',
      accountNumber,
      file: { name: 'scan.pdf', content: samplePdf() },
    })
  ).data
  await service.operations.operations.decideDocument({ accountNumber, documentId, decision: 'Approved' })
  const real = await follow(service.alpha, accountNumber)
  assert.equal(real.currentState, 'ManualReview')
  assert.equal(real.followUps.at(-1)?.code, 'IdentityReview')
})

test('nothing is stored: no account, number, event, audit row, match or job', async () => {
  const before = await rows()
  await validate(applicationOf({ taxIdNumber: '000000005' }))
  await validate({ ...applicationFor('JointWROS'), accountNumber: 'VALID001' })
  await rejectionsOf(service.alpha.validateAccount(applicationOf({ lastName: '' })))
  assert.equal(await rows(), before)
  const { data } = await service.alpha.newAccount({
    ...applicationFor('Individual'),
    accountNumber: 'VALID001',
  })
  assert.ok('accountNumber' in data)
})

test('a taken number is refused in the same way for every holder; a reserved number of the firm is free', async () => {
  const reserve = { entityNumber: '301', repCode: 'JC01', registrationType: 'Individual' }
  const { accountNumber } = (await service.alpha.accountNumber(reserve)).data
  assert.equal((await validate({ ...applicationFor('Individual'), accountNumber })).valid, true)
  await service.alpha.newAccount({ ...applicationFor('Individual'), accountNumber })
  const again = validate({ ...applicationFor('Individual'), accountNumber })
  assert.deepEqual(await rejectionsOf(again), ['ERR.1014 accountNumber'])
  const { rows: foreign } = await service.query(
    "select entity_number, rep_code from clearing.entity join clearing.rep_code using (firm_id) join clearing.firm using (firm_id) where firm_id not in (select firm_id from clearing.entity where entity_number = '301') limit 1",
  )
  const theirs = {
    entityNumber: foreign[0].entity_number,
    repCode: foreign[0].rep_code,
    registrationType: 'Individual',
  }
  const { data } = await service.beta.accountNumber(theirs)
  const taken = validate({ ...applicationFor('Individual'), accountNumber: data.accountNumber })
  assert.deepEqual(await rejectionsOf(taken), ['ERR.1014 accountNumber'])
})

test('a possible duplicate is reported', async () => {
  const owner = { taxIdNumber: newTaxId() }
  const { accountNumber } = await open(service.alpha, applicationOf(owner))
  const { possibleDuplicates } = await validate(applicationOf(owner, { main: { repCode: 'JC02' } }))
  assert.deepEqual(possibleDuplicates, [accountNumber])
})

describe('an unavailable account number', () => {
  const named = (accountNumber: string) => ({ ...applicationFor('JointWROS'), accountNumber })
  const refusalsOf = async (call: Promise<unknown>) => {
    const { status, rejections } = await refusalOf(call)
    return { status, rejections }
  }
  const refusals = async () => {
    const { data } = await service.operations.operations.listAudit({
      action: 'account-number-refused',
      size: 100,
    } as never)
    return (data as Data<'list-audit'>).rows
  }

  test('is refused in the same words for every holder, by new-account as by validate-account, and recorded', async () => {
    const other = { ...named('OTHER001'), entityNumber: '302', main: { repCode: 'BB01' } }
    await service.beta.newAccount(other as never)
    await service.alpha.newAccount(named('MINE0001') as never)
    const { data: reserved } = await service.beta.accountNumber({
      entityNumber: '302',
      repCode: 'BB01',
      registrationType: 'JointWROS',
    })
    const answers: unknown[] = []
    for (const number of ['OTHER001', 'MINE0001', reserved.accountNumber]) {
      answers.push(await refusalsOf(service.alpha.newAccount(named(number))))
      answers.push(await refusalsOf(service.alpha.validateAccount(named(number))))
    }
    for (const answer of answers) assert.deepEqual(answer, answers[0])
    const targets = (await refusals()).map(({ target }) => target)
    for (const number of ['OTHER001', 'MINE0001', reserved.accountNumber])
      assert.equal(targets.filter((target) => target === number).length, 2, number)
  })

  test('is limited for a firm and hour: then a free number is refused like a taken one, and a reserved one is not', async () => {
    await service.alpha.sandbox.freezeClock({})
    const before = (await refusals()).length
    for (let count = before; count < limits.refusedNumbersPerHourMax; count += 1)
      await refusalOf(service.alpha.validateAccount(named('OTHER001')))
    const taken = await refusalsOf(service.alpha.validateAccount(named('OTHER001')))
    assert.equal(taken.status, 429)
    assert.deepEqual(await refusalsOf(service.alpha.validateAccount(named('FREE0001'))), taken)
    assert.deepEqual(await refusalsOf(service.alpha.newAccount(named('OTHER001'))), taken)
    assert.deepEqual(await refusalsOf(service.alpha.newAccount(named('FREE0001'))), taken)
    const { data } = await service.alpha.accountNumber({
      entityNumber: '301',
      repCode: 'JC01',
      registrationType: 'JointWROS',
    })
    await validate(named(data.accountNumber) as never)
    await service.alpha.newAccount(named(data.accountNumber) as never)
    await open(service.alpha, applicationFor('JointWROS'))
    const others = { ...named('MINE0001'), entityNumber: '302', main: { repCode: 'BB01' } }
    assert.equal((await refusalsOf(service.beta.validateAccount(others))).status, 400)
    await service.alpha.sandbox.advanceClock({ duration: 'PT1H' })
    await validate(named('FREE0001') as never)
  })
})
