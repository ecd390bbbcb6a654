/**
 * The margin ledger after lines that changed what closes have counted: cancels, and late lines that changed what other
 * lines closed. The closes since the first line that changed are computed again, with the lines that count now and the
 * positions and prices of each day. The ledger is then the same as if the lines had arrived in time.
 */
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import { closeMarginDay, EMPTY_LEDGER, type MarginFigures, type MarginLedger } from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import { endOfEasternDay } from '../../store/books/calendar.ts'
import { readFirstChanged } from '../../store/changed-lines.ts'
import type { HeldPosition } from '../../store/day-accounts.ts'
import { readLastLedgers, type StoredMarginLedger } from '../../store/margin-ledger.ts'
import { type LinesWanted, type MarginLine, readMarginLines } from '../../store/margin-lines.ts'
import { withoutCancelled } from './counting-lines.ts'
import { marginEventsOf, postEvents, securitiesOf } from './margin-events.ts'
import { MarketFacts } from './market-facts.ts'
import { readOptionMoves } from './written-options.ts'

/** What an account held at the end of a day. */
interface HeldOn {
  readonly figures: Pick<
    MarginFigures,
    'equity' | 'debitBalance' | 'regTExcess' | 'requirements' | 'maintenanceCall'
  >
  readonly held: readonly HeldPosition[]
}

/** The holdings of an account at the close of a day, from the lines that count now. Null if there were none. */
export type AtClose = (day: string) => Promise<HeldOn | null>

/** The last ledger of an account, if there is one, and the lines since then. */
export interface KeptAndTail {
  readonly kept: StoredMarginLedger | undefined
  readonly wanted: LinesWanted
  readonly lines: readonly MarginLine[]
}

/** A ledger, and the lines that it does not include. */
export interface LedgerAndTail {
  readonly ledger: MarginLedger
  /** The equity of the account when the ledger was closed. */
  readonly equity: Decimal
  readonly wanted: LinesWanted
  readonly lines: readonly MarginLine[]
  /** Lines that `wanted` covers and that were traded until this day are included in the ledger. */
  readonly after?: string | undefined
  /** The securities whose earlier prices the ledger depends on. */
  readonly secNos: readonly string[]
}

/** The most closes that are computed again: more than the business days of two months. */
const closesMax = 45
/** Each of these closes folds the lines of the account until its day. */
const foldedLinesMax = 1_000_000
const nothing: HeldOn = {
  figures: { equity: ZERO, debitBalance: ZERO, regTExcess: ZERO, requirements: [], maintenanceCall: ZERO },
  held: [],
}

/** By account, the first line that its last ledger counts and that lines since then have changed. */
export function findFirstChanged(tx: Tx, tails: readonly KeptAndTail[]): Promise<Map<string, number>> {
  const late = tails.filter(
    ({ kept, lines }) =>
      kept !== undefined &&
      lines.some(({ tradeDate, correction }) => tradeDate <= kept.closeDate || correction === 'C'),
  )
  const closed = late.flatMap(({ kept }) => kept?.closeDate ?? [])
  const since = closed.reduce((first, day) => (day < first ? day : first), closed[0] ?? '')
  return readFirstChanged(
    tx,
    late.map(({ wanted }) => wanted),
    since,
  )
}

/**
 * The ledger to which the present lines are added. `changed`: the first line that the last ledger counts and that has
 * changed. `until`: the latest trade date of lines. `knownOn`: only facts that were known at a close.
 */
export async function restateLedger(
  tx: Tx,
  { kept, wanted, lines }: KeptAndTail,
  moment: {
    readonly changed: number | undefined
    readonly atClose: AtClose
    readonly until?: string | undefined
    readonly knownOn?: string | undefined
  },
): Promise<LedgerAndTail> {
  const { changed, atClose, until, knownOn } = moment
  if (kept === undefined || changed === undefined)
    return { ledger: kept?.ledger ?? EMPTY_LEDGER, equity: kept?.equity ?? ZERO, wanted, lines, secNos: [] }
  const { accountNumber, upTo } = wanted
  const { before, closes } = await findUnchanged(tx, kept, { changed, upTo })
  const since = { accountNumber, after: before?.lineCount ?? 0, upTo }
  let left = withoutCancelled((await readMarginLines(tx, [since], { until })).get(accountNumber) ?? [])
  let ledger = before?.ledger ?? EMPTY_LEDGER
  let equity = before?.equity ?? ZERO
  let after: string | undefined
  const secNos = new Set<string>()
  for (const day of closes) {
    const ofDay = left.filter(({ tradeDate }) => tradeDate <= day)
    left = left.filter(({ tradeDate }) => tradeDate > day)
    const { figures, held } = (await atClose(day)) ?? nothing
    const facts = new MarketFacts(endOfEasternDay(day).toISOString(), day, knownOn)
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
 * The last ledger that counts no line that has changed, and the closes after it. If it is too old, the oldest ledger
 * within the limit.
 */
async function findUnchanged(
  tx: Tx,
  kept: StoredMarginLedger,
  { changed, upTo }: { readonly changed: number; readonly upTo: number },
): Promise<{ readonly before: StoredMarginLedger | undefined; readonly closes: readonly string[] }> {
  const { accountNumber, closeDate, lineCount } = kept
  const most = Math.max(1, Math.min(closesMax, Math.floor(foldedLinesMax / lineCount)))
  const ledgers = await readLastLedgers(tx, accountNumber, closeDate, most + 1)
  const oldest = ledgers.length > most ? 0 : -1
  let first: number | undefined = changed
  let place = ledgers.length - 1
  while (first !== undefined && place > oldest) {
    const line: number = first
    place = Math.max(
      oldest,
      ledgers.findLastIndex((ledger) => ledger.lineCount < line),
    )
    const before = ledgers[place]
    if (before === undefined) break
    const wanted = { accountNumber, after: before.lineCount, upTo }
    first = (await readFirstChanged(tx, [wanted], before.closeDate)).get(accountNumber)
  }
  return { before: ledgers[place], closes: ledgers.slice(place + 1).map((ledger) => ledger.closeDate) }
}
