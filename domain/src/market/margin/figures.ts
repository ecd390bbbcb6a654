/**
 * The margin account at its current values: equity, what Regulation T, FINRA and the house require, the excess or
 * shortfall of each, and one line of requirements per position. Books 6.
 */

import { type Decimal, max, min, multiplyDivide, ONE, ZERO } from '../../decimal.ts'
import { percentOf } from '../valuation/line-value.ts'
import { debtRequirement } from './debt-margin.ts'
import { type EquityPercents, equityMarginOn, equityPercents } from './equity-margin.ts'
import {
  type Offsets,
  type OptionRequirement,
  offsetsOf,
  type Requirement,
  type StockNeeds,
} from './offsets/index.ts'
import {
  type ConcentrationTier,
  FINRA_RATES,
  type HouseRates,
  isBorrowed,
  isShort,
  type MarginPosition,
} from './position.ts'
import { FULL_PERCENT, percentOfAmount, shortInitial, shortMaintenance } from './stock-requirement.ts'

/** The requirements of one position. As in the rules, the amounts of an option include its market value. */
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
  /** Trade-date cash of account types 2 and 3. */
  readonly marginCash: Decimal
  /**
   * Margin cash less the value of securities sold short: their proceeds secure the loan of the securities and are not
   * the customer's to use.
   */
  readonly ownCash: Decimal
  /** Equity in percent of long value and the magnitude of short value. */
  readonly equityPercentage: Decimal
  readonly longMarketValue: Decimal
  /** Not positive. */
  readonly shortMarketValue: Decimal
  /** What the customer owes: own cash below 0. Proceeds of short sales do not reduce it. */
  readonly debitBalance: Decimal
  readonly regTRequirement: Decimal
  /**
   * Equity less the Regulation T requirement. A negative amount is the amount by which the account is restricted. This
   * and the other excesses are not above 0 while a short position has neither a price nor an estimate.
   */
  readonly regTExcess: Decimal
  readonly restrictedBy: Decimal
  /**
   * Whether a close raises the SMA to the excess. It does not while a long position has a price that contains shares
   * which a spin-off has paid: they would count twice.
   */
  readonly raisesSma: boolean
  /** At the house's rates. */
  readonly maintenanceRequirement: Decimal
  readonly maintenanceExcess: Decimal
  /** At FINRA's own rates. */
  readonly finraRequirement: Decimal
  readonly finraExcess: Decimal
  /** Shortfall against the house's requirement, not below 0. */
  readonly maintenanceCall: Decimal
  /**
   * Maintenance rate of a purchase of stock with loan value, in percent: the higher of FINRA's and the house's, with
   * its largest add-on.
   */
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
  const rates = ratesInForce(input.rates)
  const equity = input.positions.reduce((sum, { marketValue }) => sum + marketValue, input.marginCash)
  const tiers = input.rates?.concentration ?? []
  const alone = new Map(
    input.positions.map((position) => [
      position,
      needsAlone(position, ratesFor(position, rates, equity, tiers)),
    ]),
  )
  const needsOf = (position: MarginPosition) => alone.get(position) ?? needsAlone(position, rates)
  const offsets = offsetsOf(input.positions, needsOf)
  const requirements: RequirementLine[] = []
  let longMarketValue = ZERO
  let shortMarketValue = ZERO
  let ownCash = input.marginCash
  let regTRequirement = ZERO
  let maintenanceRequirement = ZERO
  let finraRequirement = ZERO
  for (const position of input.positions) {
    const { marketValue } = position
    const { initial, law, house } = requiredOf(position, needsOf(position), offsets)
    if (isShort(position)) shortMarketValue += marketValue
    else longMarketValue += marketValue
    if (isBorrowed(position)) ownCash += marketValue
    regTRequirement += initial.onTop
    maintenanceRequirement += house.onTop
    finraRequirement += law.onTop
    requirements.push({
      secNo: position.secNo,
      symbol: position.symbol,
      description: position.description,
      quantity: position.quantity,
      price: position.price,
      marketValue,
      housePercent: house.percent ?? percentOf(house.requirement, marketValue),
      houseRequirement: house.requirement,
      regTPercent: initial.percent ?? percentOf(initial.requirement, marketValue),
      regTRequirement: initial.requirement,
    })
  }
  const isOwedUnknown = input.positions.some((position) => isShort(position) && position.isUnknown === true)
  const excessOver = (requirement: Decimal) =>
    isOwedUnknown ? min(ZERO, equity - requirement) : equity - requirement
  const regTExcess = excessOver(regTRequirement)
  return {
    equity,
    marginCash: input.marginCash,
    ownCash,
    equityPercentage: percentOf(equity, longMarketValue - shortMarketValue),
    longMarketValue,
    shortMarketValue,
    debitBalance: max(ZERO, -ownCash),
    regTRequirement,
    regTExcess,
    restrictedBy: max(ZERO, -regTExcess),
    raisesSma: !input.positions.some((position) => position.beforeSpinoff === true && !isShort(position)),
    maintenanceRequirement,
    maintenanceExcess: excessOver(maintenanceRequirement),
    finraRequirement,
    finraExcess: excessOver(finraRequirement),
    maintenanceCall: max(ZERO, maintenanceRequirement - equity),
    longPercent: min(FULL_PERCENT, rates.longPercent + (tiers.at(-1)?.addOnPercent ?? ZERO)),
    requirements,
  }
}

