/** Durations by state are the same if stays are read or cached, also for applications that continue after their end. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { unprepared } from '../database/statement.ts'
import { inTransaction } from '../database/transaction.ts'
import { prepareGround, type TestGround } from '../identity/test-service.ts'
import type { StateTime } from '../store/overview.ts'
import { TimeInState } from './time-in-state.ts'

const [alpha, beta] = ['00000000-0000-4000-8000-000000000301', '00000000-0000-4000-8000-000000000302']
const since = new Date('2026-03-01T00:00:00Z')
/** Of every three applications, one is opened, one is rejected and one waits. */
const applications = `(select n, 'O' || lpad(n::text, 7, '0') as account_number, (array['${alpha}', '${beta}'])[1 + n % 2]::uuid as firm_id,
  (array['CreationComplete', 'Rejected', 'ManualReview'])[1 + n % 3] as state,
  timestamptz '2026-03-02T12:00:00Z' + n * interval '1 hour' as at from generate_series(1, 60) as n) as application`

let ground: TestGround
let superuser: pg.Client
before(async () => {
  ground = await prepareGround()
  superuser = await ground.database.superuser()
  for (const statement of [
    'set session_replication_role = replica',
    `insert into clearing.onboarding (account_number, firm_id, correlation_id, current_state, state, possible_duplicates, created_at, updated_at)
     select account_number, firm_id, gen_random_uuid(), state, '{}', '{}', at, at from ${applications}`,
    `insert into clearing.onboarding_transition (account_number, firm_id, step, from_state, to_state, at, actor, reason)
     select account_number, firm_id, 1, 'Submitted', 'Screening', at + n * interval '7 minutes', 'service', '' from ${applications}`,
    `insert into clearing.onboarding_transition (account_number, firm_id, step, from_state, to_state, at, actor, reason)
     select account_number, firm_id, 2, 'Screening', state, at + n * interval '19 minutes', 'service', '' from ${applications}`,
  ])
    await superuser.query(statement)
})
after(async () => {
  await ground?.[Symbol.asyncDispose]()
})

/** Every stay of every application. */
const byDefinition = unprepared<StateTime>(
  `select state, count(*) as count, percentile_cont(0.5) within group (order by hours) as median_hours,
     percentile_cont(0.9) within group (order by hours) as p90_hours
   from (
     select from_state as state, extract(epoch from at - lag(at, 1, created_at) over (partition by account_number order by transition.step))::float8 / 3600 as hours
     from clearing.onboarding_transition as transition join clearing.onboarding using (account_number, firm_id)
     where $1::uuid is null or firm_id = $1
   ) as stay group by state order by state`,
)

function rounded(times: readonly StateTime[]) {
  return times.map(({ state, count, median_hours, p90_hours }) => ({
    state,
    count,
    median: median_hours.toFixed(6),
    p90: p90_hours.toFixed(6),
  }))
}

test('durations are those of all stays, read or cached, also after applications end or continue', async () => {
  const times = new TimeInState()
  const changes = [
    'select',
    // The opened applications continue, and end again in a later change.
    `insert into clearing.onboarding_transition (account_number, firm_id, step, from_state, to_state, at, actor, reason)
     select account_number, firm_id, 3, state, 'ManualReview', at + interval '40 hours', 'service', '' from ${applications} where n in (6, 7)`,
    "update clearing.onboarding set current_state = 'ManualReview', updated_at = '2026-03-20' where account_number in ('O0000006', 'O0000007')",
    `insert into clearing.onboarding_transition (account_number, firm_id, step, from_state, to_state, at, actor, reason)
     select account_number, firm_id, 4, 'ManualReview', 'Rejected', at + interval '50 hours', 'service', '' from ${applications} where n in (6, 7)`,
    "update clearing.onboarding set current_state = 'Rejected', updated_at = '2026-03-21' where account_number in ('O0000006', 'O0000007')",
  ]
  for (const [at, change] of changes.entries()) {
    await superuser.query(change)
    // An application is inconsistent between the insert of its transition and the update of its state.
    if (at % 2 === 1) continue
    for (const firmId of [null, alpha, null, beta])
      await inTransaction(ground.database.operations, { firm: null }, async (tx) =>
        assert.deepEqual(
          rounded(await times.read(tx, since, firmId)),
          rounded(await tx.rows(byDefinition, [firmId])),
          `change ${at}, firm ${firmId}`,
        ),
      )
  }
})

test('the stays of an application are read only once, and again after it was written, even at the same time', async () => {
  const times = new TimeInState()
  const asked: unknown[] = []
  const read = () =>
    inTransaction(ground.database.operations, { firm: null }, async (tx) => {
      const counting = Object.create(tx) as typeof tx
      counting.rows = (statement, values) => {
        if (Array.isArray(values?.[0])) asked.push(values[0].length === 1 ? values[0][0] : values[0].length)
        return tx.rows(statement, values)
      }
      return rounded(await times.read(counting, since, null))
    })
  const first = await read()
  assert.deepEqual(await read(), first)
  assert.deepEqual(asked, [60])

  await superuser.query(
    `insert into clearing.onboarding_transition (account_number, firm_id, step, from_state, to_state, at, actor, reason)
     select account_number, firm_id, 3, 'ManualReview', 'ActionRequired', at + n * interval '19 minutes', 'service', '' from ${applications} where n = 2`,
  )
  await superuser.query(
    "update clearing.onboarding set current_state = 'ActionRequired' where account_number = 'O0000002'",
  )
  assert.equal((await read()).find(({ state }) => state === 'ManualReview')?.count, 3n)
  assert.deepEqual(asked, [60, 'O0000002'])
})
