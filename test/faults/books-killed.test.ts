/**
 * kill -9 in the middle of a load and of the close of a day, once by day and several times at night. The load is small
 * in the suite. `KILL_LINES=1000000` gives it a million lines of the same shape.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'

const lines = Number(process.env.KILL_LINES ?? 6_000)
const atNight = process.env.KILL_LINES !== undefined
const linesBeforeClose = atNight ? 9_000 : 4_500
/** The kills of the load, and whether its database is killed too. The third comes before any line is booked. */
const killsOfLoad = atNight ? [true, false, false] : [true]
/** The steps of the close at which the service is killed. At the second step, its database is killed too. */
const killsOfClose = atNight ? ['Accrue', 'Calls', 'Seal'] : ['Accrue']
const accounts = 1_500
const symbols = 40
const waitMaxMs = 120_000
const lookEveryMs = 5

function accountOf(set: string, number: number) {
  return `${set}${String(number).padStart(7, '0')}`
}

/** Accounts of firm Alpha, inserted into the database directly. */
function openAccounts(service: ServiceProcess, set: string) {
  return service.query(
    `insert into clearing.account (account_number, firm_id, entity_number, rep_code, registration_type, status, account_name,
       record, created_at, updated_at, opened_at)
     select $1 || lpad(n::text, 7, '0'), entity.firm_id, '301', 'JC01', 'Individual', 'Open', 'JANE DOE', '{}', now(), now(), now()
     from generate_series(0, $2::int - 1) as n, clearing.entity as entity where entity_number = '301'`,
    [set, accounts],
  )
}

async function loadMarket(service: ServiceProcess) {
  const numbers = Array.from({ length: symbols }, (_, number) => number)
  const { operations } = service.operations
  await operations.loadSecurities({
    lines: { ndjson: numbers.map((number) => ({ symbol: `S${number}`, secTypeName: 'Common Stock' })) },
  })
  await operations.loadPrices({
    lines: {
      ndjson: numbers.map((number) => ({
        symbol: `S${number}`,
        price: String(5 + number),
        priceType: 'LastClose',
        priceDate: '2026-01-02T21:00:00Z',
      })),
    },
  })
}

/** Deposits, purchases and sales on margin, in the order of their days. They are the same for every set of accounts. */
function* activity(set: string, count: number): Generator<string> {
  const firstMs = Date.parse('2025-01-02')
  for (let number = 0; number < count; number += 1) {
    const account = (number * 7) % accounts
    const tradeDate = new Date(firstMs + Math.floor((number * 300) / count) * 86_400_000)
      .toISOString()
      .slice(0, 10)
    const common = {
      externalId: `${set}${number}`,
      acctNo: accountOf(set, account),
      acctType: '2',
      tradeDate,
    }
    const turn = Math.floor((number * 7) / accounts) % 5
    const line =
      turn === 0
        ? { ...common, transType: 'Deposit', netAmount: `${100 + (number % 900)}.${10 + (number % 90)}` }
        : {
            ...common,
            transType: 'Trade',
            buySell: turn === 4 ? 'SEL' : 'BUY',
            symbol: `S${(account + (turn % 2)) % symbols}`,
            quantity: String(1 + (number % 50)),
            price: `${5 + (number % 40)}.25`,
          }
    yield `${JSON.stringify(line)}\n`
  }
}

/** The last line is sent when `held` resolves. */
async function load(service: ServiceProcess, set: string, count = lines, held?: Promise<void>) {
  const { data } = await service.operations.operations.loadActivity(
    { lines: { ndjson: ReadableStream.from(bytesOf(activity(set, count), count - 1, held)) } },
    { retries: 0, timeoutMs: 600_000 },
  )
  assert.deepEqual(data.rejects, [])
  return data
}

