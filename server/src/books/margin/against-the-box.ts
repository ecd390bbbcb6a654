/**
 * What trades close in a security that is held long and sold short, in account types 2 and 3. A short sale against the
 * box counts as a sale of the long position (12 CFR 220.4(b)(2)), so both positions count together.
 */
import { abs, type Decimal, max, min, sum, ZERO } from '@clearing/domain/decimal'
import { isOption } from '@clearing/domain/market'
import type { HeldPosition } from '../../store/day-accounts.ts'
import type { MarginLine } from '../../store/margin-lines.ts'
import type { UnitsMoved } from '../../store/units-moved.ts'
import type { MarketFacts } from './market-facts.ts'

/** Lines that name a security and do not move it. */
const cashOnly: ReadonlySet<string> = new Set(['Dividend', 'Interest', 'CapitalGain', 'Fee', 'Tax'])

/**
 * The securities that are held long and sold short, before, between or after the lines. `facts` must have the
 * securities that the lines name.
 */
export function boxedSecurities(
  lines: readonly MarginLine[],
  held: readonly HeldPosition[],
  facts: Pick<MarketFacts, 'security'>,
): string[] {
  const traded = new Set(lines.map(({ secNo }) => secNo))
  const short = [...lines, ...held].filter(({ acctType }) => acctType === 3)
  const named = [...new Set(short.flatMap(({ secNo }) => secNo ?? []))]
  return named.filter((secNo) => {
    if (!traded.has(secNo) || isOption(facts.security(secNo).kind)) return false
    const moves = lines.filter((line) => moved(line) === secNo && !cashOnly.has(line.transType))
    const positions = held.filter((position) => position.secNo === secNo)
    return new Set([...moves, ...positions].map(({ acctType }) => acctType)).size > 1
  })
}

/**
 * The quantity that each trade of such a security closes, by line. `held` are the positions after the lines, and
 * `moves` the units that the lines moved. Units that cancels, journals, transfers and corporate actions move on a day
 * count before its trades, because the transactions of a day are combined (12 CFR 220.4(c)(1)).
 */
export function closedAgainstTheBox(
  { lines, held }: { readonly lines: readonly MarginLine[]; readonly held: readonly HeldPosition[] },
  moves: readonly UnitsMoved[],
  facts: Pick<MarketFacts, 'security'>,
): ReadonlyMap<MarginLine, Decimal> {
  const closed = new Map<MarginLine, Decimal>()
  for (const secNo of boxedSecurities(lines, held, facts)) {
    const trades = lines.filter((line) => line.secNo === secNo && isTrade(line))
    const units = moves.filter((move) => move.secNo === secNo)
    let net =
      sum(held.filter((position) => position.secNo === secNo).map(({ quantity }) => quantity)) -
      sum(units.map((move) => move.units))
    const days = new Set([...units, ...trades].map(({ tradeDate }) => tradeDate))
    for (const day of [...days].sort()) {
      const ofDay = trades.filter(({ tradeDate }) => tradeDate === day)
      net += sum(units.filter(({ tradeDate }) => tradeDate === day).map((move) => move.units))
      net -= sum(ofDay.map(({ quantity }) => quantity))
      for (const line of ofDay) {
        const against = line.quantity < ZERO ? net : -net
        closed.set(line, min(abs(line.quantity), max(ZERO, against)))
        net += line.quantity
      }
    }
  }
  return closed
}

function moved({ secNo, toSecNo }: MarginLine): string | undefined {
  return toSecNo ?? secNo
}

function isTrade({ transType, correction }: MarginLine): boolean {
  return transType === 'Trade' && correction !== 'C'
}
