/**
 * A day of an installation, in order. Facts are loaded, a day is closed, the service is upgraded from the previous
 * release, the primary is lost, the database is put back to an earlier moment, and the firm is moved to a cell that was
 * added. The firm opens accounts all the while through one address, with the settings of the sdk. After each step the
 * books, the audit trail and the balances are verified.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, createClient } from '@clearing/sdk'
import { sandboxFirms } from '../../server/src/identity/sandbox-firms.ts'
import { applicationFor } from '../acceptance/applications.ts'
import { follow, openAndFollow } from '../acceptance/calling.ts'
import { type DatabaseServer, startDatabaseServer } from './database-server.ts'
import { runMove, writeSettings } from './move-command.ts'
import { checkOut, releaseBefore } from './release-before.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'
import { type SwitchProxy, startSwitchProxy } from './switch-proxy.ts'

const commit = releaseBefore()
const settings = { skip: commit === undefined && 'there is no release before', timeout: 600_000 }

let folder: string
let folderBefore: string
let primary: DatabaseServer
let database: SwitchProxy
/** The address of the service, for its callers. */
let front: SwitchProxy
let service: ServiceProcess
const disposables: { dispose(): Promise<void> }[] = []
const backups: string[] = []

before(async () => {
  if (commit === undefined) return
  folder = await mkdtemp(join(tmpdir(), 'faults-day-'))
  folderBefore = await checkOut(commit)
  await writeFile(join(folder, 'key'), `${randomBytes(32).toString('base64')}\n`, { mode: 0o400 })
  primary = kept(await startDatabaseServer())
  database = await startSwitchProxy(primary.socket)
  front = await startSwitchProxy()
  service = await startService(join(folderBefore, 'server/src/main.ts'))
})
after(async () => {
  for (const each of disposables.reverse()) await each.dispose()
  await database?.[Symbol.asyncDispose]()
  await front?.[Symbol.asyncDispose]()
  for (const each of [folder, folderBefore, ...backups])
    if (each !== undefined) await rm(each, { recursive: true, force: true })
})

function kept<T extends { dispose(): Promise<void> }>(disposable: T): T {
  disposables.push(disposable)
  return disposable
}

function environment(): Record<string, string> {
  return {
    ISSUER: addressOf(front),
    ACCOUNT_NUMBERS: '10-54',
    DATABASE_URL: `postgresql://clearing_owner@127.0.0.1:${database.port}/clearing`,
    MASTER_KEY_FILE: join(folder, 'key'),
    DOCUMENTS_DIR: join(folder, 'documents'),
    DRAIN_SECONDS: '2',
  }
}

/** A process of the service. The front routes calls to it when it is ready. */
async function startService(main?: string): Promise<ServiceProcess> {
  const started = await startProcess(environment(), main)
  leadTo(started)
  return started
}

async function startProcess(settings: Record<string, string>, main?: string): Promise<ServiceProcess> {
  const started = kept(
    await makeServiceProcess({ environment: settings, ...(main === undefined ? {} : { main }) }),
  )
  await started.start()
  return started
}

function leadTo({ address }: ServiceProcess): void {
  front.leadTo(Number(new URL(address).port))
}

function addressOf({ port }: SwitchProxy) {
  return `http://127.0.0.1:${port}`
}

function clientOf(clientId: string, baseUrl = addressOf(front)): Client {
  return createClient({ baseUrl, clientId, clientSecret: `${clientId}-sandbox-secret` })
}

/** The number of each account by the key of its application. Undefined while no response is known. */
const asked = new Map<string, string | undefined>()
const application = applicationFor('Individual')

async function ask(key: string): Promise<string> {
  asked.set(key, asked.get(key))
  const { data } = await clientOf('alpha').newAccount(application, { idempotencyKey: key })
  assert.ok('message' in data)
  asked.set(key, data.message.accountNumber)
  return data.message.accountNumber
}

/** Callers that open accounts until they are stopped. A call that fails after all retries fails the step. */
function openAccounts() {
  let over = false
  const first = asked.size
  const work = async () => {
    while (!over) {
      await ask(`day ${asked.size}`)
      await pause(50)
    }
  }
  const working = Promise.all([work(), work(), work()])
  working.catch(() => {})
  return {
    async more(accounts: number) {
      const wanted = asked.size + accounts
      while (asked.size < wanted) await Promise.race([working, pause(20)])
    },
    async end(): Promise<number> {
      over = true
      await working
      return asked.size - first
    },
  }
}

