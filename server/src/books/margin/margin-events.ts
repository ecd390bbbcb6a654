/**
 * Converts lines of activity to the events that move the SMA of a margin account (docs/books.md, Changes of the SMA).
 * Interest and fees do not move it. Written options, and stock sold short beside a convertible, move it
 * by what the positions of a day require.
 */
import { abs, type Decimal, max, min, multiplyDivide, ONE, ZERO } from '@clearing/domain/decimal'
import {
  isOption,
  longRegTPercent,
  type MarginEvent,
  type MarginFigures,
  type MarginLedger,
  percentOfAmount,
  REG_T_SHORT_PERCENT,
  requireEquity,
  shortInitial,
  tradeRequirement,
  unitQuantityOf,
} from '@clearing/domain/market'
import type { MarginLine } from '../../store/margin-lines.ts'
import type { UnitsMoved } from '../../store/units-moved.ts'
import { closedAgainstTheBox } from './against-the-box.ts'
import { amountInUsd, tradePrice, tradesOf } from './as-trade.ts'
import { withoutCancelled } from './counting-lines.ts'
import type { MarketFacts } from './market-facts.ts'
import { eventsOfWritten, type TailOfLines } from './written-options.ts'

const usdPlaces = 2

/** The securities that the events of lines depend on. */
export function securitiesOf(lines: readonly MarginLine[]): string[] {
  const named = lines.flatMap(({ secNo, toSecNo }) => [secNo, toSecNo])
  return [...new Set(named.filter((secNo) => secNo !== undefined))]
}

/**
 * The events of lines, in the order of their trade dates. `facts` must have the securities of the lines, and those that
 * `readOptionMoves` reads. `held` are the positions after the lines.
 */
export function marginEventsOf(
  { lines, held, moves }: Pick<TailOfLines, 'lines' | 'held'> & { readonly moves: readonly UnitsMoved[] },
  facts: MarketFacts,
): MarginEvent[] {
  const counting = withoutCancelled(lines)
  const boxed = closedAgainstTheBox({ lines: counting, held }, moves, facts)
  const closing = counting.map((line) => ({ ...line, closed: boxed.get(line) ?? line.closed }))
  const transfers = new Map<string, MarginEvent>()
  const events: MarginEvent[] = []
  for (const line of closing) {
    if (isMove(line)) {
      // Both sides of a journal between account types 2 and 3, and all parts of a transfer, are one movement of their
      // day. What journals take to the cash account leaves as a withdrawal does (12 CFR 220.4(e)(1)).
      const isJournal = line.transType === 'Journal'
      const movement = `${line.tradeDate} ${isJournal}`
      const before = transfers.get(movement)
      const amount = valueMoved(line, facts) + signedAmount(before)
      const event = cashEvent(line.tradeDate, amount, isJournal ? 'Withdrawal' : 'Decrease')
      transfers.set(movement, event)
      if (before === undefined) events.push(event)
      else events[events.indexOf(before)] = event
      continue
    }
    // A cancel has the amount of its original with the opposite sign.
    const isCancel = line.correction === 'C'
    const counted = { ...line, netAmount: isCancel ? -line.netAmount : line.netAmount }
    for (const part of tradesOf(counted, facts)) {
      const event = eventOf(part, facts)
      if (event !== undefined) events.push(isCancel ? reversed(event) : event)
    }
  }
  const written = eventsOfWritten({ lines: closing, held }, moves, facts)
  return [...events, ...written].filter(({ amount }) => amount !== ZERO).sort(byDate)
}

function byDate(a: MarginEvent, b: MarginEvent): number {
  return a.date === b.date ? 0 : a.date < b.date ? -1 : 1
}

function isMove({ transType }: MarginLine): boolean {
  return transType === 'Journal' || transType === 'TransferIn' || transType === 'TransferOut'
}

