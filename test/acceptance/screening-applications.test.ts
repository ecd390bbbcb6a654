/** An application is screened when it arrives, when it is changed, and once more before it opens. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { address, applicationOf } from './applications.ts'
import { follow, open, refusalOf } from './calling.ts'
import {
  clearAll,
  decide,
  eventsOf,
  listed,
  matchesOf,
  openMatches,
  service,
  startBeforeTests,
  update,
  work,
} from './screened-changes.ts'

startBeforeTests()

describe('an application', () => {
  const submit = async (owner: object) => {
    const { accountNumber } = await open(service.alpha, applicationOf({ ...listed, ...owner }))
    const result = await follow(service.alpha, accountNumber)
    assert.equal(result.currentState, 'ManualReview')
    return accountNumber
  }
  const decideOnboarding = (accountNumber: string, decision: 'Approved' | 'Rejected') =>
    service.operations.operations.decideOnboarding({ accountNumber, decision, reason: 'Looks right.' })

  test('is not approved while a match is open, and its approval clears no match', async () => {
    const accountNumber = await submit({})
    const [match] = await openMatches(accountNumber)
    const refused = await refusalOf(decideOnboarding(accountNumber, 'Approved'))
    assert.deepEqual([refused.status, refused.has('ERR.2010')], [409, true])
    // Operators read the reason in the console, which has no operations.
    assert.match(refused.message, /First decide on the open matches: /)
    assert.ok(refused.rejections[0]?.reason.includes(match?.matchId ?? 'no match'))
    const bulk = (
      await service.operations.operations.decideWork({
        workIds: [`Application.${accountNumber}`],
        decision: 'Approved',
        reason: 'Looks right.',
      })
    ).data
    assert.deepEqual([bulk.taken, bulk.refused.map(({ code }) => code)], [[], ['ERR.2010']])
    assert.equal((await openMatches(accountNumber)).length, 1)
    await clearAll(accountNumber)
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
  })

  test('with two matches continues after the clearance of the second', async () => {
    const accountNumber = await submit({ trustedContact: { name: 'Dmitriy Veshnyakov' } })
    const [first, second, ...more] = await openMatches(accountNumber)
    assert.deepEqual(more, [])
    const before = await eventsOf(accountNumber)
    await decide(accountNumber, first?.matchId ?? '', 'Cleared')
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'ManualReview')
    assert.deepEqual(await eventsOf(accountNumber), before, 'its checks have not continued')
    await decide(accountNumber, second?.matchId ?? '', 'Cleared')
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
  })

  test('has its matches beside the entries of the list', async () => {
    const accountNumber = await submit({})
    const { matches } = (await service.operations.operations.listMatches({ accountNumber })).data
    const [entry] = matches.map((match) => match.entry)
    assert.equal(entry?.kind, 'person')
    assert.match(entry?.names[0]?.name ?? '', /zerkalov/i)
    assert.match(entry?.birthDates.join(' ') ?? '', /1968/)
    assert.equal(entry?.changedSince, false)
    await decideOnboarding(accountNumber, 'Rejected')
  })

  test('that is rejected leaves its match in the inbox, and the clearance of it changes nothing', async () => {
    const accountNumber = await submit({})
    await decideOnboarding(accountNumber, 'Rejected')
    assert.deepEqual(
      (await work(accountNumber)).map(({ queue, detail }) => [
        queue,
        /its application was rejected$/.test(detail),
      ]),
      [['Match', true]],
    )
    await clearAll(accountNumber)
    assert.deepEqual(
      (await matchesOf(accountNumber)).map(({ decision }) => decision),
      ['Cleared'],
    )
    assert.deepEqual(await work(accountNumber), [])
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'Rejected')
    const late = await refusalOf(decideOnboarding(accountNumber, 'Approved'))
    assert.match(late.message, /The application was already decided on: Rejected by operations at 20/)
  })

  test('with a name in another alphabet waits for a decision on it', async () => {
    const { accountNumber } = await open(service.alpha, applicationOf({ firstName: '王', lastName: '小明' }))
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'ManualReview')
    const refusal = await refusalOf(decideOnboarding(accountNumber, 'Approved'))
    assert.ok(refusal.has('ERR.2010'))
    assert.match(refusal.message, /open matches: [0-9a-f-]{36} \(a name in another alphabet\)\./)
    await clearAll(accountNumber)
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
  })

  const box = { ...address, street: 'PO Box 12' }
  for (const how of ['update-account', 'answer-follow-up'] as const) {
    test(`whose name and address are changed by ${how} while it waits is screened with them`, async () => {
      const { accountNumber } = await open(service.alpha, applicationOf({ legalAddress: box }))
      const { followUps } = await follow(service.alpha, accountNumber)
      const change = (owner: object) =>
        how === 'update-account'
          ? update(accountNumber, { primaryOwner: owner })
          : service.alpha.answerFollowUp({
              accountNumber,
              followUpId: followUps[0]?.id ?? '',
              changes: { primaryOwner: owner },
            })
      await change({ ...listed, legalAddress: { street: '14 Pier Lane' } })
      const result = await follow(service.alpha, accountNumber)
      assert.equal(result.currentState, 'ManualReview')
      assert.equal((await openMatches(accountNumber)).length, 1)
      await clearAll(accountNumber)
      assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
    })
  }

  test('that moves to a sanctioned country while it waits is reviewed', async () => {
    const { accountNumber } = await open(service.alpha, applicationOf({ legalAddress: box }))
    await follow(service.alpha, accountNumber)
    await update(accountNumber, {
      primaryOwner: { legalAddress: { street: 'Valiasr Avenue 9', city: 'Tehran', country: 'IR' } },
    })
    const result = await follow(service.alpha, accountNumber)
    assert.equal(result.currentState, 'ManualReview')
    assert.deepEqual(result.followUps.at(-1)?.code, 'IdentityReview')
  })

  test('is screened once more before it opens, if its name was added to a list meanwhile', async () => {
    const slow = await open(
      service.alpha,
      applicationOf({ taxIdNumber: '000000008', lastName: 'Pennyfarthing' }),
    )
    await service.operations.operations.loadWatchList({
      listName: 'MEANWHILE',
      lines: {
        csv: '88002,"PENNYFARTHING, Ada","individual","TEST",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \r\n',
      },
    })
    const result = await follow(service.alpha, slow.accountNumber)
    assert.equal(result.currentState, 'ManualReview')
    assert.deepEqual(
      (await openMatches(slow.accountNumber)).map(({ entryId }) => entryId),
      ['88002'],
    )
    await clearAll(slow.accountNumber)
    assert.equal((await follow(service.alpha, slow.accountNumber)).currentState, 'CreationComplete')
  })
})

describe('a match for which an application waits, after the firm changed the record', () => {
  const submit = async (owner: object) => {
    const { accountNumber } = await open(service.alpha, applicationOf(owner))
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'ManualReview')
    return accountNumber
  }
  const change = async (accountNumber: string, owner: object) => {
    const requests = Object.keys(owner).map((name) => {
      return { code: 'FieldCorrection', field: `primaryOwner.${name}`, reason: 'Confirm it, please.' }
    })
    await service.operations.operations.requestInformation({ accountNumber, requests })
    await update(accountNumber, { primaryOwner: owner })
    return (await follow(service.alpha, accountNumber)).currentState
  }
  const decisionsOf = async (accountNumber: string) =>
    (await matchesOf(accountNumber)).map(({ decision }) => decision)

  const changes: readonly [what: string, owner: object][] = [
    ['birth date that is not that of the entry', { birthDate: '1999-02-03' }],
    ['name that is not that of the entry', { firstName: 'Ada', middleName: 'Lee', lastName: 'Moreno' }],
  ]
  for (const [what, owner] of changes) {
    test(`waits for a decision, if it has a ${what}`, async () => {
      const accountNumber = await submit(listed)
      const [before] = await openMatches(accountNumber)
      assert.equal(await change(accountNumber, owner), 'ManualReview')
      const [match, ...more] = await openMatches(accountNumber)
      assert.deepEqual(more, [])
      assert.equal(match?.score, before?.score)
      assert.match(
        match?.reasons.at(-1)?.detail ?? '',
        /record of the person was changed while the match was/,
      )
      assert.deepEqual(
        (await work(accountNumber)).map(({ queue }) => queue),
        ['Match'],
      )
      const approval = { accountNumber, decision: 'Approved' } as const
      assert.ok((await refusalOf(service.operations.operations.decideOnboarding(approval))).has('ERR.2010'))
      await clearAll(accountNumber)
      assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
      assert.deepEqual(await decisionsOf(accountNumber), ['Cleared'])
    })
  }

  test('rejects the application if it is confirmed', async () => {
    const accountNumber = await submit(listed)
    assert.equal(await change(accountNumber, { birthDate: '1999-02-03' }), 'ManualReview')
    const [match] = await openMatches(accountNumber)
    await decide(accountNumber, match?.matchId ?? '', 'Confirmed')
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'Rejected')
  })

  test('keeps its score, which decides on the second person, if it is less likely now', async () => {
    const accountNumber = await submit(listed)
    const [before] = await openMatches(accountNumber)
    assert.equal(await change(accountNumber, { birthDate: '1969-01-12' }), 'ManualReview')
    const [match, ...more] = await openMatches(accountNumber)
    assert.deepEqual(more, [])
    assert.notEqual(match?.matchId, before?.matchId)
    assert.equal(match?.score, before?.score)
    assert.equal(match?.reasons.at(-1)?.field, 'changedRecord')
    await clearAll(accountNumber)
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'CreationComplete')
  })

  test('is not cleared by an earlier clearance of a person with the new birth date', async () => {
    const other = await submit({ ...listed, birthDate: '1969-01-12' })
    await clearAll(other)
    const accountNumber = await submit(listed)
    assert.equal(await change(accountNumber, { birthDate: '1969-01-12' }), 'ManualReview')
    assert.deepEqual(await decisionsOf(accountNumber), ['Open'])
  })

  test('is dropped if no list has the entry any more, and the person is the same', async () => {
    const lines = (csv: string) => ({ listName: 'WITHDRAWN', lines: { csv } })
    const entry = (id: number, name: string) =>
      `${id},"${name}","individual","TEST",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \r\n`
    const { operations } = service.operations
    await operations.loadWatchList(lines(entry(88101, 'QUILLFEATHER, Ada') + entry(88102, 'TAMWORTH, Zeno')))
    const accountNumber = await submit({ lastName: 'Quillfeather' })
    await operations.loadWatchList(lines(entry(88102, 'TAMWORTH, Zeno')))
    assert.equal(await change(accountNumber, { email: 'ada@example.com' }), 'CreationComplete')
    assert.deepEqual(await decisionsOf(accountNumber), ['Dropped'])
  })

  test('is dropped if it was a name that could not be compared', async () => {
    const accountNumber = await submit({ firstName: '王', lastName: '小明' })
    assert.equal(await change(accountNumber, { firstName: 'Xiaoming', lastName: 'Wang' }), 'CreationComplete')
    assert.deepEqual(await decisionsOf(accountNumber), ['Dropped'])
  })
})
