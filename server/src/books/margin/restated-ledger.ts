/**
 * The margin ledger after facts that changed what closes have counted: cancels, late lines that changed what other
 * lines closed or how many units were held, late ends of options, corrections of prices and exchange rates, and late
 * or corrected factors of pools. The closes since the first fact that changed are computed again, with the lines that
 * count now and the positions and prices of each day. The ledger is then the same as if the facts had arrived in time.
 */
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import {
  addDays,
  closeMarginDay,
  EMPTY_LEDGER,
  type MarginFigures,
  type MarginLedger,
} from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import { endOfEasternDay } from '../../store/books/calendar.ts'
import { readFirstChanged } from '../../store/changed-lines.ts'
import type { HeldPosition } from '../../store/day-accounts.ts'
import { type ClosedAccount, readFirstCorrected } from '../../store/first-corrected.ts'
import { readFirstFactors } from '../../store/first-factors.ts'
import { readLastLedgers, type StoredMarginLedger } from '../../store/margin-ledger.ts'
import type { LinesWanted } from '../../store/margin-lines.ts'
import { withoutCancelled } from './counting-lines.ts'
import { marginEventsOf, postEvents, securitiesOf } from './margin-events.ts'
import { type MarginTail, readMarginTail } from './margin-tail.ts'
import { MarketFacts } from './market-facts.ts'
import { endsOption, movesUnits } from './unit-changes.ts'
import { readOptionMoves, type TailOfLines } from './written-options.ts'

/** What an account held at the end of a day. */
interface HeldOn {
  readonly figures: Pick<
    MarginFigures,
    'equity' | 'debitBalance' | 'regTExcess' | 'raisesSma' | 'requirements' | 'maintenanceCall'
  >
  readonly held: readonly HeldPosition[]
}

/** The holdings of an account at the close of a day, from the lines that count now. Null if there were none. */
export type AtClose = (day: string) => Promise<HeldOn | null>

/** A ledger, and the lines that it does not include. */
export interface LedgerAndTail extends Omit<TailOfLines, 'held'> {
  readonly ledger: MarginLedger
  /** The equity of the account when the ledger was closed. */
  readonly equity: Decimal
  /** The securities whose earlier prices the ledger depends on. */
  readonly secNos: readonly string[]
}

/** The first of the facts that a ledger counts and that have changed since. */
export interface FirstChanged {
  /** The sequence of a line. Closes that did not count it are not concerned. */
  readonly line: number | undefined
  /** The day of a late line, price, exchange rate or factor. Closes of earlier days are not concerned. */
  readonly day: string | undefined
}

/** The most closes that are computed again: more than the business days of two months. */
const closesMax = 45
/** Corrections of older prices, rates and factors do not count: a longer time than two months. */
const correctedDaysMax = 62
/** Each of these closes folds the lines of the account until its day. */
const foldedLinesMax = 1_000_000
const nothing: HeldOn = {
  figures: {
    equity: ZERO,
    debitBalance: ZERO,
    regTExcess: ZERO,
    raisesSma: true,
    requirements: [],
    maintenanceCall: ZERO,
  },
  held: [],
}

/**
 * By account, the first of the facts that its last ledger counts and that have changed since. `knownOn`: only facts
 * that were known at a close.
 */
export async function findFirstChanged(
  tx: Tx,
  tails: readonly MarginTail[],
  knownOn?: string,
): Promise<Map<string, FirstChanged>> {
  const closed = tails.flatMap(({ kept, wanted, lines }) =>
    kept === undefined ? [] : [{ ...wanted, wanted, lines, closeDate: kept.closeDate }],
  )
  const late = closed.filter(({ lines, closeDate }) =>
    lines.some(({ tradeDate, correction }) => tradeDate <= closeDate || correction === 'C'),
  )
  const [lines, corrected] = await Promise.all([
    readFirstChanged(
      tx,
      late.map(({ wanted }) => wanted),
      firstOf(late.map(({ closeDate }) => closeDate)) ?? '',
    ),
    findFirstCorrected(tx, closed, knownOn),
  ])
  const unitsMoved = new Map(late.map((tail) => [tail.accountNumber, firstOf(unitsMovedOn(tail))]))
  const changed = new Map<string, FirstChanged>()
  for (const { accountNumber } of closed) {
    const line = lines.get(accountNumber)
    const days = [unitsMoved, ...corrected].map((of) => of.get(accountNumber))
    const day = firstOf(days.filter((one) => one !== undefined))
    if (line !== undefined || day !== undefined) changed.set(accountNumber, { line, day })
  }
  return changed
}

/** By account, the first close that corrected prices and rates change, and the first that factors of pools change. */
async function findFirstCorrected(
  tx: Tx,
  closed: readonly (ClosedAccount & LinesWanted)[],
  knownOn: string | undefined,
): Promise<readonly ReadonlyMap<string, string>[]> {
  const since = firstOf(closed.map(({ closeDate }) => closeDate))
  if (since === undefined) return []
  const wanted = { since, knownOn: knownOn ?? null, from: addDays(since, -correctedDaysMax) }
  return Promise.all([readFirstCorrected(tx, closed, wanted), readFirstFactors(tx, closed, wanted)])
}

