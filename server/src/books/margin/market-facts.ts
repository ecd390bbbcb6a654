/** Securities, prices and rates for a close: all as of one instant, read once and cached. */
import { type Decimal, multiply, ZERO } from '@clearing/domain/decimal'
import {
  debtOf,
  debtRequirement,
  equityOf,
  findCurrency,
  fundTerms,
  hasExpired,
  hasLoanValue,
  lineValue,
  type MarginPosition,
  optionOf,
  toUsd,
  type Underlying,
  unitQuantityOf,
  usdRate,
  type ValuedSecurity,
} from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import { decimalOfColumn } from '../../store/books/bulk.ts'
import { endOfEasternDay, startOfEasternDay } from '../../store/books/calendar.ts'
import { findKnownSecurities } from '../../store/books/known-securities.ts'
import { type Holder, withFactorsOfDay } from '../../store/books/pool-factors.ts'
import { withUnderlyings } from '../../store/books/prices/changed-underlyings.ts'
import { withPricesAtExpiration } from '../../store/books/prices/expired-options.ts'
import { readPricesAt } from '../../store/books/prices/prices-at.ts'
import { readPricesOfDays } from '../../store/books/prices/prices-of-days.ts'
import { readSpunOff } from '../../store/books/prices/spin-offs.ts'
import { readYieldsAt } from '../../store/books/prices/yields.ts'
import { readRatesOn } from '../../store/books/rates.ts'
import { valuedSecurity } from '../../store/books/securities.ts'

interface KnownFacts {
  readonly security: ValuedSecurity
  readonly houseLongPercent: Decimal | undefined
  /** The price in the units of the day; zero without one. */
  readonly price: Decimal
  readonly isPriced: boolean
  readonly beforeSpinoff: boolean
  /** The yield of a money-market fund in percent a year. Zero if no price line had one. */
  readonly yield: Decimal
}

/** The price of a security for trades of a day. */
export interface SecurityOnDay {
  readonly secNo: string
  readonly day: string
  /** A line of that day changes the units of the security: its price before the day is of other units. */
  readonly changed: boolean
}

/** The size of the cache of securities above which it is cleared before the next portion. */
const securitiesMax = 100_000
const usdPlaces = 2
const pricePlaces = 10

export class MarketFacts {
  readonly #at: string
  readonly #day: string
  readonly #knownOn: string | undefined
  readonly #known = new Map<string, KnownFacts>()
  readonly #underlyings = new Map<string, Underlying>()
  readonly #onDays = new Map<string, Decimal | undefined>()
  readonly #holder: Holder | undefined
  #rates: ReadonlyMap<string, Decimal> | undefined

  /**
   * `at` is the latest time of prices, and `day` the latest day of rates. `knownOn`: only facts that were
   * known at the close of that day. `rates`: the rates of that view, if they were read before. `holder`: pools have the
   * factors that count on the day for this holder, instead of the last ones.
   */
  constructor(
    at: string,
    day: string,
    knownOn?: string,
    rates?: ReadonlyMap<string, Decimal>,
    holder?: Holder,
  ) {
    this.#holder = holder
    this.#at = at
    this.#day = day
    this.#knownOn = knownOn
    this.#rates = rates
  }

