/** Invariants of every position summary: each total is the sum of its items. Books 5. */
import { type Decimal, renderDecimal, sum, ZERO } from '@clearing/domain/decimal'
import type { PositionSummary, SummaryGroup } from '@clearing/domain/market'

/** The differences, as sentences. */
export function verifySummary(summary: PositionSummary): string[] {
  const wrong: string[] = []
  const equal = (name: string, is: Decimal, due: Decimal) => {
    if (is !== due) wrong.push(`${name} is ${renderDecimal(is)}, its parts come to ${renderDecimal(due)}`)
  }
  const { totalLongMarket, totalShortMarket, netMarket, totalCash, totalMoneyMarket } = summary
  equal('netMarket', netMarket, totalLongMarket + totalShortMarket)
  equal('netCustodied', summary.netCustodied, netMarket + totalCash + totalMoneyMarket)
  equal('totalAccountValue', summary.totalAccountValue, summary.netCustodied + summary.assetsHeldAway)
  equal(
    'the values of portfolios',
    sum(summary.portfolios.map(({ marketUsdeValue }) => marketUsdeValue)),
    netMarket + totalMoneyMarket + summary.assetsHeldAway,
  )
  // Positions with another custodian are only in assetsHeldAway.
  const kept = summary.portfolios.filter(
    ({ quantity, unrealizedGainLoss }) => unrealizedGainLoss.safekeepFirmQuantity === quantity,
  )
  equal('gainLoss', summary.gainLoss, sum(kept.map(({ gainLoss }) => gainLoss)))
  if (totalShortMarket > ZERO) wrong.push('totalShortMarket is above zero')
  for (const name of [
    'industrySummary',
    'assetSummary',
    'accountTypeSummary',
    'currencyTypeSummary',
  ] as const) {
    const groups: readonly SummaryGroup[] = summary[name]
    const total = (member: 'longMarketValue' | 'shortMarketValue' | 'totalMarketValue') =>
      sum(groups.map((group) => group[member]))
    equal(`${name}.longMarketValue`, total('longMarketValue'), totalLongMarket)
    equal(`${name}.shortMarketValue`, total('shortMarketValue'), totalShortMarket)
    equal(`${name}.totalMarketValue`, total('totalMarketValue'), netMarket)
  }
  return wrong
}
