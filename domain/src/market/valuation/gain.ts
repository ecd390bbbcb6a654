/**
 * The unrealized gain of a line or of one lot, and of its security over all account types. Cost is in US dollars at the
 * rate of the trade day. Lots of unknown cost are excluded from cost and gain. A lot without a value (no price, no
 * exchange rate) has no gain: its cost is known, but its loss is not.
 */

import { abs, type Decimal, ONE, roundTo, ZERO } from '../../decimal.ts'
import type { CalendarDate } from '../calendar/day.ts'
import { currentYield } from '../interest/accrued.ts'
import { percentOf, unitCostOf, unitQuantityOf } from './line-value.ts'
import { type LineLots, lineKey, type OpenLot, type SecurityPrice, type ValuedSecurity } from './open-lots.ts'
import type { UnrealizedGainLoss } from './record.ts'
import { toUsd } from './us-dollars.ts'

export interface Gain {
  /** There is a price and an exchange rate. */
  readonly hasValue: boolean
  quantity: Decimal
  cost: Decimal
  /** Quantity whose cost is known. */
  costedQuantity: Decimal
  value: Decimal
  /** Value of the lots whose cost is known. */
  costedValue: Decimal
  wash: Decimal
  openDate: CalendarDate
  term: 'Long' | 'Short' | 'Mixed'
  costedLots: number
  uncostedLots: number
}

/** The sums of a security over all its lines. */
export interface SecurityTotals {
  cost: Decimal
  value: Decimal
  gain: Decimal
  gainNoWash: Decimal
  /**
   * Absolute amounts, so that a long and a short position in one security do not cancel out as the base of percentages.
   */
  absoluteCost: Decimal
  absoluteCostNoWash: Decimal
  absoluteUnits: Decimal
}

/** The fields of a gain that cover the security in all account types. */
export type ShownTotals = Pick<
  UnrealizedGainLoss,
  | 'summaryLevelUnitCost'
  | 'totalCost'
  | 'totalValue'
  | 'totalUnrealizedAmount'
  | 'totalUnrealizedPercent'
  | 'totalGlNoWash'
  | 'totalGlNoWashPercentage'
>

/** A gain to which no lot was added. `hasValue` is false without a price or an exchange rate. */
export function emptyGain(hasValue: boolean): Gain {
  return {
    hasValue,
    quantity: ZERO,
    cost: ZERO,
    costedQuantity: ZERO,
    value: ZERO,
    costedValue: ZERO,
    wash: ZERO,
    openDate: '',
    term: 'Short',
    costedLots: 0,
    uncostedLots: 0,
  }
}

/** Adds a lot with its value in US dollars. */
export function addLot(gain: Gain, lot: OpenLot, value: Decimal): void {
  gain.quantity += lot.quantity
  gain.value += value
  if (gain.openDate === '' || lot.openDate < gain.openDate) gain.openDate = lot.openDate
  if (lot.cost === null) {
    gain.uncostedLots += 1
    return
  }
  gain.costedLots += 1
  gain.cost += toUsd(lot.cost, lot.fxRate)
  gain.costedQuantity += lot.quantity
  gain.costedValue += value
  if (lot.washDisallowed !== ZERO) gain.wash += toUsd(lot.washDisallowed, lot.fxRate)
}

function gainOf({ hasValue, costedValue, cost }: Gain): Decimal {
  return hasValue ? costedValue - cost : ZERO
}

/** The gain without the adjustments of wash sales. */
function gainWithoutWash(gain: Gain): Decimal {
  return gain.hasValue ? gainOf(gain) + gain.wash : ZERO
}

