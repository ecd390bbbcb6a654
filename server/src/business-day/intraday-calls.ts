/**
 * Keeps the intraday margin deficits of a close as calls, ages the calls of earlier days, and ends those that deposits
 * or a higher level have satisfied, or whose time is over. Late lines and cancels change the deficits of earlier days.
 */
import { type Decimal, roundTo, ZERO } from '@clearing/domain/decimal'
import {
  addDays,
  dayTradingRule,
  FINRA_RATES,
  firstOutstanding,
  type IntradayCall,
  intradayCall,
  intradayMarginDeficit,
  marketDaysAfter,
} from '@clearing/domain/market'
import { withoutCancelled } from '../books/margin/counting-lines.ts'
import type { TailAtClose } from '../books/margin/portion.ts'
import type { PortionWork } from '../books/portion-work.ts'
import { readDeficitOn } from '../books/positions/day-trading.ts'
import { readMarginOn } from '../books/positions/held-margin.ts'
import {
  canCauseDeficit,
  type DayOfLines,
  readLevelChanges,
  securitiesOfLevels,
} from '../books/positions/margin-levels.ts'
import type { PortionCounts } from '../store/close-portions.ts'
import type { HeldPosition } from '../store/day-accounts.ts'
import { putMarginCalls, readIntradayCalls, type StoredCall } from '../store/margin-calls.ts'
import { type MarginLine, readMarginLines } from '../store/margin-lines.ts'
import { writeCallEvents } from './call-accounts.ts'
import { LevelsOfCloses } from './levels-of-closes.ts'

/** A margin account at the close: the lines since its last ledger, its positions, and its maintenance excess. */
export interface MarkedAccount {
  readonly tail: TailAtClose
  readonly held: readonly HeldPosition[]
  readonly maintenanceExcess: Decimal
}

const moneyPlaces = 2
/** The deficits of an account with more lines are not computed again, because each day folds all of them. */
const restatedLinesMax = 50_000

export async function keepIntradayDeficits(
  work: PortionWork,
  marked: readonly MarkedAccount[],
): Promise<PortionCounts> {
  const { tx, range, close } = work
  const { closeDate } = close
  if (dayTradingRule(closeDate) !== 'IntradayMargin') return {}
  const from = firstOutstanding(closeDate)
  const known = await readIntradayCalls(tx, range, from)
  const deficits = await readDeficitsOfDay(work, marked)
  const changes = new CallChanges()
  for (const account of marked) {
    const { accountNumber } = account.tail.wanted
    const calls = known.get(accountNumber) ?? []
    const late = lateFrom(account.tail, closeDate)
    const { kept, wanted } = account.tail
    const isRestated = kept !== undefined && late !== undefined && wanted.upTo <= restatedLinesMax
    const aged = calls.filter(({ metOn }) => isRestated || metOn === null)
    const days = new Map(aged.map((call) => [call.issuedOn, call.amount]))
    if (isRestated)
      for (const day of await readDaysToRestate(work, account, [from, late], days))
        days.set(day, await readDeficit(work, account, day))
    const today = deficits.get(accountNumber) ?? ZERO
    if (today > ZERO) days.set(closeDate, today)
    if (days.size > 0)
      for (const call of await callsOf(work, account, days)) changes.add(call, calls, isRestated)
  }
  putMarginCalls(tx, changes.all)
  writeCallEvents(work, changes.issued, changes.met, changes.ended)
  return { callsIssued: changes.issued.length, callsMet: changes.met.length }
}

/** The calls of a portion that the close has changed. */
class CallChanges {
  readonly all: StoredCall[] = []
  readonly issued: StoredCall[] = []
  readonly met: StoredCall[] = []
  readonly ended: StoredCall[] = []

  add(call: CallOfDeficit, known: readonly StoredCall[], isRestated: boolean): void {
    const { state, stored } = call
    const before = known.find(({ issuedOn }) => issuedOn === stored.issuedOn)
    const wasOpen = before !== undefined && before.metOn === null
    // What is satisfied stays so, unless lines of earlier days have changed it.
    if (before === undefined ? stored.amount === ZERO : !wasOpen && !(isRestated && state === 'Open')) return
    this.all.push(stored)
    if (!wasOpen && stored.amount > ZERO) this.issued.push(stored)
    if (state === 'Met') this.met.push(stored)
    if (state === 'Ended') this.ended.push(stored)
  }
}

/** The first trade date that lines of earlier days change; undefined without such lines. */
function lateFrom({ lines }: TailAtClose, closeDate: string): string | undefined {
  const late = withoutCancelled(lines).filter(
    ({ tradeDate, correction }) => correction === 'C' || tradeDate < closeDate,
  )
  // The original of a cancel may be of any day.
  const days = late.map(({ tradeDate, correction }) => (correction === 'C' ? '' : tradeDate))
  return days.sort()[0]
}

