/**
 * Makes random trades for an account, the same for the same seed: a deposit that pays for them, purchases, and sales of
 * the purchases. The last trade is of the open business day.
 */
import { createHash } from 'node:crypto'
import {
  type Decimal,
  multiply,
  multiplyDivide,
  renderDecimal,
  wholeDecimal,
  ZERO,
} from '@clearing/domain/decimal'
import { addDays, isMarketDay } from '@clearing/domain/market'

export interface TradingPlan {
  readonly accountNumber: string
  readonly seed: string
  readonly count: number
  /** The open business day, the last day of trading. */
  readonly day: string
  /** At least one. */
  readonly stocks: readonly { readonly symbol: string; readonly price: Decimal }[]
}

export type TradeLine = Readonly<Record<string, string>>

/** The number of calendar days over which the trading extends. */
const daysBackMax = 30
const spreadPermille = 60
const lotShares = 10

/** A sequence of numbers below a bound, derived from a text alone. */
function makeChance(seed: string): (below: number) => number {
  let block = createHash('sha256').update(seed).digest()
  let at = 0
  return (below) => {
    if (at + 4 > block.length) {
      block = createHash('sha256').update(block).digest()
      at = 0
    }
    const number = block.readUInt32BE(at)
    at += 4
    return number % below
  }
}

function tradingDays(last: string): string[] {
  const days: string[] = []
  for (let back = daysBackMax; back >= 0; back -= 1) {
    const day = addDays(last, -back)
    if (isMarketDay(day)) days.push(day)
  }
  return days
}

/** Returns lines of load-activity in the order of their dates. */
export function makeTrades({ accountNumber, seed, count, day, stocks }: TradingPlan): TradeLine[] {
  const chance = makeChance(`${accountNumber} ${day} ${seed}`)
  const days = tradingDays(day)
  const held = new Map<string, number>()
  const key = createHash('sha256').update(`${day} ${seed}`).digest('hex').slice(0, 12)
  const lineOf = (number: number, tradeDate: string, fields: TradeLine): TradeLine => ({
    externalId: `SANDBOX-${accountNumber}-${key}-${number}`,
    acctNo: accountNumber,
    acctType: '1',
    tradeDate,
    ...fields,
  })
  const earlier = Array.from({ length: count - 1 }, () => days[chance(days.length)] ?? day)
  // Trades of earlier days are history, of which no confirmation is made.
  const dates = [...earlier, day].sort()
  let spent = ZERO
  const trades = dates.map((tradeDate, at) => {
    const stock = stocks[chance(stocks.length)] as TradingPlan['stocks'][number]
    const permille = 1_000 - spreadPermille + chance(2 * spreadPermille + 1)
    const price = multiplyDivide(stock.price, wholeDecimal(permille), wholeDecimal(1_000), 2)
    const owned = held.get(stock.symbol) ?? 0
    const sells = owned > 0 && chance(100) < 40
    const quantity = sells ? Math.min(owned, (1 + chance(10)) * lotShares) : (1 + chance(20)) * lotShares
    held.set(stock.symbol, owned + (sells ? -quantity : quantity))
    if (!sells) spent += multiply(wholeDecimal(quantity), price, 2)
    return lineOf(at + 1, tradeDate, {
      transType: 'Trade',
      buySell: sells ? 'SEL' : 'BUY',
      symbol: stock.symbol,
      quantity: String(quantity),
      price: renderDecimal(price, 2),
      commission: '4.95',
    })
  })
  const thousands = spent / wholeDecimal(1_000) + 1n
  const netAmount = renderDecimal(wholeDecimal(thousands * 1_000n), 2)
  const deposit = lineOf(0, dates[0] ?? day, { transType: 'Deposit', netAmount, note: 'SANDBOX DEPOSIT' })
  return [deposit, ...trades]
}
