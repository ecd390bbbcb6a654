import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { limits, type Scope } from '@clearing/protocol'
import Fastify from 'fastify'
import { inTime, until } from '../database/test-waiting.ts'
import { createKeyring } from '../encryption/keyring.ts'
import { answerHalfClosed } from '../http/half-closed.ts'
import { openEvents } from '../http/streams/open-events.ts'
import type { Authentication } from '../identity/authenticate.ts'
import { createLog } from '../observe/log.ts'
import { renderCursor } from './cursor.ts'
import { alpha, beta, startLog } from './test-log.ts'
import { asListed, readStream, type StreamReader } from './test-reader.ts'
import { startTestService } from './test-service.ts'

const log = await startLog()

const settings = {
  duplicateApplications: 'Flag',
  documentCatalogueClosed: false,
  requestsPerSecond: 10_000,
  keysOnly: false,
  changesNeedingApproval: [],
} as const
const facts = { settings, moves: 0, moving: false }
function known(firmId: string, clientId: string, scopes: Scope[] = ['events:read']): Authentication {
  return {
    kind: 'known',
    firm:
      firmId === alpha
        ? {
            firmId,
            name: 'Alpha',
            entityNumbers: new Set(['301']),
            repCodes: new Set(['JC01', 'JC02']),
            ...facts,
          }
        : { firmId, name: 'Beta', entityNumbers: new Set(['302']), repCodes: new Set(['BB01']), ...facts },
    caller: { clientId, scopes: new Set(scopes) },
  }
}
const tokens = new Map<string, Authentication>([
  ['alpha', known(alpha, 'alpha')],
  ['beta', known(beta, 'beta')],
  ['many', known(alpha, 'many')],
  ['unscoped', known(alpha, 'unscoped', ['accounts:read'])],
  ['short', known(alpha, 'short')],
])

async function startStreams(times: { heartbeatMs?: number; slowReaderTimeoutMs?: number } = {}) {
  const app = Fastify()
  answerHalfClosed(app.server)
  const events = openEvents({
    app: log.database.app,
    operations: log.database.operations,
    keyring: createKeyring({ masterKeys: log.ground.masterKeys, loadFirmKeys: async () => [] }),
    source: 'https://clearing.example',
    sandbox: false,
    logger: createLog('silent'),
    ...times,
  })
  events.mount(app, (token) => tokens.get(token) ?? { kind: 'invalid' })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    address,
    connections: promisify(app.server.getConnections.bind(app.server)),
    async [Symbol.asyncDispose]() {
      await app.close()
      await events[Symbol.asyncDispose]()
    },
  }
}
const streams = await startStreams()
after(async () => {
  await streams[Symbol.asyncDispose]()
  await log[Symbol.asyncDispose]()
})

/** Opens a stream of new events. */
const openStream: typeof readStream = async (...asked) => {
  await log.caughtUp()
  return readStream(...asked)
}
let accounts = 0
async function newAccount(firmId = alpha, repCode?: string) {
  const accountNumber = `S${String(++accounts).padStart(7, '0')}`
  await log.addAccount(accountNumber, firmId, repCode)
  return accountNumber
}
async function asSuperuser(sql: string) {
  const client = await log.database.superuser()
  await client.query(sql)
}
function seen({ events }: StreamReader) {
  return events.map(({ accountnumber, sequence }) => `${accountnumber} ${sequence}`)
}

for (const [what, query] of [
  ['without a cursor', ''],
  ['with an empty cursor', '?cursor='],
] as const) {
  test(`a stream ${what} sends the events that are committed after it began`, async () => {
    const account = await newAccount()
    await log.write(account)
    await using reader = await openStream(streams.address, query)
    assert.equal(reader.status, 200)
    assert.match(reader.headers.get('content-type') ?? '', /^text\/event-stream/)
    assert.equal(reader.headers.get('cache-control'), 'no-store')
    await reader.begun()
    await log.write(account, 'account.opened')
    await reader.until('the event', ({ events }) => events.length === 1)
    assert.deepEqual(seen(reader), [`${account} 2`])
    const [event] = reader.events
    assert.equal(event?.type, 'account.opened')
    assert.equal(event?.source, 'https://clearing.example')
    assert.equal(event?.cursor, reader.lastId())
  })
}

