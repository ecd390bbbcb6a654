/**
 * The previous release serves, loads and closes while this release migrates its database and serves beside it. It runs
 * with the installed packages.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { applicationFor } from '../acceptance/applications.ts'
import { follow, open, openAndFollow, read, until } from '../acceptance/calling.ts'
import { type DatabaseServer, startDatabaseServer } from './database-server.ts'
import { checkOut, releaseBefore, root } from './release-before.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'

let ids = 0
async function load({ operations }: ServiceProcess, acctNo: string) {
  ids += 1
  const common = { acctNo, acctType: '2', tradeDate: '2026-01-05' }
  const { data } = await operations.operations.loadActivity({
    lines: {
      ndjson: [
        { ...common, externalId: `D${ids}`, transType: 'Deposit', netAmount: '5000.00' },
        {
          ...common,
          externalId: `T${ids}`,
          transType: 'Trade',
          buySell: 'BUY',
          symbol: 'OPN',
          quantity: '3',
          price: '10',
        },
      ],
    },
  })
  assert.deepEqual(data.rejects, [])
  assert.equal(data.accepted, 2)
}

/** The members that the other release has too. A later release adds some. */
function sharedMembers(entry: object, other: object = {}): object {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => name in other))
}

/**
 * A response, an application, an account and a call that one release stored are answered by the other release as well.
 * Both change the account at the same time.
 */
async function readEachOther(before: ServiceProcess, after: ServiceProcess): Promise<void> {
  for (const [writer, reader] of [
    [after, before],
    [before, after],
  ] as const) {
    const application = applicationFor('Individual')
    const idempotencyKey = randomBytes(8).toString('hex')
    const { data, traceId } = await writer.alpha.newAccount(application, { idempotencyKey })
    assert.deepEqual((await reader.alpha.newAccount(application, { idempotencyKey })).data, data)
    assert.deepEqual(await submitWithoutKey(reader, application), data)
    assert.ok('message' in data)
    const { accountNumber } = data.message
    const historyOf = async ({ alpha }: ServiceProcess) =>
      (await alpha.accountHistory({ accountNumber })).data.history
    const [asked, own] = await Promise.all(
      [reader, writer].map(
        async ({ alpha }) => (await alpha.onboardingResult({ accountNumber })).data.request,
      ),
    )
    assert.deepEqual(asked, own)
    assert.ok('primaryOwner' in (asked as object))
    await follow(reader.alpha, accountNumber)
    await readSameEvents(reader, writer, accountNumber)
    const jobTitles = ['Clerk', 'Librarian', 'Archivist', 'Curator', 'Registrar', 'Editor']
    const changes = jobTitles.map((jobTitle, at) =>
      (at % 2 === 0 ? writer : reader).alpha.updateAccount({ accountNumber, primaryOwner: { jobTitle } }),
    )
    await Promise.all(changes)
    const [history, sameHistory] = await Promise.all([historyOf(before), historyOf(after)])
    assert.deepEqual(
      sameHistory.map((entry, at) => sharedMembers(entry, history[at])),
      history,
    )
    const logs = await Promise.all(
      [reader, writer].map(({ alpha }) =>
        until(
          async () => (await alpha.listRequests({ traceId })).data.requests,
          ([logged]) => logged !== undefined,
        ),
      ),
    )
    assert.match(logs[0]?.[0]?.requestBody ?? '', /primaryOwner/)
    assert.deepEqual(logs[0], logs[1])
  }
}

/**
 * Both releases list the same events of an opened account, and continue after each of them, by cursor and by event id.
 */
async function readSameEvents(
  { alpha: reader }: ServiceProcess,
  { alpha: writer }: ServiceProcess,
  accountNumber: string,
): Promise<void> {
  // Each process names its own address as the source.
  const list = async ({ listEvents }: ServiceProcess['alpha'], cursor?: string) => {
    const { data } = await listEvents({
      accountNumber,
      size: 100,
      ...(cursor === undefined ? {} : { cursor }),
    })
    return data.events.map(({ source, ...event }) => event)
  }
  const events = await until(
    () => list(writer),
    (found) => found.some(({ type }) => type === 'account.opened'),
  )
  assert.deepEqual(await list(reader), events)
  for (const [at, { id, cursor }] of events.entries())
    for (const from of [id, cursor]) assert.deepEqual(await list(reader, from), events.slice(at + 1))
}

