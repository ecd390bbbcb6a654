/**
 * The payment of purchases in cash accounts at the end of a day, from the lines of recent weeks and the state at the
 * previous close.
 */
import { DECIMAL_PLACES, type Decimal, max, multiply, sum, ZERO } from '@clearing/domain/decimal'
import {
  addDays,
  type CalendarDate,
  type CashHistory,
  type CashLine,
  type CashPayments,
  type CashViolation,
  daysBetween,
  foldPayments,
  isExempted,
} from '@clearing/domain/market'
import {
  type CashAccountLine,
  type CashClosing,
  nameOfSale,
  readCashClosings,
  readCashLines,
} from '../../store/books/cash-lines.ts'
import { readExtensions } from '../../store/call-extensions.ts'
import type { CashLedger } from '../../store/cash-ledger.ts'
import type { DayAccount, HeldCash, HeldPosition } from '../../store/day-accounts.ts'
import type { MarketFacts } from '../margin/market-facts.ts'
import type { PortionWork } from '../portion-work.ts'

/**
 * The number of days for which purchases are followed line by line, before the close and before a late line. No
 * payment period without an extension is as long.
 */
const followedDays = 45
/** The age in days after which the cash of a line is settled in every settlement cycle. */
const settledAfterDays = 14
/** The age in days up to which a late line is examined, because violations count for as long. */
const lateDaysMax = 366

/** An account to examine. */
export interface CashAccount {
  readonly account: DayAccount
  /** Its state at the previous close. */
  readonly before: CashLedger | undefined
  /** The earliest trade date among its new lines. */
  readonly earliest: CalendarDate | undefined
  /** Its cash at the end of the day. */
  readonly cash: readonly HeldCash[]
  /** Its positions then, at least those in money-market funds. */
  readonly positions: readonly HeldPosition[]
  readonly decided: CashHistory['decided']
}

export async function readPayments(
  { tx, facts, close }: Pick<PortionWork, 'tx' | 'facts' | 'close'>,
  accounts: readonly CashAccount[],
): Promise<Map<string, CashPayments>> {
  const { closeDate } = close
  const wanted = accounts.map((one) => ({
    accountNumber: one.account.accountNumber,
    from: addDays(followedFrom(one, closeDate), -settledAfterDays),
    upTo: one.account.lineCount,
  }))
  const lines = await readCashLines(tx, wanted, closeDate)
  const sales = [...lines].flatMap(([accountNumber, ofAccount]) =>
    ofAccount.filter(({ isSale }) => isSale).map(({ lineId }) => ({ accountNumber, lineId })),
  )
  const closings = await readCashClosings(tx, sales)
  const extensions = await readExtensions(
    tx,
    wanted.map(({ accountNumber }) => accountNumber),
    closeDate,
  )
  const named: readonly Pick<CashAccountLine, 'secNo'>[] = [
    ...[...lines.values()].flat(),
    ...accounts.flatMap(({ positions }) => positions),
  ]
  await facts.learn(
    tx,
    named.flatMap(({ secNo }) => (secNo === undefined ? [] : [secNo])),
  )
  return new Map(
    accounts.map((one) => {
      const { accountNumber } = one.account
      const ofAccount = lines.get(accountNumber) ?? []
      const history: CashHistory = {
        opening: inUsd(one.cash, facts) - inUsd(ofAccount, facts),
        openingFunds: fundsBefore(one, ofAccount, facts),
        lines: ofAccount.flatMap((line) =>
          cashLineOf(line, closings.get(nameOfSale(accountNumber, line.lineId)) ?? [], facts),
        ),
        until: closeDate,
        violations: earlierViolations(one, followedFrom(one, closeDate)),
        followedFrom: followedFrom(one, closeDate),
        extensions: new Map(
          extensions
            .filter((of) => of.kind === 'Cash' && of.accountNumber === accountNumber)
            .map(({ issuedOn, until }) => [issuedOn, until]),
        ),
        decided: one.decided,
      }
      return [accountNumber, foldPayments(history)]
    }),
  )
}

/**
 * Purchases from this date on are followed line by line. A new line can change how the purchases of the days before it
 * were paid, and whether purchases that were sold after it are violations.
 */
function followedFrom({ before, earliest }: CashAccount, closeDate: CalendarDate): CalendarDate {
  const late = earliest ?? closeDate
  const lateMost = addDays(closeDate, -lateDaysMax)
  let from = addDays(late < lateMost ? lateMost : late, -followedDays)
  for (const { date } of before?.unpaid ?? []) if (date < from) from = date
  const bySale = [...(before?.violations ?? [])].sort((a, b) => daysBetween(a.soldOn, b.soldOn))
  for (const { soldOn, purchasedOn } of bySale) if (soldOn >= from && purchasedOn < from) from = purchasedOn
  return from
}

/** Each once: ledgers of earlier releases can repeat one. */
function earlierViolations(account: CashAccount, from: CalendarDate): CashViolation[] {
  const earlier = (account.before?.violations ?? []).filter(({ purchasedOn }) => purchasedOn < from)
  return [...new Map(earlier.map((one) => [`${one.purchaseId} ${one.saleId}`, one])).values()]
}

/**
 * Without rounding to cents. Otherwise the sum of the lines would differ from the balance, and a purchase could lack a
 * cent that is not owed.
 */
function exactUsd(facts: MarketFacts, amount: Decimal, currency: string): Decimal {
  return multiply(amount, facts.rateOf(currency), DECIMAL_PLACES)
}

function inUsd(
  amounts: readonly { readonly amount: Decimal; readonly currency: string }[],
  facts: MarketFacts,
): Decimal {
  return sum(amounts.map(({ amount, currency }) => exactUsd(facts, amount, currency)))
}

/** A share of a money-market fund is one unit of its currency. Lines that bought shares lowered cash. */
function fundsBefore(
  { positions }: CashAccount,
  lines: readonly CashAccountLine[],
  facts: MarketFacts,
): Decimal {
  const held = positions
    .filter(({ secNo }) => facts.security(secNo).moneyMarket)
    .map(({ secNo, quantity: amount }) => ({ amount, currency: facts.security(secNo).currency }))
  const traded = lines.filter((line) => isOfFund(line, facts))
  return max(ZERO, inUsd(held, facts) + inUsd(traded, facts))
}

function isOfFund({ secNo, isTrade, isReinvestment }: CashAccountLine, facts: MarketFacts): boolean {
  return secNo !== undefined && (isTrade || isReinvestment) && facts.security(secNo).moneyMarket
}

function cashLineOf(line: CashAccountLine, closed: readonly CashClosing[], facts: MarketFacts): CashLine[] {
  const { lineId, sequence, isTrade, isSale, secNo, date, settles, currency } = line
  const amount = exactUsd(facts, line.amount, currency)
  if (amount === ZERO && !isSale) return []
  const interest = isTrade ? exactUsd(facts, line.interest, currency) : ZERO
  const common = { lineId, sequence, date, settles }
  const ofFund = isOfFund(line, facts)
  if (secNo === undefined || !(isTrade || ofFund)) return [{ ...common, kind: 'Move', amount }]
  if (!isSale && amount < ZERO) {
    const exempted = !isTrade || isExempted(facts.security(secNo))
    return [{ ...common, kind: 'Purchase', secNo, amount: -amount, interest, exempted, ofFund }]
  }
  const closes = closed.map(({ purchaseId, cost, proceeds }) => {
    return {
      purchaseId,
      cost: exactUsd(facts, cost, currency),
      proceeds: exactUsd(facts, proceeds, currency),
    }
  })
  return [{ ...common, kind: 'Sale', amount, interest, closes, ofFund }]
}
