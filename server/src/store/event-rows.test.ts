import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { statement, unprepared } from '../database/statement.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { alpha, beta, startLog } from '../events/test-log.ts'
import { newId } from '../ids.ts'
import {
  type EventFilter,
  everyEvent,
  findPosition,
  type LoggedEvent,
  type LogPosition,
  type ReadRows,
  readLogPage,
  readLowWatermark,
  readNewEvents,
  removeOldEvents,
} from './event-log.ts'
import { writeEvents } from './events.ts'
import { claimWebhooks, releaseWebhook, stepWebhook, writeAttempts } from './webhook-queue.ts'
import { findDeliveries, insertWebhook, lockWebhookRow, queueResends } from './webhooks.ts'

const log = await startLog()
const superuser = await log.database.superuser()
after(() => log[Symbol.asyncDispose]())
const { app, operations } = log.database
const everybodys = { firm: null }
const sight = log.sightOf(alpha)
const operationsRows: ReadRows = (what, values) =>
  inTransaction(operations, everybodys, (tx) => tx.rows(what, values))

let accounts = 0
async function newAccount() {
  const accountNumber = `R${String(++accounts).padStart(7, '0')}`
  await log.addAccount(accountNumber)
  return accountNumber
}
function types(count: number): string[] {
  return Array.from({ length: count }, (_, at) => (at === 6 ? 'document.received' : 'account.updated'))
}
async function newChange(count: number) {
  const [accountNumber, start] = [await newAccount(), await endOfLog()]
  await log.writeChange(accountNumber, types(count))
  const events = await readAll(start)
  return { accountNumber, start, events }
}

async function pageAfter(
  from: LogPosition | undefined,
  filter: EventFilter = everyEvent,
  size = 1_000,
  scannedMax = 20_000,
) {
  const page = await readLogPage(sight, alpha, from, filter, { size, scannedMax })
  assert.ok(typeof page !== 'string', `${page}`)
  return page
}
/** Events in pages of a size, each page after the one before. */
async function readAll(
  from: LogPosition | undefined,
  filter = everyEvent,
  size = 1_000,
  scannedMax = 20_000,
) {
  await log.caughtUp()
  const events: LoggedEvent[] = []
  for (let place = from; ; ) {
    const page = await pageAfter(place, filter, size, scannedMax)
    events.push(...page.events)
    if (!page.more) return events
    place = page.end
  }
}
async function endOfLog() {
  await log.caughtUp()
  return (await readLowWatermark(sight)).end
}
function idsOf(events: readonly { readonly eventId: string }[]) {
  return events.map(({ eventId }) => eventId)
}
async function rowsOf(accountNumber: string): Promise<number> {
  const found = await superuser.query(
    'select count(*)::int as rows from clearing.event_row where account_number = $1',
    [accountNumber],
  )
  return found.rows[0].rows
}

for (const [count, rows] of [
  [1, 1],
  [2, 1],
  [15, 1],
  [16, 1],
  [17, 2],
  [33, 3],
] as const)
  test(`a change with ${count} events is ${rows} row${rows === 1 ? '' : 's'}, and every page contains its events once and in order`, async () => {
    const { accountNumber, start, events } = await newChange(count)
    assert.equal(await rowsOf(accountNumber), rows)
    assert.deepEqual(
      events.map(({ sequence, type, content }) => [sequence, type, content]),
      types(count).map((type, at) => [at + 1, type, { at }]),
    )
    assert.equal(new Set(idsOf(events)).size, count)
    for (const size of [1, 2, 7, 16]) assert.deepEqual(await readAll(start, everyEvent, size), events)
    for (const [at, { eventId, place }] of events.entries()) {
      assert.deepEqual(await findPosition(sight, eventId), place)
      assert.deepEqual((await pageAfter(place)).events, events.slice(at + 1))
    }
  })

