/**
 * Figures of applications are the same before and after their days are counted. Reading figures of counted days reads no
 * applications.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { prepareGround, type TestGround } from '../identity/test-service.ts'
import { countOpenings, readDays, readFunnel } from './openings.ts'

const today = '2026-03-31'
const [alpha, beta] = ['00000000-0000-4000-8000-000000000301', '00000000-0000-4000-8000-000000000302']
/**
 * A hundred days with two applications each, at noon. Of every three applications one is opened, one is rejected on the next
 * day, and one waits.
 */
const applications = `(select n, 'O' || lpad(n::text, 7, '0') as account_number, (array['${alpha}', '${beta}'])[1 + n % 2]::uuid as firm_id,
  (array['CreationComplete', 'Rejected', 'ManualReview'])[1 + n % 3] as state,
  timestamptz '${today} 12:00 America/New_York' - (n / 2) * interval '1 day' as at from generate_series(1, 200) as n) as application`

let ground: TestGround
let superuser: pg.Client
before(async () => {
  ground = await prepareGround()
  superuser = new pg.Client({ connectionString: ground.database.urls.superuser })
  await superuser.connect()
  for (const statement of [
    'set session_replication_role = replica',
    `insert into clearing.account (account_number, firm_id, entity_number, rep_code, registration_type, status, account_name, record, created_at, updated_at)
     select account_number, firm_id, '301', 'JC01', 'Individual', 'Pending', 'JANE DOE', '{}', at, at from ${applications}`,
    `insert into clearing.onboarding (account_number, firm_id, correlation_id, current_state, state, request, possible_duplicates, created_at, updated_at)
     select account_number, firm_id, gen_random_uuid(), state, '{}', '{}', '{}', at, at from ${applications}`,
    `insert into clearing.onboarding_transition (account_number, firm_id, step, from_state, to_state, at, actor, reason)
     select account_number, firm_id, 1, 'Submitted', state, case state when 'Rejected' then at + interval '1 day' else at end, 'service', ''
     from ${applications}`,
  ])
    await superuser.query(statement)
})
after(async () => {
  await superuser?.end()
  await ground?.[Symbol.asyncDispose]()
})

function run<T>(body: (tx: Tx) => Promise<T>) {
  return inTransaction(ground.database.operations, { firm: null }, body)
}
function figures() {
  return run((tx) =>
    Promise.all([null, alpha].flatMap((firm) => [readFunnel(tx, firm), readDays(tx, today, firm)])),
  )
}

test('figures are the same when their days are counted, and cost no look at what was counted', async () => {
  const counted = await figures()
  assert.deepEqual(counted[0], [
    { state: 'CreationComplete', count: 66n },
    { state: 'ManualReview', count: 67n },
    { state: 'Rejected', count: 67n },
  ])
  const days = counted[1] as { date: string; submitted: bigint }[]
  assert.deepEqual([days.length, days[0]?.date, days[29]?.date], [30, '2026-03-02', today])
  assert.deepEqual([days[0]?.submitted, days[29]?.submitted], [2n, 1n])

  let portions = 1
  while (await run((tx) => countOpenings(tx, today))) portions += 1
  assert.equal(portions, 4, 'a month at a time')
  assert.deepEqual(await figures(), counted)
  assert.equal(await run((tx) => countOpenings(tx, today)), false)

  await superuser.query(
    `delete from clearing.onboarding_transition where at < timestamptz '${today} America/New_York' - interval '1 day' and to_state <> 'ManualReview'`,
  )
  await superuser.query(
    `delete from clearing.account where created_at < timestamptz '${today} America/New_York' - interval '1 day'`,
  )
  assert.deepEqual(await figures(), counted)
  const { rows } = await superuser.query('select count(distinct day)::int as days from clearing.opening_day')
  assert.equal(rows[0].days, 40, 'older days are added up')
})
