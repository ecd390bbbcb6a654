/** A firm withdraws its own request of update-account that waits for operations. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applicationOf } from './applications.ts'
import { openAndFollow, read, refusalOf } from './calling.ts'
import {
  changesOf,
  clearAll,
  decide,
  eventsOf,
  listed,
  matchesOf,
  newAccount,
  openMatches,
  operator,
  principal,
  service,
  startBeforeTests,
  update,
  work,
} from './screened-changes.ts'
import { untilBehind } from './waiting-behind.ts'

startBeforeTests()

async function waitingOf(accountNumber: string) {
  return (await service.alpha.accountHistory({ accountNumber })).data.waiting.changes
}
/** An account whose owner is to get a listed name, and the id of that change. */
async function askedFor() {
  const accountNumber = await newAccount()
  await update(accountNumber, { primaryOwner: listed })
  const [change] = await waitingOf(accountNumber)
  return { accountNumber, changeId: change?.changeId ?? '' }
}
/** An account of a firm whose changes of names need an approval, and the id of such a change. */
async function askedForApproval() {
  const { operations } = service.operations
  const firm = (await operations.listFirms({})).data.firms.find(({ entityNumbers }) =>
    entityNumbers.includes('302'),
  )
  await operations.updateFirm({
    firmId: firm?.firmId ?? '',
    settings: { changesNeedingApproval: ['Names'] },
  })
  const application = applicationOf({}, { entityNumber: '302', main: { repCode: 'BB01' } })
  const accountNumber = await openAndFollow(service.beta, application)
  await service.beta.updateAccount({ accountNumber, primaryOwner: { lastName: 'Fourier' } })
  const [change] = await changesOf(accountNumber)
  return { accountNumber, changeId: change?.changeId ?? '' }
}
async function outcomesOf(accountNumber: string) {
  await service.eventsReported()
  const types = ['change.approved', 'change.rejected'] as const
  const { events } = (await service.alpha.listEvents({ accountNumber, types: [...types] })).data
  return events.map(({ type, data }) => (data as { outcome?: string }).outcome ?? type)
}

describe('a change that its firm withdraws', () => {
  test('ends with an event of its own outcome, an audit row, and the record as it was', async () => {
    const { accountNumber, changeId } = await askedFor()
    const { data } = await service.alpha.withdrawUpdate({ accountNumber, changeId })
    assert.deepEqual([data.changeId, data.state, data.withdrawnBy], [changeId, 'Withdrawn', 'alpha'])
    assert.deepEqual(await waitingOf(accountNumber), [])
    assert.deepEqual(await outcomesOf(accountNumber), ['Withdrawn'])
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.name3, 'MORENO')
    const { rows } = await service.query(
      "select actor, target from clearing.audit where account_number = $1 and action = 'withdraw-change'",
      [accountNumber],
    )
    assert.deepEqual(rows, [{ actor: 'alpha', target: changeId }])
    const [change] = await changesOf(accountNumber)
    assert.deepEqual([change?.state, change?.decidedBy], ['Withdrawn', 'alpha'])
  })

  test('stays withdrawn when it is withdrawn again, without a second event', async () => {
    const { accountNumber, changeId } = await askedFor()
    const first = await service.alpha.withdrawUpdate({ accountNumber, changeId })
    const again = await service.alpha.withdrawUpdate({ accountNumber, changeId: changeId.toUpperCase() })
    assert.deepEqual(again.data, first.data)
    assert.deepEqual(await outcomesOf(accountNumber), ['Withdrawn'])
  })

  test('can be withdrawn by another credential of the firm', async () => {
    const { accountNumber, changeId } = await askedFor()
    const { firms } = (await service.operations.operations.listFirms({})).data
    const firmId = firms.find(({ entityNumbers }) => entityNumbers.includes('301'))?.firmId ?? ''
    const issued = (await service.operations.operations.createCredential({ firmId, name: 'Batch' })).data
    const other = service.client(issued.clientId, issued.clientSecret)
    const { data } = await other.withdrawUpdate({ accountNumber, changeId })
    assert.equal(data.withdrawnBy, issued.clientId)
  })

  test('is not the change of another caller who asks for the same', async () => {
    const accountNumber = await newAccount()
    const request = { accountNumber, primaryOwner: { lastName: 'Morena' } }
    for (const who of [operator, principal, operator]) await who.call('update-account', request)
    const changes = await changesOf(accountNumber)
    assert.deepEqual(changes.map(({ requestedBy }) => requestedBy).sort(), [
      'operator@example.com',
      'principal@example.com',
    ])
    const approve = async (requestedBy: string) => {
      const changeId = changes.find((change) => change.requestedBy === requestedBy)?.changeId
      return (await principal.call('decide-change', { changeId, decision: 'Approved' })).status
    }
    assert.equal(await approve('principal@example.com'), 403)
    assert.equal(await approve('operator@example.com'), 200)
  })

  test('can be requested again, and is another change', async () => {
    const { accountNumber, changeId } = await askedFor()
    await service.alpha.withdrawUpdate({ accountNumber, changeId })
    await update(accountNumber, { primaryOwner: listed })
    const [change] = await waitingOf(accountNumber)
    assert.notEqual(change?.changeId, changeId)
    await clearAll(accountNumber)
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.name3, 'ZERKALOV')
  })
})

