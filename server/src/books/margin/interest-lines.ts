/** What Interest lines without a security charged a margin account, and what they paid it. */
import { ZERO } from '@clearing/domain/decimal'
import type { InterestLines } from '@clearing/domain/market'
import type { MarginLine } from '../../store/margin-ledger.ts'
import type { MarketFacts } from './market-facts.ts'

export function interestLinesOf(
  lines: readonly MarginLine[],
  facts: Pick<MarketFacts, 'inUsd'>,
): InterestLines {
  let charged = ZERO
  let paid = ZERO
  for (const { transType, secNo, netAmount, currency, correction } of lines) {
    if (transType !== 'Interest' || secNo !== undefined) continue
    // A cancel reverses its original: it has the amount with the opposite sign.
    const isCancel = correction === 'C'
    const amount = facts.inUsd(netAmount, currency)
    if ((isCancel ? -netAmount : netAmount) < ZERO) charged -= amount
    else paid += amount
  }
  return { charged, paid }
}
