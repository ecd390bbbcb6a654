/**
 * The prices and rates of exchange at which a night of an earlier close is valued: those that the close knew. If it
 * knew none, because it had no reason to, those of its day that are known now, and then those of the present close.
 */
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import { addDays } from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import { startOfEasternDay } from '../../store/books/calendar.ts'
import { MarketFacts } from './market-facts.ts'

export class FactsOfNight {
  readonly #all: readonly MarketFacts[]

  /** `now`: the facts of the present close. */
  constructor(closeDate: string, now: MarketFacts) {
    const end = startOfEasternDay(addDays(closeDate, 1)).toISOString()
    this.#all = [new MarketFacts(end, closeDate, closeDate), new MarketFacts(end, closeDate), now]
  }

  async learn(tx: Tx, secNos: readonly string[]): Promise<void> {
    for (const facts of this.#all) await facts.learn(tx, secNos)
  }

  security(secNo: string): ReturnType<MarketFacts['security']> {
    return this.#first.security(secNo)
  }

  valueOf(secNo: string, quantity: Decimal): Decimal {
    return this.#firstOf((facts) => facts.valueOf(secNo, quantity))
  }

  inUsd(amount: Decimal, currency: string): Decimal {
    return this.#firstOf((facts) => facts.inUsd(amount, currency))
  }

  get #first(): MarketFacts {
    return this.#all[0] as MarketFacts
  }

  #firstOf(valueBy: (facts: MarketFacts) => Decimal): Decimal {
    for (const facts of this.#all) {
      const value = valueBy(facts)
      if (value !== ZERO) return value
    }
    return ZERO
  }
}
