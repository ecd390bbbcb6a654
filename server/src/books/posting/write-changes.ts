/** Writes the changes of a batch in sets: lines, entries, holdings, cash, results, breaks, counts, events, audit. */
import { setImmediate as immediate } from 'node:timers/promises'
import type { Closing, Wash } from '@clearing/domain/books'
import { ZERO } from '@clearing/domain/decimal'
import { flush } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { writeAuditRow } from '../../store/audit.ts'
import { type AccountBooks, type BooksCount, writeCounts } from '../../store/books/accounts.ts'
import { appendLine, type Posting as LinePosting } from '../../store/books/append-lines.ts'
import {
  addCash,
  type CashChange,
  putUnsettled,
  removeUnsettled,
  type Unsettled,
} from '../../store/books/balances.ts'
import {
  breakOfPosting,
  type GoneBreak,
  type NewBreak,
  raiseBreaks,
  resolveBreaks,
} from '../../store/books/breaks.ts'
import { GatheredRows } from '../../store/books/bulk.ts'
import { forgetActions, noteActions } from '../../store/books/corporate-actions.ts'
import { appendEntries, type NewEntry } from '../../store/books/entries.ts'
import { type AccountEvent, writeEventsOfAccounts } from '../../store/books/events.ts'
import { type HoldingChange, putHoldingChanges } from '../../store/books/holdings.ts'
import { appendLinks, type NewLink } from '../../store/books/links.ts'
import { resolveMended, resolveNeverHeld } from '../../store/books/missing-lines.ts'
import { noteOpenedOptions } from '../../store/books/prices/changed-underlyings.ts'
import { cancelUnitChanges, noteUnitChanges } from '../../store/books/prices/unit-changes.ts'
import { resolveRebilledElsewhere } from '../../store/books/rebilled-elsewhere.ts'
import { appendClosings, appendWashes, type Revised } from '../../store/books/results.ts'
import type { Pace } from '../pace.ts'
import { type AccountChange, sumCash } from './account-change.ts'
import { type ActionsOfBatch, noteActionsOf } from './actions-of-batch.ts'
import { type BookedLine, valuesOfRecord } from './booked-line.ts'
import { restatedEvents } from './restated-events.ts'
import { reviewHeld } from './review-held.ts'
import { reviewJournals } from './suspended-journals.ts'

/** The sender and the time of a batch. */
export interface Posting {
  readonly loadId: string
  readonly clientId: string
  readonly traceId: string
  readonly now: Date
  readonly pace: Pace
}

/** The number of lines whose changes are sent together. */
const linesAtOnce = 1_000
/** The same at a slow pace: about 10 ms of the database. */
const linesAtOnceSlow = 300

interface LinesOfFirm {
  lines: number
  accounts: number
  from: number
  to: number
  /** Earlier lines whose amounts the lines changed. */
  restated: number
}

