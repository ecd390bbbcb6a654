/**
 * What trades close in a security that is held long and sold short, in account types 2 and 3. A short sale against the
 * box counts as a sale of the long position (12 CFR 220.4(b)(2)), so both positions count together.
 */
import { abs, type Decimal, max, min, sum, ZERO } from '@clearing/domain/decimal'
import { isOption } from '@clearing/domain/market'
import type { HeldPosition } from '../../store/day-accounts.ts'
import type { MarginLine } from '../../store/margin-lines.ts'
import type { MarketFacts } from './market-facts.ts'

/** Lines that name a security and do not move it. */
const cashOnly: ReadonlySet<string> = new Set(['Dividend', 'Interest', 'CapitalGain', 'Fee', 'Tax'])

/**
 * The quantity that each trade of such a security closes, by line. `held` are the positions after the lines. A security
 * with other movements, or with cancels of earlier lines, is left out.
 */
export function closedAgainstTheBox(
  lines: readonly MarginLine[],
  held: readonly HeldPosition[],
  facts: Pick<MarketFacts, 'security'>,
): ReadonlyMap<MarginLine, Decimal> {
  const closed = new Map<MarginLine, Decimal>()
  const traded = new Set(lines.map(({ secNo }) => secNo))
  const short = [...lines, ...held].filter(({ acctType }) => acctType === 3)
  for (const secNo of new Set(short.map((one) => one.secNo))) {
    if (secNo === undefined || !traded.has(secNo) || isOption(facts.security(secNo).kind)) continue
    const moves = lines.filter((line) => moved(line) === secNo && !cashOnly.has(line.transType))
    const positions = held.filter((position) => position.secNo === secNo)
    const types = new Set([...moves, ...positions].map(({ acctType }) => acctType))
    if (types.size < 2 || !moves.every(isTrade)) continue
    let net = quantityOf(positions) - quantityOf(moves)
    for (const line of moves) {
      const against = line.quantity < ZERO ? net : -net
      closed.set(line, min(abs(line.quantity), max(ZERO, against)))
      net += line.quantity
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

function quantityOf(all: readonly { readonly quantity: Decimal }[]): Decimal {
  return sum(all.map(({ quantity }) => quantity))
}
