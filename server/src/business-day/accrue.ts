/**
 * Accrues interest for the nights until the next business day, on the debit of margin accounts and on holdings of
 * money-market funds.
 */
import { type Decimal, max, sum, ZERO } from '@clearing/domain/decimal'
import { daysBetween, fundInterest } from '@clearing/domain/market'
import { accrueMargin } from '../books/margin/accrue-margin.ts'
import type { MarketFacts } from '../books/margin/market-facts.ts'
import type { PortionWork } from '../books/portion-work.ts'
import { readAccountsThatHeldFunds, readDayAccounts, readFundPositions } from '../store/day-accounts.ts'
import {
  type DayAccrual,
  type FundAccrual,
  insertDayAccruals,
  insertFundAccruals,
} from '../store/margin-ledger.ts'

export async function accrue(work: PortionWork): Promise<void> {
  const { tx, range, close, facts, folds } = work
  const margin = await accrueMargin(work)
  const [held, accounts] = await Promise.all([
    readFundPositions(tx, range),
    // Accounts are read last. An account that got a line before this read is then known to have later lines.
    readDayAccounts(tx, range, close.closeDate),
  ])
  const movedOn = accounts.filter((account) => account.movedOn)
  const everHeld = await readAccountsThatHeldFunds(
    tx,
    movedOn.map(({ accountNumber }) => accountNumber),
  )
  for (const account of movedOn) {
    if (!everHeld.has(account.accountNumber)) continue
    held.set(account.accountNumber, [...(await folds.fold(account)).positions])
  }
  await facts.learn(
    tx,
    [...held.values()].flat().map(({ secNo }) => secNo),
  )
  const nights = daysBetween(close.closeDate, close.nextDate)
  const accruals: DayAccrual[] = []
  const funds: FundAccrual[] = []
  for (const { accountNumber, firmId } of accounts) {
    for (const { secNo, interest } of fundsInterest(held.get(accountNumber) ?? [], nights, facts))
      funds.push({ accountNumber, firmId, secNo, interest })
    const { interest: marginInterest = ZERO, accrued: marginAccrued = ZERO } = margin.get(accountNumber) ?? {}
    if (marginAccrued === ZERO && marginInterest === ZERO) continue
    accruals.push({ accountNumber, firmId, marginInterest, marginAccrued })
  }
  insertDayAccruals(tx, accruals, close.closeDate)
  insertFundAccruals(tx, funds, close.closeDate)
}

/** Interest of the account's money-market funds until the next business day, at their last reported yield. */
function fundsInterest(
  positions: readonly { readonly secNo: string; readonly quantity: Decimal }[],
  nights: number,
  facts: MarketFacts,
): { readonly secNo: string; readonly interest: Decimal }[] {
  const held = Map.groupBy(
    positions.filter(({ secNo }) => facts.security(secNo).moneyMarket),
    ({ secNo }) => secNo,
  )
  return [...held]
    .map(([secNo, ofFund]) => {
      const quantity = sum(ofFund.map((one) => one.quantity))
      const value = max(ZERO, facts.valueOf(secNo, quantity))
      return { secNo, interest: fundInterest(value, facts.yieldOf(secNo), nights) }
    })
    .filter(({ interest }) => interest !== ZERO)
}