/** Writes the changes of one batch, some accounts at a time. */
export class ChangeWriter {
  readonly #tx: Tx
  readonly #posting: Posting
  readonly #businessDate: string
  readonly #linesByFirm = new Map<string, LinesOfFirm>()
  readonly #counts: BooksCount[] = []
  readonly #events: AccountEvent[] = []
  /** Events of one account must be written by different statements: its n-th event is in the n-th list. */
  readonly #restated: AccountEvent[][] = []
  /** Accounts with lines that may be of positions whose payments came first. */
  readonly #bringing: string[] = []
  /** Firms with lines that correct others. */
  readonly #correctedFirms = new Set<string>()
  /** Accounts with lines of account types 2 and 3. */
  readonly #onMargin: string[] = []
  /** The lines before the batch of the accounts with journals. */
  readonly #journals = new Map<string, bigint>()
  readonly #actions: ActionsOfBatch = {
    reported: [],
    units: [],
    cancelled: [],
    options: new Set(),
    accounts: [],
  }
  readonly #rows = new GatheredRows()
  #unsettledNoMore: Unsettled[] = []
  #breaks: NewBreak[] = []
  #resolved: GoneBreak[] = []
  #lines = 0
  #sent: Promise<unknown> = Promise.resolve()

  constructor(tx: Tx, businessDate: string, posting: Posting) {
    this.#tx = tx
    this.#businessDate = businessDate
    this.#posting = posting
  }

  /**
   * Takes the change of an account. It sends the gathered changes when there are enough of them and the
   * previous ones are written. The database writes them while the caller continues.
   */
  async write(change: AccountChange): Promise<void> {
    this.#render(change)
    this.#note(change)
    this.#lines += change.lines.length
    if (this.#lines >= (this.#posting.pace.isSlow ? linesAtOnceSlow : linesAtOnce)) await this.#send()
  }

  #render(change: AccountChange): void {
    const rows = this.#rows
    const { beside, apart } = postingsOf(change)
    const unsettled = unsettledOf(change)
    this.#renderLines(change, beside)
    appendEntries(rows, apart, this.#businessDate)
    putHoldingChanges(rows, holdingsOf(change))
    addCash(rows, cashOf(change))
    putUnsettled(rows, unsettled)
    this.#unsettledNoMore.push(...unsettled.filter(({ amount }) => amount === undefined))
    appendClosings(rows, closingsOf(change))
    appendWashes(rows, washesOf(change))
    appendLinks(rows, linksOf(change))
    this.#breaks.push(...breaksOf(change))
    this.#resolved.push(...resolvedOf(change))
  }

  #renderLines({ books, lines }: AccountChange, postings: readonly (LinePosting | undefined)[]): void {
    const { accountNumber, firmId } = books
    const load = { loadId: this.#posting.loadId, enteredOn: this.#businessDate }
    const linesBefore = Number(books.lineCount)
    for (const booked of lines) {
      const { line, processDate, orderId, source } = booked
      const posting = postings[line.sequence - linesBefore - 1]
      const record = valuesOfRecord(booked)
      appendLine(
        this.#rows,
        { accountNumber, firmId, line, processDate, orderId, record, source, posting },
        load,
      )
    }
  }

  async #send(): Promise<void> {
    const tx = this.#tx
    const { now } = this.#posting
    removeUnsettled(tx, this.#unsettledNoMore)
    this.#rows.send(tx)
    raiseBreaks(tx, this.#breaks, now)
    resolveBreaks(tx, this.#resolved, now)
    this.#unsettledNoMore = []
    this.#breaks = []
    this.#resolved = []
    this.#lines = 0
    const before = this.#sent
    this.#sent = tx.run(flush)
    // The rejection is handled at the next await; until then it must not count as unhandled.
    this.#sent.catch(() => {})
    await (this.#posting.pace.isSlow ? this.#sent : before)
    for (let turn = 0; turn < turnsToSend; turn += 1) await immediate()
  }

  /**
   * Writes counts and events of all accounts, waits for everything that was sent, and leaves the audit rows
   * for COMMIT. Other transactions change the rows of the accounts too. Therefore those rows are locked only
   * from here on, and not while the batch is computed.
   */
  async finish(): Promise<void> {
    const { loadId, clientId, traceId, now } = this.#posting
    if (this.#lines > 0) await this.#send()
    writeCounts(this.#tx, this.#counts)
    forgetActions(this.#tx, this.#actions.cancelled)
    noteActions(this.#tx, this.#actions.reported, this.#businessDate)
    cancelUnitChanges(this.#tx, this.#actions.cancelled, this.#businessDate)
    noteUnitChanges(this.#tx, this.#actions.units, this.#businessDate)
    const changed = this.#actions.units.map(({ to }) => to)
    noteOpenedOptions(this.#tx, { traded: [...this.#actions.options], changed }, this.#businessDate)
    resolveMended(this.#tx, this.#actions.accounts, now)
    resolveNeverHeld(this.#tx, this.#bringing, now)
    resolveRebilledElsewhere(this.#tx, [...this.#correctedFirms], now)
    writeEventsOfAccounts(this.#tx, this.#events, now, traceId)
    for (const events of this.#restated) writeEventsOfAccounts(this.#tx, events, now, traceId)
    await this.#sent
    const accountNumbers = this.#counts.map(({ accountNumber }) => accountNumber)
    await Promise.all([
      reviewHeld(this.#tx, accountNumbers, now, this.#onMargin),
      reviewJournals(this.#tx, this.#journals, now),
    ])
    for (const [firmId, { lines, accounts, from, to, restated }] of [...this.#linesByFirm].sort()) {
      const detail = { lines, accounts, fromLine: from, toLine: to, ...(restated > 0 && { restated }) }
      const action = 'load-activity'
      writeAuditRow(this.#tx, { firmId, at: now, actor: clientId, action, target: loadId, traceId, detail })
    }
  }

  #isLateOrMoved({ security, tradeDate, transType }: BookedLine['line']): boolean {
    if (security === undefined) return false
    return tradeDate < this.#businessDate || transType === 'TransferIn' || transType === 'Journal'
  }

  #note(change: AccountChange): void {
    const { books, lines } = change
    const { firmId } = books
    this.#counts.push(countOf(change))
    this.#events.push(eventOf(books, lines, this.#posting.loadId))
    for (const [at, event] of restatedEvents(change, this.#posting.loadId).entries()) {
      this.#restated[at] ??= []
      this.#restated[at].push(event)
    }
    if (change.restated.length > 0 || lines.some(({ line }) => line.cancels)) this.#correctedFirms.add(firmId)
    if (lines.some(({ line }) => line.acctType !== 1)) this.#onMargin.push(books.accountNumber)
    if (lines.some(({ line }) => line.transType === 'Journal'))
      this.#journals.set(books.accountNumber, books.lineCount)
    if (lines.some(({ line }) => this.#isLateOrMoved(line))) this.#bringing.push(books.accountNumber)
    noteActionsOf(change, this.#actions)
    let ofFirm = this.#linesByFirm.get(firmId)
    if (ofFirm === undefined) {
      ofFirm = { lines: 0, accounts: 0, from: Number.POSITIVE_INFINITY, to: 0, restated: 0 }
      this.#linesByFirm.set(firmId, ofFirm)
    }
    ofFirm.lines += lines.length
    ofFirm.accounts += 1
    ofFirm.restated += change.restated.length
    for (const { source } of lines) {
      if (source < ofFirm.from) ofFirm.from = source
      if (source > ofFirm.to) ofFirm.to = source
    }
  }
}

/**
 * The number of turns of the event loop in which the socket accepts the data, because its buffer is smaller
 * than the changes of a slice.
 */
const turnsToSend = 12

/** The entries of a change, numbered: entries of new lines, by the order of entry, and separate entries. */
function postingsOf({ books, entries }: AccountChange): {
  readonly beside: readonly (LinePosting | undefined)[]
  readonly apart: readonly NewEntry[]
} {
  const { accountNumber, firmId, entryCount } = books
  const linesBefore = Number(books.lineCount)
  const beside: (LinePosting | undefined)[] = []
  const apart: NewEntry[] = []
  let entryNo = entryCount
  for (const planned of entries) {
    entryNo += 1n
    const { ofLine, kind, entry } = planned
    if (kind === 'P' && ofLine > linesBefore) beside[ofLine - linesBefore - 1] = { entryNo, entry }
    else apart.push({ accountNumber, firmId, entryNo, ...planned })
  }
  return { beside, apart }
}

function holdingsOf({ books, holdings }: AccountChange): HoldingChange[] {
  const { accountNumber, firmId } = books
  return [...holdings].map(([secNo, changed]) => ({ accountNumber, firmId, secNo, ...changed }))
}

function cashOf({ books, entries }: AccountChange): CashChange[] {
  const { accountNumber, firmId } = books
  return sumCash(entries)
    .filter(({ amount }) => amount !== ZERO)
    .map((change) => ({ accountNumber, firmId, ...change }))
}

function unsettledOf({ books, unsettled }: AccountChange): Unsettled[] {
  const { accountNumber, firmId } = books
  return unsettled.map(({ placed, amount }) => ({
    accountNumber,
    firmId,
    sequence: placed.line.sequence,
    processDate: placed.processDate,
    settleDate: placed.line.settleDate,
    acctType: placed.line.acctType,
    currency: placed.line.currency,
    amount,
  }))
}

function linksOf({ books, links }: AccountChange): NewLink[] {
  const { accountNumber, firmId } = books
  return links.map(([secNo, other]) => ({ accountNumber, firmId, secNo, other }))
}

function breaksOf({ books, breaks }: AccountChange): NewBreak[] {
  return breaks.map((found) => breakOfPosting(books.accountNumber, books.firmId, found))
}

function resolvedOf({ books, resolved }: AccountChange): GoneBreak[] {
  const { accountNumber } = books
  return resolved.map((breakId) => ({ accountNumber, breakId }))
}

function closingsOf({ books, lines, closings }: AccountChange): Revised<Closing>[] {
  const { accountNumber, firmId, lineCount } = books
  const revision = lineCount + BigInt(lines.length)
  return closings.map(({ of, gone }) => ({ accountNumber, firmId, revision, of, gone }))
}

function washesOf({ books, lines, washes }: AccountChange): Revised<Wash>[] {
  const { accountNumber, firmId, lineCount } = books
  const revision = lineCount + BigInt(lines.length)
  return washes.map(({ of, gone }) => ({ accountNumber, firmId, revision, of, gone }))
}

function countOf({ books, lines, entries, links }: AccountChange): BooksCount {
  return {
    accountNumber: books.accountNumber,
    lineCount: books.lineCount + BigInt(lines.length),
    entryCount: books.entryCount + BigInt(entries.length),
    hasLinks: links.length > 0,
  }
}

function eventOf(books: AccountBooks, lines: readonly BookedLine[], loadId: string): AccountEvent {
  const corrects = lines.some(({ line }) => line.cancels || line.rebills)
  let [from, to] = ['', '']
  for (const { processDate } of lines) {
    if (from === '' || processDate < from) from = processDate
    if (processDate > to) to = processDate
  }
  return {
    firmId: books.firmId,
    accountNumber: books.accountNumber,
    type: corrects ? 'activity.corrected' : 'activity.posted',
    content: {
      loadId,
      lines: lines.length,
      processDateFrom: from,
      processDateTo: to,
    },
  }
}