/** The days on which late lines changed how many units were held, or ended options. */
function unitsMovedOn({ lines, closeDate }: Pick<MarginTail, 'lines'> & ClosedAccount): string[] {
  return withoutCancelled(lines)
    .filter((line) => line.tradeDate <= closeDate && (movesUnits(line) || endsOption(line)))
    .map(({ tradeDate }) => tradeDate)
}

function firstOf(days: readonly string[]): string | undefined {
  return days.reduce<string | undefined>(
    (first, day) => (first === undefined || day < first ? day : first),
    undefined,
  )
}

/**
 * The ledger to which the present lines are added. `changed`: what the last ledger counts and has changed since.
 * `until`: the latest trade date of lines. `knownOn`: only facts that were known at a close.
 */
export async function restateLedger(
  tx: Tx,
  { kept, wanted, lines }: MarginTail,
  moment: {
    readonly changed: FirstChanged | undefined
    readonly atClose: AtClose
    readonly until?: string | undefined
    readonly knownOn?: string | undefined
  },
): Promise<LedgerAndTail> {
  const { changed, atClose, until, knownOn } = moment
  if (kept === undefined || changed === undefined)
    return { ledger: kept?.ledger ?? EMPTY_LEDGER, equity: kept?.equity ?? ZERO, wanted, lines, secNos: [] }
  const { accountNumber, upTo } = wanted
  const { tail, closes } = await findUnchanged(tx, kept, { changed, upTo, until, knownOn })
  const { kept: before, wanted: since } = tail
  let left = withoutCancelled(tail.lines)
  let ledger = before?.ledger ?? EMPTY_LEDGER
  let equity = before?.equity ?? ZERO
  let after: string | undefined
  const secNos = new Set<string>()
  for (const day of closes) {
    const ofDay = left.filter(({ tradeDate }) => tradeDate <= day)
    left = left.filter(({ tradeDate }) => tradeDate > day)
    const { figures, held } = (await atClose(day)) ?? nothing
    const holder = { accountNumber, upTo }
    const facts = new MarketFacts(endOfEasternDay(day).toISOString(), day, knownOn, undefined, holder)
    await facts.learn(tx, securitiesOf(ofDay))
    const moves = await readOptionMoves(tx, [{ wanted: since, lines: ofDay, held, after }], facts, day)
    const events = marginEventsOf({ lines: ofDay, held, moves: moves.get(accountNumber) ?? [] }, facts)
    ledger = closeMarginDay(postEvents(ledger, events, day, figures, equity), day, figures)
    equity = figures.equity
    after = day
    for (const secNo of [...facts.secNos, ...held.map((position) => position.secNo)]) secNos.add(secNo)
  }
  // A maintenance call depends on the present only. It keeps the day on which it was issued.
  const { maintenanceCall } = kept.ledger
  return {
    ledger: { ...ledger, maintenanceCall },
    equity,
    wanted: since,
    lines: left,
    after,
    secNos: [...secNos],
  }
}

/**
 * The last ledger that counts nothing that has changed, the lines since then, and the closes after it. If it is too
 * old, the oldest ledger within the limit.
 */
async function findUnchanged(
  tx: Tx,
  { accountNumber, closeDate, lineCount }: StoredMarginLedger,
  moment: {
    readonly changed: FirstChanged
    readonly upTo: number
    readonly until: string | undefined
    readonly knownOn: string | undefined
  },
): Promise<{ readonly tail: MarginTail; readonly closes: readonly string[] }> {
  const { upTo, until, knownOn } = moment
  const most = Math.max(1, Math.min(closesMax, Math.floor(foldedLinesMax / lineCount)))
  const ledgers = await readLastLedgers(tx, accountNumber, closeDate, most + 1)
  const oldest = ledgers.length > most ? 0 : -1
  let changed: FirstChanged | undefined = moment.changed
  for (let place = ledgers.length - 1; ; ) {
    const { line = Number.POSITIVE_INFINITY, day }: Partial<FirstChanged> = changed
    const isBefore = (ledger: StoredMarginLedger) =>
      ledger.lineCount < line && (day === undefined || ledger.closeDate < day)
    const last = ledgers.findLastIndex((ledger, at) => at <= place && isBefore(ledger))
    place = Math.max(oldest, last)
    const tail = await readMarginTail(tx, { accountNumber, kept: ledgers[place], upTo }, until)
    changed = place > oldest ? (await findFirstChanged(tx, [tail], knownOn)).get(accountNumber) : undefined
    if (changed === undefined)
      return { tail, closes: ledgers.slice(place + 1).map(({ closeDate: day }) => day) }
  }
}