export function renderGain(
  gain: Gain,
  group: LineLots,
  breaks: ReadonlySet<string> | undefined,
  priced: SecurityPrice | undefined,
): UnrealizedGainLoss {
  const { security, acctTypeCode, heldAway } = group
  const gainLoss = gainOf(gain)
  const gainLossPercent = percentOf(gainLoss, gain.cost)
  const price = priced?.price ?? ZERO
  return {
    symbolId: security.symbolId,
    description: security.description,
    acctType: acctTypeCode,
    openDate: `${gain.openDate}T00:00:00Z`,
    term: gain.term,
    longShortInd: gain.quantity < ZERO ? 'SHORT' : 'LONG',
    secNo: security.secNo,
    recon: breaks?.has(lineKey(security.secNo, acctTypeCode)) ? 'Y' : 'N',
    quantity: gain.quantity,
    unitQuantity: unitQuantityOf(gain.quantity, security),
    displayQuantity: gain.quantity,
    cost: gain.cost,
    unitCost: unitCostOf(gain.cost, unitQuantityOf(gain.costedQuantity, security)),
    summaryLevelUnitCost: ZERO,
    value: gain.value,
    noCost: gain.costedLots === 0 ? 'Y' : 'N',
    noCostLot: gain.uncostedLots > 0 ? 'Y' : 'N',
    trueZero: gain.costedLots > 0 && gain.uncostedLots === 0 && gain.cost === ZERO ? 'Y' : 'N',
    portfolioPercent: ZERO,
    gainLoss,
    gainLossPercent,
    closePrice: priced?.closePrice ?? price,
    currentPrice: price,
    yield: yieldOf(security, priced),
    washDisallowedAmt: gain.wash,
    wash: gain.wash === ZERO ? 'N' : 'Y',
    totalCost: ZERO,
    totalValue: ZERO,
    totalUnrealizedAmount: ZERO,
    totalUnrealizedPercent: ZERO,
    glNoWash: gainWithoutWash(gain),
    unrealizedGainPercentage: gainLossPercent,
    totalGlNoWash: ZERO,
    totalGlNoWashPercentage: ZERO,
    transactionQuantity: gain.quantity,
    safekeepFirmQuantity: heldAway ? ZERO : gain.quantity,
    transferType: gain.quantity % ONE === ZERO ? 'FullTransfer' : 'PartialTransfer',
  }
}

/** The last reported yield of a money-market fund, or the current yield of a bond. */
function yieldOf({ moneyMarket, bond }: ValuedSecurity, priced: SecurityPrice | undefined): Decimal {
  if (moneyMarket) return roundTo(priced?.yield ?? ZERO, 2)
  return bond === undefined ? ZERO : currentYield(bond.couponRate, priced?.price ?? ZERO)
}

export function addToTotals(totals: Map<string, SecurityTotals>, security: ValuedSecurity, gain: Gain): void {
  let total = totals.get(security.secNo)
  if (total === undefined) {
    total = {
      cost: ZERO,
      value: ZERO,
      gain: ZERO,
      gainNoWash: ZERO,
      absoluteCost: ZERO,
      absoluteCostNoWash: ZERO,
      absoluteUnits: ZERO,
    }
    totals.set(security.secNo, total)
  }
  total.cost += gain.cost
  total.absoluteCost += abs(gain.cost)
  total.absoluteCostNoWash += abs(gain.cost - gain.wash)
  total.absoluteUnits += abs(unitQuantityOf(gain.costedQuantity, security))
  total.value += gain.value
  total.gain += gainOf(gain)
  total.gainNoWash += gainWithoutWash(gain)
}

export function renderTotals(total: SecurityTotals): ShownTotals {
  return {
    summaryLevelUnitCost: unitCostOf(total.absoluteCost, total.absoluteUnits),
    totalCost: total.cost,
    totalValue: total.value,
    totalUnrealizedAmount: total.gain,
    totalUnrealizedPercent: percentOf(total.gain, total.absoluteCost),
    totalGlNoWash: total.gainNoWash,
    totalGlNoWashPercentage: percentOf(total.gainNoWash, total.absoluteCostNoWash),
  }
}

export function completeGain(
  gain: UnrealizedGainLoss,
  totals: ShownTotals | undefined,
  absoluteValue: Decimal,
): void {
  gain.portfolioPercent = percentOf(gain.value, absoluteValue)
  if (totals !== undefined) Object.assign(gain, totals)
}
