/**
 * A firm is moved from one cell to another while it writes, and the command is killed in every state. Its callers have
 * the settings of the sdk and see no error. No acknowledged write is lost or doubled, and cursors continue. Contents of
 * documents move too, and an interrupted removal is repeated. The new cell was added later: it did not close the firm's
 * first day. No proof raises a false alarm while the firm arrives.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { parseEnv, promisify } from 'node:util'
import { type Client, createClient } from '@clearing/sdk'
import pg from 'pg'
import { Settings } from '../../server/src/config/read-settings.ts'
import { readRetention } from '../../server/src/config/retention.ts'
import { createTestDatabase, type TestDatabase } from '../../server/src/database/test-database.ts'
import { inTransaction } from '../../server/src/database/transaction.ts'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { sandboxFirms } from '../../server/src/identity/sandbox-firms.ts'
import { removeOld } from '../../server/src/jobs/remove-old.ts'
import { claimNames, prepareDirectory } from '../../server/src/store/cell-directory.ts'
import { firmTables } from '../../server/src/store/firm-tables.ts'
import { countOpenings, readOpenings } from '../../server/src/store/openings.ts'
import { applicationFor } from '../acceptance/applications.ts'
import { openAndFollow } from '../acceptance/calling.ts'
import { openCommandLine } from '../acceptance/command-line.ts'
import { type RunningService, startRunningService } from '../acceptance/running-service.ts'
import { bundleProgram } from '../bundle-program.ts'
import { freePort, routerMissing, startRouter, stopRouter } from '../router-of-cells.ts'
import { type BetweenCells, runMove, startMove, writeSettings } from './move-command.ts'
import { isBlocked, listed, refusesWrites, refuseUntilDone } from './unfinished-work.ts'

const [alphaFirm, betaFirm] = sandboxFirms.map(({ firmId }) => firmId) as [string, string]
const acceptOpen = { reason: 'As tests close days.' }
const retryForMs = 300_000

interface Cell {
  readonly name: string
  readonly database: TestDatabase
  readonly service: RunningService
  /** The file with its settings. */
  readonly settings: string
  readonly superuser: pg.Client
}

