/**
 * The assets of an account that cover written options: shares, cash and long options. Each share, dollar and contract
 * covers once. Assets of the margin account cover no option of the cash account.
 */
import { type Decimal, max, min, multiply, ONE, ZERO } from '../decimal.ts'
import { largestLoss } from '../market/largest-loss.ts'
import type { AcctType } from './activity.ts'

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
  /** The market value of a security of the United States or its agencies, in its currency (12 CFR 220.2). */
  readonly cashEquivalent?: Decimal | undefined
  /** For a convertible: the key of the stock, and the shares for one unit of the quantity. */
  readonly converts?: { readonly securityKey: string; readonly ratio: Decimal } | undefined
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
  /** On a broad index, European-style and settled in cash. */
  readonly europeanIndex: boolean
}

export type Written = PositionHeld & { readonly option: OptionHeld }

export const cashAccount: AcctType = 1
const moneyPlaces = 2

interface Long {
  readonly of: Written
  left: Decimal
}

/** The European-style options of the cash account on one index that expire together. */
interface Spread {
  readonly options: Written[]
  readonly longs: Long[]
  /** Whether its whole amount at risk was taken from the cash. Undefined until it is asked for. */
  isWhole: boolean | undefined
}

/** What covers an option: assets of the cash account, and those of the margin account. */
type Held = Record<'cash' | 'margin', Map<string, Decimal>>

export class Cover {
  readonly #shares: Held = { cash: new Map(), margin: new Map() }
  readonly #cash: Held = { cash: new Map(), margin: new Map() }
  readonly #longs: Long[] = []
  readonly #spreads = new Map<string, Spread>()

  constructor(cash: readonly CashHeld[], positions: readonly PositionHeld[]) {
    for (const { acctType, currency, amount } of cash) add(this.#cash, acctType, currency, amount)
    for (const held of positions) {
      const { acctType, securityKey, quantity, option, moneyMarket, currency, converts } = held
      if (option !== undefined) {
        this.#addOption(held as Written)
      } else if (moneyMarket) add(this.#cash, acctType, currency, quantity)
      else add(this.#shares, acctType, securityKey, quantity)
      if (quantity <= ZERO) continue
      add(this.#cash, acctType, currency, held.cashEquivalent ?? ZERO)
      if (converts !== undefined)
        add(this.#shares, acctType, converts.securityKey, multiply(quantity, converts.ratio, unitPlaces))
    }
  }

  takeShares({ acctType, option, multiplier }: Written, contracts: Decimal): Decimal {
    return take(this.#shares, acctType, { name: option.underlyingKey, each: multiplier, contracts })
  }

  takeCash(written: Written, contracts: Decimal): Decimal {
    const { option, multiplier } = written
    return this.#takeMoney(written, multiply(option.strike, multiplier, moneyPlaces), contracts)
  }

  /**
   * Cover of an option of the cash account by the spread in which it is: all options on the index that expire with it.
   * The spread covers it whole if the cash is its amount at risk. Otherwise the option is paired with one long option
   * after the other, which takes the difference of the exercise prices.
   */
  takeSpread(written: Written, contracts: Decimal): Decimal {
    const spread = this.#spreads.get(nameOfSpread(written))
    if (spread === undefined) return ZERO
    spread.isWhole ??= this.#takeWhole(spread)
    if (spread.isWhole) return contracts
    let open = contracts
    const ofSide = spread.longs.filter(({ of }) => of.option.putCall === written.option.putCall)
    const pairs = ofSide.map((long) => ({ long, loss: lossOf(written, long.of) }))
    for (const { long, loss } of pairs.sort(cheapestFirst)) {
      const most = min(open, long.left)
      const taken = loss === ZERO ? most : this.#takeMoney(written, loss, most)
      long.left -= taken
      open -= taken
    }
    return contracts - open
  }

  #addOption(held: Written): void {
    const { acctType, quantity, option } = held
    const long = { of: held, left: max(ZERO, quantity) }
    if (quantity > ZERO) this.#longs.push(long)
    if (acctType !== cashAccount || !option.europeanIndex) return
    const name = nameOfSpread(held)
    const spread = this.#spreads.get(name) ?? { options: [], longs: [], isWhole: undefined }
    this.#spreads.set(name, spread)
    spread.options.push(held)
    if (quantity > ZERO) spread.longs.push(long)
  }

  #takeWhole({ options, longs }: Spread): boolean {
    const [first] = options
    const calls = options.reduce(
      (sum, { option, quantity }) => sum + (option.putCall === 'Call' ? quantity : ZERO),
      ZERO,
    )
    if (first === undefined || calls < ZERO) return false
    const loss = largestLoss(options.map(({ option, quantity }) => ({ ...option, sold: -quantity })))
    const risk = multiply(loss, first.multiplier, moneyPlaces)
    if (risk !== ZERO && this.#takeMoney(first, risk, ONE) === ZERO) return false
    for (const long of longs) long.left = ZERO
    return true
  }

  #takeMoney({ acctType, currency }: Written, each: Decimal, contracts: Decimal): Decimal {
    return take(this.#cash, acctType, { name: currency, each, contracts })
  }

  takeLong({ option, multiplier }: Written, contracts: Decimal): Decimal {
    let taken = ZERO
    for (const long of this.#longs) {
      const { of } = long
      const fits =
        of.option.underlyingKey === option.underlyingKey &&
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

/** Names the options that can be one spread. */
function nameOfSpread({ option, multiplier, currency }: Written): string {
  return `${option.underlyingKey} ${option.expiration} ${multiplier} ${currency}`
}

/** What one contract of a written option can lose beside one of a long option. */
function lossOf({ option, multiplier }: Written, long: Written): Decimal {
  const { strike } = long.option
  const points = option.putCall === 'Call' ? strike - option.strike : option.strike - strike
  return multiply(max(ZERO, points), multiplier, moneyPlaces)
}

interface Pair {
  readonly long: Long
  readonly loss: Decimal
}

/** Of two with the same loss, the one with the smaller key, so that the order of positions does not matter. */
function cheapestFirst(a: Pair, b: Pair): number {
  if (a.loss !== b.loss) return a.loss < b.loss ? -1 : 1
  return a.long.of.securityKey < b.long.of.securityKey ? -1 : 1
}
