/**
 * The database stops responding, or is killed, while the service runs. The responses are 503 with Retry-After in the
 * envelope and in time, the service is alive and not ready, and it recovers by itself (R004, R114).
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { applicationFor } from '../acceptance/applications.ts'
import { openAndFollow } from '../acceptance/calling.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'

let service: ServiceProcess
let accountNumber: string
let token: string
before(async () => {
  service = await makeServiceProcess()
  await service.start()
  accountNumber = await openAndFollow(service.alpha, applicationFor('Individual'))
  const answer = await fetch(`${service.address}/identity/connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'alpha', client_secret: 'alpha-sandbox-secret' }),
  })
  token = ((await answer.json()) as { access_token: string }).access_token
})
after(() => service?.dispose())

/** Longer than the service's own limits. A later response counts as missing. */
const answerWithinMs = 35_000

async function ask(operation: string, request: object, headers: Record<string, string> = {}) {
  const answer = await fetch(`${service.address}/account-api/v1/${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(request),
    signal: AbortSignal.timeout(answerWithinMs),
  })
  // biome-ignore lint/suspicious/noExplicitAny: the test inspects responses of several operations
  return { status: answer.status, headers: answer.headers, json: (await answer.json()) as any }
}

function isAway({ status, headers, json }: Awaited<ReturnType<typeof ask>>): void {
  assert.equal(status, 503, JSON.stringify(json))
  assert.match(headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal(json.statusCode, 503)
  assert.deepEqual(
    json.errors.map(({ code }: { code: string }) => code),
    ['ERR.5003'],
  )
}

/** Waits until a request succeeds again. */
async function recover(withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs
  while (
    (await service.look('/health/ready')) !== 200 ||
    (await ask('get-account', { accountNumber })).status !== 200
  ) {
    assert.ok(Date.now() < deadline, 'it does not recover')
    await pause(50)
  }
}

async function accounts() {
  return Number((await service.query('select count(*) from clearing.account')).rows[0].count)
}

test('a silent database leads to 503, and the service recovers when it responds', async () => {
  const pids = await service.databasePids()
  assert.ok(pids.length > 3)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  try {
    const [read, write, live, ready] = await Promise.all([
      ask('get-account', { accountNumber }),
      ask('new-account', applicationFor('Individual'), { 'idempotency-key': 'while it was silent' }),
      service.look('/health/live'),
      service.look('/health/ready'),
    ])
    isAway(read)
    isAway(write)
    assert.deepEqual([live, ready], [200, 503])
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
  await recover(20_000)
  assert.doesNotMatch(service.output(), /"level":"fatal"/)
})

test('a write with an unknown outcome has one effect when it is repeated with its key', async () => {
  const before = await accounts()
  const application = applicationFor('Individual')
  const pids = await service.databasePids()
  const sent = Array.from({ length: 6 }, (_, at) =>
    ask(
      'new-account',
      { ...application, main: { repCode: at % 2 === 0 ? 'JC01' : 'JC02' } },
      { 'idempotency-key': `unknown ${at}` },
    ),
  )
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {}
  }
  const first = await Promise.all(sent)
  for (const answer of first) if (answer.status !== 200) isAway(answer)
  await recover(30_000)
  const again = await Promise.all(
    Array.from({ length: 6 }, (_, at) =>
      ask(
        'new-account',
        { ...application, main: { repCode: at % 2 === 0 ? 'JC01' : 'JC02' } },
        { 'idempotency-key': `unknown ${at}` },
      ),
    ),
  )
  for (const [at, { status, json }] of again.entries()) {
    assert.equal(status, 200, JSON.stringify(json))
    if (first[at]?.status === 200) assert.deepEqual(json.data, first[at]?.json.data)
  }
  assert.equal(await accounts(), before + 6)
})

test('the service starts a killed database again, and recovers without a restart', async () => {
  for (let round = 0; round < 3; round++) {
    for (const pid of await service.databasePids()) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {}
    }
    const during = await ask('get-account', { accountNumber })
    if (during.status !== 200) isAway(during)
    await recover(30_000)
  }
  assert.doesNotMatch(service.output(), /"level":"fatal"/)
  const number = await openAndFollow(service.alpha, applicationFor('IraRoth'))
  assert.match(number, /^\d{8}$/)
})
