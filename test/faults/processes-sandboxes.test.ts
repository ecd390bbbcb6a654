/**
 * Isolated sandboxes of a service of two processes: both processes serve every sandbox. A call that changes one may
 * reach either process, and the next call the other.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type CallFailed, type Client, createClient } from '@clearing/sdk'
import { applicationFor } from '../acceptance/applications.ts'
import { openAndFollow } from '../acceptance/calling.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'

const withinMs = 180_000
const dayMs = 86_400_000
const processes = 2
/** Enough calls for both processes to answer, though connections do not strictly alternate. */
const rounds = 4

let service: ServiceProcess
before(async () => {
  service = await makeServiceProcess({ environment: { PROCESSES: String(processes) } })
  await service.start()
  await eventually(async () => {
    const metrics = await closing(`${service.address}/metrics`)
    return /^clearing_processes 2$/m.test(await metrics.text())
  }, 'both processes serve')
})
after(() => service?.dispose())

/** Each call has its own connection, so that calls alternate between the processes. */
const closing: typeof fetch = (url, init) => {
  const headers = new Headers(init?.headers)
  headers.set('connection', 'close')
  return fetch(url, { ...init, headers })
}

async function eventually(look: () => Promise<unknown>, what: string): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await look())) {
    assert.ok(Date.now() < deadline, `${what}: ${service.output().slice(-2_000)}`)
    await pause(20)
  }
}

async function create() {
  const { data } = await service.alpha.sandbox.createSandbox({})
  const client = (clientId: string): Client =>
    createClient({
      baseUrl: data.baseUrl,
      clientId,
      clientSecret: `${clientId}-sandbox-secret`,
      fetch: closing,
      retryDelayMs: 50,
    })
  return { ...data, alpha: client('alpha'), operations: client('operations') }
}

async function nowOf(client: Client): Promise<number> {
  return Date.parse((await client.sandbox.getClock({})).data.now)
}

async function accountsOf(client: Client): Promise<string[]> {
  return (await client.listAccounts({})).data.accounts.map(({ accountNumber }) => accountNumber).sort()
}

/** The responses of several sequential calls through both processes. */
async function throughBoth<T>(call: () => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  for (let round = 0; round < rounds; round++) answers.push(await call())
  return answers
}

test('a change made in one process takes effect in the other: data, clock, prices, faults and reset', async () => {
  const { sandboxId, alpha, operations } = await create()
  await alpha.sandbox.freezeClock({})
  const start = await nowOf(alpha)
  for (let day = 1; day <= rounds; day++) {
    await alpha.sandbox.setClock({ now: new Date(start + day * dayMs).toISOString() })
    assert.deepEqual(await throughBoth(() => nowOf(alpha)), Array(rounds).fill(start + day * dayMs))
  }
  const opened = await throughBoth(() => openAndFollow(alpha, applicationFor('Individual')))
  assert.deepEqual(await throughBoth(() => accountsOf(alpha)), Array(rounds).fill(opened.sort()))

  const securities = [{ symbol: 'PIER', secTypeName: 'Common Stock', industryGroupName: 'Ports' }]
  await operations.operations.loadSecurities({ lines: { ndjson: securities } })
  const prices = [
    { symbol: 'PIER', price: '1', priceType: 'LastClose', priceDate: new Date(start).toISOString() },
  ]
  await operations.operations.loadPrices({ lines: { ndjson: prices } })
  const moved = await throughBoth(() => alpha.sandbox.movePrices({ percent: 100 }))
  assert.deepEqual(
    moved.map(({ data }) => data.prices.map(({ after }) => after)),
    moved.map((_, at) => [`${2 ** (at + 1)}`]),
  )

  const fault = { sandboxFault: '500', retries: 0 } as const
  const statuses = await throughBoth(() =>
    alpha.codeLists({}, fault).catch(({ status }: CallFailed) => status),
  )
  assert.deepEqual(statuses, Array(rounds).fill(500))

  await alpha.sandbox.reset({})
  assert.deepEqual(await throughBoth(() => accountsOf(alpha)), Array(rounds).fill([]))
  for (const now of await throughBoth(() => nowOf(alpha)))
    assert.ok(Math.abs(now - Date.now()) < dayMs, 'the clock is not reset')
  await service.alpha.sandbox.deleteSandbox({ sandboxId })
})

test('a sandbox that one process deletes does not exist in the other', async () => {
  const { sandboxId, baseUrl, alpha } = await create()
  await throughBoth(() => accountsOf(alpha))
  await service.alpha.sandbox.deleteSandbox({ sandboxId })
  const statusOf = async () => {
    const answer = await closing(`${baseUrl}/health/ready`)
    await answer.arrayBuffer()
    return answer.status
  }
  // The other process is notified a moment later. Until then it serves the sandbox and never fails.
  const seen = new Set<number>()
  await eventually(async () => {
    const statuses = await throughBoth(statusOf)
    for (const status of statuses) seen.add(status)
    return statuses.every((status) => status === 404)
  }, 'the sandbox is gone')
  seen.delete(200)
  assert.deepEqual([...seen], [404])
})

test('two sandboxes under load in two processes: each call is answered from the data and clock of its sandbox', async () => {
  const sandboxes = await Promise.all([create(), create()])
  await Promise.all(
    sandboxes.map(async ({ alpha }, at) => {
      await alpha.sandbox.freezeClock({})
      const now = (await nowOf(alpha)) + (at + 1) * 10 * dayMs
      await alpha.sandbox.setClock({ now: new Date(now).toISOString() })
      const seen: number[] = []
      const opened = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const accountNumber = await openAndFollow(alpha, applicationFor('Individual'))
          seen.push(await nowOf(alpha))
          return accountNumber
        }),
      )
      assert.deepEqual([...new Set(seen)], [now])
      assert.deepEqual(await accountsOf(alpha), opened.sort())
      const openings = async () => (await alpha.listEvents({ types: ['account.opened'] })).data.events
      // Transactions of the other sandbox delay the events.
      await eventually(async () => (await openings()).length >= opened.length, 'the events of the openings')
      const events = await openings()
      assert.deepEqual(events.map(({ subject }) => subject).sort(), opened)
      for (const { time } of events) assert.equal(Date.parse(time), now)
    }),
  )
  for (const { sandboxId } of sandboxes) await service.alpha.sandbox.deleteSandbox({ sandboxId })
})

test('SIGTERM ends both processes with their sandboxes and the database', async () => {
  await create()
  assert.ok(service.output().includes(`Data stays in ${service.dataDir}.\n`))
  assert.equal(await service.end('SIGTERM'), 0)
  assert.deepEqual(await service.databasePids(), [])
  const faults = /"level":"(fatal|error)"|a part did not stop cleanly/
  assert.deepEqual(
    service
      .output()
      .split('\n')
      .filter((line) => faults.test(line)),
    [],
  )
})
