/** A change that waits for its matches while the record changes, and a change that also waits for a second person. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applicationFor } from './applications.ts'
import { openAndFollow, read } from './calling.ts'
import {
  attorney,
  type Change,
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

startBeforeTests()

describe('a change that waits while the record changes', () => {
  test('takes effect beside changes of other fields, which stay', async () => {
    const accountNumber = await newAccount()
    await update(accountNumber, { primaryOwner: listed })
    await update(accountNumber, { primaryOwner: { jobTitle: 'Baker' } })
    await clearAll(accountNumber)
    const { primaryOwner, version } = await read(service.alpha, accountNumber)
    assert.deepEqual([primaryOwner.name3, primaryOwner.jobTitle, version], ['ZERKALOV', 'BAKER', 3])
  })

  for (const [what, request] of [
    ['its own fields were changed', {}],
    ['it named the version that it was for', { expectedVersion: 1 }],
  ] as const) {
    test(`is refused with a reason when ${what}, and nothing is overwritten`, async () => {
      const accountNumber = await newAccount()
      await update(accountNumber, { ...request, primaryOwner: listed })
      const between = 'expectedVersion' in request ? { jobTitle: 'Baker' } : { lastName: 'Married' }
      await update(accountNumber, { primaryOwner: between })
      const [match] = await openMatches(accountNumber)
      const cleared = await decide(accountNumber, match?.matchId ?? '', 'Cleared')
      assert.equal(cleared.data.decision, 'Cleared')
      const record = await read(service.alpha, accountNumber)
      assert.notEqual(record.primaryOwner.name3, 'ZERKALOV')
      assert.equal(record.version, 2)
      const [change] = await changesOf(accountNumber)
      assert.deepEqual([change?.state, change?.decidedBy], ['Rejected', 'service'])
      assert.match(change?.decisionReason ?? '', /could not take effect.*changed since/)
      assert.ok((await eventsOf(accountNumber)).includes('change.rejected'))
      const again = await update(accountNumber, { primaryOwner: listed })
      assert.equal(again.message, 'Request successful.', 'the clearance is remembered')
    })
  }

  test('does not take effect on an account that was blocked meanwhile', async () => {
    const accountNumber = await newAccount()
    await update(accountNumber, { primaryOwner: listed })
    await service.operations.operations.placeRestriction({
      accountNumber,
      restrictionCode: 'LegalHold',
      reason: 'A court order.',
    })
    await clearAll(accountNumber)
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.name3, 'MORENO')
    const [change] = await changesOf(accountNumber)
    assert.equal(change?.state, 'Rejected')
    assert.match(change?.decisionReason ?? '', /LegalHold suspends changes/)
  })

  test('is checked again by the rules for the account as it is then', async () => {
    const trader = (index: number) => ({ largeTraderId: `1000${1000 + index}-0001` })
    const largeTraders = Array.from({ length: 99 }, (_, index) => trader(index))
    const accountNumber = await openAndFollow(service.alpha, applicationFor('Individual', { largeTraders }))
    await update(accountNumber, {
      associatedParties: [attorney(listed)],
      largeTraders: [trader(99)],
    } as Change)
    // An account has at most 100 large traders.
    await update(accountNumber, { largeTraders: [trader(100)] })
    await clearAll(accountNumber)
    const record = await read(service.alpha, accountNumber)
    assert.deepEqual([record.associatedParties.length, record.largeTraders.length], [0, 100])
    const [change] = await changesOf(accountNumber)
    assert.deepEqual([change?.state, change?.decidedBy], ['Rejected', 'service'])
    assert.match(change?.decisionReason ?? '', /at most 100 items/)
  })

  test('keeps the persons that it adds unchanged, and several changes of one account are independent', async () => {
    const accountNumber = await newAccount()
    await update(accountNumber, { associatedParties: [attorney(listed)] } as Change)
    await update(accountNumber, { primaryOwner: { trustedContact: { name: 'Celestin Mbungare' } } })
    const matches = await openMatches(accountNumber)
    assert.equal(matches.length, 2)
    const added = matches.find(({ field }) => field.startsWith('associatedParties'))
    await clearAll(accountNumber)
    const record = await read(service.alpha, accountNumber)
    assert.equal(record.primaryOwner.trustedContact?.name, 'CELESTIN MBUNGARE')
    assert.deepEqual(
      record.associatedParties.map(({ customerId }) => customerId),
      [added?.customerId],
    )
  })

  test('is decided once when two people decide at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const accountNumber = await newAccount()
      await update(accountNumber, {
        primaryOwner: { trustedContact: { name: `Ruslan Zerkalov ${'abcde'[round]}` } },
      })
      const [match] = await openMatches(accountNumber)
      const matchId = match?.matchId ?? ''
      const answers = await Promise.allSettled([
        decide(accountNumber, matchId, 'Cleared'),
        decide(accountNumber, matchId, round % 2 === 0 ? 'Confirmed' : 'Cleared'),
      ])
      assert.deepEqual(answers.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
      const [change] = await changesOf(accountNumber)
      const [decided] = await matchesOf(accountNumber)
      assert.equal(change?.state, decided?.decision === 'Cleared' ? 'Approved' : 'Rejected')
      const { accountStatus, version } = await read(service.alpha, accountNumber)
      assert.deepEqual(
        [accountStatus, version],
        decided?.decision === 'Cleared' ? ['Open', 2] : ['Restricted', 1],
      )
    }
  })
})

describe('a change that a second person approves', () => {
  const ask = (accountNumber: string) =>
    operator.call('update-account', { accountNumber, primaryOwner: listed })
  const approve = async (accountNumber: string) => {
    const [change] = await changesOf(accountNumber)
    return principal.call('decide-change', {
      changeId: change?.changeId,
      decision: 'Approved',
      reason: 'Seen the letter.',
    })
  }

  test('waits for its matches too, when the approval comes first', async () => {
    const accountNumber = await newAccount()
    const asked = await ask(accountNumber)
    assert.match(asked.json.message, /awaits a second person's approval and a review/)
    const approved = await approve(accountNumber)
    assert.equal(approved.status, 200, approved.text)
    assert.match(approved.json.message, /unchanged: the approval is stored/)
    assert.deepEqual(
      [approved.json.data.state, approved.json.data.approvedBy, approved.json.data.openMatches],
      ['Requested', 'principal@example.com', 1],
    )
    assert.equal((await read(service.alpha, accountNumber)).version, 1)
    assert.equal((await approve(accountNumber)).status, 409)
    assert.deepEqual(
      (await work(accountNumber)).map(({ queue }) => queue),
      ['Match'],
    )
    await clearAll(accountNumber)
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.name3, 'ZERKALOV')
    const [change] = await changesOf(accountNumber)
    assert.deepEqual([change?.state, change?.decidedBy], ['Approved', 'principal@example.com'])
  })

  test('also waits for the person, when the matches are cleared first', async () => {
    const accountNumber = await newAccount()
    await ask(accountNumber)
    await clearAll(accountNumber)
    assert.equal((await read(service.alpha, accountNumber)).version, 1)
    assert.deepEqual(
      (await work(accountNumber)).map(({ queue }) => queue),
      ['Change'],
    )
    assert.equal((await approve(accountNumber)).json.data.state, 'Approved')
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.name3, 'ZERKALOV')
  })

  test('is screened at its approval against names that were added to a list since its request', async () => {
    const accountNumber = await newAccount()
    await operator.call('update-account', { accountNumber, primaryOwner: { lastName: 'Quillfeatherly' } })
    await service.operations.operations.loadWatchList({
      listName: 'LATER',
      lines: {
        csv: '88001,"QUILLFEATHERLY, Ada","individual","TEST",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \r\n',
      },
    })
    const approved = await approve(accountNumber)
    assert.equal(approved.json.data.state, 'Requested', approved.text)
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.name3, 'MORENO')
    await clearAll(accountNumber)
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.name3, 'QUILLFEATHERLY')
  })

  test('is refused by the second person, and its matches leave the inbox', async () => {
    const accountNumber = await newAccount()
    await ask(accountNumber)
    const [change] = await changesOf(accountNumber)
    const rejected = await principal.call('decide-change', {
      changeId: change?.changeId,
      decision: 'Rejected',
      reason: 'No letter.',
    })
    assert.equal(rejected.json.data.state, 'Rejected')
    assert.deepEqual(await work(accountNumber), [])
    assert.deepEqual(
      (await matchesOf(accountNumber)).map(({ decision }) => decision),
      ['Dropped'],
    )
  })

  test('that waits only for its matches cannot be approved', async () => {
    const accountNumber = await newAccount()
    await update(accountNumber, { primaryOwner: listed })
    const refused = await approve(accountNumber)
    assert.equal(refused.status, 409)
    assert.match(refused.json.errors[0].reason, /decisions on 1 open match/)
  })

  test('is also required for the firm by its setting, and operations clear the matches', async () => {
    const { updateFirm, listFirms } = service.operations.operations
    const { firms } = (await listFirms({})).data
    const firmId = firms.find(({ name }) => name === 'Alpha Securities')?.firmId ?? ''
    await updateFirm({ firmId, settings: { changesNeedingApproval: ['Names'] } })
    try {
      const accountNumber = await newAccount()
      const { message } = await update(accountNumber, { primaryOwner: listed })
      assert.match(message, /second person's approval and a review/)
      await clearAll(accountNumber)
      assert.equal((await approve(accountNumber)).json.data.state, 'Approved')
      assert.equal((await read(service.alpha, accountNumber)).primaryOwner.name3, 'ZERKALOV')
    } finally {
      await updateFirm({ firmId, settings: { changesNeedingApproval: [] } })
    }
  })
})
