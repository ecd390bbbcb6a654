/** Securities, prices and rates for the holdings of an account, from their rows. */
import type { Lot } from '@clearing/domain/books'
import { type Decimal, multiply, ONE, ZERO } from '@clearing/domain/decimal'
import {
  type CostRate,
  fundTerms,
  type SecurityPrice,
  type Underlying,
  usdRate,
  type ValuedSecurity,
} from '@clearing/domain/market'
import { decimalOfColumn } from '../../store/books/bulk.ts'
import type { AtExpiration } from '../../store/books/prices/expired-options.ts'
import type { PriceRow } from '../../store/books/prices/priced-securities.ts'
import { type SecurityRow, type UnderlyingOfRow, valuedSecurity } from '../../store/books/securities.ts'
import type { OpenRate } from './open-rates.ts'

export interface AccountMarket {
  /** Securities by secNo. */
  readonly securities: ReadonlyMap<string, ValuedSecurity>
  readonly prices: ReadonlyMap<string, SecurityPrice>
  /** What options that have expired were in the money, by secNo. */
  readonly atExpiration: ReadonlyMap<string, SecurityPrice>
  /** US dollars for one unit, by currency. */
  readonly fxRates: ReadonlyMap<string, Decimal>
  /** Securities by number, for the margin of options on them. */
  readonly underlyings: ReadonlyMap<string, Underlying>
  /** House maintenance rates of single securities, percent. */
  readonly housePercents: ReadonlyMap<string, Decimal>
  /** Rates used for cost that differ from those known on the trade day. */
  readonly costRates: readonly CostRate[]
  /** The rate at which the cost of a lot is converted. Zero when no rate is known. */
  openRate(lot: Pick<Lot, 'fxRate' | 'openDate'>, security: ValuedSecurity): Decimal
}

const pricePlaces = 10
const usd = 'USD'

export function marketOf(rows: {
  readonly securities: readonly (SecurityRow & UnderlyingOfRow & AtExpiration)[]
  readonly prices: readonly PriceRow[]
  /** US dollars for one unit, by currency. */
  readonly rates: ReadonlyMap<string, Decimal>
  readonly openRates: readonly OpenRate[]
}): AccountMarket {
  const securities = new Map(rows.securities.map((row) => [String(row.sec_no), valuedSecurity(row)]))
  const fxRates = rows.rates
  const prices = new Map<string, SecurityPrice>()
  const underlyings = new Map<string, Underlying>()
  for (const row of rows.prices) {
    const secNo = String(row.sec_no)
    const price = decimalOfColumn(row.price)
    prices.set(secNo, {
      price,
      priceType: row.price_type,
      priceDate: row.priced_at,
      closePrice: row.close_price === null ? undefined : decimalOfColumn(row.close_price),
      yield: row.yield === null ? undefined : decimalOfColumn(row.yield),
      carried: row.carried,
      beforeSpinoff: row.spun_off,
    })
    const security = securities.get(secNo)
    if (security === undefined) continue
    underlyings.set(secNo, {
      price: multiply(price, usdRate(security.currency, fxRates), pricePlaces),
      ...fundTerms(security.secTypeName),
    })
  }
  const openRates = new Map(
    rows.openRates.map((row) => [
      `${row.currency} ${row.open_date}`,
      row.rate === null ? ZERO : decimalOfColumn(row.rate),
    ]),
  )
  return {
    securities,
    prices,
    atExpiration: new Map(rows.securities.flatMap(priceAtExpiration)),
    fxRates,
    underlyings,
    housePercents: new Map(
      rows.securities
        .filter((row) => row.house_long_percent !== null)
        .map((row) => [String(row.sec_no), decimalOfColumn(row.house_long_percent as string)]),
    ),
    costRates: rows.openRates.flatMap(costRateOf),
    openRate({ fxRate, openDate }, { currency }) {
      // Some feeds state the rate to another base currency on lines in US dollars.
      if (currency === usd) return ONE
      if (fxRate !== ZERO) return fxRate
      return openRates.get(`${currency} ${openDate}`) ?? ZERO
    },
  }
}

function priceAtExpiration({
  sec_no,
  at_expiration: found,
}: SecurityRow & AtExpiration): [string, SecurityPrice][] {
  if (found === undefined) return []
  const price = decimalOfColumn(found.price)
  return [[String(sec_no), { price, priceType: found.price_type, priceDate: found.priced_at }]]
}

/**
 * A rate of another day, or one that changed a cost which an earlier business date had at another rate. Such a change
 * is reported until the business date on which the rate arrived is closed.
 */
function costRateOf({ currency, open_date, rate_date, restates }: OpenRate): CostRate[] {
  if (rate_date === null || (rate_date === open_date && !restates)) return []
  return [{ currency, tradeDate: open_date, rateDate: rate_date }]
}
