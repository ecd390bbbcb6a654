/**
 * The account level of the position summary. Every total is the sum of its rounded lines, so that all totals add
 * up exactly. Books 5.
 */

import type { CodeOf } from '@clearing/protocol'
import { abs, type Decimal, max, min, ZERO } from '../../decimal.ts'
import { heldForShorts } from './held-for-shorts.ts'
import { percentOf } from './line-value.ts'
import type { ValuedLine } from './positions.ts'
import {
  ACCT_TYPE_NAMES,
  type AcctTypeCode,
  type PortfolioPosition,
  type PositionSummary,
  type SummaryGroup,
} from './record.ts'
import { toUsd, USD, usdRate } from './us-dollars.ts'

/** Cash of one account type in one currency, in that currency. */
export interface CashBalance {
  readonly acctTypeCode: AcctTypeCode
  readonly currency: string
  /** Trade-date cash: settled and unsettled. */
  readonly tradeDate: Decimal
  /** Settled cash. */
  readonly settled: Decimal
  /** The sum of unsettled debits, which are payments to make. Never positive. */
  readonly pendingDebits: Decimal
  /** The sum of unsettled proceeds of sales. Never negative. */
  readonly pendingSales: Decimal
  /** The sum of unsettled proceeds of short sales. Never negative. */
  readonly pendingShortSales: Decimal
}

/** The margin figures of an account, from `marginStanding`. US dollars. */
export interface MarginAmounts {
  readonly marginCashAvailable: Decimal
  readonly buyingPower: Decimal
  readonly fedCallAmount: Decimal
  readonly accumFedAmount: Decimal
  readonly maintCallAmount: Decimal
  /** What the margin account owes beyond its assets: its equity below 0. Not negative; absent means none. */
  readonly deficit?: Decimal | undefined
}

export interface AccountInput {
  readonly acctNo: string
  /** Date-time of the summary. */
  readonly now: string
  readonly lines: readonly ValuedLine[]
  readonly cash: readonly CashBalance[]
  readonly fxRates: ReadonlyMap<string, Decimal>
  /**
   * Whether unsettled sales cannot pay for purchases, because the privilege of delaying payment is withdrawn (12 CFR
   * 220.8(c)).
   */
  readonly settledCashOnly?: boolean
  /**
   * Null for an account without holdings in account types 2 and 3, for one that never borrows, and for one without
   * margin that holds only money in these account types. All account types are then one cash account.
   */
  readonly margin: MarginAmounts | null
  /**
   * False if the customer has agreed to no margin: credit that is extended in fact has its figures, and no further
   * credit is available. Absent means true.
   */
  readonly marginAgreed?: boolean
  /** What restrictions suspend. Absent means nothing. */
  readonly suspended?: ReadonlySet<CodeOf<'entitlement'>>
  /** Whether the option level allows spreads. Absent means false: each written put is secured by itself. */
  readonly maySpread?: boolean
  /** Margin interest accrued and not yet charged, US dollars. Negative: a refund is owed to the customer. */
  readonly marginInterestAccrued: Decimal
  /** Rates of cost that are not those known on the trade day. */
  readonly costRates?: readonly CostRate[]
}

/**
 * The day of the exchange rate that is used for the cost of a trade day. It is the same day if the rate was loaded
 * later.
 */
export interface CostRate {
  readonly currency: string
  readonly tradeDate: string
  readonly rateDate: string
}

export interface AccountSummary {
  readonly summary: PositionSummary
  /**
   * Sentences for the `message` of the response: lines with the value 0, and costs at the rate of another day. Empty if
   * there are none.
   */
  readonly message: string
}

const NAMED_IN_MESSAGE_MAX = 20

