/**
 * Finds positions and debits that an account is not entitled to, whichever lines caused them: cash below zero where the
 * registration cannot borrow, and written options without the cover that the option level requires. In the cash account
 * every written option needs cover there, at any level (12 CFR 220.2, Covered option transaction; 220.8(a)(3)). A pure
 * function, called after lines were booked.
 */
import { type Decimal, renderDecimal, ZERO } from '../decimal.ts'
import type { AcctType } from './activity.ts'
import { type CashHeld, Cover, cashAccount, type PositionHeld, type Written } from './cover.ts'
import type { Entitled } from './not-entitled.ts'

export interface HeldNotEntitled {
  /** Undefined for cash. */
  readonly securityKey: string | undefined
  readonly acctType: AcctType | undefined
  /** The contracts without cover, negative. Undefined for cash. */
  readonly quantity: Decimal | undefined
  readonly reason: string
}

/**
 * From these levels on, written options may be spread, or be uncovered: first on equities, then also on broad indexes.
 */
const levelThatSpreads = 3
const levelThatUncoversEquity = 4
const levelThatUncoversIndex = 5

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
        if (written.acctType === cashAccount && maySpread(written, optionLevel))
          open -= cover.takeSpread(written, open)
        open -=
          written.option.putCall === 'Call' ? cover.takeShares(written, open) : cover.takeCash(written, open)
        if (written.acctType !== cashAccount && maySpread(written, optionLevel))
          open -= cover.takeLong(written, open)
        return open <= ZERO ? [] : [uncovered(written, open, optionLevel)]
      })
      .sort((a, b) => compare(a.securityKey ?? '', b.securityKey ?? ''))
  )
}

function needsCover({ acctType, option }: Written, optionLevel: number): boolean {
  if (acctType === cashAccount) return true
  return optionLevel < (option.broadIndex ? levelThatUncoversIndex : levelThatUncoversEquity)
}

/** In the cash account only European-style index options may be spread (FINRA Rule 4210(f)(2)(M)(ii)). */
function maySpread({ acctType, option }: Written, optionLevel: number): boolean {
  return allowsSpreads(optionLevel) && (acctType !== cashAccount || option.europeanIndex)
}

export function allowsSpreads(optionLevel: number): boolean {
  return optionLevel >= levelThatSpreads
}

function uncovered(written: Written, contracts: Decimal, optionLevel: number): HeldNotEntitled {
  const { securityKey, acctType, option } = written
  const what = option.putCall === 'Call' ? 'calls' : 'puts'
  const cover = [
    option.putCall === 'Call' ? `shares of ${option.underlying}` : 'cash for the exercise price',
    ...(maySpread(written, optionLevel) ? [spreadThatCovers(acctType)] : []),
  ].join(' or ')
  const asks = acctType === cashAccount ? 'the cash account' : `option level ${optionLevel}`
  const reason = `${renderDecimal(contracts)} written ${what} on ${option.underlying} are not covered by ${cover}, and ${asks} asks for it. Have them closed out or covered.`
  return { securityKey, acctType, quantity: -contracts, reason }
}

function spreadThatCovers(acctType: AcctType): string {
  return acctType === cashAccount
    ? 'a long option of the same expiration and cash for the amount at risk'
    : 'a long option that lasts as long'
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
