/** Transfers of securities in and out: quantity, cost and dates move. */
import { ZERO } from '../decimal.ts'
import type { ActivityLine, LotMethod } from './activity.ts'
import type { Effects } from './effects.ts'
import { type Holding, lotsOf, quantityHeld } from './holding.ts'
import { lotFromLine, receiveLot, sendLots } from './receive.ts'

/** Adds a lot with the cost and acquisition date of the line. */
export function transferIn(holding: Holding, line: ActivityLine, method: LotMethod, effects: Effects): void {
  receiveLot(holding, line, lotFromLine(line, line.quantity), method, effects)
}

/** Removes lots with their cost, in the order of a sale. For a short position, moves it towards zero. */
export function transferOut(holding: Holding, line: ActivityLine, method: LotMethod, effects: Effects): void {
  const before = quantityHeld(lotsOf(holding, line.acctType))
  const sent = sendLots(holding, line, line.quantity, method, effects)
  for (const lot of sent) {
    effects.departures.push({ lineId: line.externalId, securityKey: holding.security.key, lot })
  }
  effects.movements.push({
    lineId: line.externalId,
    acctType: line.acctType,
    securityKey: holding.security.key,
    quantity: quantityHeld(lotsOf(holding, line.acctType)) - before,
    currency: line.currency,
    cash: line.netAmount ?? ZERO,
  })
}