const firmId = (sandboxFirms[0] as (typeof sandboxFirms)[number]).firmId
const securities = [{ symbol: 'DAY', secTypeName: 'Common Stock' }]
type Line = Record<string, string>
const files: Line[][] = []
const accounts: string[] = []

/** A deposit of 5,000 and a purchase for 30, for each account of the books. */
async function loadFile(): Promise<void> {
  const { businessDate: tradeDate } = (await clientOf('alpha').sandbox.getClock({})).data
  const file = accounts.flatMap((acctNo) => {
    const line = { acctNo, acctType: '2', tradeDate }
    const id = `${files.length}-${acctNo}`
    return [
      { ...line, externalId: `D${id}`, transType: 'Deposit', netAmount: '5000.00' },
      {
        ...line,
        ...{
          externalId: `T${id}`,
          transType: 'Trade',
          buySell: 'BUY',
          symbol: 'DAY',
          quantity: '3',
          price: '10',
        },
      },
    ]
  })
  files.push(file)
  assert.equal(await send(file), file.length)
}

/** The number of lines that were new. */
async function send(file: Line[]): Promise<number> {
  const { data } = await clientOf('operations').operations.loadActivity({ lines: { ndjson: file } })
  assert.deepEqual([data.accepted + data.duplicates, data.rejects], [file.length, []])
  return data.accepted
}

const acceptOpen = { reason: 'There is no price.' }

/** Closes the open day. Repeated, it closes the same day. Returns the next day. */
async function closeDay(client = clientOf('alpha')): Promise<string> {
  const { businessDate: date } = (await client.sandbox.getClock({})).data
  return (await client.sandbox.closeBusinessDay({ date, acceptOpen })).data.businessDate
}

async function prove(context: TestContext, what: string): Promise<void> {
  const { operations } = clientOf('operations')
  const books = await operations.verifyBooks({})
  assert.deepEqual([books.data.verified, books.data.breaks], [true, []])
  assert.equal((await operations.verifyAudit({})).data.verified, true)
  for (const accountNumber of accounts) {
    const { data } = await clientOf('alpha').positionSummary({ accountNumber })
    assert.equal(Number(data.totalCash), files.length * (5_000 - 30))
    assert.deepEqual(
      data.portfolios.map(({ quantity }) => Number(quantity)),
      [files.length * 3],
    )
  }
  const { rows } = await primary.query('select account_number from clearing.account order by 1')
  assert.deepEqual(
    rows.map((row) => row.account_number),
    [...accounts, ...asked.values()].sort(),
  )
  assert.doesNotMatch(service.output(), /"level":"fatal"|"status":500/)
  context.diagnostic(
    `${what}: ${rows.length} accounts, ${files.length * accounts.length * 2} lines, ${books.data.entries} entries proved`,
  )
}

test('facts are loaded and a day is closed', settings, async (context) => {
  const { operations } = clientOf('operations')
  await operations.loadSecurities({ lines: { ndjson: securities } })
  for (let number = 0; number < 3; number++)
    accounts.push(await openAndFollow(clientOf('alpha'), applicationFor('Individual')))
  const callers = openAccounts()
  await callers.more(5)
  await loadFile()
  const date = await closeDay()
  await loadFile()
  await callers.more(5)
  await prove(context, `${await callers.end()} opened, the next day is ${date}`)
})

test('the service is upgraded from the release before at noon', settings, async (context) => {
  const callers = openAccounts()
  await callers.more(5)
  const old = service
  service = await startService()
  await callers.more(5)
  await loadFile()
  assert.equal(await old.end('SIGTERM'), 0)
  assert.doesNotMatch(old.output(), /"level":"fatal"|"msg":"fault"/)
  await callers.more(5)
  await closeDay()
  await prove(context, `${await callers.end()} opened meanwhile, no call failed`)
})

test('the primary is lost', settings, async (context) => {
  const standby = kept(await primary.followed())
  const callers = openAccounts()
  await callers.more(5)
  await loadFile()
  await primary.kill()
  database.cut()
  primary = standby
  await standby.promote()
  database.leadTo(standby.socket)
  await callers.more(5)
  await loadFile()
  await closeDay()
  await prove(context, `${await callers.end()} opened meanwhile, no call failed`)
})

