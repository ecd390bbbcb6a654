/**
 * Two processes load files, close days, open accounts and answer reads, while the primary of their database is lost
 * twice. Every line counts once, on its day. Every closed day stays as it was sealed. No process ends. The test reports
 * the longest pause of each kind of work (R001, R025, R114).
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { addDays } from '@clearing/domain/market'
import { type Client, createClient, RequestRejected } from '@clearing/sdk'
import { applicationFor } from '../acceptance/applications.ts'
import { type DatabaseServer, startDatabaseServer } from './database-server.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'
import { type SwitchProxy, startSwitchProxy } from './switch-proxy.ts'

// An odd number, so that each account gets lines of every kind.
const accountsInAll = 13
const linesOfFile = 400
/** The amount of work that must be done between two losses. */
const filesBetween = 8
const closesBetween = 1
const giveUpAfterMs = 120_000

let primary: DatabaseServer
let proxy: SwitchProxy
let folder: string
const services: ServiceProcess[] = []
const accounts: string[] = []

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faults-all-'))
  await writeFile(join(folder, 'key'), `${randomBytes(32).toString('base64')}\n`, { mode: 0o400 })
  primary = await startDatabaseServer()
  proxy = await startSwitchProxy(primary.socket)
  for (let process = 0; process < 2; process++) {
    const environment = {
      DATABASE_URL: `postgresql://clearing_owner@127.0.0.1:${proxy.port}/clearing`,
      MASTER_KEY_FILE: join(folder, 'key'),
      DOCUMENTS_DIR: join(folder, 'documents'),
      DATABASE_CONNECTIONS: '4',
    }
    const service = await makeServiceProcess({ environment })
    services.push(service)
    await service.start()
  }
  const [{ operations }] = services as [ServiceProcess]
  const securities = [{ symbol: 'STCK', secTypeName: 'Common Stock' }]
  await operations.operations.loadSecurities({ lines: { ndjson: securities } })
})
after(async () => {
  for (const service of services) await service.dispose()
  await proxy?.[Symbol.asyncDispose]()
  await primary?.dispose()
  await rm(folder, { recursive: true, force: true })
})

function clientOf({ address }: ServiceProcess, name: string): Client {
  return createClient({
    baseUrl: address,
    clientId: name,
    clientSecret: `${name}-sandbox-secret`,
    retries: 20,
    retryDelayMs: 50,
    retryDelayMsMax: 1_000,
    timeoutMs: 30_000,
  })
}

/** The completed work of one kind, and the longest time between two successes. */
class Progress {
  done = 0
  again = 0
  longestMs = 0
  #lastAt = Date.now()

