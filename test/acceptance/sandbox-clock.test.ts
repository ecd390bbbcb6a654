/**
 * The sandbox's clock drives everything that has a time: stages, follow-ups, business days. It does not drive tokens.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { endOfBusinessDay, usualCloseTime } from '../../server/src/business-day/close-time.ts'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationOf } from './applications.ts'
import { follow as followOf, open, read, refusalOf, until } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

const hourMs = 3_600_000
function sandbox() {
  return service.alpha.sandbox
}
async function clock() {
  return (await sandbox().getClock({})).data
}
async function nowMs() {
  return Date.parse((await clock()).now)
}
async function resultOf(accountNumber: string) {
  return (await service.alpha.onboardingResult({ accountNumber })).data
}
function follow(accountNumber: string) {
  return followOf(service.alpha, accountNumber)
}

test('at first the clock shows real time', async () => {
  const { now, frozen, aheadSeconds } = await clock()
  assert.ok(Math.abs(Date.parse(now) - Date.now()) < 60_000)
  assert.deepEqual([frozen, aheadSeconds], [false, 0])
})

test('advanced by days or a duration, it runs on from there, for every firm', async () => {
  const before = await nowMs()
  const { data } = await sandbox().advanceClock({ duration: 'PT1H30M' })
  assert.equal(Date.parse(data.now) - Date.parse(data.from), 1.5 * hourMs)
  assert.ok(Date.parse(data.from) >= before)
  assert.equal(Math.round(data.aheadSeconds / 10), 540)
  const seen = Date.parse((await service.beta.sandbox.getClock({})).data.now)
  assert.ok(seen >= Date.parse(data.now) && seen < Date.parse(data.now) + 60_000)
  const moved = (await sandbox().advanceClock({ days: 1 })).data
  assert.equal(Date.parse(moved.now) - Date.parse(moved.from), 24 * hourMs)
})

test('an advance that is sent again with its key moves the clock once', async () => {
  const send = () =>
    service.send('/sandbox-api/v1/advance-clock', {
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': 'once',
      },
      body: '{"duration":"PT10M"}',
    })
  const token = await freshToken()
  const first = await send()
  const second = await send()
  assert.equal(first.status, 200)
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(second.json.data, first.json.data)
})

async function freshToken(): Promise<string> {
  const form = new URLSearchParams({ client_id: 'alpha', client_secret: 'alpha-sandbox-secret' })
  const answer = await fetch(`${service.address}/identity/connect/token`, { method: 'POST', body: form })
  return ((await answer.json()) as { access_token: string }).access_token
}

test('impossible changes are refused with a reason', async () => {
  const refusal = async (path: string, body: object) => {
    const answer = await service.send(`/sandbox-api/v1/${path}`, {
      headers: { authorization: `Bearer ${await freshToken()}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return [
      answer.status,
      ...answer.json.errors.map((error: { code: string; field: string }) => `${error.code} ${error.field}`),
    ]
  }
  assert.deepEqual(await refusal('advance-clock', {}), [400, 'ERR.1000 days'])
  assert.deepEqual(await refusal('advance-clock', { days: 1, duration: 'P1D' }), [400, 'ERR.1000 days'])
  assert.deepEqual(await refusal('advance-clock', { days: -1 }), [400, 'ERR.1015 days'])
  assert.deepEqual(await refusal('advance-clock', { days: 367 }), [400, 'ERR.1015 days'])
  for (const duration of ['', 'P', 'PT', 'P1Y', '1 day', '-P1D', 'PT1H1D']) {
    assert.deepEqual(await refusal('advance-clock', { duration }), [400, 'ERR.1016 duration'], duration)
  }
  assert.deepEqual(await refusal('advance-clock', { duration: 'P999W' }), [400, 'ERR.1015 duration'])
  assert.deepEqual(await refusal('set-clock', { now: '2020-01-01T00:00:00Z' }), [400, 'ERR.1015 now'])
  assert.deepEqual(await refusal('set-clock', { now: 'tomorrow' }), [400, 'ERR.1016 now'])
  assert.deepEqual(await refusal('set-clock', { now: '2027-01-04T15:00:00' }), [400, 'ERR.1016 now'])
  assert.deepEqual(await refusal('set-clock', { now: '2999-01-01T00:00:00Z' }), [400, 'ERR.1015 now'])
  assert.deepEqual(await refusal('restore-snapshot', { name: 'nothing' }), [404, 'ERR.2013 name'])
  assert.deepEqual(await refusal('save-snapshot', { name: 'First start' }), [400, 'ERR.1016 name'])
})

describe('a frozen clock', () => {
  test('stands still, and delays scheduled work until it is advanced', async () => {
    const { data } = await sandbox().freezeClock({})
    assert.equal(data.frozen, true)
    assert.equal((await clock()).now, (await clock()).now)
    const { accountNumber } = await open(service.alpha, applicationOf({ lastName: 'SLOW30' }))
    const screening = await until(
      () => resultOf(accountNumber),
      ({ currentState }) => currentState === 'Screening',
    )
    assert.equal(screening.state.find(({ code }) => code === 'IdentityCheck')?.status, 'Pending')
    await sandbox().advanceClock({ duration: 'PT29S' })
    assert.equal(
      (await resultOf(accountNumber)).state.find(({ code }) => code === 'IdentityCheck')?.status,
      'Pending',
    )
    await sandbox().advanceClock({ duration: 'PT1S' })
    const one = await resultOf(accountNumber)
    assert.equal(one.state.find(({ code }) => code === 'IdentityCheck')?.status, 'Success')
    assert.equal(one.state.find(({ code }) => code === 'WatchlistCheck')?.status, 'Pending')
    // All further stages are scheduled, each thirty seconds after the one before.
    await sandbox().advanceClock({ duration: 'PT5M' })
    const done = await resultOf(accountNumber)
    assert.equal(done.currentState, 'CreationComplete')
    const opened = done.history.find(({ to }) => to === 'CreationComplete')
    assert.equal((await clock()).frozen, true)
    assert.ok(Date.parse(opened?.at ?? '') < (await nowMs()) - 60_000)
    assert.equal((await read(service.alpha, accountNumber)).accountStatus, 'Open')
  })

  test('runs on from where it stopped', async () => {
    const stood = await nowMs()
    const { data } = await sandbox().freezeClock({ frozen: false })
    assert.equal(data.frozen, false)
    const runs = await nowMs()
    assert.ok(runs >= stood && runs < stood + 60_000)
  })
})

test('a follow-up without an answer expires on its day', async () => {
  const { accountNumber } = await open(service.alpha, applicationOf({ taxIdNumber: '000000002' }))
  const [followUp] = (await follow(accountNumber)).followUps
  const dueMs = Date.parse(followUp?.dueBy ?? '')
  await sandbox().setClock({ now: new Date(dueMs - 60_000).toISOString() })
  assert.equal((await resultOf(accountNumber)).currentState, 'ActionRequired')
  const { data } = await sandbox().setClock({ now: new Date(dueMs + 60_000).toISOString() })
  const late = await resultOf(accountNumber)
  assert.equal(late.currentState, 'ManualReview')
  assert.ok(Math.abs(Date.parse(late.history.at(-1)?.at ?? '') - dueMs) < 30_000)
  assert.ok(Date.parse(data.businessDate) > Date.now())
})

test('a follow-up expires on its day too when the clock of the process is behind that of the database', async () => {
  const { accountNumber } = await open(service.alpha, applicationOf({ taxIdNumber: '000000002' }))
  const dueBy = (await follow(accountNumber)).followUps[0]?.dueBy ?? ''
  await sandbox().freezeClock({})
  await sandbox().setClock({ now: new Date(Date.parse(dueBy) - 5).toISOString() })
  const { rowCount } = await service.query(
    `update graphile_worker._private_jobs set run_at = now() where payload::jsonb ->> 'accountNumber' = $1`,
    [accountNumber],
  )
  assert.equal(rowCount, 1)
  const late = await until(
    () => resultOf(accountNumber),
    ({ currentState }) => currentState === 'ManualReview',
  )
  assert.equal(Date.parse(late.history.at(-1)?.at ?? ''), Date.parse(dueBy))
  await sandbox().freezeClock({ frozen: false })
})

test('each business day that ends during an advance is closed, and no other', async () => {
  const { businessDate } = await clock()
  const at = await nowMs()
  const { data } = await sandbox().advanceClock({ days: 7 })
  assert.equal(data.closedDays[0], businessDate)
  assert.ok(data.closedDays.length >= 4 && data.closedDays.length <= 6, data.closedDays.join())
  assert.deepEqual([...data.closedDays].sort(), [...data.closedDays])
  assert.ok(data.businessDate > (data.closedDays.at(-1) ?? ''))
  assert.ok(Date.parse(data.now) >= at + 7 * 24 * hourMs)
  const closed = await service.query(
    'select close_date::text as day from clearing.business_day_close order by 1',
  )
  const days = closed.rows.map(({ day }) => day)
  assert.deepEqual(days.slice(-data.closedDays.length), [...data.closedDays])
  assert.equal((await service.operations.operations.verifyBooks({})).data.verified, true)
})

test('a move of the clock ends no token, and an expired token is returned on request', async () => {
  const call = async (token: string, headers: Record<string, string> = {}) => {
    const answer = await service.send('/sandbox-api/v1/get-clock', {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: '{}',
    })
    return [answer.status, answer.json.errors.map(({ code }: { code: string }) => code)]
  }
  const form = new URLSearchParams({ client_id: 'beta', client_secret: 'beta-sandbox-secret' })
  const given = await service.send('/identity/connect/token', { body: form })
  const [own, others] = [await freshToken(), given.json.access_token as string]
  await sandbox().advanceClock({ days: 2 })
  for (const token of [own, others, await freshToken()]) assert.deepEqual(await call(token), [200, []])
  assert.deepEqual(await call(own, { 'x-sandbox-fault': 'expired-token' }), [401, ['ERR.3003']])
  assert.deepEqual(await call(own), [200, []])
})

test('new objects have the sandbox’s time', async () => {
  const { accountNumber } = await open(service.alpha, applicationOf({}))
  await follow(accountNumber)
  const { data } = await service.alpha.addDocument({
    accountNumber,
    documentTypeName: 'Identity Documents',
    reference: 'PASS',
    displayName: 'Passport',
    file: { name: 'scan.pdf', content: samplePdf() },
  })
  const [document] = (await service.alpha.getDocumentDetails({ accountNumber })).data.documents
  assert.equal(document?.documentId, data.documentId)
  const eastern = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/New_York',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  assert.ok(document?.createdDate.startsWith(eastern.format(await nowMs())), document?.createdDate)
  await service.eventsReported()
  const { events } = (await service.alpha.listEvents({ accountNumber })).data
  const lateMs = (await nowMs()) - Date.parse(events.at(-1)?.time ?? '')
  assert.ok(lateMs >= 0 && lateMs < hourMs)
  assert.ok(Date.parse(events.at(-1)?.time ?? '') > Date.now() + 24 * hourMs)
})

test('an interrupted advance is continued by its key, to its original end', async () => {
  await service.operations.sandbox.getClock({})
  const from = await nowMs()
  const to = new Date(from + hourMs).toISOString()
  const cutOff = {
    by: 'alpha half-way',
    from: new Date(from).toISOString(),
    to,
    closedDays: [],
    ended: false,
  }
  await service.query('update clearing.sandbox_clock set advance = $1', [JSON.stringify(cutOff)])
  const { data } = await sandbox().advanceClock({ duration: 'PT1H' }, { idempotencyKey: 'half-way' })
  assert.equal(data.from, cutOff.from)
  assert.equal(data.now, to)
})

test('an advance that was interrupted before it closed a day closes the day when it continues', async () => {
  await service.operations.sandbox.getClock({})
  const { businessDate } = await clock()
  const endMs = endOfBusinessDay(businessDate, usualCloseTime).getTime()
  const at = (hours: number) => new Date(endMs + hours * hourMs).toISOString()
  const cutOff = { by: 'alpha cut', from: at(-1), to: at(1), closedDays: [], ended: false }
  await service.query('update clearing.sandbox_clock set advance = $1, offset_ms = $2', [
    JSON.stringify(cutOff),
    endMs - Date.now(),
  ])
  await until(nowMs, (now) => now >= endMs)
  const { data } = await sandbox().advanceClock({ duration: 'PT2H' }, { idempotencyKey: 'cut' })
  assert.deepEqual([data.from, data.now, data.closedDays], [cutOff.from, cutOff.to, [businessDate]])
  assert.notEqual(data.businessDate, businessDate)
})

test('a close that lost its response, and was not stored, names its day when it is repeated', async () => {
  const close = () => sandbox().closeBusinessDay({}, { idempotencyKey: 'lost' })
  const { data } = await close()
  await service.query('delete from clearing.idempotency')
  const { data: again } = await close()
  assert.deepEqual([again.closedDate, again.seal], [data.closedDate, data.seal])
  assert.equal((await clock()).businessDate, data.businessDate)
})

test('when two callers advance at once, one waits, and the clock moves by both', async () => {
  const before = await nowMs()
  await Promise.all([
    sandbox().advanceClock({ duration: 'PT20M' }),
    service.beta.sandbox.advanceClock({ duration: 'PT20M' }),
  ])
  const moved = (await nowMs()) - before
  assert.ok(moved >= 40 * 60_000 && moved < 45 * 60_000, `${moved}`)
})

test('operations may use the controls, and a read-only caller may not', async () => {
  const { data } = await service.operations.sandbox.advanceClock({ duration: 'PT1S' })
  assert.ok(data.now)
  const { businessDate } = await clock()
  assert.equal((await service.operations.sandbox.closeBusinessDay({})).data.closedDate, businessDate)
  const reader = service.client('alpha', undefined, ['accounts:read'])
  assert.ok((await reader.sandbox.getClock({})).data.now)
  assert.ok((await refusalOf(reader.sandbox.advanceClock({ days: 1 }))).has('ERR.3004'))
  assert.ok((await refusalOf(reader.sandbox.reset({}))).has('ERR.3004'))
})