/** The summary of an account from its valued lines, its cash and its margin figures. */
export function summarizeAccount(input: AccountInput): AccountSummary {
  let totalLongMarket = ZERO
  let totalShortMarket = ZERO
  let totalMoneyMarket = ZERO
  let assetsHeldAway = ZERO
  let gainLoss = ZERO
  let absoluteCost = ZERO
  let accruedInterest = -input.marginInterestAccrued
  const portfolios: PortfolioPosition[] = []
  const groups = newGroups()
  for (const line of input.lines) {
    const { position } = line
    portfolios.push(position)
    const value = position.marketUsdeValue
    if (line.heldAway) {
      assetsHeldAway += value
      continue
    }
    gainLoss += position.gainLoss
    if (!line.unpriced && !line.unconverted) absoluteCost += abs(position.unrealizedGainLoss.cost)
    accruedInterest += line.accruedInterest
    if (line.security.moneyMarket) {
      totalMoneyMarket += value
      continue
    }
    if (position.quantity < ZERO) totalShortMarket += value
    else totalLongMarket += value
    addToGroup(groups.industry, position.industryGroupName, position)
    addToGroup(groups.asset, position.secTypeName, position)
    addToGroup(groups.accountType, ACCT_TYPE_NAMES[position.acctTypeCode], position)
    addToGroup(groups.currencyType, position.currency, position)
  }

  const cash = totalCash(input.cash, input.fxRates)
  const netMarket = totalLongMarket + totalShortMarket
  const netCustodied = netMarket + cash.all + totalMoneyMarket
  const isSuspended = (right: CodeOf<'entitlement'>) => input.suspended?.has(right) === true
  const mayBorrowMore = input.margin !== null && input.marginAgreed !== false && !isSuspended('Margin')
  const unlessHeld = (amount: Decimal) => (isSuspended('Withdrawals') ? ZERO : amount)
  const marginCashAvailable = unlessHeld(mayBorrowMore ? input.margin.marginCashAvailable : ZERO)
  const { free, lacking } = freeCashOf(input)
  const worth = netCustodied + estimatedInMargin(input.lines)
  const atMost = (amount: Decimal) => unlessHeld(withinWorth(amount, worth, input.margin))
  const freeCash = atMost(free)
  const fundsAvailable = atMost(max(free, marginCashAvailable) + max(ZERO, totalMoneyMarket - lacking))
  const buyingPower = mayBorrowMore ? input.margin.buyingPower : ownBuyingPower(input, totalMoneyMarket)
  const summary: PositionSummary = {
    acctNo: input.acctNo,
    date: input.now,
    totalShortMarket,
    totalLongMarket,
    totalCash: cash.all,
    totalMoneyMarket,
    netMarket,
    netCustodied,
    assetsHeldAway,
    totalAccountValue: netCustodied + assetsHeldAway,
    freeCash,
    gainLoss,
    gainLossPercentage: percentOf(gainLoss, absoluteCost),
    fundsAvailable,
    fedCallAmount: input.margin?.fedCallAmount ?? ZERO,
    maintCallAmount: input.margin?.maintCallAmount ?? ZERO,
    marginCashAvailable,
    buyingPower: isSuspended('Buying') ? ZERO : buyingPower,
    accumFedAmount: input.margin?.accumFedAmount ?? ZERO,
    accruedInterest,
    totalCashUsdOnly: cash.usd,
    industrySummary: renderGroups(groups.industry),
    assetSummary: renderGroups(groups.asset),
    accountTypeSummary: renderGroups(groups.accountType),
    currencyTypeSummary: renderGroups(groups.currencyType),
    portfolios,
  }
  return { summary, message: messageOf(input, cash.unconverted) }
}

/** Trade-date cash in US dollars: of all currencies, of USD alone, and the currencies that have no rate. */
export function totalCash(
  balances: readonly CashBalance[],
  fxRates: ReadonlyMap<string, Decimal>,
): { readonly all: Decimal; readonly usd: Decimal; readonly unconverted: readonly string[] } {
  let all = ZERO
  let usd = ZERO
  const unconverted: string[] = []
  for (const { currency, tradeDate } of balances) {
    if (tradeDate === ZERO) continue
    const rate = usdRate(currency, fxRates)
    if (rate === ZERO) unconverted.push(currency)
    const amount = toUsd(tradeDate, rate)
    all += amount
    if (currency === USD) usd += amount
  }
  return { all, usd, unconverted }
}

interface FreeCash {
  readonly free: Decimal
  /** What short lines of the cash account hold back beyond its cash. Money-market funds secure it. */
  readonly lacking: Decimal
}

/**
 * Settled credit that can leave today without borrowing, in US dollars, never negative: settled cash less payments to
 * make. In the cash account, what `heldForShorts` gives is held back. In the margin account it is at most
 * `marginCashAvailable`, and the market value of short positions is held back. Their proceeds cover it, also before
 * they settle. While a position is short, what account type 3 has beyond that value stays: it can be proceeds as well.
 * Cash of one account does not offset a debit of the other, except without margin figures: all account types are then
 * one cash account.
 */