  /** Forgets the securities if there are many. What was read before must not be needed any more. */
  trim(): void {
    if (this.#known.size > securitiesMax) this.#known.clear()
    if (this.#onDays.size > securitiesMax) this.#onDays.clear()
  }

  /** Reads the securities that are not cached, and the underlyings of options. */
  async learn(tx: Tx, secNos: Iterable<string>): Promise<void> {
    this.#rates ??= await readRatesOn(tx, this.#day, this.#knownOn ?? null)
    const unknown = [...new Set(secNos)].filter((secNo) => !this.#known.has(secNo))
    if (unknown.length === 0) return
    const underlyings = await this.#lookUp(tx, unknown)
    const further = underlyings.filter((secNo) => !this.#known.has(secNo))
    if (further.length > 0) await this.#lookUp(tx, further)
  }

  /** Reads the prices of days that are not cached. The securities must be known. */
  async learnDays(tx: Tx, wanted: readonly SecurityOnDay[]): Promise<void> {
    const unknown = new Map(wanted.map((one) => [nameOfDay(one), one]))
    for (const name of unknown.keys()) if (this.#onDays.has(name)) unknown.delete(name)
    if (unknown.size === 0) return
    const asked = [...unknown.values()].map(({ secNo, day, changed }) => ({
      secNo,
      day,
      opens: changed ? null : this.#untilNow(startOfEasternDay(day)),
      ends: this.#untilNow(endOfEasternDay(day)),
    }))
    const prices = await readPricesOfDays(tx, asked, this.#knownOn ?? null)
    for (const [at, name] of [...unknown.keys()].entries()) this.#onDays.set(name, prices[at])
  }

  #untilNow(time: Date): string {
    const now = new Date(this.#at)
    return (time < now ? time : now).toISOString()
  }

  /**
   * The price of a security for trades of a day, US dollars: that of the close before the day (12 CFR 220.2), as
   * `learnDays` has read it. Undefined without a price.
   */
  priceOnDay(one: SecurityOnDay): Decimal | undefined {
    const price = this.#onDays.get(nameOfDay(one))
    return price && multiply(price, this.rateOf(this.security(one.secNo).currency), pricePlaces)
  }

  /** The number of the underlying of an option. Undefined if the option has none that is known. */
  underlyingOf(secNo: string): string | undefined {
    const { option, family = '' } = this.security(secNo)
    return option !== undefined && this.#known.has(family) ? family : undefined
  }

  /** Returns the numbers of underlyings. */
  async #lookUp(tx: Tx, secNo: readonly string[]): Promise<string[]> {
    const view = { at: this.#at, day: this.#day, knownOn: this.#knownOn ?? null }
    const known = await findKnownSecurities(tx, { secNo, symbol: [] }, this.#knownOn)
    const holder = this.#holder && { ...this.#holder, day: this.#day, knownOn: this.#knownOn }
    const named = holder ? await withFactorsOfDay(tx, known, holder) : known
    const found = await withUnderlyings(tx, named, view)
    const rows = await withPricesAtExpiration(tx, found, view, this.#day)
    const prices = await readPricesAt(
      tx,
      rows.map(({ sec_no }) => String(sec_no)),
      view,
    )
    const spun = await readSpunOff(tx, [...prices.keys()], view)
    const funds = rows.filter(({ money_market }) => money_market).map(({ sec_no }) => String(sec_no))
    const yields = funds.length === 0 ? undefined : await readYieldsAt(tx, funds, view)
    const underlyings = new Set<string>()
    for (const row of rows) {
      const security = valuedSecurity(row)
      const own = hasExpired(security, this.#day)
        ? row.at_expiration && decimalOfColumn(row.at_expiration.price)
        : prices.get(security.secNo)
      const price = own ?? ZERO
      const house = row.house_long_percent
      this.#known.set(security.secNo, {
        security,
        price,
        isPriced: own !== undefined,
        beforeSpinoff: spun.has(security.secNo),
        yield: yields?.get(security.secNo) ?? ZERO,
        houseLongPercent: house === null ? undefined : decimalOfColumn(house),
      })
      if (prices.has(security.secNo)) {
        const usd = multiply(price, this.rateOf(security.currency), pricePlaces)
        this.#underlyings.set(security.secNo, { price: usd, ...fundTerms(security.secTypeName) })
      }
      if (security.option && row.underlying_no) underlyings.add(row.underlying_no)
    }
    return [...underlyings]
  }

  /** The securities that were read, with the underlyings of options among them. */
  get secNos(): string[] {
    return [...this.#known.keys()]
  }

  security(secNo: string): ValuedSecurity {
    return this.#of(secNo).security
  }

  price(secNo: string): Decimal {
    return this.#of(secNo).price
  }

  /** Whether a price is known, which may be zero. */
  isPriced(secNo: string): boolean {
    return this.#of(secNo).isPriced
  }

  /** Whether a rate of a currency is known. */
  hasRate(currency: string): boolean {
    return this.rateOf(currency) !== ZERO
  }

  /** Yield of a money-market fund, percent a year. */
  yieldOf(secNo: string): Decimal {
    return this.#of(secNo).yield
  }

  #of(secNo: string): KnownFacts {
    const facts = this.#known.get(secNo)
    if (facts === undefined) throw new Error(`security ${secNo} was not read`)
    return facts
  }

  /** US dollars for one unit of a currency; zero without a rate. */
  rateOf(currency: string): Decimal {
    return usdRate(currency, this.#rates ?? new Map())
  }

  /** An amount of a currency in US dollars. */
  inUsd(amount: Decimal, currency: string): Decimal {
    return toUsd(amount, this.rateOf(currency))
  }

  /** Whether the security has loan value. */
  hasLoanValue(secNo: string): boolean {
    return hasLoanValue(this.security(secNo))
  }

  /** The row of the table of stocks and funds that applies to a trade or a position at a price. */
  equityOf(
    secNo: string,
    position: Pick<MarginPosition, 'unitQuantity' | 'price'>,
  ): ReturnType<typeof equityOf> {
    return equityOf(this.security(secNo), position, this.#day)
  }

  /** For debt: the initial and maintenance requirement of a quantity at a value. Undefined for other securities. */
  debtRequirement(secNo: string, quantity: Decimal, value: Decimal): Decimal | undefined {
    const security = this.security(secNo)
    const units = unitQuantityOf(quantity, security)
    const debt = debtOf(security, units, this.rateOf(security.currency), this.#day)
    return debt && debtRequirement(debt.row, value, debt.principal)
  }

  /** The value of a quantity in US dollars. */
  valueOf(secNo: string, quantity: Decimal): Decimal {
    return this.inUsd(this.ownValueOf(secNo, quantity), this.security(secNo).currency)
  }

  /** The value in the currency of the security. */
  ownValueOf(secNo: string, quantity: Decimal): Decimal {
    const { security, price } = this.#of(secNo)
    const places = findCurrency(security.currency)?.places ?? usdPlaces
    return lineValue(quantity, price, security, places)
  }

  /**
   * A position of a margin account with the facts that the margin rules use, as `marginPositions` makes it from a
   * valued line. `recentUnits`: for a mutual fund, the units that were bought within the last 30 days.
   */
  marginPosition(secNo: string, quantity: Decimal, recentUnits?: Decimal): MarginPosition {
    const { security, price: listed, houseLongPercent, beforeSpinoff } = this.#of(secNo)
    const { symbol, description, kind, multiplier } = security
    const rate = this.rateOf(security.currency)
    const unitQuantity = unitQuantityOf(quantity, security)
    const price = multiply(listed, rate, pricePlaces)
    return {
      secNo,
      symbol,
      description,
      kind,
      quantity,
      unitQuantity,
      price,
      multiplier,
      houseLongPercent,
      recentUnits,
      beforeSpinoff,
      marketValue: this.valueOf(secNo, quantity),
      marginable: this.hasLoanValue(secNo),
      debt: debtOf(security, unitQuantity, rate, this.#day),
      converts: security.converts,
      family: security.family,
      ...this.equityOf(secNo, { unitQuantity, price }),
      ...optionOf(security, this.#underlyings, this.#day),
    }
  }
}

function nameOfDay({ secNo, day, changed }: SecurityOnDay): string {
  return `${day} ${secNo} ${changed}`
}
