/**
 * The special memorandum account (SMA) and the Regulation T calls of a margin account, as a fold over its events in
 * order. Deposits, dividends and released value meet open calls, oldest first, and raise SMA by the rest. Purchases,
 * short sales, written options and withdrawals use SMA, and what it does not cover is a call of their day. The close of
 * a day raises SMA to the Regulation T excess and never lowers it: SMA does not fall with the market. Books 6; 12 CFR
 * 220.4(c)(1), 220.5.
 */

import { type Decimal, max, min, sum, ZERO } from '../../decimal.ts'
import type { CalendarDate } from '../calendar/day.ts'
import { regTPaymentDate } from '../calendar/settlement.ts'
import { EQUITY_MIN } from './stock-requirement.ts'

/** A Regulation T call for the transactions of one day. */
export interface RegTCall {
  readonly openedOn: CalendarDate
  /** End of the payment period. */
  readonly dueOn: CalendarDate
  readonly amount: Decimal
  /** The amount that is not met; more than 0. */
  readonly outstanding: Decimal
}

/** A maintenance call that a close found and that no later close found met. */
export interface MaintenanceCall {
  readonly openedOn: CalendarDate
  /** As of the last close. */
  readonly amount: Decimal
}

export interface MarginLedger {
  /** US dollars, never negative. */
  readonly sma: Decimal
  /** Oldest first. */
  readonly calls: readonly RegTCall[]
  readonly maintenanceCall: MaintenanceCall | null
}

export const EMPTY_LEDGER: MarginLedger = { sma: ZERO, calls: [], maintenanceCall: null }

/** What moves SMA. Amounts are US dollars and not negative. */
export type MarginEvent =
  | {
      /** Cash into the account, or the loan value of securities that are deposited. */
      readonly kind: 'Deposit' | 'Dividend'
      readonly date: CalendarDate
      readonly amount: Decimal
    }
  | {
      /**
       * Cash out of the account, what is journalled to the cash account, or a credit that is taken back: a deposit that
       * is returned, or the cancel of a line that raised SMA.
       */
      readonly kind: 'Withdrawal'
      readonly date: CalendarDate
      readonly amount: Decimal
      /** It is the cancel of a line: the customer withdraws nothing. */
      readonly isCancel?: true
    }
  | {
      readonly kind: 'Purchase' | 'ShortSale'
      readonly date: CalendarDate
      /** Cost of the purchase, proceeds of the short sale. */
      readonly amount: Decimal
      /** From `tradeRequirement`. */
      readonly requirement: Decimal
    }
  | {
      /**
       * What lowers SMA and causes no call: the requirement of a reinvestment, whose dividend has raised SMA, and what
       * is transferred out of the account or comes in with a requirement.
       */
      readonly kind: 'Decrease'
      readonly date: CalendarDate
      readonly amount: Decimal
    }
  | {
      /** What trades add to the requirement of written options. */
      readonly kind: 'Writing'
      readonly date: CalendarDate
      readonly amount: Decimal
    }
  | {
      /** The requirement that a sale or a purchase to cover releases. */
      readonly kind: 'Release'
      readonly date: CalendarDate
      readonly amount: Decimal
    }

/** The ledger after events, which are in the order of entry. */
export function postMarginEvents(ledger: MarginLedger, events: readonly MarginEvent[]): MarginLedger {
  let { sma } = ledger
  let calls = ledger.calls
  for (const event of events) {
    switch (event.kind) {
      case 'Deposit':
      case 'Dividend':
      case 'Release': {
        const met = meetCalls(calls, event.amount)
        calls = met.calls
        sma += met.left
        break
      }
      case 'Decrease':
        sma = max(ZERO, sma - event.amount)
        break
      case 'Withdrawal':
      case 'Purchase':
      case 'ShortSale':
      case 'Writing': {
        const required = isOpening(event) ? event.requirement : event.amount
        const call = max(ZERO, required - sma)
        sma = max(ZERO, sma - required)
        if (call > ZERO) calls = addCall(calls, event.date, call)
        break
      }
      default:
        return event satisfies never
    }
  }
  return { sma, calls, maintenanceCall: ledger.maintenanceCall }
}

/** A purchase or short sale. */
type Opening = Extract<MarginEvent, { kind: 'Purchase' | 'ShortSale' }>

function isOpening(event: MarginEvent): event is Opening {
  return event.kind === 'Purchase' || event.kind === 'ShortSale'
}

