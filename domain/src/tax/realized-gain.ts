/**
 * The realized gain of a closing in US dollars: the proceeds at the rate of the day of the closing, the cost at the
 * rate of the day of the opening. Each amount is rounded once, and totals are sums of rounded amounts. Books 2, 5 and
 * 8; 26 USC 988 and 1001.
 */
import type { WashedClosing } from '../books/index.ts'
import { type Decimal, multiply, multiplyDivide, ONE, ZERO } from '../decimal.ts'

const usd = 'USD'
const usdPlaces = 2

/** The amounts of a closing. For a short lot, proceeds (the cost of the cover) and cost are negative. */
export interface GainSums {
  readonly proceeds: Decimal
  /** With the disallowed losses of earlier washes. */
  readonly cost: Decimal
  readonly gainLoss: Decimal
  readonly washDisallowedAmt: Decimal
  /** gainLoss + washDisallowedAmt. */
  readonly gainLossAllowed: Decimal
}

export interface RealizedGain extends GainSums {
  readonly closing: WashedClosing
  /** The cost is unknown, or has no rate to US dollars: the closing is left out of gains. */
  readonly noCost: boolean
  /** The part of the cost that earlier washes added. */
  readonly washAdded: Decimal
  /** Of a short lot: what it was sold for, even if the cost of the shares that close it is unknown. */
  readonly shortProceeds: Decimal
}

/** US dollars for one unit of the currency when the lot was opened and when it was closed; zero if unknown. */
interface ClosingRates {
  readonly open: Decimal
  readonly close: Decimal
}

/**
 * The gain in US dollars, to the cent. Without a known cost or a rate, `noCost` is true, and cost and gain are
 * zero.
 */
export function realizedGain(closing: WashedClosing, currency: string, rates: ClosingRates): RealizedGain {
  const [open, close] = currency === usd ? [ONE, ONE] : [rates.open, rates.close]
  const inUsd = (amount: Decimal, rate: Decimal) => multiply(amount, rate, usdPlaces)
  const proceeds = inUsd(closing.proceeds, close)
  const noCost = !closing.costKnown || open === ZERO || close === ZERO
  const [statedCost, statedWash] = [inUsd(closing.cost, open), inUsd(closing.washAdded, open)]
  const [cost, washAdded] = noCost ? [ZERO, ZERO] : [statedCost, statedWash]
  const shortProceeds = statedWash - statedCost
  const gainLoss = noCost ? ZERO : proceeds - cost
  const washDisallowedAmt = disallowedOf(closing, gainLoss)
  const gainLossAllowed = gainLoss + washDisallowedAmt
  return {
    closing,
    noCost,
    proceeds,
    cost,
    washAdded,
    shortProceeds,
    gainLoss,
    washDisallowedAmt,
    gainLossAllowed,
  }
}

/** The disallowed loss in US dollars: the same part of the loss as in the currency. A gain is not changed. */
function disallowedOf({ gain, washDisallowed }: WashedClosing, gainLoss: Decimal): Decimal {
  if (washDisallowed === ZERO || gainLoss >= 0n) return ZERO
  return multiplyDivide(-gainLoss, washDisallowed, -gain, usdPlaces)
}

export const noGain: GainSums = {
  proceeds: ZERO,
  cost: ZERO,
  gainLoss: ZERO,
  washDisallowedAmt: ZERO,
  gainLossAllowed: ZERO,
}

export function addGain(sums: GainSums, gain: GainSums): GainSums {
  return {
    proceeds: sums.proceeds + gain.proceeds,
    cost: sums.cost + gain.cost,
    gainLoss: sums.gainLoss + gain.gainLoss,
    washDisallowedAmt: sums.washDisallowedAmt + gain.washDisallowedAmt,
    gainLossAllowed: sums.gainLossAllowed + gain.gainLossAllowed,
  }
}

export function reverseGain(sums: GainSums): GainSums {
  return {
    proceeds: -sums.proceeds,
    cost: -sums.cost,
    gainLoss: -sums.gainLoss,
    washDisallowedAmt: -sums.washDisallowedAmt,
    gainLossAllowed: -sums.gainLossAllowed,
  }
}