  succeed(): void {
    this.longestMs = Math.max(this.longestMs, Date.now() - this.#lastAt)
    this.#lastAt = Date.now()
    this.done += 1
  }

  /** Repeats the same attempt until it succeeds. */
  async insist<T>(attempt: () => Promise<T>): Promise<T> {
    const deadline = Date.now() + giveUpAfterMs
    for (;;) {
      try {
        return await attempt()
      } catch (fault) {
        const wrong =
          fault instanceof RequestRejected && fault.status < 500 && ![401, 409].includes(fault.status)
        if (wrong || Date.now() > deadline) throw fault
        this.again += 1
        await pause(100)
      }
    }
  }
}

const progress = {
  loads: new Progress(),
  closes: new Progress(),
  openings: new Progress(),
  readings: new Progress(),
}
/** The final balances of each account. */
const due = new Map<string, { cash: number; shares: number }>()
let lastTradeDate = ''
let lines = 0
let over = false

/** Deposits and purchases of all accounts, on the open day and on later days. */
function makeFile(businessDate: string) {
  return Array.from({ length: linesOfFile }, (_, index) => {
    lines += 1
    const acctNo = accounts[index % accounts.length] ?? ''
    const tradeDate = addDays(businessDate, index % 5 === 0 ? 1 + (index % 3) : 0)
    if (tradeDate > lastTradeDate) lastTradeDate = tradeDate
    const sum = due.get(acctNo) ?? { cash: 0, shares: 0 }
    due.set(acctNo, sum)
    const line = { externalId: `ALL${lines}`, acctNo, tradeDate }
    if (index % 2 === 0) {
      sum.cash += 3
      return { ...line, transType: 'Deposit', netAmount: '3' }
    }
    sum.cash -= 2
    sum.shares += 1
    return { ...line, transType: 'Trade', buySell: 'BUY', symbol: 'STCK', quantity: '1', price: '2' }
  })
}

async function businessDate(client: Client) {
  return (await client.sandbox.getClock({})).data.businessDate
}

async function loadFiles(service: ServiceProcess) {
  const [operations, alpha] = [clientOf(service, 'operations'), clientOf(service, 'alpha')]
  while (!over) {
    const file = makeFile(await progress.loads.insist(() => businessDate(alpha)))
    const { data } = await progress.loads.insist(() =>
      operations.operations.loadActivity({ lines: { ndjson: file } }),
    )
    assert.deepEqual([data.accepted + data.duplicates, data.rejects], [file.length, []])
    progress.loads.succeed()
  }
}

const accepting = { acceptOpen: { reason: 'There is no price.' } }
async function closeDay(client: Client) {
  await progress.closes.insist(() => client.sandbox.closeBusinessDay(accepting))
  progress.closes.succeed()
}
async function closeDays(service: ServiceProcess) {
  const client = clientOf(service, 'alpha')
  while (!over) {
    await closeDay(client)
    await pause(1_000)
  }
}

async function openAccount(client: Client, key: string): Promise<string> {
  const application = applicationFor('Individual')
  const { data } = await progress.openings.insist(() =>
    client.newAccount(application, { idempotencyKey: key }),
  )
  assert.ok('message' in data)
  progress.openings.succeed()
  return data.message.accountNumber
}
async function openAccounts(service: ServiceProcess) {
  const client = clientOf(service, 'alpha')
  while (!over) {
    await openAccount(client, `all at once ${progress.openings.done}`)
    await pause(50)
  }
}

async function readPositions(service: ServiceProcess) {
  const client = clientOf(service, 'alpha')
  for (let turn = 0; !over; turn++) {
    const accountNumber = accounts[turn % accounts.length] ?? ''
    await progress.readings.insist(() => client.positionSummary({ accountNumber }))
    progress.readings.succeed()
    await pause(20)
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

test('loads, closes and a failover at the same time', { timeout: 600_000 }, async (context) => {
  const [first, second] = services as [ServiceProcess, ServiceProcess]
  const alpha = clientOf(first, 'alpha')
  for (let number = 0; number < accountsInAll; number++)
    accounts.push(await openAccount(alpha, `first ${number}`))
  while ((await Promise.all(accounts.map((accountNumber) => stateOf(alpha, accountNumber)))).some(isOnItsWay))
    await pause(200)

  const working = Promise.all([
    loadFiles(first),
    loadFiles(second),
    closeDays(second),
    openAccounts(first),
    readPositions(second),
  ])
  working.catch(() => {})
  const more = async () => {
    const { loads, closes } = progress
    const wanted = [loads.done + filesBetween, closes.done + closesBetween] as const
    while (loads.done < wanted[0] || closes.done < wanted[1]) {
      await Promise.race([working, pause(50)])
      goesOn()
    }
  }
  await more()
  for (const loss of ['demoted', 'killed'] as const) {
    const standby = await primary.followed()
    await more()
    const old = primary
    const lostAt = Date.now()
    if (loss === 'demoted') {
      await old.takeWrites(false)
      await pause(1_500)
    } else {
      await old.kill()
      proxy.cut()
    }
    primary = standby
    await standby.promote()
    proxy.leadTo(standby.socket)
    await more()
    context.diagnostic(
      `the primary was ${loss}: as much work as before was done ${Date.now() - lostAt} ms later`,
    )
    await old.dispose()
  }
  over = true
  await working
  goesOn()

  // Closes days up to the last day for which a line is pending.
  while ((await businessDate(alpha)) < lastTradeDate) await closeDay(alpha)
  for (const [accountNumber, { cash, shares }] of due) {
    const { data } = await alpha.positionSummary({ accountNumber })
    assert.equal(Number(data.totalCash), cash, accountNumber)
    assert.deepEqual(
      data.portfolios.map(({ quantity }) => Number(quantity)),
      [shares],
    )
  }
  const { rows } = await primary.query(
    `select (select count(*) from clearing.activity)::int as kept, (select count(*) from clearing.pending_line)::int as waiting,
       (select count(*) from clearing.business_day_close where closed_at is null)::int as unfinished,
       (select count(*) from clearing.business_day_close)::int as closed, (select count(*) from clearing.account)::int as accounts`,
  )
  assert.deepEqual(rows, [
    { kept: lines, waiting: 0, unfinished: 0, closed: rows[0]?.closed, accounts: progress.openings.done },
  ])
  const { operations } = first.operations
  const proof = await operations.verifyBooks({})
  assert.deepEqual([proof.data.verified, proof.data.breaks], [true, []])
  assert.equal((await operations.verifyAudit({})).data.verified, true)
  for (const [what, { done, again, longestMs }] of Object.entries(progress))
    context.diagnostic(
      `${what}: ${done} done, ${again} sent again, at most ${longestMs} ms from one to the next`,
    )
  context.diagnostic(`${lines} lines stored once, ${rows[0]?.closed} days closed`)
})

async function stateOf(client: Client, accountNumber: string) {
  return (await client.onboardingResult({ accountNumber })).data.currentState
}
function isOnItsWay(state: string) {
  return state !== 'CreationComplete'
}