function freeCashOf({ cash, fxRates, lines, margin, maySpread = false }: AccountInput): FreeCash {
  const free: Record<AcctTypeCode, Decimal> = { 1: ZERO, 2: ZERO, 3: ZERO }
  let heldOfMargin = ZERO
  let isShort = false
  for (const { acctTypeCode, currency, settled, pendingDebits, pendingShortSales } of cash) {
    const rate = usdRate(currency, fxRates)
    free[acctTypeCode] += toUsd(settled + pendingDebits, rate)
    if (acctTypeCode === 1 || pendingShortSales === ZERO) continue
    isShort = true
    heldOfMargin -= toUsd(pendingShortSales, rate)
  }
  for (const { heldAway, position, estimate } of lines) {
    if (heldAway || position.acctTypeCode === 1 || position.quantity >= ZERO) continue
    isShort = true
    heldOfMargin -= estimate?.value ?? position.marketUsdeValue
  }
  if (margin === null) return lessHeld(free[1] + free[2] + free[3], heldForShorts(lines, maySpread))
  const ofCash = lessHeld(free[1], heldForShorts(lines.filter(isOfCashAccount), maySpread))
  const settled = free[2] + free[3] - heldOfMargin
  const ofMargin = min(settled, isShort ? free[2] : settled, margin.marginCashAvailable)
  return { ...ofCash, free: ofCash.free + max(ZERO, ofMargin) }
}

function lessHeld(cash: Decimal, held: Decimal): FreeCash {
  return { free: max(ZERO, cash - held), lacking: min(held, max(ZERO, held - cash)) }
}

function isOfCashAccount({ position }: ValuedLine): boolean {
  return position.acctTypeCode === 1
}

/** What lines without a price count in the margin account. */
function estimatedInMargin(lines: readonly ValuedLine[]): Decimal {
  let sum = ZERO
  for (const { heldAway, position, estimate } of lines)
    if (!heldAway && position.acctTypeCode !== 1 && estimate !== undefined) sum += estimate.value
  return sum
}

/**
 * What can leave. A deficit of the margin account is a debt to the firm without security, which the customer's other
 * money pays first. While there is one, no more leaves than the account is worth.
 */
function withinWorth(amount: Decimal, worth: Decimal, margin: MarginAmounts | null): Decimal {
  const deficit = margin?.deficit ?? ZERO
  return deficit === ZERO ? amount : max(ZERO, min(amount - deficit, worth))
}

/** Without further credit: that of a cash account, and beside credit in fact no more than this leaves. */
function ownBuyingPower(input: AccountInput, totalMoneyMarket: Decimal): Decimal {
  const own = cashBuyingPower(input, totalMoneyMarket)
  return input.margin === null ? own : min(own, input.margin.buyingPower)
}

/**
 * The buying power of a cash account: settled funds and money-market funds, less payments to make (12 CFR
 * 220.8(a)(1)(i)) and what short lines hold back (cash and cash equivalents secure them, 220.2), plus the proceeds of
 * sales that have not settled, if the customer holds the purchase until then (220.8(a)(1)(ii)). While the privilege of
 * delaying payment is withdrawn, unsettled proceeds do not count (220.8(c); Board staff opinion of 1999-02-18).
 */
function cashBuyingPower(
  {
    cash,
    fxRates,
    lines,
    settledCashOnly,
    maySpread = false,
  }: Pick<AccountInput, 'cash' | 'fxRates' | 'lines' | 'settledCashOnly' | 'maySpread'>,
  totalMoneyMarket: Decimal,
): Decimal {
  let funds = totalMoneyMarket
  for (const { currency, settled, pendingDebits, pendingSales } of cash) {
    const sales = settledCashOnly ? ZERO : pendingSales
    funds += toUsd(settled + pendingDebits + sales, usdRate(currency, fxRates))
  }
  return max(ZERO, funds - heldForShorts(lines, maySpread))
}

type Groups = Map<string, SummaryGroup>

function newGroups(): { industry: Groups; asset: Groups; accountType: Groups; currencyType: Groups } {
  return { industry: new Map(), asset: new Map(), accountType: new Map(), currencyType: new Map() }
}

