import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../database/test-waiting.ts'
import type { CloudEvent } from './cloud-event.ts'
import { renderCursor } from './cursor.ts'
import { startTestService } from './test-service.ts'

const service = await startTestService()
after(() => service[Symbol.asyncDispose]())

function opened(accountNumber: string, clientId: 'alpha' | 'beta') {
  return until(`account.opened of ${accountNumber}`, async () => {
    const { data } = await service.call(clientId, 'list-events', { accountNumber })
    const events: CloudEvent[] = data.events
    return events.some(({ type }) => type === 'account.opened') ? events : undefined
  })
}

test('the events of an opening are listed in order from its submission to its end, as CloudEvents', async () => {
  const accountNumber = await service.openAccount('alpha')
  const events = await opened(accountNumber, 'alpha')
  assert.deepEqual(
    events.map(({ type }) => type),
    [
      'application.submitted',
      'application.stage.completed',
      'application.stage.completed',
      'application.approved',
      ...Array(4).fill('application.stage.completed'),
      'account.opened',
      // The open account has a follow-up for a tax form.
      'followup.opened',
    ],
  )
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, at) => at + 1),
  )
  const [first] = events
  assert.ok(first)
  const { id, time, traceparent, cursor, ...rest } = first
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.ok(Date.parse(time) > 0)
  assert.match(traceparent, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  assert.ok(cursor.length > 10)
  assert.deepEqual(rest, {
    specversion: '1.0',
    source: 'http://127.0.0.1:8080',
    type: 'application.submitted',
    subject: accountNumber,
    datacontenttype: 'application/json',
    entitynumber: '301',
    repcode: 'JC01',
    accountnumber: accountNumber,
    sequence: 1,
    data: { accountNumber, registrationType: 'Individual', accountStatus: 'Pending' },
  })
  assert.doesNotMatch(JSON.stringify(events), /2190/, 'no tax id')
})

test('the events of a reserved number, its application and its opening are numbered without gaps', async () => {
  const asked = { entityNumber: '301', repCode: 'JC01', registrationType: 'Individual' }
  const { data } = await service.call('alpha', 'account-number', asked)
  await service.openAccount('alpha', data.accountNumber)
  const events = await opened(data.accountNumber, 'alpha')
  assert.deepEqual(
    events.slice(0, 3).map(({ type, sequence }) => `${sequence} ${type}`),
    ['1 account.reserved', '2 application.submitted', '3 application.stage.completed'],
  )
})

test('each page leads to the next, and a cursor or the id of an event leads to the events after it', async () => {
  const accountNumber = await service.openAccount('alpha')
  const all = await opened(accountNumber, 'alpha')
  const read: CloudEvent[] = []
  let cursor: string | undefined
  for (;;) {
    const asked = { accountNumber, size: 2, ...(cursor === undefined ? {} : { cursor }) }
    const { data } = await service.call('alpha', 'list-events', asked)
    assert.ok(data.events.length <= 2)
    read.push(...data.events)
    cursor = data.nextCursor
    if (!data.more) break
  }
  assert.deepEqual(read, all)
  for (const from of [all[2]?.cursor, all[2]?.id]) {
    const { data } = await service.call('alpha', 'list-events', { accountNumber, cursor: from })
    assert.deepEqual(data.events, all.slice(3))
  }
})

test('two firms never see each other’s events', async () => {
  const [ours, theirs] = [await service.openAccount('alpha'), await service.openAccount('beta')]
  const events = await opened(ours, 'alpha')
  await opened(theirs, 'beta')
  const everything = await service.call('beta', 'list-events', { size: 1000 })
  // The firm's own events concern no account.
  const ofAccounts = everything.data.events.filter(
    ({ accountnumber }: CloudEvent) => accountnumber !== undefined,
  )
  const numbers = new Set(ofAccounts.map(({ accountnumber }: CloudEvent) => accountnumber))
  assert.deepEqual([...numbers], [theirs])
  const asked = await service.call('beta', 'list-events', { accountNumber: ours })
  assert.deepEqual(asked.data.events, [])
  const byId = await service.call('beta', 'list-events', { cursor: events[0]?.id })
  assert.deepEqual([byId.status, byId.errors[0]?.code], [400, 'ERR.1015'])
})

