/** Lines that change the units of a security: its price before their day is of other units. */
import type { MarginLine } from '../../store/margin-lines.ts'
import type { MarketFacts, SecurityOnDay } from './market-facts.ts'

const unitChanges = new Set<MarginLine['transType']>(['Split', 'StockDividend', 'Spinoff', 'Merger'])

const otherMoves = new Set<MarginLine['transType']>(['NameChange', 'FactorChange'])

/**
 * A line that changes how many units an account holds, or what a pool owes, without a trade. A close before which it
 * was missing valued the units before the line at the price or the factor after it.
 */
export function movesUnits({ transType, correction }: MarginLine): boolean {
  return correction !== 'C' && (unitChanges.has(transType) || otherMoves.has(transType))
}

const endings = new Set<MarginLine['transType']>(['Exercise', 'Assignment', 'Expiration'])

/**
 * The end of an option. A close before which it was missing valued the contract at what it was in the money, and knew
 * neither the shares that it delivered nor their trade.
 */
export function endsOption({ transType, correction }: MarginLine): boolean {
  return correction !== 'C' && endings.has(transType)
}

/**
 * Securities on a day, of which `lines` are the lines. What changes a stock changes its options. `facts` must have the
 * securities.
 */
export function securitiesOnDay(
  secNos: readonly string[],
  { day, lines }: { readonly day: string; readonly lines: readonly MarginLine[] },
  facts: MarketFacts,
): SecurityOnDay[] {
  const familyOf = (secNo: string) => facts.underlyingOf(secNo) ?? secNo
  const named = lines
    .filter(({ transType }) => unitChanges.has(transType))
    .flatMap(({ secNo }) => secNo ?? [])
  const changed = new Set(named.map(familyOf))
  return [...new Set(secNos)].map((secNo) => ({ secNo, day, changed: changed.has(familyOf(secNo)) }))
}
