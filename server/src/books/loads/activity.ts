/** load-activity: lines are read, completed by the rules of the trade, and posted to the books of their accounts. */
import { breaks } from '../../database/faults.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { lineKept } from '../../store/books/append-lines.ts'
import { makePartitions } from '../../store/books/calendar.ts'
import type { LineSecurities } from '../../store/books/lines.ts'
import { readBusinessDay, readFirstClosed } from '../../store/business-day.ts'
import { Directory } from '../directory.ts'
import type { RawLine } from '../lines/raw-line.ts'
import { fullPace, type Pace } from '../pace.ts'
import { type BookedLine, dateLine } from '../posting/booked-line.ts'
import { completeLines } from '../posting/complete-lines.ts'
import { type BatchSettings, type PostedBatch, postBatch } from '../posting/post-batch.ts'
import { partOf, type ReadyLine } from '../posting/ready-line.ts'
import { ChangeWriter } from '../posting/write-changes.ts'
import { fixFacts } from './fix-facts.ts'
import { prepareLines, type ReadyLines } from './prepare-lines.ts'
import { refuseNew } from './refuse-new.ts'
import { type Batch, type BatchOutcome, type Load, type Loader, type Parts, StaleFacts } from './run-load.ts'
import { type DatedLine, setAside } from './set-aside.ts'
import { nothingInHalves, splitByAccount } from './split-by-account.ts'

/** `waits`: lines with a later trade date are set aside for it. */
export function activityLoader(load: Load, { waits = true } = {}): Loader<ReadyLines> {
  return new ActivityLoader(load, waits)
}

/** One batch is prepared while the parts of another are written, so that all state is shared by both. */
class ActivityLoader implements Loader<ReadyLines> {
  readonly #load: Load
  readonly #waits: boolean
  readonly #pace: Pace
  /** The facts with which batches are prepared. */
  #directory: Directory
  /** Directories with facts that have changed since. Lines that they completed are prepared again. */
  readonly #stale = new WeakSet<Directory>()
  /** Securities whose facts are fixed. */
  readonly #inUse = new Set<string>()
  /** The month whose partitions for entries exist; empty until the first batch, and after the month has ended. */
  #entryMonth = ''
  /** A business date that was open during the load. The date only advances. */
  #businessDateSeen = ''
  #firstClosed: string | undefined
  #halfOfId = nothingInHalves
  /** Most feeds send new lines, so ids are looked up only after the first one that exists. */
  #looksUpIds = false

  constructor(load: Load, waits: boolean) {
    this.#load = load
    this.#waits = waits
    this.#pace = load.pace ?? fullPace
    this.#directory = new Directory(load.pool)
  }

