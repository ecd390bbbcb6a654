/**
 * The primary of a replicated database is lost under the load of two processes: it is demoted, killed, replaced too
 * early by a standby that is not yet primary, or (at night) stands still. No process ends, no acknowledged write is
 * lost or doubled, jobs that end meanwhile are completed, and callers see only a pause (R004, R005, R025, R026, R114).
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, createClient } from '@clearing/sdk'
import { type Application, applicationFor } from '../acceptance/applications.ts'
import { type DatabaseServer, startDatabaseServer } from './database-server.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'
import { type SwitchProxy, startSwitchProxy } from './switch-proxy.ts'

/** The number of times a primary is killed. Many rounds run at night. */
const rounds = Number(process.env.FAILOVERS ?? 1)
const callersOfEach = 3
const settledWithinMs = 180_000

let primary: DatabaseServer
let proxy: SwitchProxy
let folder: string
const services: ServiceProcess[] = []
const streams: ReturnType<typeof follow>[] = []
/** Of the log before the first failover. */
let firstCursor: string

function environmentOf() {
  return {
    DATABASE_URL: `postgresql://clearing_owner@127.0.0.1:${proxy.port}/clearing`,
    MASTER_KEY_FILE: join(folder, 'key'),
    DOCUMENTS_DIR: join(folder, 'documents'),
    DATABASE_CONNECTIONS: '4',
  }
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faults-failover-'))
  await writeFile(join(folder, 'key'), `${randomBytes(32).toString('base64')}\n`, { mode: 0o400 })
  primary = await startDatabaseServer()
  proxy = await startSwitchProxy(primary.socket)
  for (let process = 0; process < 2; process++) {
    const service = await makeServiceProcess({ environment: environmentOf() })
    services.push(service)
    await service.start()
    streams.push(follow(service))
  }
  firstCursor = await readCursor()
})
after(async () => {
  for (const stream of streams) stream.end()
  for (const service of services) await service.dispose()
  await proxy?.[Symbol.asyncDispose]()
  await primary?.dispose()
  await rm(folder, { recursive: true, force: true })
})

interface Asked {
  readonly application: Application
  /** Undefined while no response is known. */
  accountNumber: string | undefined
}

async function readCursor(after?: string): Promise<string> {
  const { alpha } = services[0] as ServiceProcess
  return (await alpha.listEvents(after === undefined ? {} : { after })).data.nextCursor
}

/** The requests by key. */
const asked = new Map<string, Asked>()

function patientClient({ address }: ServiceProcess): Client {
  return createClient({
    baseUrl: address,
    clientId: 'alpha',
    clientSecret: 'alpha-sandbox-secret',
    // Longer than the default: a slow machine starts the standby late.
    retryForMs: 180_000,
    retryDelayMs: 50,
    retryDelayMsMax: 2_000,
  })
}

/** The accounts whose opening a stream of events has reported. */
function follow(service: ServiceProcess) {
  const reported = new Set<string>()
  const controller = new AbortController()
  const following = (async () => {
    const wanted = { types: ['account.opened'] }
    for await (const event of patientClient(service).events(wanted, { signal: controller.signal }))
      reported.add(event.data.accountNumber as string)
  })()
  following.catch(() => {})
  return { reported, end: () => controller.abort() }
}

/**
 * Clients with long retries at both processes, until they are stopped. A call that fails after all retries fails the
 * test.
 */
function load() {
  let over = false
  let longestMs = 0
  const before = asked.size
  const work = async (service: ServiceProcess) => {
    const client = patientClient(service)
    while (!over) {
      const key = `failover ${asked.size}`
      const entry: Asked = { application: applicationFor('Individual'), accountNumber: undefined }
      asked.set(key, entry)
      const startedMs = performance.now()
      const { data } = await client.newAccount(entry.application, { idempotencyKey: key })
      assert.ok('message' in data)
      const { accountNumber } = data.message
      entry.accountNumber = accountNumber
      const openedMs = performance.now()
      // Every reading of a record writes an access record, so this call writes too.
      await client.getAccount({ accountNumber })
      longestMs = Math.max(longestMs, openedMs - startedMs, performance.now() - openedMs)
      await pause(10)
    }
  }
  const working = Promise.all(
    services.flatMap((service) => Array.from({ length: callersOfEach }, () => work(service))),
  )
  working.catch(() => {})
  const count = () => [...asked.values()].filter(({ accountNumber }) => accountNumber !== undefined).length
  return {
    async more(accounts: number) {
      const wanted = count() + accounts
      while (count() < wanted) {
        await Promise.race([working, pause(20)])
        goesOn()
      }
    },
    async end() {
      over = true
      await working
      return `${asked.size - before} writes acknowledged, longest call ${(longestMs / 1_000).toFixed(1)} s`
    },
  }
}

function goesOn() {
  for (const service of services) {
    const output = service.output()
    const fatalAt = output.indexOf('"level":"fatal"')
    assert.equal(fatalAt, -1, output.slice(fatalAt))
    assert.equal(service.hasEnded(), false)
  }
}