/** Days before the close whose deficits can be different now: those with a call, and those with a transaction. */
async function readDaysToRestate(
  { tx, close }: PortionWork,
  { tail: { wanted } }: MarkedAccount,
  [from, late]: readonly [from: string, late: string],
  known: ReadonlyMap<string, Decimal>,
): Promise<string[]> {
  const first = late > from ? late : from
  const lines = await readMarginLines(tx, [{ ...wanted, after: 0 }], { from: first })
  const traded = (lines.get(wanted.accountNumber) ?? []).filter(canCauseDeficit)
  const days = new Set([...known.keys(), ...traded.map(({ tradeDate }) => tradeDate)])
  return [...days].filter(
    (day) => day >= first && day < close.closeDate && dayTradingRule(day) === 'IntradayMargin',
  )
}

async function readDeficit(
  { tx, close, concentration }: PortionWork,
  { tail: { wanted } }: MarkedAccount,
  day: string,
): Promise<Decimal> {
  const known = { on: close.closeDate, lines: wanted.upTo }
  return roundTo(await readDeficitOn(tx, wanted.accountNumber, { day, known, concentration }), moneyPlaces)
}

/** The deficits of the day that is closed, by account. */
async function readDeficitsOfDay(
  work: PortionWork,
  marked: readonly MarkedAccount[],
): Promise<Map<string, Decimal>> {
  const { tx, close, facts } = work
  const trading = marked.flatMap((account) => {
    const lines = linesOfDay(account, close.closeDate)
    const day: DayOfLines = { wanted: account.tail.wanted, day: close.closeDate, lines, held: account.held }
    return lines.some(canCauseDeficit) ? [{ account, day }] : []
  })
  await facts.learn(
    tx,
    trading.flatMap(({ day }) =>
      day.lines.flatMap(({ secNo, toSecNo }) => [secNo ?? [], toSecNo ?? []].flat()),
    ),
  )
  await facts.learnDays(
    tx,
    trading.flatMap(({ day }) => securitiesOfLevels(day, facts)),
  )
  const deficits = new Map<string, Decimal>()
  for (const { account, day } of trading) {
    const { tail } = account
    const { houseLongPercent, houseShortPercent } = tail.account.account
    const rates = {
      longPercent: houseLongPercent ?? FINRA_RATES.longPercent,
      shortPercent: houseShortPercent ?? FINRA_RATES.shortPercent,
    }
    const changes = await readLevelChanges(tx, day, rates, facts)
    const opening = await openingLevel(work, account)
    deficits.set(tail.wanted.accountNumber, roundTo(intradayMarginDeficit(opening, changes), moneyPlaces))
  }
  return deficits
}

function linesOfDay({ tail }: MarkedAccount, closeDate: string): MarginLine[] {
  return withoutCancelled(tail.lines).filter(
    ({ tradeDate, correction }) => tradeDate === closeDate && correction !== 'C',
  )
}

/**
 * The excess of the last close, or that of the end of the day before if lines of earlier days have arrived since. An
 * account without earlier lines begins with 0.
 */
async function openingLevel(
  { tx, close, concentration }: PortionWork,
  { tail }: MarkedAccount,
): Promise<Decimal> {
  const { kept, wanted } = tail
  if (lateFrom(tail, close.closeDate) === undefined) return kept?.maintenanceExcess ?? ZERO
  const known = { on: close.closeDate, lines: wanted.upTo }
  const day = addDays(close.closeDate, -1)
  return (
    (await readMarginOn(tx, wanted.accountNumber, { day, known, concentration }))?.figures
      .maintenanceExcess ?? ZERO
  )
}

interface CallOfDeficit {
  readonly state: IntradayCall['state']
  readonly stored: StoredCall
}

/** The calls for deficits of some days, as they are at the close. */
async function callsOf(
  work: PortionWork,
  account: MarkedAccount,
  deficits: ReadonlyMap<string, Decimal>,
): Promise<CallOfDeficit[]> {
  const { closeDate } = work.close
  const { accountNumber, firmId } = account.tail.account.account
  const days = [...deficits.keys()].sort()
  const levels = await LevelsOfCloses.read(work, account, days[0] ?? closeDate)
  const calls: CallOfDeficit[] = []
  for (const date of days) {
    const amount = deficits.get(date) ?? ZERO
    const later = []
    for (const day of marketDaysAfter(date, closeDate))
      later.push({ level: await levels.on(day), netDeposits: levels.netDeposits(date, day) })
    const deficit = { date, amount, level: await levels.on(date) }
    const { state, dueOn, ageDays, outstanding } = intradayCall(deficit, later, closeDate)
    const isOpen = state === 'Open'
    calls.push({
      state,
      stored: {
        accountNumber,
        firmId,
        kind: 'Intraday',
        issuedOn: date,
        dueBy: dueOn,
        amount,
        outstanding,
        agedOn: closeDate,
        ageDays,
        metOn: isOpen ? null : closeDate,
      },
    })
  }
  return calls
}
