/**
 * The margin account at its current values: equity, what Regulation T, FINRA and the house require, the excess or
 * shortfall of each, and one line of requirements per position. Books 6.
 */

import { type Decimal, max, min, ZERO } from '../../decimal.ts'
import { percentOf } from '../valuation/line-value.ts'
import { debtRequirement } from './debt-margin.ts'
import { type OptionRequirement, shortOptionRequirements } from './option-requirement.ts'
import { FINRA_RATES, type HouseRates, isShort, type MarginPosition } from './position.ts'
import {
  FULL_PERCENT,
  longMaintenancePercent,
  longRegTPercent,
  percentOfAmount,
  shortInitial,
  shortMaintenance,
} from './stock-requirement.ts'

/** One position's requirements. An option's amounts contain its own market value, as the rules state them. */
export interface RequirementLine {
  readonly secNo: string
  readonly symbol: string
  readonly description: string
  readonly quantity: Decimal
  readonly price: Decimal
  readonly marketValue: Decimal
  readonly housePercent: Decimal
  readonly houseRequirement: Decimal
  readonly regTPercent: Decimal
  readonly regTRequirement: Decimal
}

export interface MarginFigures {
  /** Margin cash + long value + short value. */
  readonly equity: Decimal
  /** Equity in percent of long value and the magnitude of short value. */
  readonly equityPercentage: Decimal
  readonly longMarketValue: Decimal
  /** Not positive. */
  readonly shortMarketValue: Decimal
  /** What the customer owes; 0 when cash is in credit. */
  readonly debitBalance: Decimal
  readonly regTRequirement: Decimal
  /** Equity less the Regulation T requirement; an account below 0 is restricted by that much. */
  readonly regTExcess: Decimal
  readonly restrictedBy: Decimal
  /** At the house's rates. */
  readonly maintenanceRequirement: Decimal
  readonly maintenanceExcess: Decimal
  /** At FINRA's own rates. */
  readonly finraRequirement: Decimal
  readonly finraExcess: Decimal
  /** Shortfall against the house's requirement, not below 0. */
  readonly maintenanceCall: Decimal
  /** At which marginable longs of the account are maintained, in percent: FINRA's rate or the house's. */
  readonly longPercent: Decimal
  readonly requirements: readonly RequirementLine[]
}

export interface MarginInput {
  /** Trade-date cash of account types 2 and 3, US dollars; negative is a debit. */
  readonly marginCash: Decimal
  readonly positions: readonly MarginPosition[]
  readonly rates?: HouseRates | undefined
}

/** The figures of a margin account. */
export function marginFigures(input: MarginInput): MarginFigures {
  const rates = {
    longPercent: max(FINRA_RATES.longPercent, input.rates?.longPercent ?? ZERO),
    shortPercent: max(FINRA_RATES.shortPercent, input.rates?.shortPercent ?? ZERO),
  }
  const ofOptions = shortOptionRequirements(input.positions)
  const requirements: RequirementLine[] = []
  let longMarketValue = ZERO
  let shortMarketValue = ZERO
  let regTRequirement = ZERO
  let maintenanceRequirement = ZERO
  let finraRequirement = ZERO
  for (const position of input.positions) {
    const option = ofOptions.get(position)
    const needs = option === undefined ? plainNeeds(position, rates) : optionNeeds(position, option)
    if (isShort(position)) shortMarketValue += position.marketValue
    else longMarketValue += position.marketValue
    regTRequirement += needs.regTOnTop
    maintenanceRequirement += needs.houseOnTop
    finraRequirement += needs.finraOnTop
    requirements.push({
      secNo: position.secNo,
      symbol: position.symbol,
      description: position.description,
      quantity: position.quantity,
      price: position.price,
      marketValue: position.marketValue,
      housePercent: needs.housePercent,
      houseRequirement: needs.house,
      regTPercent: needs.regTPercent,
      regTRequirement: needs.regT,
    })
  }
  const equity = input.marginCash + longMarketValue + shortMarketValue
  const regTExcess = equity - regTRequirement
  return {
    equity,
    equityPercentage: percentOf(equity, longMarketValue - shortMarketValue),
    longMarketValue,
    shortMarketValue,
    debitBalance: max(ZERO, -input.marginCash),
    regTRequirement,
    regTExcess,
    restrictedBy: max(ZERO, -regTExcess),
    maintenanceRequirement,
    maintenanceExcess: equity - maintenanceRequirement,
    finraRequirement,
    finraExcess: equity - finraRequirement,
    maintenanceCall: max(ZERO, maintenanceRequirement - equity),
    longPercent: rates.longPercent,
    requirements,
  }
}

interface Needs {
  readonly house: Decimal
  readonly housePercent: Decimal
  readonly regT: Decimal
  readonly regTPercent: Decimal
  readonly houseOnTop: Decimal
  readonly regTOnTop: Decimal
  readonly finraOnTop: Decimal
}

/** Short options need the same for Regulation T, FINRA and the house. */
function optionNeeds({ marketValue }: MarginPosition, { requirement, onTop }: OptionRequirement): Needs {
  const percent = percentOf(requirement, marketValue)
  return {
    house: requirement,
    housePercent: percent,
    regT: requirement,
    regTPercent: percent,
    houseOnTop: onTop,
    regTOnTop: onTop,
    finraOnTop: onTop,
  }
}

/** The same for Regulation T and FINRA; the house's rate of the security counts where it is above. */
function debtNeeds(
  { marketValue, houseLongPercent = ZERO, quantity }: MarginPosition,
  { row, principal }: NonNullable<MarginPosition['debt']>,
): Needs {
  const law = debtRequirement(row, marketValue, principal)
  const ofHouse = quantity < ZERO ? ZERO : percentOfAmount(marketValue, min(houseLongPercent, FULL_PERCENT))
  const house = max(law, ofHouse)
  return {
    house,
    housePercent: percentOf(house, marketValue),
    regT: law,
    regTPercent: percentOf(law, marketValue),
    houseOnTop: house,
    regTOnTop: law,
    finraOnTop: law,
  }
}

function plainNeeds(position: MarginPosition, rates: HouseRates): Needs {
  const { marketValue, unitQuantity, price, marginable, debt } = position
  if (debt !== undefined && (marginable || isShort(position))) return debtNeeds(position, debt)
  if (isShort(position)) {
    const house = shortMaintenance(unitQuantity, price, marketValue, rates.shortPercent)
    const regT = shortInitial(unitQuantity, price, marketValue)
    return {
      house,
      housePercent: percentOf(house, marketValue),
      regT,
      regTPercent: percentOf(regT, marketValue),
      houseOnTop: house,
      regTOnTop: regT,
      finraOnTop: shortMaintenance(unitQuantity, price, marketValue, FINRA_RATES.shortPercent),
    }
  }
  const housePercent = longMaintenancePercent(position, rates)
  const regTPercent = longRegTPercent(marginable)
  const house = percentOfAmount(marketValue, housePercent)
  const regT = percentOfAmount(marketValue, regTPercent)
  return {
    house,
    housePercent,
    regT,
    regTPercent,
    houseOnTop: house,
    regTOnTop: regT,
    finraOnTop: percentOfAmount(marketValue, marginable ? FINRA_RATES.longPercent : FULL_PERCENT),
  }
}
