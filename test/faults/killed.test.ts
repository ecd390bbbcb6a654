/**
 * kill -9 of the whole service at random moments under load, in half of the rounds with every process of its database.
 * Acknowledged writes are stored, writes repeated under their key took effect once, every application ends, and the
 * audit chain verifies (R001, R004, R005, R024 to R027).
 *
 * Negative controls: the last tests remove an acknowledged account, and forget the keys as a build without the table of
 * idempotency would. The checks must find both, or the rounds before them prove nothing.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Data } from '@clearing/protocol'
import { samplePng } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationOf, newTaxId } from '../acceptance/applications.ts'
import { type Entry, type Found, findDifferences, type Kind } from './ledger.ts'
import { makeRandom } from './random.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'

const rounds = Number(process.env.KILL_ROUNDS ?? 4)
const moreRoundsMax = 12
/** Responses that a round waits for before the kill, so that a slow machine has as much to lose. */
const answersMin = 5
const workers = 6
/** The range of the random time before the kill. */
const loadMs = [50, 900] as const
const settledWithinMs = 60_000

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
const random = makeRandom(seed)

let service: ServiceProcess
const entries: Entry[] = []
/** The open accounts that the load knows. */
const open: string[] = []
/** The number of writes whose response a kill lost, and how many of them were committed. */
const interrupted = { all: 0, happened: 0 }

before(async () => {
  service = await makeServiceProcess()
  await service.start()
})
after(() => service?.dispose())

let counter = 0
function newKey(kind: Kind): string {
  counter += 1
  // The id has the form of a large trader's id, so that a change can carry its own key.
  return kind === 'update-account' ? `${String(10_000_000 + counter)}-0001` : `${kind} ${seed} ${counter}`
}

const magic = ['000000002', '000000004', '000000005', '000000008']
/** Each kind is taken once before any is drawn, so that every kind occurs on a slow machine too. */
const magicFirst = [...magic]

function compose(kind: Kind, key: string): object {
  switch (kind) {
    case 'new-account':
      return applicationOf({
        employerName: key,
        taxIdNumber: magicFirst.pop() ?? (random.next() < 0.25 ? random.pick(magic) : newTaxId()),
      })
    case 'account-number':
      return { entityNumber: '301', repCode: 'JC01', registrationType: 'Individual' }
    case 'update-account':
      return { accountNumber: random.pick(open), largeTraders: [{ largeTraderId: key }] }
    case 'add-document':
      return {
        documentTypeName: 'Identity Documents',
        reference: 'PASS',
        accountNumber: random.pick(open),
        displayName: key,
        file: { name: 'scan.png', content: samplePng() },
      }
    default:
      return kind satisfies never
  }
}

const methods = {
  'new-account': 'newAccount',
  'account-number': 'accountNumber',
  'update-account': 'updateAccount',
  'add-document': 'addDocument',
} as const

/** Sends a write, records the response, and returns whether it was a stored response. */
async function send(entry: Entry, retries: number): Promise<boolean> {
  const { kind, key, request } = entry
  const method = service.alpha[methods[kind]] as (
    request: object,
    settings: object,
  ) => Promise<{ data: Record<string, unknown>; replayed: boolean }>
  const { data, replayed } = await method(request, { idempotencyKey: key, retries })
  const message = data.message as { accountNumber: string } | undefined
  const named =
    kind === 'update-account'
      ? data.version
      : kind === 'add-document'
        ? data.documentId
        : (message ?? data).accountNumber
  if (entry.state === 'acknowledged')
    assert.equal(String(named), entry.named, `${kind} ${key} was not answered with its stored response`)
  entry.named = String(named)
  entry.state = 'acknowledged'
  return replayed
}

/** One worker: writes of each kind in sequence, and reads, until the service ends. */
async function work(isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const kinds: Kind[] =
      open.length === 0
        ? ['new-account', 'account-number']
        : ['new-account', 'new-account', 'account-number', 'update-account', 'update-account', 'add-document']
    const kind = kinds[counter % kinds.length] as Kind
    const key = newKey(kind)
    const entry: Entry = { kind, key, request: compose(kind, key), state: 'sent' }
    entries.push(entry)
    try {
      await send(entry, 0)
      if (kind === 'new-account' && entry.named)
        await service.alpha.onboardingResult({ accountNumber: entry.named }, { retries: 0 })
    } catch (error) {
      // A refusal is an error of the load. Every other error is an effect of the kill.
      if ((error as Error).name === 'RequestRejected') throw error
      return
    }
  }
}

async function onboardings(): Promise<Data<'onboarding-result'>[]> {
  const made = entries.filter(({ kind, named }) => kind === 'new-account' && named !== undefined)
  const found: Data<'onboarding-result'>[] = []
  for (const { named } of made) {
    const { data } = await service.alpha.onboardingResult({ accountNumber: named ?? '' })
    found.push(data)
  }
  return found
}

const working = ['Submitted', 'Screening', 'AccountCreation']

/** Waits until no application is being processed, and records the open accounts. */
async function settle(): Promise<void> {
  const deadline = Date.now() + settledWithinMs
  for (;;) {
    const { rows } = await service.query(
      "select count(*) from clearing.onboarding where current_state in ('Submitted', 'Screening', 'AccountCreation')",
    )
    if (rows[0].count === '0') return
    assert.ok(Date.now() < deadline, `${rows[0].count} applications never ended`)
    await pause(100)
  }
}

