/**
 * Finds positions and debits that an account is not entitled to, whichever lines caused them: cash below zero where the
 * registration cannot borrow, and written options without the cover that the option level requires. In the cash account
 * every written option needs cover there, at any level (12 CFR 220.2, Covered option transaction; 220.8(a)(3)). A pure
 * function, called after lines were booked.
 */
import { type Decimal, min, multiply, ONE, renderDecimal, ZERO } from '../decimal.ts'
import type { AcctType } from './activity.ts'
import type { Entitled } from './not-entitled.ts'

export interface CashHeld {
  readonly acctType: AcctType
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
  /** As the option names it. */
  readonly underlying: string
  /** The key of the underlying. */
  readonly underlyingKey: string
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
const cashAccount: AcctType = 1

/**
 * What account types 2 and 3 hold in an account without margin. The reason names no amounts, so that later lines change
 * neither the reason nor the break until the account types are empty.
 */
export function findOnMargin(
  { registration, mayBorrow, margin }: Entitled,
  cash: readonly CashHeld[],
  positions: readonly PositionHeld[],
): HeldNotEntitled | undefined {
  if (mayBorrow && margin) return undefined
  const isEmpty =
    cash.every(({ acctType, amount }) => acctType === cashAccount || amount === ZERO) &&
    positions.every(({ acctType, quantity }) => acctType === cashAccount || quantity === ZERO)
  if (isEmpty) return undefined
  const reason = mayBorrow
    ? 'Account types 2 and 3 are not empty, and the account has no margin. Have what they hold journalled to account type 1, or have margin added to the account, which needs an approved margin agreement.'
    : `Account types 2 and 3 are not empty, and an account of the registration ${registration} never borrows. Have what they hold journalled to account type 1.`
  return { securityKey: undefined, acctType: undefined, quantity: undefined, reason }
}

const moneyPlaces = 2

/** Sorted by currency, then by security. */
export function findHeldNotEntitled(
  entitled: Entitled,
  cash: readonly CashHeld[],
  positions: readonly PositionHeld[],
): HeldNotEntitled[] {
  return [...debits(entitled, cash, positions), ...withoutCover(entitled, cash, positions)]
}

/** A money-market fund is redeemed when a purchase settles. Until then, it covers the debit of the trade date. */
function debits(
  { mayBorrow, registration }: Entitled,
  cash: readonly CashHeld[],
  positions: readonly PositionHeld[],
): HeldNotEntitled[] {
  if (mayBorrow) return []
  const funds = positions
    .filter(({ moneyMarket }) => moneyMarket)
    .map(({ acctType, currency, quantity: amount }) => ({ acctType, currency, amount }))
  return [...sumByCurrency([...cash, ...funds])]
    .filter(([, amount]) => amount < ZERO)
    .map(([currency]) => ({
      securityKey: undefined,
      acctType: undefined,
      quantity: undefined,
      reason: `The cash in ${currency} is below zero, and an account of the registration ${registration} cannot borrow. Request a deposit, or cancel the lines that caused the debit.`,
    }))
}

export function sumByCurrency(cash: readonly CashHeld[]): Map<string, Decimal> {
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
  if (optionLevel < 1) return []
  const cover = new Cover(cash, positions)
  return (
    positions
      .filter((one): one is Written => one.option !== undefined && one.quantity < ZERO)
      // Assets of the cash account cover its own options first.
      .sort((a, b) => a.acctType - b.acctType || compare(a.securityKey, b.securityKey))
      .flatMap((written) => {
        if (!needsCover(written, optionLevel)) return []
        let open = -written.quantity
        open -=
          written.option.putCall === 'Call' ? cover.takeShares(written, open) : cover.takeCash(written, open)
        if (maySpread(written, optionLevel)) open -= cover.takeLong(written, open)
        return open <= ZERO ? [] : [uncovered(written, open, optionLevel)]
      })
      .sort((a, b) => compare(a.securityKey ?? '', b.securityKey ?? ''))
  )
}

function needsCover({ acctType, option }: Written, optionLevel: number): boolean {
  if (acctType === cashAccount) return true
  return optionLevel < (option.broadIndex ? levelThatUncoversIndex : levelThatUncoversEquity)
}

/**
 * In the cash account only options that are settled in cash may be spread: those on broad indexes (FINRA Rule
 * 4210(f)(2)).
 */
function maySpread({ acctType, option }: Written, optionLevel: number): boolean {
  return optionLevel >= levelThatSpreads && (acctType !== cashAccount || option.broadIndex)
}

function uncovered(written: Written, contracts: Decimal, optionLevel: number): HeldNotEntitled {
  const { securityKey, acctType, option } = written
  const what = option.putCall === 'Call' ? 'calls' : 'puts'
  const cover = [
    option.putCall === 'Call' ? `shares of ${option.underlying}` : 'cash for the exercise price',
    ...(maySpread(written, optionLevel) ? ['a long option that lasts as long'] : []),
  ].join(' or ')
  const asks = acctType === cashAccount ? 'the cash account' : `option level ${optionLevel}`
  const reason = `${renderDecimal(contracts)} written ${what} on ${option.underlying} are not covered by ${cover}, and ${asks} asks for it. Have them closed out or covered.`
  return { securityKey, acctType, quantity: -contracts, reason }
}

/** What covers an option: assets of the cash account, and those of the margin account. */
type Held = Record<'cash' | 'margin', Map<string, Decimal>>

/**
 * The assets of an account that cover written options. Each share, dollar and contract covers once. Assets of the
 * margin account cover no option of the cash account.
 */
class Cover {
  readonly #shares: Held = { cash: new Map(), margin: new Map() }
  readonly #cash: Held = { cash: new Map(), margin: new Map() }
  readonly #longs: { readonly of: Written; left: Decimal }[] = []

