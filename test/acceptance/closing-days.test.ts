/** The conditions of the close of a business day: its date, the checklist, a second person, the sandbox's clock. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import { startOfEasternDay } from '../../server/src/store/books/calendar.ts'
import { applicationFor } from './applications.ts'
import { openAndFollow, refusalOf, rejectionsOf, until } from './calling.ts'
import { type PersonAtWork, signIn } from './person.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
let account: string
before(async () => {
  service = await startRunningService()
  account = await openAndFollow(service.alpha, applicationFor('Individual'))
  await operations().loadSecurities({
    lines: { ndjson: ['OPN', 'OLD', 'NONE'].map((symbol) => ({ symbol, secTypeName: 'Common Stock' })) },
  })
})
after(() => service?.stop())

type Line = Record<string, unknown>
function operations() {
  return service.operations.operations
}
function sandbox() {
  return service.alpha.sandbox
}
async function clock() {
  return (await sandbox().getClock({})).data
}
async function load(...ndjson: Line[]) {
  return (await operations().loadActivity({ lines: { ndjson } })).data
}
async function price(symbol: string, priceDate: string) {
  const answered = { symbol, price: '10', priceType: 'LastClose', priceDate }
  const { data } = await operations().loadPrices({ lines: { ndjson: [answered] } })
  assert.equal(data.accepted, 1)
}
let ids = 0
function buy(symbol: string, quantity: string, fields: Line = {}): Line {
  ids += 1
  const trade = { transType: 'Trade', buySell: 'BUY', symbol, quantity, price: '10', tradeDate: '2026-01-05' }
  return { externalId: `C${ids}`, acctNo: account, ...trade, ...fields }
}
async function checklist() {
  return (await operations().closeChecklist({})).data
}
function openOf(items: readonly { item: string; severity: string | null; count: number; open: boolean }[]) {
  return items.filter(({ open }) => open).map(({ item, severity, count }) => `${item} ${severity} ${count}`)
}
const accept = { acceptOpen: { reason: 'Known to the desk.' } }

/** The evening before the next business day that follows a day without a market. The clock cannot close that day. */
async function toSunday() {
  for (;;) {
    const { businessDate, now } = await clock()
    const eve = addDays(businessDate, -1)
    // Midnight in New York is at 04:00 or 05:00 UTC.
    const isComing = Date.parse(now) < Date.parse(`${businessDate}T04:00:00Z`)
    if (isComing && new Date(`${eve}T12:00:00Z`).getUTCDay() === 0) {
      await sandbox()
        .setClock({ now: `${eve}T17:00:00Z` })
        .catch(() => undefined)
      return { businessDate, eve }
    }
    await sandbox().closeBusinessDay(accept)
  }
}

describe('a business day', () => {
  test('is not closed before it has come, nor is the following one', async () => {
    const { businessDate, eve } = await toSunday()
    assert.equal((await checklist()).hasCome, false)
    const early = await refusalOf(operations().closeBusinessDay({}))
    assert.equal(early.status, 409)
    assert.deepEqual(
      early.rejections.map(({ code, field, reason }) => `${code} ${field} ${reason}`),
      [`ERR.2016 date ${businessDate} can be closed on that day; today is ${eve}.`],
    )
    assert.deepEqual(await rejectionsOf(operations().closeBusinessDay({ date: businessDate, ...accept })), [
      'ERR.2016 date',
    ])
    const next = addDays(businessDate, 1)
    assert.deepEqual(await rejectionsOf(operations().closeBusinessDay({ date: next, ...accept })), [
      'ERR.1015 date',
    ])
    assert.equal((await clock()).businessDate, businessDate)
  })

  test('is closed on its day, and once', async () => {
    const { businessDate } = await clock()
    await sandbox().setClock({ now: `${businessDate}T15:00:00Z` })
    assert.equal((await checklist()).hasCome, true)
    const { data } = await operations().closeBusinessDay({ date: businessDate })
    assert.deepEqual(
      [data.closedDate, data.change, data.acceptedOpen, openOf(data.checklist)],
      [businessDate, null, null, []],
    )
    assert.deepEqual((await operations().closeBusinessDay({ date: businessDate })).data, data)
    assert.deepEqual(await rejectionsOf(operations().closeBusinessDay({})), ['ERR.2016 date'])
  })

  test('is closed by the sandbox’s control at its end, to which the clock is moved', async () => {
    const { businessDate } = await clock()
    const { data } = await sandbox().closeBusinessDay({})
    assert.equal(data.closedDate, businessDate)
    const { now } = await clock()
    const eastern = new Date(now).toLocaleString('sv-SE', { timeZone: 'America/New_York' })
    assert.equal(eastern.slice(0, 13), `${businessDate} 18`)
    assert.deepEqual((await sandbox().closeBusinessDay({ date: businessDate })).data, data)
  })
})

