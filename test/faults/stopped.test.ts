/**
 * SIGTERM under load: running requests are finished and answered, new requests are refused, the process ends with 0,
 * and the next start has all data (R117). An uncaught fault ends the process with another code after the same drain
 * (R086).
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { glob, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@clearing/sdk'
import { findServer } from '../../server/src/database/embedded-process.ts'
import { migrate, readMigrations } from '../../server/src/database/migrate.ts'
import { openPool } from '../../server/src/database/pool.ts'
import { until } from '../../server/src/database/test-waiting.ts'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationFor } from '../acceptance/applications.ts'
import { openAndFollow } from '../acceptance/calling.ts'
import { makeRandom } from './random.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'

/** Starts that are interrupted before they end. */
const stops = Number(process.env.STOPS ?? 2)
/** From the first lines of the program to a full sandbox, on a fast machine. */
const stopAfterMs = [400, 4_000] as const
/** A busy machine sends requests, and takes a signal, in less than either time. */
const sentMs = 1_500
const slowMs = 2 * sentMs
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)

/**
 * Faults that no stop may cause. A connection that a loaded machine makes too late is also reported as an error, and is
 * made again.
 */
const faults = /"level":"fatal"|a part did not stop cleanly|"msg":"fault"/
/** A request that waits too long for a table locked by a migration gets 503. The client retries it. */
const waitedTooLong = /"code":"55P03"\},"msg":"fault"/
function faultsIn(output: string): string[] {
  return output.split('\n').filter((line) => faults.test(line))
}

let service: ServiceProcess
before(async () => {
  service = await makeServiceProcess({ preloaded: new URL('./uncaught-fault.ts', import.meta.url).href })
  await service.start()
})
after(() => service?.dispose())

test('running requests are answered after SIGTERM, and the process ends with 0', async () => {
  const accountNumber = await openAndFollow(service.alpha, applicationFor('Individual'))
  const impatient = createClient({
    baseUrl: service.address,
    clientId: 'alpha',
    clientSecret: 'alpha-sandbox-secret',
    retries: 0,
  })
  await impatient.codeLists({ name: 'scope' })
  const slow = { sandboxFault: `slow=${slowMs}` } as const
  const running = [
    impatient.newAccount(applicationFor('Individual'), slow),
    impatient.updateAccount({ accountNumber, primaryOwner: { jobTitle: 'Clerk' } }, slow),
    impatient.addDocument(
      {
        documentTypeName: 'Identity Documents',
        reference: 'UTIL',
        accountNumber,
        file: { name: 'bill.pdf', content: samplePdf() },
      },
      slow,
    ),
    impatient.getAccount({ accountNumber }, slow),
  ]
  await pause(sentMs)
  const startedMs = performance.now()
  const ended = service.end('SIGTERM')
  await until('the service takes no connections', async () => (await service.look('/health/live')) === 0)
  const answers = await Promise.all(running)
  assert.equal(answers.length, 4)
  assert.equal(await ended, 0)
  assert.ok(performance.now() - startedMs < 30_000)
  assert.deepEqual(await service.databasePids(), [])
  assert.match(service.output(), /"reason":"SIGTERM"/)
  assert.deepEqual(faultsIn(service.output()), [])

  await service.start()
  const { data } = await service.alpha.getAccount({ accountNumber })
  assert.ok('version' in data)
  assert.equal(data.primaryOwner.jobTitle, 'CLERK')
  assert.equal((await service.alpha.getDocumentDetails({ accountNumber })).data.total, 1)
})

test('SIGINT ends the process in the same way; a client with long retries sees no failure, and its applications open', async () => {
  // The retries last longer than a restart takes on any machine.
  const patient = createClient({
    baseUrl: service.address,
    clientId: 'alpha',
    clientSecret: 'alpha-sandbox-secret',
    retries: 120,
    retryDelayMs: 100,
    retryDelayMsMax: 500,
  })
  let over = false
  const opened: string[] = []
  const load = Array.from({ length: 4 }, async () => {
    while (!over) {
      const { data } = await patient.newAccount(applicationFor('Individual'))
      assert.ok('message' in data)
      opened.push(data.message.accountNumber)
      await pause(20)
    }
  })
  const loaded = Promise.all(load)
  loaded.catch(() => {})
  const untilOpened = async (count: number) => {
    while (opened.length < count) await Promise.race([loaded, pause(20)])
  }
  await untilOpened(8)
  assert.equal(await service.end('SIGINT'), 0)
  assert.deepEqual(await service.databasePids(), [])
  await service.start()
  await untilOpened(opened.length + 8)
  over = true
  await loaded
  assert.equal(new Set(opened).size, opened.length)
  for (const accountNumber of opened) {
    const { data } = await service.alpha.onboardingResult({ accountNumber })
    assert.ok(['Submitted', 'Screening', 'AccountCreation', 'CreationComplete'].includes(data.currentState))
  }
})

