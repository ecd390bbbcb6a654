/** A listener whose connection is lost: with an error, without one, or because the server is no longer the primary. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { isListening, openChangeListener } from './change-listener.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { DatabaseUnavailable } from './faults.ts'
import { openPool, type Pool } from './pool.ts'
import { makeTestFolder } from './test-folder.ts'
import { until } from './test-waiting.ts'
import { type FaultProxy, startFaultProxy } from './testing/fault-proxy.ts'

let folder: string
/** A separate server, because the test sets it to refuse writes. */
let server: EmbeddedPostgres
let proxy: FaultProxy
let pool: Pool
let session: pg.Client
before(async () => {
  folder = await makeTestFolder('listener-')
  server = await startEmbeddedPostgres({ dataDir: folder })
  proxy = await startFaultProxy(server.urls.owner)
  pool = openPool({ name: 'owner', url: proxy.through(server.urls.owner) })
  session = new pg.Client(server.urls.superuser.replace('/postgres?', '/clearing?'))
  await session.connect()
})
after(async () => {
  await session?.end()
  await pool?.end()
  await proxy?.[Symbol.asyncDispose]()
  await server?.stop('immediate')
  await rm(folder, { recursive: true, force: true })
})

const losses: Record<string, { begin: () => Promise<unknown>; end: () => Promise<unknown> }> = {
  'is ended by the server': {
    begin: () =>
      session.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'clearing_owner'",
      ),
    end: async () => {},
  },
  'falls silent': {
    begin: async () => proxy.inject({ kind: 'silence' }),
    end: async () => proxy.inject(undefined),
  },
  'leads to a server that refuses writes': {
    begin: () => readOnly('on'),
    end: () => readOnly('off'),
  },
}

async function readOnly(setting: 'on' | 'off'): Promise<void> {
  await session.query('set transaction_read_only = off')
  await session.query(`alter system set default_transaction_read_only = ${setting}`)
  await session.query('select pg_reload_conf()')
}

for (const [loss, { begin, end }] of Object.entries(losses)) {
  test(`a listener whose connection ${loss} is replaced by another`, async () => {
    const faults: unknown[] = []
    let notified = 0
    const times = { retryMs: 20, retryMaxMs: 80, askMs: 50, answerMs: 500 }
    await using listener = openChangeListener(pool, 'news', { onFault: (fault) => faults.push(fault) }, times)
    listener.onChange(() => {
      notified += 1
    })
    await until('a notification', () => notified > 0)
    await begin()
    await until('the loss of the connection', () => !listener.listening())
    const before = notified
    await end()
    await until('a notification', () => notified > before)
    for (const fault of faults) assert.ok(fault instanceof DatabaseUnavailable, String(fault))
    const heard = notified
    await session.query('notify news')
    await until('a notification', () => notified > heard)
  })
}

/** Shorter than the usual limits, in the same order: a caller gives up before a slow connection is made. */
const limits = { acquireTimeoutMs: 100, answerTimeoutMs: 2_000 }

/** Closes a pool also when an assertion fails. */
function closing(opened: Pool): AsyncDisposable {
  return { [Symbol.asyncDispose]: () => opened.end() }
}

test('a listener waits for a slow database, whose answers take longer than callers wait for a connection', async () => {
  await using slow = await startFaultProxy(server.urls.owner)
  slow.inject({ kind: 'delay', delayMs: 150 })
  const shared = openPool({ name: 'owner', url: slow.through(server.urls.owner), limits })
  await using _ = closing(shared)
  const faults: unknown[] = []
  let notified = 0
  await using listener = openChangeListener(
    shared,
    'news',
    { onFault: (fault) => faults.push(fault) },
    { askMs: 50 },
  )
  listener.onChange(() => {
    notified += 1
  })
  assert.deepEqual([listener.listening(), isListening(shared)], [false, false])
  await until('a notification', () => notified > 0)
  assert.deepEqual([isListening(shared), isListening(pool)], [true, undefined])
  const { roundTrips } = slow.counts
  await until('two checks of the connection', () => slow.counts.roundTrips >= roundTrips + 2)
  const before = notified
  await session.query('notify news')
  await until('a notification', () => notified > before)
  assert.deepEqual(faults, [])
  assert.equal(slow.counts.connections, 1)
})