async function* bytesOf(
  texts: Iterable<string>,
  heldAfter: number,
  held: Promise<void> | undefined,
): AsyncGenerator<Uint8Array> {
  let piece = ''
  let count = 0
  for (const text of texts) {
    piece += text
    count += 1
    if (piece.length < 100_000 && count !== heldAfter) continue
    yield Buffer.from(piece)
    piece = ''
    if (count === heldAfter) await held
  }
  if (piece !== '') yield Buffer.from(piece)
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + waitMaxMs
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, 'it never came')
    await pause(lookEveryMs)
  }
}

/** The books of a set of accounts, without the names that differ between sets. */
async function booksOf(service: ServiceProcess, set: string): Promise<Record<string, unknown>> {
  const own = (column: string) => `substr(${column}, 2)`
  const parts: Record<string, string> = {
    lines: `select count(*), sum(quantity), sum(net_amount), max(sequence) from clearing.activity where account_number like '${set}%'`,
    lots: `select count(*), md5(string_agg(concat_ws('|', ${own('account_number')}, sec_no, ${own('lot_id')}, acct_type, quantity, cost,
      open_date, holding_start, wash_added), ',' order by account_number, sec_no, lot_id)) from clearing.lot where account_number like '${set}%'`,
    cash: `select count(*), md5(string_agg(concat_ws('|', ${own('account_number')}, acct_type, currency, trim_scale(amount)), ','
      order by account_number, acct_type, currency)) from clearing.cash_balance where account_number like '${set}%'`,
    closings: `select count(*), md5(string_agg(concat_ws('|', ${own('external_id')}, ordinal, quantity, proceeds, cost, gain), ','
      order by account_number, external_id, ordinal)) from
      (select distinct on (account_number, external_id, ordinal) * from clearing.closing where account_number like '${set}%'
       order by account_number, external_id, ordinal, revision desc) as closing where not gone`,
    breaks: `select count(*), sum(quantity) from clearing.books_break where account_number like '${set}%' and resolved_at is null`,
    entries: `select md5(string_agg(concat_ws('|', number, ledger, asset, amount), ',' order by number, ledger, asset)) from (
      select ${own('account_number')} as number, leg.ledger::text, leg.asset, trim_scale(sum(leg.amount)) as amount from clearing.journal
      cross join unnest(ledger, asset, amount) as leg (ledger, asset, amount)
      where account_number like '${set}%' group by 1, 2, 3 having sum(leg.amount) <> 0) as sums`,
  }
  const found: Record<string, unknown> = {}
  for (const [part, sql] of Object.entries(parts)) found[part] = (await service.query(sql)).rows
  return found
}

/** The outcome of the most recent load. */
/** Moves the clock to the open day, which may be a day without a market. Earlier tokens expire. */
async function toBusinessDate(service: ServiceProcess): Promise<void> {
  const { businessDate } = (await service.alpha.sandbox.getClock({})).data
  await service.alpha.sandbox.setClock({ now: `${businessDate}T20:00:00Z` }).catch(() => undefined)
  await service.operations.operations.closeChecklist({})
}

async function lastLoad(service: ServiceProcess) {
  const { rows } = await service.query(
    'select received::int, accepted::int, state from clearing.load order by started_at desc limit 1',
  )
  return rows[0] as { received: number; accepted: number; state: string } | undefined
}

/** Batches are visible before they are on disk. This commit waits until they are there. */
function flush(service: ServiceProcess) {
  return service.query("select pg_logical_emit_message(true, 'flush', '')")
}