let folder: string
let routerUrl: string
let directory: TestDatabase
let cells: [Cell, Cell]
/** The cell to which the router routes the callers of Alpha. */
let alphasCell: Cell
let receiver: Server
const delivered: string[] = []

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faults-move-firm-'))
  routerUrl = `http://127.0.0.1:${await freePort()}`
  directory = await createTestDatabase({ migrations: [] })
  await prepareDirectory(directory.owner)
  await inTransaction(directory.owner, { firm: null }, (tx) =>
    claimNames(tx, 'cell-1', [{ kind: 'firm', name: betaFirm }]),
  )
  cells = [await startCell('cell-0', '10-54'), await startCell('cell-1', '55-99')]
  alphasCell = cells[0]
  receiver = createServer(async (request, response) => {
    delivered.push((JSON.parse(await text(request)) as { id: string }).id)
    response.end()
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
})
after(async () => {
  receiver?.close()
  receiver?.closeAllConnections()
  for (const { service, superuser, database } of cells ?? []) {
    await superuser.end()
    await service.stop()
    await database[Symbol.asyncDispose]()
  }
  await directory?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function startCell(name: string, numbers: string): Promise<Cell> {
  const database = await createTestDatabase()
  const environment = {
    CELL: name,
    ACCOUNT_NUMBERS: numbers,
    DIRECTORY_URL: directory.urls.owner,
    DATABASE_URL: database.urls.owner,
    DATA_DIR: join(folder, name),
    ISSUER: routerUrl,
  }
  const settings = await writeSettings(folder, environment)
  const service = await startRunningService({ environment })
  const superuser = new pg.Client(database.urls.superuser)
  await superuser.connect()
  return { name, database, service, settings, superuser }
}

/** A caller at the address of the router. */
function through(clientId: string, cellOf: () => Cell, secret = `${clientId}-sandbox-secret`): Client {
  return createClient({
    baseUrl: routerUrl,
    clientId,
    clientSecret: secret,
    retryForMs,
    retryDelayMs: 50,
    fetch: (input, init) => fetch(String(input).replace(routerUrl, cellOf().service.address), init),
  })
}

function there(): BetweenCells {
  return { from: cells[0].settings, to: cells[1].settings }
}

function back(): BetweenCells {
  return { from: cells[1].settings, to: cells[0].settings }
}

async function prove({ service }: Cell): Promise<void> {
  const { operations } = service.operations
  assert.deepEqual((await operations.verifyBooks({})).data.breaks, [])
  const { firms } = (await operations.verifyAudit({})).data
  assert.deepEqual(
    firms.flatMap(({ firstBreak }) => firstBreak ?? []),
    [],
  )
}

/** How long a firm has been frozen or arriving, as measured by the alert on unfinished moves. */
async function secondsOf({ service }: Cell, state: 'frozen' | 'arriving'): Promise<number> {
  const metrics = await (await fetch(`${service.address}/metrics`)).text()
  return Number(new RegExp(`^clearing_moving_firm_seconds{state="${state}"} (.*)$`, 'm').exec(metrics)?.[1])
}

/** Runs the proofs of the night. */
async function proveByJobs({ superuser }: Cell): Promise<void> {
  await superuser.query("select graphile_worker.add_job('prove-records', max_attempts => 1)")
  const left = async () => {
    const { rows } = await superuser.query<{ last_error: string | null }>(
      "select last_error from graphile_worker.jobs where task_identifier in ('prove-records', 'prove-books')",
    )
    return rows
  }
  for (let jobs = await left(); jobs.length > 0; jobs = await left()) {
    for (const { last_error } of jobs) assert.equal(last_error, null)
    await pause(50)
  }
}

/** Kills the command when it reaches a table, and proves the new cell, which has the rows of the tables before it. */
async function proveHalfway(firmId: string, table: string): Promise<void> {
  const [, { superuser }] = cells
  await superuser.query(
    `create trigger held before insert on clearing.${table} for each row when (new.firm_id = '${firmId}') execute function clearing.refuse_frozen()`,
  )
  await assert.rejects(runMove(there(), [firmId]), /the firm is being moved/)
  await prove(cells[1])
  await superuser.query(`drop trigger held on clearing.${table}`)
}

/** Kills the removal when some rows of the firm are removed and others are not. */
async function killRemoval(firmId: string): Promise<void> {
  const [{ superuser, database }] = cells
  const holder = new pg.Client(database.urls.superuser)
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from clearing.account where firm_id = $1 for update', [firmId])
  const command = await startMove(there(), [firmId, '--remove'])
  const ended = once(command, 'close')
  const failure = text(command.stderr)
  command.stdout.resume()
  const rowsOf = async (table: string) =>
    (await superuser.query(`select from clearing.${table} where firm_id = $1`, [firmId])).rowCount
  while ((await rowsOf('document')) !== 0) {
    if (command.exitCode !== null) assert.fail(await failure)
    await pause(20)
  }
  command.kill('SIGKILL')
  await ended
  assert.notEqual(await rowsOf('account'), 0)
  await holder.end()
}

/** Counts the applications of past days, as the housekeeping of the cell does every hour. */
async function countDays({ database }: Cell, now: Date): Promise<void> {
  while (await inTransaction(database.operations, { firm: null }, (tx) => countOpenings(tx, now)));
}

/** The number of a firm's applications of the last days, as the console shows them. */
async function applicationsOf({ database }: Cell, firmId: string, now: Date): Promise<bigint> {
  const { days } = await inTransaction(database.operations, { firm: null }, (tx) =>
    readOpenings(tx, now.toISOString().slice(0, 10), firmId),
  )
  return days.reduce((sum, { submitted }) => sum + submitted, 0n)
}

/** The files with this content in the document store of a cell. */
async function contentsOf({ name }: Cell, documentId: string): Promise<string[]> {
  const found = await readdir(join(folder, name, 'documents'), { recursive: true, withFileTypes: true })
  return found
    .filter((one) => one.isFile() && one.name === documentId)
    .map((one) => join(one.parentPath, one.name))
}

async function allEvents(client: Client): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | undefined; ; ) {
    const { data } = await client.listEvents({ ...(cursor === undefined ? {} : { cursor }), size: 100 })
    ids.push(...data.events.map(({ id }) => id))
    cursor = data.nextCursor
    if (!data.more) return ids
  }
}

