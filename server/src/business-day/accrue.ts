/**
 * Accrues interest for the nights until the next business day, on the debit of margin accounts and on holdings of
 * money-market funds, and records the accrued interest of bonds.
 */
import { type Decimal, max, sum, ZERO } from '@clearing/domain/decimal'
import {
  accruedInterest,
  currentFace,
  daysBetween,
  fundInterest,
  settlementDate,
} from '@clearing/domain/market'
import { accrueMargin } from '../books/margin/accrue-margin.ts'
import type { MarketFacts } from '../books/margin/market-facts.ts'
import type { PortionWork } from '../books/portion-work.ts'
import { readAccountsThatEarned, readDayAccounts, readEarningPositions } from '../store/day-accounts.ts'
import {
  type DayAccrual,
  type FundAccrual,
  insertDayAccruals,
  insertFundAccruals,
} from '../store/margin-ledger.ts'

export async function accrue(work: PortionWork): Promise<void> {
  const { tx, range, close, facts, folds } = work
  const margin = await accrueMargin(work)
  const [earning, accounts] = await Promise.all([
    readEarningPositions(tx, range),
    // Accounts are read last. An account that got a line before this read is then known to have later lines.
    readDayAccounts(tx, range, close.closeDate),
  ])
  const movedOn = accounts.filter((account) => account.movedOn)
  const everEarning = await readAccountsThatEarned(
    tx,
    movedOn.map(({ accountNumber }) => accountNumber),
  )
  for (const account of movedOn) {
    if (!everEarning.has(account.accountNumber)) continue
    earning.set(account.accountNumber, [...(await folds.fold(account)).positions])
  }
  await facts.learn(
    tx,
    [...earning.values()].flat().map(({ secNo }) => secNo),
  )
  const nights = daysBetween(close.closeDate, close.nextDate)
  const accruals: DayAccrual[] = []
  const funds: FundAccrual[] = []
  for (const { accountNumber, firmId } of accounts) {
    const positions = earning.get(accountNumber) ?? []
    const bondInterest = bondInterestOf(positions, close.closeDate, facts)
    for (const { secNo, interest } of fundsInterest(positions, nights, facts))
      funds.push({ accountNumber, firmId, secNo, interest })
    const { interest: marginInterest = ZERO, accrued: marginAccrued = ZERO } = margin.get(accountNumber) ?? {}
    if (bondInterest === ZERO && marginAccrued === ZERO && marginInterest === ZERO) continue
    accruals.push({ accountNumber, firmId, marginInterest, marginAccrued, bondInterest })
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

function bondInterestOf(
  positions: readonly { readonly secNo: string; readonly quantity: Decimal }[],
  closeDate: string,
  facts: MarketFacts,
): Decimal {
  let interest = ZERO
  for (const { secNo, quantity } of positions) {
    const security = facts.security(secNo)
    if (security.bond === undefined) continue
    const face = currentFace(quantity, security)
    const until = settlementDate(closeDate, security.kind)
    interest += facts.inUsd(accruedInterest(face, security.bond, until), security.currency)
  }
  return interest
}
