/**
 * Two processes behind one port (PROCESSES). A process that is killed under load is replaced and loses no acknowledged
 * write. Metrics and rates add up over both, signals drain both, and no process outlives the parent.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@clearing/sdk'
import { applicationFor } from '../acceptance/applications.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'

const environment = { PROCESSES: '2', DRAIN_SECONDS: '3' }
const withinMs = 180_000
const kills = Number(process.env.KILLS ?? 1)
/**
 * A connection that is passed to a process at the moment of its end is never answered. Clients give such a call up
 * early and repeat it.
 */
const answeredWithinMs = 10_000
const givenUpAfterMs = 5_000

let service: ServiceProcess
before(async () => {
  service = await makeServiceProcess({ environment })
  await service.start()
  await bothServe()
})
after(() => service?.dispose())

async function eventually<T>(look: () => Promise<T | undefined | false>, what: string): Promise<T> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const found = await look()
    if (found) return found
    assert.ok(Date.now() < deadline, `${what}: ${service.output().slice(-2_000)}`)
    await pause(50)
  }
}

/** The sum of the samples of a metric whose labels match. */
async function metric(name: string, labels = /./, timeoutMs = answeredWithinMs): Promise<number> {
  const answer = await fetch(`${service.address}/metrics`, {
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(timeoutMs),
  })
  const lines = (await answer.text()).split('\n').filter((line) => line.startsWith(name))
  return lines
    .filter((line) => labels.test(line))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

function bothServe(): Promise<unknown> {
  const ready = () => metric('clearing_processes', /./, givenUpAfterMs).then((count) => count === 2)
  return eventually(() => ready().catch(() => false), 'both processes serve')
}

/** Waits until each process has logged a line with these words. */
function bothSay(words: string): Promise<unknown> {
  const lines = () =>
    service
      .output()
      .split('\n')
      .filter((line) => line.includes(words))
  const said = async () =>
    [1, 2].every((number) => lines().some((line) => line.includes(`"process":${number},`)))
  return eventually(said, words)
}

/** Each call has its own connection, and connections alternate between the processes. */
async function callOnce(token: string): Promise<Response> {
  const answer = await fetch(`${service.address}/account-api/v1/code-lists`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
    body: '{"name":"scope"}',
  })
  await answer.arrayBuffer()
  return answer
}