test('a listener whose first answer does not come says so, once, and listens when the database answers', async () => {
  await using mute = await startFaultProxy(server.urls.owner)
  const url = mute.through(server.urls.owner)
  const shared = openPool({ name: 'owner', url, setting: 'DATABASE_URL', limits })
  await using _ = closing(shared)
  // An idle connection, so that the server falls silent before it confirms that the session listens.
  ;(await shared.acquire()).release()
  mute.inject({ kind: 'silence' })
  const reports: string[] = []
  await using listener = openChangeListener(
    shared,
    'news',
    { onFault: ({ message }) => reports.push(message), onBack: () => reports.push('back') },
    { retryMs: 20, retryMaxMs: 40, askMs: 50, answerMs: 200 },
  )
  await until('a report', () => reports.length > 0)
  assert.equal(listener.listening(), false)
  mute.inject(undefined)
  await until('a sound connection', () => reports.includes('back'))
  assert.ok(listener.listening())
  assert.equal(reports[0], 'no notifications of the database arrive. DATABASE_URL: no answer within 200 ms')
})

test('while the database is away, attempts follow after longer pauses, and the cause is reported once', async () => {
  let attempts = 0
  const gone = createServer((socket) => {
    attempts += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await using _server = { [Symbol.asyncDispose]: async () => void gone.close() }
  await once(gone, 'listening')
  const { port } = gone.address() as AddressInfo
  const shared = openPool({ name: 'owner', url: `postgresql://nobody@127.0.0.1:${port}/none`, limits })
  await using _ = closing(shared)
  const faults: string[] = []
  const times = { retryMs: 10, retryMaxMs: 1_000 }
  await using _listener = openChangeListener(
    shared,
    'news',
    { onFault: ({ message }) => faults.push(message) },
    times,
  )
  // 10 + 20 + 40 + 80 + 160 ms between them, instead of five times 10 ms.
  const begunMs = performance.now()
  await until('six attempts', () => attempts >= 6)
  assert.ok(performance.now() - begunMs >= 300)
  assert.equal(new Set(faults).size, faults.length)
  assert.match(faults[0] ?? '', /^no notifications of the database arrive\. no database connection: /)
})

test('all listeners of a pool share one connection, each hears its own channel, and the last one closes it', async () => {
  const shared = openPool({ name: 'owner', url: server.urls.owner })
  const heard: string[] = []
  const open = (channel: string) => {
    const listener = openChangeListener(shared, channel)
    listener.onChange(() => heard.push(channel))
    return listener
  }
  const first = open('first')
  await until('a notification', () => heard.includes('first'))
  const second = open('second')
  await until('a notification', () => heard.includes('second'))
  assert.equal(shared.figures().open, 1)
  heard.length = 0
  await session.query('notify second')
  await until('a notification', () => heard.length > 0)
  await session.query('notify first')
  await until('a notification', () => heard.length > 1)
  assert.deepEqual(heard, ['second', 'first'])
  await first[Symbol.asyncDispose]()
  await session.query('notify first')
  await session.query('notify second')
  await until('a notification', () => heard.length > 2)
  assert.deepEqual(heard.slice(2), ['second'])
  assert.ok(second.listening())
  await second[Symbol.asyncDispose]()
  await until('the end of the connection', () => shared.figures().open === 0)
  await shared.end()
})

test('a listener that is opened while the last one closes is served, over one connection', async () => {
  const shared = openPool({ name: 'owner', url: server.urls.owner })
  const closing = openChangeListener(shared, 'first')[Symbol.asyncDispose]()
  let notified = 0
  await using next = openChangeListener(shared, 'second')
  next.onChange(() => {
    notified += 1
  })
  await closing
  await until('a notification', () => notified > 0)
  const before = notified
  await session.query('notify second')
  await until('a notification', () => notified > before)
  assert.equal(shared.figures().open, 1)
  await next[Symbol.asyncDispose]()
  await shared.end()
})
