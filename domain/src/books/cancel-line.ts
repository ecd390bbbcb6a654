/**
 * Completes a cancel from the line that it cancels: the same facts, with quantity and netAmount negated. A cancel that
 * states a different fact is refused. Books 1, Corrections.
 */
import { type Rejection, reject } from '@clearing/protocol/values'
import { abs, renderDecimal } from '../decimal.ts'
import type { ActivityLine } from './activity.ts'
import { agrees } from './agrees.ts'
import { type ActivityDraft, priceOf } from './complete-activity.ts'

/**
 * The facts that a cancel states. A fact that it leaves out is taken from the original. Quantity and netAmount may have
 * the sign of the original or of the cancel.
 */
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

/** The cancel of a line, or a rejection for every fact in which it differs. */
export function cancelLine(
  stated: CancelFacts,
  original: ActivityLine,
  moneyPlaces: number,
): { readonly line: ActivityLine } | { readonly rejections: readonly Rejection[] } {
  const rejections = differences(stated, original, moneyPlaces)
  if (rejections.length > 0) return { rejections }
  const { externalId, tagNo, tradeDate, settleDate, asOfDate, order } = stated
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

function differences(stated: CancelFacts, original: ActivityLine, moneyPlaces: number): Rejection[] {
  const rejections: Rejection[] = []
  const refuse = (field: string, is = 'none') =>
    rejections.push(
      reject('ERR.1015', field, `A cancel must have the ${field} of the line that it cancels: ${is}.`),
    )
  for (const fact of ['transType', 'buySell', 'acctType', 'currency'] as const) {
    const is = original[fact]
    if (stated[fact] !== undefined && stated[fact] !== is) refuse(fact, is === undefined ? is : String(is))
  }
  for (const fact of ['security', 'toSecurity'] as const) {
    if (stated[fact] !== undefined && stated[fact] !== original[fact]?.key)
      refuse(fact, original[fact] && 'another one')
  }
  const { quantity, price, netAmount } = original
  if (stated.quantity !== undefined && abs(stated.quantity) !== abs(quantity))
    refuse('quantity', renderDecimal(abs(quantity)))
  // The amount per unit of a pool's original face is kept.
  if (
    stated.price !== undefined &&
    stated.price !== price &&
    priceOf({ ...original, price: stated.price }) !== price
  )
    refuse('price', price === undefined ? undefined : renderDecimal(price))
  if (stated.netAmount !== undefined && netAmount !== undefined) {
    if (!agrees(abs(stated.netAmount), abs(netAmount), moneyPlaces))
      refuse('netAmount', renderDecimal(-netAmount))
  }
  return rejections
}
