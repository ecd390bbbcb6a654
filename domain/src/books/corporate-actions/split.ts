/**
 * Splits, reverse splits and dividends in shares of the same security: the number of shares of each lot changes; its
 * cost and holding period do not. Books 3; IRS Publication 550, Stock Dividends and Stock Splits.
 */
import { type Decimal, ZERO } from '../../decimal.ts'
import type { ActivityLine, Ratio } from '../activity.ts'
import { type Effects, raiseBreak } from '../effects.ts'
import type { Books, Holding } from '../holding.ts'
import { sideOf } from '../lots.ts'
import { positionActedOn, recordMovement, replaceLots } from './held.ts'
import {
  applyRatio,
  deliver,
  quantityDelivered,
  scaleLosses,
  scaleLots,
  sellAll,
  sellFraction,
} from './scale.ts'

/**
 * The ratio of a Split is new shares : old shares (`3:2` is three for two, `1:10` one for ten). The ratio of a
 * StockDividend is shares added : shares held (`1:10` adds one for every ten). A quantity, instead or in addition, is
 * the change in shares delivered.
 */
export function splitShares(books: Books, line: ActivityLine, effects: Effects): void {
  const { holding, lots, quantity: before } = positionActedOn(books, line, effects)
  const ratio = line.ratio && totalRatio(line, line.ratio)
  const ofRatio = ratio && applyRatio(before, ratio) - before
  const stated = line.quantity === ZERO ? undefined : before + quantityDelivered(line, ofRatio)
  if (before === ZERO) {
    if (ratio !== undefined) restatePendingLosses(holding, line.tradeDate, ratio)
    recordMovement(effects, line, holding.security, ZERO, line.cashInLieu ?? ZERO)
    return
  }
  const due = ratio === undefined ? (stated ?? before) : applyRatio(before, ratio)
  if (ratio === undefined) checkSide(line, before, due, effects)
  const { delivered, fraction } = deliver(line, due, stated, effects)
  restatePendingLosses(holding, line.tradeDate, ratio ?? { received: due, held: before })
  if (due === ZERO) {
    const cash = sellAll(holding, line, lots.splice(0), effects)
    recordMovement(effects, line, holding.security, -before, cash)
    return
  }
  const { lots: left, cash } = sellFraction(
    holding,
    line,
    scaleLots(lots, delivered + fraction),
    fraction,
    effects,
  )
  replaceLots(lots, left)
  recordMovement(effects, line, holding.security, delivered - before, cash)
  if (ratio === undefined) noteHeld(effects, line, before)
}

/** Without a ratio, the position before the line shows how it changed the units. */
function noteHeld({ movements }: Effects, line: ActivityLine, held: Decimal): void {
  const moved = movements.at(-1)
  if (moved?.lineId === line.externalId) movements[movements.length - 1] = { ...moved, held }
}

/** A quantity without a ratio ends a position only with cash in lieu of it, and never turns it to the other side. */
function checkSide(line: ActivityLine, before: Decimal, due: Decimal, effects: Effects): void {
  const isPaid = line.cashInLieu !== undefined && line.cashInLieu !== ZERO
  if (due === ZERO ? isPaid : sideOf(due) === sideOf(before)) return
  raiseBreak(
    effects,
    'RatioDisagrees',
    line,
    due,
    'The quantity ends the position or turns it to the other side. It is the change of the position, and negative if a short position grows. Cancel the line, and rebill it with the right quantity or with the ratio.',
  )
}

function totalRatio(line: ActivityLine, ratio: Ratio): Ratio {
  if (line.transType === 'Split') return ratio
  return { received: ratio.held + ratio.received, held: ratio.held }
}

function restatePendingLosses(holding: Holding, date: string, ratio: Ratio): void {
  if (holding.pendingLosses.length === 0 || holding.restatedOn === date) return
  holding.restatedOn = date
  holding.pendingLosses = scaleLosses(holding.pendingLosses, ratio)
}
