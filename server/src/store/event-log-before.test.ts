import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { alpha, startLog, type TestLog } from '../events/test-log.ts'
import { type LogPlace, readLogPage } from './event-log.ts'
import { findPlaceNow } from './event-log-before.ts'

const oldCell = [100n, 105n, 105n, 230n].map((transaction, at) => ({ transaction, position: BigInt(at + 1) }))
const removed: LogPlace = { transaction: 40n, position: 7n }

let log: TestLog
let superuser: pg.Client
let moved: readonly string[]

before(async () => {
  log = await startLog()
  superuser = new pg.Client(log.database.urls.superuser)
  await superuser.connect()
  await log.addAccount('10000001')
  const before = await superuser.query('select pg_current_xact_id()::text as number')
  for (const _ of oldCell) await log.write('10000001')
  await log.caughtUp()
  moved = (await pageAfter(undefined)).map(({ eventId }) => eventId)
  await superuser.query(
    `insert into clearing.event_log_before (firm_id, moves, removed_transaction, removed_position, transaction_id, position)
     values ($1, 0, $2, $3, $4, 0)`,
    [alpha, String(removed.transaction), removed.position, before.rows[0].number],
  )
  for (const [at, { transaction, position }] of oldCell.entries())
    await superuser.query('insert into clearing.event_place_before values ($1, 0, $2, $3, $4)', [
      alpha,
      String(transaction),
      position,
      moved[at],
    ])
})
after(async () => {
  await superuser.end()
  await log[Symbol.asyncDispose]()
})

async function pageAfter(place: LogPlace | undefined) {
  const page = await readLogPage(log.sightOf(alpha), alpha, place, { types: [] }, { size: 100 })
  assert.ok(typeof page !== 'string', `${page}`)
  return page.events
}

const cases: readonly [what: string, cursor: LogPlace, after: number][] = [
  ['of the first event', oldCell[0] as LogPlace, 1],
  ['in the middle of a transaction', oldCell[1] as LogPlace, 2],
  ['after all events of a transaction', { transaction: 229n, position: 2n ** 63n - 1n }, 3],
  ['of the last event', oldCell[3] as LogPlace, 4],
  ['at the end of the log', { transaction: 9_999n, position: 2n ** 63n - 1n }, 4],
  ['before every stored event', { transaction: 41n, position: 0n }, 0],
]
for (const [what, cursor, events] of cases)
  test(`a cursor of the previous cell, ${what}, continues with the next event`, async () => {
    const place = await findPlaceNow(log.sightOf(alpha), { firmId: alpha, moves: 0 }, cursor)
    assert.ok(typeof place !== 'string', `${place}`)
    assert.deepEqual(
      (await pageAfter(place)).map(({ eventId }) => eventId),
      moved.slice(events),
    )
  })

test('a cursor before removed events of the previous cell is too old, and a cursor of another move is unknown', async () => {
  const rows = log.sightOf(alpha)
  assert.equal(
    await findPlaceNow(rows, { firmId: alpha, moves: 0 }, { transaction: 39n, position: 1n }),
    'too-old',
  )
  assert.equal(await findPlaceNow(rows, { firmId: alpha, moves: 1 }, removed), 'unknown')
})
