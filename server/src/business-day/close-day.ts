/**
 * Closes business days: advances the date, then settles, raises missing lines, accrues, marks to market,
 * issues and ages calls, and seals. Accounts are processed in portions. The transaction of each portion also
 * records the progress of the close, so that any later caller continues from there with the same result.
 * Several connections and processes work on portions of one step at once. A step begins when all portions of
 * the previous step are done.
 */

import type { Decimal } from '@clearing/domain/decimal'
import { addMarketDays, type ConcentrationTier } from '@clearing/domain/market'
import type { Logger } from 'pino'
import { readFirmsOfCell } from '../audit/firms-of-cell.ts'
import { readTrustedKeys } from '../audit/other-keys.ts'
import { examineAnnouncements } from '../books/announcements/examine-announcements.ts'
import { examineTask } from '../books/announcements/queue-examination.ts'
import { FoldsAtClose } from '../books/folds-at-close.ts'
import { postDue } from '../books/loads/post-due.ts'
import { postDueTask } from '../books/loads/set-aside.ts'
import { MarketFacts } from '../books/margin/market-facts.ts'
import { type CheckSettings, usualChecks } from '../config/close-checks.ts'
import { type MarginRate, marginRateOn } from '../config/margin-rate.ts'
import { DatabaseUnavailable, OutcomeUnknown } from '../database/faults.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import { writeAuditRow } from '../store/audit.ts'
import { isAnyAnnouncement } from '../store/books/announcements.ts'
import { easternDay, makePartitions } from '../store/books/calendar.ts'
import { isAnyDue } from '../store/books/pending.ts'
import {
  beginClose,
  type CloseStep,
  type DayClose,
  flushWrites,
  lockBusinessDay,
  lockClose,
  noteClosed,
  planForPortion,
  portionAccountsMax,
  rangeOf,
  readBusinessDay,
  readClose,
  readUnfinishedClose,
} from '../store/business-day.ts'
import {
  advanceClose,
  claimPortion,
  finishPortion,
  makePortions,
  type Progress,
  readProgress,
} from '../store/close-portions.ts'
import { writeEventOfFirms } from '../store/firm-events.ts'
import { queue } from '../store/jobs.ts'
import { isMarkedAbsent } from '../store/moved-firms.ts'
import { type Acceptance, type CheckItem, readAcceptance } from '../store/open-items.ts'
import { queueDayReview } from '../store/renewals.ts'
import { readDaySeal } from '../store/seals.ts'
import { queueStatements } from '../store/statements.ts'
import { openItems, readChecklist, withExamples } from './checklist.ts'
import { queueHelp } from './queue-help.ts'
import { signDay } from './seal.ts'
import { type SealPart, type SealVerification, verifySeals } from './verify-seals.ts'
import { workOn } from './work-on-portion.ts'

export interface CloseRequest {
  /** The day to close. Undefined: the day whose close began, or else the open day. */
  readonly date: string | undefined
  readonly firmId: string
  readonly clientId: string
  readonly traceId: string
  readonly now: Date
  /** The person who accepts open items. Absent: no person, except for items that a second person approved. */
  readonly accepting?: Acceptance | undefined
}

export interface ClosedDay extends DayClose {
  readonly seal: string
}

export type CloseOutcome =
  | { readonly kind: 'closed'; readonly day: ClosedDay }
  /** `date` is neither the open day nor a closed day. */
  | { readonly kind: 'notOpen'; readonly openDay: string }
  /** The open day is after the day of the clock. */
  | { readonly kind: 'notCome'; readonly day: string; readonly today: string }
  /** There are open items that were not accepted. */
  | { readonly kind: 'open'; readonly checklist: readonly CheckItem[] }

