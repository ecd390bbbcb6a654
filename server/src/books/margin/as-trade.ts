/**
 * The trades that a line is for margin. A trade that closes a position and opens one is two, whatever the feed calls
 * its side. A line whose amount depends on the position is a trade, too. An exercise or assignment buys or sells
 * the underlying at the exercise price, which is its current market value on that day (12 CFR 220.2). Cash for a
 * position, such as that of a redemption, a merger or a return of capital, sells a long position or covers a short one
 * (12 CFR 220.5(b)(3)).
 */
import { abs, type Decimal, divide, multiply, multiplyDivide, ZERO } from '@clearing/domain/decimal'
import type { MarginLine } from '../../store/margin-lines.ts'
import type { MarketFacts } from './market-facts.ts'

const moneyPlaces = 2
const pricePlaces = 10
const quantityPlaces = 8

/** The trades of a line, or the line if it is none. `facts` must have the securities of the line. */
export function tradesOf(line: MarginLine, facts: MarketFacts): MarginLine[] {
  const trade = asTrade(line, facts)
  const { closed, buySell } = trade
  if (trade.transType !== 'Trade' || closed === undefined) return [trade]
  const sells = buySell === 'SEL' || buySell === 'SSL'
  const closing = { ...trade, ...(sells ? sale : cover) }
  const opening = { ...trade, ...(sells ? shortSale : purchase) }
  const all = abs(trade.quantity)
  if (closed === ZERO) return [opening]
  if (closed >= all) return [closing]
  const netAmount = multiplyDivide(trade.netAmount, closed, all, moneyPlaces)
  return [
    { ...closing, quantity: closed, netAmount },
    { ...opening, quantity: all - closed, netAmount: trade.netAmount - netAmount },
  ]
}

const purchase = { acctType: 2, buySell: 'BUY' } as const
const sale = { acctType: 2, buySell: 'SEL' } as const
const shortSale = { acctType: 3, buySell: 'SSL' } as const
const cover = { acctType: 3, buySell: 'BCV' } as const

/**
 * The price of one unit of a trade in US dollars: the price of the line, or what the amount is for each unit. Undefined
 * if the line has neither a price nor a quantity.
 */
export function tradePrice(
  { price, currency, fxRate }: MarginLine,
  amount: Decimal,
  units: Decimal,
  facts: Pick<MarketFacts, 'rateOf'>,
): Decimal | undefined {
  if (price === undefined) return units === ZERO ? undefined : divide(amount, abs(units), pricePlaces)
  const isStated = currency !== 'USD' && fxRate !== ZERO
  return multiply(price, isStated ? fxRate : facts.rateOf(currency), pricePlaces)
}

/** An amount of a line in US dollars, at the rate of the line if it states one. */
export function amountInUsd(
  { currency, fxRate }: Pick<MarginLine, 'currency' | 'fxRate'>,
  amount: Decimal,
  facts: Pick<MarketFacts, 'inUsd'>,
): Decimal {
  const isStated = currency !== 'USD' && fxRate !== ZERO
  return isStated ? multiply(amount, fxRate, moneyPlaces) : facts.inUsd(amount, currency)
}

/** The line as a Trade. Other lines are returned as they are. */
function asTrade(line: MarginLine, facts: MarketFacts): MarginLine {
  switch (line.transType) {
    case 'Exercise':
    case 'Assignment':
      return line.toSecNo === undefined ? repayment(line) : delivery(line, facts)
    case 'Expiration':
    case 'FactorChange':
    case 'Maturity':
    case 'Merger':
    case 'NameChange':
    case 'Redemption':
    case 'ReturnOfCapital':
    case 'Spinoff':
    case 'Split':
    case 'StockDividend':
      return repayment(line)
    default:
      return line
  }
}

function delivery(line: MarginLine, facts: MarketFacts): MarginLine {
  if (line.secNo === undefined) return line
  const { option, multiplier } = facts.security(line.secNo)
  const isPurchase = (option?.putCall === 'Call') === (line.transType === 'Exercise')
  const [buys, sells] = line.acctType === 3 ? (['BCV', 'SSL'] as const) : (['BUY', 'SEL'] as const)
  return {
    ...line,
    transType: 'Trade',
    buySell: isPurchase ? buys : sells,
    secNo: line.toSecNo,
    quantity: multiply(line.quantity, multiplier, quantityPlaces),
    price: option?.strike,
  }
}

function repayment(line: MarginLine): MarginLine {
  const trade = { ...line, transType: 'Trade' } as const
  return line.netAmount > ZERO
    ? { ...trade, acctType: 2, buySell: 'SEL' }
    : { ...trade, acctType: 3, buySell: 'BCV' }
}
