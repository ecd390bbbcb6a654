/** A listener whose connection is lost: with an error, without one, or because the server is no longer the primary. */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { openChangeListener } from './change-listener.ts'
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
    const times = { retryMs: 20, askMs: 50, answerMs: 500 }
    await using listener = openChangeListener(pool, 'news', (fault) => faults.push(fault), times)
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