  constructor(cash: readonly CashHeld[], positions: readonly PositionHeld[]) {
    for (const { acctType, currency, amount } of cash) add(this.#cash, acctType, currency, amount)
    for (const held of positions) {
      const { acctType, securityKey, quantity, option, moneyMarket, currency } = held
      if (option !== undefined) {
        if (quantity > ZERO) this.#longs.push({ of: held as Written, left: quantity })
      } else if (moneyMarket) add(this.#cash, acctType, currency, quantity)
      else add(this.#shares, acctType, securityKey, quantity)
    }
  }

  takeShares({ acctType, option, multiplier }: Written, contracts: Decimal): Decimal {
    return take(this.#shares, acctType, { name: option.underlyingKey, each: multiplier, contracts })
  }

  takeCash({ acctType, option, multiplier, currency }: Written, contracts: Decimal): Decimal {
    const each = multiply(option.strike, multiplier, moneyPlaces)
    return take(this.#cash, acctType, { name: currency, each, contracts })
  }

  takeLong({ acctType, option, multiplier }: Written, contracts: Decimal): Decimal {
    let taken = ZERO
    for (const long of this.#longs) {
      const { of } = long
      const fits =
        of.option.underlyingKey === option.underlyingKey &&
        of.option.putCall === option.putCall &&
        of.multiplier === multiplier &&
        (acctType !== cashAccount || of.acctType === cashAccount) &&
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

function add(held: Held, acctType: AcctType, name: string, amount: Decimal): void {
  const of = held[acctType === cashAccount ? 'cash' : 'margin']
  of.set(name, (of.get(name) ?? ZERO) + amount)
}

interface Wanted {
  readonly name: string
  /** What one contract takes. */
  readonly each: Decimal
  readonly contracts: Decimal
}

/**
 * Takes cover for whole contracts and returns how many. The options of the cash account come first, so that those of
 * the margin account may take from both accounts together.
 */
function take({ cash, margin }: Held, acctType: AcctType, { name, each, contracts }: Wanted): Decimal {
  const inCash = cash.get(name) ?? ZERO
  const inMargin = acctType === cashAccount ? ZERO : (margin.get(name) ?? ZERO)
  const taken = min(contracts, wholeTimes(inCash + inMargin, each))
  cash.set(name, inCash - multiply(taken, each, unitPlaces))
  return taken
}

function wholeTimes(held: Decimal, each: Decimal): Decimal {
  return held > ZERO && each > ZERO ? (held / each) * ONE : ZERO
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
