/** load-activity: lines are read, completed by the rules of the trade, and posted to the books of their accounts. */
import { breaks } from '../../database/faults.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { lineKept } from '../../store/books/append-lines.ts'
import { makePartitions } from '../../store/books/calendar.ts'
import type { LineSecurities } from '../../store/books/lines.ts'
import { readBusinessDay, readFirstClosed } from '../../store/business-day.ts'
import { Directory } from '../directory.ts'
import { fullPace } from '../pace.ts'
import { dateLine } from '../posting/booked-line.ts'
import { completeLines } from '../posting/complete-lines.ts'
import { postBatch } from '../posting/post-batch.ts'
import { partOf, type ReadyLine } from '../posting/ready-line.ts'
import { ChangeWriter } from '../posting/write-changes.ts'
import { fixFacts } from './fix-facts.ts'
import { prepareLines, type ReadyLines } from './prepare-lines.ts'
import { type Load, type Loader, StaleFacts } from './run-load.ts'
import { type DatedLine, setAside } from './set-aside.ts'
import { nothingInHalves, splitByAccount } from './split-by-account.ts'

/** `waits`: lines with a later trade date are set aside for it. */
export function activityLoader(load: Load, { waits = true } = {}): Loader<ReadyLines> {
  const { pool, pace = fullPace } = load
  let directory = new Directory(pool)
  const inUse = new Set<string>()
  const stale = new WeakSet<Directory>()
  let entryMonth = ''
  let businessDateSeen = ''
  let firstClosed: string | undefined
  let halfOfId = nothingInHalves
  // Most feeds send new lines, so ids are looked up only after the first one that exists.
  let looksUpIds = false
  return {
    async prepare(raw) {
      // A new directory, not an emptied one: lines that are being written still use the old one.
      if (directory.isFull) directory = new Directory(pool)
      const ready = await prepareLines(raw, directory, pace, !waits)
      const days = ready.lines.map((line) => processDateOf(line)).filter((day) => day !== undefined)
      if (entryMonth === '') {
        const read = (tx: Tx) => readBusinessDay(tx, load.now())
        const today = await inTransaction(pool, { firm: null, readOnly: true, repeatable: true }, read)
        await makePartitions(pool, { activity: [today], entry: [today] })
        entryMonth = today.slice(0, 7)
        businessDateSeen = today
      }
      if (days.length > 0) await makePartitions(pool, { activity: days, entry: [] })
      return ready
    },
    split(batch, hasRoom) {
      if (!hasRoom) {
        halfOfId = nothingInHalves
        return { parts: [batch], areApart: false }
      }
      const split = splitByAccount(batch, halfOfId)
      halfOfId = split.halfOfId
      return split
    },
    async write(tx, ready, looksUpCash) {
      const now = load.now()
      const known = ready.directory
      if (stale.has(known)) throw new StaleFacts('facts of a security changed after the lines were completed')
      const securities: LineSecurities = {
        learn: (secNos) => known.learnByNumber(tx, secNos),
        securityOf: (secNo) => known.known(secNo).booked,
      }
      const asideOf = { loadId: load.loadId, seen: businessDateSeen, now }
      const aside = waits
        ? await setAside(tx, ready.lines, datedOf, asideOf)
        : { ...nothingAside, left: ready.lines }
      const completed = await completeLines(tx, aside.left, securities, known)
      let writer: ChangeWriter | undefined
      const post = async () => {
        const posted = await postBatch(tx, completed.lines, {
          now,
          looksUpIds,
          looksUpCash,
          securities,
          directory: known,
          pace,
          async onLocked(businessDate) {
            if (businessDate.slice(0, 7) !== entryMonth) {
              entryMonth = ''
              throw new StaleFacts('the business date has moved to another month')
            }
            firstClosed ??= await readFirstClosed(tx)
            for (const line of completed.lines) dateLine(line, { first: firstClosed, businessDate })
            if (!(await fixFacts(tx, completed.lines, known, inUse))) {
              stale.add(known)
              if (directory === known) directory = new Directory(pool)
              throw new StaleFacts('facts of a security changed while its first activity was loaded')
            }
            writer = new ChangeWriter(tx, businessDate, { ...load, now, pace })
          },
          async onChange(change) {
            await writer?.write(change)
          },
        })
        await writer?.finish()
        return posted
      }
      const posted = await post().catch((fault) => {
        // The next attempt leaves out the lines that are booked already.
        if (breaks(fault, lineKept)) looksUpIds = true
        throw fault
      })
      const unbooked = posted.refused.map(({ booked, rejection }) => ({
        line: booked.source,
        rejections: [rejection],
      }))
      const refused = [...ready.refused, ...aside.refused, ...completed.refused, ...unbooked].sort(
        (a, b) => a.line - b.line,
      )
      const added = completed.lines.length - posted.duplicates - posted.conflicts.length - unbooked.length
      return {
        accepted: added + aside.pending,
        pending: aside.pending,
        duplicates: posted.duplicates + aside.duplicates,
        conflicts: [...posted.conflicts, ...aside.conflicts],
        refused,
      }
    },
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