describe('the review of a change that was withdrawn', () => {
  test('stays in the inbox and has no effect when the match is cleared', async () => {
    const { accountNumber, changeId } = await askedFor()
    await service.alpha.withdrawUpdate({ accountNumber, changeId })
    const [item] = await work(accountNumber)
    assert.equal(item?.queue, 'Match')
    assert.match(item?.detail ?? '', /its change was withdrawn$/)
    const [change] = await changesOf(accountNumber)
    assert.equal(change?.openMatches, 1)
    await clearAll(accountNumber)
    const record = await read(service.alpha, accountNumber)
    assert.deepEqual([record.primaryOwner.name3, record.accountStatus, record.version], ['MORENO', 'Open', 1])
    assert.deepEqual(await work(accountNumber), [])
  })

  test('blocks the account when the match is confirmed', async () => {
    const { accountNumber, changeId } = await askedFor()
    await service.alpha.withdrawUpdate({ accountNumber, changeId })
    const [match] = await openMatches(accountNumber)
    await decide(accountNumber, match?.matchId ?? '', 'Confirmed')
    assert.equal((await read(service.alpha, accountNumber)).accountStatus, 'Restricted')
    assert.ok((await eventsOf(accountNumber)).includes('account.restricted'))
    assert.deepEqual(await outcomesOf(accountNumber), ['Withdrawn'])
  })

  test('ends when a person of operations withdraws the change', async () => {
    const accountNumber = await newAccount()
    await operator.call('update-account', { accountNumber, primaryOwner: listed })
    const [change] = await changesOf(accountNumber)
    await operator.call('withdraw-change', { changeId: change?.changeId ?? '' })
    assert.deepEqual(
      (await matchesOf(accountNumber)).map(({ decision }) => decision),
      ['Dropped'],
    )
  })
})