/** The sdk always sends a key. */
async function submitWithoutKey({ address }: ServiceProcess, application: object): Promise<unknown> {
  const credential = new URLSearchParams({ client_id: 'alpha', client_secret: 'alpha-sandbox-secret' })
  const given = await fetch(`${address}/identity/connect/token`, { method: 'POST', body: credential })
  const { access_token: token } = (await given.json()) as { access_token: string }
  const answer = await fetch(`${address}/account-api/v1/new-account`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(application),
  })
  return ((await answer.json()) as { data: unknown }).data
}

/** More than a process works on at a time. */
const applicationsHeld = 10

/** Kills one release while applications wait in it. The other release processes them. */
async function takeOver(dying: ServiceProcess, other: ServiceProcess, database: DatabaseServer) {
  await database.query('create table public.closed_gate as select')
  await database.query(`
    create function public.wait_at_gate() returns trigger language plpgsql security definer as $$
    begin
      while exists (select from public.closed_gate) loop perform pg_sleep(0.01); end loop;
      return new;
    end $$`)
  await database.query(
    'create trigger gate before update on clearing.onboarding for each row execute function public.wait_at_gate()',
  )
  const submitted = await Promise.all(
    Array.from({ length: applicationsHeld }, () => open(dying.alpha, applicationFor('Individual'))),
  )
  await dying.kill(false)
  await database.query('delete from public.closed_gate')
  for (const { accountNumber } of submitted) {
    await follow(other.alpha, accountNumber)
    assert.equal((await read(other.alpha, accountNumber)).accountStatus, 'Open')
  }
  await database.query('drop trigger gate on clearing.onboarding')
  await database.query('drop function public.wait_at_gate')
  await database.query('drop table public.closed_gate')
}

const commit = releaseBefore()

test('the previous release serves, loads and closes on the new schema', {
  skip: commit === undefined,
}, async () => {
  const folder = await checkOut(commit as string)
  const database = await startDatabaseServer()
  await writeFile(join(folder, 'key'), `${randomBytes(32).toString('base64')}\n`, { mode: 0o400 })
  const environment = {
    DATABASE_URL: database.url,
    MASTER_KEY_FILE: join(folder, 'key'),
    DOCUMENTS_DIR: join(folder, 'documents'),
  }
  const before = await makeServiceProcess({ environment, main: join(folder, 'server/src/main.ts') })
  const after = await makeServiceProcess({ environment })
  try {
    await before.start()
    const loadSecurity = async (symbol: string) => {
      const lines = { ndjson: [{ symbol, secTypeName: 'Common Stock' }] }
      const { data } = await before.operations.operations.loadSecurities({ lines })
      assert.deepEqual([data.accepted, data.rejects], [1, []])
    }
    await loadSecurity('OPN')
    const earlier = await openAndFollow(before.alpha, applicationFor('Individual'))
    await load(before, earlier)
    await after.start()
    const migrations = await database.query('select count(*)::int as applied from clearing.migration')
    const files = await readdir(join(root, 'server/migrations'))
    assert.equal(migrations.rows[0].applied, files.filter((name) => name.endsWith('.sql')).length)

    await loadSecurity('NEW')
    const later = await openAndFollow(before.alpha, applicationFor('Individual'))
    for (const account of [earlier, later]) await load(before, account)
    await readEachOther(before, after)
    await takeOver(after, before, database)
    await after.start()
    const accept = { acceptOpen: { reason: 'Known to the desk.' } }
    const { data } = await before.alpha.sandbox.closeBusinessDay(accept)
    assert.ok(data.businessDate)
    const cash = await Promise.all(
      [before, after].map(
        async ({ alpha }) => (await alpha.positionSummary({ accountNumber: earlier })).data.totalCash,
      ),
    )
    assert.deepEqual(cash, [9_940, 9_940])
    // The next day also has a seal for each firm. The day before keeps the form that the previous release gave it.
    await after.alpha.sandbox.closeBusinessDay(accept)
    const days = await database.query(
      'select firms.digest is not null as by_firm from clearing.day_seal left join clearing.day_firms as firms using (close_date) order by close_date',
    )
    assert.equal(days.rows.at(-1).by_firm, true)
    // Last, because the previous release does not start on the new schema.
    await takeOver(before, after, database)
    assert.equal((await after.operations.operations.verifyBooks({})).data.verified, true)
    assert.equal((await after.operations.operations.verifyAudit({})).data.verified, true)
    assert.doesNotMatch(before.output(), /"level":"fatal"|"msg":"fault"/)
  } finally {
    await before.dispose()
    await after.dispose()
    await database.dispose()
    await rm(folder, { recursive: true, force: true })
  }
})
