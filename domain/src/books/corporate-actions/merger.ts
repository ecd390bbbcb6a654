/**
 * Mergers and exchanges: the lots of a security become lots of another security, cash, or both. Cost and holding period
 * are carried over, unless the merger is taxable. Books 3; IRS Publication 550, Nontaxable Trades; 26 USC 356 and 358.
 */
import { abs, type Decimal, min, multiply, multiplyAll, sum, ZERO } from '../../decimal.ts'
import type { ActivityLine, Ratio } from '../activity.ts'
import type { Effects } from '../effects.ts'
import { closeLot, type Exchange, exchange, noCost } from '../exchange.ts'
import { allocateSigned, type Books, type Holding } from '../holding.ts'
import { type Lot, washWithin } from '../lots.ts'
import { receiveLot, sendLots } from '../receive.ts'
import { valueReceived } from './at-value.ts'
import { checkCash, checkSign, positionActedOn, recordMovement, securityReceived } from './held.ts'
import { applyRatio, deliver, scaleLots, sellAll, sellFraction } from './scale.ts'

/**
 * Surrenders the whole position of the account type, or the quantity named (a tender), in the order of a sale. Cash
 * received with shares (cashPerShare for each share surrendered, or netAmount less cashInLieu) is applied to each lot
 * in one of three ways. cashPerShare goes before a netAmount that disagrees, which is a break. With `costShare`, that
 * part of the cost moves to the new shares and the rest is the cost of the cash. With `price`, the value of a share
 * received, a gain is recognized up to the amount of the cash and a loss is not recognized. Otherwise the cash reduces
 * the cost, but not below zero, and the excess is a gain. A merger for cash alone closes the lots. So does a taxable
 * one.
 */
export function mergeSecurity(books: Books, line: ActivityLine, effects: Effects): void {
  const { holding, quantity: held } = positionActedOn(books, line, effects)
  const named = abs(line.quantity)
  const quantity = named === ZERO || held === ZERO ? held : held < 0n ? -named : named
  if (line.cashPerShare === undefined) checkSign(effects, line, held)
  const cash = cashOfMerger(line, quantity, holding.security.moneyPlaces)
  if (line.toSecurity === undefined || line.ratio === undefined) {
    const closing: Exchange = {
      kind: 'Merger',
      change: -quantity,
      consideration: cash,
      washes: false,
      opensShort: false,
    }
    exchange(holding, line, closing, books.lotMethod, effects)
    checkCash(effects, line, holding.security, cash)
    recordMovement(effects, line, holding.security, -quantity, cash)
    return
  }
  if (quantity === ZERO) {
    recordMovement(effects, line, holding.security, ZERO, cash + (line.cashInLieu ?? ZERO))
    return
  }
  if (line.taxable) {
    mergeAtValue(books, line, { holding, quantity, ratio: line.ratio, cash }, effects)
    return
  }
  const received = securityReceived(line)
  const given = sendLots(holding, line, abs(quantity), books.lotMethod, effects)
  const { delivered, fraction } = deliver(line, applyRatio(quantity, line.ratio), undefined, effects)
  const due = delivered + fraction
  if (due === ZERO) {
    const inLieu = sellAll(holding, line, given, effects, cash)
    checkCash(effects, line, holding.security, inLieu)
    recordMovement(effects, line, holding.security, -quantity, inLieu)
    return
  }
  const target = books.holdingOf(received)
  const incoming = scaleLots(takeCash(holding, line, { lots: given, due, cash }, effects), due)
  const { lots, cash: inLieu } = sellFraction(target, line, incoming, fraction, effects)
  for (const lot of lots) {
    receiveLot(target, line, { ...lot, via: line.externalId, canReplace: false }, books.lotMethod, effects)
  }
  checkCash(effects, line, holding.security, cash + inLieu)
  recordMovement(effects, line, holding.security, -quantity, ZERO)
  recordMovement(effects, line, received, delivered, cash + inLieu)
}

interface Surrendered {
  readonly holding: Holding
  /** Shares surrendered, negative for a short position. */
  readonly quantity: Decimal
  readonly ratio: Ratio
  readonly cash: Decimal
}

