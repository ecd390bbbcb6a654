/**
 * The summary of an account now, as JSON. A summary that was rendered before is sent again, with the present time, if
 * the same snapshot of the database shows that no fact behind it has changed (decision 154).
 */
import type { ConcentrationTier } from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import { ShortLived } from '../../short-lived.ts'
import { readValueState, type ValueState } from '../../store/books/value-state.ts'
import { marketDayOf } from '../../store/business-day.ts'
import { valueHeld } from './account-positions.ts'
import { holdNow, readAccountFacts } from './held.ts'
import { KnownMarket } from './known-market.ts'
import { writeAmounts } from './render-amounts.ts'

interface RenderedSummary {
  /** Equal facts of the account and the same market: equal summary. */
  readonly account: string
  readonly market: KnownMarket
  /** The summary is that of every time from the first to, exclusively, the second. */
  readonly from: Date
  readonly until: Date | undefined
  /** The JSON text of `data` between its dates, which are all the time of the summary. */
  readonly pieces: readonly string[]
  readonly message: string
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

export class Summaries {
  #market = new KnownMarket()
  readonly #rendered = new ShortLived<RenderedSummary>({
    lifeMs: 60_000,
    lengthMax: 8_000_000,
    textLengthMax: 400_000,
  })

  /** `tx` must read one snapshot. Undefined when the caller may not see an account with this number. */
  async now(tx: Tx, accountNumber: string, { now, concentration }: Asked): Promise<SummaryNow | undefined> {
    const market = this.#market
    const before = this.#rendered.get(accountNumber)
    const reading = readValueState(tx, accountNumber, market.snapshot)
    if (before?.market === market && covers(before, now)) {
      const state = await reading
      if (state?.market_unchanged && before.account === accountIn(state, now)) return textAt(before, now)
    }
    const [state, facts] = await Promise.all([reading, readAccountFacts(tx, accountNumber, now)])
    if (state === undefined || facts === undefined) return undefined
    const current = state.market_unchanged ? market : this.#begin(state)
    const held = await holdNow(tx, facts, current, now)
    const { summary, message, margin } = await valueHeld(tx, held, { concentration }, false)
    const behindMargin = await current.read(tx, margin?.standing.secNos ?? [], now)
    const text = writeAmounts(summary)
    const rendered: RenderedSummary = {
      account: accountIn(state, now),
      market: current,
      from: now,
      until: earlier(held.pricedUntil, behindMargin.until),
      pieces: text.split(dateMember(now)),
      message,
    }
    this.#rendered.set(accountNumber, rendered, text.length)
    return { text, message }
  }

  #begin(state: ValueState): KnownMarket {
    this.#market = new KnownMarket(state)
    return this.#market
  }
}

function accountIn(state: ValueState, now: Date): string {
  return `${marketDayOf(now)} ${state.account}`
}

function covers({ from, until }: RenderedSummary, now: Date): boolean {
  return from <= now && (until === undefined || now < until)
}

function earlier(one: Date | undefined, other: Date | undefined): Date | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one < other ? one : other
}

/** Quotation marks within texts are escaped, so this is found only where a member of this name has this value. */
function dateMember(now: Date): string {
  return `"date":"${now.toISOString()}"`
}

function textAt({ pieces, message }: RenderedSummary, now: Date): SummaryNow {
  return { text: pieces.join(dateMember(now)), message }
}