async function newToken(): Promise<string> {
  const answer = await fetch(`${service.address}/identity/connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: 'beta',
      client_secret: 'beta-sandbox-secret',
      grant_type: 'client_credentials',
    }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

test('the metrics of both processes add up, and the counts of a process that ended stay', async () => {
  const token = await newToken()
  const calls = 10
  for (let call = 0; call < calls; call++) assert.equal((await callOnce(token)).status, 200)
  await bothSay('"operation":"code-lists"')
  const counted = () => metric('clearing_request_duration_seconds_count', /operation="code-lists"/)
  assert.equal(await counted(), calls)
  const [first = 0] = await service.processPids()
  process.kill(first, 'SIGKILL')
  await eventually(async () => !(await service.processPids()).includes(first), 'the process has ended')
  await bothServe()
  assert.equal(await counted(), calls)
})

test('the calls that a sandbox makes to itself reach their own process', async () => {
  const { data } = await service.alpha.sandbox.listScenarios({})
  const name = data.scenarios[0]?.name ?? ''
  for (let round = 0; round < 4; round++) {
    const scenario = await service.alpha.sandbox.runScenario({ name })
    assert.ok(scenario.data.accountNumber)
  }
})

test('a process that is killed under load is replaced, and no acknowledged write is lost or doubled', async () => {
  const patient = createClient({
    baseUrl: service.address,
    clientId: 'alpha',
    clientSecret: 'alpha-sandbox-secret',
    retries: 60,
    retryDelayMs: 50,
    retryDelayMsMax: 500,
    timeoutMs: givenUpAfterMs,
  })
  const earlier = await service.query('select account_number from clearing.account')
  const known = earlier.rows.map((row) => row.account_number)
  let over = false
  const opened: string[] = []
  const load = Promise.all(
    Array.from({ length: 6 }, async (_, worker) => {
      for (let at = 0; !over; at++) {
        const { data } = await patient.newAccount(applicationFor('Individual'), {
          idempotencyKey: `${worker} ${at}`,
        })
        assert.ok('message' in data)
        opened.push(data.message.accountNumber)
      }
    }),
  )
  load.catch(() => {})
  for (let round = 0; round < kills; round++) {
    const until = opened.length + 10
    while (opened.length < until) await Promise.race([load, pause(20)])
    const pids = await service.processPids()
    assert.equal(pids.length, 2)
    process.kill(pids[round % 2] ?? 0, 'SIGKILL')
    await eventually(async () => {
      const now = await service.processPids()
      return now.length === 2 && now.some((pid) => !pids.includes(pid))
    }, 'the process is replaced')
    await bothServe()
  }
  over = true
  await load
  const found = await service.query(
    'select account_number from clearing.account where account_number <> all ($1)',
    [known],
  )
  assert.deepEqual(found.rows.map((row) => row.account_number).sort(), opened.sort())
  assert.equal((await service.operations.operations.verifyAudit({})).data.verified, true)
})

test('while all processes are replaced, a call gets 503 with Retry-After instead of a refused connection', async () => {
  const pids = await service.processPids()
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  await eventually(async () => !pids.some(isRunning), 'the processes have ended')
  const answer = await eventually(async () => {
    const sent = await callOnce('any').catch(() => undefined)
    return sent?.status === 503 && sent
  }, 'the parent answers')
  assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
  await eventually(async () => (await service.look('/health/ready')) === 200, 'a process serves again')
  await bothServe()
  const token = await newToken()
  for (let call = 0; call < 10; call++) assert.equal((await callOnce(token)).status, 200)
})

test('a client has its rate once, not once in each process', async () => {
  const { data } = await service.operations.operations.listFirms({})
  const firmId =
    data.firms.find(({ credentials }) => credentials.some(({ clientId }) => clientId === 'beta'))?.firmId ??
    ''
  // So low that a slow machine exceeds it.
  const rate = 2
  await service.operations.operations.updateFirm({ firmId, settings: { requestsPerSecond: rate } })
  const token = await newToken()
  const statuses = async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => callOnce(token)))
    return answers.map(({ status }) => status)
  }
  // The new rate has reached both processes when calls of both are refused.
  await eventually(async () => (await statuses()).every((status) => status === 429), 'calls are refused')
  const startedMs = performance.now()
  let allowed = 0
  while (performance.now() - startedMs < 6_000) {
    allowed += (await statuses()).filter((status) => status === 200).length
    await pause(100)
  }
  const seconds = (performance.now() - startedMs) / 1_000
  assert.ok(allowed > 0)
  // One shared rate admits rate * seconds. A rate in each process would admit twice as many.
  assert.ok(allowed < rate * seconds * 1.5, `${allowed} calls in ${seconds} s`)
})

test('a second service on the same port reports it once and ends', async () => {
  const other = await makeServiceProcess({
    environment: { ...environment, PORT: new URL(service.address).port },
  })
  try {
    const child = await other.launch()
    await once(child, 'exit')
    assert.equal(child.exitCode, 1)
    assert.equal(other.output().match(/is in use/g)?.length, 1, other.output())
    assert.deepEqual(await other.databasePids(), [])
  } finally {
    await other.dispose()
  }
})

test('SIGTERM drains both processes: running requests are answered, and all processes end with the database', async () => {
  const slow = { sandboxFault: 'slow=1500' } as const
  const clients = Array.from({ length: 4 }, () =>
    createClient({
      baseUrl: service.address,
      clientId: 'alpha',
      clientSecret: 'alpha-sandbox-secret',
      retries: 0,
    }),
  )
  for (const client of clients) await client.codeLists({ name: 'scope' })
  const running = clients.map((client) => client.newAccount(applicationFor('Individual'), slow))
  const ended = service.end('SIGTERM')
  await eventually(async () => (await service.look('/health/ready')) !== 200, 'not ready')
  for (const { data } of await Promise.all(running)) assert.ok('message' in data)
  assert.equal(await ended, 0)
  assert.deepEqual(await service.databasePids(), [])
  await bothSay('"reason":"SIGTERM"')
  const faults = /"level":"fatal"|a part did not stop cleanly/
  assert.deepEqual(
    service
      .output()
      .split('\n')
      .filter((line) => faults.test(line)),
    [],
  )
})

test('the processes end with a parent that is killed, and the next start serves', async () => {
  await service.start()
  await bothServe()
  const pids = await service.processPids()
  assert.equal(pids.length, 2)
  await service.kill(false)
  await eventually(async () => pids.every((pid) => !isRunning(pid)), 'the processes have ended')
  await service.start()
  await bothServe()
  assert.ok((await service.alpha.listAccounts({})).data.accounts.length > 0)
})

for (const signal of ['SIGINT', 'SIGHUP'] as const)
  test(`${signal} drains both processes too`, async () => {
    if (service.hasEnded()) await service.start()
    await bothServe()
    const ended = service.end(signal)
    await eventually(async () => (await service.look('/health/ready')) === 503, 'not ready, and served')
    assert.equal(await ended, 0)
    await bothSay(`"reason":"${signal}"`)
  })

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
