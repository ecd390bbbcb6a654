/**
 * The summary of an account now, as JSON. A summary that was rendered before is sent again, with the present time, if
 * the same snapshot of the database shows that no fact behind it has changed (decision 154).
 */
import type { ConcentrationTier } from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import { ShortLived } from '../../short-lived.ts'
import { readAccountState } from '../../store/books/account-state.ts'
import { readMarketState } from '../../store/books/market-state.ts'
import { marketDayOf } from '../../store/business-day.ts'
import { valueHeld } from './account-positions.ts'
import { holdNow, readAccountFacts } from './held.ts'
import type { KnownMarket, KnownMarkets } from './known-market.ts'
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
  readonly #markets: KnownMarkets
  readonly #rendered = new ShortLived<RenderedSummary>({
    lifeMs: 60_000,
    lengthMax: 8_000_000,
    textLengthMax: 400_000,
  })

  constructor(markets: KnownMarkets) {
    this.#markets = markets
  }

  /** `tx` must read one snapshot. Undefined when the caller may not see an account with this number. */
  async now(tx: Tx, accountNumber: string, { now, concentration }: Asked): Promise<SummaryNow | undefined> {
    const { last } = this.#markets
    const before = this.#rendered.get(accountNumber)
    const reading = Promise.all([readAccountState(tx, accountNumber), readMarketState(tx, last.snapshot)])
    const key = (account: string | undefined) => `${marketDayOf(now)} ${account}`
    if (before?.market === last && covers(before, now)) {
      const [account, { unchanged }] = await reading
      if (unchanged && before.account === key(account)) return textAt(before, now)
    }
    const [[account, state], facts] = await Promise.all([reading, readAccountFacts(tx, accountNumber, now)])
    if (facts === undefined) return undefined
    const market = this.#markets.of(last, state)
    const held = await holdNow(tx, facts, market, now)
    const { summary, message, margin } = await valueHeld(tx, held, { concentration }, false)
    const behindMargin = await market.read(tx, margin?.standing.secNos ?? [], now)
    const text = writeAmounts(summary)
    const rendered: RenderedSummary = {
      account: key(account),
      market,
      from: now,
      until: earlier(held.pricedUntil, behindMargin.until),
      pieces: text.split(dateMember(now)),
      message,
    }
    this.#rendered.set(accountNumber, rendered, text.length)
    return { text, message }
  }
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
