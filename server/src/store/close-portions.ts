/**
 * The portions of a step of a close. A worker claims a portion by locking its row. The portion is done when
 * the transaction of its work commits. Several connections and processes can therefore work at once, and the
 * portion of a process that dies becomes free.
 */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { type CloseStep, type DayClose, lockClose, readClose, stepAfter } from './business-day.ts'

/** Counts that a portion adds to the results of its step. */
export interface PortionCounts {
  readonly positions?: number
  readonly callsIssued?: number
  readonly callsMet?: number
  /** True if the portion was sealed by firm. */
  readonly byFirm?: boolean
}

/** `left` is the number of unfinished portions of the step; undefined until the portions exist. */
export interface Progress {
  readonly close: DayClose
  readonly left: number | undefined
}

const countLeft = statement<{ left: bigint }>(
  'count-portions-left',
  'select count(*) as left from clearing.business_day_portion where close_date = $1 and step = $2 and done_at is null',
)
const insertPortions = statement(
  'insert-close-portions',
  `insert into clearing.business_day_portion (close_date, step, portion)
   select $1, $2, generate_series($3::int, $4::int - 1)`,
)
const noteOpened = statement(
  'note-portions-made',
  'update clearing.business_day_close set portion = $2 where close_date = $1',
)
const claim = statement<{ portion: number }>(
  'claim-close-portion',
  `select portion from clearing.business_day_portion where close_date = $1 and step = $2 and done_at is null
   order by portion limit 1 for update skip locked`,
)
const updatePortion = statement(
  'finish-close-portion',
  `update clearing.business_day_portion set done_at = $4, positions = $5, calls_issued = $6, calls_met = $7, duration_ms = $8, by_firm = $9
   where close_date = $1 and step = $2 and portion = $3`,
)
const endStep = statement(
  'end-close-step',
  `update clearing.business_day_close as close set step = $3, portion = 0, positions = close.positions + done.positions,
     calls_issued = close.calls_issued + done.calls_issued, calls_met = close.calls_met + done.calls_met,
     durations = close.durations || jsonb_build_object($2::text, coalesce((close.durations ->> $2)::bigint, 0) + done.duration_ms)
   from (
     select coalesce(sum(positions), 0) as positions, coalesce(sum(calls_issued), 0) as calls_issued,
       coalesce(sum(calls_met), 0) as calls_met, coalesce(sum(duration_ms), 0)::bigint as duration_ms
     from clearing.business_day_portion where close_date = $1 and step = $2
   ) as done
   where close.close_date = $1`,
)

export async function readProgress(tx: Tx, closeDate: string): Promise<Progress> {
  const close = await readClose(tx, closeDate)
  if (close === undefined) throw new Error(`the close of ${closeDate} was not begun`)
  return { close, left: await leftOf(tx, close) }
}

async function leftOf(tx: Tx, { closeDate, step, portion, portions }: DayClose): Promise<number | undefined> {
  // `portion` counts the portions that a previous release finished in sequence, until the other portions are created.
  if (portion < portions.length) return undefined
  return Number((await tx.row(countLeft, [closeDate, step]))?.left ?? 0n)
}

/** Creates the portions of a step, unless another process has created them. */
export async function makePortions(tx: Tx, closeDate: string, step: CloseStep): Promise<void> {
  const close = await lockClose(tx, closeDate)
  if (close.step !== step || close.portion >= close.portions.length) return
  tx.later(insertPortions, [closeDate, step, close.portion, close.portions.length])
  tx.later(noteOpened, [closeDate, close.portions.length])
}

/** Ends a step whose portions are all done, unless another process has ended it. */
export async function advanceClose(tx: Tx, closeDate: string, step: CloseStep): Promise<void> {
  const close = await lockClose(tx, closeDate)
  if (close.step !== step || (await leftOf(tx, close)) !== 0) return
  tx.later(endStep, [closeDate, step, stepAfter(step)])
}

/** The number of a portion that no other connection works on; undefined if there is none. */
export async function claimPortion(tx: Tx, closeDate: string, step: CloseStep): Promise<number | undefined> {
  return (await tx.row(claim, [closeDate, step]))?.portion
}

/** Records in the transaction of a portion that it is done. */
export function finishPortion(
  tx: Tx,
  { closeDate, step, portion }: DayClose,
  { positions = 0, callsIssued = 0, callsMet = 0, byFirm }: PortionCounts,
  { durationMs, now }: { readonly durationMs: number; readonly now: Date },
): void {
  tx.later(updatePortion, [
    closeDate,
    step,
    portion,
    now,
    positions,
    callsIssued,
    callsMet,
    durationMs,
    byFirm ?? null,
  ])
}

const countByFirm = statement<{ portions: bigint }>(
  'count-portions-sealed-by-firm',
  "select count(*) as portions from clearing.business_day_portion where close_date = $1 and step = 'Seal' and by_firm",
)

/**
 * Whether every portion was sealed by firm. A process of the previous release does not seal its portions by
 * firm.
 */
export async function areAllByFirm(tx: Tx, { closeDate, portions }: DayClose): Promise<boolean> {
  return Number((await tx.row(countByFirm, [closeDate]))?.portions ?? 0n) === portions.length
}
