/**
 * A standby answers reads. A caller sees its own writes, and what events report, while the standby lags. The primary
 * answers when the standby is lost or too far behind. Firms are isolated on the standby, and readings of personal
 * numbers are recorded before the response.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type CallSettings, type Client, type CloudEvent, createClient, verifyWebhook } from '@clearing/sdk'
import { examine } from '../../server/src/commands/doctor.ts'
import { applicationFor } from '../acceptance/applications.ts'
import { type DatabaseServer, startDatabaseServer } from './database-server.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'

const settledWithinMs = 120_000

let primary: DatabaseServer
let standby: DatabaseServer
let folder: string
let service: ServiceProcess

function environmentOf(lagMaxSeconds: number) {
  return {
    DATABASE_URL: primary.url,
    DATABASE_READ_URL: standby.url,
    REPLICA_LAG_MAX_SECONDS: String(lagMaxSeconds),
    MASTER_KEY_FILE: join(folder, 'key'),
    DOCUMENTS_DIR: join(folder, 'documents'),
  }
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faults-replica-'))
  await writeFile(join(folder, 'key'), `${randomBytes(32).toString('base64')}\n`, { mode: 0o400 })
  primary = await startDatabaseServer()
  standby = await primary.copied()
  service = await makeServiceProcess({ environment: environmentOf(3_600) })
  await service.start()
  await until(readsFromStandby, true)
})
after(async () => {
  await service?.dispose()
  await standby?.dispose()
  await primary?.dispose()
  await rm(folder, { recursive: true, force: true })
})

function clientOf({ address }: ServiceProcess, clientId: string): Client {
  return createClient({ baseUrl: address, clientId, clientSecret: `${clientId}-sandbox-secret` })
}

async function figure({ address }: ServiceProcess, name: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text()
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.split(' ').at(-1) ?? 0)
}

function reads(outcome: string, of = service): Promise<number> {
  return figure(of, `clearing_replica_reads_total{outcome="${outcome}"}`)
}

/** A standby is up before it has replayed what the primary wrote until the service started. */
async function readsFromStandby(): Promise<boolean> {
  const answered = await reads('answered')
  await clientOf(service, 'alpha').listAccounts({ size: 1 })
  return (await reads('answered')) > answered
}

async function until<T>(look: () => Promise<T>, wanted: T): Promise<void> {
  const deadline = Date.now() + settledWithinMs
  for (let found = await look(); found !== wanted; found = await look()) {
    assert.ok(Date.now() < deadline, `${String(found)} does not become ${String(wanted)}`)
    await pause(20)
  }
}

async function open(client: Client): Promise<string> {
  const { data } = await client.newAccount(applicationFor('Individual'))
  assert.ok('message' in data)
  return data.message.accountNumber
}

async function lists(client: Client, accountNumber: string): Promise<boolean> {
  for await (const account of client.listAccounts.each({}))
    if (account.accountNumber === accountNumber) return true
  return false
}

test('a caller sees its own writes while the standby lags, and other callers see the state of the standby', async () => {
  await standby.query('select pg_wal_replay_pause()')
  const [writer, other] = [clientOf(service, 'alpha'), clientOf(service, 'alpha')]
  const [answered, behind] = [await reads('answered'), await reads('behind')]
  const accountNumber = await open(writer)
  assert.equal(await lists(other, accountNumber), false)
  assert.ok((await reads('answered')) > answered)
  assert.equal(await lists(writer, accountNumber), true)
  assert.ok((await reads('behind')) > behind)
  await standby.query('select pg_wal_replay_resume()')
  await until(() => lists(other, accountNumber), true)
  assert.equal(await lists(writer, accountNumber), true)
})

test('a client sees what an event of the stream or of the log reports while the standby lags', async () => {
  const [follower, poller, other] = [1, 2, 3].map(() => clientOf(service, 'alpha')) as [
    Client,
    Client,
    Client,
  ]
  const end = new AbortController()
  const wanted = {
    types: ['application.submitted'],
    cursor: (await other.listEvents({ size: 1 })).data.nextCursor,
  }
  const earlier = await open(clientOf(service, 'alpha'))
  const events = follower.events(wanted, { signal: end.signal })
  const next = async (of: string) => {
    for (;;) {
      const { value } = await events.next()
      if (value?.accountnumber === of) return value
    }
  }
  // The page of the log that has this event ends before the next account, which only the stream can report.
  const { cursor } = await next(earlier)
  await until(() => lists(clientOf(service, 'alpha'), earlier), true)
  await standby.query('select pg_wal_replay_pause()')
  const accountNumber = await open(clientOf(service, 'alpha'))
  const streamed = await next(accountNumber)
  end.abort()
  assert.equal(await lists(other, accountNumber), false)
  assert.equal(await lists(follower, accountNumber), true)

  let polled: CloudEvent | undefined
  for await (const event of poller.events({ ...wanted, cursor }, { follow: false })) polled = event
  assert.equal(polled?.accountnumber, accountNumber)
  assert.equal(await lists(poller, accountNumber), true)

  for (const event of [streamed, polled]) {
    const read = (settings: CallSettings) =>
      clientOf(service, 'alpha')
        .accountHistory({ accountNumber }, settings)
        .then(
          () => 200,
          ({ status }) => status,
        )
    assert.equal(await read({}), 404)
    assert.equal(await read({ consistency: event?.consistency }), 200)
    assert.equal(await read({ headers: { 'clearing-consistency': `${event?.consistency}` } }), 200)
  }
  await standby.query('select pg_wal_replay_resume()')
})

