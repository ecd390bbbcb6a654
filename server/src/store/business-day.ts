/** The business day: the open date, and the progress of its close. */
import { addDays, addMarketDays, isMarketDay } from '@clearing/domain/market'
import { type CodeOf, codeLists } from '@clearing/protocol/values'
import { json, statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { easternDay } from './books/calendar.ts'
import { startOfDay } from './conditions.ts'
import type { Acceptance, CheckItem } from './open-items.ts'

export type CloseStep = CodeOf<'closeStep'>
/** The steps in their order. `Closed` follows the last step. */
export const closeSteps: readonly CloseStep[] = codeLists.closeStep.map(({ value }) => value)

export interface DayClose {
  readonly closeDate: string
  readonly nextDate: string
  /** The close uses prices until this instant. */
  readonly markedAt: string
  /** The last account number of each portion. */
  readonly portions: readonly string[]
  /** The next step. */
  readonly step: CloseStep | 'Closed'
  /** During work on a portion its number; otherwise the number of portions of the step, once they exist. */
  readonly portion: number
  readonly accounts: number
  readonly positions: number
  readonly callsIssued: number
  readonly callsMet: number
  /** Milliseconds of work on each step so far. */
  readonly durations: Readonly<Partial<Record<CloseStep, number>>>
  /** The findings of the checklist before the close; empty for closes by older releases. */
  readonly checklist: readonly CheckItem[]
  /** The acceptance of open items; null if there were none. */
  readonly accepted: Acceptance | null
}

const selectDay = statement<{ business_date: string }>(
  'select-open-business-day',
  'select business_date from clearing.business_day',
)
const openDay = statement(
  'open-business-day',
  'insert into clearing.business_day (business_date) values ($1) on conflict do nothing',
)
const lockDay = statement<{ business_date: string }>(
  'lock-business-day',
  'select business_date from clearing.business_day for update',
)
const lockTable = statement('lock-business-day-table', 'lock table clearing.business_day in exclusive mode')
const holdTable = statement('hold-business-day', 'lock table clearing.business_day in row share mode')
const moveDay = statement('move-business-day', 'update clearing.business_day set business_date = $1')

/** The market day of an instant in New York. A day without a market belongs to the next market day. */
export function marketDayOf(at: Date): string {
  const day = easternDay(at)
  return isMarketDay(day) ? day : addMarketDays(day, 1)
}

/** The open business date. */
export async function readBusinessDay(tx: Tx, now: Date): Promise<string> {
  return (await tx.row(selectDay))?.business_date ?? marketDayOf(now)
}

const selectFirstClosed = statement<{ first: string | null }>(
  'select-first-closed-day',
  `select least((select min(close_date) from clearing.business_day_close), (select min(close_date) from clearing.firm_seal)) as first`,
)
/** The first closed day, in this cell or in the cell from which a firm came. */
export async function readFirstClosed(tx: Tx): Promise<string | undefined> {
  return (await tx.row(selectFirstClosed))?.first ?? undefined
}

/** The open business date within a statement. `day` is the current market day, for books without a closed day. */
export function openDateOr(day: string): string {
  return `coalesce((select business_date from clearing.business_day), ${day}::date)`
}

/**
 * Prevents the beginning of a close until the transaction ends, so that a fact entered on a date exists when
 * that date is closed. For writers of facts other than lines. Must be called before all other locks, as in a
 * close.
 */
export function holdBusinessDay(tx: Tx): void {
  tx.later(holdTable)
}

/** Opens the first business day. Does nothing if a day is open. */
export function openBusinessDay(tx: Tx, day: string): void {
  tx.later(openDay, [day])
}

/**
 * The open business date. Prevents other transactions from moving it, or from entering facts on it, until
 * this transaction ends.
 */
export async function lockBusinessDay(tx: Tx, now: Date): Promise<string> {
  tx.later(lockTable)
  openBusinessDay(tx, marketDayOf(now))
  const row = await tx.row(lockDay)
  if (row === undefined) throw new Error('the business day has no row')
  return row.business_date
}

/** The number of accounts in a portion, which keeps its transaction short and its memory small. */
export const portionAccountsMax = 1_000

/** Waits for lines of the day that are being posted. Later lines belong to the next day. */
const waitForPostings = statement('wait-for-postings', 'lock table clearing.account_books in share mode')
const insertClose = statement(
  'insert-business-day-close',
  `insert into clearing.business_day_close (close_date, next_date, marked_at, portions, step, accounts, trace_id, started_at, checklist, accepted, counts_late_nights)
   select $1::date, $2::date, least($3::timestamptz, ${startOfDay('$4')}),
     coalesce((
       select array_agg(account_number order by place) from (
         select account_number, row_number() over (order by account_number) as place, count(*) over () as count
         from clearing.account_books
       ) as numbered where place % $5 = 0 or place = count
     ), '{}'),
     'Settle', (select count(*) from clearing.account_books), $6::text, $3::timestamptz, $7::jsonb, $8::jsonb, true`,
)
const noteLines = statement(
  'note-lines-of-day',
  `insert into clearing.day_account (close_date, account_number, line_count)
   select $1::date, account_number, line_count from clearing.account_books where line_count <> sealed_lines`,
)

/** Stops new lines on the day and begins its close at the first step. */
export function beginClose(
  tx: Tx,
  close: {
    readonly closeDate: string
    readonly nextDate: string
    readonly at: Date
    readonly traceId: string
    readonly portionAccounts: number
    readonly checklist: readonly CheckItem[]
    readonly accepted: Acceptance | null
  },
): void {
  const { closeDate, nextDate, at, traceId, portionAccounts, checklist, accepted } = close
  tx.later(waitForPostings)
  const ending = addDays(closeDate, 1)
  const found = [json(checklist), accepted && json(accepted)]
  tx.later(insertClose, [closeDate, nextDate, at, ending, portionAccounts, traceId, ...found])
  tx.later(noteLines, [closeDate])
  tx.later(moveDay, [nextDate])
}

interface CloseRow {
  readonly close_date: string
  readonly next_date: string
  readonly marked_at: string
  readonly portions: readonly string[]
  readonly step: CloseStep | 'Closed'
  readonly portion: number
  readonly accounts: bigint
  readonly positions: bigint
  readonly calls_issued: bigint
  readonly calls_met: bigint
  readonly durations: DayClose['durations']
  readonly checklist: DayClose['checklist'] | null
  readonly accepted: Acceptance | null
}

const closeColumns =
  'close_date, next_date, marked_at, portions, step, portion, accounts, positions, calls_issued, calls_met, durations, checklist, accepted'
const selectClose = statement<CloseRow>(
  'select-business-day-close',
  `select ${closeColumns} from clearing.business_day_close where close_date = $1`,
)
const lockCloseRow = statement<CloseRow>(
  'lock-business-day-close',
  `select ${closeColumns} from clearing.business_day_close where close_date = $1 for no key update`,
)
const selectUnfinished = statement<CloseRow>(
  'select-unfinished-close',
  `select ${closeColumns} from clearing.business_day_close where closed_at is null`,
)
const updateClosed = statement(
  'update-close-ended',
  `update clearing.business_day_close set step = 'Closed', portion = 0, durations = $2, closed_at = $3 where close_date = $1`,
)

function parseClose(row: CloseRow | undefined): DayClose | undefined {
  return (
    row && {
      closeDate: row.close_date,
      nextDate: row.next_date,
      markedAt: row.marked_at,
      portions: row.portions,
      step: row.step,
      portion: row.portion,
      accounts: Number(row.accounts),
      positions: Number(row.positions),
      callsIssued: Number(row.calls_issued),
      callsMet: Number(row.calls_met),
      durations: row.durations,
      checklist: row.checklist ?? [],
      accepted: row.accepted,
    }
  )
}

export async function readClose(tx: Tx, closeDate: string): Promise<DayClose | undefined> {
  return parseClose(await tx.row(selectClose, [closeDate]))
}

// Tables grow by a day's rows during a close. A plan from when they were empty, or from statistics of that
// time, would read whole tables for each portion.
const planAnew = statement(
  'plan-anew',
  "select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true)",
)

/** Plans the statements of a portion by the current statistics of the tables. */
export function planForPortion(tx: Tx): void {
  tx.later(planAnew)
}

/** The close, locked: no other process moves it to another step until the transaction ends. */
export async function lockClose(tx: Tx, closeDate: string): Promise<DayClose> {
  const close = parseClose(await tx.row(lockCloseRow, [closeDate]))
  if (close === undefined) throw new Error(`there is no close of ${closeDate}`)
  return close
}

/** The close that began and has not ended. */
export async function readUnfinishedClose(tx: Tx): Promise<DayClose | undefined> {
  return parseClose(await tx.row(selectUnfinished))
}

const selectClosing = statement(
  'select-whether-a-day-is-being-closed',
  "select from clearing.business_day_close where step <> 'Closed' limit 1",
)
/** Whether a close has begun and not ended. */
export async function isClosing(tx: Tx): Promise<boolean> {
  return (await tx.row(selectClosing)) !== undefined
}

export function stepAfter(step: CloseStep): CloseStep {
  return closeSteps[closeSteps.indexOf(step) + 1] ?? step
}

const afterWrites = statement('after-writes', 'select 1 as one')

/** Sends the deferred statements and waits for them, so that their time is counted. */
export async function flushWrites(tx: Tx): Promise<void> {
  await tx.run(afterWrites)
}

/** Records that the last step is done. */
export function noteClosed(tx: Tx, { closeDate, durations }: DayClose, durationMs: number, now: Date): void {
  tx.later(updateClosed, [closeDate, { ...durations, Move: durationMs }, now])
}

/** Account numbers after the first and up to the second. */
export type AccountRange = readonly [after: string, upTo: string]

export function rangeOf({ portions, portion }: DayClose): AccountRange {
  const upTo = portions[portion]
  if (upTo === undefined) throw new Error(`a close has no portion ${portion}`)
  return [portions[portion - 1] ?? '', upTo]
}
