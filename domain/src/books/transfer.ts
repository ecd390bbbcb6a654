/**
 * Transfers of securities in and out, and journals between account types: quantity, cost and dates move, and no gain is
 * realized.
 */
import { abs, type Decimal, min, ZERO } from '../decimal.ts'
import type { ActivityLine, LotMethod } from './activity.ts'
import { type Effects, raiseBreak } from './effects.ts'
import { type Holding, lotsOf, quantityHeld } from './holding.ts'
import { type Lot, sideOf, splitLot } from './lots.ts'
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

/**
 * Journals securities out of, or into, an account type. Lots journalled out wait in transit. The other side of the
 * journal, in the same account on the same date, takes them with their cost and dates. Otherwise the cost and openDate
 * of the line apply, as for a transfer.
 */
export function journal(holding: Holding, line: ActivityLine, method: LotMethod, effects: Effects): void {
  const { externalId: lineId, tradeDate: date } = line
  letGo(holding, date, effects)
  const held = quantityHeld(lotsOf(holding, line.acctType))
  let left = line.quantity
  if (held !== ZERO && sideOf(held) !== sideOf(left)) {
    const sent = sendLots(holding, line, min(abs(held), abs(left)), method, effects)
    for (const lot of sent) holding.inTransit.push({ lineId, date, lot })
    left += quantityHeld(sent)
  }
  if (left !== ZERO && line.cost === undefined) left = takeUp(holding, line, left, method, effects)
  if (left === ZERO) return
  if (left < 0n) {
    raiseBreak(
      effects,
      'Oversold',
      line,
      left,
      'More was journalled out than was held; the rest opened a short lot. Load the missing purchase or transfer, or cancel the journal.',
    )
  }
  receiveLot(holding, line, lotFromLine(line, left), method, effects)
}

/** Lots that no line took on their date have left for another account. */
function letGo(holding: Holding, date: string, effects: Effects): void {
  if (holding.inTransit.length === 0) return
  for (const { lineId, date: sentOn, lot } of holding.inTransit) {
    if (sentOn !== date) effects.departures.push({ lineId, securityKey: holding.security.key, lot })
  }
  holding.inTransit = holding.inTransit.filter((waiting) => waiting.date === date)
}

/** Takes lots of the required side out of transit and returns the quantity that they do not cover. */
function takeUp(
  holding: Holding,
  line: ActivityLine,
  wanted: Decimal,
  method: LotMethod,
  effects: Effects,
): Decimal {
  let left = wanted
  const waiting = holding.inTransit
  holding.inTransit = []
  for (const sent of waiting) {
    if (left === ZERO || sideOf(sent.lot.quantity) !== sideOf(left)) {
      holding.inTransit.push(sent)
      continue
    }
    const [part, rest] = divideLot(sent.lot, left, holding.security.moneyPlaces)
    if (rest !== undefined) holding.inTransit.push({ ...sent, lot: rest })
    receiveLot(holding, line, { ...part, acctType: line.acctType }, method, effects)
    left -= part.quantity
  }
  return left
}

function divideLot(lot: Lot, wanted: Decimal, moneyPlaces: number): [Lot, Lot | undefined] {
  return abs(lot.quantity) <= abs(wanted) ? [lot, undefined] : splitLot(lot, abs(wanted), moneyPlaces)
}