test('events that the move of the status has counted have the same numbers in several rows', async () => {
  const [accountNumber, start] = [await newAccount(), await endOfLog()]
  await inTransaction(app, { firm: alpha }, async (tx) => {
    await tx.run(
      unprepared(
        'update clearing.account set event_sequence = event_sequence + 35 where account_number = $1',
      ),
      [accountNumber],
    )
    const change = { firmId: alpha, accountNumber, at: new Date(), traceId: 't', isCounted: true }
    writeEvents(
      tx,
      change,
      types(35).map((type) => ({ type, content: {} })),
    )
  })
  await log.write(accountNumber)
  assert.deepEqual(
    (await readAll(start)).map(({ sequence }) => sequence),
    Array.from({ length: 36 }, (_, at) => at + 1),
  )
})

test('an id that no event of a row has is not found, and another firm does not find the ids of a row', async () => {
  const { events } = await newChange(9)
  const [first] = idsOf(events)
  for (const digit of ['9', 'f'])
    assert.equal(await findPosition(sight, `${first?.slice(0, -1)}${digit}`), undefined)
  for (const id of idsOf(events)) assert.equal(await findPosition(log.sightOf(beta), id), undefined)
})

test('a filter selects one event in the middle of a row, also when a page ends within the row', async () => {
  const { accountNumber, start, events } = await newChange(12)
  const filter = { types: ['document.*'] }
  for (const selected of [filter, { ...filter, accountNumber }])
    assert.deepEqual(await readAll(start, selected), events.slice(6, 7))
  for (const scannedMax of [1, 3, 6, 7, 8])
    assert.deepEqual(await readAll(start, filter, 10, scannedMax), events.slice(6, 7))
  const page = await pageAfter(start, filter, 10, 3)
  assert.deepEqual([page.end, page.more], [events[2]?.place, true])
})

test('the tail of the log continues in the middle of a row', async () => {
  const { start, events } = await newChange(16)
  const { lowWatermark } = await readLowWatermark(sight)
  const read: LoggedEvent[] = []
  for (let place = start; ; ) {
    const some = await readNewEvents(operationsRows, place, lowWatermark, [alpha], 5)
    read.push(...some)
    const last = some.at(-1)
    if (last === undefined) break
    place = last.place
  }
  assert.deepEqual(read, events)
})

async function newWebhook(place: LogPosition, accountNumber: string) {
  const webhookId = newId(new Date())
  const filter = { ...everyEvent, accountNumber }
  const url = 'https://hooks.example.com'
  await inTransaction(app, { firm: alpha }, async (tx) => {
    insertWebhook(tx, {
      webhookId,
      firmId: alpha,
      url,
      description: '',
      filter,
      place,
      by: 'alpha',
      at: new Date(),
    })
  })
  return webhookId
}
/** Delivers what is due in one step of the sender. Undefined if the webhook has no work. */
async function deliver(webhookId: string) {
  const sender = 'sender'
  return inTransaction(operations, everybodys, async (tx: Tx) => {
    const claimed = await claimWebhooks(tx, sender, { webhooks: 99, ofFirm: 99 })
    if (!claimed.some(({ webhook_id }) => webhook_id === webhookId)) return undefined
    const due = (await stepWebhook(tx, webhookId, sender))?.due ?? []
    writeAttempts(
      tx,
      due.map(({ delivery_id: deliveryId }) => ({
        deliveryId,
        attempt: {},
        status: 'Delivered',
        delayMs: 0,
      })),
    )
    for (const { webhook_id } of claimed) releaseWebhook(tx, webhook_id, sender)
    return due.map(({ event_id, sequence, position, event_type, content }) => ({
      eventId: event_id,
      sequence: Number(sequence),
      position,
      type: event_type,
      content,
    }))
  })
}
async function deliverAll(webhookId: string) {
  const sent: NonNullable<Awaited<ReturnType<typeof deliver>>> = []
  for (;;) {
    const some = await deliver(webhookId)
    if (some === undefined) return sent
    sent.push(...some)
  }
}
function asSent(events: readonly LoggedEvent[]) {
  return events.map(({ eventId, sequence, place, type, content }) => ({
    eventId,
    sequence,
    position: place.position,
    type,
    content,
  }))
}

