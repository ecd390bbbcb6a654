/**
 * Isolated sandboxes: each has its own data, clock, prices and limits, and changes of one are not visible in another.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Client, createClient } from '@clearing/sdk'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { statusLimits } from '../../server/src/observe/read-status.ts'
import { sandboxLimits } from '../../server/src/sandbox/isolated/isolated-sandboxes.ts'
import { repetitions } from '../repetitions.ts'
import { applicationOf } from './applications.ts'
import { openAndFollow, refusalOf, until } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'
import { shorten } from './shorten.ts'

let service: RunningService
/** Shared by tests that need no sandbox of their own. */
let pair: [Sandbox, Sandbox]
shorten(statusLimits, { keptMs: 200 })
shorten(sandboxLimits, { sweepEveryMs: 1_000 })
before(async () => {
  service = await startRunningService()
  pair = [await create(), await create()]
})
after(() => service?.stop())

const dayMs = 86_400_000
const callsUnderLoad = repetitions(16, 40)

function clientOf(baseUrl: string, clientId = 'alpha'): Client {
  return createClient({ baseUrl, clientId, clientSecret: `${clientId}-sandbox-secret`, retryDelayMs: 50 })
}
async function create(request: { name?: string; demonstration?: boolean } = {}) {
  return (await service.alpha.sandbox.createSandbox(request)).data
}
type Sandbox = Awaited<ReturnType<typeof create>>

async function nowOf(client: Client): Promise<number> {
  return Date.parse((await client.sandbox.getClock({})).data.now)
}
async function countAccounts(client: Client): Promise<number> {
  return (await client.listAccounts({})).data.accounts.length
}

test('two sandboxes with clocks a month apart work concurrently; a reset of one does not change the other', async () => {
  const [first, second] = pair.map(({ baseUrl }) => clientOf(baseUrl)) as [Client, Client]
  const laterMs = Date.now() + 30 * dayMs
  await first.sandbox.freezeClock({})
  const [, ...opened] = await Promise.all([
    first.sandbox.setClock({ now: new Date(laterMs).toISOString() }),
    openAndFollow(second, applicationOf({})),
    openAndFollow(second, applicationOf({})),
    openAndFollow(service.alpha, applicationOf({})),
  ])
  assert.equal(new Set(opened).size, 3)
  assert.equal(await nowOf(first), laterMs)
  for (const ms of [await nowOf(second), await nowOf(service.alpha)])
    assert.ok(Math.abs(ms - Date.now()) < dayMs, 'the clock of another sandbox was moved')
  assert.deepEqual(await Promise.all([first, second, service.alpha].map(countAccounts)), [0, 2, 1])
  await second.sandbox.reset({})
  assert.deepEqual(await Promise.all([first, second, service.alpha].map(countAccounts)), [0, 0, 1])
  assert.equal(await nowOf(first), laterMs)
})

