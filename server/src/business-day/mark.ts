/** Marks margin accounts to the market: their value and requirement at the close, and the resulting SMA and calls. */
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import {
  type ConcentrationTier,
  closeMarginDay,
  FINRA_RATES,
  type MarginFigures,
  marginFigures,
  recentFrom,
} from '@clearing/domain/market'
import { EstimatedPrices } from '../books/margin/estimated-prices.ts'
import { marginEventsOf, postEvents, securitiesOf } from '../books/margin/margin-events.ts'
import type { MarketFacts } from '../books/margin/market-facts.ts'
import { type HeldAtClose, readTailsAtClose, type TailAtClose } from '../books/margin/portion.ts'
import { findFirstChanged, type LedgerAndTail, restateLedger } from '../books/margin/restated-ledger.ts'
import { readOptionMoves, type TailOfLines } from '../books/margin/written-options.ts'
import type { PortionWork } from '../books/portion-work.ts'
import { readMarginOn } from '../books/positions/held-margin.ts'
import type { TradeWanted } from '../store/books/prices/last-trades.ts'
import type { PortionCounts } from '../store/close-portions.ts'
import { type HeldPosition, readRecentOfRange } from '../store/day-accounts.ts'
import { insertMarginLedgers, type NewMarginLedger, readMarginAccrued } from '../store/margin-ledger.ts'
import { keepIntradayDeficits, type MarkedAccount } from './intraday-calls.ts'

export async function mark(work: PortionWork): Promise<PortionCounts> {
  const { tx, range, close, facts } = work
  const [last, accrued] = await Promise.all([
    readTailsAtClose(work),
    readMarginAccrued(tx, range, close.closeDate),
  ])
  const named = new Set(securitiesOf(last.flatMap(({ lines }) => lines)))
  for (const { account } of last) for (const { secNo } of account.positions) named.add(secNo)
  await facts.learn(tx, named)
  const tails = await restateTails(work, last)
  const moves = await readOptionMoves(tx, tails, facts)
  const funds = [...named].filter((secNo) => isFundWithoutLoan(facts, secNo))
  const recent = await readRecentOfRange(tx, range, funds, recentFrom(close.closeDate))
  const estimates = await EstimatedPrices.read(tx, tails.flatMap(heldBy), facts, close.closeDate)
  const marked: MarkedAccount[] = []
  insertMarginLedgers(
    tx,
    tails.map(({ account, ...tail }, at): NewMarginLedger => {
      const { accountNumber, firmId, lineCount } = account.account
      const held = withRecent(account, facts, recent)
      const figures = figuresOf({ ...account, positions: held }, { facts, estimates }, work.concentration)
      const { maintenanceExcess } = figures
      marked.push({ tail: last[at] as TailAtClose, held, maintenanceExcess })
      const events = marginEventsOf({ ...tail, moves: moves.get(accountNumber) ?? [] }, facts)
      const posted = postEvents(tail.ledger, events, close.closeDate, figures, tail.equity)
      return {
        accountNumber,
        firmId,
        closeDate: close.closeDate,
        ledger: closeMarginDay(posted, close.closeDate, figures),
        equity: figures.equity,
        maintenanceExcess,
        interestAccrued: accrued.get(accountNumber) ?? ZERO,
        lineCount,
      }
    }),
  )
  return keepIntradayDeficits(work, marked)
}

/** The positions, with the units of mutual funds that have no loan value yet. `recent` are those of the range. */
function withRecent(
  { account, positions }: HeldAtClose,
  facts: MarketFacts,
  recent: ReadonlyMap<string, Decimal>,
): HeldPosition[] {
  return positions.map((held) => {
    const { secNo, acctType, recentQuantity } = held
    if (!isFundWithoutLoan(facts, secNo))
      return recentQuantity === undefined ? held : { secNo, acctType, quantity: held.quantity }
    const ofRange = recent.get(`${account.accountNumber} ${secNo} ${acctType}`) ?? ZERO
    return { ...held, recentQuantity: recentQuantity ?? ofRange }
  })
}

interface TailOfAccount extends LedgerAndTail, TailOfLines {
  readonly account: HeldAtClose
}

/** The ledger of each account before the close, and the lines that the close counts. */
async function restateTails(
  { tx, close, facts, concentration }: PortionWork,
  last: readonly TailAtClose[],
): Promise<TailOfAccount[]> {
  const changed = await findFirstChanged(tx, last, close.closeDate)
  const tails: TailOfAccount[] = []
  for (const { account, ...tail } of last) {
    const { accountNumber, lineCount } = account.account
    const known = { on: close.closeDate, lines: lineCount }
    const restated = await restateLedger(tx, tail, {
      changed: changed.get(accountNumber),
      atClose: (day) => readMarginOn(tx, accountNumber, { day, known, concentration }),
      knownOn: close.closeDate,
    })
    tails.push({ ...restated, account, held: account.positions })
  }
  await facts.learn(tx, securitiesOf(tails.flatMap((tail) => tail.lines)))
  return tails
}

function heldBy({ account: { account, positions } }: TailOfAccount): TradeWanted[] {
  const { accountNumber, lineCount: upTo } = account
  return positions.map(({ secNo }) => ({ accountNumber, secNo, upTo }))
}

/** A mutual fund that has no loan value in the first 30 days. */
function isFundWithoutLoan(facts: MarketFacts, secNo: string): boolean {
  return facts.security(secNo).kind === 'Fund' && facts.hasLoanValue(secNo)
}

interface FactsOfFigures {
  readonly facts: MarketFacts
  readonly estimates: EstimatedPrices
}

/** The figures of an account whose securities are known to `facts`. */
function figuresOf(
  { account, positions, cash }: HeldAtClose,
  { facts, estimates }: FactsOfFigures,
  concentration: readonly ConcentrationTier[],
): MarginFigures {
  let marginCash = ZERO
  for (const { currency, amount } of cash) marginCash += facts.inUsd(amount, currency)
  return marginFigures({
    marginCash,
    positions: positions.map((held) =>
      estimates.positionOf(account.accountNumber, held, held.recentQuantity, facts),
    ),
    rates: {
      longPercent: account.houseLongPercent ?? FINRA_RATES.longPercent,
      shortPercent: account.houseShortPercent ?? FINRA_RATES.shortPercent,
      concentration,
    },
  })
}