test('a firm moves under load, with the command killed in every state, and no caller sees an error', {
  timeout: 500_000,
}, async () => {
  const alpha = through('alpha', () => alphasCell)
  const beta = through('beta', () => cells[1])
  const ofBeta = { entityNumber: '302', main: { repCode: 'BB01' } }
  const still = await openAndFollow(alpha, listed)
  const tradeDate = (await cells[0].service.operations.operations.closeChecklist()).data.businessDate
  for (const { service } of cells)
    await service.operations.operations.loadSecurities({
      lines: { ndjson: [{ symbol: 'MOVE', secTypeName: 'Common Stock' }] },
    })
  const of = { acctNo: still, tradeDate }
  const bought = {
    transType: 'Trade',
    buySell: 'BUY',
    symbol: 'MOVE',
    quantity: '3',
    price: '10',
    acctType: 'Cash',
  }
  const { data: loaded } = await cells[0].service.operations.operations.loadActivity({
    lines: {
      ndjson: [
        { ...of, externalId: 'M1', transType: 'Deposit', netAmount: '1000.55' },
        { ...of, ...bought, externalId: 'M2' },
      ],
    },
  })
  assert.deepEqual([loaded.accepted, loaded.rejects], [2, []])
  const { documentId } = (
    await alpha.addDocument({
      accountNumber: still,
      documentTypeName: 'Identity Documents',
      reference: 'UTIL',
      displayName: 'Bill',
      file: { name: 'bill.pdf', content: samplePdf() },
    })
  ).data
  const document = async () => (await alpha.getDocument({ accountNumber: still, documentId })).bytes()
  const documentBefore = await document()
  assert.equal((await contentsOf(cells[0], documentId)).length, 1)
  // Closed days with their seals move too. The new cell has closed the last of them.
  const [old, fresh] = [cells[0].service.alpha.sandbox, cells[1].service.beta.sandbox]
  await old.closeBusinessDay({ acceptOpen })
  const clockOf = async ({ getClock }: typeof old) => (await getClock({})).data
  // After the market's close, the first close does not move the clock, and the new cell begins a day earlier.
  const { now } = await clockOf(old)
  if (now > (await clockOf(fresh)).now) await fresh.setClock({ now })
  await old.closeBusinessDay({ acceptOpen })
  await assert.rejects(runMove(there(), [alphaFirm]), /cell-1 has not closed \d{4}-\d\d-\d\d\.\n/)
  const { businessDate } = await clockOf(old)
  while ((await clockOf(fresh)).businessDate < businessDate) await fresh.closeBusinessDay({ acceptOpen })
  await refuseUntilDone(() => runMove(there(), [alphaFirm]), ...cells)
  // Housekeeping of the new cell has not counted the days that the old cell has counted.
  const later = new Date(Date.parse((await clockOf(old)).now) + 2 * 86_400_000)
  await countDays(cells[0], later)
  const { port } = receiver.address() as AddressInfo
  await alpha.createWebhook({ url: `http://127.0.0.1:${port}/`, types: ['*'] })
  // The block of the account suspends purchases and withdrawals.
  const balances = async () =>
    JSON.stringify((await alpha.positionSummary({ accountNumber: still })).data).replaceAll(
      /"date":"[^"]*"|"(?:freeCash|fundsAvailable|buyingPower)":[\d.]+/g,
      '',
    )
  const balancesBefore = await balances()

  const opened = new Map<string, { number: string; application: ReturnType<typeof applicationFor> }>()
  const betas: typeof opened = new Map()
  const read: string[] = []
  let cursor: string | undefined
  let over = false
  const write = async (client: Client, overrides: object, keep: typeof opened) => {
    for (let number = 0; !over; number += 1) {
      const application = applicationFor('Individual', overrides)
      const { data } = await client.newAccount(application, { idempotencyKey: `move-${number}` })
      assert.ok('message' in data)
      keep.set(`move-${number}`, { number: data.message.accountNumber, application })
    }
  }
  const readOn = async () => {
    const { data } = await alpha.listEvents({ ...(cursor === undefined ? {} : { cursor }), size: 50 })
    read.push(...data.events.map(({ id }) => id))
    cursor = data.nextCursor
    return data.more
  }
  const working = Promise.all([
    write(alpha, {}, opened),
    write(beta, ofBeta, betas),
    (async () => {
      while (!over) {
        await readOn()
        await pause(100)
      }
    })(),
  ])
  working.catch(() => {})
  let cursorBefore: string | undefined
  let readBefore = 0
  try {
    while (opened.size < 5 || betas.size < 5 || read.length < 5) await Promise.race([working, pause(20)])
    cursorBefore = cursor
    readBefore = read.length

    for (const state of ['Copying', 'Frozen']) await runMove(there(), [alphaFirm], state)
    for (const table of ['cash_balance', 'audit_head']) await proveHalfway(alphaFirm, table)
    await proveByJobs(cells[0])
    while (!((await secondsOf(cells[0], 'frozen')) > 0 && (await secondsOf(cells[1], 'arriving')) > 0))
      await Promise.race([working, pause(100)])
    await runMove(there(), [alphaFirm], 'Copied')
    await prove(cells[1])
    await proveByJobs(cells[1])
    await runMove(there(), [alphaFirm], 'Switched')
    alphasCell = cells[1]
    await runMove(there(), [alphaFirm])
    const [openedHere, betasHere] = [opened.size, betas.size]
    while (opened.size < openedHere + 5 || betas.size < betasHere + 5) {
      await Promise.race([working, pause(20)])
    }
  } finally {
    over = true
  }
  await working
  await isBlocked(cells[1], still)
  assert.deepEqual(await document(), documentBefore)
  // Rows that the new cell has lost are copied again before they are removed.
  for (const file of await contentsOf(cells[1], documentId)) await rm(file)
  await killRemoval(alphaFirm)
  await prove(cells[0])
  // Housekeeping of the old cell goes on while the old cell has rows of the firm.
  const nextWeek = new Date(later.getTime() + 7 * 86_400_000)
  await countDays(cells[0], nextWeek)
  const retention = readRetention(new Settings({}))
  await removeOld({ operations: cells[0].database.operations, retention, now: nextWeek })
  await runMove(there(), [alphaFirm, '--remove'])
  // The move in the other direction has not begun.
  await assert.rejects(runMove(back(), [alphaFirm, '--call-off']), /The firm is not being moved\./)
  assert.deepEqual(await document(), documentBefore)
  assert.deepEqual(await contentsOf(cells[0], documentId), [])

  // Each key has the acknowledged account, and no account exists twice.
  for (const [key, { number, application }] of opened) {
    const { data } = await alpha.newAccount(application, { idempotencyKey: key })
    assert.ok('message' in data)
    assert.equal(data.message.accountNumber, number, key)
  }
  const numbers = (
    await cells[1].superuser.query('select account_number from clearing.account where firm_id = $1', [
      alphaFirm,
    ])
  ).rows
  assert.deepEqual(
    numbers.map(({ account_number }) => account_number).sort(),
    [still, ...[...opened.values()].map(({ number }) => number)].sort(),
  )
  assert.equal(await balances(), balancesBefore)
  for (let counted = 0; counted < 2; counted += 1) {
    assert.equal(await applicationsOf(cells[1], alphaFirm, later), BigInt(numbers.length))
    await countDays(cells[1], later)
  }

  while (await readOn());
  await cells[1].service.eventsReported()
  while (await readOn());
  const all = await allEvents(alpha)
  assert.deepEqual(read, all.slice(all.length - read.length))
  const { data: after } = await alpha.listEvents({ cursor: cursorBefore as string, size: 1 })
  assert.equal(after.events[0]?.id, read[readBefore])
  // The webhook was made after the first events.
  const due = read.slice(read.indexOf(delivered[0] as string))
  while (due.some((id) => !delivered.includes(id))) await pause(100)

  for (const cell of cells) {
    for (const state of ['frozen', 'arriving'] as const)
      while ((await secondsOf(cell, state)) !== 0) await pause(100)
    await prove(cell)
    await proveByJobs(cell)
  }
  await hasNothingOf(cells[0], alphaFirm, ['firm', 'credential', 'credential_secret', 'firm_seal'])
  const credentials = { client_id: 'alpha', client_secret: 'alpha-sandbox-secret' }
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...credentials })
  // A caller that the router still routes to the old cell retries.
  assert.equal((await cells[0].service.send('/identity/connect/token', { body })).status, 503)
})

