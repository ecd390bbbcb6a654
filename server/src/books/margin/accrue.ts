/**
 * Accrues interest for the nights until the next business day, on the settled debit of margin accounts, which proceeds
 * of short sales do not reduce, and on holdings of money-market funds, and records the accrued interest of bonds. An
 * interest line of the day charges the interest that was accrued before.
 */
import { type Decimal, max, ZERO } from '@clearing/domain/decimal'
import {
  accruedInterest,
  addDays,
  currentFace,
  dailyDebitInterest,
  daysBetween,
  fundInterest,
  isBorrowed,
  settlementDate,
} from '@clearing/domain/market'
import { type MarginRate, marginRateOn } from '../../config/margin-rate.ts'
import type { DayClose } from '../../store/business-day.ts'
import {
  type DayAccount,
  type HeldPosition,
  readDayAccounts,
  readEarningPositions,
  readTradedOf,
  readUnsettledOfRange,
  type UnsettledLine,
} from '../../store/day-accounts.ts'
import {
  type DayAccrual,
  type FundAccrual,
  insertDayAccruals,
  insertFundAccruals,
  type MarginLine,
  readLedgersBefore,
  readMarginLines,
} from '../../store/margin-ledger.ts'
import type { MarketFacts } from './market-facts.ts'
import { foldAtClose, type HeldAtClose, type PortionWork, readMarginAccounts } from './portion.ts'

export async function accrue(work: PortionWork): Promise<void> {
  const { tx, range, close, facts } = work
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
  const named = [...earning.values(), ...margin.map(({ positions }) => positions.filter(isNegative))]
  await facts.learn(
    tx,
    named.flat().map(({ secNo }) => secNo),
  )
  const borrowed = await readBorrowed(work, margin, unsettled)
  const charged = await readMarginLines(tx, tailsOf(margin, ledgers))
  const byAccount = new Map(margin.map((held) => [held.account.accountNumber, held]))
  const nights = daysBetween(close.closeDate, close.nextDate)
  const accruals: DayAccrual[] = []
  const funds: FundAccrual[] = []
  for (const account of accounts) {
    const { accountNumber, firmId } = account
    const held = byAccount.get(accountNumber)
    const positions = earning.get(accountNumber) ?? []
    const bondInterest = bondInterestOf(positions, close.closeDate, facts)
    for (const { secNo, interest } of fundsInterest(positions, nights, facts))
      funds.push({ accountNumber, firmId, secNo, interest })
    let marginInterest = ZERO
    let marginAccrued = ZERO
    if (held !== undefined) {
      const pending = (unsettled.get(accountNumber) ?? []).filter(
        ({ sequence }) => sequence <= account.lineCount,
      )
      marginInterest = nightsInterest(held, pending, borrowed.get(accountNumber) ?? ZERO, work)
      const before = ledgers.get(accountNumber)?.interestAccrued ?? ZERO
      const left = before - chargesOf(charged.get(accountNumber) ?? [], facts)
      marginAccrued = max(ZERO, left) + marginInterest
    }
    if (bondInterest === ZERO && marginAccrued === ZERO && marginInterest === ZERO) continue
    accruals.push({ accountNumber, firmId, marginInterest, marginAccrued, bondInterest })
  }
  insertDayAccruals(tx, accruals, close.closeDate)
  insertFundAccruals(tx, funds, close.closeDate)
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

function isNegative({ quantity }: { readonly quantity: Decimal }): boolean {
  return quantity < ZERO
}

/**
 * The value of the securities that settled short sales borrowed, by account. An account without a short position, and
 * without an unsettled purchase that may have covered one, has none.
 */
async function readBorrowed(
  { tx, facts }: Pick<PortionWork, 'tx' | 'facts'>,
  margin: readonly HeldAtClose[],
  unsettled: ReadonlyMap<string, readonly UnsettledLine[]>,
): Promise<Map<string, Decimal>> {
  const pendingOf = ({ account: { accountNumber, lineCount } }: HeldAtClose) =>
    (unsettled.get(accountNumber) ?? []).filter(({ sequence }) => sequence <= lineCount)
  const short = margin.filter(
    (held) => held.positions.some(isNegative) || pendingOf(held).some(({ amount }) => amount < ZERO),
  )
  const lines = short.flatMap((held) =>
    pendingOf(held).map((line) => ({ ...line, accountNumber: held.account.accountNumber })),
  )
  const traded = await readTradedOf(tx, lines)
  await facts.learn(
    tx,
    [...traded.values()].flat().map(({ secNo }) => secNo),
  )
  return new Map(
    short.map(({ account: { accountNumber }, positions }) => {
      const settled = settledQuantities(positions, traded.get(accountNumber) ?? [])
      let value = ZERO
      for (const { secNo, quantity } of settled) {
        if (isBorrowed({ quantity, kind: facts.security(secNo).kind }))
          value -= facts.valueOf(secNo, quantity)
      }
      return [accountNumber, value]
    }),
  )
}

/**
 * Positions less what unsettled trades bought and sold. A position that is not short and was not traded is left out.
 */
function settledQuantities(
  positions: readonly HeldPosition[],
  traded: readonly HeldPosition[],
): readonly HeldPosition[] {
  const nameOf = ({ secNo, acctType }: HeldPosition) => `${acctType} ${secNo}`
  const settled = new Map(positions.filter(isNegative).map((position) => [nameOf(position), position]))
  for (const trade of traded) {
    const held = positions.find((position) => nameOf(position) === nameOf(trade))
    settled.set(nameOf(trade), { ...trade, quantity: (held?.quantity ?? ZERO) - trade.quantity })
  }
  return [...settled.values()]
}

/** `borrowed` secures the loan of securities sold short, and does not reduce what the customer owes. */
function nightsInterest(
  { cash }: HeldAtClose,
  pending: readonly { readonly currency: string; readonly amount: Decimal }[],
  borrowed: Decimal,
  { close, facts, marginRates }: Pick<PortionWork, 'close' | 'facts' | 'marginRates'>,
): Decimal {
  let settled = -borrowed
  for (const { currency, amount } of cash) settled += facts.inUsd(amount, currency)
  for (const { currency, amount } of pending) settled -= facts.inUsd(amount, currency)
  return interestOfNights(-settled, close, marginRates)
}

/** Interest for the nights from the closed day to the next, each at the rate of the day on which it begins. */
function interestOfNights(
  debit: Decimal,
  { closeDate, nextDate }: Pick<DayClose, 'closeDate' | 'nextDate'>,
  rates: readonly MarginRate[],
): Decimal {
  let interest = ZERO
  for (let night = closeDate; night < nextDate; night = addDays(night, 1)) {
    interest += dailyDebitInterest(debit, marginRateOn(rates, night))
  }
  return interest
}

/** Interest that the account was charged. */
export function chargesOf(lines: readonly MarginLine[], facts: Pick<MarketFacts, 'inUsd'>): Decimal {
  let charged = ZERO
  for (const { transType, secNo, netAmount, currency, correction } of lines) {
    if (transType !== 'Interest' || secNo !== undefined) continue
    // A cancel reverses the charge of its original: it has the amount with the opposite sign.
    const isCancel = correction === 'C'
    if ((isCancel ? -netAmount : netAmount) < ZERO) charged += facts.inUsd(-netAmount, currency)
  }
  return charged
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
