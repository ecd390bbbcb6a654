/**
 * The books of an account after each day in succession. Lines in order are added to the holdings; after a late line or
 * a correction everything is folded again. The result equals `foldAccount` of all lines so far.
 */
import { type Decimal, ZERO } from '../decimal.ts'
import type { AcctType, ActivityLine } from './activity.ts'
import { compareLines } from './arrange.ts'
import { applyLine, type CashBalance, type FoldSettings, foldAccount, securitiesTouched } from './fold.ts'
import type { HoldingState } from './holding.ts'

/** A position with its cost, or cash with a cost of zero. */
export interface HeldBalance {
  /** Security.key, or the currency. */
  readonly asset: string
  readonly acctType: AcctType
  readonly quantity: Decimal
  readonly cost: Decimal
}

export class RunningFold {
  readonly #settings: FoldSettings
  readonly #lines: ActivityLine[] = []
  /** Ids that corrections name. */
  readonly #corrected = new Set<string>()
  #holdings = new Map<string, HoldingState>()
  #balances = new Map<string, HeldBalance>()
  #latest: ActivityLine | undefined

  constructor(settings: FoldSettings) {
    this.#settings = settings
  }

  /**
   * Adds the lines that arrived on a day and returns the balances that changed. A balance that ended is returned with
   * zeros.
   */
  add(lines: readonly ActivityLine[]): HeldBalance[] {
    const sorted = lines.toSorted(compareLines)
    const again = sorted.some(
      (line) => isCorrection(line) || isBefore(line, this.#latest) || this.#corrected.has(line.externalId),
    )
    this.#lines.push(...lines)
    for (const line of lines) {
      if (isCorrection(line) && line.tagNo !== undefined) this.#corrected.add(line.tagNo)
    }
    for (const line of sorted) {
      if (this.#latest === undefined || compareLines(line, this.#latest) > 0) this.#latest = line
    }
    return again ? this.#foldAgain() : this.#goOn(sorted)
  }

  /** Undefined if nothing was ever held. */
  balance(acctType: AcctType, asset: string): HeldBalance | undefined {
    return this.#balances.get(nameOf({ acctType, asset }))
  }

  #goOn(lines: readonly ActivityLine[]): HeldBalance[] {
    const before = new Map<string, HeldBalance | undefined>()
    const put = (balance: HeldBalance) => {
      const name = nameOf(balance)
      if (!before.has(name)) before.set(name, this.#balances.get(name))
      this.#balances.set(name, balance)
    }
    for (const line of lines) {
      const { holdings, cash } = applyLine(this.#holdings, line, this.#settings)
      for (const [key, holding] of holdings) this.#holdings.set(key, holding)
      for (const { currency, acctType, amount } of cash) {
        const was = this.#balances.get(`${acctType} ${currency}`)?.quantity ?? ZERO
        put({ asset: currency, acctType, quantity: was + amount, cost: ZERO })
      }
    }
    for (const key of new Set(lines.flatMap(securitiesTouched))) {
      const holding = this.#holdings.get(key)
      if (holding !== undefined) for (const balance of balancesOf(key, holding)) put(balance)
    }
    return [...before].flatMap(([name, was]) => {
      const is = this.#balances.get(name) as HeldBalance
      return isSame(was, is) ? [] : [is]
    })
  }

  #foldAgain(): HeldBalance[] {
    const before = this.#balances
    const { holdings, cash } = foldAccount(this.#lines, this.#settings)
    this.#holdings = new Map(holdings)
    const balances = [
      ...[...holdings].flatMap(([key, holding]) => balancesOf(key, holding)),
      ...cash.map(cashBalance),
    ]
    this.#balances = new Map(balances.map((balance) => [nameOf(balance), balance]))
    for (const [name, was] of before) {
      if (!this.#balances.has(name)) this.#balances.set(name, { ...was, quantity: ZERO, cost: ZERO })
    }
    return [...this.#balances].flatMap(([name, is]) => (isSame(before.get(name), is) ? [] : [is]))
  }
}

function isCorrection({ cancels, rebills }: ActivityLine): boolean {
  return cancels || rebills
}
function isBefore(line: ActivityLine, latest: ActivityLine | undefined): boolean {
  return latest !== undefined && compareLines(line, latest) < 0
}

function nameOf({ asset, acctType }: Pick<HeldBalance, 'asset' | 'acctType'>): string {
  return `${acctType} ${asset}`
}

function isSame(was: HeldBalance | undefined, is: HeldBalance): boolean {
  return (was?.quantity ?? ZERO) === is.quantity && (was?.cost ?? ZERO) === is.cost
}

function cashBalance({ currency, acctType, amount }: CashBalance): HeldBalance {
  return {
    asset: currency,
    acctType,
    quantity: amount,
    cost: ZERO,
  }
}

/** Sums over all three account types. */
function balancesOf(asset: string, { lots }: HoldingState): HeldBalance[] {
  return lots.map((open, type) => {
    let quantity = ZERO
    let cost = ZERO
    for (const lot of open) {
      quantity += lot.quantity
      cost += lot.cost
    }
    return { asset, acctType: (type + 1) as AcctType, quantity, cost }
  })
}
