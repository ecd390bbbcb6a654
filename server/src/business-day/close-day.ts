/**
 * Closes business days: settles, raises missing lines, accrues, marks to market, issues and ages calls, seals, and
 * advances the date. Accounts are processed in portions. The transaction of each portion also records the progress of
 * the close, so that any later caller continues from there with the same result. Concurrent closers take turns.
 */

import type { Decimal } from '@clearing/domain/decimal'
import { addMarketDays, type ConcentrationTier } from '@clearing/domain/market'
import type { Logger } from 'pino'
import { postDue } from '../books/loads/post-due.ts'
import { postDueTask } from '../books/loads/set-aside.ts'
import { accrue } from '../books/margin/accrue.ts'
import { MarketFacts } from '../books/margin/market-facts.ts'
import type { PortionWork } from '../books/margin/portion.ts'
import { type CheckSettings, usualChecks } from '../config/close-checks.ts'
import { type MarginRate, marginRateOn } from '../config/margin-rate.ts'
import { DatabaseUnavailable, OutcomeUnknown } from '../database/faults.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import { writeAuditRow } from '../store/audit.ts'
import { easternDay, makePartitions } from '../store/books/calendar.ts'
import { raiseMissing } from '../store/books/missing-lines.ts'
import { isAnyDue } from '../store/books/pending.ts'
import {
  beginClose,
  type DayClose,
  flushWrites,
  lockBusinessDay,
  lockClose,
  notePortion,
  type PortionCounts,
  portionAccountsMax,
  rangeOf,
  readBusinessDay,
  readClose,
  readUnfinishedClose,
} from '../store/business-day.ts'
import { writeEventOfFirms } from '../store/firm-events.ts'
import { queue } from '../store/jobs.ts'
import { type Acceptance, type CheckItem, readAcceptance } from '../store/open-items.ts'
import { queueDayReview } from '../store/renewals.ts'
import { readDaySeal } from '../store/seals.ts'
import { settleLines } from '../store/settlements.ts'
import { callAccounts } from './call-accounts.ts'
import { callCashAccounts } from './call-cash-accounts.ts'
import { openItems, readChecklist } from './checklist.ts'
import { mark } from './mark.ts'
import { sealPortion, signDay } from './seal.ts'
import { type SealPart, type SealVerification, verifySeals } from './verify-seals.ts'

export interface CloseRequest {
  /** The day to close. Undefined: the day whose close was begun, or else the open day. */
  readonly date: string | undefined
  readonly firmId: string
  readonly clientId: string
  readonly traceId: string
  readonly now: Date
  /** The person who accepts open items. Absent: none, apart from what a second person approved. */
  readonly accepting?: Acceptance | undefined
}

export interface ClosedDay extends DayClose {
  readonly seal: string
}

export type CloseOutcome =
  | { readonly kind: 'closed'; readonly day: ClosedDay }
  /** `date` is neither the open day nor a day that was closed. */
  | { readonly kind: 'notOpen'; readonly openDay: string }
  /** The open day is after the day of the clock. */
  | { readonly kind: 'notCome'; readonly day: string; readonly today: string }
  /** Items are open that were not accepted. */
  | { readonly kind: 'open'; readonly checklist: readonly CheckItem[] }

export interface BusinessDaySettings {
  readonly pool: Pool
  readonly masterKeys: MasterKeys
  readonly marginRates: readonly MarginRate[]
  /** The house's add-on for concentrated positions; none by default. */
  readonly concentration?: readonly ConcentrationTier[]
  readonly log: Logger
  /** Called when a day was closed, before the response. */
  readonly onClosed?: () => Promise<void>
  readonly checks?: CheckSettings
  /** Called before each portion. Tests interrupt a close here. */
  readonly beforePortion?: (close: DayClose) => void | Promise<void>
  /** Accounts in a portion. */
  readonly portionAccounts?: number
}

const closeRetries = { attemptsMax: 20, pauseMs: 50 } as const

/** Thrown when the service stops during a close. */
class CloseStopped extends Error {
  override readonly name = 'CloseStopped'
}

export class BusinessDay {
  readonly #settings: BusinessDaySettings
  /** Closes that run in this process, by day. */
  readonly #running = new Map<string, Promise<ClosedDay>>()
  #stopping = false

  constructor(settings: BusinessDaySettings) {
    this.#settings = settings
  }

