/**
 * Shares held long beside a short sale of the same security in the account. Their holding period begins anew when the
 * short sale closes, or when they are sold if that is earlier, and a loss on the short sale can be Long. 26 USC
 * 1233(b)(2), (d) and (e)(1); IRS Publication 550, Short Sales, Special rules. Books 3.
 */
import { abs, type Decimal, min, multiplyDivide, ZERO } from '../decimal.ts'
import { type Holding, lotsOf } from './holding.ts'
import { comesBefore, type Lot, sideOf, splitLot } from './lots.ts'
import { termOf } from './term.ts'

/** A quantity of shares held long that counts for a short sale. */
interface Pair {
  readonly share: Lot
  readonly short: Lot
  readonly quantity: Decimal
}

/** Open lots, by account type. The lots of one account type are all long or all short. */
type OpenLots = readonly (readonly Lot[])[]

/** Long lots in the order of acquisition. Those that have left the holding come before equal ones. */
function sharesOf(lots: OpenLots, left: readonly Lot[] = []): Lot[] {
  return inOrder([...left, ...ofSide(lots, 'long')])
}

/** Short sales to which the rules apply, in their order. Those that have left the holding come before equal ones. */
function shortSalesOf(lots: OpenLots, left: readonly Lot[] = []): Lot[] {
  return inOrder([...left, ...ofSide(lots, 'short')].filter(isShortSale))
}

function ofSide(lots: OpenLots, side: 'long' | 'short'): Lot[] {
  return lots.filter(([first]) => first !== undefined && sideOf(first.quantity) === side).flat()
}

function inOrder(lots: Lot[]): Lot[] {
  return lots.sort((a, b) => (comesBefore(a, b) ? (comesBefore(b, a) ? 0 : -1) : 1))
}

function isShortSale({ heldLong }: Lot): boolean {
  return heldLong !== undefined
}

/**
 * The shares that count for each short sale, in the order of acquisition, up to the quantity sold short. Each share
 * counts for one short sale, the earliest. Lots after the last one of interest can be left out of both.
 */
function pairsOf(shares: readonly Lot[], shorts: readonly Lot[]): Pair[] {
  const pairs: Pair[] = []
  const lastSoldOn = shorts[shorts.length - 1]?.openDate ?? ''
  const free = new Map<Lot, Decimal>()
  for (const share of shares) if (!begunSince(share, lastSoldOn)) free.set(share, share.quantity)
  for (const short of shorts) {
    let needed = abs(short.quantity) - (short.soldBeside ?? ZERO)
    for (const [share, left] of free) {
      if (needed <= 0n) break
      if (begunSince(share, short.openDate)) continue
      const quantity = isBeside(share, short.openDate) ? min(left, needed) : ZERO
      if (quantity !== ZERO) pairs.push({ share, short, quantity })
      needed -= quantity
      // Shares held for more than one year on this day are so on the days of later short sales.
      if (quantity === left || quantity === ZERO) free.delete(share)
      else free.set(share, left - quantity)
    }
  }
  return pairs
}

/** The holding period has begun anew since a day: the shares have counted for another short sale, or a part of one. */
function begunSince({ openDate, holdingStart }: Lot, date: string): boolean {
  return holdingStart > openDate && holdingStart > date
}

/** Whether shares were held for one year or less on the day of a short sale, or acquired after it. */
function isBeside({ openDate, holdingStart }: Lot, soldOn: string): boolean {
  return openDate > soldOn || termOf('long', holdingStart, soldOn) === 'Short'
}

/** The lots until the last one that is wanted. */
function until(lots: readonly Lot[], wanted: ReadonlySet<Lot>): readonly Lot[] {
  return lots.slice(0, lots.findLastIndex((lot) => wanted.has(lot)) + 1)
}

/** By long lot, the shares whose holding period has not begun because of an open short sale. */
export function sharesBeside(lots: OpenLots): ReadonlyMap<Lot, Decimal> {
  const shorts = shortSalesOf(lots)
  const pairs = shorts.length === 0 ? [] : pairsOf(sharesOf(lots), shorts)
  return sumBy(pairs, ({ share }) => share)
}

function sumBy(pairs: readonly Pair[], lotOf: (pair: Pair) => Lot): Map<Lot, Decimal> {
  const sums = new Map<Lot, Decimal>()
  for (const pair of pairs) sums.set(lotOf(pair), pair.quantity + (sums.get(lotOf(pair)) ?? ZERO))
  return sums
}

