/**
 * Finds positions and debits that an account is not entitled to, whichever lines caused them: cash below zero where the
 * registration cannot borrow, and written options without the cover that the option level requires. A pure function,
 * called after lines were booked.
 */
import { type Decimal, min, multiply, ONE, renderDecimal, ZERO } from '../decimal.ts'
import type { AcctType } from './activity.ts'
import type { Entitled } from './not-entitled.ts'

export interface CashHeld {
  readonly currency: string
  readonly amount: Decimal
}

/** A position of one account type, with the facts that determine cover. */
export interface PositionHeld {
  readonly securityKey: string
  readonly acctType: AcctType
  /** Contracts or units. Negative if written or sold short. */
  readonly quantity: Decimal
  readonly symbol: string
  readonly currency: string
  readonly multiplier: Decimal
  /** A unit of a money-market fund counts as one unit of its currency. */
  readonly moneyMarket: boolean
  readonly option: OptionHeld | undefined
}

export interface OptionHeld {
  readonly putCall: 'Put' | 'Call'
  readonly strike: Decimal
  readonly expiration: string
  readonly underlying: string
  readonly broadIndex: boolean
}

export interface HeldNotEntitled {
  /** Undefined for cash. */
  readonly securityKey: string | undefined
  readonly acctType: AcctType | undefined
  /** The contracts without cover, negative. Undefined for cash. */
  readonly quantity: Decimal | undefined
  readonly reason: string
}

type Written = PositionHeld & { readonly option: OptionHeld }

/**
 * From these levels on, written options may be spread, or be uncovered: first on equities, then also on broad indexes.
 */
const levelThatSpreads = 3
const levelThatUncoversEquity = 4
const levelThatUncoversIndex = 5
const moneyPlaces = 2

/** Sorted by currency, then by security. */
export function findHeldNotEntitled(
  entitled: Entitled,
  cash: readonly CashHeld[],
  positions: readonly PositionHeld[],
): HeldNotEntitled[] {
  return [...debits(entitled, cash), ...withoutCover(entitled, cash, positions)]
}

function debits({ mayBorrow, registration }: Entitled, cash: readonly CashHeld[]): HeldNotEntitled[] {
  if (mayBorrow) return []
  return [...sumByCurrency(cash)]
    .filter(([, amount]) => amount < ZERO)
    .map(([currency]) => ({
      securityKey: undefined,
      acctType: undefined,
      quantity: undefined,
      reason: `The cash in ${currency} is below zero, and an account of the registration ${registration} cannot borrow. Request a deposit, or cancel the lines that caused the debit.`,
    }))
}

function sumByCurrency(cash: readonly CashHeld[]): Map<string, Decimal> {
  const sums = new Map<string, Decimal>()
  for (const { currency, amount } of [...cash].sort((a, b) => (a.currency < b.currency ? -1 : 1))) {
    sums.set(currency, (sums.get(currency) ?? ZERO) + amount)
  }
  return sums
}

/** Without an agreement the line itself raises the break. At the highest level no cover is required. */
function withoutCover(
  { optionLevel }: Entitled,
  cash: readonly CashHeld[],
  positions: readonly PositionHeld[],
): HeldNotEntitled[] {
  if (optionLevel < 1 || optionLevel >= levelThatUncoversIndex) return []
  const cover = new Cover(cash, positions)
  return positions
    .filter((one): one is Written => one.option !== undefined && one.quantity < ZERO)
    .sort((a, b) => compare(a.securityKey, b.securityKey) || a.acctType - b.acctType)
    .flatMap((written) => {
      if (optionLevel >= levelThatUncoversEquity && !written.option.broadIndex) return []
      let open = -written.quantity
      open -=
        written.option.putCall === 'Call' ? cover.takeShares(written, open) : cover.takeCash(written, open)
      if (optionLevel >= levelThatSpreads) open -= cover.takeLong(written, open)
      return open <= ZERO ? [] : [uncovered(written, open, optionLevel)]
    })
}

function uncovered(written: Written, contracts: Decimal, optionLevel: number): HeldNotEntitled {
  const { securityKey, acctType, option } = written
  const what = option.putCall === 'Call' ? 'calls' : 'puts'
  const cover = [
    option.putCall === 'Call' ? `shares of ${option.underlying}` : 'cash for the exercise price',
    ...(optionLevel >= levelThatSpreads ? ['a long option that lasts as long'] : []),
  ].join(' or ')
  const reason = `${renderDecimal(contracts)} written ${what} on ${option.underlying} are not covered by ${cover}, and option level ${optionLevel} asks for it. Have them closed out or covered.`
  return { securityKey, acctType, quantity: -contracts, reason }
}

/** The assets of an account that cover written options. Each share, dollar and contract covers once. */
class Cover {
  readonly #shares = new Map<string, Decimal>()
  readonly #cash: Map<string, Decimal>
  readonly #longs: { readonly of: Written; left: Decimal }[] = []

  constructor(cash: readonly CashHeld[], positions: readonly PositionHeld[]) {
    this.#cash = sumByCurrency(cash)
    for (const held of positions) {
      const { symbol, quantity, option, moneyMarket, currency } = held
      if (option !== undefined) {
        if (quantity > ZERO) this.#longs.push({ of: held as Written, left: quantity })
      } else if (moneyMarket) {
        this.#cash.set(currency, (this.#cash.get(currency) ?? ZERO) + quantity)
      } else this.#shares.set(symbol, (this.#shares.get(symbol) ?? ZERO) + quantity)
    }
  }

  takeShares({ option, multiplier }: Written, contracts: Decimal): Decimal {
    const held = this.#shares.get(option.underlying) ?? ZERO
    const taken = min(contracts, wholeTimes(held, multiplier))
    this.#shares.set(option.underlying, held - multiply(taken, multiplier, unitPlaces))
    return taken
  }

  takeCash({ option, multiplier, currency }: Written, contracts: Decimal): Decimal {
    const held = this.#cash.get(currency) ?? ZERO
    const price = multiply(option.strike, multiplier, moneyPlaces)
    const taken = min(contracts, wholeTimes(held, price))
    this.#cash.set(currency, held - multiply(taken, price, moneyPlaces))
    return taken
  }

  takeLong({ option, multiplier }: Written, contracts: Decimal): Decimal {
    let taken = ZERO
    for (const long of this.#longs) {
      const { of } = long
      const fits =
        of.option.underlying === option.underlying &&
        of.option.putCall === option.putCall &&
        of.multiplier === multiplier &&
        of.option.expiration >= option.expiration
      if (!fits) continue
      const some = min(contracts - taken, long.left)
      long.left -= some
      taken += some
    }
    return taken
  }
}

const unitPlaces = 8

function wholeTimes(held: Decimal, each: Decimal): Decimal {
  return held > ZERO && each > ZERO ? (held / each) * ONE : ZERO
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
