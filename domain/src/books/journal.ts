/**
 * Journals of securities between account types, and to and from other accounts: quantity, cost and dates move. A gain
 * is realized only if shares held long meet a short position, which they close. The order of the two lines does not
 * matter (decision 185).
 */
import { abs, type Decimal, min, ZERO } from '../decimal.ts'
import type { ActivityLine, LotMethod } from './activity.ts'
import { closeShorts } from './close-shorts.ts'
import { type Effects, raiseBreak } from './effects.ts'
import { type Holding, lotsOf, methodOf, quantityHeld } from './holding.ts'
import { type Lot, sideOf, splitLot } from './lots.ts'
import { lotFromLine, receiveLot, sendLots } from './receive.ts'
import { relieveLots } from './relief.ts'

/**
 * Journals securities out of, or into, an account type. Lots journalled out wait in transit. The other side of the
 * journal, in the same account on the same date, takes them with their cost and dates. Otherwise the cost and openDate
 * of the line apply, as for a transfer. Shares held long that meet a short position close it.
 */
export function journal(holding: Holding, line: ActivityLine, method: LotMethod, effects: Effects): void {
  const { externalId: lineId, tradeDate: date } = line
  letGo(holding, date, effects)
  let left = line.pairs === true ? deliverShares(holding, line, method, effects) : line.quantity
  const held = quantityHeld(lotsOf(holding, line.acctType))
  if (areOpposite(held, left)) {
    const sent = sendLots(holding, line, min(abs(held), abs(left)), method, effects)
    const unclaimed = line.pairs === true ? replaceAwaited(holding, line, sent, method, effects) : sent
    for (const lot of unclaimed) holding.inTransit.push({ lineId, date, lot })
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
  const lot = lotFromLine(line, left)
  const awaits = line.pairs === true && sideOf(left) === 'long'
  receiveLot(holding, line, awaits ? { ...lot, via: lineId } : lot, method, effects)
}

/**
 * Closes a short position with shares held long: the line takes one of them out of its account type, and the other
 * waits, or comes from another account with the cost of the line. The order of the two lines does not matter. Returns
 * the quantity that the line still has to move.
 */
function deliverShares(holding: Holding, line: ActivityLine, method: LotMethod, effects: Effects): Decimal {
  const { acctType, quantity, cost, lotId } = line
  const held = quantityHeld(lotsOf(holding, acctType))
  if (!areOpposite(held, quantity)) return quantity
  const comes = sideOf(quantity) === 'long'
  if (cost !== undefined) {
    if (!comes) return quantity
    receiveLot(holding, line, lotFromLine(line, quantity), method, effects)
    return ZERO
  }
  const most = min(abs(held), abs(quantity))
  const waiting = takeWaiting(holding, comes ? most : -most)
  const moved = quantityHeld(waiting)
  const taken = relieveLots(holding, acctType, abs(moved), methodOf(holding.security, method), lotId)
  const [shares, shorts] = comes ? [waiting, taken] : [taken, waiting]
  closeShorts(holding, line, shares, shorts, effects)
  return quantity - moved
}

function areOpposite(a: Decimal, b: Decimal): boolean {
  return (a < 0n && b > 0n) || (a > 0n && b < 0n)
}

/**
 * Puts shares that were journalled out in the place of lots that an earlier journal of the day opened without knowing
 * their cost. Returns the lots, or the parts of lots, that replace none.
 */
function replaceAwaited(
  holding: Holding,
  line: ActivityLine,
  sent: readonly Lot[],
  method: LotMethod,
  effects: Effects,
): Lot[] {
  const { moneyPlaces } = holding.security
  const left: Lot[] = []
  for (const lot of sent) {
    let rest: Lot | undefined = lot
    for (const lots of holding.lots) {
      for (const awaited of lots.filter((other) => isAwaited(other, line.tradeDate))) {
        if (rest === undefined || sideOf(rest.quantity) === 'short') break
        const [part, more]: [Lot, Lot | undefined] = divideLot(rest, awaited.quantity, moneyPlaces)
        const [, still] = divideLot(awaited, part.quantity, moneyPlaces)
        lots.splice(lots.indexOf(awaited), 1, ...(still === undefined ? [] : [still]))
        receiveLot(holding, line, { ...part, acctType: awaited.acctType }, method, effects)
        rest = more
      }
    }
    if (rest !== undefined) left.push(rest)
  }
  return left
}

/** A lot of unknown cost that a journal of the date brought. */
function isAwaited({ openedBy, via, costKnown, openDate }: Lot, date: string): boolean {
  return via === openedBy && !costKnown && openDate === date
}

/** Lots that no line took on their date have left for another account. */
function letGo(holding: Holding, date: string, effects: Effects): void {
  if (holding.inTransit.length === 0) return
  for (const { lineId, date: sentOn, lot } of holding.inTransit) {
    if (sentOn !== date) effects.departures.push({ lineId, securityKey: holding.security.key, lot })
  }
  holding.inTransit = holding.inTransit.filter((waiting) => waiting.date === date)
}

/** Adds waiting lots of the required side to the account type, and returns the quantity that they do not cover. */
function takeUp(
  holding: Holding,
  line: ActivityLine,
  wanted: Decimal,
  method: LotMethod,
  effects: Effects,
): Decimal {
  let left = wanted
  for (const lot of takeWaiting(holding, wanted)) {
    receiveLot(holding, line, { ...lot, acctType: line.acctType }, method, effects)
    left -= lot.quantity
  }
  return left
}

/** Takes lots of the side of `wanted` out of transit, up to its quantity. */
function takeWaiting(holding: Holding, wanted: Decimal): Lot[] {
  const taken: Lot[] = []
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
    taken.push(part)
    left -= part.quantity
  }
  return taken
}

function divideLot(lot: Lot, wanted: Decimal, moneyPlaces: number): [Lot, Lot | undefined] {
  return abs(lot.quantity) <= abs(wanted) ? [lot, undefined] : splitLot(lot, abs(wanted), moneyPlaces)
}