test('a token of one sandbox is not accepted in another, nor in the service', async () => {
  const [one, two] = pair
  const form = new URLSearchParams({ client_id: 'alpha', client_secret: 'alpha-sandbox-secret' })
  const granted = await fetch(`${one.baseUrl}/identity/connect/token`, { method: 'POST', body: form })
  const { access_token: token } = (await granted.json()) as { access_token: string }
  const statusAt = async (baseUrl: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${baseUrl}/account-api/v1/code-lists`, {
      method: 'POST',
      headers,
      body: '{}',
    })
    await answer.arrayBuffer()
    return answer.status
  }
  assert.deepEqual(
    await Promise.all([one.baseUrl, two.baseUrl, service.address].map(statusAt)),
    [200, 401, 401],
  )
})

test('the discovery document of a sandbox names its own addresses', async () => {
  const [{ baseUrl }] = pair
  const { pathname, origin } = new URL(baseUrl)
  for (const url of [
    `${baseUrl}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${pathname}`,
  ]) {
    const metadata = (await (await fetch(url)).json()) as Record<string, unknown>
    assert.equal(metadata.issuer, baseUrl)
    assert.equal(metadata.token_endpoint, `${baseUrl}/identity/connect/token`)
  }
})

test('a sandbox has its own contract, readiness and status, and the documentation of its service', async () => {
  const [{ baseUrl }] = pair
  const get = (path: string) => fetch(baseUrl + path)
  const { servers } = (await (await get('/openapi.json')).json()) as { servers: { url: string }[] }
  assert.deepEqual(
    servers.map(({ url }) => url),
    [baseUrl],
  )
  assert.equal((await get('/health/ready')).status, 200)
  const status = async (address: string) => (await fetch(`${address}/status.json`)).json()
  const ofSandbox = createClient({
    baseUrl,
    clientId: 'operations',
    clientSecret: 'operations-sandbox-secret',
  }).operations
  const title = 'Only in this sandbox'
  await ofSandbox.openIncident({ title, components: ['Webhooks'], impact: 'None', text: 'An example.' })
  await until(
    async () => JSON.stringify(await status(baseUrl)),
    (text) => text.includes(title),
  )
  assert.match(await (await get('/status')).text(), /Only in this sandbox/)
  assert.ok(!JSON.stringify(await status(service.address)).includes(title))
  assert.equal((await get('/docs')).status, 404)
})

test('under load, every call of two sandboxes is answered from the data and clock of its sandbox', async () => {
  const sandboxes = [await create(), await create()]
  const clients = sandboxes.map(({ baseUrl }) => clientOf(baseUrl))
  const days = [10, 40]
  const starts = await Promise.all(
    clients.map(async (client, at) => {
      await client.sandbox.freezeClock({})
      const now = Date.now() + (days[at] ?? 0) * dayMs
      await client.sandbox.setClock({ now: new Date(now).toISOString() })
      return now
    }),
  )
  const request = { entityNumber: '301', repCode: 'JC01', registrationType: 'Individual' } as const
  const answers = await Promise.all(
    clients.map((client) =>
      Promise.all(
        Array.from({ length: callsUnderLoad }, async (_, at) => {
          const now = await nowOf(client)
          await client.accountNumber(request)
          const opened = at % 4 === 0 ? [await openAndFollow(client, applicationOf({}))] : []
          return { now, opened }
        }),
      ),
    ),
  )
  await Promise.all(
    clients.map(async (client, at) => {
      const mine = answers[at] ?? []
      assert.deepEqual([...new Set(mine.map(({ now }) => now))], [starts[at]])
      const opened = mine.flatMap((each) => each.opened).sort()
      assert.equal(opened.length, callsUnderLoad / 4)
      const { accounts } = (await client.listAccounts({})).data
      assert.deepEqual(accounts.map(({ accountNumber }) => accountNumber).sort(), opened)
      // An event is listed when no earlier transaction can still add one before it.
      const events = await until(
        async () => (await client.listEvents({ types: ['account.opened'] })).data.events,
        ({ length }) => length >= opened.length,
      )
      assert.deepEqual(events.map(({ subject }) => subject).sort(), opened)
      for (const { time } of events)
        assert.ok(Math.abs(Date.parse(time) - (starts[at] ?? 0)) < dayMs, `an event at ${time}`)
    }),
  )
  for (const { sandboxId } of sandboxes) await service.alpha.sandbox.deleteSandbox({ sandboxId })
})

test('a sandbox with demonstration accounts has uploads and event streams', async () => {
  const { baseUrl, credentials } = await create({ demonstration: true })
  assert.deepEqual(
    credentials.map(({ clientId }) => clientId),
    ['alpha', 'beta', 'operations'],
  )
  const client = clientOf(baseUrl)
  const { data } = await client.positionSummary({ accountNumber: '30100001' })
  assert.ok(data.portfolios.length > 3)
  const stopping = new AbortController()
  const seen: string[] = []
  const reading = (async () => {
    for await (const event of client.events({}, { from: 'now', signal: stopping.signal })) {
      seen.push(event.type)
      stopping.abort()
    }
  })().catch(() => {})
  await until(
    async () => {
      if (!stopping.signal.aborted) await client.sandbox.emitEvent({ type: 'business_day.closed' })
      return seen.length
    },
    (count) => count > 0,
  )
  await reading
  const accountNumber = '30100001'
  const documents = await client.getDocumentDetails({ accountNumber })
  const file = { name: 'a.pdf', content: samplePdf() }
  await client.addDocument({ accountNumber, documentTypeName: 'Identity Documents', reference: 'UTIL', file })
  const after = await client.getDocumentDetails({ accountNumber })
  assert.equal(after.data.documents.length, documents.data.documents.length + 1)
})

test('a firm sees and deletes its own sandboxes; afterwards the address does not exist', async () => {
  const { sandboxId, baseUrl } = await create({ name: 'build 4711' })
  const listed = async (client: Client) =>
    (await client.sandbox.listSandboxes({})).data.sandboxes.map((each) => each.sandboxId)
  assert.ok((await listed(service.alpha)).includes(sandboxId))
  assert.ok((await listed(service.operations)).includes(sandboxId))
  assert.deepEqual(await listed(service.beta), [])
  const foreign = await refusalOf(service.beta.sandbox.deleteSandbox({ sandboxId }))
  assert.deepEqual([foreign.status, foreign.rejections[0]?.code], [404, 'ERR.2027'])
  await service.alpha.sandbox.deleteSandbox({ sandboxId })
  assert.ok(!(await listed(service.alpha)).includes(sandboxId))
  const statusOf = async () => (await fetch(`${baseUrl}/health/live`)).status
  await until(statusOf, (status) => status === 404)
  await until(
    async () => existsSync(join(service.dataDir, 'sandboxes', sandboxId)),
    (isThere) => !isThere,
  )
  const { rows } = await service.query('select datname from pg_database where datname like $1', [
    `%${sandboxId}`,
  ])
  assert.deepEqual(rows, [])
})

test('while many deleted sandboxes are removed, the service answers calls that need the same connections', async () => {
  const name = 'removed together'
  await service.query(
    `insert into clearing.sandbox (sandbox_id, state, template, name, firm_id, idle_minutes)
     select repeat(chr(97 + at), 20), 'open', '', $1, (select firm_id from clearing.firm where name = 'Beta Brokerage'), 60
     from generate_series(1, 10) as at`,
    [name],
  )
  const credentials = { clientId: 'beta', clientSecret: 'beta-sandbox-secret' }
  const beta = createClient({ baseUrl: service.address, ...credentials, retries: 0 })
  const { sandboxes } = (await beta.sandbox.listSandboxes({})).data
  assert.equal(sandboxes.length, 10)
  await service.query('begin')
  try {
    // No database can be dropped before this transaction ends.
    await service.query('lock table pg_catalog.pg_database in share mode')
    for (const { sandboxId } of sandboxes) await beta.sandbox.deleteSandbox({ sandboxId })
    assert.deepEqual((await beta.sandbox.listSandboxes({})).data.sandboxes, [])
  } finally {
    await service.query('commit')
  }
  const left = async () =>
    (await service.query('select from clearing.sandbox where name = $1', [name])).rowCount
  await until(left, (rows) => rows === 0)
})

test('a sandbox cannot create sandboxes, and a firm has ten at most', async () => {
  const [{ baseUrl }] = pair
  const within = await refusalOf(clientOf(baseUrl).sandbox.createSandbox({}))
  assert.deepEqual([within.status, within.rejections[0]?.code], [409, 'ERR.2028'])
  const insert = `insert into clearing.sandbox (sandbox_id, state, template, firm_id, idle_minutes)
    select repeat(chr(97 + at), 20), 'open', '', (select firm_id from clearing.firm where name = 'Beta Brokerage'), 60
    from generate_series(1, 10) as at`
  await service.query(insert)
  const further = await refusalOf(service.beta.sandbox.createSandbox({}))
  assert.deepEqual([further.status, further.rejections[0]?.code], [409, 'ERR.2028'])
  assert.match(further.rejections[0]?.reason ?? '', /has 10 sandboxes/)
  await service.query("update clearing.sandbox set used_at = now() - interval '2 hours' where template = ''")
  // A sandbox without a call for its lifetime is removed automatically.
  const count = async () => (await service.query("select from clearing.sandbox where template = ''")).rowCount
  await until(count, (rows) => rows === 0)
})