describe('a change that cannot be withdrawn', () => {
  const refusal = async (request: { accountNumber: string; changeId: string }, client = service.alpha) => {
    const { status, rejections } = await refusalOf(client.withdrawUpdate(request))
    return [status, ...rejections.flatMap(({ code, field, reason }) => [code, field, reason])]
  }

  test('was decided: the response says how, and by whom it does not say', async () => {
    const approved = await askedFor()
    await clearAll(approved.accountNumber)
    const [status, code, field, reason] = await refusal(approved)
    assert.deepEqual([status, code, field], [409, 'ERR.2010', 'changeId'])
    assert.match(String(reason), /^The change was approved on .*update-account\.$/)
    const refused = await askedFor()
    const [match] = await openMatches(refused.accountNumber)
    await decide(refused.accountNumber, match?.matchId ?? '', 'Confirmed')
    const [, , , why] = await refusal(refused)
    assert.match(String(why), /^The change was rejected on .*change\.rejected says why\.$/)
    assert.deepEqual(await outcomesOf(refused.accountNumber), ['Refused'])
  })

  test('is of operations', async () => {
    const accountNumber = await newAccount()
    await operator.call('update-account', { accountNumber, primaryOwner: { lastName: 'Morena' } })
    await operator.call('place-restriction', {
      accountNumber,
      restrictionCode: 'ReturnedMail',
      reason: 'Mail came back.',
    })
    assert.equal((await changesOf(accountNumber)).length, 2)
    for (const { changeId } of await changesOf(accountNumber)) {
      const [status, code] = await refusal({ accountNumber, changeId })
      assert.deepEqual([status, code], [403, 'ERR.1003'])
    }
    assert.ok((await changesOf(accountNumber)).every(({ state }) => state === 'Requested'))
  })

  test('is unknown, of another account or of another firm: the response is the same', async () => {
    const { accountNumber, changeId } = await askedFor()
    const unknown = '019ab3c0-2e47-7b19-9d03-a1f86c24b5e0'
    const expected = await refusal({ accountNumber, changeId: unknown })
    assert.deepEqual(expected.slice(0, 3), [404, 'ERR.2013', 'changeId'])
    assert.deepEqual(await refusal({ accountNumber, changeId: 'change-1' }), expected)
    assert.deepEqual(await refusal({ accountNumber: await newAccount(), changeId }), expected)
    const application = applicationOf({}, { entityNumber: '302', main: { repCode: 'BB01' } })
    const betas = await openAndFollow(service.beta, application)
    assert.deepEqual(await refusal({ accountNumber: betas, changeId }, service.beta), expected)
    const foreign = await refusal({ accountNumber, changeId }, service.beta)
    assert.deepEqual(await refusal({ accountNumber, changeId: unknown }, service.beta), foreign)
    assert.deepEqual(foreign.slice(0, 2), [404, 'ERR.2003'])
    assert.equal((await waitingOf(accountNumber)).length, 1)
  })
})

describe('a change that is withdrawn while operations decide', () => {
  for (const [what, ask] of [
    ['clear its last match', (accountNumber: string) => clearAll(accountNumber)],
    [
      'approve it',
      async (accountNumber: string, changeId: string) => {
        const decision = { changeId, decision: 'Approved', reason: 'The letter is on file.' }
        assert.equal((await principal.call('decide-change', decision)).status, 200, accountNumber)
      },
    ],
  ] as const) {
    for (const first of ['the withdrawal', 'the decision'] as const) {
      test(`ends once, as ${first} says, when both wait for it and people ${what}`, async () => {
        const { accountNumber, changeId } =
          what === 'approve it' ? await askedForApproval() : await askedFor()
        const client = what === 'approve it' ? service.beta : service.alpha
        await service.query('begin')
        await service.query('select from clearing.change_request where change_id = $1 for update', [changeId])
        const acts = {
          'the withdrawal': () => client.withdrawUpdate({ accountNumber, changeId }),
          'the decision': () => ask(accountNumber, changeId),
        }
        const running: Promise<unknown>[] = [acts[first]()]
        await untilBehind(service, 1)
        running.push(acts[first === 'the withdrawal' ? 'the decision' : 'the withdrawal']())
        await untilBehind(service, 2)
        await service.query('commit')
        const settled = (await Promise.allSettled(running)).map(({ status }) => status)
        // A match is a question about the person, which is decided on also after the withdrawal.
        const isDecided = first === 'the withdrawal' && what === 'clear its last match'
        assert.deepEqual(settled, ['fulfilled', isDecided ? 'fulfilled' : 'rejected'])
        const [change] = await changesOf(accountNumber)
        const isWithdrawn = first === 'the withdrawal'
        assert.equal(change?.state, isWithdrawn ? 'Withdrawn' : 'Approved')
        const record = await read(client, accountNumber)
        assert.equal(record.version, isWithdrawn ? 1 : 2)
      })
    }
  }
})
