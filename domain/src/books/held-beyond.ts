/**
 * Finds what an account holds that lower entitlements do not permit: what needs margin, and options above the level. A
 * pure function, called before operations lower the entitlements of an account.
 */
import { type Decimal, renderDecimal, ZERO } from '../decimal.ts'
import type { CashHeld, PositionHeld } from './cover.ts'
import { findHeldNotEntitled, sumByCurrency } from './held-not-entitled.ts'
import type { Entitled } from './not-entitled.ts'

export interface HeldBeyond {
  readonly of: 'margin' | 'options'
  /** What is held, and what to do about it. */
  readonly reason: string
}

/** Buying calls and puts. */
const levelThatBuys = 2
/** The positions that a reason names. */
const namedMost = 3

export function findHeldBeyond(
  before: Entitled,
  after: Entitled,
  cash: readonly CashHeld[],
  positions: readonly PositionHeld[],
): HeldBeyond[] {
  return [
    ...(before.margin && !after.margin ? findOnMargin(cash, positions) : []).map(
      (reason) => ({ of: 'margin', reason }) as const,
    ),
    ...(after.optionLevel < before.optionLevel ? findOptions(after, cash, positions) : []).map(
      (reason) => ({ of: 'options', reason }) as const,
    ),
  ]
}

/** Without margin, an account owes nothing and is short of nothing, and account types 2 and 3 are empty. */
function findOnMargin(cash: readonly CashHeld[], positions: readonly PositionHeld[]): string[] {
  const isShort = ({ option, quantity }: PositionHeld) => option === undefined && quantity < ZERO
  const short = positions.filter(isShort).map(nameOf)
  const owed = [...sumByCurrency(cash)].filter(([, amount]) => amount < ZERO)
  const apart = [
    ...positions.filter((one) => one.acctType !== 1 && one.quantity !== ZERO && !isShort(one)).map(nameOf),
    ...cash
      .filter(({ acctType, amount }) => acctType !== 1 && amount !== ZERO)
      .map(({ amount, currency }) => `${renderDecimal(amount)} ${currency}`),
  ]
  return [
    ...(short.length === 0
      ? []
      : [`The account is short ${list(short)}. Have the short sales covered first.`]),
    ...(owed.length === 0
      ? []
      : [
          `The account owes ${owed.map(([currency, amount]) => `${renderDecimal(-amount)} ${currency}`).join(' and ')}. Request a deposit first.`,
        ]),
    ...(apart.length === 0
      ? []
      : [
          `Account types 2 and 3 hold ${list(apart)}. Have it journalled to account type 1 or closed out first.`,
        ]),
  ]
}

function findOptions(
  after: Entitled,
  cash: readonly CashHeld[],
  positions: readonly PositionHeld[],
): string[] {
  const { optionLevel } = after
  const options = positions.filter(({ option, quantity }) => option !== undefined && quantity !== ZERO)
  const above = optionLevel === 0 ? options : optionLevel < levelThatBuys ? options.filter(isLong) : []
  const permits =
    optionLevel === 0 ? 'an account without options holds none' : `option level ${optionLevel} buys none`
  return [
    ...(above.length === 0
      ? []
      : [`The account holds ${list(above.map(nameOf))}, and ${permits}. Have it closed out first.`]),
    ...findHeldNotEntitled(after, cash, positions).flatMap(({ securityKey, reason }) =>
      securityKey === undefined ? [] : [reason],
    ),
  ]
}

function isLong({ quantity }: { readonly quantity: Decimal }): boolean {
  return quantity > ZERO
}

function nameOf({ quantity, symbol, option }: PositionHeld): string {
  const amount = renderDecimal(quantity < ZERO && option === undefined ? -quantity : quantity)
  return `${amount} ${symbol || (option === undefined ? 'units' : `contracts on ${option.underlying}`)}`
}

function list(names: readonly string[]): string {
  const more = names.length - namedMost
  return [...names.slice(0, namedMost), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}