test('a webhook begins and resumes in the middle of a row, and is sent chosen events of a row again', async () => {
  const { accountNumber, events } = await newChange(528)
  const webhookId = await newWebhook(events[2]?.place as LogPosition, accountNumber)
  // A step takes 500 events, which end within a row.
  assert.deepEqual(await deliverAll(webhookId), asSent(events.slice(3)))
  await inTransaction(app, { firm: alpha }, async (tx) => {
    const webhook = await lockWebhookRow(tx, webhookId)
    assert.ok(webhook)
    const eventIds = idsOf([events[0], events[5], events[21]] as LoggedEvent[])
    assert.equal(await queueResends(tx, webhook, { eventIds, filter: everyEvent, max: 10 }), 3)
  })
  const [first, second, third] = (await deliverAll(webhookId)) ?? []
  assert.deepEqual([first, second, third], asSent([events[0], events[5], events[21]] as LoggedEvent[]))
})

test('a webhook that has the last event of a row has no work, and one before it has', async () => {
  const { accountNumber, events } = await newChange(9)
  assert.equal(await deliver(await newWebhook(events[8]?.place as LogPosition, accountNumber)), undefined)
  const webhookId = await newWebhook(events[7]?.place as LogPosition, accountNumber)
  assert.deepEqual(await deliverAll(webhookId), asSent(events.slice(8)))
})

test('deliveries of a row that is no longer stored fail', async () => {
  const { accountNumber, start, events } = await newChange(4)
  const webhookId = await newWebhook(start, accountNumber)
  await inTransaction(operations, everybodys, async (tx) => {
    await claimWebhooks(tx, 'one', { webhooks: 99, ofFirm: 99 })
    assert.equal((await stepWebhook(tx, webhookId, 'one'))?.due.length, 4)
    releaseWebhook(tx, webhookId, 'one')
  })
  await superuser.query('delete from clearing.event_row where event_id = $1', [events[0]?.eventId])
  assert.deepEqual(await deliverAll(webhookId), [])
  const found = await inTransaction(app, { firm: alpha }, (tx) =>
    findDeliveries(tx, alpha, { webhookId, size: 9 }),
  )
  assert.deepEqual(
    found.map(({ status }) => status),
    Array(4).fill('Failed'),
  )
})

/** Writes, inserts and removes as the release before does. */
const insertBefore = statement(
  'test-insert-event-of-before',
  `insert into clearing.event (event_id, firm_id, account_number, sequence, type, at, trace_id, content, entity_number, rep_code)
   values ($1, $2, $3, $4, 'account.updated', now(), 't', '{"before": true}', $5, $6)`,
)
const pageOfBefore = unprepared<{ event_id: string; transaction: string; position: bigint; type: string }>(
  `with here as (select pg_snapshot_xmin(pg_current_snapshot()) as low_watermark),
   matching as (
     select event_id from here, clearing.event
     where firm_id = $1 and (transaction_id, position) > ($2::xid8, $3::bigint) and transaction_id < low_watermark
     order by transaction_id, position limit $4)
   select event.event_id, event.transaction_id::text as transaction, event.position, event.type
   from matching join clearing.event using (event_id) order by event.transaction_id, event.position`,
)

test('the release before reads every event of the rows, page by page, and finds each by its id', async () => {
  const { start, events } = await newChange(19)
  const read: string[] = []
  for (let place = start; ; ) {
    const rows = await sight(pageOfBefore, [alpha, String(place.transaction), place.position, 4])
    read.push(...rows.map(({ event_id }) => event_id))
    const last = rows.at(-1)
    if (last === undefined) break
    place = { transaction: BigInt(last.transaction), position: last.position, line: 0 }
  }
  assert.deepEqual(read, idsOf(events))
  const ofAnother = await log.sightOf(beta)(pageOfBefore, [alpha, '0', 0, 4])
  assert.deepEqual(ofAnother, [])
  const same = await superuser.query(
    `select count(*)::int as events from clearing.event natural join clearing.logged_event as other
     where event.event_id = other.event_id`,
  )
  const all = await superuser.query(
    'select (select count(*)::int from clearing.logged_event) as events, (select count(*)::int from clearing.event) as before',
  )
  assert.deepEqual([same.rows[0].events, all.rows[0].before], [all.rows[0].events, all.rows[0].events])
})

