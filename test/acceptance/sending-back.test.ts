/** Records that are sent back to update-account as they were returned, and what a change reports. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { applicationFor, applicationOf } from './applications.ts'
import { openAndFollow, read, readShape1, rejectionsOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

function update(accountNumber: string, change: object) {
  return service.alpha.updateAccount({ ...change, accountNumber })
}

describe('an update', () => {
  test('may be a whole record whose beneficiaries were named in one field', async () => {
    for (const name of [
      'The Moreno Family Trust 2020',
      'Harbor Relief & Co. (NJ)',
      'Maximiliana-Theodora-Wilhelmina Konstantinopolskaya',
      'Pat O’Brien',
    ]) {
      const opened = await openAndFollow(
        service.alpha,
        applicationFor('Individual', {
          beneficiaries: [{ name, relationship: 'Other', percentageAllocation: '100' }],
        }),
      )
      const before = await read(service.alpha, opened)
      const { data } = await update(opened, before)
      assert.deepEqual(data, before, name)
    }
  })

  test('may be a whole record in shape 1, in which a name does not show its parts', async () => {
    const rosa = { name1: 'Rosa', name3: 'De la Cruz', name4: 'Jr.', relationship: 'Sister' }
    const opened = await openAndFollow(
      service.alpha,
      applicationFor('Individual', {
        transferOfDeathBeneficiaries: [{ ...rosa, percentAllocation: '100' }],
      }),
    )
    const before = await read(service.alpha, opened)
    const { data } = await update(opened, await readShape1(service.alpha, opened))
    assert.deepEqual(data, before)
  })

  test('may be a whole record with names of release 0.1.0, whose symbols no new name may have', async () => {
    const two = ['Ann Bea', 'Cyd Dee'].map((name) => ({
      name,
      relationship: 'Other',
      percentageAllocation: '50',
    }))
    const trustedContact = { name: 'Eve, Fay', address: {} }
    const opened = await openAndFollow(
      service.alpha,
      applicationFor('Individual', { beneficiaries: two, trustedContact }),
    )
    // Any update stores the record in the row of the account.
    await update(opened, { primaryOwner: { jobTitle: 'Pilot' } })
    const names = ['ANN', 'CYD', 'EVE,']
    for (const name of names)
      await service.query(
        'update clearing.account set record = replace(record::text, $2, $3)::jsonb where account_number = $1',
        [opened, name, `${name.replace(',', '')};`],
      )
    const before = await read(service.alpha, opened)
    assert.match(JSON.stringify(before), /ANN;.*CYD;/)
    const stored = JSON.stringify(before)
    for (const sent of [before, await readShape1(service.alpha, opened)])
      assert.deepEqual((await update(opened, sent)).data, before)
    const other = { ...before, primaryOwner: { ...before.primaryOwner, jobTitle: 'Baker' } }
    assert.equal((await update(opened, other)).data.primaryOwner.jobTitle, 'BAKER')
    for (const [from, to] of [
      ['ANN;', 'AMY;'],
      ['CYD;', 'ANN;'],
      ['EVE;', 'EVE_'],
    ] as const) {
      const { version, ...changed } = JSON.parse(stored.replaceAll(from, to))
      assert.ok(version > 0)
      assert.match((await rejectionsOf(update(opened, changed))).join(), /^ERR\.1016 /, to)
    }
    const added = [{ name: 'Gus; Hal', relationship: 'Other', percentageAllocation: '50' }]
    // The list is judged as a whole when its items can be read, as in new-account.
    assert.deepEqual(await rejectionsOf(update(opened, { beneficiaries: added })), [
      'ERR.1016 beneficiaries[0].name',
    ])
  })

  test('may be a whole record with a flag where a text is accepted too', async () => {
    const affiliation = { industry: { associated: true, firmClearing: true, companyName: 'Bayside' } }
    const opened = await openAndFollow(service.alpha, applicationOf({ affiliation }))
    const before = await read(service.alpha, opened)
    const { data } = await update(opened, before)
    assert.deepEqual(data, before)
  })
})

test('the event and the audit row of a change name every value that changed, as the history does', async () => {
  const number = await openAndFollow(service.alpha, applicationFor('Individual'))
  await update(number, { primaryOwner: { lastName: 'Castellan', phoneNumberHome: '2015550144' } })
  const changed = [
    'accountName',
    'primaryOwner.lastName',
    'primaryOwner.phoneNumberHome',
    'primaryOwner.phoneRegionHome',
  ]
  const { history } = (await service.alpha.accountHistory({ accountNumber: number })).data
  assert.deepEqual(
    history[0]?.changes.map(({ field }) => field),
    changed,
  )
  await service.eventsReported()
  const filter = { accountNumber: number, types: ['account.updated'] }
  const [event] = (await service.alpha.listEvents(filter)).data.events
  assert.ok(event)
  assert.deepEqual([...(event.data as { fields: string[] }).fields].sort(), changed)
  const { rows } = (await service.operations.operations.listAudit({ accountNumber: number, size: 1 })).data
  const detail = rows[0]?.detail as { field: string }[]
  assert.deepEqual(detail.map(({ field }) => field).sort(), changed)
})

test('the onboarding of an account that was closed later does not call the account open', async () => {
  const accountNumber = await openAndFollow(service.alpha, applicationFor('Individual'))
  await service.operations.operations.closeAccount({ accountNumber, reason: 'Asked by the owner.' })
  const { currentState, remarks } = (await service.alpha.onboardingResult({ accountNumber })).data
  assert.deepEqual([currentState, remarks], ['CreationComplete', 'The account was opened.'])
})
