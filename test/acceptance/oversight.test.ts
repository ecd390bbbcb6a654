/**
 * The views by which staff oversee the service: figures, reports, the audit trail and its export, readings of personal
 * numbers, loads, holders, and the list of staff.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type OperationName, operations, type ServiceStatus } from '@clearing/protocol'
import { statusLimits } from '../../server/src/observe/read-status.ts'
import { applicationOf, newTaxId } from './applications.ts'
import { openAndFollow, until } from './calling.ts'
import { atWork, follow, type Jar, type PersonAtWork, signIn, submit } from './person.ts'
import { type RunningService, startRunningService } from './running-service.ts'
import { shorten } from './shorten.ts'

let service: RunningService
shorten(statusLimits, { keptMs: 200 })
let principal: PersonAtWork
let viewer: PersonAtWork
let admin: PersonAtWork
let opened: string
let rejected: string
let reviewed: string
before(async () => {
  service = await startRunningService()
  principal = await signIn(service, 'principal@example.com')
  viewer = await signIn(service, 'viewer@example.com')
  admin = await signIn(service, 'admin@example.com')
  const taxIdNumber = newTaxId()
  opened = await openAndFollow(service.alpha, applicationOf({ taxIdNumber }))
  rejected = await openAndFollow(service.alpha, applicationOf({ taxIdNumber: '000000001' }))
  reviewed = await openAndFollow(service.alpha, applicationOf({ taxIdNumber: '000000004' }))
})
after(() => service?.stop())

async function data(who: PersonAtWork, ...call: Parameters<PersonAtWork['call']>) {
  const answer = await who.call(...call)
  assert.equal(answer.status, 200, answer.text)
  return answer.json.data
}

describe('figures', () => {
  test('show how much waits and for whom, the states of applications, and the health of the service', async () => {
    await data(principal, 'claim-work', { workIds: [`Application.${reviewed}`] })
    const overview = await data(principal, 'get-overview')
    const queue = overview.queues.find(({ queue }: { queue: string }) => queue === 'Application')
    assert.deepEqual([queue.count, queue.mine, queue.unassigned, queue.ages.day], [1, 1, 0, 1])
    const funnel = Object.fromEntries(
      overview.funnel.map(({ state, count }: { state: string; count: number }) => [state, count]),
    )
    assert.deepEqual(funnel, { CreationComplete: 1, ManualReview: 1, Rejected: 1 })
    assert.equal(overview.days.length, 30)
    const today = overview.days.at(-1)
    assert.deepEqual([today.submitted, today.opened, today.rejected], [3, 1, 1])
    assert.ok(overview.timeInState.some(({ state }: { state: string }) => state === 'Screening'))
    assert.equal(overview.health.jobsFailed, 0)
    assert.equal(overview.closing, null)
  })

  test('report the outcomes of applications by firm, with the reasons', async () => {
    const { firms } = await data(viewer, 'get-report', { dateFrom: '2020-01-01', dateTo: '2099-12-31' })
    assert.equal(firms.length, 1)
    const [firm] = firms
    assert.deepEqual(
      [firm.firmName, firm.submitted, firm.opened, firm.rejected, firm.waiting],
      ['Alpha Securities', 3, 1, 1, 1],
    )
    assert.equal(firm.reasons[0].count, 1)
    const wrong = await viewer.call('get-report', { dateFrom: '2026-02-01', dateTo: '2026-01-01' })
    assert.equal(wrong.json.errors[0].code, 'ERR.1025')
  })
})

describe('the audit trail', () => {
  test('is searched by account, actor and trace, and paged without gap or repeat', async () => {
    const all = await data(viewer, 'list-audit', { accountNumber: opened })
    assert.ok(all.rows.length >= 2)
    assert.equal(all.rows.at(-1).action, 'new-account')
    assert.equal(all.rows.at(-1).actor, 'alpha')
    const paged: unknown[] = []
    let next = ''
    do {
      const page = await data(viewer, 'list-audit', {
        accountNumber: opened,
        size: 1,
        ...(next ? { after: next } : {}),
      })
      paged.push(...page.rows)
      next = page.next
    } while (next !== '')
    assert.deepEqual(paged, all.rows)
    const [row] = (await data(viewer, 'list-audit', { actor: 'principal@example.com', action: 'claim-work' }))
      .rows
    assert.equal(row.firmName, 'Clearing operations')
    const ofAccount = await data(viewer, 'list-audit', { accountNumber: reviewed, action: 'claim-work' })
    assert.deepEqual(ofAccount.rows, [row])
    const { rows } = await data(viewer, 'list-audit', { traceId: row.traceId })
    assert.ok(rows.some(({ sequence }: { sequence: number }) => sequence === row.sequence))
  })

  test('is exported whole, as lines and as a table in which no spreadsheet runs a formula', async () => {
    assert.equal((await viewer.call('export-audit', {})).status, 403)
    const lines = await principal.call('export-audit', { accountNumber: opened })
    assert.match(lines.headers.get('content-disposition') ?? '', /attachment; filename="audit-.*\.ndjson"/)
    const rows = lines.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.equal(rows.length, (await data(viewer, 'list-audit', { accountNumber: opened })).rows.length)
    assert.match(rows[0].hash, /^[0-9a-f]{64}$/)
    const table = await principal.call('export-audit', { accountNumber: opened, format: 'CSV' })
    assert.match(table.headers.get('content-type') ?? '', /text\/csv/)
    assert.equal(table.text.trim().split('\r\n').length, rows.length + 1)
    assert.doesNotMatch(table.text, /(^|,)[=+@]/m)
    const rename = (name: string) =>
      service.query(
        `update clearing.firm set name = $2
         where firm_id = (select firm_id from clearing.account where account_number = $1)`,
        [opened, name],
      )
    await rename('＝SUM(1)')
    const renamed = await principal.call('export-audit', { accountNumber: opened, format: 'CSV' })
    await rename('Alpha Securities')
    assert.match(renamed.text, /,'＝SUM\(1\),\d+,/)
    assert.doesNotMatch(renamed.text, /,＝/)
  })

  test('verifies after everything that staff did', async () => {
    const { verified } = await data(viewer, 'verify-audit')
    assert.equal(verified, true)
  })
})

test('readers of personal numbers are listed by person and account, with the reason that they gave', async () => {
  const reveal = { 'x-clearing-reveal': 'personal-numbers' }
  const withoutReason = await principal.call('get-account', { accountNumber: opened }, reveal)
  assert.deepEqual(
    [withoutReason.status, withoutReason.json.errors[0].code, withoutReason.json.errors[0].field],
    [400, 'ERR.1000', 'reason'],
  )
  await principal.call(
    'get-account',
    { accountNumber: opened },
    { ...reveal, 'x-clearing-reveal-reason': encodeURIComponent('José asks what is on file') },
  )
  const { readings } = await data(viewer, 'list-readings', { reader: 'principal@example.com' })
  assert.deepEqual(
    readings.map(({ accountNumber, operation, reason }: Record<string, string>) => [
      accountNumber,
      operation,
      reason,
    ]),
    [[opened, 'get-account', 'José asks what is on file']],
  )
  await service.alpha.getAccount({ accountNumber: opened })
  const ofAccount = await data(viewer, 'list-readings', { accountNumber: opened })
  assert.ok(ofAccount.readings.some(({ reader }: { reader: string }) => reader === 'alpha'))
})

test('loads are listed with the person who began them, and holders of a security with their quantities', async () => {
  const { loadSecurities, loadActivity } = service.operations.operations
  await loadSecurities({
    lines: {
      ndjson: [{ symbol: 'STKR', description: 'STOCK RECORD CO', secTypeCode: '0', currency: 'USD' }],
    },
  })
  const bought = {
    externalId: 'sr-1',
    acctNo: opened,
    transType: 'Trade',
    buySell: 'BUY',
    symbol: 'STKR',
    quantity: '12.5',
    price: '4',
    tradeDate: '2025-03-03',
  }
  const loaded = await loadActivity({ lines: { ndjson: [bought] } })
  const { loads } = await data(viewer, 'list-loads', {})
  assert.deepEqual(
    loads.map(({ kind, startedBy, state }: Record<string, string>) => [kind, startedBy, state]),
    [
      ['load-activity', 'operations', 'Complete'],
      ['load-securities', 'operations', 'Complete'],
    ],
  )
  const some = await data(viewer, 'list-loads', { kind: 'Load-Activity', state: 'complete' })
  assert.deepEqual(some.loads, [loads[0]])
  for (const filter of [{ kind: 'load-actvity' }, { kind: 'load-watch-list' }, { state: 'Done' }])
    assert.equal((await viewer.call('list-loads', filter)).status, 400, JSON.stringify(filter))
  assert.equal(loaded.data.accepted, 1, JSON.stringify(loaded.data.rejects))
  const record = await data(viewer, 'stock-record', { security: 'stkr' })
  assert.equal(record.longQuantity, 12.5)
  assert.deepEqual(
    record.holders.map(({ accountNumber, quantity }: Record<string, unknown>) => [accountNumber, quantity]),
    [[opened, 12.5]],
  )
  assert.equal((await viewer.call('stock-record', { security: 'NOSUCH' })).status, 400)
})

describe('documents for review', () => {
  test('are listed over all firms with their firms', async () => {
    await service.alpha.addDocument({
      accountNumber: opened,
      documentTypeName: 'Identity Documents',
      reference: 'PASS',
      displayName: 'A passport',
      file: { name: 'passport.png', content: onePixel },
    })
    const { documents } = await data(viewer, 'list-documents', {})
    assert.equal(documents.length, 1)
    assert.equal(documents[0].firmName, 'Alpha Securities')
    const decided = await principal.call('decide-document', {
      accountNumber: opened,
      documentId: documents[0].documentId,
      decision: 'Approved',
    })
    assert.equal(decided.status, 200, decided.text)
    assert.deepEqual((await data(viewer, 'list-documents', {})).documents, [])
    const [approved] = (await data(viewer, 'list-documents', { status: 'Approved' })).documents
    assert.equal(approved.decidedBy, 'principal@example.com')
    const content = await viewer.call('get-document', {
      accountNumber: opened,
      documentId: approved.documentId,
    })
    assert.equal(content.status, 200)
    assert.equal(content.headers.get('content-type'), 'image/png')
  })
})

describe('the staff', () => {
  test('is extended by an admin, and the new person chooses a password', async () => {
    assert.equal(
      (await principal.call('create-staff', { email: 'x@example.com', name: 'X', role: 'viewer' })).status,
      403,
    )
    const made = await data(admin, 'create-staff', {
      email: 'Nia@Example.com',
      name: 'Nia Njoku',
      role: 'operator',
    })
    assert.equal(made.email, 'nia@example.com')
    const [first] = (await data(principal, 'list-notifications', {})).notifications
    assert.deepEqual(
      [first.kind, first.target, first.detail, first.causedBy],
      ['Access', made.email, 'nia@example.com: created as operator', 'admin@example.com'],
    )
    assert.deepEqual((await data(admin, 'list-notifications', {})).notifications, [])
    assert.match(made.password, /^[a-z2-9-]{19}$/)
    const twice = await admin.call('create-staff', { email: 'nia@example.com', name: 'N', role: 'viewer' })
    assert.equal(twice.json.errors[0].code, 'ERR.1014')
    const jar: Jar = new Map()
    const { at } = await follow(service, jar, '/console/sign-in')
    const page = await submit(service, jar, at, { email: 'nia@example.com', password: made.password })
    assert.match(page.text, /Choose a password/)
    const weak = await submit(service, jar, page.at, {
      'new-password': 'nia njoku 12345',
      again: 'nia njoku 12345',
    })
    assert.match(weak.text, /too similar to the name/)
    const password = 'correct horse battery'
    const done = await submit(service, jar, page.at, { 'new-password': password, again: password })
    assert.equal(done.at, '/console/')
    const { rows } = await data(admin, 'list-audit', { actor: 'nia@example.com' })
    assert.deepEqual(
      rows.map(({ action }: { action: string }) => action),
      ['sign-in', 'change-password'],
    )
    const nia = atWork(service, 'nia@example.com', jar)
    assert.equal((await nia.call('list-work')).status, 200)
    const change = { email: 'nia@example.com', name: ' ', role: 'principal' }
    const promoted = await data(admin, 'update-staff', change)
    assert.equal(promoted.role, 'principal')
    assert.match(promoted.name, /^Nia/)
    const [next] = (await data(principal, 'list-notifications', {})).notifications
    assert.equal(next.detail, 'nia@example.com: role principal')
    assert.equal((await nia.call('list-work')).status, 401)
    await data(admin, 'update-staff', { email: 'nia@example.com', disabled: true })
    const again: Jar = new Map()
    const login = await follow(service, again, '/console/sign-in')
    const refused = await submit(service, again, login.at, { email: 'nia@example.com', password })
    assert.match(refused.text, /E-mail or password is wrong/)
  })

  test('keeps its last admin, and no person changes their own role', async () => {
    for (const change of [{ role: 'viewer' }, { disabled: true }]) {
      const answer = await admin.call('update-staff', { email: 'admin@example.com', ...change })
      assert.equal(answer.status, 400)
    }
    for (const field of ['resetPassword', 'resetSecondFactor']) {
      const answer = await admin.call('update-staff', { email: 'Admin@Example.com', [field]: true })
      assert.deepEqual(
        answer.json.errors.map(({ code, field }: { code: string; field: string }) => [code, field]),
        [['ERR.1015', field]],
      )
    }
    const { staff } = await data(viewer, 'list-staff')
    assert.equal(staff.find(({ email }: { email: string }) => email === 'admin@example.com').role, 'admin')
  })

  test('keeps an admin when two admins remove each other at the same time', async () => {
    const email = 'principal@example.com'
    await data(admin, 'update-staff', { email, role: 'admin' })
    const second = await signIn(service, email)
    // Both calls wait for the rows, so that each begins before the other ends.
    await service.query('create table public.held (); insert into public.held default values')
    const held = service.query(`do $$ begin
      perform from clearing.staff for update;
      while exists (select from public.held) loop perform pg_sleep(0.01); end loop;
    end $$`)
    const holding = `select from pg_stat_activity
      where wait_event = 'PgSleep' and query like '%public.held%' and datname = current_database()`
    await until(
      () => service.query(holding),
      ({ rowCount }) => rowCount === 1,
    )
    const waiting = `select from pg_stat_activity
      where wait_event_type = 'Lock' and query like '%staff%for no key update%' and datname = current_database()`
    const removals = [
      admin.call('update-staff', { email, role: 'principal' }),
      second.call('update-staff', { email: 'admin@example.com', role: 'viewer' }),
    ]
    await until(
      () => service.query(waiting),
      ({ rowCount }) => rowCount === 2,
    )
    await service.query('delete from public.held')
    await held
    await service.query('drop table public.held')
    const statuses = (await Promise.all(removals)).map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [200, 400])
    const { rows } = await service.query("select from clearing.staff where role = 'admin'")
    assert.equal(rows.length, 1)
    await service.query(
      "update clearing.staff set role = split_part(email, '@', 1) where email in ($1, 'admin@example.com')",
      [email],
    )
    admin = await signIn(service, 'admin@example.com')
    principal = await signIn(service, email)
  })
})

test('rejected lines are not lost', async () => {
  const { json } = await viewer.call('onboarding-result', { accountNumber: rejected })
  assert.equal(json.data.currentState, 'Rejected')
})

/** A PNG of one pixel. */
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('incidents', () => {
  async function status() {
    return (await service.send('/status.json', { method: 'GET' })).json as ServiceStatus
  }
  async function statusOf(component: string) {
    const found = (await status()).components.find((one) => one.component === component)
    return found && { status: found.status, probed: found.probed }
  }
  const late = {
    title: 'Webhooks <late>',
    components: ['Webhooks', 'Webhooks'],
    impact: 'Degraded',
    text: 'They wait.',
  }

  test('are on the status page while they last and afterwards, reach each firm as events, and are audited', async () => {
    assert.deepEqual((await status()).incidents, [])
    assert.equal((await viewer.call('open-incident', late)).status, 403)
    const { incidentId, components } = await data(admin, 'open-incident', late)
    assert.deepEqual(components, ['Webhooks'])
    // The results of the checks are cached for some seconds.
    const reported = await until(
      () => statusOf('Webhooks'),
      (found) => found?.status === 'Degraded',
    )
    assert.equal(reported?.probed, 'Operational')
    assert.deepEqual(await statusOf('Reading'), { status: 'Operational', probed: 'Operational' })
    const page = await service.send('/status', { method: 'GET' })
    assert.match(page.text, /Webhooks &lt;late&gt;/)
    assert.match(page.text, /They wait\./)

    const found = { incidentId, state: 'Identified', text: 'A queue is long.', impact: 'Unavailable' }
    assert.equal((await data(principal, 'update-incident', found)).impact, 'Unavailable')
    await until(
      async () => (await status()).status,
      (shown) => shown === 'Unavailable',
    )
    const over = { incidentId: incidentId.toUpperCase(), state: 'Resolved', text: 'All were delivered.' }
    const resolved = await data(principal, 'update-incident', over)
    assert.deepEqual(
      resolved.updates.map(({ state }: { state: string }) => state),
      ['Resolved', 'Identified', 'Investigating'],
    )
    const shown = await until(status, (after) => after.status === 'Operational')
    assert.deepEqual(shown.incidents, [resolved])
    assert.deepEqual((await data(viewer, 'list-incidents')).incidents, [resolved])
    const again = await principal.call('update-incident', over)
    assert.deepEqual([again.status, again.json.errors[0].code], [409, 'ERR.2046'])
    for (const none of ['none', '019ab3c0-4d7b-7c58-93ae-71f0b6c2d845'])
      assert.equal((await principal.call('update-incident', { ...over, incidentId: none })).status, 404)

    await service.eventsReported()
    for (const client of [service.alpha, service.beta]) {
      const { events } = (await client.listEvents({ types: ['incident.*'] })).data
      assert.deepEqual(
        events.map(({ type, data }) => [type, (data as { impact: string }).impact]),
        [
          ['incident.opened', 'Degraded'],
          ['incident.updated', 'Unavailable'],
          ['incident.resolved', 'Unavailable'],
        ],
      )
    }
    const { rows } = await service.query(
      'select actor, action from clearing.audit where target = $1 order by sequence',
      [incidentId],
    )
    assert.deepEqual(
      rows.map(({ actor, action }) => `${action} ${actor}`),
      [
        'open-incident admin@example.com',
        'update-incident principal@example.com',
        'update-incident principal@example.com',
      ],
    )
  })

  test('list one by one', async () => {
    for (const title of ['First', 'Second'])
      await data(admin, 'open-incident', { ...late, title, impact: 'None' })
    const first = await data(viewer, 'list-incidents', { size: 1 })
    const second = await data(viewer, 'list-incidents', { size: 1, after: first.next })
    assert.deepEqual([first.incidents[0].title, second.incidents[0].title], ['Second', 'First'])
  })
})

test('an empty firm of a filter counts as absent, and selects no accounts for a change', async () => {
  const filtered = Object.entries(operations).filter(
    ([, { audience, writes, request }]) =>
      audience === 'operations' && !writes && 'firmId' in request.properties,
  )
  assert.ok(filtered.length > 10)
  const days = { dateFrom: '2026-01-01', dateTo: '2026-01-31' }
  for (const [name, { request }] of filtered) {
    const asked = { firmId: '', ...('dateFrom' in request.properties ? days : {}) }
    const answer = await admin.call(name as OperationName, asked)
    assert.equal(answer.status, 200, `${name}: ${answer.text}`)
  }
  const renewal = await principal.call('request-renewal', { kind: 'TrustedContact', firmId: '' })
  assert.deepEqual(
    renewal.json.errors.map(({ code, field }: { code: string; field: string }) => [code, field]),
    [['ERR.1000', 'accountNumbers']],
  )
})