/**
 * A taxable merger closes the lots for the cash, the cash in lieu and the value of the shares delivered, and opens a
 * lot at this value. The exchange recognizes the whole gain or loss, so the shares can replace shares sold at a loss
 * (26 USC 1091(a)).
 */
function mergeAtValue(
  books: Books,
  line: ActivityLine,
  { holding, quantity, ratio, cash: stated }: Surrendered,
  effects: Effects,
): void {
  const received = securityReceived(line)
  const { delivered } = deliver(line, applyRatio(quantity, ratio), undefined, effects)
  const inLieu = line.cashInLieu ?? ZERO
  const cash = stated + (quantity < 0n ? -inLieu : inLieu)
  const value = valueReceived(line, delivered)
  const given: Exchange = {
    kind: 'Merger',
    change: -quantity,
    consideration: cash + value,
    washes: false,
    opensShort: false,
  }
  exchange(holding, line, given, books.lotMethod, effects)
  if (delivered !== ZERO) {
    const taken: Exchange = {
      kind: delivered < 0n ? 'Sale' : 'Cover',
      change: delivered,
      consideration: -value,
      washes: true,
      opensShort: true,
      lotElsewhere: true,
    }
    exchange(books.holdingOf(received), line, taken, books.lotMethod, effects)
  }
  checkCash(effects, line, holding.security, cash)
  recordMovement(effects, line, holding.security, -quantity, ZERO)
  recordMovement(effects, line, received, delivered, cash)
}

/** Signed: a short position pays it. cashPerShare is before commission and fees, netAmount after them. */
function cashOfMerger(line: ActivityLine, quantity: Decimal, moneyPlaces: number): Decimal {
  const short = quantity < 0n
  const fees = line.commission + line.secFee
  const stated =
    line.cashPerShare === undefined
      ? abs(line.netAmount ?? ZERO) - (line.toSecurity === undefined ? ZERO : (line.cashInLieu ?? ZERO))
      : multiply(line.cashPerShare, abs(quantity), moneyPlaces) + (short ? fees : -fees)
  const cash = stated < 0n ? ZERO : stated
  return short ? -cash : cash
}

/** The lots with the cost that is carried over, after the cash has been applied to them. */
function takeCash(
  holding: Holding,
  line: ActivityLine,
  { lots, due, cash }: { readonly lots: readonly Lot[]; readonly due: Decimal; readonly cash: Decimal },
  effects: Effects,
): Lot[] {
  const { moneyPlaces } = holding.security
  const parts = allocateSigned(
    cash,
    lots.map((lot) => lot.quantity),
    moneyPlaces,
  )
  const total = sum(lots.map((lot) => lot.quantity))
  return lots.map((lot, index) => {
    if (!lot.costKnown) return lot
    const part = parts[index] ?? ZERO
    const used = costOfCash(line, lot, { cash: part, moneyPlaces, due, total })
    if (part !== used || line.costShare !== undefined) {
      const closed = { kind: 'Merger', lot, ...noCost, proceeds: part, cost: used } as const
      closeLot(holding, line, closed, effects)
    }
    const cost = lot.cost - used
    return { ...lot, cost, washAdded: washWithin(lot.washAdded, cost) }
  })
}

/** The part of a lot's cost that is set against its cash. */
function costOfCash(
  line: ActivityLine,
  lot: Lot,
  {
    cash,
    moneyPlaces,
    due,
    total,
  }: {
    readonly cash: Decimal
    readonly moneyPlaces: number
    /** Shares received and shares surrendered, over all lots. */
    readonly due: Decimal
    readonly total: Decimal
  },
): Decimal {
  const short = lot.quantity < 0n
  const cost = abs(lot.cost)
  const amount = abs(cash)
  let used: Decimal
  if (line.costShare !== undefined) {
    used = cost - multiply(cost, line.costShare, moneyPlaces)
  } else if (line.price !== undefined) {
    const { multiplier, priceDivisor } = securityReceived(line)
    const value = multiplyAll(
      [line.price, abs(lot.quantity), abs(due), multiplier],
      [abs(total), priceDivisor],
      moneyPlaces,
    )
    const realized = value + amount - cost
    const recognized = realized <= 0n ? ZERO : min(realized, amount)
    used = amount - recognized
  } else {
    used = min(cost, amount)
  }
  return short ? -used : used
}