async function hasNothingOf({ superuser }: Cell, firmId: string, except: readonly string[]): Promise<void> {
  for (const { name, by } of firmTables) {
    if (by !== 'firm_id' || except.includes(name)) continue
    const { rowCount } = await superuser.query(`select from clearing.${name} where firm_id = $1`, [firmId])
    assert.equal(rowCount, 0, name)
  }
}

test('a move can be cancelled until the switch, and the firm is then unchanged', async () => {
  const beta = through('beta', () => cells[1])
  const before = await allEvents(beta)
  // The switch must wait, so that the command is killed before it.
  const holder = new pg.Client(directory.urls.superuser)
  await holder.connect()
  await holder.query('begin; lock table directory.claim in share mode')
  await runMove(back(), [betaFirm], 'Copied')
  await refusesWrites(cells[0], betaFirm)
  await holder.end()
  assert.equal((await fetch(`${cells[1].service.address}/health/ready`)).status, 200)
  await runMove(back(), [betaFirm, '--call-off'])
  const after = await allEvents(beta)
  assert.deepEqual(after.slice(0, before.length), before)
  await beta.newAccount(applicationFor('Individual', { entityNumber: '302', main: { repCode: 'BB01' } }))
  await hasNothingOf(cells[0], betaFirm, [])
})

