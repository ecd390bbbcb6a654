/** The present margin ledger of an account: the last close and the events since. */
import { type Decimal, max, ZERO } from '@clearing/domain/decimal'
import { addDays, interestLeft, type MarginFigures, type MarginLedger } from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import type { Known } from '../../store/books/known.ts'
import type { HeldPosition } from '../../store/day-accounts.ts'
import { readLedgerUntil } from '../../store/margin-ledger.ts'
import { readInterestLines } from './interest-lines.ts'
import { marginEventsOf, postEvents, securitiesOf } from './margin-events.ts'
import { readMarginTail } from './margin-tail.ts'
import { MarketFacts } from './market-facts.ts'
import { type AtClose, findFirstChanged, restateLedger } from './restated-ledger.ts'
import { readOptionMoves } from './written-options.ts'

export interface StandingLedger {
  /** The ledger with the events since the last close. It is the input of `marginStanding` and `openCalls`. */
  readonly ledger: MarginLedger
  /** Margin interest accrued and not yet charged, US dollars. Negative: owed to the customer. */
  readonly interestAccrued: Decimal
  /** The securities whose prices the ledger depends on. */
  readonly secNos: readonly string[]
  /** The account at the last close before the day. Null if there was none. */
  readonly previousClose: {
    readonly date: string
    /** It counted the lines up to this sequence. */
    readonly lineCount: number
    readonly equity: Decimal
    readonly maintenanceExcess: Decimal
  } | null
}

/**
 * Reads the ledger of a margin account that the caller may see. `figures` must be of the same moment, because
 * the last trade must leave 2,000 of equity. A close raises the SMA to the Regulation T excess. A history that no
 * close has seen has the excess of the moment. `asOf`: as of the end of that day. `known`: only facts that were
 * known at a close.
 */
export async function readMarginLedger(
  tx: Tx,
  accountNumber: string,
  moment: {
    readonly now: Date
    /** The business date. */
    readonly today: string
    readonly figures: Pick<
      MarginFigures,
      'equity' | 'debitBalance' | 'regTExcess' | 'raisesSma' | 'requirements'
    >
    readonly asOf?: string | undefined
    readonly known?: Known | undefined
    /** The rates of the day that are known in the view, if they were read before. */
    readonly rates?: ReadonlyMap<string, Decimal>
    /** The positions of account types 2 and 3 at that moment. */
    readonly held: readonly HeldPosition[]
    readonly atClose: AtClose
  },
): Promise<StandingLedger> {
  const { now, today, figures, asOf = null, known, rates, held, atClose } = moment
  const knownOn = known?.on
  const day = asOf ?? today
  const until = knownOn !== undefined && (asOf === null || knownOn < asOf) ? knownOn : asOf
  const kept = await readLedgerUntil(tx, accountNumber, until)
  const before =
    kept !== undefined && kept.closeDate >= day
      ? await readLedgerUntil(tx, accountNumber, addDays(day, -1))
      : kept
  const last = await readMarginTail(tx, { accountNumber, kept, upTo: known?.lines }, asOf ?? undefined)
  const { lines } = last
  const facts = new MarketFacts(now.toISOString(), day, knownOn, rates)
  if (lines.length > 0) await facts.learn(tx, securitiesOf(lines))
  const interest = (await readInterestLines(tx, lines, facts)).get(accountNumber) ?? []
  const changed = (await findFirstChanged(tx, [last], knownOn)).get(accountNumber)
  const restated = await restateLedger(tx, last, { changed, atClose, until: asOf ?? undefined, knownOn })
  const tail = { ...restated, held }
  const moves = await readOptionMoves(tx, [tail], facts, asOf ?? undefined)
  await facts.learn(tx, securitiesOf(tail.lines))
  const events = marginEventsOf({ ...tail, moves: moves.get(accountNumber) ?? [] }, facts)
  const ledger = postEvents(restated.ledger, events, day, figures, restated.equity)
  return {
    ledger:
      kept === undefined && figures.raisesSma
        ? { ...ledger, sma: max(ledger.sma, figures.regTExcess) }
        : ledger,
    interestAccrued: interestLeft(kept?.interestAccrued ?? ZERO, ZERO, interest).left,
    secNos: [...new Set([...facts.secNos, ...restated.secNos])],
    previousClose: before
      ? {
          date: before.closeDate,
          lineCount: before.lineCount,
          equity: before.equity,
          maintenanceExcess: before.maintenanceExcess,
        }
      : null,
  }
}
