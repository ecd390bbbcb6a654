/**
 * For tests and benchmarks: a stock in US dollars, a lot, a price and an account. Callers change the facts that matter.
 */

import { decimal, ONE, ZERO } from '../../decimal.ts'
import type { ValueTerms } from './line-value.ts'
import type { OpenLot, SecurityPrice, ValuationInput, ValuedSecurity } from './open-lots.ts'
import { type ValuedLine, valuePositions } from './positions.ts'

export const SAMPLE_TODAY = '2026-11-20'
export const PLAIN_TERMS: ValueTerms = { multiplier: ONE, priceDivisor: ONE, currentFactor: ONE }

export const SAMPLE_NOW = '2026-11-20T21:00:00Z'

export function aSecurity(changes: Partial<ValuedSecurity>): ValuedSecurity {
  const symbol = changes.symbol ?? `S${changes.secNo ?? ''}`
  return {
    secNo: '1',
    kind: 'Equity',
    symbolId: symbol,
    symbol,
    cusip: '',
    isin: '',
    sedol: '',
    description: `${symbol} CORP`,
    secTypeCode: 'S',
    secTypeName: 'Common Stock',
    typeClassCode: '',
    newSecCode: '',
    industryGroupCode: 0,
    industryGroupName: 'Technology',
    currency: 'USD',
    isOffShore: false,
    offshoreShareClass: '',
    moneyMarket: false,
    marginable: true,
    multiplier: ONE,
    priceDivisor: ONE,
    currentFactor: ONE,
    ...changes,
  }
}

export function aLot(
  secNo: string,
  quantity: string,
  cost: string | null,
  changes: Partial<OpenLot> = {},
): OpenLot {
  return {
    lotId: `${secNo}-${quantity}-${cost}`,
    secNo,
    acctTypeCode: 1,
    quantity: decimal(quantity),
    openDate: '2026-01-05',
    holdingStart: '2026-01-05',
    cost: cost === null ? null : decimal(cost),
    fxRate: ONE,
    washDisallowed: ZERO,
    heldAway: false,
    ...changes,
  }
}

export function aPrice(text: string, changes: Partial<SecurityPrice> = {}): SecurityPrice {
  return { price: decimal(text), priceType: 'LastClose', priceDate: '2026-11-19T21:00:00Z', ...changes }
}

/** The lines of an account on the sample's day. */
export function valueSample(
  lots: readonly OpenLot[],
  securities: readonly ValuedSecurity[],
  prices: Readonly<Record<string, SecurityPrice>>,
  changes: Partial<ValuationInput> = {},
): ValuedLine[] {
  return valuePositions({
    acctNo: '30100001',
    accountName: 'JANE DOE',
    now: SAMPLE_NOW,
    today: SAMPLE_TODAY,
    lots,
    securities: new Map(securities.map((security) => [security.secNo, security])),
    prices: new Map(Object.entries(prices)),
    fxRates: new Map(),
    ...changes,
  })
}
