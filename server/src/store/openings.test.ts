/**
 * Figures of applications are the same before and after their days are counted. Figures of counted days are read
 * without reading applications.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { prepareGround, type TestGround } from '../identity/test-service.ts'
import { countOpenings, countOpeningsOfFirm, readOpenings } from './openings.ts'

const today = '2026-03-31'
/** 01:00 in New York, an hour after the end of the day before. */
function settled(day: string) {
  return new Date(`${day}T05:00:00Z`)
}
const [alpha, beta] = ['00000000-0000-4000-8000-000000000301', '00000000-0000-4000-8000-000000000302']
/**
 * A hundred days with two applications each, at noon. Of every three applications, one is opened, one is rejected on
 * the next day, and one waits.
 */
const applications = `(select n, 'O' || lpad(n::text, 7, '0') as account_number, (array['${alpha}', '${beta}'])[1 + n % 2]::uuid as firm_id,
  (array['CreationComplete', 'Rejected', 'ManualReview'])[1 + n % 3] as state,
  timestamptz '${today} 12:00 America/New_York' - (n / 2) * interval '1 day' as at from generate_series(1, 200) as n) as application`

let ground: TestGround
let superuser: pg.Client
before(async () => {
  ground = await prepareGround()
  superuser = await ground.database.superuser()
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
  await ground?.[Symbol.asyncDispose]()
})

function run<T>(body: (tx: Tx) => Promise<T>) {
  return inTransaction(ground.database.operations, { firm: null }, body)
}
function figures() {
  return run((tx) => Promise.all([null, alpha].map((firm) => readOpenings(tx, today, firm))))
}

test('figures stay the same when their days are counted, and counted applications are not read again', async () => {
  const counted = await figures()
  assert.deepEqual(counted[0]?.funnel, [
    { state: 'CreationComplete', count: 66n },
    { state: 'ManualReview', count: 67n },
    { state: 'Rejected', count: 67n },
  ])
  const days = counted[0]?.days ?? []
  assert.deepEqual([days.length, days[0]?.date, days[29]?.date], [30, '2026-03-02', today])
  assert.deepEqual([days[0]?.submitted, days[29]?.submitted], [2n, 1n])

  let portions = 1
  while (await run((tx) => countOpenings(tx, settled(today)))) portions += 1
  assert.equal(portions, 4, 'a month at a time')
  assert.deepEqual(await figures(), counted)
  assert.equal(await run((tx) => countOpenings(tx, settled(today))), false)

  await superuser.query(
    `delete from clearing.onboarding_transition where at < timestamptz '${today} America/New_York' and to_state <> 'ManualReview'`,
  )
  await superuser.query(
    `delete from clearing.account where created_at < timestamptz '${today} America/New_York'`,
  )
  assert.deepEqual(await figures(), counted)
  const { rows } = await superuser.query('select count(distinct day)::int as days from clearing.opening_day')
  assert.equal(rows[0].days, 41, 'older days are added up')
})

test('a day is counted when an hour has passed since its end in New York', async () => {
  const through = async (at: string) => {
    while (await run((tx) => countOpenings(tx, new Date(at))));
    const { rows } = await superuser.query('select through::text from clearing.opening_counted')
    return rows[0].through
  }
  assert.equal(await through('2026-04-01T04:59:59.999Z'), '2026-03-30')
  assert.equal(await through('2026-04-01T05:00:00Z'), '2026-03-31')
})

/** The figures by their definition: each time is converted to its day in New York. */
const byDefinition = `
  select 'days' as what, shown::date::text as name, count(*) filter (where outcome = 'Submitted') as submitted,
    count(*) filter (where outcome = 'CreationComplete') as opened, count(*) filter (where outcome in ('Rejected', 'CreationFailed')) as rejected
  from generate_series($1::date - 29, $1::date, interval '1 day') as shown left join happened
    on day = shown::date and ($2::uuid is null or firm_id = $2) group by shown
  union all
  select 'funnel', outcome, count(*), 0, 0 from happened where outcome <> 'Submitted' and ($2::uuid is null or firm_id = $2) group by 2
  union all
  select 'funnel', current_state, count(*), 0, 0 from clearing.onboarding
  where current_state not in ('CreationComplete', 'Rejected', 'CreationFailed') and ($2::uuid is null or firm_id = $2) group by 2
  order by 1, 2`
