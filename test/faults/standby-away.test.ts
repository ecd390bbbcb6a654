/**
 * The synchronous standby of a primary is lost. Reads continue. Writes are refused with Retry-After, and no refused
 * write takes effect later. Readiness and metrics report the loss, and writes continue when another standby confirms
 * them. A process that was itself stopped does not report a lost standby.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pathOf, type ServiceStatus } from '@clearing/protocol'
import { type Client, createClient, type ServiceUnavailable } from '@clearing/sdk'
import pg from 'pg'
import { watchConfirmations } from '../../server/src/database/confirmations.ts'
import { openPool } from '../../server/src/database/pool.ts'
import { applicationFor } from '../acceptance/applications.ts'
import { openAndFollow } from '../acceptance/calling.ts'
import { signIn } from '../acceptance/person.ts'
import type { RunningService } from '../acceptance/running-service.ts'
import { type DatabaseServer, startDatabaseServer } from './database-server.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'

const settledWithinMs = 120_000
/** Longer than the time in which a standby must confirm. */
const standsStillMs = 4_000

let primary: DatabaseServer
let standby: DatabaseServer
let folder: string
let service: ServiceProcess

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faults-standby-'))
  await writeFile(join(folder, 'key'), `${randomBytes(32).toString('base64')}\n`, { mode: 0o400 })
  primary = await startDatabaseServer()
  standby = await primary.followed()
  service = await makeServiceProcess({
    environment: {
      DATABASE_URL: primary.url,
      DATABASE_CONNECTIONS: '4',
      MASTER_KEY_FILE: join(folder, 'key'),
      DOCUMENTS_DIR: join(folder, 'documents'),
    },
  })
  await service.start()
})
after(async () => {
  await service?.dispose()
  await standby?.dispose()
  await primary?.dispose()
  await rm(folder, { recursive: true, force: true })
})

function alpha(): Client {
  return createClient({
    baseUrl: service.address,
    clientId: 'alpha',
    clientSecret: 'alpha-sandbox-secret',
    retries: 0,
    timeoutMs: 60_000,
  })
}

async function readiness(): Promise<{ status: number; body: Record<string, string> }> {
  const answer = await fetch(`${service.address}/health/ready`)
  return { status: answer.status, body: (await answer.json()) as Record<string, string> }
}

async function until(look: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + settledWithinMs
  while (!(await look())) {
    assert.ok(Date.now() < deadline, `not in time: ${JSON.stringify(await readiness())}`)
    await pause(50)
  }
}

test('without its synchronous standby the service reads, and refuses to write', async () => {
  const client = alpha()
  const accountNumber = await openAndFollow(client, applicationFor('Individual'))
  const count = async () => (await client.listAccounts({ size: 100 })).data.accounts.length
  const existing = await count()
  const person = await signIn(service as unknown as RunningService, 'viewer@example.com')
  // The session is due to be noted as in use, which is a write.
  await primary.query("update clearing.staff_session set seen_at = seen_at - interval '5 minutes'")
  await standby.kill()

  // More writers than connections: those that wait for the standby must not block readers.
  const attempts = Array.from({ length: 12 }, (_, at) => ({
    application: applicationFor('Individual'),
    idempotencyKey: `away ${at}`,
  }))
  const send = ({ application, idempotencyKey }: (typeof attempts)[number]) =>
    client.newAccount(application, { idempotencyKey })
  for (const outcome of await Promise.allSettled(attempts.map(send))) {
    assert.equal(outcome.status, 'rejected')
    const failure = outcome.reason as ServiceUnavailable
    assert.equal(failure.status, 503, String(failure))
    assert.ok((failure.retryAfterMs ?? 0) > 0)
  }
  await until(async () => (await readiness()).body.writes !== undefined)
  const { status, body } = await readiness()
  assert.equal(status, 200)
  assert.match(body.writes ?? '', /no synchronous standby/)
  assert.match(await (await fetch(`${service.address}/metrics`)).text(), /^clearing_commits_confirmed 0$/m)

  const shown = (await (await fetch(`${service.address}/status.json`)).json()) as ServiceStatus
  const notWorking = shown.components.flatMap(({ probed, component, reason }) =>
    probed === 'Operational' ? [] : [`${component}: ${reason}`],
  )
  assert.deepEqual([notWorking, shown.incidents], [['Writing: No standby confirms commits.'], []])

  // This also holds for a caller that has no token yet.
  const newcomer = alpha()
  for (let round = 0; round < 5; round++) {
    assert.ok((await count()) >= existing)
    const { data } = await newcomer.positionSummary({ accountNumber })
    assert.equal(data.acctNo, accountNumber)
    assert.equal((await newcomer.onboardingResult({ accountNumber })).data.accountNumber, accountNumber)
  }
  const listed = await person.send(pathOf('list-firms', 'operations'), { body: {} })
  assert.equal(listed.status, 200, listed.text)
  // A failover could undo these writes. Therefore no event, no stored response and no unrecorded reading is returned.
  const strict = [
    () => client.listEvents({}),
    () => send(attempts[0] as never),
    () => client.getAccount({ accountNumber }),
  ]
  for (const call of strict) await assert.rejects(call(), { status: 503 })

  const lost = standby
  standby = await primary.followed()
  await lost.dispose()
  await until(async () => (await readiness()).body.writes === undefined)
  const opened = new Set<string>()
  for (const attempt of attempts) {
    const { data } = await send(attempt)
    assert.ok('message' in data)
    opened.add(data.message.accountNumber)
  }
  assert.equal(opened.size, attempts.length)
  assert.equal(await count(), existing + attempts.length)
  assert.equal((await service.operations.operations.verifyAudit({})).data.verified, true)
})

test('a process that stands still does not report that the standby does not confirm', async () => {
  const pool = openPool({ name: 'owner', url: `${primary.url}&application_name=standing` })
  const superuser = new pg.Client({ connectionString: primary.url.replace('clearing_owner', 'postgres') })
  await superuser.connect()
  const changes: boolean[] = []
  const watch = watchConfirmations(pool, [pool], (confirmed) => changes.push(confirmed))
  const waits = async () => {
    const { rowCount } = await primary.query(
      "select from pg_stat_activity where wait_event = 'SyncRep' and application_name = 'standing'",
    )
    return rowCount !== 0
  }
  try {
    for (;;) {
      await primary.query("alter system set synchronous_standby_names = 'nobody'")
      await primary.query('select pg_reload_conf()')
      await until(waits)
      await primary.query('alter system reset synchronous_standby_names')
      if (watch.confirmed) break
      // The machine was slow, so the watch was right to give up.
      await primary.query('select pg_reload_conf()')
      await until(async () => watch.confirmed)
    }
    changes.length = 0
    // The confirmation arrives while this process is stopped.
    const released = superuser.query('select pg_reload_conf()')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, standsStillMs)
    await released
    await until(async () => !(await waits()))
    assert.deepEqual(changes, [])
  } finally {
    watch.stop()
    await pool.end()
    await superuser.end()
  }
})
