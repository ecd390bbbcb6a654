/**
 * Processes on one database whose clocks differ by as much as tokens allow. Whichever clock was right when a key was
 * made or removed, each process issues tokens at once and accepts the tokens of the others (R039, R041).
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTestDatabase, type TestDatabase } from '../../server/src/database/test-database.ts'
import { until } from '../../server/src/database/test-waiting.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'

const main = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))
const shifted = new URL('./shifted-clock.ts', import.meta.url).href
const clocksMs = [-50_000, 0, 5_000]
const removedAheadMs = 30_000

let database: TestDatabase
let folder: string
let environment: Record<string, string>
const services: ServiceProcess[] = []

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faults-clocks-'))
  await writeFile(join(folder, 'key'), `${randomBytes(32).toString('base64')}\n`, { mode: 0o400 })
  database = await createTestDatabase()
  environment = {
    DATABASE_URL: database.urls.owner,
    DATABASE_CONNECTIONS: '2',
    MASTER_KEY_FILE: join(folder, 'key'),
    DOCUMENTS_DIR: join(folder, 'documents'),
    ISSUER: 'http://127.0.0.1:8080',
  }
  for (const aheadMs of clocksMs) {
    const service = await makeServiceProcess({
      preloaded: shifted,
      environment: { ...environment, CLOCK_AHEAD_MS: `${aheadMs}` },
    })
    services.push(service)
    await service.start()
  }
})
after(async () => {
  for (const service of services) await service.dispose()
  await database?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function takeToken({ address }: ServiceProcess): Promise<string> {
  const answer = await fetch(`${address}/identity/connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'alpha', client_secret: 'alpha-sandbox-secret' }),
  })
  const body = (await answer.json()) as { access_token: string }
  assert.equal(answer.status, 200, JSON.stringify(body))
  return body.access_token
}

async function takesToken({ address }: ServiceProcess, token: string): Promise<number> {
  const answer = await fetch(`${address}/account-api/v1/code-lists`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  await answer.arrayBuffer()
  return answer.status
}

function kidOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
}

async function allGiveAndTake() {
  const tokens = await Promise.all(services.map(takeToken))
  for (const service of services)
    for (const token of tokens) assert.equal(await takesToken(service, token), 200)
  assert.deepEqual(
    await Promise.all(services.map((service) => service.look('/health/ready'))),
    [200, 200, 200],
  )
  return tokens
}

test('each issues tokens, and accepts the tokens of the others', async () => {
  await allGiveAndTake()
})

test('a key that is removed on a machine whose clock is ahead leaves every client able to get tokens', async () => {
  const [old = ''] = await allGiveAndTake()
  await promisify(execFile)(process.execPath, ['--import', shifted, main, 'remove-signing-key', kidOf(old)], {
    env: { ...process.env, ...environment, CLOCK_AHEAD_MS: `${removedAheadMs}` },
  })
  for (let look = 0; look < 10; look++) {
    for (const service of services) await takeToken(service)
    await pause(100)
  }
  for (const token of await allGiveAndTake()) assert.notEqual(kidOf(token), kidOf(old))
})

test('a machine whose clock is wrong is not ready and says so; it serves when its clock is corrected', async () => {
  const service = await makeServiceProcess({
    preloaded: shifted,
    environment: { ...environment, CLOCK_AHEAD_MS: '75000' },
  })
  services.push(service)
  const child = await service.launch()
  const wrong = 'the clock of this machine differs from that of the database by more than a minute'
  // While a process starts, it names the step of the start.
  await until('the process says that its clock is wrong', async () => {
    const answer = await fetch(`${service.address}/health/ready`).catch(() => undefined)
    const body = (await answer?.json().catch(() => undefined)) as { reason?: string } | undefined
    return answer?.status === 503 && body?.reason === wrong
  })
  child.kill('SIGUSR2')
  await until('the process is ready', async () => (await service.look('/health/ready')) === 200)
  await until(
    'a new token is accepted',
    async () => (await takesToken(service, await takeToken(service))) === 200,
  )
})
