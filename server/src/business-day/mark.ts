/** Marks margin accounts to the market: their value and requirement at the close, and the resulting SMA and calls. */
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import {
  type ConcentrationTier,
  closeMarginDay,
  EMPTY_LEDGER,
  FINRA_RATES,
  type MarginFigures,
  type MarginLedger,
  marginFigures,
  recentFrom,
} from '@clearing/domain/market'
import { marginEventsOf, postEvents, securitiesOf } from '../books/margin/margin-events.ts'
import type { MarketFacts } from '../books/margin/market-facts.ts'
import { type HeldAtClose, type PortionWork, readMarginAccounts, tailsOf } from '../books/margin/portion.ts'
import { readOptionMoves } from '../books/margin/written-options.ts'
import { type HeldPosition, readRecentOfRange } from '../store/day-accounts.ts'
import {
  insertMarginLedgers,
  type NewMarginLedger,
  readLedgersBefore,
  readMarginAccrued,
} from '../store/margin-ledger.ts'
import { readMarginLines } from '../store/margin-lines.ts'

export async function mark(work: PortionWork): Promise<void> {
  const { tx, range, close, facts } = work
  const [held, ledgers, accrued] = await Promise.all([
    readMarginAccounts(work),
    readLedgersBefore(tx, range, close.closeDate),
    readMarginAccrued(tx, range, close.closeDate),
  ])
  const wanted = tailsOf(held, ledgers)
  const lines = await readMarginLines(tx, wanted)
  const named = new Set<string>()
  for (const { positions } of held) for (const { secNo } of positions) named.add(secNo)
  for (const ofAccount of lines.values()) {
    for (const secNo of securitiesOf(ofAccount)) named.add(secNo)
  }
  await facts.learn(tx, named)
  const positionsOf = new Map(held.map(({ account, positions }) => [account.accountNumber, positions]))
  const tails = wanted.map((tail) => ({
    wanted: tail,
    lines: lines.get(tail.accountNumber) ?? [],
    held: positionsOf.get(tail.accountNumber) ?? [],
  }))
  const moves = await readOptionMoves(tx, tails, facts)
  const funds = [...named].filter((secNo) => isFundWithoutLoan(facts, secNo))
  const recent = await readRecentOfRange(tx, range, funds, recentFrom(close.closeDate))
  insertMarginLedgers(
    tx,
    held.map((account): NewMarginLedger => {
      const { accountNumber, firmId, lineCount } = account.account
      const figures = figuresOf(account, facts, recent, work.concentration)
      const kept = ledgers.get(accountNumber)
      const before: MarginLedger = kept?.ledger ?? EMPTY_LEDGER
      const events = marginEventsOf(
        {
          lines: lines.get(accountNumber) ?? [],
          held: account.positions,
          moves: moves.get(accountNumber) ?? [],
        },
        facts,
      )
      const posted = postEvents(before, events, close.closeDate, figures, kept?.equity ?? ZERO)
      return {
        accountNumber,
        firmId,
        closeDate: close.closeDate,
        ledger: closeMarginDay(posted, close.closeDate, figures),
        equity: figures.equity,
        maintenanceExcess: figures.maintenanceExcess,
        interestAccrued: accrued.get(accountNumber) ?? ZERO,
        lineCount,
      }
    }),
  )
}

/** A mutual fund that has no loan value in the first 30 days. */
function isFundWithoutLoan(facts: MarketFacts, secNo: string): boolean {
  return facts.security(secNo).kind === 'Fund' && facts.hasLoanValue(secNo)
}

/**
 * The figures of an account whose securities are known to `facts`; `recent` has its purchases of funds in the last 30
 * days.
 */
function figuresOf(
  { account, positions, cash }: HeldAtClose,
  facts: MarketFacts,
  recent: ReadonlyMap<string, Decimal>,
  concentration: readonly ConcentrationTier[],
): MarginFigures {
  const recentOf = ({ secNo, acctType, recentQuantity }: HeldPosition) =>
    isFundWithoutLoan(facts, secNo)
      ? (recentQuantity ?? recent.get(`${account.accountNumber} ${secNo} ${acctType}`))
      : undefined
  let marginCash = ZERO
  for (const { currency, amount } of cash) marginCash += facts.inUsd(amount, currency)
  return marginFigures({
    marginCash,
    positions: positions.map((held) => facts.marginPosition(held.secNo, held.quantity, recentOf(held))),
    rates: {
      longPercent: account.houseLongPercent ?? FINRA_RATES.longPercent,
      shortPercent: account.houseShortPercent ?? FINRA_RATES.shortPercent,
      concentration,
    },
  })
}
