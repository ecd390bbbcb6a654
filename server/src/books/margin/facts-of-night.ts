/**
 * The prices and rates of exchange at which a night of an earlier close is valued: those that the close knew. If it
 * knew none, because it had no reason to, those of its day that are known now, and then those of the present close.
 */
import type { Decimal } from '@clearing/domain/decimal'
import { addDays } from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import { startOfEasternDay } from '../../store/books/calendar.ts'
import { MarketFacts } from './market-facts.ts'

export class FactsOfNight {
  readonly #atClose: MarketFacts
  readonly #later: readonly MarketFacts[]

  /** `now`: the facts of the present close. */
  constructor(closeDate: string, now: MarketFacts) {
    const end = startOfEasternDay(addDays(closeDate, 1)).toISOString()
    this.#atClose = new MarketFacts(end, closeDate, closeDate)
    this.#later = [new MarketFacts(end, closeDate), now]
  }

  /** Reads the securities of short positions, and the rates of the currencies. */
  async learn(tx: Tx, secNos: readonly string[], currencies: readonly string[]): Promise<void> {
    const atClose = this.#atClose
    await atClose.learn(tx, secNos)
    const unpriced = secNos.filter((secNo) => !atClose.isPriced(secNo))
    const needed = [...currencies, ...secNos.map((secNo) => atClose.security(secNo).currency)]
    if (unpriced.length === 0 && needed.every((currency) => atClose.hasRate(currency))) return
    for (const facts of this.#later) await facts.learn(tx, unpriced)
  }

  security(secNo: string): ReturnType<MarketFacts['security']> {
    return this.#atClose.security(secNo)
  }

  valueOf(secNo: string, quantity: Decimal): Decimal {
    const priced = this.#firstThat((facts) => facts.isPriced(secNo))
    return this.inUsd(priced.ownValueOf(secNo, quantity), this.security(secNo).currency)
  }

  inUsd(amount: Decimal, currency: string): Decimal {
    return this.#firstThat((facts) => facts.hasRate(currency)).inUsd(amount, currency)
  }

  #firstThat(knows: (facts: MarketFacts) => boolean): MarketFacts {
    if (knows(this.#atClose)) return this.#atClose
    return this.#later.find(knows) ?? this.#atClose
  }
}