test(
  'the database is put back to an earlier moment, and the last writes are sent again',
  settings,
  async (context) => {
    const callers = openAccounts()
    await callers.more(5)
    const backup = await primary.backup()
    backups.push(backup)
    await callers.more(5)
    await callers.end()
    await loadFile()
    await primary.query("select pg_create_restore_point('noon')")
    const before = new Map(asked)
    const linesBefore = files.length
    const later = openAccounts()
    await later.more(5)
    const taken = await later.end()
    await loadFile()
    await closeDay()

    assert.equal(await service.end('SIGTERM'), 0)
    primary = kept(await primary.restored(backup, 'noon'))
    database.leadTo(primary.socket)
    service = await startService()
    const { operations } = clientOf('operations')
    assert.equal(
      (await operations.verifyAudit({})).data.verified,
      false,
      'signed heads show that writes were lost',
    )
    await operations.acknowledgeRestore({ reason: 'Put back to noon.' })

    for (const [key, accountNumber] of [...asked]) {
      const again = await ask(key)
      if (before.has(key)) assert.equal(again, accountNumber, key)
    }
    for (const [at, file] of files.entries())
      assert.equal(await send(file), at < linesBefore ? 0 : file.length)
    await closeDay()
    for (const accountNumber of asked.values()) await follow(clientOf('alpha'), accountNumber as string)
    await prove(context, `${taken} openings and a file were lost with it and sent again`)
  },
)

test('the firm is moved to a cell that was added', settings, async (context) => {
  const added = kept(await startDatabaseServer())
  await added.query('create database cells owner clearing_owner')
  const DIRECTORY_URL = added.url.replace('/clearing?', '/cells?')
  await writeFile(join(folder, 'key-1'), `${randomBytes(32).toString('base64')}\n`, { mode: 0o400 })
  const ofOld = { ...environment(), CELL: 'cell-0', DIRECTORY_URL }
  const ofNew = {
    ...environment(),
    CELL: 'cell-1',
    DIRECTORY_URL,
    ACCOUNT_NUMBERS: '55-99',
    DATABASE_URL: added.url,
    MASTER_KEY_FILE: join(folder, 'key-1'),
    DOCUMENTS_DIR: join(folder, 'documents-1'),
  }

  const callers = openAccounts()
  await callers.more(5)
  // The installation becomes a cell as in an upgrade: its next process has a name.
  const before = service
  service = await startProcess(ofOld)
  leadTo(service)
  assert.equal(await before.end('SIGTERM'), 0)
  const old = service
  const fresh = await startProcess(ofNew)
  const { operations } = fresh.operations
  await operations.loadSecurities({ lines: { ndjson: securities } })
  const firm = { name: 'Delta', entityNumbers: ['391'], repCodes: ['DE01'] }
  const { firmId: otherFirm } = (await operations.createFirm(firm)).data
  const made = (await operations.createCredential({ firmId: otherFirm, name: 'Delta' })).data
  const ofOther = { clientId: made.clientId, clientSecret: made.clientSecret }
  const other = createClient({ baseUrl: fresh.address, ...ofOther })
  // The new cell closes a day together with the other cell before a firm arrives.
  const { now } = (await old.alpha.sandbox.getClock({})).data
  await fresh.operations.sandbox.setClock({ now })
  await loadFile()
  assert.equal(await closeDay(), await closeDay(other))
  await callers.more(5)

  const between = { from: await writeSettings(folder, ofOld), to: await writeSettings(folder, ofNew) }
  await runMove(between, [firmId])
  // The router routes the firm's calls to its new cell.
  primary = added
  service = fresh
  leadTo(fresh)
  front.cut()
  await callers.more(5)
  await runMove(between, [firmId, '--remove'])
  for (const file of files) assert.equal(await send(file), 0)
  await loadFile()
  await closeDay()
  await closeDay(clientOf('beta', old.address))
  const left = old.operations.operations
  assert.equal((await left.verifyBooks({})).data.verified, true)
  assert.equal((await left.verifyAudit({})).data.verified, true)
  await prove(
    context,
    `${await callers.end()} opened meanwhile, no call failed, and the old cell passes its verification too`,
  )
})