test('the event of a webhook delivery names a state that includes what it reports', async () => {
  const received = Promise.withResolvers<CloudEvent>()
  let secret = ''
  const receiver = createServer(async (request, response) => {
    received.resolve(await verifyWebhook({ body: await text(request), headers: request.headers }, secret))
    response.writeHead(204).end()
  })
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
  const { port } = receiver.address() as AddressInfo
  const owner = clientOf(service, 'alpha')
  const types = ['application.submitted']
  const { data: webhook } = await owner.createWebhook({ url: `http://127.0.0.1:${port}/`, types })
  try {
    secret = webhook.secret
    await standby.query('select pg_wal_replay_pause()')
    const accountNumber = await open(clientOf(service, 'alpha'))
    const event = await received.promise
    assert.equal(event.accountnumber, accountNumber)
    const reader = clientOf(service, 'alpha')
    await assert.rejects(reader.accountHistory({ accountNumber }), { status: 404 })
    await reader.accountHistory({ accountNumber }, { consistency: event.consistency })
  } finally {
    await standby.query('select pg_wal_replay_resume()')
    await owner.deleteWebhook({ webhookId: webhook.webhookId })
    receiver.close()
    receiver.closeAllConnections()
  }
})

test('the primary answers a call with an invalid value of Clearing-Consistency', async () => {
  await standby.query('select pg_wal_replay_pause()')
  const accountNumber = await open(clientOf(service, 'alpha'))
  const { data } = await clientOf(service, 'alpha').listAccounts(
    { size: 1 },
    { headers: { 'clearing-consistency': 'yesterday' } },
  )
  assert.equal(data.accounts[0]?.accountNumber, accountNumber)
  await standby.query('select pg_wal_replay_resume()')
})

test('a summary from the standby, read again, follows the prices that the standby has', async () => {
  const staff = clientOf(service, 'operations').operations
  const accountNumber = await open(clientOf(service, 'alpha'))
  const symbol = 'RPLC'
  const price = (value: string, priceDate: string) =>
    staff.loadPrices({ lines: { ndjson: [{ symbol, price: value, priceType: 'LastClose', priceDate }] } })
  await staff.loadSecurities({ lines: { ndjson: [{ symbol, secTypeName: 'Common Stock' }] } })
  await price('50.00', '2026-01-05T21:00:00Z')
  const bought = { transType: 'Trade', buySell: 'BUY', symbol, quantity: '10', price: '50.00' }
  await staff.loadActivity({
    lines: {
      ndjson: [
        { externalId: symbol, acctNo: accountNumber, acctType: '1', tradeDate: '2026-01-05', ...bought },
      ],
    },
  })
  const reader = clientOf(service, 'alpha')
  const value = () =>
    reader.positionSummary({ accountNumber }).then(
      ({ data }) => Number(data.totalLongMarket),
      () => undefined,
    )
  await until(value, 500)
  const answered = await reads('answered')
  assert.deepEqual([await value(), await value()], [500, 500])
  assert.equal(await reads('answered'), answered + 2)
  await standby.query('select pg_wal_replay_pause()')
  await price('60.00', '2026-01-06T21:00:00Z')
  assert.equal(await value(), 500, 'the standby does not know the price yet')
  const writer = clientOf(service, 'alpha')
  await open(writer)
  assert.equal(Number((await writer.positionSummary({ accountNumber })).data.totalLongMarket), 600)
  await standby.query('select pg_wal_replay_resume()')
  await until(value, 600)
})

test('a firm sees no account of another on the standby', async () => {
  const accountNumber = await open(clientOf(service, 'alpha'))
  const [own, other] = [clientOf(service, 'alpha'), clientOf(service, 'beta')]
  await until(() => lists(own, accountNumber), true)
  const answered = await reads('answered')
  assert.equal(await lists(other, accountNumber), false)
  await assert.rejects(other.accountHistory({ accountNumber }), { status: 404 })
  assert.ok((await reads('answered')) >= answered + 2)
})

test('a reading of personal numbers from the standby is recorded on the primary before the response', async () => {
  const accountNumber = await open(clientOf(service, 'alpha'))
  const reader = clientOf(service, 'alpha')
  await until(() => lists(reader, accountNumber), true)
  const answered = await reads('answered')
  const { traceId } = await reader.accountHistory({ accountNumber })
  assert.ok((await reads('answered')) > answered)
  const { rows } = await primary.query(
    'select account_number, operation from clearing.access_record where trace_id = $1',
    [traceId],
  )
  assert.deepEqual(rows, [{ account_number: accountNumber, operation: 'account-history' }])
})

