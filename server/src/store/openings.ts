/**
 * Figures of submitted applications and their outcomes. Past days are counted once, so that the cost does not grow with
 * the number of applications; the current day, and the day before in its first hour, are counted at each request.
 */
import { addDays } from '@clearing/domain/market'
import { type Statement, statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { easternDay } from './books/calendar.ts'
import { dayOf, endOfDay, startOfDay } from './conditions.ts'

/** The conditions of an unfinished application and of the step that ended one. Each matches an index. */
export const isUnfinished = "current_state not in ('CreationComplete', 'Rejected', 'CreationFailed')"
export const isEnd =
  "to_state in ('CreationComplete', 'Rejected', 'CreationFailed') and from_state <> to_state"

/**
 * Applications by day and firm, from `first` to `last`. With `openFrom`, also all applications before and after. With
 * `firm`, those of one firm.
 * Only the beginnings of days are converted to New York's time, because converting each time costs more than
 * reading it. Each table is counted before the columns are made of the counts, which compares fewer rows.
 */
function countedFrom(
  first: string,
  last: string,
  { openFrom, firm }: { readonly openFrom?: string; readonly firm?: string } = {},
): string {
  const begins = `array(select ${startOfDay(`(${first} + n)`)} from generate_series(0, ${last} - ${first}) as n)`
  const [from, to] = [openFrom ?? startOfDay(first), openFrom === undefined ? endOfDay(last) : "'infinity'"]
  const ofFirm = firm === undefined ? '' : ` and firm_id = ${firm}`
  const sumOf = (what: string) => `coalesce(sum(count) filter (where what = '${what}'), 0)`
  return `
    select ${first} - 1 + place as day, firm_id, ${sumOf('Submitted')} as submitted, ${sumOf('CreationComplete')} as opened,
      ${sumOf('Rejected')} as rejected, ${sumOf('CreationFailed')} as failed
    from (
      select width_bucket(created_at, ${begins}) as place, firm_id, 'Submitted' as what, count(*) as count from clearing.account
      where status <> 'Reserved' and created_at >= ${from} and created_at < ${to}${ofFirm} group by 1, 2
      union all
      select width_bucket(at, ${begins}), firm_id, to_state, count(*) from clearing.onboarding_transition
      where ${isEnd} and at >= ${from} and at < ${to}${ofFirm} group by 1, 2, 3
    ) as happened group by 1, 2`
}

/** The number of days whose figures are shown by day. */
const daysShown = 30

interface OpeningDay {
  readonly day: string
  readonly submitted: bigint
  readonly opened: bigint
  readonly rejected: bigint
  readonly failed: bigint
}

// For every day: stored counts, and counts of the days after them. Days outside the range shown may be added
// up.
const selectDays = statement<OpeningDay>(
  'select-opening-days',
  `with counted as materialized (
     select ${endOfDay('through')} as until, greatest(through + 1, $1::date - ${daysShown}) as first from clearing.opening_counted
   ), opening as (
     select day, firm_id, submitted, opened, rejected, failed from clearing.opening_day
     union all ${countedFrom('(select first from counted)', '($1::date + 1)', { openFrom: '(select until from counted)' })}
   )
   select day, sum(submitted)::bigint as submitted, sum(opened)::bigint as opened, sum(rejected)::bigint as rejected,
     sum(failed)::bigint as failed
   from opening where $2::uuid is null or firm_id = $2 group by day`,
)

export interface StateCount {
  readonly state: string
  readonly count: bigint
}

const selectUnfinished = statement<StateCount>(
  'select-unfinished-applications',
  `select current_state as state, count(*) as count from clearing.onboarding
   where ${isUnfinished} and ($1::uuid is null or firm_id = $1) group by 1`,
)

export interface DayCount {
  readonly date: string
  readonly submitted: bigint
  readonly opened: bigint
  readonly rejected: bigint
}

/** The number of applications in each state, by its name, and the figures of the 30 days that end with `today`. */
export async function readOpenings(
  tx: Tx,
  today: string,
  firmId: string | null,
): Promise<{ readonly funnel: StateCount[]; readonly days: DayCount[] }> {
  const [counted, unfinished] = await Promise.all([
    tx.rows(selectDays, [today, firmId]),
    tx.rows(selectUnfinished, [firmId]),
  ])
  const total = (outcome: 'opened' | 'rejected' | 'failed') =>
    counted.reduce((sum, day) => sum + day[outcome], 0n)
  const ended = [
    { state: 'CreationComplete', count: total('opened') },
    { state: 'CreationFailed', count: total('failed') },
    { state: 'Rejected', count: total('rejected') },
  ].filter(({ count }) => count > 0n)
  const byDay = new Map(counted.map((day) => [day.day, day]))
  return {
    funnel: [...unfinished, ...ended].sort((one, other) => (one.state < other.state ? -1 : 1)),
    days: Array.from({ length: daysShown }, (_, at) => {
      const date = addDays(today, at + 1 - daysShown)
      const { submitted = 0n, opened = 0n, rejected = 0n, failed = 0n } = byDay.get(date) ?? {}
      return { date, submitted, opened, rejected: rejected + failed }
    }),
  }
}

/** A day is counted when it ended this long ago. By then every transaction of the day has ended. */
const settledAfterMs = 60 * 60 * 1_000
/** The number of days that one transaction counts. */
const countedAtOnce = 31
/** Counts are stored by day for this long, for the figures of 30 days, and then added up. */
const keptDays = 40

const lockCounted = statement<{ from: string; through: string; target: string }>(
  'lock-openings-counted',
  `select greatest(through + 1, oldest) as from, least(target, greatest(through, oldest - 1) + ${countedAtOnce}) as through, target
   from (
     select through, $1::date as target, coalesce(
       (select ${dayOf('created_at')} from clearing.account order by created_at, account_number limit 1),
       $1::date) as oldest
     from clearing.opening_counted for update
   ) as counted`,
)
const insertDays = statement(
  'insert-opening-days',
  `insert into clearing.opening_day (day, firm_id, submitted, opened, rejected, failed)
   ${countedFrom('$1::date', '$2::date')}`,
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

/**
 * Counts the next past days, at most a month of them, and returns whether more remain. In an operations transaction.
 */
export async function countOpenings(tx: Tx, now: Date): Promise<boolean> {
  const today = easternDay(now)
  const lastSettled = addDays(easternDay(new Date(now.getTime() - settledAfterMs)), -1)
  const next = await tx.row(lockCounted, [lastSettled])
  if (next === undefined || next.from > next.target) return false
  await tx.run(insertDays, [next.from, next.through])
  await tx.run(addOldDays, [today])
  await tx.run(updateCounted, [next.through])
  return next.through < next.target
}

const lockCountedOfFirm = statement<{ first: string | null; through: string }>(
  'lock-openings-counted-of-firm',
  `select through, (select ${dayOf('min(created_at)')} from clearing.account where firm_id = $1) as first
   from clearing.opening_counted for update`,
)
const removeDaysOfFirm = statement(
  'remove-opening-days-of-firm',
  'delete from clearing.opening_day where firm_id = $1',
)
const insertDaysOfFirm = statement(
  'insert-opening-days-of-firm',
  `insert into clearing.opening_day (day, firm_id, submitted, opened, rejected, failed)
   ${countedFrom('$1::date', '$2::date', { firm: '$3::uuid' })}`,
)

/**
 * Counts the days of a firm that came from another cell, up to the day that this cell has counted. The other cell may
 * have counted fewer days, or more, which this cell would count again.
 */
export async function countOpeningsOfFirm(tx: Tx, firmId: string): Promise<void> {
  const counted = await tx.row(lockCountedOfFirm, [firmId])
  await tx.run(removeDaysOfFirm, [firmId])
  if (counted?.first == null || counted.first > counted.through) return
  await tx.run(insertDaysOfFirm, [counted.first, counted.through, firmId])
}