describe('open items', () => {
  test('are in the checklist, item by item', async () => {
    const { businessDate, now } = await clock()
    const fifthDayBefore = startOfEasternDay(addDays(businessDate, -5))
    await price('OPN', fifthDayBefore.toISOString())
    await price('OLD', new Date(fifthDayBefore.getTime() - 1_000).toISOString())
    assert.deepEqual((await load(buy('OPN', '5'), buy('OLD', '5'), buy('NONE', '5'))).rejects, [])
    assert.equal((await load(buy('NOSUCH', '5'), buy('OPN', '1', { acctNo: '99999999' }))).rejected, 2)
    const oversold = buy('OPN', '9', { buySell: 'SEL', secFee: '0' })
    const unknown = {
      externalId: 'U1',
      acctNo: account,
      cancelType: 'C',
      tagNo: 'nowhere',
      transType: 'Deposit',
    }
    assert.deepEqual(
      (await load(oversold, { ...unknown, netAmount: '1', tradeDate: '2026-01-05' })).rejects,
      [],
    )
    const answered = await checklist()
    assert.deepEqual(openOf(answered.checklist), [
      'Rejects Medium 1',
      'Breaks High 1',
      'Breaks Low 1',
      'StalePrices Medium 1',
    ])
    assert.deepEqual([answered.open, answered.secondPerson, answered.businessDate], [4, true, businessDate])
    const by = (item: string) => answered.checklist.find((one) => one.item === item)
    assert.equal(by('Rejects')?.detail, '2 lines')
    assert.equal(by('StalePrices')?.detail, 'OLD')
    assert.deepEqual([by('StalePrices')?.names, by('Rejects')?.names], [['OLD'], undefined])
    assert.deepEqual([by('NoPrice')?.count, by('NoPrice')?.open, by('NoPrice')?.detail], [1, false, 'NONE'])
    assert.deepEqual([by('LoadsRunning')?.count, by('LoadsCutOff')?.count, by('Calls')?.count], [0, 0, 0])
    await price('OPN', now)
  })

  test('prevent the close of a day, and are named', async () => {
    const { businessDate, now } = await clock()
    const refused = await refusalOf(sandbox().closeBusinessDay({}))
    assert.equal(refused.status, 409)
    assert.deepEqual(
      refused.rejections.map(({ code, field, reason }) => `${code} ${field} ${reason}`),
      [
        'ERR.2017 acceptOpen Rejects: 1 of severity Medium (2 lines).',
        'ERR.2017 acceptOpen Breaks: 1 of severity High (Oversold 1).',
        'ERR.2017 acceptOpen Breaks: 1 of severity Low (UnknownOriginal 1).',
        'ERR.2017 acceptOpen StalePrices: 1 of severity Medium (OLD).',
      ],
    )
    const later = await clock()
    assert.equal(later.businessDate, businessDate)
    assert.ok(Date.parse(later.now) - Date.parse(now) < 60_000, 'the clock was moved')
    await sandbox().setClock({ now: `${businessDate}T20:00:00Z` })
    assert.ok((await refusalOf(operations().closeBusinessDay({}))).has('ERR.2017'))
    for (const acceptOpen of [{}, { reason: '' }, { reason: '  ' }])
      assert.deepEqual(await rejectionsOf(operations().closeBusinessDay({ acceptOpen } as never)), [
        'ERR.1000 acceptOpen.reason',
      ])
  })

  test('leave the checklist when a person has reviewed them', async () => {
    const { loads } = (await operations().listLoads({})).data
    const rejecting = loads.find(({ rejected }) => rejected > 0)
    assert.deepEqual([rejecting?.lookedAtBy, rejecting?.lookedAtOn], ['', null])
    const loadId = rejecting?.loadId ?? ''
    const { data } = await operations().reviewLoad({ loadId, note: 'A feed’s test.' })
    assert.equal(data.lookedAtBy, 'operations')
    assert.deepEqual((await operations().reviewLoad({ loadId })).data, data)
    assert.equal((await operations().getLoad({ loadId })).data.lookedAtOn, data.lookedAtOn)
    const { work } = (await operations().listWork({ queues: ['Break'] })).data
    const low = work.find(({ subject }) => subject === 'UnknownOriginal')
    await operations().settleWork({ workIds: [low?.workId ?? ''], reason: 'The feed explained it.' })
    assert.deepEqual(openOf((await checklist()).checklist), ['Breaks High 1', 'StalePrices Medium 1'])
    assert.deepEqual(await rejectionsOf(operations().reviewLoad({ loadId: 'nothing' })), ['ERR.2013 loadId'])
    const { rows } = await service.query(
      "select actor, detail from clearing.audit where action = 'review-load'",
    )
    assert.deepEqual(
      rows.map(({ actor }) => actor),
      ['operations'],
    )
  })

  test('are accepted with a reason, which the close stores', async () => {
    const { businessDate } = await clock()
    const { data } = await operations().closeBusinessDay({ date: businessDate, ...accept })
    assert.deepEqual(openOf(data.checklist), ['Breaks High 1', 'StalePrices Medium 1'])
    assert.ok(data.checklist.every(({ names }) => names === undefined))
    const accepted = { reason: 'Known to the desk.', by: 'operations', approvedBy: '' }
    assert.deepEqual(data.acceptedOpen, accepted)
    const { lastClose } = (await operations().getOverview({})).data
    assert.deepEqual([lastClose?.acceptedOpen, lastClose?.checklist], [accepted, data.checklist])
    assert.deepEqual((await operations().closeBusinessDay({ date: businessDate })).data, data)
    const { rows } = await service.query(
      "select detail from clearing.audit where action = 'close-business-day' and target = $1 and detail::text like '%seal%'",
      [businessDate],
    )
    const [detail] = rows.map((row) => JSON.parse(row.detail))
    assert.deepEqual([rows.length, detail.accepted, detail.open.length], [1, accepted, 2])
  })

  test('are noted when the sandbox’s clock passes the end of a day', async () => {
    const { businessDate } = await clock()
    const { data } = await sandbox().setClock({ now: `${addDays(businessDate, 1)}T12:00:00Z` })
    assert.deepEqual(data.closedDays, [businessDate])
    const { lastClose } = (await operations().getOverview({})).data
    assert.equal(lastClose?.acceptedOpen?.by, 'alpha')
    assert.match(lastClose?.acceptedOpen?.reason ?? '', /went past/)
    assert.equal((lastClose?.checklist ?? []).filter(({ open }) => open).length, 2)
  })
})