test('a reader that reconnects with its last id misses no event while writers commit out of order', async () => {
  const numbers = [await newAccount(), await newAccount(), await newAccount(), await newAccount()]
  let reader = await openStream(streams.address)
  await reader.begun()
  const read: string[] = []
  const comeBack = async () => {
    const last = reader.lastId()
    await reader.leave()
    read.push(...seen(reader))
    reader = await readStream(streams.address, '', last === undefined ? {} : { 'last-event-id': last })
  }
  const rounds = 12
  for (let round = 0; round < rounds; round++) {
    const late = await log.begin()
    await late.write(numbers[round % 4] as string)
    // These transactions write for other accounts and commit before a transaction that began earlier.
    for (const number of numbers) if (number !== numbers[round % 4]) await log.write(number)
    if (round % 3 === 0) await comeBack()
    await late.commit()
    if (round % 4 === 1) await comeBack()
  }
  await reader.until('every event', ({ events }) => read.length + events.length >= rounds * 4)
  await reader.leave()
  read.push(...seen(reader))
  for (const number of numbers) {
    const own = [...new Set(read.filter((each) => each.startsWith(number)))]
    assert.deepEqual(
      own,
      Array.from({ length: rounds }, (_, at) => `${number} ${at + 1}`),
    )
  }
})

test('a reader that is far behind gets the events in the log and then new events', async () => {
  const account = await newAccount()
  await using first = await openStream(streams.address)
  await first.begun()
  const start = first.lastId() as string
  for (let count = 0; count < 450; count++) await log.write(account)
  await using late = await readStream(streams.address, `?cursor=${start}&accountNumber=${account}`)
  await late.until('450 events', ({ events }) => events.length === 450)
  await log.write(account)
  await late.until('the event after them', ({ events }) => events.length === 451)
  assert.deepEqual(
    late.events.map(({ sequence }) => sequence),
    Array.from({ length: 451 }, (_, at) => at + 1),
  )
})

test('two firms never see each other’s events', async () => {
  const [ours, theirs] = [await newAccount(alpha), await newAccount(beta)]
  await using reader = await openStream(streams.address)
  await using other = await readStream(streams.address, '', { authorization: 'Bearer beta' })
  await Promise.all([reader, other].map((each) => each.begun()))
  for (let count = 0; count < 5; count++) {
    await log.write(ours)
    await log.write(theirs, 'account.updated', beta)
  }
  await reader.until('5 events', ({ events }) => events.length >= 5)
  await other.until('5 events', ({ events }) => events.length >= 5)
  assert.ok(seen(reader).every((each) => each.startsWith(ours)))
  assert.ok(seen(other).every((each) => each.startsWith(theirs)))
})

test('the events of a stream are filtered by types, wildcards, rep code and account', async () => {
  const [one, two] = [await newAccount(alpha, 'JC01'), await newAccount(alpha, 'JC02')]
  await using first = await openStream(streams.address, '?types=document.*,account.closed&repCode=JC02')
  await using second = await readStream(
    streams.address,
    `?type=account.closed&type=call.met&accountNumber=${one}`,
  )
  await Promise.all([first, second].map((each) => each.begun()))
  for (const type of ['document.received', 'account.updated', 'account.closed']) {
    await log.write(one, type)
    await log.write(two, type)
  }
  await first.until('2 events', ({ events }) => events.length === 2)
  await second.until('1 event', ({ events }) => events.length === 1)
  assert.deepEqual(seen(first), [`${two} 1`, `${two} 3`])
  assert.deepEqual(seen(second), [`${one} 3`])
})

test('a stream of an account that the firm does not have says so in its first block', async () => {
  const [ours, theirs] = [await newAccount(), await newAccount(beta)]
  await log.write(ours)
  await log.write(theirs, undefined, beta)
  const first = async (accountNumber: string) => {
    await using reader = await openStream(streams.address, `?accountNumber=${accountNumber}`)
    await reader.begun()
    return reader.text().split('\n\n')[0] ?? ''
  }
  const comment = /^: Your firm has no account with this number\.$/m
  for (const accountNumber of ['S7799999', theirs]) assert.match(await first(accountNumber), comment)
  assert.doesNotMatch(await first(ours), comment)
})