test('an interruption at any moment of a start ends the database too, and the next start has everything', async () => {
  const random = makeRandom(seed)
  const fresh = await makeServiceProcess({ withAccounts: true })
  try {
    for (let round = 0; round < stops; round += 1) {
      // The first start makes the database. The last starts may be complete.
      const afterMs = random.whole(...stopAfterMs)
      const label = `SEED=${seed}, round ${round}, ${afterMs} ms`
      const before = fresh.output().length
      const child = await fresh.launch()
      await pause(afterMs)
      const code = await fresh.end(random.pick(['SIGTERM', 'SIGINT']))
      const said = fresh.output().slice(before)
      // Before the process handles signals, the signal ends it and nothing has started.
      assert.ok(code === 0 || (child.signalCode !== null && said === ''), `${label}: ${code} ${said}`)
      assert.deepEqual(await fresh.databasePids(), [], `${label}: the database runs on`)
      assert.deepEqual(await readdir(fresh.dataDir).then(unfinishedOf), [], label)
      assert.doesNotMatch(said, faults, label)
    }
    await fresh.start()
    const { data } = await fresh.alpha.listAccounts({})
    assert.ok(data.accounts.length > 3)
  } finally {
    await fresh.dispose()
  }
})

function unfinishedOf(names: readonly string[]): string[] {
  return names.filter((name) => name.includes('unfinished'))
}

test('an uncaught fault is logged and ends the process with 1, after running requests were answered', async () => {
  // The same process must serve the request and have the fault.
  await service.alpha.codeLists({ name: 'scope' })
  const before = service.output().length
  const running = service.alpha.newAccount(applicationFor('Individual'), { sandboxFault: `slow=${slowMs}` })
  await pause(sentMs)
  const ended = service.end('SIGUSR2')
  const { data } = await running
  assert.equal(await ended, 1)
  assert.match(service.output().slice(before), /"level":"fatal".*uncaught rejection/)
  await service.start()
  assert.ok('message' in data)
  await service.alpha.getAccount({ accountNumber: data.message.accountNumber })
})

/** The tables whose rows a load or a close writes as values of the table's own type. */
async function writtenWhole(): Promise<string[]> {
  const store = new URL('../../server/src/store/', import.meta.url)
  const tables: string[] = []
  for await (const file of glob('**/*.ts', { cwd: store })) {
    const text = await readFile(new URL(file, store), 'utf8')
    for (const [, table] of text.matchAll(/(?:insertRows\(\s*'[^']+',|rowsOf\()\s*'(\w+)'/g))
      tables.push(table ?? '')
  }
  return tables
}

test('a process continues to serve while a newer release applies its migrations, and does not start on them again', async () => {
  const accountNumber = await openAndFollow(service.alpha, applicationFor('Individual'))
  const { operations } = service.operations
  const patient = createClient({
    baseUrl: service.address,
    clientId: 'alpha',
    clientSecret: 'alpha-sandbox-secret',
  })
  let over = false
  let calls = 0
  const load = Array.from({ length: 4 }, async (_, worker) => {
    while (!over) {
      const opened = await patient.newAccount(applicationFor('Individual'))
      assert.ok('message' in opened.data)
      await patient.updateAccount({ accountNumber, primaryOwner: { jobTitle: `Clerk ${worker} ${calls}` } })
      await patient.getAccount({ accountNumber })
      await patient.addDocument({
        documentTypeName: 'Identity Documents',
        reference: 'UTIL',
        accountNumber,
        file: { name: 'bill.pdf', content: samplePdf() },
      })
      const externalId = `deposit-${worker}-${calls}`
      const line = { externalId, acctNo: accountNumber, acctType: '1', transType: 'Deposit', netAmount: '10' }
      await operations.loadActivity({ lines: { ndjson: [{ ...line, tradeDate: '2026-01-02' }] } })
      await patient.positionSummary({ accountNumber })
      calls += 1
    }
  })
  const loaded = Promise.all(load)
  loaded.catch(() => {})
  const output = service.output().length
  const server = await findServer(join(service.dataDir, 'postgres'))
  assert.ok(server)
  const address = `postgresql://clearing_owner@localhost/clearing?host=${server.socketDir}&port=${server.port}`
  const owner = openPool({ name: 'owner', url: address })
  try {
    const before = calls
    // A release may make these changes: it adds a column to every table, except the tables written as whole rows, and
    // removes nothing.
    const { rows } = await service.query(
      `select relname from pg_class where relnamespace = 'clearing'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname <> all ($1)`,
      [await writtenWhole()],
    )
    assert.ok(rows.length > 30)
    const added = rows.map(({ relname }, index) => ({
      name: `${800 + index}-next-release`,
      sql: `alter table clearing.${relname} add column of_the_next_release text`,
      sha256: 'of the next release',
    }))
    await migrate(owner, [...(await readMigrations()), ...added])
    const migrated = calls
    while (calls < migrated + 8) await Promise.race([loaded, pause(20)])
    assert.ok(calls > before)
  } finally {
    over = true
    await owner.end()
    await loaded
  }
  assert.equal((await operations.verifyBooks({ accountNumber })).data.verified, true)
  assert.deepEqual(
    faultsIn(service.output().slice(output)).filter((line) => !waitedTooLong.test(line)),
    [],
  )
  await service.end('SIGTERM')
  const again = await service.launch()
  await once(again, 'exit')
  assert.equal(again.exitCode, 1)
  assert.match(service.output(), /the database is newer than this code: it has migration 800-next-release/)
  assert.deepEqual(await service.databasePids(), [])
})