describe('an item too severe for one person', () => {
  let operator: PersonAtWork
  let principal: PersonAtWork
  before(async () => {
    operator = await signIn(service, 'operator@example.com')
    principal = await signIn(service, 'principal@example.com')
  })

  test('is accepted by two, and the day is closed when the second approves', async () => {
    const { businessDate } = await clock()
    await sandbox()
      .setClock({ now: `${businessDate}T16:00:00Z` })
      .catch(() => undefined)
    await price('OPN', `${businessDate}T01:00:00Z`)
    const refused = await operator.call('close-business-day', {})
    assert.equal(refused.status, 409, refused.text)
    const asked = await operator.call('close-business-day', accept)
    assert.equal(asked.status, 200, asked.text)
    assert.match(asked.json.message, /awaits a second person/)
    const { change, closedDate, acceptedOpen } = asked.json.data
    assert.deepEqual(
      [closedDate, acceptedOpen, change.subjects, change.state],
      ['', null, ['DayClose'], 'Requested'],
    )
    assert.deepEqual(change.fields, [
      { field: 'businessDate', before: businessDate, after: 'closed' },
      { field: 'Breaks (High)', before: '1: Oversold 1', after: 'accepted' },
      { field: 'StalePrices (Medium)', before: '1: OLD', after: 'accepted' },
    ])
    assert.equal((await clock()).businessDate, businessDate)
    const decision = { changeId: change.changeId, decision: 'Approved', reason: 'Seen.' }
    assert.equal((await operator.call('decide-change', decision)).status, 403)
    const approved = await principal.call('decide-change', decision)
    assert.equal(approved.json.data?.state, 'Approved', approved.text)
    const { lastClose } = await until(
      async () => (await operations().getOverview({})).data,
      (overview) => overview.lastClose?.closedDate === businessDate,
    )
    assert.deepEqual(lastClose?.acceptedOpen, {
      reason: 'Known to the desk.',
      by: 'operator@example.com',
      approvedBy: 'principal@example.com',
    })
  })

  test('is not accepted by the second after the day was closed', async () => {
    const { businessDate } = await clock()
    await sandbox().setClock({ now: `${businessDate}T16:00:00Z` })
    const asked = await operator.call('close-business-day', accept)
    const { change } = asked.json.data
    assert.equal(change.state, 'Requested', asked.text)
    assert.equal((await operations().closeBusinessDay(accept)).data.closedDate, businessDate)
    const decision = { changeId: change.changeId, decision: 'Approved', reason: 'Seen.' }
    const approved = await principal.call('decide-change', decision)
    assert.equal(approved.status, 409, approved.text)
    assert.deepEqual(approved.json.errors, [
      { code: 'ERR.2010', field: 'changeId', reason: `${businessDate} is no longer open.` },
    ])
    const { lastClose } = (await operations().getOverview({})).data
    assert.deepEqual([lastClose?.closedDate, lastClose?.acceptedOpen?.approvedBy], [businessDate, ''])
  })

  test('is required only above the severity limit', async () => {
    const { work } = (await operations().listWork({ queues: ['Break'] })).data
    await operations().settleWork({ workIds: work.map(({ workId }) => workId), reason: 'Bought in.' })
    const { businessDate } = await clock()
    await sandbox().setClock({ now: `${businessDate}T20:00:00Z` })
    assert.equal((await checklist()).secondPerson, false)
    const closed = await operator.call('close-business-day', accept)
    assert.deepEqual(
      [closed.json.data?.closedDate, closed.json.data?.change],
      [businessDate, null],
      closed.text,
    )
    assert.equal(closed.json.data.acceptedOpen.by, 'operator@example.com')
  })
})