/** The name of the group of securities without an industry or type. */
export const UNCLASSIFIED = 'Unclassified'

function addToGroup(groups: Groups, named: string, position: PortfolioPosition): void {
  const name = named || UNCLASSIFIED
  let group = groups.get(name)
  if (group === undefined) {
    group = {
      name,
      longMarketValue: ZERO,
      shortMarketValue: ZERO,
      totalMarketValue: ZERO,
      quantity: ZERO,
    }
    groups.set(name, group)
  }
  if (position.quantity < ZERO) group.shortMarketValue += position.marketUsdeValue
  else group.longMarketValue += position.marketUsdeValue
  group.totalMarketValue += position.marketUsdeValue
  group.quantity += position.quantity
}

function renderGroups(groups: Groups): SummaryGroup[] {
  return [...groups.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function messageOf(input: AccountInput, cashUnconverted: readonly string[]): string {
  const unpriced: string[] = []
  const expired: string[] = []
  const ended: string[] = []
  const carried: string[] = []
  const spun: string[] = []
  const converted: string[] = []
  const unknown = new Set<string>()
  const currencies = new Set(cashUnconverted)
  for (const line of input.lines) {
    const { position, unpriced: withoutPrice, expired: hasEnded, unconverted } = line
    const name = position.symbol || position.cusip || position.isin || position.sedol || position.secNo
    if (hasEnded) (withoutPrice ? ended : expired).push(name)
    else if (withoutPrice) unpriced.push(name)
    if (line.carried) carried.push(name)
    if (line.beforeSpinoff) spun.push(name)
    if (line.converted) converted.push(name)
    if (unconverted) currencies.add(position.currency)
    if (line.security.unknownUnderlying !== undefined) unknown.add(line.security.unknownUnderlying)
  }
  const sentences: string[] = []
  if (unpriced.length > 0) sentences.push(`No price for ${list(unpriced)}: valued at 0, left out of gains.`)
  if (expired.length > 0)
    sentences.push(
      `Expired and still held: ${list(expired)}. Valued at the amount in the money at the expiration.`,
    )
  if (ended.length > 0)
    sentences.push(
      `Expired and still held without a price of the underlying: ${list(ended)}. Valued at 0, left out of gains.`,
    )
  if (carried.length > 0)
    sentences.push(
      `No price for ${list(carried)} since a corporate action: the last price before it counts, converted by its ratio.`,
    )
  if (spun.length > 0)
    sentences.push(`No price for ${list(spun)} since a spin-off: the last price before it counts in full.`)
  if (converted.length > 0)
    sentences.push(
      `Held away, and reported before a split: ${list(converted)}. The quantity is converted by its ratio.`,
    )
  if (unknown.size > 0)
    sentences.push(
      `Not known as a security: ${list([...unknown])}. Options on it, and what converts into it, are margined without its price and without cover.`,
    )
  if (currencies.size > 0) sentences.push(`No exchange rate for ${list([...currencies])}: counted as 0.`)
  const [restated = [], nearest = []] = partition(input.costRates ?? [], isOfItsDay)
  if (nearest.length > 0) {
    const named = nearest.map((one) => `${one.currency} of ${one.tradeDate} (at ${one.rateDate})`)
    sentences.push(`No exchange rate of the trade day for cost in ${list(named)}: the nearest known counts.`)
  }
  if (restated.length > 0) {
    const named = restated.map(({ currency, tradeDate }) => `${currency} of ${tradeDate}`)
    sentences.push(`Cost in ${list(named)} is restated: the rate of that day came later.`)
  }
  return sentences.join(' ')
}

function isOfItsDay({ tradeDate, rateDate }: CostRate): boolean {
  return tradeDate === rateDate
}

function partition<T>(items: readonly T[], holds: (item: T) => boolean): [yes: T[], no: T[]] {
  return [items.filter(holds), items.filter((item) => !holds(item))]
}

function list(names: readonly string[]): string {
  const distinct = [...new Set(names)]
  const shown = distinct.slice(0, NAMED_IN_MESSAGE_MAX).join(', ')
  const left = distinct.length - NAMED_IN_MESSAGE_MAX
  return left > 0 ? `${shown} and ${left} more` : shown
}
