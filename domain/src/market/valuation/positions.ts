/**
 * Values the open lots of an account: one line per security, account type and custody, with its gain, and optionally
 * one row per lot. Rounded lots add up to their line exactly. Books 5.
 */

import { type Term, termOf } from '../../books/term.ts'
import { abs, type Decimal, ZERO } from '../../decimal.ts'
import type { CalendarDate } from '../calendar/day.ts'
import { settlementDate } from '../calendar/settlement.ts'
import { accruedInterest } from '../interest/accrued.ts'
import { findCurrency } from './currencies.ts'
import {
  addLot,
  addToTotals,
  completeGain,
  emptyGain,
  renderGain,
  renderTotals,
  type SecurityTotals,
  type ShownTotals,
} from './gain.ts'
import { costPrice, currentFace, lineValue, unitQuantityOf } from './line-value.ts'
import type { LineLots, OpenLot, ValuationInput, ValuedSecurity } from './open-lots.ts'
import { ACCT_TYPE_NAMES, type PortfolioPosition, type UnrealizedGainLoss } from './record.ts'
import { toUsd, USD_PLACES, usdRate } from './us-dollars.ts'

export interface ValuedLot {
  readonly lotId: string
  readonly unrealizedGainLoss: UnrealizedGainLoss
}

/** A price that is not of the market, in the currency of the line, and the value at it in US dollars. */
export interface Estimate {
  readonly price: Decimal
  readonly value: Decimal
}

/** A valued line: the position of `portfolios`, and the facts that the totals of the account depend on. */
export interface ValuedLine {
  readonly position: PortfolioPosition
  readonly security: ValuedSecurity
  readonly heldAway: boolean
  /** No price at all: valued at 0. */
  readonly unpriced: boolean
  /**
   * What margin figures count for a line without a price: the account's last trade in it, otherwise its cost. Undefined
   * without both, and for a line with a price.
   */
  readonly estimate?: Estimate | undefined
  /**
   * An option that is held after its expiration. Its last price no longer applies: its price is what it was in the
   * money then, because it is exercised unless its holder instructs otherwise (OCC Rule 805).
   */
  readonly expired: boolean
  /** The price is from before a corporate action, and counts in the units after it. */
  readonly carried: boolean
  /** The price contains shares that a spin-off has paid since. */
  readonly beforeSpinoff: boolean
  /** A quantity that another custodian reported before a split counts in the units after it. */
  readonly converted: boolean
  /** No exchange rate: counted as 0 in US dollars. */
  readonly unconverted: boolean
  /** Interest accrued to today's settlement date, US dollars. */
  readonly accruedInterest: Decimal
  readonly lots: readonly ValuedLot[]
}

/**
 * Values the lots: quantity × price × multiplier ÷ price divisor × factor, in the currency and at the latest rate in US
 * dollars; cost at the rate of the trade day. A line without a price or a rate has the value 0, no gain, and a flag.
 * Lines are sorted by symbolId, account type and custody. Throws if a lot names a security that is not given.
 */
export function valuePositions(input: ValuationInput): ValuedLine[] {
  const groups = groupLots(input)
  const totals = new Map<string, SecurityTotals>()
  const lines: ValuedLine[] = []
  let absoluteValue = ZERO
  for (const group of groups) {
    const line = valueLine(group, input, totals)
    absoluteValue += abs(line.position.marketUsdeValue)
    lines.push(line)
  }
  const shown = new Map<string, ShownTotals>()
  for (const [secNo, total] of totals) shown.set(secNo, renderTotals(total))
  for (const { position, lots } of lines) {
    const totalsShown = shown.get(position.secNo)
    completeGain(position.unrealizedGainLoss, totalsShown, absoluteValue)
    for (const lot of lots) completeGain(lot.unrealizedGainLoss, totalsShown, absoluteValue)
  }
  return lines
}

function groupLots(input: ValuationInput): LineLots[] {
  const groups = new Map<string, LineLots>()
  for (const lot of input.lots) {
    if (lot.quantity === ZERO) continue
    const key = `${lot.secNo}/${lot.acctTypeCode}${lot.heldAway ? '/away' : ''}`
    const group = groups.get(key)
    if (group !== undefined) {
      group.lots.push(lot)
      continue
    }
    const security = input.securities.get(lot.secNo)
    if (security === undefined) throw new Error(`lot ${lot.lotId} is of an unknown security`)
    groups.set(key, {
      security,
      acctTypeCode: lot.acctTypeCode,
      heldAway: lot.heldAway,
      lots: [lot],
    })
  }
  return [...groups.values()].sort(
    (a, b) =>
      compareText(a.security.symbolId, b.security.symbolId) ||
      compareText(a.security.secNo, b.security.secNo) ||
      a.acctTypeCode - b.acctTypeCode ||
      Number(a.heldAway) - Number(b.heldAway),
  )
}