/**
 * What a journal or transfer adds to the SMA: its cash, and the loan value of its securities. The quantity of a
 * TransferOut is a magnitude.
 */
function valueMoved(line: MarginLine, facts: MarketFacts): Decimal {
  const { transType, acctType, quantity } = line
  const cash = amountInUsd(line, line.netAmount, facts)
  if (acctType === 3 && transType !== 'Journal') {
    // A short position that is transferred takes its value and its requirement with it.
    const value = shortValue(line, facts)
    return quantity < ZERO ? cash - value : cash + value
  }
  const value = loanValue(line, facts)
  return quantity < ZERO === (transType === 'TransferOut') ? cash + value : cash - value
}

function cashEvent(date: string, amount: Decimal, out: 'Withdrawal' | 'Decrease'): MarginEvent {
  return amount < ZERO ? { kind: out, date, amount: -amount } : { kind: 'Deposit', date, amount }
}

function signedAmount(event: MarginEvent | undefined): Decimal {
  return event === undefined ? ZERO : event.kind === 'Deposit' ? event.amount : -event.amount
}

function eventOf(line: MarginLine, facts: MarketFacts): MarginEvent | undefined {
  const date = line.tradeDate
  const amount = abs(amountInUsd(line, line.netAmount, facts))
  switch (line.transType) {
    case 'Trade':
      return tradeEvent(line, amount, facts)
    case 'Deposit':
    case 'WithdrawalReturn':
      return { kind: 'Deposit', date, amount }
    case 'Withdrawal':
    case 'DepositReturn':
      return { kind: 'Withdrawal', date, amount }
    case 'Dividend':
    case 'CapitalGain':
      // What is due on securities sold short can be debited without margin (12 CFR 220.4(f)(1)).
      return line.netAmount > ZERO ? { kind: 'Dividend', date, amount } : { kind: 'Decrease', date, amount }
    case 'Interest':
      return line.netAmount > ZERO ? { kind: 'Dividend', date, amount } : undefined
    case 'Reinvest': {
      // The dividend that it spends is in the SMA. A reinvestment therefore causes no call.
      const bought = tradeEvent({ ...line, acctType: 2, buySell: 'BUY' }, amount, facts)
      return bought?.kind === 'Purchase' ? { kind: 'Decrease', date, amount: bought.requirement } : undefined
    }
    default:
      return undefined
  }
}

function tradeEvent(line: MarginLine, amount: Decimal, facts: MarketFacts): MarginEvent | undefined {
  const { secNo, tradeDate: date, buySell, acctType } = line
  if (secNo === undefined) return undefined
  const security = facts.security(secNo)
  const marginable = facts.hasLoanValue(secNo)
  const unitQuantity = unitQuantityOf(line.quantity, security)
  const shortSide = acctType === 3 || buySell === 'SSL' || buySell === 'BCV'
  if (shortSide && isOption(security.kind)) return undefined
  const opens = shortSide ? buySell === 'SSL' || buySell === 'SEL' : buySell === 'BUY'
  const ofDebt = marginable || shortSide ? facts.debtRequirement(secNo, line.quantity, amount) : undefined
  const price = tradePrice(line, amount, unitQuantity, facts)
  const units = shortSide ? -abs(unitQuantity) : abs(unitQuantity)
  const { equity, leverage } = facts.equityOf(secNo, { unitQuantity: units, price: price ?? ZERO })
  if (!opens) {
    if (ofDebt !== undefined) return { kind: 'Release', date, amount: ofDebt }
    const recent = shortSide || security.kind !== 'Fund' ? ZERO : recentPart(line, amount)
    const released =
      shortSide && price !== undefined
        ? shortInitial({ unitQuantity: units, price, marketValue: amount }, equity, leverage)
        : recent +
          percentOfAmount(
            amount - recent,
            shortSide ? REG_T_SHORT_PERCENT : longRegTPercent(marginable, equity, leverage),
          )
    return { kind: 'Release', date, amount: released }
  }
  const side = shortSide ? 'ShortSale' : 'Purchase'
  // Shares of a mutual fund have no loan value in their first 30 days.
  const isLent = marginable && (shortSide || security.kind !== 'Fund')
  const row = isLent ? equity : undefined
  return {
    kind: side,
    date,
    amount,
    requirement:
      ofDebt ??
      tradeRequirement({
        side,
        amount,
        unitQuantity,
        price: price ?? ZERO,
        leverage,
        marginable: isLent,
        equity: row,
      }),
  }
}