describe('positions against locations', () => {
  const position = (location: string, asOfDate: string, symbol: string, quantity: string) => ({
    location,
    asOfDate,
    symbol,
    quantity,
  })
  const report = async (...ndjson: Line[]) =>
    (await operations().loadLocationPositions({ lines: { ndjson } })).data
  const differences = async () => (await operations().listLocationDifferences({ size: 100 })).data
  const itemOf = async () => (await checklist()).checklist.find(({ item }) => item === 'Locations')

  test('are compared by settled quantity; differences, and locations without a report, are open items', async () => {
    const { businessDate } = await clock()
    const before = addDays(businessDate, -1)
    await operations().loadSecurities({ lines: { ndjson: [{ symbol: 'LOC1' }, { symbol: 'LOC2' }] } })
    // The 20 of today settle on a later day.
    const today = { tradeDate: businessDate }
    const lines = [buy('LOC1', '100'), buy('LOC1', '20', today), buy('LOC2', '10')]
    assert.deepEqual((await load(...lines)).rejects, [])
    assert.deepEqual([(await itemOf())?.count, (await differences()).differences], [0, []])

    assert.equal((await report(position('OCC', before, 'LOC2', '10'))).accepted, 1)
    assert.equal((await itemOf())?.detail, 'no report of OCC')
    const atDepository = [
      position('DTC', businessDate, 'LOC1', '90'),
      position('BANK', businessDate, 'LOC1', '10'),
    ]
    assert.equal((await report(...atDepository)).accepted, 2)
    const found = await differences()
    const of = (symbol: string) =>
      found.differences
        .filter((one) => one.symbol === symbol)
        .map(({ booked, reported, difference }) => [booked, reported, difference])
    assert.deepEqual([of('LOC1'), of('LOC2')], [[], [['10', '0', '-10']]])
    const item = await itemOf()
    assert.deepEqual([item?.severity, item?.open, item?.count], ['High', true, found.differences.length + 1])

    // A clearing house holds written options and liabilities below zero.
    const rest = found.differences.map(({ secNo, booked }) => ({
      location: 'OCC',
      asOfDate: businessDate,
      secNo,
      quantity: booked,
    }))
    assert.equal((await report(...rest)).accepted, rest.length)
    assert.deepEqual([(await differences()).differences, (await itemOf())?.open], [[], false])
  })

  test('that are impossible are rejected line by line, and repeats of the same day with other values are conflicts', async () => {
    const { businessDate } = await clock()
    const { rejects, conflicts, duplicates } = await report(
      { asOfDate: businessDate, symbol: 'LOC1' },
      position('DTC', businessDate, 'NOSUCH', '1'),
      position('DTC', businessDate, 'LOC1', '90.0'),
      position('DTC', businessDate, 'LOC1', '91'),
    )
    assert.deepEqual(
      rejects.map(({ line, code, field }) => [line, code, field]),
      [
        [1, 'ERR.1000', 'location'],
        [1, 'ERR.1000', 'quantity'],
        [2, 'ERR.1015', 'symbol'],
        [4, 'ERR.2018', 'quantity'],
      ],
    )
    assert.deepEqual([conflicts, duplicates], [1, 1])
  })
})

test('an item of many names five of them, and counts the others', async () => {
  const symbols = ['NP1', 'NP2', 'NP3', 'NP4', 'NP5', 'NP6']
  await operations().loadSecurities({
    lines: { ndjson: symbols.map((symbol) => ({ symbol, secTypeName: 'Common Stock' })) },
  })
  assert.deepEqual((await load(...symbols.map((symbol) => buy(symbol, '1')))).rejects, [])
  const item = (await checklist()).checklist.find((one) => one.item === 'NoPrice')
  const [, others] = /^(?:\w+, ){5}and (\d+) more$/.exec(item?.detail ?? '') ?? []
  assert.equal(Number(others), (item?.count ?? 0) - 5)
})
