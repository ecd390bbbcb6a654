/**
 * Matches and restrictions of all accounts by filter: the matches of a quarter with their decisions, and the accounts
 * that were blocked on a day (31 CFR 501.603).
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import { rejectionsOf } from './calling.ts'
import {
  decide,
  listed,
  matchesOf,
  newAccount,
  openMatches,
  operator,
  service,
  startBeforeTests,
  update,
} from './screened-changes.ts'

let cleared: string
let open: string
let today: string
startBeforeTests(async () => {
  cleared = await newAccount()
  await update(cleared, { primaryOwner: listed })
  for (const { matchId } of await openMatches(cleared)) await decide(cleared, matchId, 'Cleared')
  open = await newAccount()
  await update(open, { primaryOwner: listed })
  today = easternDay(new Date((await service.alpha.sandbox.getClock({})).data.now))
})

function operations() {
  return service.operations.operations
}
async function matched(filter: object) {
  return (await operations().listMatches({ size: 100, ...filter })).data.matches
}
async function restricted(filter: object) {
  return (await operations().listRestrictions({ size: 100, ...filter })).data.restrictions
}
function accountsOf(rows: readonly { accountNumber: string }[]) {
  return new Set(rows.map(({ accountNumber }) => accountNumber))
}

describe('matches of all accounts', () => {
  test('have their list, entry, name, score and decision, the newest first', async () => {
    const rows = await matched({})
    assert.deepEqual([...accountsOf(rows)], [open, cleared])
    const [row] = rows.filter(({ accountNumber }) => accountNumber === cleared)
    assert.ok(row)
    assert.deepEqual(
      [row.decision, row.decidedBy, row.reason],
      ['Cleared', 'operations', 'Compared with the passport.'],
    )
    assert.match(row.matchedName, /ZERKALOV/i)
    assert.ok(row.score > 90 && row.listVersion.startsWith(row.listName) && row.entryId !== '')
    assert.equal(row.entry?.names[0]?.name, row.matchedName)
    assert.equal(easternDay(new Date(row.foundOn)), today)
    const { firms } = (await operations().listFirms({})).data
    assert.equal(row.firmId, firms.find(({ name }) => /alpha/i.test(name))?.firmId)
  })

  test('are filtered by firm and decision', async () => {
    assert.deepEqual([...accountsOf(await matched({ decision: 'Open' }))], [open])
    assert.deepEqual([...accountsOf(await matched({ decision: 'Cleared' }))], [cleared])
    assert.deepEqual(await matched({ decision: 'Dropped' }), [])
    const [{ firmId } = { firmId: '' }] = await matched({})
    const { firms } = (await operations().listFirms({})).data
    const other = firms.find((firm) => firm.firmId !== firmId)
    assert.equal((await matched({ firmId })).length, (await matched({})).length)
    assert.deepEqual(await matched({ firmId: other?.firmId }), [])
  })

  test('are filtered by the days on which they were found and decided, both ends included', async () => {
    const all = await matched({})
    const [yesterday, tomorrow] = [addDays(today, -1), addDays(today, 1)]
    assert.deepEqual(await matched({ foundFrom: today, foundTo: today }), all)
    assert.deepEqual(await matched({ foundFrom: tomorrow }), [])
    assert.deepEqual(await matched({ foundTo: yesterday }), [])
    assert.deepEqual([...accountsOf(await matched({ decidedFrom: today, decidedTo: today }))], [cleared])
    assert.deepEqual(await matched({ decidedTo: yesterday }), [])
    assert.deepEqual(await matched({ decidedFrom: tomorrow }), [])
    assert.deepEqual(await rejectionsOf(matched({ decidedFrom: tomorrow, decidedTo: today })), [
      'ERR.1025 decidedFrom',
    ])
  })

  test('of one account are on one page, the likeliest first', async () => {
    const { data } = await operations().listMatches({ accountNumber: cleared, size: 1 })
    assert.equal(data.next, '')
    assert.deepEqual(data.matches, await matchesOf(cleared))
    assert.deepEqual(await matched({ accountNumber: cleared, decision: 'Open' }), [])
    const after = (await operations().listMatches({ size: 1 })).data.next
    assert.deepEqual(await rejectionsOf(matched({ accountNumber: cleared, after })), ['ERR.1016 after'])
  })

  test('are named with their score in the audit trail of the decision', async () => {
    const { rows } = (await operations().listAudit({ accountNumber: cleared, action: 'decide-match' })).data
    const [match] = await matchesOf(cleared)
    const { listVersion, matchedName, score, entryId } = (rows[0]?.detail ?? {}) as Record<string, unknown>
    assert.deepEqual(
      [listVersion, matchedName, score, entryId],
      [match?.listVersion, match?.matchedName, match?.score, match?.entryId],
    )
  })

  test('are not for firms', async () => {
    const answer = await service.send('/operations-api/v1/list-matches', {
      headers: {
        authorization: `Bearer ${await service.token('alpha')}`,
        'content-type': 'application/json',
      },
      body: '{}',
    })
    assert.equal(answer.status, 403)
    assert.equal((await operator.call('list-matches', {})).status, 200)
  })
})

describe('restrictions of all accounts', () => {
  const codes = ['Sanctions', 'Sanctions', 'NoTrading'] as const
  const accounts: string[] = []
  before(async () => {
    for (const restrictionCode of codes) {
      const accountNumber = await newAccount()
      accounts.push(accountNumber)
      const reason = 'A test.'
      const { restriction } = (
        await operations().placeRestriction({ accountNumber, restrictionCode, reason })
      ).data
      // Placed on June 10; the second ended in the last moment of June 30 in New York, the third after it.
      await service.query(
        "update clearing.restriction set placed_at = '2026-06-10T12:00:00Z' where restriction_id = $1",
        [restriction?.restrictionId ?? ''],
      )
    }
    const end = (accountNumber: string | undefined, at: string) =>
      service.query(
        "update clearing.restriction set ended_at = $2, ended_by = 'licence', end_reason = 'A licence.' where account_number = $1",
        [accountNumber ?? '', at],
      )
    await end(accounts[1], '2026-07-01T03:59:59Z')
    await end(accounts[2], '2026-07-01T04:00:00Z')
  })

  test('are filtered by code, and by a day at whose end they were in force', async () => {
    const on = async (inForceOn: string, more = {}) => accountsOf(await restricted({ inForceOn, ...more }))
    assert.deepEqual(await on('2026-06-09'), new Set())
    assert.deepEqual(await on('2026-06-10'), new Set(accounts))
    assert.deepEqual(await on('2026-06-29', { restrictionCode: 'Sanctions' }), new Set(accounts.slice(0, 2)))
    assert.deepEqual(await on('2026-06-30'), new Set([accounts[0], accounts[2]]))
    assert.deepEqual(await on('2026-06-30', { restrictionCode: 'Sanctions' }), new Set([accounts[0]]))
    assert.deepEqual(await on('2026-07-01'), new Set([accounts[0]]))
  })

  test('are filtered by the days on which they were placed and ended, and say who ended them and why', async () => {
    assert.equal((await restricted({ placedFrom: '2026-06-10', placedTo: '2026-06-10' })).length, 3)
    assert.deepEqual(await restricted({ placedTo: '2026-06-09' }), [])
    assert.deepEqual(await restricted({ placedFrom: '2026-06-11', placedTo: '2026-06-12' }), [])
    const ended = await restricted({ endedFrom: '2026-06-30', endedTo: '2026-06-30' })
    assert.deepEqual(
      ended.map(({ accountNumber, endedBy, endReason }) => [accountNumber, endedBy, endReason]),
      [[accounts[1], 'licence', 'A licence.']],
    )
    assert.deepEqual(accountsOf(await restricted({ endedFrom: '2026-07-01' })), new Set([accounts[2]]))
    assert.deepEqual(await rejectionsOf(restricted({ placedFrom: '2026-07-01', placedTo: '2026-06-30' })), [
      'ERR.1025 placedFrom',
    ])
  })
})