/** The lot of a short sale, before it is part of the holding, with the shares held beside it for more than one year. */
export function openBeside(holding: Holding, lot: Lot): Lot {
  const { openDate } = lot
  const shares = sharesOf(holding.lots).filter(
    ({ holdingStart }) => termOf('long', holdingStart, openDate) === 'Long',
  )
  let held = ZERO
  if (shares.length > 0) {
    const shorts = shortSalesOf(holding.lots)
    const old = new Set(shares)
    const pairs = pairsOf(until(sharesOf(holding.lots), old), shorts)
    for (const { quantity } of shares) held += quantity
    for (const { share, quantity } of pairs) if (old.has(share)) held -= quantity
    for (const { heldLong = ZERO } of shorts) held -= heldLong
  }
  return { ...lot, heldLong: held > 0n ? min(held, abs(lot.quantity)) : ZERO, soldBeside: ZERO }
}

/**
 * Long lots that were taken to be sold. Shares beside an open short sale have a holding period that begins with this
 * sale. Other lots are returned as they are.
 */
export function soldBeside(holding: Holding, taken: readonly Lot[], date: string): readonly Lot[] {
  const [first] = taken
  if (first === undefined || sideOf(first.quantity) === 'short') return taken
  const shorts = shortSalesOf(holding.lots)
  if (shorts.length === 0) return taken
  const sold = new Set(taken)
  const shares = until(sharesOf(holding.lots, taken), sold)
  const pairs = pairsOf(shares, shorts).filter(({ share }) => sold.has(share))
  for (const [short, quantity] of sumBy(pairs, (pair) => pair.short)) {
    put(holding, short, { ...short, soldBeside: (short.soldBeside ?? ZERO) + quantity })
  }
  const counted = sumBy(pairs, ({ share }) => share)
  return taken.flatMap((lot) => {
    const quantity = counted.get(lot) ?? ZERO
    if (quantity === ZERO) return [lot]
    if (quantity === lot.quantity) return [{ ...lot, holdingStart: date }]
    const [part, rest] = splitLot(lot, quantity, holding.security.moneyPlaces)
    return [{ ...part, holdingStart: date }, rest]
  })
}

/**
 * Begins the holding period of the shares beside short lots that a line of `date` has closed. `deliveries` are shares
 * that closed them, which come in the order of acquisition like shares that are still held.
 */
export function beginAnew(
  holding: Holding,
  closed: readonly Lot[],
  deliveries: readonly Lot[],
  date: string,
): void {
  if (!closed.some(isShortSale)) return
  const shares = sharesOf(holding.lots, deliveries)
  if (shares.length === 0) return
  const closedNow = new Set(closed)
  const shorts = until(shortSalesOf(holding.lots, closed), closedNow)
  const pairs = pairsOf(shares, shorts).filter(({ short }) => closedNow.has(short))
  for (const [share, quantity] of sumBy(pairs, (pair) => pair.share)) {
    if (deliveries.includes(share) || share.holdingStart === date) continue
    if (quantity === share.quantity) {
      put(holding, share, { ...share, holdingStart: date })
      continue
    }
    const [part, rest] = splitLot(share, quantity, holding.security.moneyPlaces)
    holding.parts += 1
    put(holding, share, { ...part, id: `${part.openedBy}/${holding.parts}`, holdingStart: date }, rest)
  }
}

function put(holding: Holding, lot: Lot, ...by: Lot[]): void {
  const lots = lotsOf(holding, lot.acctType)
  const index = lots.indexOf(lot)
  if (index < 0) throw new Error(`lot ${lot.id} is not in its holding`)
  lots.splice(index, 1, ...by)
}

/** A lot with what is received for it, in two parts if a loss is Long for only one of them. */
export function partsByTerm(
  lot: Lot,
  proceeds: Decimal,
  moneyPlaces: number,
): readonly { readonly lot: Lot; readonly proceeds: Decimal }[] {
  const { heldLong = ZERO, costKnown, cost, quantity } = lot
  const isDivided = heldLong > 0n && heldLong < abs(quantity) && costKnown && proceeds < cost
  if (!isDivided) return [{ lot, proceeds }]
  const [part, rest] = splitLot(lot, heldLong, moneyPlaces)
  const ofPart = multiplyDivide(proceeds, part.quantity, quantity, moneyPlaces)
  return [
    { lot: part, proceeds: ofPart },
    { lot: rest, proceeds: proceeds - ofPart },
  ]
}

/** Whether a loss on closing the lot is Long: as many shares had been held for more than one year on its day. */
export function isLongLoss({ quantity, heldLong = ZERO }: Lot, gain: Decimal): boolean {
  return gain < 0n && quantity < 0n && heldLong >= abs(quantity)
}
