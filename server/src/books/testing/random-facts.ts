/** For property tests: random facts beside the lines of a feed, and the loaders that take them. */
import { addMarketDays } from '@clearing/domain/market'
import fc from 'fast-check'
import { accountTermsLoader } from '../loads/account-terms.ts'
import { heldAwayLoader } from '../loads/held-away.ts'
import { fxRatesLoader, pricesLoader } from '../loads/quotes.ts'
import type { Load, Loader } from '../loads/run-load.ts'
import { securitiesLoader } from '../loads/securities.ts'
import type { TestLine } from './books-database.ts'

export type Fact = readonly [kind: 'prices' | 'rates' | 'securities' | 'terms' | 'away', line: TestLine]
export const factLoaders: Readonly<Record<Fact[0], (load: Load) => Loader<never>>> = {
  prices: pricesLoader as never,
  rates: fxRatesLoader as never,
  securities: securitiesLoader as never,
  terms: accountTermsLoader as never,
  away: heldAwayLoader as never,
}

const symbol = fc.constantFrom('AAA', 'BBB', 'CCC', 'POOL', 'FUND', 'EURO')
/** Days before the open day. Some of them are closed. */
export const ago = fc.integer({ min: 0, max: 5 })
const cents = fc.integer({ min: 1, max: 9_999 }).map((amount) => (amount / 100).toFixed(2))
/** Some facts correct the stored one with their key, if there is one. */
const correctionId = fc.constantFrom(undefined, undefined, 'C1', 'C2')
/** A fact of the market or of the account, for the open day or a day before it. */
export function fact(acctNo: string, today: string): fc.Arbitrary<Fact> {
  const day = ago.map((days) => addMarketDays(today, -days))
  return fc.oneof(
    fc
      .record({ symbol, price: cents, day, hour: fc.integer({ min: 19, max: 22 }), correctionId })
      .map(
        ({ day: on, hour, ...priced }): Fact => [
          'prices',
          { ...priced, priceType: 'LastClose', priceDate: `${on}T${hour}:00:00Z` },
        ],
      ),
    fc
      .record({ rate: cents, date: fc.oneof(day, fc.constantFrom('2024-01-02', '2024-01-09')), correctionId })
      .map((line): Fact => ['rates', { currency: 'EUR', ...line }]),
    fc
      .record({
        symbol,
        description: fc.constantFrom('ONE', 'TWO', 'THREE'),
        currentFactor: fc.constantFrom('0.9', '0.7', '0.5'),
        marginable: fc.boolean(),
        convertsTo: symbol,
        conversionRatio: fc.constantFrom('1', '2.5'),
      })
      .map((line): Fact => ['securities', line]),
    fc.record({ houseLongPercent: cents }).map((line): Fact => ['terms', { acctNo, ...line }]),
    fc
      .record({ symbol, quantity: cents, asOfDate: day, custodian: fc.constantFrom('X', 'Y'), correctionId })
      .map((line): Fact => ['away', { acctNo, ...line }]),
  )
}
