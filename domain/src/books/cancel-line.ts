/**
 * A cancel has the facts of the line that it takes back, its quantity and netAmount with the other sign. What it tells of them
 * itself must be the same: one that tells of something else is no cancel of that line. Books 1, Corrections.
 */
import { type Rejection, reject } from '@clearing/protocol'
import { abs, DECIMAL_PLACES, type Decimal, renderDecimal } from '../decimal.ts'
import type { ActivityLine } from './activity.ts'
import { type ActivityDraft, NET_AMOUNT_TOLERANCE_UNITS, priceOf } from './complete-activity.ts'

/** What a cancel tells; absent where it leaves it to its original. Signs of quantity and netAmount may be the original's or the cancel's own. */
export type CancelFacts = Pick<
  ActivityDraft,
  'externalId' | 'tagNo' | 'order' | 'settleDate' | 'asOfDate'
> & {
  readonly [Fact in
    | 'acctType'
    | 'transType'
    | 'buySell'
    | 'currency'
    | 'tradeDate'
    | 'quantity'
    | 'price'
    | 'netAmount']?: ActivityLine[Fact] | undefined
} & {
  /** Security.key. */
  readonly security?: string | undefined
  readonly toSecurity?: string | undefined
}

/** The cancel of a line, or every fact in which it differs from it. */
export function cancelLine(
  told: CancelFacts,
  original: ActivityLine,
  moneyPlaces: number,
): { readonly line: ActivityLine } | { readonly rejections: readonly Rejection[] } {
  const rejections = differences(told, original, moneyPlaces)
  if (rejections.length > 0) return { rejections }
  const { externalId, tagNo, tradeDate, settleDate, asOfDate, order } = told
  return {
    line: {
      ...original,
      externalId,
      sequence: 0,
      quantity: -original.quantity,
      netAmount: original.netAmount === undefined ? undefined : -original.netAmount,
      tradeDate: tradeDate ?? original.tradeDate,
      settleDate: settleDate ?? original.settleDate,
      asOfDate: asOfDate ?? original.asOfDate,
      order: order ?? externalId,
      cancels: true,
      rebills: false,
      tagNo,
    },
  }
}

function differences(told: CancelFacts, original: ActivityLine, moneyPlaces: number): Rejection[] {
  const rejections: Rejection[] = []
  const refuse = (field: string, is = 'none') =>
    rejections.push(
      reject('ERR.1015', field, `A cancel must have the ${field} of the line that it takes back: ${is}.`),
    )
  for (const fact of ['transType', 'buySell', 'acctType', 'currency'] as const) {
    const is = original[fact]
    if (told[fact] !== undefined && told[fact] !== is) refuse(fact, is === undefined ? is : String(is))
  }
  for (const fact of ['security', 'toSecurity'] as const) {
    if (told[fact] !== undefined && told[fact] !== original[fact]?.key)
      refuse(fact, original[fact] && 'another one')
  }
  const { quantity, price, netAmount } = original
  if (told.quantity !== undefined && abs(told.quantity) !== abs(quantity))
    refuse('quantity', renderDecimal(abs(quantity)))
  // What a unit of a pool's original face brings is kept.
  if (
    told.price !== undefined &&
    told.price !== price &&
    priceOf({ ...original, price: told.price }) !== price
  )
    refuse('price', price === undefined ? undefined : renderDecimal(price))
  if (told.netAmount !== undefined && netAmount !== undefined) {
    if (!agree(abs(told.netAmount), abs(netAmount), moneyPlaces))
      refuse('netAmount', renderDecimal(-netAmount))
  }
  return rejections
}

/** Feeds round once more or once less. */
function agree(one: Decimal, other: Decimal, moneyPlaces: number): boolean {
  const unit = 10n ** BigInt(DECIMAL_PLACES - moneyPlaces)
  return abs(one - other) <= NET_AMOUNT_TOLERANCE_UNITS * unit
}
