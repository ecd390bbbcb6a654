/** The role that serves firms sees no staff, no sessions, and only the rows of work of its own firm. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { unprepared } from '../database/statement.ts'
import { inTransaction } from '../database/transaction.ts'
import { prepareGround, type TestGround } from '../identity/test-service.ts'

let ground: TestGround
let superuser: pg.Client
const alpha = '00000000-0000-4000-8000-000000000301'
const beta = '00000000-0000-4000-8000-000000000302'
before(async () => {
  ground = await prepareGround()
  superuser = await ground.database.superuser()
})
after(async () => {
  await ground?.[Symbol.asyncDispose]()
})

/** Another credential of the firm ends the change. */
const withdrawnByAnother = `update clearing.change_request set state = 'Withdrawn', decided_by = 'other', decided_at = now()`

function ask(firm: string, text: string) {
  return inTransaction(ground.database.app, { firm, readOnly: true }, (tx) =>
    tx.rows(unprepared<unknown>(text)),
  )
}

for (const table of [
  'staff',
  'staff_session',
  'sign_in_guess',
  'sign_in_state',
  'note',
  'work_assignment',
  'work_settlement',
]) {
  test(`the role that serves firms cannot read ${table}`, async () => {
    await assert.rejects(ask(alpha, `select * from clearing.${table}`), (fault) =>
      /permission denied/.test(String((fault as Error).cause ?? fault)),
    )
  })
}

test('the role that serves firms cannot call the functions of the job queue', async () => {
  await assert.rejects(ask(alpha, 'select * from clearing.failed_jobs()'))
  await assert.rejects(ask(alpha, "select clearing.retry_job('1')"))
})

test('a firm sees its own change requests and no others', async () => {
  await superuser.query(
    `insert into clearing.change_request
       (change_id, firm_id, operation, subjects, request, fields, reason, requested_by, requested_at, trace_id)
     values (gen_random_uuid(), $1, 'update-account', '{Names}', '\\x', '[]', '', 'alpha', now(), '')`,
    [alpha],
  )
  const select = 'select change_id from clearing.change_request'
  assert.equal((await ask(alpha, select)).length, 1)
  assert.equal((await ask(beta, select)).length, 0)
})

test('a firm ends its own change requests as withdrawn, and in no other way', async () => {
  const end = (firm: string, state: string, more = '') =>
    inTransaction(ground.database.app, { firm }, (tx) =>
      tx.run(
        unprepared(
          `update clearing.change_request set state = '${state}', decided_by = 'other', decided_at = now()${more}`,
        ),
      ),
    )
  const denied = (expected: RegExp) => (fault: unknown) =>
    expected.test(String((fault as Error).cause ?? fault))
  await assert.rejects(end(alpha, 'Approved'), denied(/row-level security/))
  await assert.rejects(end(alpha, 'Rejected'), denied(/row-level security/))
  await assert.rejects(end(alpha, 'Withdrawn', ", reason = ''"), denied(/permission denied/))
  assert.equal(await end(beta, 'Withdrawn'), 0)
  await assert.rejects(
    inTransaction(ground.database.app, { firm: alpha }, async (tx) => {
      assert.equal(await tx.run(unprepared(withdrawnByAnother)), 1)
      throw new Error('not kept')
    }),
    /not kept/,
  )
})

test('a requester cannot approve a change, no other person can withdraw it, and no change is decided twice', async () => {
  const decide = (state: string, by: string) =>
    superuser.query('update clearing.change_request set state = $1, decided_by = $2, decided_at = now()', [
      state,
      by,
    ])
  await assert.rejects(decide('Approved', 'ALPHA'), /maker_is_not_checker/)
  await assert.rejects(decide('Withdrawn', 'operator@example.com'), /maker_is_not_checker/)
  await decide('Approved', 'operations')
  await assert.rejects(decide('Rejected', 'operations'), /was decided already/)
})
