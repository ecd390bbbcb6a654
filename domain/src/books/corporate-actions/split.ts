/**
 * Splits, reverse splits and dividends in shares of the same security: more or fewer shares, the same cost and holding
 * period, lot by lot. Books 3; IRS Publication 550, Stock Dividends and Stock Splits.
 */
import { type Decimal, multiplyDivide, ZERO } from '../../decimal.ts'
import { type ActivityLine, QUANTITY_PLACES, type Ratio } from '../activity.ts'
import type { Effects } from '../effects.ts'
import type { Books, Holding } from '../holding.ts'
import { positionActedOn, recordMovement, replaceLots } from './held.ts'
import { applyRatio, deliver, scaleLots, sellAll, sellFraction } from './scale.ts'

/**
 * A Split's ratio is what the shares become (`3:2`: three for every two held; `1:10`: one for ten). A StockDividend's is
 * what is added (`1:10`: one more for every ten held). A quantity instead, or as well, is the change in shares delivered.
 */
export function splitShares(books: Books, line: ActivityLine, effects: Effects): void {
  const { holding, lots, quantity: before } = positionActedOn(books, line, effects)
  const ratio = line.ratio && totalRatio(line, line.ratio)
  const told = line.quantity === ZERO ? undefined : before + line.quantity
  if (before === ZERO) {
    if (ratio !== undefined) restatePendingLosses(holding, line.tradeDate, ratio)
    recordMovement(effects, line, holding.security, ZERO, line.cashInLieu ?? ZERO)
    return
  }
  const due = ratio === undefined ? (told ?? before) : applyRatio(before, ratio)
  const { delivered, fraction } = deliver(line, due, told, effects)
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
}

function totalRatio(line: ActivityLine, ratio: Ratio): Ratio {
  if (line.transType === 'Split') return ratio
  return { received: ratio.held + ratio.received, held: ratio.held }
}

/** Shares sold at a loss before a split are replaced by as many more (or fewer) shares bought after it. */
function restatePendingLosses(holding: Holding, date: string, ratio: Ratio): void {
  if (holding.pendingLosses.length === 0 || holding.restatedOn === date) return
  holding.restatedOn = date
  const restate = (quantity: Decimal) => multiplyDivide(quantity, ratio.received, ratio.held, QUANTITY_PLACES)
  holding.pendingLosses = holding.pendingLosses
    .map((loss) => ({ ...loss, quantity: restate(loss.quantity) }))
    .filter((loss) => loss.quantity > 0n)
}
