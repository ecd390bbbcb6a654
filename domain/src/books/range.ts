/**
 * The range of the books: every amount of a line, and every amount that results from it, has at most 18 digits before
 * the point. A line that exceeds the range is refused. The rejection names the field of the line that caused the
 * excess.
 */
import { type Rejection, reject } from '@clearing/protocol/values'
import { type Decimal, ONE, renderDecimal, ZERO } from '../decimal.ts'
import type { ActivityLine } from './activity.ts'
import type { Effects } from './effects.ts'
import type { HoldingState } from './holding.ts'

const DIGITS = 18
const BEYOND: Decimal = ONE * 10n ** BigInt(DIGITS)
const BENEATH: Decimal = -BEYOND
const atMost = `at most ${DIGITS} digits before the point`

/** Whether a column of amounts, quantities or prices can store the value. */
export function isInRange(amount: Decimal): boolean {
  return amount < BEYOND && amount > BENEATH
}

/** Amounts of the line itself that exceed the range after computation or rounding. */
export function amountsBeyond(line: ActivityLine): Rejection[] {
  const {
    quantity,
    price = ZERO,
    commission,
    secFee,
    interest,
    netAmount = ZERO,
    cost = ZERO,
    cashInLieu = ZERO,
  } = line
  if (
    isInRange(quantity) &&
    isInRange(price) &&
    isInRange(commission) &&
    isInRange(secFee) &&
    isInRange(interest) &&
    isInRange(netAmount) &&
    isInRange(cost) &&
    isInRange(cashInLieu)
  ) {
    return []
  }
  return Object.entries({ quantity, price, commission, secFee, interest, netAmount, cost, cashInLieu })
    .filter(([, amount]) => !isInRange(amount))
    .map(([field, amount]) =>
      reject('ERR.1015', field, `${field} comes to ${renderDecimal(amount)}; the books hold ${atMost}.`),
    )
}

const sharesBeyond = reject(
  'ERR.1015',
  'quantity',
  `The line exceeds the range of quantities in the books: ${atMost}.`,
)
const moneyBeyond = reject(
  'ERR.1015',
  'netAmount',
  `The line exceeds the range of amounts in the books: ${atMost}.`,
)

/** Why the books cannot store a cash balance. Undefined when they can. */
export function cashBeyond(balance: Decimal): Rejection | undefined {
  return isInRange(balance) ? undefined : moneyBeyond
}

/** Why the books cannot store the effects of lines. Undefined when they can. */
export function effectsBeyond(
  effects: Pick<Effects, 'movements' | 'closings' | 'washes' | 'breaks'>,
): Rejection | undefined {
  for (const { quantity, cash } of effects.movements) {
    if (!isInRange(quantity)) return sharesBeyond
    if (!isInRange(cash)) return moneyBeyond
  }
  for (const { quantity, proceeds, cost, gain } of effects.closings) {
    if (!isInRange(quantity)) return sharesBeyond
    if (!isInRange(proceeds) || !isInRange(cost) || !isInRange(gain)) return moneyBeyond
  }
  for (const { quantity, disallowed } of effects.washes) {
    if (!isInRange(quantity)) return sharesBeyond
    if (!isInRange(disallowed)) return moneyBeyond
  }
  for (const { quantity } of effects.breaks) if (!isInRange(quantity)) return sharesBeyond
  return undefined
}

/** Why the books cannot store the lots of a holding or their sum by account type. Undefined when they can. */
export function holdingBeyond({
  lots,
  inTransit,
}: Pick<HoldingState, 'lots' | 'inTransit'>): Rejection | undefined {
  for (const ofType of lots) {
    let quantity = ZERO
    let cost = ZERO
    for (const lot of ofType) {
      if (!isInRange(lot.cost) || !isInRange(lot.washAdded)) return moneyBeyond
      quantity += lot.quantity
      cost += lot.cost
    }
    // Lots of one account type are all long or all short.
    if (!isInRange(quantity)) return sharesBeyond
    if (!isInRange(cost)) return moneyBeyond
  }
  for (const { lot } of inTransit) {
    if (!isInRange(lot.quantity)) return sharesBeyond
    if (!isInRange(lot.cost)) return moneyBeyond
  }
  return undefined
}