export interface BusinessDaySettings {
  readonly pool: Pool
  readonly masterKeys: MasterKeys
  readonly marginRates: readonly MarginRate[]
  /** The house's add-on for concentrated positions; none by default. */
  readonly concentration?: readonly ConcentrationTier[]
  readonly log: Logger
  /** Called after a day was closed, before the response. */
  readonly onClosed?: () => Promise<void>
  readonly checks?: CheckSettings
  /** Called before each portion. Tests interrupt a close here. */
  readonly beforePortion?: (close: DayClose) => void | Promise<void>
  /** The number of accounts in a portion. */
  readonly portionAccounts?: number
  /** The number of portions that this process works on at once. */
  readonly portionsAtOnce?: number
}

/** While the database works on one portion, the process works on the other. */
const portionsAtOnceUsual = 2
const othersAtWorkMs = 25

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

  /** Whether this process works on the close of a day. */
  isClosing(date: string): boolean {
    return this.#running.has(date)
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

  /** Whether the records of a firm are verified in another cell, because it has left or is arriving. */
  async isElsewhere(tx: Tx, firmId: string): Promise<boolean> {
    if (!(await isMarkedAbsent(tx, firmId))) return false
    const keys = await readTrustedKeys(tx, this.#settings.masterKeys)
    return (await readFirmsOfCell(tx, keys)).elsewhere.has(firmId)
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
    const checklist = (await this.checklist(closeDate, now)).map(withExamples)
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
    const { pool, portionsAtOnce = portionsAtOnceUsual } = this.#settings
    const nextDate = addMarketDays(closeDate, 1)
    await makePartitions(pool, { activity: [], entry: [closeDate, nextDate] })
    let close = begun
      ? undefined
      : await this.#again(() => begin(this.#settings, closeDate, nextDate, { ...request, ...beginning }))
    close ??= (await this.#readProgress(closeDate)).close
    if (close.step !== 'Closed') {
      const workers = Array.from({ length: portionsAtOnce }, () => this.#work(closeDate, request))
      const ended = await Promise.allSettled(workers)
      const failed = ended.find(({ status }) => status === 'rejected')
      // Another worker has done the portions on which this one failed if the day is closed.
      close = (await this.#readProgress(closeDate)).close
      if (close.step !== 'Closed') throw (failed as PromiseRejectedResult).reason
      await this.#again(() => postDue({ ...request, pool }))
      await this.#again(() => examineAnnouncements({ ...request, pool }))
      await this.#settings.onClosed?.()
    }
    const seal = await this.#again(() =>
      inTransaction(pool, { firm: null, readOnly: true, repeatable: true }, (tx) =>
        readDaySeal(tx, closeDate),
      ),
    )
    if (seal === undefined) throw new Error(`${closeDate} is closed but has no seal`)
    return { ...close, seal: seal.digest.toString('hex') }
  }

  /** Takes portions until the day is closed. Workers of this and other processes take the other portions. */
  async #work(closeDate: string, request: CloseRequest): Promise<void> {
    const { pool, beforePortion } = this.#settings
    const write = (body: (tx: Tx) => Promise<void>) =>
      this.#again(() => inTransaction(pool, { firm: null, repeatable: true }, body))
    let facts: MarketFacts | undefined
    for (;;) {
      if (this.#stopping) throw new CloseStopped(`the close of ${closeDate} was stopped and can be run again`)
      const { close, left } = await this.#readProgress(closeDate)
      const { step } = close
      if (step === 'Closed') return
      facts ??= new MarketFacts(close.markedAt, closeDate, closeDate)
      const known = facts
      if (step === 'Move') {
        await beforePortion?.(close)
        await this.#again(() => this.#sign(closeDate, request))
      } else if (left === undefined) await write((tx) => makePortions(tx, closeDate, step))
      else if (left === 0) await write((tx) => advanceClose(tx, closeDate, step))
      else {
        await beforePortion?.(close)
        const took = await this.#again(() => this.#takePortion(close, known, request))
        if (!took) await new Promise((resolve) => setTimeout(resolve, othersAtWorkMs))
      }
    }
  }

  #readProgress(closeDate: string): Promise<Progress> {
    const readOnly = { firm: null, readOnly: true, repeatable: true, isolation: 'repeatable read' } as const
    return this.#again(() =>
      inTransaction(this.#settings.pool, readOnly, (tx) => readProgress(tx, closeDate)),
    )
  }

  /** Works on a portion of the step that no other worker has. Returns false when there is none. */
  #takePortion(close: DayClose, facts: MarketFacts, request: CloseRequest): Promise<boolean> {
    const { pool, marginRates } = this.#settings
    const { concentration } = this
    const { closeDate, step } = close
    const { now, traceId } = request
    facts.trim()
    return inTransaction(pool, { firm: null, repeatable: true }, async (tx) => {
      const startedMs = performance.now()
      planForPortion(tx)
      const portion = await claimPortion(tx, closeDate, step as CloseStep)
      if (portion === undefined) return false
      const claimed = { ...close, portion }
      const range = rangeOf(claimed)
      const folds = new FoldsAtClose(tx, closeDate)
      const work = { tx, close: claimed, range, facts, folds, now, traceId, marginRates, concentration }
      const counts = await workOn(work)
      await flushWrites(tx)
      finishPortion(tx, claimed, counts, { durationMs: Math.round(performance.now() - startedMs), now })
      return true
    })
  }

  /** Signs the day and ends its close. Releases have stored the step as `Move`; the date moves when a close begins. */
  #sign(closeDate: string, request: CloseRequest): Promise<void> {
    const { pool, masterKeys } = this.#settings
    return inTransaction(pool, { firm: null, repeatable: true }, async (tx) => {
      const close = await lockClose(tx, closeDate)
      if (close.step !== 'Move') return
      const startedMs = performance.now()
      planForPortion(tx)
      await finish(tx, close, request, masterKeys)
      await flushWrites(tx)
      noteClosed(tx, close, Math.round(performance.now() - startedMs), request.now)
    })
  }

  /** Waits for a lock of another closer or a load. A portion with an unknown outcome is tried again. */
  async #again<T>(attempt: () => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await attempt()
      } catch (fault) {
        const passes = fault instanceof DatabaseUnavailable || fault instanceof OutcomeUnknown
        if (!passes || tried === closeRetries.attemptsMax || this.#stopping) throw fault
        this.#settings.log.warn({ err: fault }, 'retrying a portion of the close')
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
  const [unfinished, openDay] = await Promise.all([readUnfinishedClose(tx), readBusinessDay(tx, now)])
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
  { now, traceId, firmId, clientId, checklist, accepted }: CloseRequest & Beginning,
): Promise<DayClose | undefined> {
  return inTransaction(pool, { firm: null, repeatable: true }, async (tx) => {
    if ((await lockBusinessDay(tx, now)) !== closeDate) return undefined
    beginClose(tx, { closeDate, nextDate, at: now, traceId, portionAccounts, checklist, accepted })
    queueHelp(tx, { date: closeDate, firmId, clientId, traceId, at: now.toISOString() }, null)
    return readClose(tx, closeDate)
  })
}

const dueJobAfterMs = 30_000

async function finish(tx: Tx, close: DayClose, request: CloseRequest, masterKeys: MasterKeys): Promise<void> {
  const { closeDate, nextDate, accounts, positions, callsIssued, callsMet, checklist, accepted } = close
  const { now, traceId, firmId, clientId } = request
  const { digest } = await signDay(tx, close, masterKeys, now)
  const content = { closedDate: closeDate, businessDate: nextDate }
  const counts = { accounts, positions, callsIssued, callsMet }
  queueDayReview(tx, closeDate, { closed: closeDate })
  queueStatements(tx, { day: closeDate, nextDay: nextDate, traceId })
  writeEventOfFirms(tx, { type: 'business_day.closed', at: now, traceId, content })
  // The process that closes the day posts the lines after this commit. The job covers a process that ends
  // earlier.
  const [isDue, isAnnounced] = await Promise.all([isAnyDue(tx, nextDate), isAnyAnnouncement(tx)])
  const due = new Date(now.getTime() + dueJobAfterMs)
  if (isDue) queue(tx, { task: postDueTask, payload: {}, key: postDueTask, due })
  if (isAnnounced) queue(tx, { task: examineTask, payload: {}, key: examineTask, due })
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
