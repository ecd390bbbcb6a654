/**
 * Figures over one firm or all firms: the states of applications, their durations and outcomes, and the growth of
 * queues.
 */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { endOfDay, startOfDay } from './conditions.ts'
import type { Acceptance, CheckItem } from './open-items.ts'
import { isEnd, isUnfinished, type StateCount } from './openings.ts'

export interface StateTime extends StateCount {
  readonly median_hours: number
  readonly p90_hours: number
}

/** Durations of stays in a state. A stay begins at the end of the previous one. */
function staysOf(which: string, applications: string): string {
  return `
  select account_number, from_state as state, extract(epoch from at - began)::float8 / 3600 as hours from (
    select account_number, from_state, to_state, at,
      lag(at, 1, application.created_at) over (partition by account_number order by onboarding_transition.step) as began
    from clearing.onboarding_transition join ${applications} as application using (account_number)
    where ${which} and from_state <> to_state
  ) as stay`
}
/** Durations are computed from this many recent and unfinished applications, so that the cost is the same every day. */
const applicationsLookedAt = 2_000
// One text, because to read thousands of small rows costs the service more than the statement costs the database. An
// application can end more than once: `TimeInState` keeps the last end.
const selectLookedAt = statement<{ ended: string | null; unfinished: string | null }>(
  'select-applications-looked-at',
  `select (
     select string_agg(account_number || ',' || date_part('epoch', at), ',') from (
       select account_number, at from clearing.onboarding_transition
       where ${isEnd} and at > $1 and ($2::uuid is null or firm_id = $2) order by at desc limit ${applicationsLookedAt}
     ) as last
   ) as ended, (
     select string_agg(account_number || ',-' || xmin, ',') from (
       select account_number, xmin from clearing.onboarding
       where ${isUnfinished} and updated_at > $1 and ($2::uuid is null or firm_id = $2) limit ${applicationsLookedAt}
     ) as waiting
   ) as unfinished`,
)

/**
 * The applications whose durations are shown, by account number, each with its version, which differs after its stays
 * have changed. It is the time of the last end in seconds, or for an unfinished application the negative id of the
 * transaction that wrote its row. A part of the row's text would keep the whole text in memory, so the version is a
 * number.
 */
export async function readLookedAt(
  tx: Tx,
  since: Date,
  firmId: string | null,
): Promise<ReadonlyMap<string, number>> {
  const row = await tx.row(selectLookedAt, [since, firmId])
  const versions = new Map<string, number>()
  for (const [accountNumber, ended] of pairsOf(row?.ended))
    versions.set(accountNumber, Math.max(ended, versions.get(accountNumber) ?? 0))
  for (const [accountNumber, written] of pairsOf(row?.unfinished)) versions.set(accountNumber, written)
  return versions
}

function* pairsOf(text: string | null | undefined): Generator<[accountNumber: string, version: number]> {
  const words = text?.split(',') ?? []
  for (let at = 0; at < words.length; at += 2) yield [words[at] ?? '', Number(words[at + 1])]
}

export interface Stay {
  readonly account_number: string
  readonly state: string
  readonly hours: number
}

// The applications are read by one scan for all numbers, which passes each page of the index once.
const selectStays = statement<Stay>(
  'select-stays-of-applications',
  `with submitted as materialized (
     select account_number, created_at from clearing.onboarding where account_number = any ($1::text[])
   )
   ${staysOf('account_number = any ($1::text[])', 'submitted')}`,
)
/** The stays of these applications in their states. */
export function readStays(tx: Tx, accountNumbers: readonly string[]): Promise<Stay[]> {
  return accountNumbers.length === 0 ? Promise.resolve([]) : tx.rows(selectStays, [accountNumbers])
}

export interface Health {
  readonly jobs_waiting: bigint
  readonly oldest_job: string | null
  readonly jobs_failed: bigint
  readonly deliveries_waiting: bigint
  readonly deliveries_failed: bigint
  readonly loads_running: bigint
}

const selectHealth = statement<Health>(
  'select-service-health',
  `select waiting as jobs_waiting, oldest as oldest_job, (select count(*) from clearing.failed_jobs()) as jobs_failed,
     (select count(*) from clearing.webhook_delivery where status = 'Waiting') as deliveries_waiting,
     (select count(*) from clearing.webhook_delivery where status = 'Failed') as deliveries_failed,
     (select count(*) from clearing.load where state = 'Running') as loads_running
   from clearing.job_figures()`,
)
export async function readHealth(tx: Tx): Promise<Health> {
  const row = await tx.row(selectHealth)
  if (row === undefined) throw new Error('the health of the service has no row')
  return row
}

