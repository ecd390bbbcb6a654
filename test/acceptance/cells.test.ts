/**
 * Two cells with disjoint account numbers and client ids, and the router of deploy/haproxy, which routes each firm to
 * its own cell. The tests of the router are skipped where HAProxy is not installed.
 */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathOf } from '@clearing/protocol'
import { type Client, createClient } from '@clearing/sdk'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { examine } from '../../server/src/commands/doctor.ts'
import { createTestDatabase, type TestDatabase } from '../../server/src/database/test-database.ts'
import { inTransaction } from '../../server/src/database/transaction.ts'
import { claimNames, prepareDirectory } from '../../server/src/store/cell-directory.ts'
import { freePort, routerMissing, startRouter, stopRouter } from '../router-of-cells.ts'
import { applicationFor } from './applications.ts'
import { openAndFollow, read, rejectionsOf } from './calling.ts'
import { openCommandLine } from './command-line.ts'
import { atWork, follow, type Jar, staffPassword, submit } from './person.ts'
import { type RunningService, startRunningService } from './running-service.ts'

const settledWithinMs = 60_000
const dayMs = 86_400_000
const ofBeta = { entityNumber: '302', main: { repCode: 'BB01' } }
const betaFirm = '00000000-0000-4000-8000-000000000302'

let routerUrl: string
let first: RunningService
let second: RunningService
let folder: string
let directory: TestDatabase
let router: ChildProcess | undefined
/** The running services. */
const running = new Set<RunningService>()

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acceptance-cells-'))
  routerUrl = `http://127.0.0.1:${await freePort()}`
  directory = await createTestDatabase({ migrations: [] })
  await prepareDirectory(directory.owner)
  // A sandbox has the firms that no other cell has claimed.
  await inTransaction(directory.owner, { firm: null }, (tx) =>
    claimNames(tx, 'cell-1', [{ kind: 'firm', name: betaFirm }]),
  )
  first = await startRunningService({ environment: environmentOf('cell-0', '10-54') })
  running.add(first)
  second = await startRunningService({ environment: environmentOf('cell-1', '55-99') })
  running.add(second)
  if (routerMissing === false)
    router = await startRouter({ folder, url: routerUrl, cells: [first.address, second.address] })
})
after(async () => {
  if (router) await stopRouter(router)
  for (const cell of running) await cell.stop()
  await directory[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

function environmentOf(CELL: string, ACCOUNT_NUMBERS: string): Record<string, string> {
  const DIRECTORY_URL = directory.urls.owner
  return { CELL, ACCOUNT_NUMBERS, DIRECTORY_URL, ISSUER: routerUrl, TRUSTED_PROXIES: '127.0.0.1' }
}

test('a cell issues account numbers of its range, and refuses others like taken numbers', async () => {
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

test('a cell verifies the tokens of every cell, and publishes the keys of all', async () => {
  const kids = async ({ address }: RunningService) => {
    const { keys } = (await (await fetch(`${address}/identity/jwks`)).json()) as { keys: { kid: string }[] }
    return new Set(keys.map(({ kid }) => kid))
  }
  // The first cell has the key of the second since a token named it, or since its next exchange.
  for (const [maker, taker] of [
    [first, second],
    [second, first],
  ] as const) {
    const headers = {
      authorization: `Bearer ${await maker.token('operations')}`,
      'content-type': 'application/json',
    }
    const answer = await taker.send('/operations-api/v1/list-cells', { headers, body: '{}' })
    assert.equal(answer.status, 200)
    const names = answer.json.data.cells.map(({ name, answers }: Record<string, unknown>) => [name, answers])
    assert.deepEqual(names, [
      ['cell-0', taker === first],
      ['cell-1', taker === second],
    ])
  }
  assert.deepEqual(await kids(first), await kids(second))
  assert.equal((await kids(first)).size, 2)
})

test('the directory finds the cell of an account number, a firm, a rep code and a client', async () => {
  const { operations } = first.operations
  const cellsOf = async (wanted: Parameters<typeof operations.listCells>[0]) =>
    (await operations.listCells(wanted)).data.cells.map(({ name }) => name)
  assert.deepEqual(await cellsOf({ accountNumber: '54999999' }), ['cell-0'])
  assert.deepEqual(await cellsOf({ accountNumber: '55000000' }), ['cell-1'])
  assert.deepEqual(await cellsOf({ entityNumber: '302', repCode: 'BB01' }), ['cell-1'])
  assert.deepEqual(await cellsOf({ clientId: 'ALPHA' }), ['cell-0'])
  assert.deepEqual(await cellsOf({ clientId: 'operations' }), ['cell-0', 'cell-1'])
  assert.deepEqual(await cellsOf({ clientId: 'alpha', repCode: 'BB01' }), [])
  assert.deepEqual(await cellsOf({ entityNumber: '999' }), [])
})

test('numbers, codes and client ids are unique over all cells', async () => {
  const { operations } = second.operations
  const firm = { name: 'Gamma', entityNumbers: ['391', '301'], repCodes: ['GA01', 'JC01'] }
  const taken = ['ERR.1014 entityNumbers[1]', 'ERR.1014 repCodes[1]']
  assert.deepEqual(await rejectionsOf(operations.createFirm(firm)), taken)
  const asAlpha = { firmId: betaFirm, name: 'x', clientId: 'Alpha' }
  assert.deepEqual(await rejectionsOf(operations.createCredential(asAlpha)), ['ERR.1014 clientId'])
  // The refused requests took nothing from the other cells.
  const made = await first.operations.operations.createFirm({
    name: 'Delta',
    entityNumbers: ['391'],
    repCodes: ['GA01'],
  })
  const more = { firmId: betaFirm, addEntityNumbers: ['391'] }
  assert.deepEqual(await rejectionsOf(operations.updateFirm(more)), ['ERR.1014 addEntityNumbers[0]'])
  assert.equal(made.data.entityNumbers[0], '391')
})

test('a cell whose account numbers another cell has does not start, and doctor reports the reason', async () => {
  const overlapping = environmentOf('cell-2', '50-60')
  const meets =
    'ACCOUNT_NUMBERS 50-60 overlaps 10-54 of the cell cell-0; ACCOUNT_NUMBERS 50-60 overlaps 55-99 of the cell cell-1'
  await assert.rejects(startRunningService({ environment: overlapping }), {
    name: 'NotOfThisCell',
    message: meets,
  })
  const found = await examine({ ...overlapping, DATA_DIR: folder })
  assert.deepEqual(
    found.filter(({ kind }) => kind === 'wrong'),
    [{ kind: 'wrong', text: meets }],
  )
  const ofFirst = await examine({ ...environmentOf('cell-0', '10-54'), DATA_DIR: folder })
  assert.deepEqual(
    ofFirst.filter(({ kind }) => kind === 'wrong'),
    [],
  )
})

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

/** The response of the router, and that of the first cell. The trace id is omitted: it differs with each call. */
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
  // The first cell knows the key of the token, and not its client.
  const authorization = `Bearer ${await second.token('beta')}`
  const foreign = await fetch(first.address + path, { method: 'POST', headers: { authorization } })
  assert.equal(foreign.status, 401)
}

/** The router sends the second cell every request that names a client of that cell, in any form. */
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

test('one file is loaded into the cells of its accounts, and one command closes their day', {
  skip: routerMissing,
}, async () => {
  await using clearing = await openCommandLine()
  const environment = {
    CLEARING_URL: routerUrl,
    CLEARING_CLIENT_ID: 'operations',
    CLEARING_CLIENT_SECRET: 'operations-sandbox-secret',
  }
  const run = async (...words: string[]) => {
    const ended = await clearing.run([...words, '--json'], { environment })
    return {
      ...ended,
      rows: ended.stdout
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((row) => JSON.parse(row)),
    }
  }
  const [alphas, betas] = [
    await openAndFollow(through('alpha'), applicationFor('Individual')),
    await openAndFollow(through('beta'), applicationFor('Individual', ofBeta)),
  ]
  // The open business day is not in the future, whatever the day of the test.
  const later = new Date(Date.now() + 10 * dayMs).toISOString().slice(0, 10)
  await setClocks(`${later}T05:00:00Z`)
  const nextDay = await dayOf('cell-0')
  if (nextDay >= later) await setClocks(`${nextDay}T17:00:00Z`)
  const days = [await dayOf('cell-0'), await dayOf('cell-1')]
  assert.equal(days[0], days[1])
  const day = days[0] as string
  const deposit = (id: string, account: string, amount = '5') => `${id},${account},Deposit,${amount},${day}`
  const lines = [
    'externalId,acctNo,transType,netAmount,tradeDate',
    deposit('L1', alphas),
    deposit('L2', betas, 'x'),
    '',
    deposit('L3', betas),
    deposit('L4', '54999999'),
    deposit('L5', '""'),
    deposit('L6', `"${betas}"`),
  ]
  await writeFile(join(clearing.folder, 'activity.csv'), `${lines.join('\n')}\n`)
  const countsOf = (rows: Record<string, unknown>[]) =>
    rows.map(({ cell, received, accepted, duplicates, rejected }) => [
      cell,
      received,
      accepted,
      duplicates,
      rejected,
    ])
  const loaded = await run('load', 'activity', 'activity.csv', '--cells')
  assert.deepEqual(
    countsOf(loaded.rows),
    [
      ['cell-0', 3, 1, 0, 2],
      ['cell-1', 3, 2, 0, 1],
    ],
    loaded.stderr,
  )
  assert.equal(loaded.exitCode, 1)
  const reasons = await readFile(join(clearing.folder, 'activity.rejects.txt'), 'utf8')
  assert.deepEqual(
    [...reasons.matchAll(/^line (\d+) .*?(ERR\.\d+) (\w+)/gm)].map(([, ...parts]) => parts),
    [
      ['3', 'ERR.1016', 'netAmount'],
      ['6', 'ERR.2003', 'acctNo'],
      ['7', 'ERR.1000', 'acctNo'],
    ],
  )
  assert.equal(
    await readFile(join(clearing.folder, 'activity.rejects.csv'), 'utf8'),
    [lines[0], lines[2], lines[5], lines[6], ''].join('\n'),
  )
  const again = await run('load', 'activity', 'activity.csv', '--cells')
  assert.deepEqual(countsOf(again.rows), [
    ['cell-0', 3, 0, 1, 2],
    ['cell-1', 3, 0, 2, 1],
  ])
  const cashOf = async (client: Client, accountNumber: string) =>
    Number((await client.positionSummary({ accountNumber })).data.totalCash)
  assert.deepEqual([await cashOf(through('alpha'), alphas), await cashOf(through('beta'), betas)], [5, 10])
  await writeFile(
    join(clearing.folder, 'rates.csv'),
    'currency,rate,date\nCHF,1.1,2026-01-05\nCHF,?,2026-01-06\n',
  )
  const rates = await run('load', 'fx-rates', 'rates.csv', '--cells')
  assert.deepEqual(countsOf(rates.rows), [
    ['cell-0', 2, 1, 0, 1],
    ['cell-1', 2, 1, 0, 1],
  ])
  assert.equal((await readFile(join(clearing.folder, 'rates.rejects.txt'), 'utf8')).split('\n').length, 2)
  await closesOverCells(day, run)
})

type Run = (
  ...words: string[]
) => Promise<{ exitCode: number | null; stderr: string; rows: Record<string, string>[] }>

/** Both cells have unreviewed rejects. */
async function closesOverCells(day: string, run: Run): Promise<void> {
  const statesOf = ({ rows }: Awaited<ReturnType<Run>>) => rows.map(({ cell, state }) => [cell, state])
  const open = await run('cells', 'close')
  assert.deepEqual(
    [open.exitCode, statesOf(open)],
    [
      1,
      [
        ['cell-0', 'Open'],
        ['cell-1', 'Open'],
      ],
    ],
  )
  assert.match(open.rows[1]?.reason ?? '', /reject/i)
  await reviewLoads('cell-0')
  const half = await run('cells', 'close')
  assert.deepEqual(
    [half.exitCode, statesOf(half)],
    [
      1,
      [
        ['cell-0', 'Closed'],
        ['cell-1', 'Open'],
      ],
    ],
  )
  const next = await dayOf('cell-0')
  assert.ok(next > day)
  const ahead = await run('cells', 'close', '--date', next)
  assert.deepEqual(
    [ahead.exitCode, statesOf(ahead)],
    [
      1,
      [
        ['cell-0', 'Open'],
        ['cell-1', 'Behind'],
      ],
    ],
  )
  assert.match(ahead.stderr, new RegExp(`cell-1 is behind: its open day is ${day}`))
  await reviewLoads('cell-1')
  for (let time = 0; time < 2; time += 1) {
    const closed = await run('cells', 'close', '--date', day)
    assert.deepEqual(
      [closed.exitCode, statesOf(closed)],
      [
        0,
        [
          ['cell-0', 'Closed'],
          ['cell-1', 'Closed'],
        ],
      ],
      closed.stderr,
    )
  }
  assert.deepEqual([await dayOf('cell-0'), await dayOf('cell-1')], [next, next])
}

/** Operations of one cell, through the router. */
function operationsIn(cell: string): Client {
  return createClient({
    baseUrl: routerUrl,
    clientId: 'operations',
    clientSecret: 'operations-sandbox-secret',
    cell,
  })
}

async function setClocks(now: string): Promise<void> {
  for (const cell of ['cell-0', 'cell-1']) await operationsIn(cell).sandbox.setClock({ now })
}

async function dayOf(cell: string): Promise<string> {
  return (await operationsIn(cell).operations.closeChecklist()).data.businessDate
}

async function reviewLoads(cell: string): Promise<void> {
  const { operations } = operationsIn(cell)
  for await (const { loadId, rejected } of operations.listLoads.each({}))
    if (rejected > 0) await operations.reviewLoad({ loadId })
}

test('a person with one browser signs in to each cell and works in the cell that the cookie names', {
  skip: routerMissing,
}, async () => {
  const jar: Jar = new Map()
  const signInTo = async (service: RunningService, name: string) => {
    jar.set('clearing-cell', name)
    const routed = { ...service, address: routerUrl }
    const { at } = await follow(routed, jar, '/console/sign-in?returnTo=/console/work')
    const password = await staffPassword(service)
    const done = await submit(routed, jar, at, { email: 'admin@example.com', password })
    assert.equal(done.at, '/console/work', done.text)
  }
  const worksIn = async (name: string) => {
    jar.set('clearing-cell', name)
    const person = atWork({ ...first, address: routerUrl }, 'admin@example.com', jar)
    const { status, json } = await person.send(pathOf('list-cells', 'operations'), { body: {} })
    if (status !== 200) return status
    const { cells } = (json as { data: { cells: { name: string; answers: boolean }[] } }).data
    return cells.find(({ answers }) => answers)?.name
  }
  await signInTo(second, 'cell-1')
  assert.equal(await worksIn('cell-1'), 'cell-1')
  assert.equal(await worksIn('cell-0'), 401)
  await signInTo(first, 'cell-0')
  assert.equal(await worksIn('cell-0'), 'cell-0')
  assert.equal(await worksIn('cell-1'), 'cell-1')
})

test('the router routes each firm to its cell, and an unavailable cell does not affect the others', {
  skip: routerMissing,
}, async () => {
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

  // A new credential needs no change of the router.
  const { operations } = second.operations
  const { clientId, clientSecret } = (
    await operations.createCredential({ firmId: betaFirm, name: 'Later', scopes: ['accounts:read'] })
  ).data
  const later = through(clientId, clientSecret)
  assert.ok(await lists(later, betas))
  // The map of the router has small letters.
  const named = { firmId: betaFirm, name: 'Desk', clientId: 'EpsDesk', scopes: ['accounts:read'] }
  const desk = (await operations.createCredential(named)).data
  assert.ok(await lists(through('EpsDesk', desk.clientSecret), betas))

  running.delete(first)
  await first.stop()
  const away = await fetch(`${routerUrl}/auth/token`, { method: 'POST', body: formOf('alpha') })
  const { errors } = (await away.json()) as { errors: { code: string }[] }
  assert.deepEqual([away.status, errors[0]?.code], [503, 'ERR.5003'])
  assert.ok(Number(away.headers.get('retry-after')) > 0)
  assert.ok(await lists(through('beta'), betas))
})