test('reports and lists of the clearing firm come from the standby, the inbox from the primary', async () => {
  const staff = clientOf(service, 'operations').operations
  const accountNumber = await open(clientOf(service, 'alpha'))
  await until(() => lists(clientOf(service, 'alpha'), accountNumber), true)
  const today = new Date().toISOString().slice(0, 10)
  const range = { dateFrom: '2020-01-01', dateTo: `${Number(today.slice(0, 4)) + 1}-12-31` }
  const submitted = async () =>
    (await staff.getReport(range)).data.firms.reduce((sum, firm) => sum + firm.submitted, 0)
  const before = await submitted()

  await standby.query('select pg_wal_replay_pause()')
  const late = await open(clientOf(service, 'alpha'))
  const answered = await reads('answered')
  assert.equal(await submitted(), before, 'the standby does not know the account yet')
  await staff.firmUsage({})
  await staff.listReadings({})
  await staff.listRenewals({})
  assert.equal(await reads('answered'), answered + 4)
  await staff.listWork({})
  await staff.listAudit({})
  assert.equal(await reads('answered'), answered + 4)
  // A person who has written sees the write, whatever the state of the standby.
  await staff.addNote({ accountNumber: late, text: 'Seen.' })
  assert.equal(await submitted(), before + 1)
  await standby.query('select pg_wal_replay_resume()')
})

test('a standby that lags too far is not read until it has caught up', async () => {
  const strict = await makeServiceProcess({ environment: environmentOf(1) })
  try {
    await strict.start()
    await until(() => figure(strict, 'clearing_read_replica_up'), 1)
    await standby.query('select pg_wal_replay_pause()')
    const accountNumber = await open(clientOf(strict, 'alpha'))
    const other = clientOf(strict, 'alpha')
    await until(() => lists(other, accountNumber), true)
    assert.ok((await reads('lagging', strict)) > 0)
    assert.ok((await figure(strict, 'clearing_read_replica_lag_seconds')) > 1)
    await standby.query('select pg_wal_replay_resume()')
    const answered = await reads('answered', strict)
    await until(async () => {
      await lists(other, accountNumber)
      return (await reads('answered', strict)) > answered
    }, true)
  } finally {
    await standby.query('select pg_wal_replay_resume()')
    await strict.dispose()
  }
})

test('doctor accepts a standby, and warns when the address is that of a primary', async () => {
  const found = (readUrl: string) =>
    examine({ ...environmentOf(10), DATABASE_READ_URL: readUrl, DATA_DIR: folder })
  const says = async (readUrl: string) =>
    (await found(readUrl)).filter(({ text }) => text.includes('DATABASE_READ_URL'))
  assert.deepEqual(
    (await says(standby.url)).map(({ kind }) => kind),
    ['right'],
  )
  const [advice, ...more] = await says(primary.url)
  assert.equal(advice?.kind, 'advice')
  assert.match(advice?.text ?? '', /not a standby/)
  assert.deepEqual(more, [])
})

test('after a restore, a standby of the lost time answers no read, and doctor reports it', async () => {
  const backup = await primary.backup()
  await primary.query("select pg_create_restore_point('before the loss')")
  const lost = await open(clientOf(service, 'alpha'))
  const restored = await primary.restored(backup, 'before the loss')
  const environment = { ...environmentOf(3_600), DATABASE_URL: restored.url }
  const finding = async () =>
    (await examine({ ...environment, DATA_DIR: folder })).find(({ text }) =>
      text.includes('DATABASE_READ_URL'),
    )
  const later = await makeServiceProcess({ environment })
  try {
    assert.match((await finding())?.text ?? '', /was restored or promoted since the last start/)
    await later.start()
    assert.equal(await figure(later, 'clearing_read_replica_up'), 0)
    const [writer, reader] = [clientOf(later, 'alpha'), clientOf(later, 'alpha')]
    const opened = await open(writer)
    assert.equal(await lists(reader, lost), false)
    assert.equal(await lists(reader, opened), true)
    assert.equal(await reads('answered', later), 0)
    assert.ok((await reads('away', later)) > 0)
    assert.equal((await finding())?.kind, 'wrong')
    assert.match((await finding())?.text ?? '', /^DATABASE_READ_URL is not a standby of DATABASE_URL: /)
  } finally {
    await later.dispose()
    await restored.dispose()
    await rm(backup, { recursive: true, force: true })
  }
  assert.equal(await lists(clientOf(service, 'alpha'), lost), true)
})

test('without the standby, the primary answers', async () => {
  const writer = clientOf(service, 'alpha')
  const accountNumber = await open(writer)
  const reader = clientOf(service, 'alpha')
  await until(() => lists(reader, accountNumber), true)
  await standby.kill()
  assert.equal(await lists(reader, accountNumber), true)
  assert.equal(await lists(writer, accountNumber), true)
  await until(() => figure(service, 'clearing_read_replica_up'), 0)
  assert.ok((await reads('away')) > 0)
  assert.equal(await service.look('/health/ready'), 200)
})