/** By how much the withdrawals of each day exceed what came in on the day. Negative: more came in. */
function withdrawnByDay(events: readonly MarginEvent[]): ReadonlyMap<CalendarDate, Decimal> {
  const byDay = new Map<CalendarDate, Decimal>()
  for (const event of events) {
    const { kind, date, amount } = event
    const withdrawn = byDay.get(date) ?? ZERO
    if (kind === 'Withdrawal' && event.isCancel !== true) byDay.set(date, withdrawn + amount)
    else if (kind === 'Deposit' || kind === 'Dividend') byDay.set(date, withdrawn - amount)
  }
  return byDay
}

/**
 * What each day adds and takes, in the order of the days, because all transactions of a day are combined (12 CFR
 * 220.4(c)(1)). What trades of a day release pays for what its other trades require, and its deposits for its
 * withdrawals. Only the rest meets earlier calls, so a call is not renewed by a sale and a purchase of one day.
 */
function combineDays(events: readonly MarginEvent[]): readonly MarginEvent[] {
  const days = [...Map.groupBy(events, ({ date }) => date)].sort(([a], [b]) => (a < b ? -1 : 1))
  return days.flatMap(([date, ofDay]) => {
    let cash = ZERO
    let released = ZERO
    const decreases: MarginEvent[] = []
    for (const event of ofDay) {
      if (event.kind === 'Decrease') decreases.push(event)
      else if (event.kind === 'Deposit' || event.kind === 'Dividend') cash += event.amount
      else if (event.kind === 'Withdrawal') cash -= event.amount
      else if (event.kind === 'Release') released += event.amount
      else released -= isOpening(event) ? event.requirement : event.amount
    }
    const added: MarginEvent[] = []
    const taken: MarginEvent[] = []
    if (cash > ZERO) added.push({ kind: 'Deposit', date, amount: cash })
    if (released > ZERO) added.push({ kind: 'Release', date, amount: released })
    if (cash < ZERO) taken.push({ kind: 'Withdrawal', date, amount: -cash })
    if (released < ZERO) taken.push({ kind: 'Writing', date, amount: -released })
    return [...added, ...decreases, ...taken]
  })
}

/**
 * The ledger after events, with the call for the minimum equity (FINRA Rule 4210(b)). The trades of the last day with
 * a purchase, a short sale or more that written options require must leave 2,000 of equity. Purchases alone require no
 * more than their cost, and no more than pays them in full. The last day with withdrawals must leave 2,000 of equity
 * beside a debit or a short position, and requires no more than was withdrawn. `standing` is what the account has after
 * all events. Open calls cover a part of what it lacks. The order of the events of a day does not matter. Without
 * short positions, all calls together are at most the debit: an account that is paid in full owes nothing, whatever its
 * trades were called for before they were sold or cancelled.
 */
export function requireEquity(
  ledger: MarginLedger,
  events: readonly MarginEvent[],
  standing: {
    /** The equity after the events of a day, without a later fall of the market. */
    readonly equityOn: (day: CalendarDate) => Decimal
    readonly debit: Decimal
    /** By how much the requirement exceeds the equity. Withdrawals are called for up to this amount. */
    readonly restrictedBy: Decimal
    /** Securities sold short, or written options. */
    readonly hasShort: boolean
  },
): MarginLedger {
  const required = requireMinimum(ledger, events, standing)
  if (standing.hasShort) return required
  return { ...required, calls: waive(required.calls, outstandingOf(required.calls) - standing.debit) }
}

function requireMinimum(
  ledger: MarginLedger,
  events: readonly MarginEvent[],
  standing: Parameters<typeof requireEquity>[2],
): MarginLedger {
  let posted = limitWithdrawals(ledger, combineDays(events), standing.restrictedBy)
  const withdrawn = withdrawnByDay(events)
  const days = [
    events.findLast((event) => isOpening(event) || event.kind === 'Writing')?.date,
    events.findLast(({ date }) => (withdrawn.get(date) ?? ZERO) > ZERO)?.date,
  ].filter((day) => day !== undefined)
  for (const day of [...new Set(days)].sort()) {
    const ofDay = {
      events: events.filter(({ date }) => date === day),
      withdrawn: max(ZERO, withdrawn.get(day) ?? ZERO),
    }
    const { called, lacking } = lackingOn(day, ofDay, { before: ledger, posted }, standing)
    if (lacking > called) posted = { ...posted, calls: addCall(posted.calls, day, lacking - called) }
  }
  return posted
}