async function look(): Promise<Found> {
  const { rows } = await service.query('select account_number, status from clearing.account')
  const accounts = rows
    .filter(({ status }) => status !== 'Reserved')
    .map((row) => row.account_number as string)
  const reserved = rows
    .filter(({ status }) => status === 'Reserved')
    .map((row) => row.account_number as string)
  const records = new Map<string, { traders: string[]; version: number }>()
  const documents = new Map<string, string[]>()
  for (const accountNumber of accounts) {
    const { data } = await service.alpha.getAccount({ accountNumber })
    assert.ok('version' in data)
    const traders = data.largeTraders.map(({ largeTraderId }) => largeTraderId)
    records.set(accountNumber, { traders, version: data.version })
  }
  for (const accountNumber of open) {
    const ids: string[] = []
    for (let page = 1; ; page++) {
      const { data } = await service.alpha.getDocumentDetails({ accountNumber, size: 100, page })
      ids.push(...data.documents.map(({ documentId }) => documentId))
      if (ids.length >= data.total) break
    }
    documents.set(accountNumber, ids)
  }
  return { accounts: new Set(accounts), reserved: new Set(reserved), records, documents }
}

/** Both must occur among the lost responses, or the kills hit no critical moment. */
function cameBeforeAndAfterCommit(): boolean {
  return interrupted.happened > 0 && interrupted.happened < interrupted.all
}

/** Load, a kill at a random moment, a start, and each write without a response sent again under its key. */
async function killUnderLoad(withDatabase: boolean): Promise<void> {
  let over = false
  const load = Array.from({ length: workers }, () => work(() => over))
  const answered = () => entries.filter(({ state }) => state === 'acknowledged').length
  const wanted = answered() + answersMin
  await pause(random.whole(...loadMs))
  while (answered() < wanted) await Promise.race([Promise.all(load), pause(5)])
  await service.kill(withDatabase)
  over = true
  await Promise.all(load)
  await service.start()
  for (const entry of entries.filter(({ state }) => state === 'sent')) {
    interrupted.all += 1
    if (await send(entry, 8)) interrupted.happened += 1
  }
  const { rows } = await service.query("select account_number from clearing.account where status = 'Open'")
  for (const { account_number: accountNumber } of rows) {
    if (!open.includes(accountNumber)) open.push(accountNumber)
  }
}

describe(`killed ${rounds} times (seed ${seed})`, { concurrency: 1 }, () => {
  for (let round = 1; round <= rounds; round++) {
    const withDatabase = round % 2 === 0
    test(`round ${round}: ${withDatabase ? 'service and database' : 'the service'}`, () =>
      killUnderLoad(withDatabase))
  }

  // The moment of a kill is random, so few rounds may miss one side. More rounds follow until both occurred.
  test('the kills came during writes, before their commit and after it', async () => {
    for (let more = 0; more < moreRoundsMax && !cameBeforeAndAfterCommit(); more++) await killUnderLoad(false)
    assert.ok(interrupted.all > rounds, JSON.stringify(interrupted))
    assert.ok(cameBeforeAndAfterCommit(), JSON.stringify(interrupted))
  })

  test('every application ended or waits for a person, and the account has the same state', async () => {
    await settle()
    const ended = await onboardings()
    assert.ok(ended.length > rounds)
    const states = new Map<string, number>()
    for (const { currentState, history, accountNumber } of ended) {
      states.set(currentState, (states.get(currentState) ?? 0) + 1)
      assert.ok(!working.includes(currentState))
      const steps = history.map(({ from, to }) => `${from} ${to}`)
      assert.equal(new Set(steps).size, steps.length, `${accountNumber} took a step twice: ${steps.join()}`)
      for (const [at, { from }] of history.entries()) if (at > 0) assert.equal(from, history[at - 1]?.to)
    }
    for (const state of ['CreationComplete', 'ActionRequired', 'ManualReview'])
      assert.ok(states.has(state), state)
  })

  test('nothing acknowledged is lost, and nothing is doubled', async () => {
    const counts = Object.groupBy(entries, ({ kind }) => kind)
    for (const kind of Object.keys(methods) as Kind[])
      assert.ok((counts[kind]?.length ?? 0) > rounds / 4, kind)
    assert.deepEqual(findDifferences(entries, await look()), [])
  })

  test('acknowledged writes get the same response again', async () => {
    const sample = entries.filter(() => random.next() < 100 / entries.length)
    for (const entry of sample) await send(entry, 2)
  })

  test('documents are complete, byte for byte', async () => {
    const sample = entries.filter(({ kind }) => kind === 'add-document').slice(-25)
    for (const { request, named } of sample) {
      const { accountNumber } = request as { accountNumber: string }
      const file = await service.alpha.getDocument({ accountNumber, documentId: named ?? '' })
      assert.ok(Buffer.from(await file.bytes()).equals(samplePng()))
    }
  })

  test('the audit chain verifies, and each change has one row in it', async () => {
    const { data } = await service.operations.operations.verifyAudit({})
    assert.equal(data.verified, true, JSON.stringify(data))
    const { rows } = await service.query(
      `select account_number, action, count(*) from clearing.audit
       where action in ('new-account', 'account-number', 'update-account', 'add-document') group by 1, 2`,
    )
    const total = rows.reduce((sum, { count }) => sum + Number(count), 0)
    assert.equal(total, entries.length)
  })

  test('control: an acknowledged account that is gone is found', async () => {
    const found = await look()
    const [lost = ''] = found.accounts
    const accounts = new Set([...found.accounts].filter((number) => number !== lost))
    assert.match(findDifferences(entries, { ...found, accounts }).join(), new RegExp(`${lost} is lost`))
  })

  test('control: a service that forgets its keys makes duplicates, which are found', async () => {
    const [first] = entries.filter(({ kind }) => kind === 'account-number')
    assert.ok(first)
    await service.query('delete from clearing.idempotency')
    await service.alpha.accountNumber(first.request as never, { idempotencyKey: first.key })
    assert.match(findDifferences(entries, await look()).join(), /was made by no key/)
  })
})
