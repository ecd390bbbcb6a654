/**
 * Examines the open announcements: notes who is entitled, books the lines that are due, follows late trades, and
 * reverses what was cancelled or amended. It can be interrupted anywhere and run again.
 */
import type { Pool } from '../../database/pool.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { writeAuditRow } from '../../store/audit.ts'
import {
  type AnnouncementState,
  noteBookedExamined,
  noteExamined,
  readAnnouncements,
  readOpenAnnouncements,
  type StoredAnnouncement,
} from '../../store/books/announcements.ts'
import { type Holder, readHolders, readNamedHolders, readTouchedHolders } from '../../store/books/holders.ts'
import { readBusinessDay } from '../../store/business-day.ts'
import { clearingFirmId } from '../../store/firms.ts'
import { Directory } from '../directory.ts'
import { AnnouncementChanged, bookHolders, holdUnchanged } from './book-holders.ts'
import { type Examination, mayBeElected, type PlannedHolder, planHolders } from './plan-holders.ts'
import { putExamined } from './put-examined.ts'
import { writeAnnouncementEvent } from './tell-firms.ts'

export interface ExaminationSettings {
  readonly pool: Pool
  readonly now: Date
  readonly clientId: string
  readonly traceId: string
}

const readOnly = { firm: null, readOnly: true, repeatable: true } as const
/** Holders examined and booked together. */
const holdersAtOnce = 2_000

export async function examineAnnouncements(settings: ExaminationSettings): Promise<void> {
  const { pool, now } = settings
  for (;;) {
    const { businessDate, open } = await inTransaction(pool, readOnly, async (tx) => ({
      businessDate: await readBusinessDay(tx, now),
      open: await readOpenAnnouncements(tx),
    }))
    let isOvertaken = false
    for (const announcement of open) {
      const state = await examineOpen(settings, announcement, businessDate)
      // What an amended announcement had booked is reversed for every holder before anything is booked anew.
      const end =
        announcement.state === 'Amending' && state !== undefined
          ? await examineOpen(settings, { ...announcement, state }, businessDate)
          : state
      isOvertaken ||= end === undefined
    }
    // Another process may have reversed an announcement and ended before it booked it anew.
    if (isOvertaken) continue
    await followLateLines(settings, businessDate)
    return
  }
}

/** Returns the state after it; undefined when the announcement was changed meanwhile. */
async function examineOpen(
  settings: ExaminationSettings,
  announcement: StoredAnnouncement,
  businessDate: string,
): Promise<AnnouncementState | undefined> {
  const { pool } = settings
  const { state, bookOn, security } = announcement
  const isDue = state === 'Cancelling' || (state !== 'Amending' && bookOn <= businessDate)
  const to = stateAfter(state, isDue)
  const examined = await examine(settings, announcement, { isDue, holders: holdersOf(pool, security) })
  if (!examined) return undefined
  const isNoted = await inTransaction(pool, { firm: null, repeatable: true }, (tx) =>
    noteEnd(tx, settings, announcement, { to, businessDate }),
  )
  return isNoted ? to : undefined
}

/**
 * Compares booked announcements with the trades that arrived late, and with the feed's own lines of the action. Lines
 * that were refused are tried again; those of cancelled announcements are reversals.
 */
async function followLateLines(settings: ExaminationSettings, businessDate: string): Promise<void> {
  const { pool } = settings
  const { touched, announcements } = await inTransaction(pool, readOnly, async (tx) => {
    const accounts = await readTouchedHolders(tx)
    return { touched: accounts, announcements: await readAnnouncements(tx, [...accounts.keys()]) }
  })
  for (const announcement of announcements.toSorted(byExDate)) {
    if (announcement.state !== 'Booked' && announcement.state !== 'Cancelled') continue
    const accounts = touched.get(announcement.externalId) ?? []
    const holders = namedHoldersOf(pool, announcement.security, accounts)
    await examine(settings, announcement, { isDue: true, holders })
  }
  await inTransaction(pool, { firm: null, repeatable: true }, async (tx) =>
    noteBookedExamined(tx, businessDate),
  )
}

function byExDate(a: StoredAnnouncement, b: StoredAnnouncement): number {
  return a.exDate < b.exDate ? -1 : a.exDate > b.exDate ? 1 : 0
}