test('events are filtered by type, wildcard, entity number and rep code', async () => {
  const accountNumber = await service.openAccount('alpha')
  await opened(accountNumber, 'alpha')
  const typesOf = async (filter: object) => {
    const { data, errors } = await service.call('alpha', 'list-events', { accountNumber, ...filter })
    assert.equal(errors.length, 0, JSON.stringify(errors))
    return [...new Set(data.events.map(({ type }: CloudEvent) => type))]
  }
  assert.deepEqual(await typesOf({ types: ['account.*'] }), ['account.opened'])
  assert.deepEqual(await typesOf({ types: 'account.opened, application.approved' }), [
    'application.approved',
    'account.opened',
  ])
  assert.deepEqual(await typesOf({ types: ['ACCOUNT.OPENED'], entityNumber: 301 }), ['account.opened'])
  assert.deepEqual(await typesOf({ types: ['*'], repCode: 'JC02' }), [])
  assert.equal((await typesOf({ types: ['*'], repCode: 'jc01' })).length, 5)
})

const bad: [string, object, string, string, number][] = [
  ['a malformed cursor', { cursor: 'tomorrow' }, 'ERR.1015', 'cursor', 400],
  [
    'a cursor from the future',
    { cursor: renderCursor({ transaction: 2n ** 50n, position: 1n, line: 0 }, 0) },
    'ERR.1015',
    'cursor',
    400,
  ],
  ['an unknown event', { cursor: '00000000-0000-7000-8000-000000000000' }, 'ERR.1015', 'cursor', 400],
  ['an unknown type', { types: ['account.openned'] }, 'ERR.1015', 'types[0]', 400],
  ['a wildcard for nothing', { types: ['accounts.*'] }, 'ERR.1015', 'types[0]', 400],
  ['a wildcard in the middle', { types: ['account.*ned'] }, 'ERR.1015', 'types[0]', 400],
  ['too large a page', { size: 1001 }, 'ERR.1015', 'size', 400],
  ['another firm’s entity number', { entityNumber: '302' }, 'ERR.1003', 'entityNumber', 403],
  ['an unknown entity number', { entityNumber: '999' }, 'ERR.1001', 'entityNumber', 400],
  ['another firm’s rep code', { repCode: 'BB01' }, 'ERR.1003', 'repCode', 403],
]
for (const [what, request, code, field, status] of bad) {
  test(`${what} is refused with ${code}`, async () => {
    const { status: answered, errors } = await service.call('alpha', 'list-events', request)
    assert.deepEqual([answered, errors[0]?.code, errors[0]?.field], [status, code, field])
  })
}

test('the reason for an unknown type contains the nearest known type', async () => {
  const { errors } = await service.call('alpha', 'list-events', { types: ['account.openned'] })
  assert.match(errors[0]?.reason ?? '', /account\.opened/)
})

test('a list continues after each event of a row, by cursor and by event id, in pages of any size', async () => {
  const accountNumber = await service.openAccount('alpha')
  const events = await opened(accountNumber, 'alpha')
  const listAfter = async (cursor: string, size: number) => {
    const { data } = await service.call('alpha', 'list-events', { cursor, size })
    return data.events.filter(({ subject }: CloudEvent) => subject === accountNumber)
  }
  for (const [at, { id, cursor }] of events.entries())
    for (const from of [id, cursor]) {
      assert.deepEqual(await listAfter(from, 100), events.slice(at + 1))
      assert.deepEqual(await listAfter(from, 2), events.slice(at + 1, at + 3))
    }
})

test('after a move of the firm, a cursor whose events wait for an open transaction is kept, and a webhook begins at it', async () => {
  const beta = '00000000-0000-4000-8000-000000000302'
  const superuser = await service.database.superuser()
  await superuser.query(
    `insert into clearing.event_log_before (firm_id, moves, removed_transaction, removed_position, transaction_id, position)
     values ($1, 0, '0', 0, $2, 0)`,
    [beta, String(2n ** 50n)],
  )
  await superuser.query('update clearing.firm set name = name where firm_id = $1', [beta])
  const cursor = renderCursor({ transaction: 5n, position: 0n, line: 0 }, 0)
  const data = await until('the firm has moved', async () => {
    const reply = await service.call('beta', 'list-events', { cursor })
    return reply.data?.nextCursor === cursor ? reply.data : undefined
  })
  assert.deepEqual(data, { events: [], next: '', nextCursor: cursor, more: false })
  const url = 'https://hooks.example.com/'
  const made = await service.call('beta', 'create-webhook', { url, cursor })
  assert.equal(made.status, 200, JSON.stringify(made.errors))
  const ofNow = renderCursor({ transaction: 2n ** 50n, position: 1n, line: 0 }, 1)
  const refused = await service.call('beta', 'list-events', { cursor: ofNow })
  assert.equal(refused.errors[0]?.field, 'cursor')
})