export interface CloseRow {
  readonly close_date: string
  readonly step: string
  readonly accounts: bigint
  readonly positions: bigint
  readonly calls_issued: bigint
  readonly calls_met: bigint
  readonly durations: Readonly<Record<string, number>>
  readonly started_at: string
  readonly closed_at: string | null
  readonly checklist: readonly CheckItem[] | null
  readonly accepted: Acceptance | null
}

const selectCloses = statement<CloseRow>(
  'select-last-closes',
  `select close_date, step, accounts, positions, calls_issued, calls_met, durations, started_at, closed_at,
     checklist, accepted
   from clearing.business_day_close order by close_date desc limit 2`,
)
/** The last two closes, because the last one may be running. */
export function readLastCloses(tx: Tx): Promise<CloseRow[]> {
  return tx.rows(selectCloses)
}

export interface FirmOpenings {
  readonly firm_id: string
  readonly firm_name: string
  readonly submitted: bigint
  readonly opened: bigint
  readonly rejected: bigint
  readonly failed: bigint
  readonly asked_back: bigint
}

// The date of an application is that of its account, which has the index.
const range = `account.created_at >= ${startOfDay('$1')} and account.created_at < ${endOfDay('$2')} and ($3::uuid is null or onboarding.firm_id = $3)`

const selectOpenings = statement<FirmOpenings>(
  'report-openings',
  `select onboarding.firm_id, firm.name as firm_name, count(*) as submitted,
     count(*) filter (where current_state = 'CreationComplete') as opened,
     count(*) filter (where current_state = 'Rejected') as rejected,
     count(*) filter (where current_state = 'CreationFailed') as failed,
     count(*) filter (where jsonb_array_length(state -> 'followUps') > 0
       and exists (select from jsonb_array_elements(state -> 'followUps') as asked where asked ->> 'kind' <> 'Review' and asked -> 'blocking' is distinct from 'false')) as asked_back
   from clearing.account join clearing.onboarding using (account_number) join clearing.firm on firm.firm_id = onboarding.firm_id
   where ${range} group by 1, 2 order by 2`,
)
const selectReasons = statement<{ firm_id: string; reason: string; count: bigint }>(
  'report-rejection-reasons',
  `select onboarding.firm_id, coalesce(nullif(state ->> 'reason', ''), 'No reason was given') as reason, count(*) as count
   from clearing.account join clearing.onboarding using (account_number)
   where current_state in ('Rejected', 'CreationFailed') and ${range}
   group by 1, 2 order by 3 desc, 2 limit 500`,
)
interface TimeOfFirm extends StateTime {
  readonly firm_id: string
}
const accountsInRange = `account_number in (
  select account_number from clearing.account
  where created_at >= ${startOfDay('$1')} and created_at < ${endOfDay('$2')} and ($3::uuid is null or firm_id = $3))`
const selectTimes = statement<TimeOfFirm>(
  'report-times',
  `select account.firm_id, state, count(*) as count,
     coalesce(percentile_cont(0.5) within group (order by hours), 0) as median_hours,
     coalesce(percentile_cont(0.9) within group (order by hours), 0) as p90_hours
   from (${staysOf(accountsInRange, 'clearing.onboarding')}) as stays join clearing.account using (account_number)
   group by 1, 2 order by 2`,
)
export interface Asked {
  readonly dateFrom: string
  readonly dateTo: string
  readonly firmId: string | undefined
}
function valuesOf({ dateFrom, dateTo, firmId }: Asked) {
  return [dateFrom, dateTo, firmId ?? null]
}

export function reportOpenings(tx: Tx, asked: Asked): Promise<FirmOpenings[]> {
  return tx.rows(selectOpenings, valuesOf(asked))
}
export function reportReasons(
  tx: Tx,
  asked: Asked,
): Promise<{ firm_id: string; reason: string; count: bigint }[]> {
  return tx.rows(selectReasons, valuesOf(asked))
}
export function reportTimes(tx: Tx, asked: Asked): Promise<TimeOfFirm[]> {
  return tx.rows(selectTimes, valuesOf(asked))
}
