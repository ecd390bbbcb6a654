/** load-activity: lines are read, completed by the rules of the trade, and posted to the books of their accounts. */
import type { Security } from '@clearing/domain/books'
import { breaks } from '../../database/faults.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { lineKept } from '../../store/books/append-lines.ts'
import { makePartitions } from '../../store/books/calendar.ts'
import type { LineSecurities } from '../../store/books/lines.ts'
import type { RefusedLine } from '../../store/books/loads.ts'
import { markSecuritiesInUse } from '../../store/books/securities.ts'
import { readBusinessDay, readFirstClosed } from '../../store/business-day.ts'
import { Directory, isPool, type Named } from '../directory.ts'
import type { RawLine } from '../lines/raw-line.ts'
import { LineReader } from '../lines/read-line.ts'
import { type ActivityValues, activityShape } from '../lines/shapes.ts'
import { fullPace, type Pace } from '../pace.ts'
import { bookLine, locateLine } from '../posting/book-line.ts'
import { type BookedLine, dateLine } from '../posting/booked-line.ts'
import { completeLines, type RawMembers, type ReadyLine } from '../posting/complete-lines.ts'
import { findNamed, identifiers, identifiersReceived } from '../posting/find-named.ts'
import { postBatch } from '../posting/post-batch.ts'
import { ChangeWriter } from '../posting/write-changes.ts'
import { type Batch, type Load, type Loader, type Parts, StaleFacts } from './run-load.ts'
import { type DatedLine, setAside } from './set-aside.ts'

interface ReadLine {
  readonly source: number
  readonly values: ActivityValues
  readonly members: RawMembers
}

interface ReadyLines {
  readonly lines: readonly ReadyLine[]
  readonly refused: readonly RefusedLine[]
  /** The firm whose facts completed the lines. */
  readonly directory: Directory
}

const reader = new LineReader(activityShape)

/** The number of lines to read before database responses are handled again. */
const linesAtOnce = 250

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

function partOf(line: ReadyLine): Pick<BookedLine, 'source' | 'account' | 'values'> {
  if ('booked' in line) return line.booked
  return 'cancel' in line ? line.cancel : line.unnamed
}

/** A smaller batch is written before a second connection could begin. */
const splitLinesMin = 4_000

/** The half that contains each id of a batch's lines. */
type HalfOfId = ReadonlyMap<string, number>

/**
 * Divides a batch into two halves with separate accounts. The batch stays whole when an id, or the id that a
 * correction names, is in both halves: the order of two lines with one id decides which one counts. `before`
 * are the ids of the previous batch.
 */
function splitByAccount(
  { raw, ready }: Batch<ReadyLines>,
  before: HalfOfId,
): Parts<ReadyLines> & { readonly halfOfId: HalfOfId } {
  const whole = { parts: [{ raw, ready }], areApart: false, halfOfId: nothingInHalves }
  if (ready.lines.length < splitLinesMin) return whole
  const halves: [ReadyLine[], ReadyLine[]] = [[], []]
  const halfOfId = new Map<string, number>()
  const corrections: { readonly tagNo: string; readonly half: number }[] = []
  const seconds = new Set<number>()
  let areApart = true
  for (const line of ready.lines) {
    const { account, source, values } = partOf(line)
    const half = halfOf(account.accountNumber)
    const id = values.externalId ?? ''
    if ((halfOfId.get(id) ?? half) !== half) return whole
    if ((before.get(id) ?? half) !== half) areApart = false
    halfOfId.set(id, half)
    if (values.tagNo !== undefined) corrections.push({ tagNo: values.tagNo, half })
    halves[half].push(line)
    if (half === 1) seconds.add(source)
  }
  for (const { tagNo, half } of corrections) {
    if ((halfOfId.get(tagNo) ?? half) !== half) return whole
    if ((before.get(tagNo) ?? half) !== half) areApart = false
  }
  return {
    parts: [
      { raw: raw.filter(({ line }) => !seconds.has(line)), ready: { ...ready, lines: halves[0] } },
      {
        raw: raw.filter(({ line }) => seconds.has(line)),
        ready: { ...ready, lines: halves[1], refused: [] },
      },
    ],
    areApart,
    halfOfId,
  }
}

const nothingInHalves: HalfOfId = new Map()

/** Uses all characters of the account number, because feeds sort accounts in many ways. */
function halfOf(accountNumber: string): 0 | 1 {
  let sum = 0
  for (let at = 0; at < accountNumber.length; at += 1) sum = (sum * 31 + accountNumber.charCodeAt(at)) | 0
  return ((sum ^ (sum >> 8)) & 1) as 0 | 1
}

function processDateOf(line: ReadyLine): string | undefined {
  if ('booked' in line) return line.booked.processDate
  const { values } = partOf(line)
  return values.processDate ?? values.tradeDate
}

