/** Open items of the books before a close, as the checklist of the close counts them. */
import type { Severity } from '@clearing/domain/books'
import { type CodeOf, limits } from '@clearing/protocol'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { silenceMaxSeconds } from './books/loads.ts'
import { spunOff } from './books/prices/spin-offs.ts'
import { changeCounts, unitsChanged } from './books/prices/unit-changes.ts'
import { startOfDay } from './conditions.ts'

/** A row of the checklist of a close. */
export interface CheckItem {
  readonly item: CodeOf<'closeItem'>
  /** Null for a kind that is listed for information and is never open. */
  readonly severity: Severity | null
  readonly count: number
  /** A close requires that a person accepts it. */
  readonly open: boolean
  /** Names of some of the items, where there are any. */
  readonly detail: string
  /** The date of the oldest item; null without items, or for items without a date. */
  readonly oldestOn: string | null
  /** Some of the persons who began the loads or have claimed the work. */
  readonly owners: string[]
  /** Names of all the items, up to a limit, where a person needs them. A close does not store them. */
  readonly names?: string[]
}

/** The age and the owners of the items of a row. */
export interface Held {
  readonly oldest: string | null
  readonly owners: string[]
}

export interface OpenLoads {
  readonly running: bigint
  readonly running_since: string | null
  readonly running_by: string[]
  readonly cut_off: bigint
  readonly cut_off_since: string | null
  readonly cut_off_by: string[]
  readonly rejecting: bigint
  readonly rejecting_since: string | null
  readonly rejecting_by: string[]
  readonly rejected_lines: bigint
}

const ownersMax = 5
/** Some of the persons in a column, without repetition. */
function persons(column: string, which = 'true') {
  return `coalesce((array_agg(distinct ${column}) filter (where ${column} is not null and ${which}))[1:${ownersMax}], '{}')`
}
function heldBy(name: string, which: string) {
  return `count(*) filter (where ${which}) as ${name}, min(started_at) filter (where ${which}) as ${name}_since,
     ${persons('client_id', which)} as ${name}_by`
}

const selectLoads = statement<OpenLoads>(
  'count-open-loads',
  `select ${heldBy('running', 'runs')}, ${heldBy('cut_off', "not runs and state <> 'Complete'")},
     ${heldBy('rejecting', 'not runs and rejected > 0')},
     coalesce(sum(rejected) filter (where not runs), 0)::bigint as rejected_lines
   from (
     select state, rejected, started_at, client_id, state = 'Running' and seen_at >= clock_timestamp() - ${silenceMaxSeconds} * interval '1 second' as runs
     from clearing.load where looked_by = '' and (rejected > 0 or state <> 'Complete')
   ) as open`,
)
/** Running loads, and loads that wait for a review because they were interrupted or have rejects. */
export async function countOpenLoads(tx: Tx): Promise<OpenLoads> {
  return one(await tx.row(selectLoads))
}

/** The breaks of one kind. */
export interface OpenBreaks extends Held {
  readonly kind: string
  readonly count: bigint
}

const selectBreaks = statement<OpenBreaks>(
  'count-open-breaks',
  `select kind, count(*) as count, min(raised_at) as oldest, ${persons('assigned_to')} as owners
   from clearing.books_break left join clearing.work_assignment on work_id = 'Break.' || break_id
   where resolved_at is null
     and not exists (select from clearing.work_settlement where work_id = 'Break.' || books_break.break_id)
   group by kind order by kind`,
)
/** Unsettled breaks by kind. */
export function countBreaksByKind(tx: Tx): Promise<OpenBreaks[]> {
  return tx.rows(selectBreaks)
}

export interface OpenPrices {
  readonly stale: bigint
  readonly unpriced: bigint
  /** Names of the securities, those with the oldest prices first. */
  readonly stale_names: string[]
  readonly unpriced_names: string[]
}

const namedMax = limits.checkItemNamesMax
function names(which: string, order: string) {
  return `coalesce((array_agg(name order by ${order}) filter (where ${which}))[1:${namedMax}], '{}')`
}
// The last price of a security given for one without a price, directly or through others.
const priceOfOrigin = `(
       with recursive origin as (
         select latest.sec_no as sec_no
         union
         select change.sec_no from origin join clearing.unit_change as change on change.to_sec_no = origin.sec_no
         where ${changeCounts({ day: '$3', knownOn: 'null' })}
       ) select max(price.priced_at) from origin join clearing.price using (sec_no) where price.priced_at <= $1)`