const happened = `with happened as (
  select firm_id, (created_at at time zone 'America/New_York')::date as day, 'Submitted' as outcome from clearing.account where status <> 'Reserved'
  union all
  select firm_id, (at at time zone 'America/New_York')::date, to_state from clearing.onboarding_transition
  where to_state in ('CreationComplete', 'Rejected', 'CreationFailed') and from_state <> to_state)`

test('figures belong to days in New York to the microsecond, before and after their days are counted', async () => {
  // Instants around midnight in New York: around both changes of daylight saving time, and on a day far in the
  // future.
  await superuser.query(`create temporary table moment as
    select row_number() over () as n, (day::timestamp at time zone 'America/New_York') + off * interval '1 microsecond' as at
    from (select generate_series('2026-02-20'::date, '2026-03-20', '1 day') union all select generate_series('2025-10-25'::date, '2025-11-05', '1 day')
      union all select '2026-06-30'::date) as days (day) cross join generate_series(-1, 1) as off`)
  const firm = `(array['${alpha}', '${beta}'])[1 + n % 2]::uuid`
  await superuser.query(
    `insert into clearing.account (account_number, firm_id, entity_number, rep_code, registration_type, status, account_name, record, created_at, updated_at)
     select 'P' || lpad(n::text, 7, '0'), ${firm}, '301', 'JC01', 'Individual', case when n % 7 = 0 then 'Reserved' else 'Pending' end, '',
       case when n % 7 <> 0 then '{}'::jsonb end, at, at from moment`,
  )
  await superuser.query(
    `insert into clearing.onboarding_transition (account_number, firm_id, step, from_state, to_state, at, actor, reason)
     select 'P' || lpad(n::text, 7, '0'), ${firm}, 1, case when n % 11 = 0 then 'Rejected' else 'Submitted' end,
       (array['CreationComplete', 'Rejected', 'CreationFailed', 'ManualReview'])[1 + n % 4], at, 'service', '' from moment`,
  )
  await superuser.query(
    "delete from clearing.opening_day; update clearing.opening_counted set through = '0001-01-01'",
  )
  const asDefined = async (day: string, firmId: string | null) => {
    const { rows } = await superuser.query(`${happened} ${byDefinition}`, [day, firmId])
    const days = rows.filter(({ what }) => what === 'days')
    return {
      funnel: rows
        .filter(({ what }) => what === 'funnel')
        .map(({ name, submitted }) => ({ state: name, count: BigInt(submitted) })),
      days: days.map(({ name, submitted, opened, rejected }) => ({
        date: name,
        submitted: BigInt(submitted),
        opened: BigInt(opened),
        rejected: BigInt(rejected),
      })),
    }
  }
  for (const counted of [undefined, '2025-11-04', '2026-03-10', '2026-03-31']) {
    while (counted !== undefined && (await run((tx) => countOpenings(tx, settled(counted)))));
    for (const firmId of [null, alpha])
      for (const day of counted === '2026-03-31'
        ? [counted, '2026-04-15']
        : ['2025-11-05', '2026-03-10', '2026-03-31', '2026-04-15'])
        if (counted === undefined || day >= counted)
          assert.deepEqual(
            await run((tx) => readOpenings(tx, day, firmId)),
            await asDefined(day, firmId),
            `${counted} ${day}`,
          )
  }
})

test('a firm that comes from another cell is counted as far as its new cell has counted', async () => {
  const before = await figures()
  for (const change of [
    `delete from clearing.opening_day where firm_id = '${alpha}'`,
    `update clearing.opening_day set submitted = submitted + 1 where firm_id = '${alpha}'`,
  ]) {
    await superuser.query(change)
    assert.notDeepEqual(await figures(), before)
    await run((tx) => countOpeningsOfFirm(tx, alpha))
    assert.deepEqual(await figures(), before)
  }
  await superuser.query("update clearing.opening_counted set through = '0001-01-01'")
  await superuser.query('delete from clearing.opening_day')
  await run((tx) => countOpeningsOfFirm(tx, alpha))
  while (await run((tx) => countOpenings(tx, settled(today))));
  assert.deepEqual(await figures(), before)
})
