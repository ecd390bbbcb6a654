/** The inbox in every order: all waiting items, page by page, while decisions are made. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { inTransaction } from '../../server/src/database/transaction.ts'
import { prepareGround, type TestGround } from '../../server/src/identity/test-service.ts'
import {
  findWork,
  valueIn,
  type WorkFilter,
  type WorkOrder,
  type WorkRow,
} from '../../server/src/store/work-list.ts'
import { queueNames, type WorkQueue } from '../../server/src/store/work-queues.ts'
import { makeRandom } from '../faults/random.ts'

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
const random = makeRandom(seed)
const [alpha, beta] = ['00000000-0000-4000-8000-000000000301', '00000000-0000-4000-8000-000000000302']
const people = ['a@example.com', 'b@example.com']

let ground: TestGround
let superuser: pg.Client
before(async () => {
  ground = await prepareGround()
  superuser = await ground.database.superuser()
  // Few moments and two firms, so that many sort values are equal.
  const items = `(select n, 'W' || lpad((n * 7919 % 1000)::text, 7, '0') as account_number, (array['${alpha}', '${beta}'])[1 + n % 2]::uuid as firm_id,
    timestamptz '2026-01-05 10:00Z' - (n % 5) * interval '1 hour' as at from generate_series(1, 60) as n) as item`
  for (const statement of [
    `insert into clearing.account (account_number, firm_id, entity_number, rep_code, registration_type, status, account_name, record, created_at, updated_at)
     select account_number, firm_id, case when firm_id = '${alpha}' then '301' else '302' end, case when firm_id = '${alpha}' then 'JC01' else 'BB01' end, 'Individual', 'Pending', 'JANE DOE ' || n, '{}', at, at from ${items}`,
    `insert into clearing.account_books (account_number, firm_id) select account_number, firm_id from ${items}`,
    `insert into clearing.onboarding (account_number, firm_id, correlation_id, current_state, state, request, possible_duplicates, created_at, updated_at)
     select account_number, firm_id, gen_random_uuid(), 'ManualReview', '{"stage": "IdentityCheck", "stages": []}', '{}', '{}', at, at from ${items}`,
    `insert into clearing.change_request (change_id, firm_id, account_number, operation, subjects, request, fields, reason, requested_by, requested_at, trace_id, state)
     select gen_random_uuid(), firm_id, account_number, case when n % 3 = 0 then 'close-account' else 'update-account' end, '{Names}', '\\x', '[]', '', 'alpha', at, '', 'Requested'
     from ${items} where n <= 30`,
    `insert into clearing.books_break (break_id, account_number, firm_id, kind, reason, raised_at)
     select gen_random_uuid(), account_number, firm_id, 'Unknown', '', at from ${items} where n <= 20`,
    `insert into clearing.margin_call (account_number, kind, issued_on, firm_id, due_by, amount, outstanding, aged_on, age_days)
     select account_number, 'Fed', at::date, firm_id, at::date, 10, 10, at::date, 0 from ${items} where n <= 10`,
    `select graphile_worker.add_job('nobody', '{}'::json, job_key => 'nobody ' || n) from generate_series(1, 3) as n`,
    `update graphile_worker._private_jobs set last_error = 'no', attempts = 25, max_attempts = 25`,
  ])
    await superuser.query(statement)
  for (const [at, { work_id: workId }] of (await everything()).entries()) {
    if (at % 4 === 0)
      await superuser.query(
        `insert into clearing.work_assignment (work_id, assigned_to, assigned_by, assigned_at) values ($1, $2, $2, now())`,
        [workId, random.pick(people)],
      )
  }
})
after(async () => {
  await ground?.[Symbol.asyncDispose]()
})

interface Order {
  readonly sortBy: WorkOrder
  readonly descending: boolean
}

function filterOf(changes: Partial<WorkFilter> = {}): WorkFilter {
  return {
    queues: queueNames,
    firmId: undefined,
    accountNumber: undefined,
    unassigned: false,
    before: undefined,
    now: ground.clock.now(),
    ...changes,
  }
}

function find(filter: WorkFilter, order: Order, last: WorkRow | undefined, most: number) {
  return inTransaction(ground.database.operations, { firm: null }, (tx) =>
    findWork(tx, filter, {
      ...order,
      after: last && { value: valueIn(last, order.sortBy), since: last.since, workId: last.work_id },
      most,
    }),
  )
}
function everything(changes: Partial<WorkFilter> = {}) {
  return find(filterOf(changes), { sortBy: 'since', descending: false }, undefined, 1_000)
}

async function walk(filter: WorkFilter, order: Order, most: number, meanwhile = async () => {}) {
  const rows: WorkRow[] = []
  for (;;) {
    const page = await find(filter, order, rows.at(-1), most)
    rows.push(...page)
    if (page.length < most) return rows
    await meanwhile()
  }
}

function textIn(row: WorkRow, sortBy: WorkOrder): string {
  return sortBy === 'firmName' ? `${row.firm_name ?? ''} ${row.firm_id ?? ''}` : valueIn(row, sortBy)
}

function sorted(rows: readonly WorkRow[], { sortBy, descending }: Order): WorkRow[] {
  const keyOf = (row: WorkRow) => [textIn(row, sortBy), row.since, row.work_id]
  const compare = (one: WorkRow, other: WorkRow): number => {
    const [mine, theirs] = [keyOf(one), keyOf(other)]
    const at = mine.findIndex((text, index) => text !== theirs[index])
    return at < 0 ? 0 : (mine[at] as string) < (theirs[at] as string) ? -1 : 1
  }
  return rows.toSorted((one, other) => (descending ? -compare(one, other) : compare(one, other)))
}

function idsOf(rows: readonly WorkRow[]) {
  return rows.map(({ work_id }) => work_id)
}

const orders = (['since', 'queue', 'accountNumber', 'firmName', 'assignedTo'] as const).flatMap((sortBy) =>
  [false, true].map((descending) => ({ sortBy, descending })),
)

for (const order of orders) {
  const named = `${order.sortBy}, ${order.descending ? 'descend' : 'ascend'}`

  test(`by ${named}: all waiting items, in pages of any size (SEED=${seed})`, async () => {
    const expected = idsOf(sorted(await everything(), order))
    assert.equal(expected.length, 60 + 30 + 20 + 10 + 3)
    for (const most of [1, 7, 1_000])
      assert.deepEqual(idsOf(await walk(filterOf(), order, most)), expected, `pages of ${most}`)
  })

  test(`by ${named}: the filtered items`, async () => {
    const mine = await superuser.query(
      'select work_id from clearing.work_assignment where assigned_to = $1',
      [people[0]],
    )
    for (const changes of [
      { firmId: alpha },
      { unassigned: true },
      { queues: ['Break', 'Job'] as WorkQueue[] },
      { workIds: mine.rows.map(({ work_id }) => work_id as string) },
      { before: new Date('2026-01-05T08:30:00Z') },
      { accountNumber: (await everything({ queues: ['Call'] }))[0]?.account_number },
    ]) {
      const expected = idsOf(sorted(await everything(changes), order))
      assert.ok(expected.length > 1)
      assert.deepEqual(idsOf(await walk(filterOf(changes), order, 5)), expected, JSON.stringify(changes))
    }
  })

  test(`by ${named}: an item decided between two pages displaces no other item (SEED=${seed})`, async () => {
    const before = await everything()
    const decided = new Set<string>()
    const decideOne = async () => {
      const item = random.pick(
        (await everything({ queues: ['Break'] })).filter(({ work_id }) => !decided.has(work_id)),
      )
      if (item === undefined) return
      decided.add(item.work_id)
      await superuser.query('update clearing.books_break set resolved_at = now() where break_id::text = $1', [
        item.item_id,
      ])
    }
    const seen = idsOf(await walk(filterOf(), order, 20, decideOne))
    await superuser.query('update clearing.books_break set resolved_at = null')
    assert.ok(decided.size > 3)
    assert.equal(new Set(seen).size, seen.length)
    const missed = idsOf(before).filter((id) => !seen.includes(id))
    assert.deepEqual(
      missed.filter((id) => !decided.has(id)),
      [],
    )
  })
}