  async prepare(raw: readonly RawLine[]): Promise<ReadyLines> {
    const { pool } = this.#load
    // A new directory, not an emptied one: lines that are being written still use the old one.
    if (this.#directory.isFull) this.#directory = new Directory(pool)
    const ready = await prepareLines(raw, this.#directory, this.#pace, !this.#waits)
    const days = ready.lines.map((line) => processDateOf(line)).filter((day) => day !== undefined)
    if (this.#entryMonth === '') await this.#beginMonth()
    if (days.length > 0) await makePartitions(pool, { activity: days, entry: [] })
    return ready
  }

  async #beginMonth(): Promise<void> {
    const { pool, now } = this.#load
    const read = (tx: Tx) => readBusinessDay(tx, now())
    const today = await inTransaction(pool, { firm: null, readOnly: true, repeatable: true }, read)
    await makePartitions(pool, { activity: [today], entry: [today] })
    this.#entryMonth = today.slice(0, 7)
    this.#businessDateSeen = today
  }

  split(batch: Batch<ReadyLines>, hasRoom: boolean): Parts<ReadyLines> {
    if (!hasRoom) {
      this.#halfOfId = nothingInHalves
      return { parts: [batch], areApart: false }
    }
    const split = splitByAccount(batch, this.#halfOfId)
    this.#halfOfId = split.halfOfId
    return split
  }

  async write(tx: Tx, ready: ReadyLines, closely: boolean): Promise<BatchOutcome> {
    const { directory } = ready
    if (this.#stale.has(directory))
      throw new StaleFacts('facts of a security changed after the lines were completed')
    const securities: LineSecurities = {
      learn: (secNos) => directory.learnByNumber(tx, secNos),
      securityOf: (secNo) => directory.known(secNo).booked,
    }
    const now = this.#load.now()
    const asideOf = { loadId: this.#load.loadId, seen: this.#businessDateSeen, now }
    const fit = await refuseNew(tx, ready.lines, { areDue: !this.#waits, seen: this.#businessDateSeen, now })
    const aside = this.#waits
      ? await setAside(tx, fit.left, datedOf, asideOf)
      : { ...nothingAside, left: fit.left }
    const completed = await completeLines(tx, aside.left, securities, directory)
    const posted = await this.#post(tx, completed.lines, { directory, securities, closely, now })
    const unbooked = posted.refused.map(({ booked, rejection }) => ({
      line: booked.source,
      rejections: [rejection],
    }))
    const refused = [
      ...ready.refused,
      ...fit.refused,
      ...aside.refused,
      ...completed.refused,
      ...unbooked,
    ].sort((a, b) => a.line - b.line)
    const added = completed.lines.length - posted.duplicates - posted.conflicts.length - unbooked.length
    return {
      accepted: added + aside.pending,
      pending: aside.pending,
      duplicates: posted.duplicates + aside.duplicates,
      conflicts: [...posted.conflicts, ...aside.conflicts],
      refused,
    }
  }

  async #post(
    tx: Tx,
    lines: readonly BookedLine[],
    {
      directory,
      securities,
      closely,
      now,
    }: {
      readonly directory: Directory
      readonly securities: LineSecurities
      readonly closely: boolean
      readonly now: Date
    },
  ): Promise<PostedBatch> {
    const pace = this.#pace
    let writer: ChangeWriter | undefined
    const settings: BatchSettings = {
      now,
      looksUpIds: this.#looksUpIds,
      looksUpCash: closely,
      securities,
      directory,
      pace,
      onLocked: async (businessDate) => {
        await this.#dateLines(tx, lines, businessDate)
        if (!(await fixFacts(tx, lines, directory, this.#inUse))) {
          this.#forget(directory)
          throw new StaleFacts('facts of a security changed while its first activity was loaded')
        }
        writer = new ChangeWriter(tx, businessDate, { ...this.#load, now, pace })
      },
      onChange: async (change) => {
        await writer?.write(change)
      },
    }
    try {
      const posted = await postBatch(tx, lines, settings)
      await writer?.finish()
      return posted
    } catch (fault) {
      // The next attempt leaves out the lines that are booked already.
      if (breaks(fault, lineKept)) this.#looksUpIds = true
      throw fault
    }
  }

  async #dateLines(tx: Tx, lines: readonly BookedLine[], businessDate: string): Promise<void> {
    if (businessDate.slice(0, 7) !== this.#entryMonth) {
      this.#entryMonth = ''
      throw new StaleFacts('the business date has moved to another month')
    }
    this.#firstClosed ??= await readFirstClosed(tx)
    for (const line of lines) dateLine(line, { first: this.#firstClosed, businessDate })
  }

  #forget(directory: Directory): void {
    this.#stale.add(directory)
    if (this.#directory === directory) this.#directory = new Directory(this.#load.pool)
  }
}

const nothingAside = { pending: 0, duplicates: 0, conflicts: [], refused: [] }

function datedOf(ready: ReadyLine): DatedLine {
  const { source, account, values } = partOf(ready)
  const { firmId, accountNumber } = account
  const { security, toSecurity } = 'booked' in ready ? ready.booked.line : nothingFound
  const found = { secNo: security?.key, toSecNo: toSecurity?.key }
  return {
    source,
    firmId,
    accountNumber,
    values,
    members: ready.members,
    found,
    isUnnamed: 'unnamed' in ready,
  }
}

const nothingFound = { security: undefined, toSecurity: undefined }

function processDateOf(line: ReadyLine): string | undefined {
  if ('booked' in line) return line.booked.processDate
  const { values } = partOf(line)
  return values.processDate ?? values.tradeDate
}
