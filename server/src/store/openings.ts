/**
 * Figures of submitted applications and their outcomes. Past days are counted once, so that the cost does not grow with the
 * number of applications; the last days are counted at each request.
 */
import { type Statement, statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

/** The conditions of an unfinished application and of the step that ended one. Each matches an index. */
export const isUnfinished = "current_state not in ('CreationComplete', 'Rejected', 'CreationFailed')"
export const isEnd =
  "to_state in ('CreationComplete', 'Rejected', 'CreationFailed') and from_state <> to_state"

/** The moment at which a day begins in New York. */
function startOf(day: string): string {
  return `(${day})::timestamp at time zone 'America/New_York'`
}

/** Applications by day and firm from one moment to another. */
function countedFrom(from: string, to: string): string {
  return `
    select (at at time zone 'America/New_York')::date as day, firm_id,
      count(*) filter (where what = 'Submitted') as submitted, count(*) filter (where what = 'CreationComplete') as opened,
      count(*) filter (where what = 'Rejected') as rejected, count(*) filter (where what = 'CreationFailed') as failed
    from (
      select created_at as at, firm_id, 'Submitted' as what from clearing.account
      where status <> 'Reserved' and created_at >= ${from} and created_at < ${to}
      union all
      select at, firm_id, to_state from clearing.onboarding_transition where ${isEnd} and at >= ${from} and at < ${to}
    ) as happened group by 1, 2`
}

/** Every day: stored counts, and counts of the days after them. */
const days = `
  with counted as materialized (select ${startOf('through + 1')} as until from clearing.opening_counted),
  opening as (
    select day, firm_id, submitted, opened, rejected, failed from clearing.opening_day
    union all ${countedFrom('(select until from counted)', "'infinity'")}
  )`

export interface StateCount {
  readonly state: string
  readonly count: bigint
}

const selectFunnel = statement<StateCount>(
  'select-opening-funnel',
  `${days}
   select state, sum(count)::bigint as count from (
     select current_state as state, count(*) as count from clearing.onboarding
     where ${isUnfinished} and ($1::uuid is null or firm_id = $1) group by 1
     union all
     select ended.* from opening cross join lateral (
       values ('CreationComplete', opened), ('Rejected', rejected), ('CreationFailed', failed)
     ) as ended where $1::uuid is null or firm_id = $1
   ) as figures (state, count) group by 1 having sum(count) > 0 order by 1`,
)
/** The number of applications in each state. */
export function readFunnel(tx: Tx, firmId: string | null): Promise<StateCount[]> {
  return tx.rows(selectFunnel, [firmId])
}

export interface DayCount {
  readonly date: string
  readonly submitted: bigint
  readonly opened: bigint
  readonly rejected: bigint
}

const selectDays = statement<DayCount>(
  'select-opening-days',
  `${days}
   select date, coalesce(sum(submitted), 0)::bigint as submitted, coalesce(sum(opened), 0)::bigint as opened,
     coalesce(sum(rejected + failed), 0)::bigint as rejected
   from generate_series($1::date - 29, $1::date, interval '1 day') as moment cross join lateral (values (moment::date)) as shown (date)
     left join opening on day = date and ($2::uuid is null or firm_id = $2)
   group by 1 order by 1`,
)
/** The 30 days that end with `today`. */
export function readDays(tx: Tx, today: string, firmId: string | null): Promise<DayCount[]> {
  return tx.rows(selectDays, [today, firmId])
}

/** A day is counted after this many further days. By then every transaction of the day has ended. */
const settledAfterDays = 2
/** The number of days that one transaction counts. */
const countedAtOnce = 31
/** Counts are stored by day for this long, for the figures of 30 days, and then added up. */
const keptDays = 40

const lockCounted = statement<{ from: string; through: string; target: string }>(
  'lock-openings-counted',
  `select greatest(through + 1, oldest) as from, least(target, greatest(through, oldest - 1) + ${countedAtOnce}) as through, target
   from (
     select through, $1::date - ${settledAfterDays} as target, coalesce(
       (select (created_at at time zone 'America/New_York')::date from clearing.account order by created_at, account_number limit 1),
       $1::date - ${settledAfterDays}) as oldest
     from clearing.opening_counted for update
   ) as counted`,
)
const insertDays = statement(
  'insert-opening-days',
  `insert into clearing.opening_day (day, firm_id, submitted, opened, rejected, failed)
   ${countedFrom(startOf('$1::date'), startOf('$2::date + 1'))}`,
)
const addOldDays: Statement<unknown> = statement(
  'add-old-opening-days',
  `with old as (
     delete from clearing.opening_day where day < $1::date - ${keptDays} and day > '0001-01-01' returning *
   )
   insert into clearing.opening_day as kept (day, firm_id, submitted, opened, rejected, failed)
   select '0001-01-01', firm_id, sum(submitted), sum(opened), sum(rejected), sum(failed) from old group by firm_id
   on conflict (day, firm_id) do update set submitted = kept.submitted + excluded.submitted, opened = kept.opened + excluded.opened,
     rejected = kept.rejected + excluded.rejected, failed = kept.failed + excluded.failed`,
)
const updateCounted = statement('update-openings-counted', 'update clearing.opening_counted set through = $1')

/** Counts the next past days, at most a month of them, and returns whether more remain. In an operations transaction. */
export async function countOpenings(tx: Tx, today: string): Promise<boolean> {
  const next = await tx.row(lockCounted, [today])
  if (next === undefined || next.from > next.target) return false
  await tx.run(insertDays, [next.from, next.through])
  await tx.run(addOldDays, [today])
  await tx.run(updateCounted, [next.through])
  return next.through < next.target
}