  /** Closes a day and returns the result. Concurrent callers for one day share the first call. */
  async close(request: CloseRequest): Promise<CloseOutcome> {
    const { pool } = this.#settings
    const found = await this.#again(() =>
      inTransaction(pool, { firm: null, readOnly: true, repeatable: true }, (tx) => findDay(tx, request)),
    )
    if ('notOpen' in found) return { kind: 'notOpen', openDay: found.notOpen }
    const { closeDate, begun } = found
    let running = this.#running.get(closeDate)
    const beginning = begun || running !== undefined ? nothingFound : await this.#mayBegin(closeDate, request)
    if ('kind' in beginning) return beginning
    running = this.#running.get(closeDate)
    if (running === undefined) {
      running = this.#run(closeDate, begun, beginning, request).finally(() => this.#running.delete(closeDate))
      this.#running.set(closeDate, running)
    }
    return { kind: 'closed', day: await running }
  }

  get checks(): CheckSettings {
    return this.#settings.checks ?? usualChecks
  }

  /** The checklist of a day as its close would find it at a given time. */
  checklist(day: string, at: Date): Promise<CheckItem[]> {
    return this.#again(() =>
      inTransaction(this.#settings.pool, { firm: null, readOnly: true, repeatable: true }, (tx) =>
        readChecklist(tx, { day, at }, this.checks),
      ),
    )
  }

  /** The house's add-on for concentrated positions. */
  get concentration(): readonly ConcentrationTier[] {
    return this.#settings.concentration ?? []
  }

  /** The interest rate of margin debits on a day, percent per year. */
  marginRateOn(day: string): Decimal {
    return marginRateOn(this.#settings.marginRates, day)
  }

  /** Verifies the seals with the permissions of operations. */
  verifySeals(tx: Tx, part: SealPart): Promise<SealVerification> {
    return verifySeals(tx, this.#settings.masterKeys, part)
  }

  /** Stops after the current portion. The next call continues the close. */
  async stop(): Promise<void> {
    this.#stopping = true
    await Promise.allSettled(this.#running.values())
  }

  /** A day can be closed when it has come and the open items were accepted. */
  async #mayBegin(closeDate: string, { now, accepting }: CloseRequest): Promise<Beginning | CloseOutcome> {
    const today = easternDay(now)
    if (closeDate > today) return { kind: 'notCome', day: closeDate, today }
    const checklist = await this.checklist(closeDate, now)
    if (openItems(checklist).length === 0) return { checklist, accepted: null }
    const approved = await this.#again(() =>
      inTransaction(this.#settings.pool, { firm: null, readOnly: true, repeatable: true }, (tx) =>
        readAcceptance(tx, closeDate),
      ),
    )
    const accepted = approved ?? accepting
    return accepted === undefined ? { kind: 'open', checklist } : { checklist, accepted }
  }

  async #run(
    closeDate: string,
    begun: boolean,
    beginning: Beginning,
    request: CloseRequest,
  ): Promise<ClosedDay> {
    const { pool, beforePortion } = this.#settings
    const nextDate = addMarketDays(closeDate, 1)
    await makePartitions(pool, { activity: [], entry: [closeDate, nextDate] })
    let close = begun
      ? undefined
      : await this.#again(() => begin(this.#settings, closeDate, nextDate, { ...request, ...beginning }))
    close ??= await this.#again(() => read(pool, closeDate))
    const facts = new MarketFacts(close.markedAt, closeDate, closeDate)
    const isNew = close.step !== 'Closed'
    while (close.step !== 'Closed') {
      if (this.#stopping) throw new CloseStopped(`the close of ${closeDate} was stopped and can be run again`)
      await beforePortion?.(close)
      close = await this.#again(() => this.#takePortion(closeDate, facts, request))
    }
    if (isNew) {
      await this.#again(() => postDue({ ...request, pool }))
      await this.#settings.onClosed?.()
    }
    const seal = await this.#again(() =>
      inTransaction(pool, { firm: null, readOnly: true, repeatable: true }, (tx) =>
        readDaySeal(tx, closeDate),
      ),
    )
    if (seal === undefined) throw new Error(`${closeDate} is closed and has no seal`)
    return { ...close, seal: seal.digest.toString('hex') }
  }

  /** Does the next portion, whichever process did the previous one, and returns the progress of the close. */
  #takePortion(closeDate: string, facts: MarketFacts, request: CloseRequest): Promise<DayClose> {
    const { pool, masterKeys, marginRates } = this.#settings
    const { concentration } = this
    const { now, traceId } = request
    return inTransaction(pool, { firm: null, repeatable: true }, async (tx) => {
      const close = await lockClose(tx, closeDate)
      if (close.step === 'Closed') return close
      const startedMs = performance.now()
      const range = rangeOf(close)
      let counts: PortionCounts = {}
      if (close.step === 'Move') await finish(tx, close, request, masterKeys)
      else if (range !== undefined) {
        counts = await workOn({ tx, pool, close, range, facts, now, traceId, marginRates, concentration })
      }
      await flushWrites(tx)
      return notePortion(tx, close, counts, Math.round(performance.now() - startedMs), now)
    })
  }

  /** Waits for a lock of another closer or a load. A portion of unknown outcome is tried again. */
  async #again<T>(attempt: () => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await attempt()
      } catch (fault) {
        const passes = fault instanceof DatabaseUnavailable || fault instanceof OutcomeUnknown
        if (!passes || tried === closeRetries.attemptsMax || this.#stopping) throw fault
        this.#settings.log.warn({ err: fault }, 'a portion of the close is tried again')
        await new Promise((resolve) => setTimeout(resolve, closeRetries.pauseMs * tried))
      }
    }
  }
}

