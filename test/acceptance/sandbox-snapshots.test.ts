/**
 * Snapshots and reset: everything is restored in seconds, and no response mixes the state before with the state after.
 */
import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { operations } from '@clearing/protocol'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { listRoutes } from '../../server/src/http/routes.ts'
import { applicationOf } from './applications.ts'
import { open, openAndFollow, read, refusalOf, until } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService({ withAccounts: true, forTheFirstTime: true })
})
after(() => service?.stop())

function sandbox() {
  return service.alpha.sandbox
}

/** The contents of every table, in any order of rows. The audit trail and the log of events grow with each restore. */
async function digests(): Promise<Record<string, string>> {
  const tables = await service.query(
    `select relname as name from pg_class where relnamespace = 'clearing'::regnamespace and relkind in ('r', 'p')
       and not relispartition and relname <> all ($1) order by 1`,
    [
      [
        'audit',
        'audit_head',
        'worker_lease',
        'sandbox_clock',
        'identity_version',
        'idempotency',
        'access_record',
        'request',
        'market_change',
        // A restore begins a line.
        'event_line',
      ],
    ],
  )
  const found: Record<string, string> = {}
  for (const { name } of tables.rows) {
    const { rows } = await service.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as digest from clearing."${name}" t
       ${name === 'event_row' ? "where type <> 'log.restored'" : ''}`,
    )
    found[name] = rows[0].digest
  }
  return found
}

async function changeMuch() {
  const accountNumber = await openAndFollow(service.alpha, applicationOf({}))
  await service.operations.operations.createFirm({
    name: `Gamma ${accountNumber}`,
    entityNumbers: ['399'],
    repCodes: ['GG01'],
  })
  await service.alpha.addDocument({
    accountNumber,
    documentTypeName: 'Identity Documents',
    reference: 'PASS',
    displayName: 'Passport',
    file: { name: 'scan.pdf', content: samplePdf() },
  })
  await service.operations.operations.loadActivity({
    lines: {
      ndjson: `{"externalId":"X-${accountNumber}","acctNo":"30100001","acctType":"1","tradeDate":"2026-01-05","transType":"Deposit","netAmount":"77.00"}\n`,
    },
  })
  await sandbox().advanceClock({ days: 4 })
  return accountNumber
}

test('a reset restores the first state: the accounts, the books, the firms, the clock', async () => {
  const fresh = await digests()
  const { data: before } = await service.alpha.positionSummary({ accountNumber: '30100002' })
  const [held] = before.portfolios
  const accountNumber = await changeMuch()
  assert.notDeepEqual(await digests(), fresh)
  await service.operations.operations.loadPrices({
    lines: {
      ndjson: `${JSON.stringify({
        symbol: held?.symbol,
        price: '1.00',
        priceType: 'CurrentSnap',
        priceDate: (await sandbox().getClock({})).data.now,
      })}\n`,
    },
  })
  const { data: changed } = await service.alpha.positionSummary({ accountNumber: '30100002' })
  assert.notEqual(changed.totalLongMarket, before.totalLongMarket)
  const token = await service.token('beta')
  const { data } = await sandbox().reset({})
  assert.deepEqual(await digests(), fresh)
  assert.ok(Math.abs(Date.parse(data.now) - Date.now()) < 10_000)
  assert.equal((await refusalOf(read(service.alpha, accountNumber))).status, 404)
  assert.equal((await read(service.alpha, '30100002')).accountStatus, 'Open')
  const { data: summary } = await service.alpha.positionSummary({ accountNumber: '30100002' })
  assert.equal(Number(summary.fedCallAmount), 6_247.44)
  assert.equal(
    summary.totalLongMarket,
    before.totalLongMarket,
    'a summary rendered before the reset is not sent',
  )
  // Earlier tokens continue to work.
  const answer = await service.send('/sandbox-api/v1/get-clock', {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  assert.equal(answer.status, 200)
  const { data: books } = await service.operations.operations.verifyBooks({})
  assert.deepEqual([books.verified, books.breaks], [true, []])
  const { data: audit } = await service.operations.operations.verifyAudit({})
  assert.equal(audit.verified, true)
})

test('a reset raises no alarm over signed audit heads, before and after the next ones are signed', async () => {
  const verified = async () => {
    const { data } = await service.operations.operations.verifyAudit({})
    assert.equal(data.verified, true, JSON.stringify(data.firms))
  }
  const newest = async () =>
    (await service.operations.operations.listAuditHeads({ size: 1 })).data.heads[0]?.number ?? 0
  for (let round = 1; round <= 2; round += 1) {
    await openAndFollow(service.alpha, applicationOf({}))
    await sandbox().advanceClock({ days: 4 })
    await verified()
    const signed = await newest()
    await sandbox().reset({})
    await verified()
    await sandbox().advanceClock({ days: 4 })
    await verified()
    assert.ok((await newest()) > signed, 'numbers continue')
  }
  await sandbox().reset({})
})

test('a restore whose end could not be recorded beside the heads raises no alarm when the next ones are signed', async () => {
  await openAndFollow(service.alpha, applicationOf({}))
  await sandbox().advanceClock({ days: 4 })
  const heads = join(service.dataDir, 'documents', 'audit-heads')
  await rename(heads, `${heads}-away`)
  await sandbox().reset({})
  await rename(`${heads}-away`, heads)
  await openAndFollow(service.alpha, applicationOf({}))
  await sandbox().advanceClock({ days: 4 })
  const { data } = await service.operations.operations.verifyAudit({})
  assert.equal(data.verified, true, JSON.stringify(data.firms))
  await sandbox().reset({})
})

test('a snapshot contains pending work and documents; after a restore, the work is done again', async () => {
  await sandbox().freezeClock({})
  const { accountNumber } = await open(service.alpha, applicationOf({ lastName: 'SLOW30' }))
  const stateOf = async () => (await service.alpha.onboardingResult({ accountNumber })).data.currentState
  await until(stateOf, (state) => state === 'Screening')
  const { documentId } = (
    await service.alpha.addDocument({
      accountNumber,
      documentTypeName: 'Identity Documents',
      reference: 'PASS',
      displayName: 'Passport',
      file: { name: 'scan.pdf', content: samplePdf() },
    })
  ).data
  const saved = (await sandbox().saveSnapshot({ name: 'half-way' })).data
  const then = await digests()
  await sandbox().advanceClock({ duration: 'PT5M' })
  assert.equal(await stateOf(), 'CreationComplete')
  await sandbox().reset({})
  assert.equal((await refusalOf(stateOf())).status, 404)

  const { data } = await sandbox().restoreSnapshot({ name: 'half-way' })
  assert.deepEqual(data.snapshot, saved)
  assert.deepEqual([data.frozen, data.now], [true, saved.clock])
  assert.deepEqual(
    { ...(await digests()), sandbox_snapshot: '', snapshot_document: '' },
    {
      ...then,
      sandbox_snapshot: '',
      snapshot_document: '',
    },
  )
  assert.equal(await stateOf(), 'Screening')
  const content = await service.alpha.getDocument({ accountNumber, documentId })
  assert.ok(content)
  const kept = await service.query('select document_id from clearing.snapshot_document where name = $1', [
    'half-way',
  ])
  assert.deepEqual(kept.rows, [{ document_id: documentId }])
  await sandbox().advanceClock({ duration: 'PT5M' })
  assert.equal(await stateOf(), 'CreationComplete')
  await sandbox().freezeClock({ frozen: false })
  assert.deepEqual(
    (await sandbox().listSnapshots({})).data.snapshots.map(({ name }) => name),
    ['half-way'],
  )
  const unknown = await refusalOf(sandbox().restoreSnapshot({ name: 'half' }))
  assert.match(unknown.rejections[0]?.reason ?? '', /The snapshots are: half-way\.$/)
})

test('a snapshot without a name is restored without a name; signed-in people stay signed in', async () => {
  const saved = (await sandbox().saveSnapshot({})).data
  const { accountNumber } = (
    await service.alpha.accountNumber({
      entityNumber: '301',
      repCode: 'JC01',
      registrationType: 'Individual',
    })
  ).data
  // A person signs in to the console meanwhile, and stays signed in.
  await service.query(
    `insert into clearing.staff_session (session_hash, staff_id, created_at, seen_at, expires_at)
     select sha256('session'), staff_id, now(), now(), now() + interval '1 hour' from clearing.staff limit 1`,
  )
  const restored = (await sandbox().restoreSnapshot({})).data
  assert.deepEqual(restored.snapshot, saved)
  const found = await service.query('select from clearing.account where account_number = $1', [accountNumber])
  assert.equal(found.rowCount, 0)
  assert.equal((await service.query('select from clearing.staff_session')).rowCount, 1)
})

test('saves at the same time under one name succeed one after another', async () => {
  const saves = Array.from({ length: 4 }, () => sandbox().saveSnapshot({ name: 'at-once' }))
  for (const { data } of await Promise.all(saves)) assert.equal(data.name, 'at-once')
  await sandbox().restoreSnapshot({ name: 'at-once' })
})

test('numbers continue after a restore: events, idempotency keys and row-level security are complete', async () => {
  await sandbox().reset({})
  const key = { idempotencyKey: 'the same key' }
  const application = applicationOf({})
  const first = await service.alpha.newAccount(application, key)
  await sandbox().reset({})
  const again = await service.alpha.newAccount(application, key)
  assert.equal(again.replayed, false)
  assert.notDeepEqual(again.data, first.data)
  await service.eventsReported()
  const { events } = (await service.alpha.listEvents({})).data
  assert.ok(events.length > 0)
  const forced = await service.query(
    "select count(*)::int as open from pg_class where relnamespace = 'clearing'::regnamespace and relrowsecurity and not relforcerowsecurity",
  )
  const unforcedAtFirst = 0
  assert.equal(forced.rows[0].open, unforcedAtFirst)
  const disabled = await service.query(
    "select count(*)::int as disabled from pg_trigger where tgenabled = 'D'",
  )
  assert.equal(disabled.rows[0].disabled, 0)
})

test('during a restore, callers get the old state, the new one, or 503 with Retry-After', async () => {
  await sandbox().reset({})
  await service.alpha.accountNumber({ entityNumber: '301', repCode: 'JC01', registrationType: 'Individual' })
  const before = (await service.alpha.positionSummary({ accountNumber: '30100009' })).data
  let restoring = true
  const token = await service.token('alpha')
  const seen = new Set<string>()
  const look = async () => {
    while (restoring) {
      const answer = await service.send('/account-api/v1/position-summary', {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{"accountNumber":"30100009"}',
      })
      if (answer.status === 503) assert.ok(answer.headers.get('retry-after'))
      else {
        assert.equal(answer.status, 200, answer.text)
        const { date: _, ...shown } = answer.json.data
        const { date: __, ...wanted } = JSON.parse(JSON.stringify(before))
        assert.equal(String(shown.portfolios[0].quantity), String(wanted.portfolios[0].quantity))
        assert.equal(shown.portfolios.length, wanted.portfolios.length)
      }
      seen.add(String(answer.status))
      // Four callers stay below the rate of their client.
      await pause(25)
    }
  }
  const looking = [look(), look(), look(), look()]
  const has = async (status: string) => seen.has(status)
  await until(() => has('200'), Boolean)
  for (let round = 0; round < 2; round += 1) await sandbox().reset({})
  restoring = false
  await Promise.all(looking)
  assert.ok(seen.has('200'), [...seen].join())
  assert.ok(seen.has('503'), [...seen].join())
})

test('outside the sandbox there is no path below /sandbox-api/', () => {
  const pool = {} as never
  const paths = (inSandbox: boolean) =>
    listRoutes({ operations, sandbox: inSandbox, pools: { app: pool, operations: pool, loads: pool } }).map(
      ({ path }) => path,
    )
  assert.ok(paths(true).some((path) => path.startsWith('/sandbox-api/')))
  assert.deepEqual(
    paths(false).filter((path) => path.startsWith('/sandbox-api/')),
    [],
  )
})