test('after a move, the map of the router routes the firm to its new cell, and a file is loaded there', {
  skip: routerMissing,
}, async () => {
  const alpha = through('alpha', () => cells[1])
  const { stdout: clients } = await promisify(execFile)(
    process.execPath,
    [await bundleProgram('server/src/main.ts'), 'router-map'],
    { env: { ...process.env, ...parseEnv(await readFile(cells[0].settings, 'utf8')) } as NodeJS.ProcessEnv },
  )
  const addresses: [string, string] = [cells[0].service.address, cells[1].service.address]
  const router = await startRouter({ folder, url: routerUrl, cells: addresses, clients })
  await using clearing = await openCommandLine()
  try {
    const { accounts } = (await alpha.listAccounts({ size: 100 })).data
    const moved = accounts.find(({ accountNumber }) => accountNumber < '55')?.accountNumber
    const given = await openAndFollow(
      createClient({ baseUrl: routerUrl, clientId: 'alpha', clientSecret: 'alpha-sandbox-secret' }),
      applicationFor('Individual'),
    )
    assert.match(given, /^(5[5-9]|[6-9])/)
    const { rows } = await cells[0].superuser.query<{ day: string }>(
      'select min(close_date)::text as day from clearing.business_day_close',
    )
    const deposits = [moved, given].map((account) => `L${account},${account},Deposit,5,${rows[0]?.day}`)
    const lines = ['externalId,acctNo,transType,netAmount,tradeDate', ...deposits, '']
    await writeFile(join(clearing.folder, 'day.csv'), lines.join('\n'))
    const environment = {
      CLEARING_URL: routerUrl,
      CLEARING_CLIENT_ID: 'operations',
      CLEARING_CLIENT_SECRET: 'operations-sandbox-secret',
    }
    const loaded = await clearing.run(['load', 'activity', 'day.csv', '--cells', '--json'], { environment })
    const counts = loaded.stdout
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row))
    assert.deepEqual(
      counts.map(({ cell, accepted, rejected }) => [cell, accepted, rejected]),
      [
        ['cell-0', 0, 0],
        ['cell-1', 2, 0],
      ],
      loaded.stderr,
    )
  } finally {
    await stopRouter(router)
  }
  // A line of a day before the new cell existed belongs to the open day, as in the cell that closed it.
  await prove(cells[1])
  await cells[1].service.beta.sandbox.closeBusinessDay({ acceptOpen })
  await prove(cells[1])
  await proveByJobs(cells[1])
})

test('a firm that returns to its first cell is proved there with the signed heads of both cells', async () => {
  const dayOf = async ({ service }: Cell) => (await service.operations.sandbox.getClock({})).data.businessDate
  // A close signs the heads.
  while ((await dayOf(cells[0])) < (await dayOf(cells[1])))
    await cells[0].service.operations.sandbox.closeBusinessDay({ acceptOpen })
  for (const words of [[], ['--remove']]) await runMove(back(), [alphaFirm, ...words])
  for (let closed = 0; closed < 2; closed += 1) {
    await openAndFollow(cells[0].service.alpha, applicationFor('Individual'))
    for (const cell of cells) await prove(cell)
    await cells[0].service.operations.sandbox.closeBusinessDay({ acceptOpen })
  }
})