/** The house's rates, at least FINRA's, without the add-ons for concentration. */
export function ratesInForce(rates: HouseRates = FINRA_RATES): HouseRates {
  return {
    longPercent: max(FINRA_RATES.longPercent, rates.longPercent),
    shortPercent: max(FINRA_RATES.shortPercent, rates.shortPercent),
  }
}

/**
 * The house's rates for a position. A long position with a large share of equity has the add-on, which matters where it
 * has loan value.
 */
function ratesFor(
  { marketValue, houseLongPercent = ZERO }: MarginPosition,
  rates: HouseRates,
  equity: Decimal,
  tiers: readonly ConcentrationTier[],
): HouseRates {
  if (marketValue <= ZERO) return rates
  const tier = tiers.findLast(({ sharePercent }) => marketValue * FULL_PERCENT >= equity * sharePercent)
  if (tier === undefined) return rates
  return { ...rates, longPercent: max(rates.longPercent, houseLongPercent) + tier.addOnPercent }
}

/** What a position requires, with the percentages of its class if they alone determine it. */
interface Needs extends StockNeeds {
  readonly percents?: EquityPercents | undefined
}

interface Required extends OptionRequirement {
  /** The percentage of its class, if that alone determines the requirement. */
  readonly percent?: Decimal | undefined
}

/** What a position requires in its combinations. Those of the three requirements can differ. */
function requiredOf(position: MarginPosition, needs: Needs, offsets: Offsets): Record<Requirement, Required> {
  const required = (name: Requirement): Required => {
    const { options, stocks } = offsets[name]
    const relief = stocks.get(position) ?? ZERO
    const amount = needs[name] - relief
    return (
      options.get(position) ?? {
        requirement: amount,
        onTop: amount,
        percent: relief === ZERO ? needs.percents?.[name] : undefined,
      }
    )
  }
  return { initial: required('initial'), law: required('law'), house: required('house') }
}

/** What a position requires without a combination. */
export function needsAlone(position: MarginPosition, rates: HouseRates): Needs {
  const { debt, marginable } = position
  if (debt !== undefined && (marginable || isShort(position))) return debtNeeds(position, debt)
  return isShort(position) ? shortNeeds(position, rates) : longNeeds(position, rates)
}

/**
 * Regulation T and FINRA require the same. A higher house rate of the security applies to a long position; the value of
 * a short is negative.
 */
function debtNeeds(
  { marketValue, houseLongPercent = ZERO }: MarginPosition,
  { row, principal }: NonNullable<MarginPosition['debt']>,
): StockNeeds {
  const law = debtRequirement(row, marketValue, principal)
  const ofHouse = percentOfAmount(marketValue, min(houseLongPercent, FULL_PERCENT))
  return { initial: law, law, house: max(law, ofHouse) }
}

function shortNeeds(position: MarginPosition, { shortPercent }: HouseRates): StockNeeds {
  const { equity, leverage } = position
  return {
    initial: shortInitial(position, equity, leverage),
    law: shortMaintenance(position, FINRA_RATES.shortPercent, equity, leverage),
    house: shortMaintenance(position, shortPercent, equity, leverage),
  }
}

function longNeeds(position: MarginPosition, rates: HouseRates): Needs {
  const { marginable, price, equity, leverage = ONE, houseLongPercent = ZERO } = position
  const row = equity ?? equityMarginOn(marginable ? 'MarginSecurity' : 'NonMargin', 'Long', price)
  const percents = equityPercents(row, leverage, max(rates.longPercent, houseLongPercent))
  const recent = recentValue(position)
  if (recent === ZERO) {
    const required = (percent: Decimal) => percentOfAmount(position.marketValue, percent)
    const { initial, law, house } = percents
    return { initial: required(initial), law: required(law), house: required(house), percents }
  }
  const young = equityMarginOn('RecentFund', 'Long', price)
  const required = (ofRecent: Decimal, percent: Decimal) =>
    percentOfAmount(recent, ofRecent) + percentOfAmount(position.marketValue - recent, percent)
  return {
    initial: required(young.initialPercent, percents.initial),
    law: required(young.percent, percents.law),
    house: required(young.percent, percents.house),
  }
}

/** The value of shares of a mutual fund that were bought within the last 30 days. All of it is required. */
function recentValue({ recentUnits = ZERO, unitQuantity, marketValue }: MarginPosition): Decimal {
  if (recentUnits === ZERO) return ZERO
  return multiplyDivide(marketValue, min(recentUnits, unitQuantity), unitQuantity, MONEY_PLACES)
}

const MONEY_PLACES = 2