interface Examined {
  readonly isDue: boolean
  readonly holders: AsyncIterable<readonly Holder[]>
}

/** Returns false when the announcement was changed meanwhile. */
async function examine(
  { pool, now, clientId, traceId }: ExaminationSettings,
  announcement: StoredAnnouncement,
  { isDue, holders }: Examined,
): Promise<boolean> {
  const { security } = announcement
  const directory = new Directory()
  await inTransaction(pool, readOnly, (tx) => directory.learnByNumber(tx, [security]))
  const examination = { announcement, security: directory.known(security).booked, isDue }
  const pages = holdersToBook({ pool, now }, examination, holders)
  const load = { pool, clientId, traceId, now: () => now }
  try {
    const first = await pages.next()
    if (first.done === true) return true
    await bookHolders(load, announcement, startingWith(first.value, pages))
    return true
  } catch (fault) {
    if (fault instanceof AnnouncementChanged) return false
    throw fault
  }
}

function stateAfter(state: AnnouncementState, isDue: boolean): AnnouncementState {
  if (state === 'Cancelling') return 'Cancelled'
  if (state === 'Amending') return 'Announced'
  return isDue ? 'Booked' : state
}

async function noteEnd(
  tx: Tx,
  { now, clientId, traceId }: ExaminationSettings,
  announcement: StoredAnnouncement,
  { to, businessDate }: { readonly to: AnnouncementState; readonly businessDate: string },
): Promise<boolean> {
  const { state, externalId } = announcement
  if (!(await noteExamined(tx, announcement, to, businessDate))) return false
  if (to === state) return true
  writeAuditRow(tx, {
    firmId: clearingFirmId,
    at: now,
    actor: clientId,
    action: to === 'Booked' ? 'book-corporate-action' : 'reverse-corporate-action',
    target: externalId,
    traceId,
    detail: { businessDate },
  })
  if (to === 'Booked')
    writeAnnouncementEvent(tx, 'corporate_action.booked', announcement, { now: () => now, traceId })
  return true
}

/** The holders that need lines, a page at a time. Other entitlements are noted on the way. */
async function* holdersToBook(
  { pool, now }: Pick<ExaminationSettings, 'pool' | 'now'>,
  examination: Examination,
  pages: AsyncIterable<readonly Holder[]>,
): AsyncGenerator<readonly PlannedHolder[], void, undefined> {
  for await (const holders of pages) {
    const scope = mayBeElected(examination)
      ? { firm: null, repeatable: true }
      : ({ ...readOnly, isolation: 'repeatable read' } as const)
    const planned = await inTransaction(pool, scope, (tx) => planHolders(tx, examination, holders))
    const { booked = [], noted = [] } = Object.groupBy(planned, ({ lines }) =>
      lines.length > 0 ? 'booked' : 'noted',
    )
    if (noted.length > 0)
      await inTransaction(pool, { firm: null, repeatable: true }, async (tx) => {
        await holdUnchanged(tx, examination.announcement)
        putExamined(
          tx,
          examination.announcement,
          noted.map(({ examined }) => examined),
          now,
        )
      })
    if (booked.length > 0) yield booked
  }
}

/** All accounts that hold a security or held it once, in pages. */
async function* holdersOf(pool: Pool, secNo: string): AsyncGenerator<readonly Holder[]> {
  let after = ''
  for (;;) {
    const from = after
    const holders = await inTransaction(pool, readOnly, (tx) => readHolders(tx, secNo, from, holdersAtOnce))
    yield holders
    const last = holders.at(-1)
    if (last === undefined || holders.length < holdersAtOnce) return
    after = last.accountNumber
  }
}

async function* namedHoldersOf(
  pool: Pool,
  secNo: string,
  accountNumbers: readonly string[],
): AsyncGenerator<readonly Holder[]> {
  for (let at = 0; at < accountNumbers.length; at += holdersAtOnce) {
    const some = accountNumbers.slice(at, at + holdersAtOnce)
    yield await inTransaction(pool, readOnly, (tx) => readNamedHolders(tx, secNo, some))
  }
}

async function* startingWith<T>(first: T, others: AsyncIterable<T>): AsyncGenerator<T> {
  yield first
  yield* others
}
