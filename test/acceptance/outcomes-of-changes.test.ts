/** What a firm learns of its waiting changes: which ones wait, and why one did not take effect. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applicationOf } from './applications.ts'
import { openAndFollow, read } from './calling.ts'
import {
  type Change,
  changesOf,
  clearAll,
  decide,
  listed,
  newAccount,
  openMatches,
  operator,
  principal,
  service,
  startBeforeTests,
  update,
} from './screened-changes.ts'

startBeforeTests()

/** The data of the events of the account's rejected changes. */
async function rejectionsOf(accountNumber: string) {
  await service.eventsReported()
  const { events } = (await service.alpha.listEvents({ accountNumber, types: ['change.rejected'] })).data
  return events.map(({ data }) => data as { outcome?: string; errors?: { code: string; reason: string }[] })
}
async function waitingOf(accountNumber: string) {
  return (await service.alpha.accountHistory({ accountNumber })).data.waiting.changes
}
function changeIdIn(message: string) {
  return /change ([0-9a-f-]{36})/.exec(message)?.[1]
}

describe('a change that was rejected', () => {
  test('is Stale, with an error, when one of its fields was changed meanwhile', async () => {
    const accountNumber = await newAccount()
    await update(accountNumber, { primaryOwner: { ...listed, email: 'one@example.com' } })
    await update(accountNumber, { primaryOwner: { email: 'two@example.com' } })
    await clearAll(accountNumber)
    assert.deepEqual(
      (await rejectionsOf(accountNumber)).map(({ outcome, errors }) => [outcome, errors]),
      [
        [
          'Stale',
          [
            {
              code: 'ERR.2010',
              field: '',
              reason: 'The record has changed since the request; read it and request the change again.',
            },
          ],
        ],
      ],
    )
  })

  test('is Invalid, with the broken rule, when the rules do not permit it any more', async () => {
    const beneficiary = (name1: string, percentAllocation: string, customerId?: string) => ({
      name1,
      name3: 'Moreno',
      birthDate: '1990-01-01',
      percentAllocation,
      ...(customerId === undefined ? {} : { customerId }),
    })
    const accountNumber = await openAndFollow(
      service.alpha,
      applicationOf({ firstName: 'Ada', lastName: 'Moreno' }),
    )
    const benes = (items: readonly object[]) => ({ transferOfDeathBeneficiaries: items }) as Change
    await update(accountNumber, benes([{ ...listedBeneficiary, percentAllocation: '100' }]))
    await update(accountNumber, benes([beneficiary('Luis', '100')]))
    await clearAll(accountNumber)
    const [rejection] = await rejectionsOf(accountNumber)
    assert.equal(rejection?.outcome, 'Invalid')
    assert.match(rejection?.errors?.[0]?.reason ?? '', /100/)
  })

  test('is Refused, and nothing more is said, when a match is confirmed', async () => {
    const accountNumber = await newAccount()
    await update(accountNumber, { primaryOwner: listed })
    const [match] = await openMatches(accountNumber)
    await decide(accountNumber, match?.matchId ?? '', 'Confirmed')
    const [rejection] = await rejectionsOf(accountNumber)
    assert.deepEqual([rejection?.outcome, rejection?.errors], ['Refused', undefined])
    assert.doesNotMatch(JSON.stringify(rejection), /passport|ZERKALOV/i)
  })

  for (const [outcome, end] of [
    [
      'Refused',
      (changeId: string) =>
        principal.call('decide-change', { changeId, decision: 'Rejected', reason: 'No letter.' }),
    ],
    ['Withdrawn', (changeId: string) => operator.call('withdraw-change', { changeId })],
  ] as const) {
    test(`is ${outcome} when a person ends it`, async () => {
      const accountNumber = await newAccount()
      await operator.call('update-account', { accountNumber, primaryOwner: { lastName: 'Morena' } })
      const [change] = await changesOf(accountNumber)
      assert.equal((await end(change?.changeId ?? '')).status, 200)
      assert.deepEqual(
        (await rejectionsOf(accountNumber)).map((one) => one.outcome),
        [outcome],
      )
    })
  }

  test('is Ended when its account was closed', async () => {
    const accountNumber = await newAccount()
    await update(accountNumber, { primaryOwner: listed })
    await service.operations.operations.closeAccount({ accountNumber, reason: 'The owner asked for it.' })
    assert.deepEqual(
      (await rejectionsOf(accountNumber)).map((one) => one.outcome),
      ['Ended'],
    )
  })
})

describe('a change that waits', () => {
  test('is listed in the history of its account until it ends', async () => {
    const accountNumber = await newAccount()
    assert.deepEqual(await waitingOf(accountNumber), [])
    const { message } = await update(accountNumber, { primaryOwner: listed })
    const [waiting, ...others] = await waitingOf(accountNumber)
    assert.equal(others.length, 0)
    assert.equal(waiting?.changeId, changeIdIn(message))
    assert.deepEqual([waiting?.requestedBy, waiting?.version], ['alpha', 1])
    assert.ok(waiting?.subjects.includes('Screening'))
    assert.ok(waiting?.fields.some(({ after }) => after === 'ZERKALOV'))
    await clearAll(accountNumber)
    assert.deepEqual(await waitingOf(accountNumber), [])
  })

  test('takes effect although another request made one of its changes', async () => {
    const accountNumber = await newAccount()
    await update(accountNumber, { primaryOwner: { ...listed, email: 'one@example.com' } })
    await update(accountNumber, { primaryOwner: { email: 'one@example.com' } })
    await clearAll(accountNumber)
    const { primaryOwner } = await read(service.alpha, accountNumber)
    assert.deepEqual([primaryOwner.name3, primaryOwner.email], ['ZERKALOV', 'one@example.com'])
    assert.deepEqual(await rejectionsOf(accountNumber), [])
  })

  test('is the change of the same request sent again, and not of another', async () => {
    const accountNumber = await newAccount()
    const first = await update(accountNumber, { primaryOwner: listed, associatedParties: [] } as Change)
    await update(accountNumber, { primaryOwner: { jobTitle: 'Baker' } })
    const again = await update(accountNumber, { primaryOwner: listed, associatedParties: [] } as Change)
    assert.equal(again.message, first.message)
    assert.equal((await openMatches(accountNumber)).length, 1)
    const other = await update(accountNumber, { primaryOwner: { ...listed, jobTitle: 'Cook' } })
    assert.notEqual(changeIdIn(other.message), changeIdIn(first.message))
    assert.equal((await waitingOf(accountNumber)).length, 2)
    const asked = await operator.call('update-account', { accountNumber, primaryOwner: listed })
    assert.notEqual(changeIdIn(asked.json.message), changeIdIn(first.message), 'another requester')
  })

  test('is not the change of a request after which its fields changed', async () => {
    const accountNumber = await newAccount()
    const first = await update(accountNumber, { primaryOwner: listed })
    await update(accountNumber, { primaryOwner: { lastName: 'Married' } })
    const again = await update(accountNumber, { primaryOwner: listed })
    assert.notEqual(changeIdIn(again.message), changeIdIn(first.message))
    await clearAll(accountNumber)
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.name3, 'ZERKALOV')
  })
})

const listedBeneficiary = { name1: 'Ruslan', name3: 'Zerkalov', birthDate: '1968-08-12' }