test('comments report the current position while there are no events', async () => {
  await using quick = await startStreams({ heartbeatMs: 30 })
  await using reader = await openStream(quick.address)
  await reader.until(
    'two heartbeats',
    ({ text }) => (text().match(/^: heartbeat\nid: \S+$/gm)?.length ?? 0) >= 2,
  )
  assert.deepEqual(reader.events, [])
})

test('a cursor older than the log leads to a reset, and the stream continues with new events', async () => {
  const account = await newAccount()
  await log.write(account)
  await log.caughtUp()
  await asSuperuser(
    'update clearing.event_removal set transaction_id = pg_snapshot_xmin(pg_current_snapshot()), position = 0',
  )
  try {
    const old = renderCursor({ transaction: 1n, position: 1n, line: 0 }, 0)
    await using reader = await readStream(streams.address, '', { 'last-event-id': old })
    await reader.until('the reset', ({ resets }) => resets.length === 1)
    const [{ cursor }] = reader.resets as [{ cursor: string }]
    assert.equal(cursor, reader.lastId())
    await log.write(account)
    await reader.until('the event after the reset', ({ events }) => events.length === 1)
    assert.deepEqual(seen(reader), [`${account} 2`])
  } finally {
    await asSuperuser("update clearing.event_removal set transaction_id = '0', position = 0")
  }
})

test('a stream ends within seconds after its token expires', async () => {
  await using reader = await readStream(streams.address, '', { authorization: 'Bearer short' })
  await reader.begun()
  tokens.set('short', { kind: 'expired' })
  await reader.ended()
})

test('an empty type of a list of types is named once', async () => {
  await using reader = await readStream(streams.address, '?types=account.*,,')
  await reader.ended()
  assert.deepEqual(
    JSON.parse(reader.text()).errors.map(({ field, reason }: { field: string; reason: string }) => [
      field,
      reason,
    ]),
    [['types', 'The list has an empty type. Remove the comma beside it.']],
  )
})

const refused: [string, string, Record<string, string>, number, string][] = [
  ['no token', '', { authorization: '' }, 401, 'ERR.3001'],
  ['a wrong token', '', { authorization: 'Bearer nobody' }, 401, 'ERR.3002'],
  ['a token in the address', '?access_token=alpha', {}, 401, 'ERR.3001'],
  ['a token without the scope', '', { authorization: 'Bearer unscoped' }, 403, 'ERR.3004'],
  ['another media type', '', { accept: 'application/json' }, 406, 'ERR.2014'],
  ['an unknown member', '?colour=red', {}, 400, 'ERR.2001'],
  ['an unknown type', '?types=account.openned', {}, 400, 'ERR.1015'],
  ['another firm’s rep code', '?repCode=BB01', {}, 403, 'ERR.1003'],
  ['a malformed cursor', '?cursor=yesterday', {}, 400, 'ERR.1015'],
  ['a malformed Last-Event-ID', '', { 'last-event-id': 'x' }, 400, 'ERR.1015'],
  [
    'a cursor from the future',
    `?cursor=${renderCursor({ transaction: 2n ** 50n, position: 1n, line: 0 }, 0)}`,
    {},
    400,
    'ERR.1015',
  ],
]
for (const [what, query, headers, status, code] of refused) {
  test(`${what} is refused with ${code}`, async () => {
    await using reader = await readStream(streams.address, query, headers)
    await reader.ended()
    assert.equal(reader.status, status)
    assert.equal(JSON.parse(reader.text()).errors[0].code, code)
  })
}

test('the number of streams of a client is limited, and other clients are not affected', async () => {
  await log.caughtUp()
  const readers = await Promise.all(
    Array.from({ length: limits.eventStreamsPerClientMax }, () =>
      readStream(streams.address, '', { authorization: 'Bearer many' }),
    ),
  )
  try {
    await Promise.all(readers.map((each) => each.begun()))
    await using oneMore = await readStream(streams.address, '', { authorization: 'Bearer many' })
    assert.equal(oneMore.status, 429)
    assert.ok(oneMore.headers.get('retry-after'))
    await using other = await readStream(streams.address)
    assert.equal(other.status, 200)
    const account = await newAccount()
    await log.write(account)
    await Promise.all(readers.map((each) => each.until('the event', ({ events }) => events.length === 1)))
  } finally {
    await Promise.all(readers.map((each) => each.leave()))
  }
})