describe('a load that is killed', () => {
  test(`in the middle of ${lines} lines, ${killsOfLoad.length} times, and then sent again leaves the books of an uninterrupted load`, async () => {
    const service = await makeServiceProcess()
    try {
      await service.start()
      await openAccounts(service, 'K')
      await openAccounts(service, 'W')
      await loadMarket(service)
      const third = Math.floor(lines / 3)
      for (const [kill, withDatabase] of killsOfLoad.entries()) {
        const { rows } = await service.query('select count(*)::int as loads from clearing.load')
        const loads = rows[0].loads as number
        // The end is withheld, so that the load does not end before the kill.
        const held = Promise.withResolvers<void>()
        const sending = load(service, 'K', lines, held.promise).then(
          () => 'complete',
          () => 'cut off',
        )
        await until(async () => {
          const { rows: now } = await service.query('select count(*)::int as loads from clearing.load')
          return now[0].loads > loads
        })
        // Kills after the first batch. The last kill comes before any batch.
        if (kill < 2) {
          await until(async () => ((await lastLoad(service))?.received ?? 0) >= third)
          await flush(service)
        } else await pause(100)
        await service.kill(withDatabase)
        held.resolve()
        assert.equal(await sending, 'cut off')
        await service.start()
        const cut = await lastLoad(service)
        assert.ok(cut && cut.received < lines && cut.state === 'Running', JSON.stringify(cut))
      }
      const sent = await load(service, 'K')
      assert.equal(sent.received, lines)
      assert.equal(sent.accepted + sent.duplicates, lines)
      assert.ok(sent.duplicates >= third && sent.accepted > 0, JSON.stringify(sent))
      const again = await load(service, 'K')
      assert.deepEqual([again.accepted, again.duplicates], [0, lines])
      const whole = await load(service, 'W')
      assert.equal(whole.accepted, lines)
      assert.deepEqual(await booksOf(service, 'K'), await booksOf(service, 'W'))
      for (const number of [0, 7, accounts - 1]) {
        const accountNumber = accountOf('K', number)
        const { data } = await service.operations.operations.verifyBooks({ accountNumber })
        assert.deepEqual([data.verified, data.breaks], [true, []], accountNumber)
      }
    } finally {
      await service.dispose()
    }
  })
})

describe('a close of the business day that is killed', () => {
  test(`at ${killsOfClose.join(', ')} ends with the seal, the calls and the accruals of an uninterrupted close`, async () => {
    const steps = ['Settle', 'Accrue', 'Mark', 'Calls', 'Seal', 'Move']
    const results: unknown[] = []
    const killedAt = new Set<string>()
    const close = { acceptOpen: { reason: 'Prices of a test are old.' } }
    for (const kills of [[], killsOfClose]) {
      const service = await makeServiceProcess()
      try {
        await service.start()
        await openAccounts(service, 'K')
        await loadMarket(service)
        await load(service, 'K', linesBeforeClose)
        await toBusinessDate(service)
        for (const [index, step] of kills.entries()) {
          const closing = service.operations.operations
            .closeBusinessDay(close, { retries: 0 })
            .catch(() => undefined)
          await until(async () => {
            const { rows } = await service.query('select step from clearing.business_day_close')
            return rows[0] !== undefined && steps.indexOf(rows[0].step) >= steps.indexOf(step)
          })
          await service.kill(index === 1)
          await closing
          await service.start()
          const { rows } = await service.query('select step from clearing.business_day_close')
          killedAt.add(rows[0].step)
        }
        const { data } = await service.operations.operations.closeBusinessDay(close)
        const { rows: calls } = await service.query(
          'select account_number, kind, amount, outstanding, age_days from clearing.margin_call order by 1, 2',
        )
        const { rows: accruals } = await service.query(
          'select account_number, margin_interest, margin_accrued from clearing.day_accrual order by 1',
        )
        const { rows: events } = await service.query(
          "select type, count(*) from clearing.logged_event where type like 'call.%' or type like 'business_day.%' group by 1 order by 1",
        )
        const { steps: _, checklist, ...rest } = data
        // Two services load at different moments, so the times since which items are open differ.
        const closed = { ...rest, checklist: checklist.map(({ oldestOn: _, ...item }) => item) }
        assert.ok(closed.callsIssued > 0 && accruals.length > 0)
        results.push({ closed, calls, accruals, events })
      } finally {
        await service.dispose()
      }
    }
    assert.deepEqual(results[1], results[0])
    assert.ok(
      [...killedAt].some((step) => step !== 'Closed'),
      `the kills came too late: ${[...killedAt].join()}`,
    )
  })
})