/** What the account lacks of the minimum equity after a day, and the part that calls ask for already. */
function lackingOn(
  day: CalendarDate,
  { events, withdrawn }: { readonly events: readonly MarginEvent[]; readonly withdrawn: Decimal },
  { before, posted }: { readonly before: MarginLedger; readonly posted: MarginLedger },
  standing: Parameters<typeof requireEquity>[2],
): { readonly called: Decimal; readonly lacking: Decimal } {
  const cost = sum(events.filter(({ kind }) => kind === 'Purchase').map(({ amount }) => amount))
  const openBefore = before.calls.find(({ openedOn }) => openedOn === day)?.outstanding ?? ZERO
  let called = ZERO
  let calledBefore = ZERO
  for (const { openedOn, outstanding } of posted.calls) {
    called += outstanding
    calledBefore += openedOn === day ? min(outstanding, openBefore) : outstanding
  }
  const toMinimum = EQUITY_MIN - standing.equityOn(day)
  if (events.some(({ kind }) => kind === 'ShortSale' || kind === 'Writing'))
    return { called, lacking: toMinimum }
  const ofDebit = min(toMinimum, calledBefore + cost + withdrawn, standing.debit)
  const ofShort = standing.hasShort && withdrawn > ZERO ? min(toMinimum, calledBefore + withdrawn) : ofDebit
  return { called, lacking: max(ofDebit, ofShort) }
}

/**
 * The ledger after events. A withdrawal that leaves no deficiency causes no call: SMA may be less than what can leave,
 * because it does not follow the market until the close (12 CFR 220.4(c)(1)).
 */
function limitWithdrawals(
  ledger: MarginLedger,
  events: readonly MarginEvent[],
  deficiency: Decimal,
): MarginLedger {
  const posted = postMarginEvents(ledger, events)
  if (!events.some(({ kind }) => kind === 'Withdrawal')) return posted
  const uncalled = events.map((event) =>
    event.kind === 'Withdrawal' ? ({ ...event, kind: 'Decrease' } as const) : event,
  )
  const others = outstandingOf(postMarginEvents(ledger, uncalled).calls)
  return { ...posted, calls: waive(posted.calls, outstandingOf(posted.calls) - others - deficiency) }
}

/** Calls without an amount that is not owed. The newest are reduced first. */
function waive(calls: readonly RegTCall[], amountNotOwed: Decimal): readonly RegTCall[] {
  let surplus = amountNotOwed
  const owed = calls.toReversed().flatMap((call) => {
    const waived = max(ZERO, min(surplus, call.outstanding))
    surplus -= waived
    const [amount, outstanding] = [call.amount - waived, call.outstanding - waived]
    return outstanding > ZERO ? [{ ...call, amount, outstanding }] : []
  })
  return owed.reverse()
}

function outstandingOf(calls: readonly RegTCall[]): Decimal {
  return sum(calls.map(({ outstanding }) => outstanding))
}

/**
 * The ledger at the close of a day. SMA is at least the Regulation T excess. A maintenance call opens, keeps its first
 * day while it lasts, or ends.
 */
export function closeMarginDay(
  ledger: MarginLedger,
  date: CalendarDate,
  figures: {
    readonly regTExcess: Decimal
    readonly maintenanceCall: Decimal
    readonly raisesSma?: boolean | undefined
  },
): MarginLedger {
  return {
    sma: figures.raisesSma === false ? ledger.sma : max(ledger.sma, figures.regTExcess),
    calls: ledger.calls,
    maintenanceCall:
      figures.maintenanceCall > ZERO
        ? { openedOn: ledger.maintenanceCall?.openedOn ?? date, amount: figures.maintenanceCall }
        : null,
  }
}

function meetCalls(
  calls: readonly RegTCall[],
  amount: Decimal,
): { readonly calls: readonly RegTCall[]; readonly left: Decimal } {
  let left = amount
  const open: RegTCall[] = []
  for (const call of calls) {
    const used = min(left, call.outstanding)
    left -= used
    if (used < call.outstanding) open.push({ ...call, outstanding: call.outstanding - used })
  }
  return { calls: open, left }
}

/** A late line can cause a call of a day that has one already, and of a day before other calls. */
function addCall(calls: readonly RegTCall[], date: CalendarDate, amount: Decimal): readonly RegTCall[] {
  return joinCalls([...calls, { openedOn: date, dueOn: regTPaymentDate(date), amount, outstanding: amount }])
}

/** One call for each day, the oldest first. */
export function joinCalls(calls: readonly RegTCall[]): RegTCall[] {
  const byDay = new Map<CalendarDate, RegTCall>()
  for (const call of calls) {
    const { amount = ZERO, outstanding = ZERO } = byDay.get(call.openedOn) ?? {}
    const sums = { amount: amount + call.amount, outstanding: outstanding + call.outstanding }
    byDay.set(call.openedOn, { ...call, ...sums })
  }
  return [...byDay.values()].sort((a, b) => (a.openedOn < b.openedOn ? -1 : 1))
}