/** The state at the beginning of a close. */
interface Beginning {
  readonly checklist: readonly CheckItem[]
  readonly accepted: Acceptance | null
}
const nothingFound: Beginning = { checklist: [], accepted: null }

type FoundDay = { readonly closeDate: string; readonly begun: boolean } | { readonly notOpen: string }

async function findDay(tx: Tx, { date, now }: CloseRequest): Promise<FoundDay> {
  const [unfinished, openDay] = [await readUnfinishedClose(tx), await readBusinessDay(tx, now)]
  const closeDate = date ?? unfinished?.closeDate ?? openDay
  if (closeDate === unfinished?.closeDate) return { closeDate, begun: true }
  if (unfinished === undefined && closeDate === openDay) return { closeDate, begun: false }
  if (date !== undefined && (await readClose(tx, date)) !== undefined) return { closeDate, begun: true }
  return { notOpen: unfinished?.closeDate ?? openDay }
}

/** Undefined when another closer was first. */
function begin(
  { pool, portionAccounts = portionAccountsMax }: BusinessDaySettings,
  closeDate: string,
  nextDate: string,
  { now, traceId, checklist, accepted }: CloseRequest & Beginning,
): Promise<DayClose | undefined> {
  return inTransaction(pool, { firm: null, repeatable: true }, async (tx) => {
    if ((await lockBusinessDay(tx, now)) !== closeDate) return undefined
    beginClose(tx, { closeDate, nextDate, at: now, traceId, portionAccounts, checklist, accepted })
    return readClose(tx, closeDate)
  })
}

async function read(pool: Pool, closeDate: string): Promise<DayClose> {
  const readOnly = { firm: null, readOnly: true, repeatable: true }
  const close = await inTransaction(pool, readOnly, (tx) => readClose(tx, closeDate))
  if (close === undefined) throw new Error(`the close of ${closeDate} was not begun`)
  return close
}

async function workOn(work: PortionWork): Promise<PortionCounts> {
  const { tx, close, range } = work
  const { step, closeDate } = close
  switch (step) {
    case 'Settle':
      await settleLines(tx, closeDate, range)
      raiseMissing(tx, closeDate, range, work.now)
      return {}
    case 'Accrue':
      await accrue(work)
      return {}
    case 'Mark':
      await mark(work)
      return {}
    case 'Calls':
      return addCounts(await callAccounts(work), await callCashAccounts(work))
    case 'Seal':
      return sealPortion(work)
    case 'Move':
    case 'Closed':
      throw new Error(`step ${step} has no portions`)
    default:
      return step satisfies never
  }
}

function addCounts(one: PortionCounts, other: PortionCounts): PortionCounts {
  return {
    callsIssued: (one.callsIssued ?? 0) + (other.callsIssued ?? 0),
    callsMet: (one.callsMet ?? 0) + (other.callsMet ?? 0),
  }
}

const dueJobAfterMs = 30_000

async function finish(tx: Tx, close: DayClose, request: CloseRequest, masterKeys: MasterKeys): Promise<void> {
  const { closeDate, nextDate, accounts, positions, callsIssued, callsMet, checklist, accepted } = close
  const { now, traceId, firmId, clientId } = request
  const { digest } = await signDay(tx, closeDate, masterKeys, now)
  const content = { closedDate: closeDate, businessDate: nextDate }
  const counts = { accounts, positions, callsIssued, callsMet }
  queueDayReview(tx, closeDate)
  writeEventOfFirms(tx, { type: 'business_day.closed', at: now, traceId, content })
  // The process that closes the day posts the lines after this is committed. The job covers a process that ends
  // earlier.
  if (await isAnyDue(tx, nextDate)) {
    const due = new Date(now.getTime() + dueJobAfterMs)
    queue(tx, { task: postDueTask, payload: {}, key: postDueTask, due })
  }
  writeAuditRow(tx, {
    firmId,
    at: now,
    actor: clientId,
    action: 'close-business-day',
    target: closeDate,
    traceId,
    detail: { ...content, ...counts, open: openItems(checklist), accepted, seal: digest.toString('hex') },
  })
}