test('an event that the release before writes is read like any other, and only a firm writes its own events', async () => {
  const { accountNumber, events } = await newChange(3)
  const eventId = newId(new Date())
  const write = (firm: string, entity: string, repCode: string) =>
    inTransaction(app, { firm }, (tx) =>
      tx.run(insertBefore, [eventId, alpha, accountNumber, 4, entity, repCode]),
    )
  await assert.rejects(write(beta, '301', 'JC01'), /row-level security/)
  await write(alpha, '', '')
  const [found, ...more] = await readAll(events[2]?.place)
  assert.deepEqual(
    [found?.eventId, found?.sequence, found?.entityNumber, found?.repCode, found?.content, more],
    [eventId, 4, '301', 'JC01', { before: true }, []],
  )
  assert.ok(found && found.place.position >= (events[0]?.place.position ?? 0n) + 16n)
})

test('the release before removes nothing', async () => {
  const { events } = await newChange(3)
  const remove = unprepared('delete from clearing.event where event_id = $1')
  for (const id of idsOf(events))
    assert.equal(await inTransaction(operations, everybodys, (tx) => tx.run(remove, [id])), 0)
  for (const { eventId, place } of events) assert.deepEqual(await findPosition(sight, eventId), place)
})

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}
function rowsReadBy(node: PlanNode): number {
  const own =
    node['Relation Name'] === 'event_row'
      ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
      : 0
  return (node.Plans ?? []).reduce((sum, each) => sum + rowsReadBy(each), own)
}