/** The proceeds of shares of a mutual fund that had no loan value yet: all of it was required. */
function recentPart({ closedRecent, quantity }: MarginLine, amount: Decimal): Decimal {
  const sold = abs(quantity)
  return sold === ZERO ? ZERO : multiplyDivide(amount, min(closedRecent, sold), sold, usdPlaces)
}

function loanValue({ secNo, quantity }: MarginLine, facts: MarketFacts): Decimal {
  if (secNo === undefined || !facts.hasLoanValue(secNo)) return ZERO
  const value = abs(facts.valueOf(secNo, quantity))
  const ofDebt = facts.debtRequirement(secNo, quantity, value)
  if (ofDebt !== undefined) return max(ZERO, value - ofDebt)
  const { equity, leverage } = facts.equityOf(secNo, { unitQuantity: ONE, price: ZERO })
  return value - percentOfAmount(value, longRegTPercent(true, equity, leverage))
}

function shortValue({ secNo, quantity }: MarginLine, facts: MarketFacts): Decimal {
  if (secNo === undefined) return ZERO
  const value = abs(facts.valueOf(secNo, quantity))
  if (isOption(facts.security(secNo).kind)) return value
  const position = facts.marginPosition(secNo, -abs(quantity))
  return (
    value +
    (facts.debtRequirement(secNo, quantity, value) ??
      shortInitial(position, position.equity, position.leverage))
  )
}

/** The event that reverses an event which a close has already counted. */
function reversed(event: MarginEvent): MarginEvent {
  const { date, amount } = event
  switch (event.kind) {
    case 'Deposit':
    case 'Dividend':
    case 'Release':
      return { kind: 'Withdrawal', date, amount, isCancel: true }
    case 'Withdrawal':
    case 'Decrease':
      return { kind: 'Deposit', date, amount }
    case 'Purchase':
    case 'ShortSale':
      return { kind: 'Release', date, amount: event.requirement }
    case 'Writing':
      return { kind: 'Release', date, amount }
    default:
      return event satisfies never
  }
}

/**
 * The ledger after events. The last days of trades and of withdrawals must also leave 2,000 of equity (FINRA Rule
 * 4210(b)). On `today`, this is the equity with all lines (`figures`). On an earlier day it is the larger of that
 * equity and the equity before the events (`equityBefore`), with the cash movements until that day and the deposits
 * since. Later market losses therefore do not count.
 */
export function postEvents(
  ledger: MarginLedger,
  events: readonly MarginEvent[],
  today: string,
  figures: Pick<MarginFigures, 'equity' | 'debitBalance' | 'regTExcess' | 'requirements'>,
  equityBefore: Decimal,
): MarginLedger {
  const equityOn = (day: string) => {
    if (day === today) return figures.equity
    let atCost = equityBefore
    for (const { kind, date, amount } of events) {
      if (kind === 'Deposit' || kind === 'Dividend') atCost += amount
      else if ((kind === 'Withdrawal' || kind === 'Decrease') && date <= day) atCost -= amount
    }
    return max(figures.equity, atCost)
  }
  const restrictedBy = max(ZERO, -figures.regTExcess)
  const hasShort = figures.requirements.some(({ quantity }) => quantity < ZERO)
  return requireEquity(ledger, events, { equityOn, debit: figures.debitBalance, restrictedBy, hasShort })
}
