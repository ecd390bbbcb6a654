/**
 * Accrues interest for the nights until the next business day, on the settled debit of margin accounts and on holdings
 * of money-market funds, and records the accrued interest of bonds. An interest line of the day charges the interest
 * that was accrued before. Lines that changed the debit of earlier nights change their interest.
 */
import { type Decimal, max, sum, ZERO } from '@clearing/domain/decimal'
import {
  accruedInterest,
  currentFace,
  fundInterest,
  interestLeft,
  interestOfNights,
  settlementDate,
} from '@clearing/domain/market'
import type { DayClose } from '../../store/business-day.ts'
import {
  type DayAccount,
  readDayAccounts,
  readEarningPositions,
  readUnsettledOfRange,
} from '../../store/day-accounts.ts'
import { insertTakenInterest, type TakenInterest } from '../../store/interest-lines.ts'
import {
  insertMarginInterest,
  type MarginInterest,
  type NewMarginInterest,
} from '../../store/margin-interest.ts'
import {
  type DayAccrual,
  type FundAccrual,
  insertDayAccruals,
  insertFundAccruals,
  readLedgersBefore,
  readMarginLines,
} from '../../store/margin-ledger.ts'
import { readInterestLines } from './interest-lines.ts'
import { readLateNights } from './late-nights.ts'
import { readDebits } from './margin-debit.ts'
import type { MarketFacts } from './market-facts.ts'
import { nightRates } from './night-rates.ts'
import { foldAtClose, type PortionWork, readMarginAccounts } from './portion.ts'

export async function accrue(work: PortionWork): Promise<void> {
  const { tx, range, close, facts, marginRates } = work
  const [margin, earning, unsettled, ledgers, accounts] = await Promise.all([
    readMarginAccounts(work),
    readEarningPositions(tx, range),
    readUnsettledOfRange(tx, range),
    readLedgersBefore(tx, range, close.closeDate),
    readDayAccounts(tx, range, close.closeDate),
  ])
  for (const account of accounts) {
    if (!account.movedOn || !earning.has(account.accountNumber)) continue
    earning.set(account.accountNumber, [...(await foldAtClose(work, account)).positions])
  }
  const debits = await readDebits(work, margin, unsettled)
  const wanted = tailsOf(margin, ledgers)
  const lines = await readMarginLines(tx, wanted)
  const tails = wanted.map((tail) => ({ wanted: tail, lines: lines.get(tail.accountNumber) ?? [] }))
  const lateNights = await readLateNights(work, tails, ledgers)
  const interestLines = await readInterestLines(tx, [...lines.values()].flat(), facts)
  const rates = nightRates(close, marginRates)
  await facts.learn(
    tx,
    [...earning.values()].flat().map(({ secNo }) => secNo),
  )
  const accruals: DayAccrual[] = []
  const interests: NewMarginInterest[] = []
  const takenInterest: TakenInterest[] = []
  const funds: FundAccrual[] = []
  for (const { accountNumber, firmId } of accounts) {
    const positions = earning.get(accountNumber) ?? []
    const bondInterest = bondInterestOf(positions, close.closeDate, facts)
    for (const { secNo, interest } of fundsInterest(positions, rates.length, facts))
      funds.push({ accountNumber, firmId, secNo, interest })
    const debit = debits.get(accountNumber)
    const added: MarginInterest[] = [...(lateNights.get(accountNumber) ?? [])]
    const marginInterest = interestOfNights(debit ?? ZERO, rates)
    if (debit !== undefined && marginInterest !== ZERO)
      added.push({ ...ofThisClose(close), debit, rates, interest: marginInterest })
    for (const one of added) interests.push({ ...one, accountNumber, firmId })
    let marginAccrued = ZERO
    if (debit !== undefined) {
      const before = ledgers.get(accountNumber)?.interestAccrued ?? ZERO
      const late = sum((lateNights.get(accountNumber) ?? []).map(({ interest }) => interest))
      const { left, taken } = interestLeft(before, late, interestLines.get(accountNumber) ?? [])
      marginAccrued = left + marginInterest
      for (const [externalId, amount] of taken)
        takenInterest.push({ accountNumber, externalId, firmId, taken: amount })
    }
    if (bondInterest === ZERO && marginAccrued === ZERO && marginInterest === ZERO) continue
    accruals.push({ accountNumber, firmId, marginInterest, marginAccrued, bondInterest })
  }
  insertDayAccruals(tx, accruals, close.closeDate)
  insertMarginInterest(tx, interests)
  insertTakenInterest(tx, takenInterest, close.closeDate)
  insertFundAccruals(tx, funds, close.closeDate)
}

function ofThisClose({ closeDate }: DayClose): Pick<MarginInterest, 'closeDate' | 'ofDate' | 'debitBefore'> {
  return { closeDate, ofDate: closeDate, debitBefore: undefined }
}

/** The lines of accounts since their last ledger. */
export function tailsOf(
  held: readonly { readonly account: DayAccount }[],
  ledgers: ReadonlyMap<string, { readonly lineCount: number }>,
): { accountNumber: string; after: number; upTo: number }[] {
  return held
    .map(({ account: { accountNumber, lineCount } }) => ({
      accountNumber,
      after: ledgers.get(accountNumber)?.lineCount ?? 0,
      upTo: lineCount,
    }))
    .filter(({ after, upTo }) => upTo > after)
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
      const quantity = ofFund.reduce((sum, one) => sum + one.quantity, ZERO)
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
  let sum = ZERO
  for (const { secNo, quantity } of positions) {
    const security = facts.security(secNo)
    if (security.bond === undefined) continue
    const face = currentFace(quantity, security)
    const until = settlementDate(closeDate, security.kind)
    sum += facts.inUsd(accruedInterest(face, security.bond, until), security.currency)
  }
  return sum
}
