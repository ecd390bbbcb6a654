/** Measures events to streams and to webhooks, and the cost of the event log for new-account. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { operations } from '@clearing/protocol'
import type pg from 'pg'
import { type House, openHouse, openSession } from './house.ts'
import { runLoad } from './load.ts'
import { alternate, median, perSecond, type Row } from './measure.ts'

const rounds = 3
const eventsATransaction = 50
const waitMs = 60_000

export async function rows(): Promise<Row[]> {
  await using house = await openHouse()
  await using database = await openSession(house)
  return [
    await streamRow(house, database, 1, 10_000, 2_000),
    await streamRow(house, database, 10, 5_000, 10_000),
    await streamRow(house, database, 100, 1_000, 10_000),
    await webhookRow(house, database),
    await costRow(house, database),
  ]
}

function least(name: string, figure: number, target: number, note: string): Row {
  return {
    name,
    measured: perSecond(figure),
    floor: '',
    figure,
    target: `≥ ${target.toLocaleString('en-US')}/s`,
    met: figure >= target,
    note,
  }
}

/** From the commit of the first event until each listener has all events. */
async function streamRow(
  house: House,
  database: pg.Client,
  listeners: number,
  events: number,
  target: number,
): Promise<Row> {
  const firmId = await firmOf(database)
  const streams = await Promise.all(Array.from({ length: listeners }, () => openStream(house)))
  const figures: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startedMs = performance.now()
    const all = Promise.all(streams.map((stream) => stream.receive(events)))
    for (let written = 0; written < events; written += eventsATransaction) {
      await database.query(
        `insert into clearing.event_row (event_id, firm_id, sequence, type, at, trace_id, content)
         select gen_random_uuid(), $1, 0, 'business_day.closed', now(), '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
           '{"closedDate": "2026-01-02", "businessDate": "2026-01-05"}'
         from generate_series(1, $2::int)`,
        [firmId, eventsATransaction],
      )
    }
    await inTime('the streams', all)
    figures.push((events * listeners) / ((performance.now() - startedMs) / 1_000))
  }
  for (const { socket } of streams) socket.destroy()
  const note = `${events} events a round, ${eventsATransaction} a transaction, one after the other; from the first of them to the last listener`
  return least(
    `events delivered to ${listeners} listener${listeners === 1 ? '' : 's'}`,
    median(figures),
    target,
    note,
  )
}

interface Stream {
  readonly socket: Socket
  /** Resolves after this number of further events. */
  receive(events: number): Promise<void>
}

const mark = Buffer.from('\ndata: ')

async function openStream({ port, token }: House): Promise<Stream> {
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `GET /account-api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  )
  await inTime('a stream', once(socket, 'readable'))
  let seen = 0
  let wanted = Number.POSITIVE_INFINITY
  let settle = () => {}
  let rest: Buffer = Buffer.alloc(0)
  socket.on('data', (piece: Buffer) => {
    const text = Buffer.concat([rest, piece])
    let from = 0
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, from)) {
      seen += 1
      from = at + mark.length
    }
    rest = Buffer.from(text.subarray(Math.max(from, text.length - mark.length + 1)))
    if (seen >= wanted) settle()
  })
  return {
    socket,
    receive: (events) =>
      new Promise((resolve) => {
        wanted = seen + events
        settle = resolve
      }),
  }
}

/** A receiver that accepts every delivery at once. Each account's events wait for its earlier events. */
async function webhookRow(house: House, database: pg.Client): Promise<Row> {
  const accounts = 200
  const each = 10
  let received = 0
  let settle = () => {}
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(204).end()
      received += 1
      if (received % (accounts * each) === 0) settle()
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  await house.client.createWebhook({ url: `http://127.0.0.1:${port}/`, types: ['account.closed'] })
  const numbers = Array.from({ length: accounts }, (_, at) => `V${String(at).padStart(7, '0')}`)
  const firmId = await firmOf(database)
  await database.query(
    `insert into clearing.account
       (account_number, firm_id, entity_number, rep_code, registration_type, status, created_at, updated_at)
     select number, $1, '301', 'JC01', 'Individual', 'Reserved', now(), now() from unnest($2::text[]) as given (number)`,
    [firmId, numbers],
  )
  const figures: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startedMs = performance.now()
    const all = new Promise<void>((resolve) => {
      settle = resolve
    })
    for (let count = 0; count < each; count++) {
      await database.query(
        `with counted as (
           update clearing.account set event_sequence = event_sequence + 1 where account_number = any ($1)
           returning account_number, firm_id, event_sequence
         )
         insert into clearing.event_row (event_id, firm_id, account_number, sequence, type, at, trace_id, content)
         select gen_random_uuid(), firm_id, account_number, event_sequence, 'account.closed', now(), '', '{}' from counted`,
        [numbers],
      )
    }
    await inTime('the deliveries', all)
    figures.push((accounts * each) / ((performance.now() - startedMs) / 1_000))
  }
  receiver.close()
  receiver.closeAllConnections()
  const note = `${accounts} accounts with ${each} events each to one webhook; every delivery is signed and kept with its answer`
  return least('webhook deliveries', median(figures), 200, note)
}

/** Measures new-account with the event log, and with a trigger that leaves out its rows. */
async function costRow(house: House, database: pg.Client): Promise<Row> {
  await database.query(
    `create function clearing.leave_out() returns trigger language plpgsql as 'begin return null; end';
     create trigger a_leave_out before insert on clearing.event_row for each row execute function clearing.leave_out()`,
  )
  const body = JSON.stringify(operations['new-account'].examples[0].request).replace('219099998', '#########')
  const load = async (logged: boolean) => {
    const [one, other] = logged ? ['disable', 'enable'] : ['enable', 'disable']
    await database.query(
      `alter table clearing.event_row ${one} trigger a_leave_out, ${other} trigger announce, ${other} trigger complete`,
    )
    const headers = { authorization: `Bearer ${house.token}`, 'content-type': 'application/json' }
    const path = '/account-api/v1/new-account'
    const result = await runLoad({ port: house.port, path, headers, body, connections: 16, seconds: 3 })
    if (result.failures > 0) throw new Error(`${result.failures} applications failed`)
    return result.requestsPerSecond
  }
  const [logged, bare] = await alternate(
    2 * rounds + 1,
    () => load(true),
    () => load(false),
  )
  const figure = 1 - logged / bare
  return {
    name: 'cost of the event log on new-account',
    measured: perSecond(logged),
    floor: perSecond(bare),
    figure,
    target: '≤ 0.10',
    met: figure <= 0.1,
    note: 'the share of its throughput; the floor leaves out the rows of events, including those of the onboarding that runs at the same time',
  }
}

async function firmOf(database: pg.Client): Promise<string> {
  const found = await database.query("select firm_id from clearing.entity where entity_number = '301'")
  return found.rows[0].firm_id
}

async function inTime<T>(what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${waitMs} ms`)), waitMs)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
