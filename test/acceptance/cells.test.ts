/**
 * Two cells beside each other: their account numbers and client ids do not meet, and the router of deploy/haproxy leads
 * each firm to its own cell. The tests of the router are skipped where HAProxy is not installed.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, createClient } from '@clearing/sdk'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { applicationFor } from './applications.ts'
import { openAndFollow, read, rejectionsOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

const missing = spawnSync('haproxy', ['-v']).status !== 0 && 'HAProxy is not installed'
const settledWithinMs = 60_000
const ofBeta = { entityNumber: '302', main: { repCode: 'BB01' } }
const betaFirm = '00000000-0000-4000-8000-000000000302'
const configuration = new URL('../../deploy/haproxy/cells.cfg', import.meta.url)

let routerUrl: string
let first: RunningService
let second: RunningService
let folder: string
/** The services that run. */
const running = new Set<RunningService>()

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acceptance-cells-'))
  routerUrl = `http://127.0.0.1:${await freePort()}`
  const start = (ACCOUNT_NUMBERS: string) =>
    startRunningService({ environment: { ISSUER: routerUrl, ACCOUNT_NUMBERS, TRUSTED_PROXIES: '127.0.0.1' } })
  first = await start('10-54')
  running.add(first)
  second = await start('55-99')
  running.add(second)
})
after(async () => {
  for (const cell of running) await cell.stop()
  await rm(folder, { recursive: true, force: true })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

test('a cell gives account numbers of its range, and refuses others as it does numbers that are taken', async () => {
  const { data: reserved } = await second.beta.accountNumber({
    entityNumber: '302',
    repCode: 'BB01',
    registrationType: 'Individual',
  })
  const opened = await Promise.all(
    Array.from({ length: 6 }, () => openAndFollow(second.beta, applicationFor('Individual', ofBeta))),
  )
  for (const number of [reserved.accountNumber, ...opened]) assert.match(number, /^(5[5-9]|[6-9]\d)\d{6}$/)
  const asks = (accountNumber: string) => applicationFor('Individual', { ...ofBeta, accountNumber })
  const taken = await rejectionsOf(second.beta.newAccount(asks(opened[0] as string)))
  for (const number of ['54999999', 'zx81qw00']) {
    assert.deepEqual(await rejectionsOf(second.beta.newAccount(asks(number))), taken)
    assert.deepEqual(await rejectionsOf(second.beta.validateAccount(asks(number))), taken)
  }
  await second.beta.newAccount(asks('55000000'))
  assert.equal((await read(second.beta, '55000000')).accountNumber, '55000000')
})

test('a client id that a cell generates names the cell', async () => {
  const made = await second.operations.operations.createCredential({ firmId: betaFirm, name: 'Made' })
  assert.match(made.data.clientId, /^client-55-[0-9a-f]{20}$/)
})

/** Starts HAProxy with the file of the kit, on addresses of this test. */
async function startRouter(): Promise<ChildProcess> {
  const map = join(folder, 'clients.map')
  await writeFile(map, 'alpha cell-0\nbeta cell-1\nclient-10- cell-0\nclient-55- cell-1\n')
  const text = (await readFile(configuration, 'utf8'))
    .replace(/bind .*/, `bind ${new URL(routerUrl).host}`)
    .replaceAll('/etc/haproxy/clients.map', map)
    .replace('10.0.10.11:8080', new URL(first.address).host)
    .replace('10.0.11.11:8080', new URL(second.address).host)
    .replaceAll(/^ *server cell-[01]b .*\n/gm, '')
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, text)
  const router = spawn('haproxy', ['-f', file], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [router.stdout, router.stderr]) stream.on('data', (piece) => (said += piece))
  const deadline = Date.now() + settledWithinMs
  while ((await fetch(`${routerUrl}/health/ready`).catch(() => undefined))?.status !== 200) {
    assert.ok(router.exitCode === null && Date.now() < deadline, said)
    await pause(20)
  }
  return router
}

function through(clientId: string, clientSecret = `${clientId}-sandbox-secret`): Client {
  return createClient({ baseUrl: routerUrl, clientId, clientSecret, retryForMs: settledWithinMs })
}

async function lists(client: Client, wanted: string): Promise<boolean> {
  const { accounts } = (await client.listAccounts({ size: 100 })).data
  return accounts.some(({ accountNumber }) => accountNumber === wanted)
}

function formOf(clientId: string): URLSearchParams {
  return new URLSearchParams({ client_id: clientId, client_secret: `${clientId}-sandbox-secret` })
}

/** What the router answers, and what the first cell answers. The trace id is left out: it differs with each call. */
async function answersOf(path: string, request: RequestInit): Promise<[object, object]> {
  const ask = async (base: string) => {
    const answer = await fetch(base + path, { method: 'POST', ...request })
    return { status: answer.status, body: { ...((await answer.json()) as object), traceId: '' } }
  }
  return [await ask(routerUrl), await ask(first.address)]
}

async function refusesAsACellDoes(): Promise<void> {
  const path = '/account-api/v1/list-accounts'
  const requests: [string, RequestInit][] = [
    ['/auth/token', { body: formOf('unknown') }],
    ['/auth/token', { body: new URLSearchParams({ grant_type: 'client_credentials' }) }],
    ['/auth/token', { headers: { authorization: 'Basic !' }, body: new URLSearchParams({ scope: 'a' }) }],
    [path, {}],
    [path, { headers: { authorization: 'Bearer a.b.c' } }],
    [path, { headers: { authorization: `Bearer ${await second.token('beta')}x` } }],
  ]
  for (const [at, request] of requests) {
    const [routed, direct] = await answersOf(at, request)
    assert.deepEqual(routed, direct)
  }
  // A cell does not take the tokens of another one.
  const authorization = `Bearer ${await second.token('beta')}`
  const foreign = await fetch(first.address + path, { method: 'POST', headers: { authorization } })
  assert.equal(foreign.status, 401)
}

/** Every way in which a client of the second cell says who it is leads there. */
async function findsTheClient(): Promise<void> {
  const { operations } = second.operations
  const { clientId, clientSecret } = (
    await operations.createCredential({ firmId: betaFirm, name: 'All ways' })
  ).data
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const { kty = '', crv = '', x = '', y = '' } = await exportJWK(publicKey)
  const grant = { grant_type: 'client_credentials' }
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const statusOf = async (path: string, body: Record<string, string>, headers = {}) => {
    const form = new URLSearchParams({ ...grant, ...body })
    return (await fetch(routerUrl + path, { method: 'POST', body: form, headers })).status
  }
  const secret = { client_id: clientId, client_secret: clientSecret }
  assert.equal(await statusOf('/auth/token', secret), 200)
  assert.equal(await statusOf('/identity/connect/token', secret), 200)
  assert.equal(await statusOf('/auth/token', {}, { authorization: `Basic ${basic}` }), 200)
  await operations.replaceClientKeys({ clientId, keys: [{ kid: 'one', kty, crv, x, y }] })
  const assertion = await new SignJWT({ jti: randomUUID() })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(routerUrl)
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(privateKey)
  const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
  const signed = { client_assertion: assertion, client_assertion_type: type }
  assert.equal(await statusOf('/auth/token', signed), 200)
}

test('the router leads each firm to its cell, and a cell that is away leaves the others alone', {
  skip: missing,
}, async () => {
  const router = await startRouter()
  try {
    const [alpha, beta] = [through('alpha'), through('beta')]
    const alphas = await openAndFollow(alpha, applicationFor('Individual'))
    const betas = await openAndFollow(beta, applicationFor('Individual', ofBeta))
    assert.ok(Number(alphas.slice(0, 2)) < 55 && Number(betas.slice(0, 2)) >= 55)
    const has = async ({ query }: RunningService, number: string) =>
      (await query('select from clearing.account where account_number = $1', [number])).rowCount === 1
    assert.deepEqual(await Promise.all([has(first, alphas), has(second, alphas)]), [true, false])
    assert.deepEqual(await Promise.all([has(first, betas), has(second, betas)]), [false, true])
    await refusesAsACellDoes()
    await findsTheClient()

    // A credential that is made now needs no change of the router.
    const { operations } = second.operations
    const { clientId, clientSecret } = (
      await operations.createCredential({ firmId: betaFirm, name: 'Later', scopes: ['accounts:read'] })
    ).data
    const later = through(clientId, clientSecret)
    assert.ok(await lists(later, betas))

    running.delete(first)
    await first.stop()
    const away = await fetch(`${routerUrl}/auth/token`, { method: 'POST', body: formOf('alpha') })
    const { errors } = (await away.json()) as { errors: { code: string }[] }
    assert.deepEqual([away.status, errors[0]?.code], [503, 'ERR.5003'])
    assert.ok(Number(away.headers.get('retry-after')) > 0)
    assert.ok(await lists(through('beta'), betas))
  } finally {
    router.kill('SIGKILL')
    await once(router, 'exit')
  }
})