function valueLine(group: LineLots, input: ValuationInput, totals: Map<string, SecurityTotals>): ValuedLine {
  const { security, acctTypeCode, heldAway } = group
  const currency = findCurrency(security.currency)
  const places = currency?.places ?? USD_PLACES
  const expired = hasExpired(security, input.today)
  const priced = (expired ? input.atExpiration : input.prices)?.get(security.secNo)
  const price = priced?.price ?? ZERO
  const fxRate = usdRate(security.currency, input.fxRates)
  const hasValue = priced !== undefined && fxRate !== ZERO

  const lots: ValuedLot[] = []
  const gain = emptyGain(hasValue)
  // The value of a lot is the difference of two rounded running totals, so that lots add up to the line.
  const inSteps =
    input.withLots === true || group.lots.some((lot) => lot.cost === null || lot.heldLong !== undefined)
  let runningQuantity = ZERO
  let runningUsd = ZERO
  const valueUntilHere = () => toUsd(lineValue(runningQuantity, price, security, places), fxRate)
  let firstTerm: Term | 'Mixed' | undefined
  for (const lot of group.lots) {
    runningQuantity += lot.quantity
    let step = ZERO
    if (inSteps) {
      const usd = valueUntilHere()
      step = usd - runningUsd
      runningUsd = usd
    }
    const term = termToday(lot, hasValue ? step : undefined, input.today)
    firstTerm ??= term
    addLot(gain, lot, step)
    if (term !== firstTerm) gain.term = 'Mixed'
    if (input.withLots === true) {
      const ofLot = emptyGain(hasValue)
      addLot(ofLot, lot, step)
      ofLot.term = term
      lots.push({ lotId: lot.lotId, unrealizedGainLoss: renderGain(ofLot, group, input.breaks, priced) })
    }
  }
  if (gain.term !== 'Mixed' && firstTerm !== undefined) gain.term = firstTerm
  const marketValue = lineValue(gain.quantity, price, security, places)
  if (!inSteps) {
    gain.value = toUsd(marketValue, fxRate)
    gain.costedValue = gain.value
  }
  const unitQuantity = unitQuantityOf(gain.quantity, security)

  addToTotals(totals, security, gain)
  const unrealizedGainLoss = renderGain(gain, group, input.breaks, priced)
  const position: PortfolioPosition = {
    date: input.now,
    acctTypeCode,
    acctType: ACCT_TYPE_NAMES[acctTypeCode],
    acctNo: input.acctNo,
    accountName: input.accountName,
    currencyCode: currency?.number ?? 0,
    currency: security.currency,
    marketValue,
    marketUsdeValue: gain.value,
    quantity: gain.quantity,
    gainLoss: unrealizedGainLoss.gainLoss,
    fxRate,
    price,
    priceType: priced?.priceType ?? '',
    marketValueFactor: marketValue,
    marketUsdeValueFactor: gain.value,
    priceDate: priced?.priceDate ?? '',
    symbolId: security.symbolId,
    secNo: security.secNo,
    isin: security.isin,
    sedol: security.sedol,
    cusip: security.cusip,
    symbol: security.symbol,
    description: security.description,
    secTypeCode: security.secTypeCode,
    secTypeName: security.secTypeName,
    industryGroupName: security.industryGroupName,
    industryGroupCode: security.industryGroupCode,
    isOffShore: security.isOffShore,
    offshoreShareClass: security.offshoreShareClass,
    currentFactor: security.currentFactor,
    unitQuantity,
    newSecCode: security.newSecCode,
    typeClassCode: security.typeClassCode,
    unrealizedGainLoss,
  }
  return {
    position,
    security,
    heldAway,
    unpriced: priced === undefined,
    estimate: priced === undefined ? estimateOf(group, gain.quantity, input, fxRate) : undefined,
    expired,
    carried: priced?.carried === true,
    beforeSpinoff: priced?.beforeSpinoff === true,
    converted: group.lots.some(({ converted }) => converted === true),
    unconverted: fxRate === ZERO,
    accruedInterest: accruedOf(gain.quantity, security, input.today, fxRate),
    lots,
  }
}

/** The term of a closing today. `value` in US dollars decides whether a short sale has a loss. */
function termToday(lot: OpenLot, value: Decimal | undefined, today: CalendarDate): Term | 'Mixed' {
  const { quantity, besideShort = ZERO, heldLong = ZERO, cost, fxRate } = lot
  if (quantity > 0n) {
    const term = termOf('long', lot.holdingStart, today)
    if (term === 'Short' || besideShort === ZERO) return term
    return besideShort < quantity ? 'Mixed' : 'Short'
  }
  const isLoss = value !== undefined && cost !== null && value < toUsd(cost, fxRate)
  if (!isLoss || heldLong === ZERO) return 'Short'
  return heldLong < abs(quantity) ? 'Mixed' : 'Long'
}

/** FINRA Rule 4210(a)(2): on the day of a trade, its cost or net proceeds; otherwise a reasonable estimate. */
function estimateOf(
  { security, lots }: LineLots,
  quantity: Decimal,
  { lastTrades }: ValuationInput,
  fxRate: Decimal,
): Estimate | undefined {
  const costed = lots.filter(({ cost }) => cost !== null)
  const ofLots = (of: (lot: (typeof lots)[number]) => Decimal) =>
    costed.reduce((sum, lot) => sum + of(lot), ZERO)
  const price =
    lastTrades?.get(security.secNo) ??
    costPrice(
      ofLots(({ cost }) => cost ?? ZERO),
      ofLots((lot) => lot.quantity),
      security,
    )
  if (price === undefined) return undefined
  const places = findCurrency(security.currency)?.places ?? USD_PLACES
  return { price, value: toUsd(lineValue(quantity, price, security, places), fxRate) }
}

/** An option can be exercised on its expiration date, and has no price of the market after it. */
export function hasExpired({ option }: ValuedSecurity, today: CalendarDate): boolean {
  return option !== undefined && option.expiration < today
}

function accruedOf(
  quantity: Decimal,
  security: ValuedSecurity,
  today: CalendarDate,
  fxRate: Decimal,
): Decimal {
  if (security.bond === undefined) return ZERO
  const settlement = settlementDate(today, security.kind)
  return toUsd(accruedInterest(currentFace(quantity, security), security.bond, settlement), fxRate)
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