// Few prices are old, so the holdings are read only for those.
const selectPrices = statement<OpenPrices>(
  'count-stale-prices',
  `with latest as (
     select sec_no, coalesce(symbol, cusip, isin, sedol) as name,
       (select max(priced_at) from clearing.price where price.sec_no = security.sec_no and priced_at <= $1) as own_at
     from clearing.security where in_use and not money_market
   ), changed as (
     select *, own_at is null or own_at < ${startOfDay('$2')} as is_old,
       ${unitsChanged('latest.sec_no', 'latest.own_at', { day: '$3', knownOn: 'null' })} as units_changed,
       ${spunOff('latest.sec_no', 'latest.own_at', { day: '$3', knownOn: 'null' })} as spun_off
     from latest
   ), old as (
     select *, case when own_at is null and units_changed then ${priceOfOrigin} else own_at end as priced_at
     from changed as latest where (is_old or units_changed or spun_off)
       and exists (select from clearing.holding where holding.sec_no = latest.sec_no
         and (quantity_cash <> 0 or quantity_margin <> 0 or quantity_short <> 0))
   )
   select count(*) filter (where priced_at is not null) as stale, count(*) filter (where priced_at is null) as unpriced,
     ${names('priced_at is not null', 'priced_at, name')} as stale_names, ${names('priced_at is null', 'name')} as unpriced_names
   from old`,
)
/**
 * Securities that are held and have no price until `at`, or whose latest one is older than a day, or older than a
 * change of units or a spin-off until the day of the close.
 */
export async function countStalePrices(
  tx: Tx,
  at: Date,
  { oldest, day }: { readonly oldest: string; readonly day: string },
): Promise<OpenPrices> {
  return one(await tx.row(selectPrices, [at, oldest, day]))
}

export interface OpenCalls extends Held {
  readonly open: bigint
  readonly overdue: bigint
}

const selectCalls = statement<OpenCalls>(
  'count-open-calls',
  `select count(*) as open, count(*) filter (where due_by < $1) as overdue,
     ${startOfDay('min(issued_on)')} as oldest, ${persons('assigned_to')} as owners
   from clearing.margin_call left join clearing.work_assignment on work_id = 'Call.' || account_number || '.' || kind || '.' || issued_on
   where met_on is null`,
)
export async function countOpenCalls(tx: Tx, day: string): Promise<OpenCalls> {
  return one(await tx.row(selectCalls, [day]))
}

function one<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('a count has a row')
  return row
}

const lookAt = statement<{ looked_by: string; looked_at: string }>(
  'look-at-load',
  `update clearing.load set looked_by = $2, looked_at = $3
   where load_id = $1 and looked_by = '' and state <> 'Running' returning looked_by, looked_at`,
)
/** Records the person who reviewed a load. Undefined if the load runs or was reviewed before. */
export function noteLoadLookedAt(
  tx: Tx,
  loadId: string,
  by: string,
  at: Date,
): Promise<{ looked_by: string; looked_at: string } | undefined> {
  return tx.row(lookAt, [loadId, by, at])
}

/** The acceptance of the open items of a close. */
export interface Acceptance {
  readonly reason: string
  readonly by: string
  /** The second person; empty if none was required. */
  readonly approvedBy: string
}

const insertAcceptance = statement(
  'insert-close-acceptance',
  `insert into clearing.close_acceptance (close_date, reason, accepted_by, approved_by, approved_at) values ($1, $2, $3, $4, $5)
   on conflict (close_date) do update set reason = excluded.reason, accepted_by = excluded.accepted_by,
     approved_by = excluded.approved_by, approved_at = excluded.approved_at`,
)
const selectAcceptance = statement<Acceptance>(
  'select-close-acceptance',
  `select reason, accepted_by as by, approved_by as "approvedBy" from clearing.close_acceptance where close_date = $1`,
)

/** Stores the acceptance that a second person approved for a day. */
export function writeAcceptance(tx: Tx, day: string, { reason, by, approvedBy }: Acceptance, at: Date): void {
  tx.later(insertAcceptance, [day, reason, by, approvedBy, at])
}
export function readAcceptance(tx: Tx, day: string): Promise<Acceptance | undefined> {
  return tx.row(selectAcceptance, [day])
}