async function settle() {
  const deadline = Date.now() + settledWithinMs
  for (;;) {
    const { rows } = await primary.query(
      `select (select count(*) from clearing.onboarding where current_state in ('Submitted', 'Screening', 'AccountCreation'))
         + (select count(*) from graphile_worker._private_jobs where locked_by is not null) as working`,
    )
    if (rows[0].working === '0') return
    assert.ok(Date.now() < deadline, `${rows[0].working} applications or jobs never end`)
    goesOn()
    await pause(200)
  }
}

async function nothingLostOrDoubled() {
  const client = (services[0] as ServiceProcess).alpha
  for (const [key, { application, accountNumber }] of asked) {
    const { data } = await client.newAccount(application, { idempotencyKey: key })
    assert.ok('message' in data)
    assert.equal(data.message.accountNumber, accountNumber, key)
  }
  const { rows } = await primary.query('select account_number from clearing.account order by 1')
  assert.deepEqual(
    rows.map((row) => row.account_number),
    [...asked.values()].map(({ accountNumber }) => accountNumber).sort(),
  )
}

async function waitForEvents() {
  const { rows } = await primary.query(
    "select account_number from clearing.onboarding where current_state = 'CreationComplete'",
  )
  assert.equal(rows.length, asked.size)
  const deadline = Date.now() + settledWithinMs
  for (const { reported } of streams)
    while (rows.some((row) => !reported.has(row.account_number))) {
      assert.ok(Date.now() < deadline, `${rows.length - reported.size} openings are not reported`)
      await pause(50)
    }
}

function looks(path: string) {
  return Promise.all(services.map((service) => service.look(path)))
}

async function until(path: string, status: number) {
  const deadline = Date.now() + settledWithinMs
  while ((await looks(path)).some((found) => found !== status)) {
    assert.ok(Date.now() < deadline, `${path} does not return ${status}: ${await looks(path)}`)
    goesOn()
    await pause(50)
  }
}

/** The ways of losing the old primary. Afterwards the proxy leads to the standby. */
const losses: Record<string, (old: DatabaseServer, standby: DatabaseServer) => Promise<void>> = {
  'is demoted, and stays reachable for a while': async (old) => {
    await old.takeWrites(false)
    await until('/health/ready', 503)
    assert.deepEqual(await looks('/health/live'), [200, 200])
    await pause(1_500)
  },
  'is killed, and the standby is asked before its promotion': async (old, standby) => {
    await old.kill()
    proxy.leadTo(standby.socket)
    proxy.cut()
    await until('/health/ready', 503)
    await pause(1_500)
  },
}

/** At night: only the kill, and a server on which each connection must reach its own limit. */
const lossesAtNight: typeof losses = {
  'is killed': async (old) => {
    await old.kill()
    proxy.cut()
  },
  'stands still, and its connections stay open': (old) => old.freeze(),
}

const kill = 'is killed'
const again = Array.from({ length: rounds - 1 }, () => [kill, lossesAtNight[kill]] as const)

for (const [loss, lose] of [
  ...Object.entries(losses),
  ...(rounds > 1 ? Object.entries(lossesAtNight) : []),
  ...again,
]) {
  test(`a primary that ${loss} causes only a pause`, { timeout: 600_000 }, async (context) => {
    const standby = await primary.followed()
    const callers = load()
    await callers.more(20)
    const old = primary
    const lostMs = performance.now()
    await lose?.(old, standby)
    primary = standby
    await standby.promote()
    const without = ((performance.now() - lostMs) / 1_000).toFixed(1)
    proxy.leadTo(standby.socket)
    await callers.more(20)
    await until('/health/ready', 200)
    const tally = await callers.end()
    await old.dispose()
    await settle()
    await nothingLostOrDoubled()
    await waitForEvents()
    const { operations } = services[0] as ServiceProcess
    assert.equal((await operations.operations.verifyBooks({})).data.verified, true)
    assert.equal((await operations.operations.verifyAudit({})).data.verified, true)
    goesOn()
    context.diagnostic(`${without} s without a primary: ${tally}; none failed, none lost, none doubled`)
  })
}

test('a start that finds no database, or a standby, waits for the primary', async () => {
  const standby = await primary.followed()
  const lastCursor = await readCursor()
  const service = await makeServiceProcess({ environment: environmentOf() })
  services.push(service)
  try {
    proxy.leadTo(undefined)
    await service.launch()
    const says = async (words: RegExp) => {
      const deadline = Date.now() + settledWithinMs
      while (!words.test(service.output())) {
        assert.ok(Date.now() < deadline, service.output())
        assert.equal(service.hasEnded(), false, service.output())
        await pause(50)
      }
    }
    await says(/the database is away; the start is tried again/)
    proxy.leadTo(standby.socket)
    await says(/the server that answers is not the primary.*the start is tried again/)
    proxy.leadTo(primary.socket)
    await until('/health/ready', 200)
    // The start finds that PostgreSQL is on another time line. No cursor is lost.
    assert.match(service.output(), /the database has a new time line/)
    for (const cursor of [firstCursor, lastCursor]) assert.notEqual(await readCursor(cursor), cursor)
    assert.equal(await service.end('SIGTERM'), 0)
  } finally {
    services.pop()
    await service.dispose()
    await standby.dispose()
  }
})
