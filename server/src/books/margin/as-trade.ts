/**
 * The trade that a line is for margin, if its amount depends on the position. An exercise or assignment buys or sells
 * the underlying at the exercise price, which is its current market value on that day (12 CFR 220.2). Cash for a
 * position, such as that of a redemption, a merger or a return of capital, sells a long position or covers a short one
 * (12 CFR 220.5(b)(3)).
 */
import { ZERO } from '@clearing/domain/decimal'
import { unitQuantityOf } from '@clearing/domain/market'
import type { MarginLine } from '../../store/margin-ledger.ts'
import type { MarketFacts } from './market-facts.ts'

/** The line as a Trade. Other lines are returned as they are. `facts` must have the securities of the line. */
export function asTrade(line: MarginLine, facts: MarketFacts): MarginLine {
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
  const { option, ...terms } = facts.security(line.secNo)
  const isPurchase = (option?.putCall === 'Call') === (line.transType === 'Exercise')
  const [buys, sells] = line.acctType === 3 ? (['BCV', 'SSL'] as const) : (['BUY', 'SEL'] as const)
  return {
    ...line,
    transType: 'Trade',
    buySell: isPurchase ? buys : sells,
    secNo: line.toSecNo,
    quantity: unitQuantityOf(line.quantity, terms),
    price: option?.strike,
  }
}

function repayment(line: MarginLine): MarginLine {
  const trade = { ...line, transType: 'Trade' } as const
  return line.netAmount > ZERO
    ? { ...trade, acctType: 2, buySell: 'SEL' }
    : { ...trade, acctType: 3, buySell: 'BCV' }
}