/** `areDue`: the lines were pending, so that their securities were found when they were accepted. */
async function prepareLines(
  raw: readonly RawLine[],
  directory: Directory,
  pace: Pace,
  areDue: boolean,
): Promise<ReadyLines> {
  const nextSlice = pace.slices()
  const refused: RefusedLine[] = []
  const read: ReadLine[] = []
  for (let at = 0; at < raw.length; at += 1) {
    if (at % linesAtOnce === 0) await nextSlice()
    const line = raw[at] as RawLine
    if ('rejection' in line) {
      refused.push({ line: line.line, rejections: [line.rejection] })
      continue
    }
    const reading = reader.read(line.members)
    if ('rejections' in reading) refused.push({ line: line.line, rejections: reading.rejections })
    else read.push({ source: line.line, values: reading.values, members: line.members })
  }
  const accountNumbers = new Set<string>()
  const securities: Named[] = []
  for (const { values } of read) {
    if (values.acctNo !== undefined) accountNumbers.add(values.acctNo)
    addNames(securities, values)
  }
  await directory.learn(accountNumbers, securities)
  await learnPools(read, directory)
  const locate = ({ source, values }: ReadLine) => locateLine(source, values, directory, areDue)
  const lines: ReadyLine[] = []
  const unnamed: ReadLine[] = []
  const add = (line: ReadLine, isLast: boolean) => {
    const { source, values, members } = line
    const located = locate(line)
    if ('rejections' in located) {
      if (!('account' in located)) refused.push({ line: source, rejections: located.rejections })
      else if (isLast) lines.push({ unnamed: located, members })
      else unnamed.push(line)
    } else if (values.cancelType === 'C') lines.push({ cancel: located, members })
    else {
      const booked = bookLine(located)
      if ('rejections' in booked) refused.push({ line: source, rejections: booked.rejections })
      else lines.push({ ...booked, members })
    }
  }
  for (let at = 0; at < read.length; at += 1) {
    if (at % linesAtOnce === 0) await nextSlice()
    add(read[at] as ReadLine, false)
  }
  if (unnamed.length > 0) {
    await directory.learnPast(unnamed.flatMap(({ values }) => namedBesideSymbol(values, directory)))
    for (const line of unnamed) add(line, true)
    lines.sort((one, other) => partOf(one).source - partOf(other).source)
  }
  return { lines, refused, directory }
}

/** Reads the earlier factors of the pools that the lines name. */
async function learnPools(lines: readonly ReadLine[], directory: Directory): Promise<void> {
  const pools = new Set<string>()
  for (const { values } of lines) {
    for (const [field, name] of identifiers) {
      const value = values[field]
      const found = value === undefined ? undefined : directory.find(name, value)
      if (found !== undefined && isPool(found)) pools.add(found.booked.key)
    }
  }
  if (pools.size > 0) await directory.learnPast(pools)
}

/** The securities that the line names by other identifiers than the symbol. */
function namedBesideSymbol(values: ActivityValues, directory: Directory): string[] {
  const { symbol: _, toSymbol: _received, ...others } = values
  return [identifiers, identifiersReceived].flatMap((names) => {
    const found = findNamed(names, others, directory, [])
    return found === undefined ? [] : [found.booked.key]
  })
}

/** The values of a line name its security themselves. */
function addNames(securities: Named[], values: ActivityValues): void {
  securities.push(values)
  const { toCusip, toIsin, toSedol, toSymbol, toSecNo } = values
  if (
    toCusip === undefined &&
    toIsin === undefined &&
    toSedol === undefined &&
    toSymbol === undefined &&
    toSecNo === undefined
  ) {
    return
  }
  securities.push({ cusip: toCusip, isin: toIsin, sedol: toSedol, symbol: toSymbol, secNo: toSecNo })
}

/**
 * Fixes the facts of securities that activity names for the first time. Returns false when they differ from the facts
 * that completed the lines. `inUse` caches the securities whose mark is known to be committed.
 */
async function fixFacts(
  tx: Tx,
  lines: readonly BookedLine[],
  directory: Directory,
  inUse: Set<string>,
): Promise<boolean> {
  const fresh = new Set<string>()
  const note = (security: Security | undefined) => {
    if (security === undefined || inUse.has(security.key)) return
    if (directory.known(security.key).row.in_use) inUse.add(security.key)
    else fresh.add(security.key)
  }
  for (const { line } of lines) {
    note(line.security)
    note(line.toSecurity)
  }
  if (fresh.size === 0) return true
  for (const { sec_no, updated_at } of await markSecuritiesInUse(tx, [...fresh])) {
    fresh.delete(String(sec_no))
    if (directory.known(String(sec_no)).row.updated_at === updated_at) continue
    return false
  }
  for (const secNo of fresh) inUse.add(secNo)
  return true
}
