/**
 * The summary of an account now, as JSON. A summary that was rendered before is sent again, with the present time, if
 * the same snapshot of the database shows that no fact behind it has changed (decision 154).
 */
import type { ConcentrationTier } from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import { ShortLived } from '../../short-lived.ts'
import { readNextPriceTime, readValueState } from '../../store/books/value-state.ts'
import { marketDayOf } from '../../store/business-day.ts'
import { valueAccount } from './account-positions.ts'
import { writeAmounts } from './render-amounts.ts'

interface RenderedSummary {
  /** The facts of the account: equal facts, equal summary. */
  readonly account: string
  /** The snapshot in which the facts of the market were read. */
  readonly snapshot: string
  /** The summary is that of every time from the first to, exclusively, the second. */
  readonly from: Date
  readonly until: Date | undefined
  /** The JSON text of `data` between its dates, which are all the time of the summary. */
  readonly pieces: readonly string[]
  readonly message: string
}

export type RenderedSummaries = ShortLived<RenderedSummary>

export function makeRenderedSummaries(): RenderedSummaries {
  return new ShortLived({ lifeMs: 60_000, lengthMax: 8_000_000, textLengthMax: 400_000 })
}

export interface SummaryNow {
  /** The JSON text of `data`. */
  readonly text: string
  /** A message that names the positions valued at 0; empty when there are none. */
  readonly message: string
}

interface Asked {
  readonly now: Date
  readonly concentration: readonly ConcentrationTier[]
}

/**
 * `tx` must read one snapshot. Undefined when the caller may not see an account with this number.
 */
export async function summarizeNow(
  tx: Tx,
  accountNumber: string,
  asked: Asked,
  rendered: RenderedSummaries,
): Promise<SummaryNow | undefined> {
  const { now } = asked
  const before = rendered.get(accountNumber)
  const key = (account: string) => `${marketDayOf(now)} ${account}`
  const reading = readValueState(tx, accountNumber, before?.snapshot)
  if (before !== undefined && covers(before, now)) {
    const state = await reading
    if (state?.market_unchanged && key(state.account) === before.account) return textAt(before, now)
  }
  const [state, valued, nextPrice] = await Promise.all([
    reading,
    valueAccount(tx, accountNumber, asked),
    readNextPriceTime(tx, accountNumber, now),
  ])
  if (state === undefined || valued === undefined) return undefined
  const text = writeAmounts(valued.summary)
  const after: RenderedSummary = {
    account: key(state.account),
    snapshot: state.snapshot,
    from: now,
    until: nextPrice === undefined ? undefined : new Date(nextPrice),
    pieces: text.split(dateMember(now)),
    message: valued.message,
  }
  rendered.set(accountNumber, after, text.length)
  return { text, message: valued.message }
}

function covers({ from, until }: RenderedSummary, now: Date): boolean {
  return from <= now && (until === undefined || now < until)
}

/** Quotation marks within texts are escaped, so this is found only where a member of this name has this value. */
function dateMember(now: Date): string {
  return `"date":"${now.toISOString()}"`
}

function textAt({ pieces, message }: RenderedSummary, now: Date): SummaryNow {
  return { text: pieces.join(dateMember(now)), message }
}