/** The rows of the log that the statements of some work read. */
async function countRead(role: typeof app, work: (tx: Tx) => Promise<unknown>): Promise<number> {
  let count = 0
  await inTransaction(role, { firm: role === app ? alpha : null }, async (tx) => {
    const rows: ReadRows = async (what, values) => {
      const explain = unprepared<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (analyze, format json) ${what.text}`,
      )
      const [found] = await tx.rows(explain, values)
      count += rowsReadBy(found?.['QUERY PLAN'][0].Plan as PlanNode)
      return tx.rows(what, values)
    }
    const explained = {
      rows,
      row: async (...asked: Parameters<ReadRows>) => (await rows(...asked))[0],
      run: async (...asked: Parameters<ReadRows>) => (await rows(...asked)).length,
      later: (...asked: Parameters<ReadRows>) => tx.later(...asked),
    }
    await work(explained as unknown as Tx)
  })
  return Math.round(count)
}

/** A log in which each tenth row has nine events. */
async function addLargeLog(rows: number): Promise<void> {
  await superuser.query('alter table clearing.event_row disable trigger user')
  await superuser.query(
    `insert into clearing.event_row (event_id, firm_id, account_number, sequence, type, at, trace_id, content, more, transaction_id, entity_number)
     select overlay(gen_random_uuid()::text placing '0' from 36)::uuid, $1, 'L' || i, 1, 'account.updated', now(), 't', '{}',
       case when i % 10 = 0 then array_fill('{"type": "document.received", "content": {}}'::jsonb, array[8]) end, (i / 500 + 3)::text::xid8, '301'
     from generate_series(1, $2::int) as i`,
    [alpha, rows],
  )
  await superuser.query('alter table clearing.event_row enable trigger user')
  await superuser.query('analyze clearing.event_row')
}

test('pages, the tail, webhooks and look-ups by id read few rows of a log of 200,000', async () => {
  await addLargeLog(200_000)
  try {
    const { rows } = await superuser.query(
      `select event_id, account_number, transaction_id::text as transaction, position from clearing.event_row
       where more is not null and account_number ~ '^L' order by transaction_id, position offset 10000 limit 1`,
    )
    const [middle] = rows
    const place = {
      transaction: BigInt(middle.transaction),
      position: BigInt(middle.position) + 4n,
      line: 0,
    }
    const id = `${middle.event_id.slice(0, -1)}5`
    const webhookId = await newWebhook(place, middle.account_number)
    const page = (filter: EventFilter, scannedMax: number) => async (tx: Tx) => {
      const found = await readLogPage(tx.rows, alpha, place, filter, { size: 100, scannedMax })
      assert.ok(typeof found !== 'string' && found.events.length > 0)
    }
    const counts = {
      'a page': await countRead(app, page(everyEvent, 1)),
      'a page of operations': await countRead(operations, page(everyEvent, 1)),
      'a page with a filter': await countRead(app, page({ types: ['document.*'] }, 200)),
      'an event by its id': await countRead(app, (tx) => findPosition(tx.rows, id)),
      'the tail': await countRead(operations, (tx) => readNewEvents(tx.rows, place, 2n ** 40n, [alpha], 100)),
      'a claim of webhooks': await countRead(operations, (tx) =>
        claimWebhooks(tx, 'x', { webhooks: 99, ofFirm: 99 }),
      ),
      'a step of a webhook': await countRead(operations, async (tx) => {
        const step = await stepWebhook(tx, webhookId, 'x')
        assert.equal(step?.due.length, 4)
      }),
      'events to be sent again': await countRead(app, async (tx) => {
        const webhook = await lockWebhookRow(tx, webhookId)
        assert.ok(webhook)
        await queueResends(tx, webhook, { eventIds: [id], filter: everyEvent, max: 10 })
      }),
      'a removal': await countRead(operations, (tx) => removeOldEvents(tx.rows, 3_000, 100)),
    }
    for (const [what, count] of Object.entries(counts)) assert.ok(count <= 250, `${what} reads ${count} rows`)
  } finally {
    await superuser.query(`delete from clearing.event_row where account_number ~ '^L'`)
  }
})

test('rows are removed whole: a cursor within a removed row is too old, and one at its last event continues', async () => {
  const [first, second] = [await newChange(5), await newChange(5)]
  const read = (from: LogPosition) => readLogPage(sight, alpha, from, everyEvent, { size: 100 })
  await superuser.query(
    "update clearing.event_row set written_at = now() - interval '9 days' where account_number <> $1",
    [second.accountNumber],
  )
  while ((await removeOldEvents(operationsRows, 1, 3)) === 3);
  assert.equal(await rowsOf(first.accountNumber), 0)
  assert.equal(await rowsOf(second.accountNumber), 1)
  assert.equal(await read(first.events[0]?.place as LogPosition), 'too-old')
  assert.equal(await read(first.events[3]?.place as LogPosition), 'too-old')
  const page = await pageAfter(first.events[4]?.place)
  assert.deepEqual(page.events, second.events)
  assert.deepEqual((await pageAfter(undefined)).events, second.events)
})

test('a removal that the release before noted within a row ends there, and the row is removed later', async () => {
  const { accountNumber, events } = await newChange(6)
  const noted = events[2]?.place as LogPosition
  await superuser.query('update clearing.event_removal set transaction_id = $1::xid8, position = $2', [
    String(noted.transaction),
    noted.position,
  ])
  const read = (from: LogPosition) => readLogPage(sight, alpha, from, everyEvent, { size: 100 })
  assert.equal(await read(events[1]?.place as LogPosition), 'too-old')
  assert.deepEqual((await pageAfter(noted)).events, events.slice(3))
  await superuser.query("update clearing.event_row set written_at = now() - interval '9 days'")
  while ((await removeOldEvents(operationsRows, 1, 3)) === 3);
  assert.equal(await rowsOf(accountNumber), 0)
  assert.equal(await read(events[4]?.place as LogPosition), 'too-old')
  assert.deepEqual((await pageAfter(events[5]?.place)).events, [])
})
