/** Decisions on matches: who may decide, the reasons, and the effects. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import { read, refusalOf, rejectionsOf } from './calling.ts'
import type { PersonAtWork } from './person.ts'
import {
  changesOf,
  decide,
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
import { allSearched } from './searched-persons.ts'
import { untilBehind } from './waiting-behind.ts'

startBeforeTests()

describe('a decision on a match', () => {
  const waiting = async () => {
    const accountNumber = await newAccount()
    await update(accountNumber, { primaryOwner: listed })
    const [match] = await openMatches(accountNumber)
    return { accountNumber, matchId: match?.matchId ?? '' }
  }

  test('requires a meaningful reason', async () => {
    const { accountNumber, matchId } = await waiting()
    const { decideMatch } = service.operations.operations
    const request = { accountNumber, matchId, decision: 'Cleared' as const }
    for (const reason of ['', '   ', '...', '-'])
      assert.deepEqual(await rejectionsOf(decideMatch({ ...request, reason })), ['ERR.1000 reason'], reason)
    for (const reason of ['\u3164', '\u200b\u200b'])
      assert.deepEqual(await rejectionsOf(decideMatch({ ...request, reason })), ['ERR.1016 reason'])
    assert.deepEqual(await rejectionsOf(decideMatch(request as never)), ['ERR.1000 reason'])
    assert.equal((await openMatches(accountNumber)).length, 1)
  })

  test('that clears a likely match needs a second person, when a person decides', async () => {
    const { accountNumber, matchId } = await waiting()
    const asked = await operator.call('decide-match', {
      accountNumber,
      matchId,
      decision: 'Cleared',
      reason: 'Another mother.',
    })
    assert.equal(asked.status, 200, asked.text)
    assert.match(asked.json.message, /still open: change .* awaits a second person/)
    assert.equal(asked.json.data.decision, 'Open')
    const changeId = asked.json.data.clearanceChangeId
    assert.equal((await read(service.alpha, accountNumber)).version, 1)
    assert.deepEqual(
      (await work(accountNumber)).map(({ queue, itemId }) => `${queue} ${itemId}`),
      [`Change ${changeId}`],
    )
    const twice = await principal.call('decide-match', {
      accountNumber,
      matchId,
      decision: 'Cleared',
      reason: 'Me too.',
    })
    assert.equal(twice.status, 409)
    const decideChange = (who: PersonAtWork) =>
      who.call('decide-change', { changeId, decision: 'Approved', reason: 'Agreed.' })
    assert.equal((await decideChange(operator)).status, 403)
    assert.equal((await decideChange(principal)).json.data.state, 'Approved')
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.name3, 'ZERKALOV')
    const [match] = await matchesOf(accountNumber)
    assert.deepEqual(
      [match?.decision, match?.decidedBy, match?.reason],
      ['Cleared', 'principal@example.com', 'Another mother.'],
    )
  })

  test('that a second person refuses leaves the match open', async () => {
    const { accountNumber, matchId } = await waiting()
    const asked = await operator.call('decide-match', {
      accountNumber,
      matchId,
      decision: 'Cleared',
      reason: 'Another mother.',
    })
    await principal.call('decide-change', {
      changeId: asked.json.data.clearanceChangeId,
      decision: 'Rejected',
      reason: 'The same birth date.',
    })
    assert.deepEqual(
      (await work(accountNumber)).map(({ queue }) => queue),
      ['Match'],
    )
    const confirmed = await principal.call('decide-match', {
      accountNumber,
      matchId,
      decision: 'Confirmed',
      reason: 'The same person.',
    })
    assert.equal(confirmed.json.data.decision, 'Confirmed')
    await allSearched(service)
    assert.equal((await read(service.alpha, accountNumber)).accountStatus, 'Restricted')
  })

  test('that clears a likely match of a program needs a second person too, if the firm’s setting requires one', async () => {
    const { updateFirm, listFirms, decideChange } = service.operations.operations
    const { firms } = (await listFirms({})).data
    const firmId = firms.find(({ name }) => name === 'Alpha Securities')?.firmId ?? ''
    await updateFirm({ firmId, settings: { changesNeedingApproval: ['Matches'] } })
    try {
      const { accountNumber, matchId } = await waiting()
      const { data, message } = await decide(accountNumber, matchId, 'Cleared')
      assert.match(message, /awaits a second person/)
      const request = { changeId: data.clearanceChangeId, decision: 'Approved' } as const
      assert.equal((await refusalOf(decideChange(request))).status, 403)
      assert.equal((await principal.call('decide-change', request)).json.data.state, 'Approved')
      assert.equal((await read(service.alpha, accountNumber)).primaryOwner.name3, 'ZERKALOV')
    } finally {
      await updateFirm({ firmId, settings: { changesNeedingApproval: [] } })
    }
  })

  test('that clears an unlikely match needs one person, who may not be the requester of the change', async () => {
    const accountNumber = await newAccount()
    await update(accountNumber, { primaryOwner: { trustedContact: { name: 'Dmitriy Veshnyakov' } } })
    const [match] = await openMatches(accountNumber)
    assert.ok((match?.score ?? 0) < 95)
    const request = { accountNumber, matchId: match?.matchId, decision: 'Cleared', reason: 'Another one.' }
    assert.equal((await operator.call('decide-match', request)).json.data.decision, 'Cleared')
    assert.equal((await read(service.alpha, accountNumber)).version, 2)
    const own = await newAccount()
    await principal.call('update-account', {
      accountNumber: own,
      primaryOwner: { trustedContact: { name: 'Hilario Otermin' } },
    })
    const [other] = await openMatches(own)
    const refused = await principal.call('decide-match', {
      ...request,
      accountNumber: own,
      matchId: other?.matchId,
    })
    assert.equal(refused.status, 403)
    assert.match(refused.json.errors[0].reason, /You requested the change/)
  })

  test('clears until the beginning of a later day, or for 365 days', async () => {
    const today = easternDay(new Date((await service.alpha.sandbox.getClock({})).data.now))
    const clear = async (expiresOn?: string) => {
      const request = { ...(await waiting()), decision: 'Cleared' as const, reason: 'Another one.' }
      return service.operations.operations.decideMatch({ ...request, ...(expiresOn && { expiresOn }) })
    }
    for (const day of [addDays(today, -1), today])
      assert.deepEqual(await rejectionsOf(clear(day)), ['ERR.1024 expiresOn'], day)
    assert.equal((await clear(addDays(today, 2))).data.expiresOn, addDays(today, 2))
    const { decidedOn, expiresOn } = (await clear()).data
    assert.equal(expiresOn, easternDay(new Date(Date.parse(decidedOn ?? '') + 365 * 86_400_000)))
  })

  test('is not taken in bulk: one at a time, with a reason', async () => {
    const [one, two] = [await waiting(), await waiting()]
    const workIds = [`Match.${one.matchId}`, `Match.${two.matchId}`]
    const bulk = async (ids: string[], reason?: string) =>
      (
        await service.operations.operations.decideWork({
          workIds: ids,
          decision: 'Approved',
          ...(reason ? { reason } : {}),
        })
      ).data
    const both = await bulk(workIds, 'All seen.')
    assert.deepEqual(both.taken, [])
    assert.ok(both.refused.every(({ code, reason }) => code === 'ERR.1015' && /one by one/.test(reason)))
    assert.deepEqual(
      (await bulk(workIds.slice(0, 1))).refused.map(({ code }) => code),
      ['ERR.1000'],
    )
    assert.deepEqual((await bulk(workIds.slice(0, 1), 'Another person.')).taken, workIds.slice(0, 1))
    assert.equal((await read(service.alpha, one.accountNumber)).version, 2)
    assert.equal((await read(service.alpha, two.accountNumber)).version, 1)
  })

  test('that two people send at once asks for one clearance, and the refused one leaves no change', async () => {
    const { accountNumber, matchId } = await waiting()
    const before = await changesOf(accountNumber)
    await service.query('begin')
    await service.query('select from clearing.screening_match where match_id = $1 for update', [matchId])
    const request = { workIds: [`Match.${matchId}`], decision: 'Approved', reason: 'Another mother.' }
    const running = [operator.call('decide-work', request)]
    await untilBehind(service, 1)
    running.push(principal.call('decide-work', request))
    await untilBehind(service, 2)
    await service.query('commit')
    const [first, second] = (await Promise.all(running)).map(({ json }) => json.data)
    assert.deepEqual(first.taken, request.workIds)
    assert.deepEqual(
      second.refused.map(({ code }: { code: string }) => code),
      ['ERR.2010'],
    )
    const asked = (await changesOf(accountNumber)).length - before.length
    assert.equal(asked, 1)
  })
})
