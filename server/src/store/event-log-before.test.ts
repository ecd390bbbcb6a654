import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { alpha, startLog, type TestLog } from '../events/test-log.ts'
import { type LogPosition, readLogPage } from './event-log.ts'
import { findPositionNow } from './event-log-before.ts'

/** The positions of rows. The fourth row has five events, the others have one. */
const oldCell = [100n, 105n, 105n, 230n, 240n].map((transaction, at) => ({
  transaction,
  position: 16n * BigInt(at + 1),
  line: 0,
}))
const ofSeveral = 3
const several = 5
function positionIn(row: number, event = 0): LogPosition {
  const { transaction, position } = oldCell[row] as LogPosition
  return { transaction, position: position + BigInt(event), line: 0 }
}
const removed: LogPosition = { transaction: 40n, position: 7n, line: 0 }

let log: TestLog
let superuser: pg.Client
let moved: readonly string[]
let places: readonly LogPosition[]

before(async () => {
  log = await startLog()
  superuser = await log.database.superuser()
  await log.addAccount('10000001')
  const before = await superuser.query('select pg_current_xact_id()::text as number')
  for (const row of oldCell.keys())
    await log.writeChange('10000001', Array(row === ofSeveral ? several : 1).fill('account.updated'))
  await log.caughtUp()
  const events = await pageAfter(undefined)
  moved = events.map(({ eventId }) => eventId)
  places = events.map(({ place }) => place)
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
      moved[at > ofSeveral ? at + several - 1 : at],
    ])
})
after(async () => {
  await log[Symbol.asyncDispose]()
})

async function pageAfter(place: LogPosition | undefined) {
  const page = await readLogPage(log.sightOf(alpha), alpha, place, { types: [] }, { size: 100 })
  assert.ok(typeof page !== 'string', `${page}`)
  return page.events
}

const cases: readonly [what: string, cursor: LogPosition, after: number][] = [
  ['of the first event', positionIn(0), 1],
  ['in the middle of a transaction', positionIn(1), 2],
  ['after all events of a transaction', { transaction: 229n, position: 2n ** 63n - 1n, line: 0 }, 3],
  ['of the first event of a row', positionIn(ofSeveral), 4],
  ['in the middle of a row', positionIn(ofSeveral, 2), 6],
  ['of the last event of a row', positionIn(ofSeveral, 4), 8],
  ['after all events of a row in its transaction', positionIn(ofSeveral, 9), 8],
  ['after all events of a row', { transaction: 231n, position: 1n, line: 0 }, 8],
  ['of the last event', positionIn(4), 9],
  ['at the end of the log', { transaction: 9_999n, position: 2n ** 63n - 1n, line: 0 }, 9],
  ['before every stored event', { transaction: 41n, position: 0n, line: 0 }, 0],
]
for (const [what, cursor, events] of cases)
  test(`a cursor of the previous cell, ${what}, continues with the next event`, async () => {
    const place = await findPositionNow(log.sightOf(alpha), { firmId: alpha, moves: 0 }, cursor)
    assert.ok(typeof place !== 'string', `${place}`)
    if (events > 0) assert.deepEqual(place, places[events - 1])
    assert.deepEqual(
      (await pageAfter(place)).map(({ eventId }) => eventId),
      moved.slice(events),
    )
  })

test('a cursor before removed events of the previous cell is too old, and a cursor of another move is unknown', async () => {
  const rows = log.sightOf(alpha)
  assert.equal(
    await findPositionNow(rows, { firmId: alpha, moves: 0 }, { transaction: 39n, position: 1n, line: 0 }),
    'too-old',
  )
  assert.equal(await findPositionNow(rows, { firmId: alpha, moves: 1 }, removed), 'unknown')
})
