/** Waiting items, their claims, and the removal of claims on finished items. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { prepareGround, type TestGround } from '../identity/test-service.ts'
import { countQueues, giveWork, sweepAssignments, takeWork } from './work.ts'
import { readWork } from './work-list.ts'

let ground: TestGround
let superuser: pg.Client
const alpha = '00000000-0000-4000-8000-000000000301'
const waiting = '00000000-0000-7000-8000-000000000001'
const decided = '00000000-0000-7000-8000-000000000002'
before(async () => {
  ground = await prepareGround()
  superuser = await ground.database.superuser()
  for (const [id, state] of [
    [waiting, 'Requested'],
    [decided, 'Approved'],
  ] as const) {
    await superuser.query(
      `insert into clearing.change_request (change_id, firm_id, operation, subjects, request, fields, reason, requested_by, requested_at,
         trace_id, state, decided_by, decided_at)
       values ($1, $2, 'update-account', '{Names}', '\\x', '[]', '', 'alpha', $3, '', $4, $5, $6)`,
      [
        id,
        alpha,
        new Date(now().getTime() - 2 * 86_400_000),
        state,
        ...(state === 'Approved' ? ['operations', now()] : [null, null]),
      ],
    )
  }
})
after(async () => {
  await ground?.[Symbol.asyncDispose]()
})

function now() {
  return ground.clock.now()
}
function run<T>(body: (tx: Tx) => Promise<T>) {
  return inTransaction(ground.database.operations, { firm: null }, body)
}

test('an item is found by its id while it waits, and no other text is an id', async () => {
  const ids = [
    `Change.${waiting}`,
    `Change.${decided}`,
    'Change.x',
    'Document.30100001',
    'Application.x',
    'Nothing.1',
  ]
  const found = await run((tx) => readWork(tx, ids, now()))
  assert.deepEqual(
    found.map(({ work_id }) => work_id),
    [`Change.${waiting}`],
  )
})

test('the counts contain waiting items by age with their claims, and no claims on finished items', async () => {
  await run(async (tx) => {
    assert.equal(await takeWork(tx, `Change.${waiting}`, 'a@example.com', now()), 'a@example.com')
    assert.equal(await takeWork(tx, `Change.${waiting}`, 'b@example.com', now()), 'a@example.com')
    await giveWork(tx, `Change.${decided}`, 'a@example.com', 'b@example.com', now())
  })
  const count = async (firmId: string | undefined) =>
    (await run((tx) => countQueues(tx, { firmId, me: 'a@example.com', now: now() }))).find(
      ({ queue }) => queue === 'Change',
    )
  const { count: all, mine, unassigned, three_days } = (await count(undefined)) ?? {}
  assert.deepEqual([all, mine, unassigned, three_days], [1n, 1n, 0n, 1n])
  const other = await count('00000000-0000-4000-8000-000000000302')
  assert.deepEqual([other?.count, other?.unassigned], [0n, 0n])
})

test('claims on finished items are removed', async () => {
  await run((tx) => sweepAssignments(tx, now()))
  const { rows } = await superuser.query('select work_id from clearing.work_assignment')
  assert.deepEqual(rows, [{ work_id: `Change.${waiting}` }])
})