test('a reader that leaves frees its place before the next heartbeat', async () => {
  const beating = await startStreams({ heartbeatMs: 60_000 })
  const reader = await readStream(beating.address)
  await reader.begun()
  await reader.leave()
  await until('the connection to end', async () => (await beating.connections()) === 0)
  await beating[Symbol.asyncDispose]()
})

test('a stream resumes in the middle of a row, by cursor and by event id', async () => {
  await log.caughtUp()
  await using before = await readStream(streams.address)
  await before.begun()
  const account = await newAccount()
  await log.writeChange(account, Array(20).fill('account.updated'))
  await before.until('the events', ({ events }) => events.length === 20)
  const sequences = before.events.map(({ sequence }) => sequence)
  assert.deepEqual(
    sequences,
    Array.from({ length: 20 }, (_, at) => at + 1),
  )
  for (const at of [0, 4, 14, 15, 16, 18]) {
    const event = before.events[at]
    for (const cursor of [event?.cursor, event?.id]) {
      await using again = await readStream(streams.address, `?cursor=${cursor}`)
      await again.until('the other events', ({ events }) => events.length === 19 - at)
      assert.deepEqual(again.events, before.events.slice(at + 1))
    }
  }
})

test('a reader that stops reading is disconnected and can continue at its position', async () => {
  const quick = await startStreams({ slowReaderTimeoutMs: 200 })
  const before = await openStream(quick.address)
  await before.begun()
  const start = before.lastId() as string
  await before.leave()
  const count = 5_000
  // More than the buffers of both ends can hold.
  await asSuperuser(
    `insert into clearing.event_row (event_id, firm_id, sequence, type, at, trace_id, content)
     select gen_random_uuid(), '${alpha}', 0, 'business_day.closed', now(), '', jsonb_build_object('x', repeat('x', 4000))
     from generate_series(1, ${count})`,
  )
  const { hostname, port } = new URL(quick.address)
  const socket = connect(Number(port), hostname)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => {})
  socket.write(
    `GET /account-api/v1/events?cursor=${start} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer alpha\r\n\r\n`,
  )
  await inTime('the answer', once(socket, 'readable'))
  await until('the service to end the connection', async () => (await quick.connections()) === 0)
  let received = 0
  socket.on('data', (piece) => {
    received += piece.length
  })
  await inTime('the end of the connection', closed)
  assert.ok(received < count * 4_000, `${received} bytes were received`)
  await using again = await readStream(quick.address, `?cursor=${start}`)
  await again.until('the first of the events', ({ events }) => events.length > 0)
  await again.leave()
  await quick[Symbol.asyncDispose]()
})

test('a service that stops ends its streams', async () => {
  const stopping = await startStreams()
  const reader = await readStream(stopping.address)
  await reader.begun()
  await stopping[Symbol.asyncDispose]()
  await reader.ended()
})

test('a stream contains the events of an opening and ends when its credential is disabled', async () => {
  await using service = await startTestService()
  const authorization = `Bearer ${await service.tokenOf('alpha')}`
  await using reader = await readStream(service.address, '?types=application.*,account.opened', {
    authorization,
  })
  await reader.begun()
  const accountNumber = await service.openAccount('alpha')
  await reader.until('account.opened', ({ events }) => events.some(({ type }) => type === 'account.opened'))
  assert.ok(reader.events.every(({ subject }) => subject === accountNumber))
  const types = ['application.*', 'account.opened']
  const { data } = await service.call('alpha', 'list-events', { accountNumber, types })
  assert.deepEqual(reader.events.map(asListed), data.events)
  const disabled = await service.operate('disable-credential', { clientId: 'alpha' })
  assert.equal(disabled.status, 200)
  await reader.ended()
})
