/** Announced corporate actions: their terms, and their state from the announcement to the last line of a holder. */
import {
  type AnnouncedTerms,
  type AnnouncedType,
  type Announcement,
  bookingDay,
} from '@clearing/domain/books'
import { json, statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { parseOption, type StoredOption, storedOption } from './announced-terms.ts'

export type AnnouncementState = 'Announced' | 'Booked' | 'Amending' | 'Cancelling' | 'Cancelled'

export interface StoredAnnouncement extends Announcement {
  readonly bookOn: string
  readonly state: AnnouncementState
  readonly announcedAt: string
  readonly loadId: string
  readonly cancelledBy: string | undefined
  /** Of the terms, from 1. */
  readonly version: number
  readonly amendedAt: string | undefined
}

interface AnnouncementRow {
  readonly external_id: string
  readonly type: AnnouncedType
  readonly sec_no: bigint
  readonly record_date: string | null
  readonly ex_date: string
  readonly pay_date: string
  readonly deadline: string | null
  readonly default_option: string
  readonly options: readonly StoredOption[]
  readonly announced_at: string
  readonly load_id: string
  readonly state: AnnouncementState
  readonly cancelled_by: string | null
  readonly version: number
  readonly amended_at: string | null
}

const columns = [
  ...['external_id', 'type', 'sec_no', 'record_date', 'ex_date', 'pay_date', 'deadline'],
  ...['default_option', 'options', 'announced_at', 'load_id', 'state', 'cancelled_by'],
  ...['version', 'amended_at'],
]
  .map((name) => `announcement.${name}`)
  .join(', ')

// The day of booking follows from the terms: an earlier release stored the pay date for shares too (decision 257).
function parseRow(row: AnnouncementRow): StoredAnnouncement {
  const terms = termsOf(row)
  return {
    externalId: row.external_id,
    type: row.type,
    security: String(row.sec_no),
    ...terms,
    bookOn: bookingDay(terms),
    state: row.state,
    announcedAt: row.announced_at,
    loadId: row.load_id,
    cancelledBy: row.cancelled_by ?? undefined,
    version: row.version,
    amendedAt: row.amended_at ?? undefined,
  }
}

function termsOf(row: AnnouncementRow): AnnouncedTerms {
  return {
    recordDate: row.record_date ?? undefined,
    exDate: row.ex_date,
    payDate: row.pay_date,
    options: row.options.map(parseOption),
    defaultOption: row.default_option,
    deadline: row.deadline ?? undefined,
  }
}

const insertOne = statement<{ external_id: string }>(
  'insert-announcement',
  `insert into clearing.announcement (external_id, type, sec_no, record_date, ex_date, pay_date, book_on, deadline,
     default_option, options, announced_at, load_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict do nothing returning external_id`,
)

/** Stores an announcement. Returns false when its id exists. */
export async function putAnnouncement(
  tx: Tx,
  announcement: Announcement & { readonly bookOn: string },
  { at, loadId }: { readonly at: Date; readonly loadId: string },
): Promise<boolean> {
  const { externalId, type, security, recordDate, exDate, payDate, bookOn, deadline } = announcement
  const row = await tx.row(insertOne, [
    externalId,
    type,
    security,
    recordDate ?? null,
    exDate,
    payDate,
    bookOn,
    deadline ?? null,
    announcement.defaultOption,
    json(announcement.options.map(storedOption)),
    at,
    loadId,
  ])
  return row !== undefined
}

const selectSame = statement<{ external_id: string }>(
  'select-same-action',
  `select external_id from clearing.announcement
   where sec_no = $1 and type = $2 and ex_date = $3 and pay_date = $4 and options = $5::jsonb
     and state not in ('Cancelling', 'Cancelled') and external_id <> $6 order by announced_at limit 1`,
)
/**
 * The id of another announcement that would book the same lines. The record date and the deadline are not compared,
 * because sources differ in what they report. Call `holdAnnouncing` before.
 */
export async function findSameAction(
  tx: Tx,
  { security, type, exDate, payDate, options }: Announcement,
  otherThan: string,
): Promise<string | undefined> {
  const terms = json(options.map(storedOption))
  return (await tx.row(selectSame, [security, type, exDate, payDate, terms, otherThan]))?.external_id
}

/** The advisory lock of the announcements of a security. */
const announcingLock = 7_016
const lockAnnouncing = statement(
  'hold-announcements-of-securities',
  `select pg_catalog.pg_advisory_xact_lock($1::integer, name) from (
     select distinct pg_catalog.hashtext(sec_no) as name from unnest($2::text[]) as sec_no order by name) as ordered`,
)
/** No other transaction announces or amends an action of these securities until this one ends. */
export function holdAnnouncing(tx: Tx, securities: readonly string[]): void {
  if (securities.length > 0) tx.later(lockAnnouncing, [announcingLock, securities])
}

/**
 * The fields of an announcement that differ from those of another with the same id, in the names of a line. The
 * ex-date agrees with the former one too.
 */
export function termsOtherwise(given: Announcement, stored: Announcement, formerExDate: string): string[] {
  const plain = ({ options, ...rest }: Announcement) => ({
    ...rest,
    options: json(options.map(storedOption)),
  })
  const [one, other] = [plain(given), plain(stored)]
  const names = {
    type: 'type',
    security: 'cusip',
    recordDate: 'recordDate',
    exDate: 'exDate',
    payDate: 'payDate',
    deadline: 'deadline',
    defaultOption: 'defaultOption',
    options: 'options',
  } as const
  return (Object.keys(names) as (keyof typeof names)[])
    .filter((name) => one[name] !== other[name] && !(name === 'exDate' && other.exDate === formerExDate))
    .map((name) => names[name])
}

const selectNamed = statement<AnnouncementRow>(
  'select-announcements',
  `select ${columns} from clearing.announcement where external_id = any ($1) or cancelled_by = any ($1)`,
)
/** Announcements by their ids, and those that lines with these ids cancelled. */
export async function readAnnouncements(tx: Tx, ids: readonly string[]): Promise<StoredAnnouncement[]> {
  return ids.length === 0 ? [] : (await tx.rows(selectNamed, [ids])).map(parseRow)
}

const selectOne = statement<AnnouncementRow>(
  'select-announcement',
  `select ${columns} from clearing.announcement where external_id = $1`,
)
export async function readAnnouncement(tx: Tx, externalId: string): Promise<StoredAnnouncement | undefined> {
  const row = await tx.row(selectOne, [externalId])
  return row && parseRow(row)
}

const lockOne = statement<AnnouncementRow>(
  'lock-announcement',
  `select ${columns} from clearing.announcement where external_id = $1 for no key update`,
)
/** Waits for lines of it that are being booked, and lets no further one be booked until the transaction ends. */
export async function lockAnnouncement(tx: Tx, externalId: string): Promise<StoredAnnouncement | undefined> {
  const row = await tx.row(lockOne, [externalId])
  return row && parseRow(row)
}

const cancelOne = statement(
  'cancel-announcement',
  `update clearing.announcement set state = 'Cancelling', cancelled_by = $2, cancelled_at = $3
   where external_id = $1 and cancelled_by is null`,
)
/** Returns false when it was cancelled before. */
export async function cancelAnnouncement(tx: Tx, externalId: string, by: string, at: Date): Promise<boolean> {
  return (await tx.run(cancelOne, [externalId, by, at])) > 0
}

// Those of an earlier ex-date first: what they make is held when the next ones take effect.
const selectOpen = statement<AnnouncementRow>(
  'select-open-announcements',
  `select ${columns} from clearing.announcement where state in ('Announced', 'Amending', 'Cancelling')
   order by ex_date, external_id`,
)
/** The announcements whose lines are not booked yet, or not reversed. */
export async function readOpenAnnouncements(tx: Tx): Promise<StoredAnnouncement[]> {
  return (await tx.rows(selectOpen)).map(parseRow)
}

const selectAny = statement<{ open: boolean }>(
  'select-any-announcement',
  `select exists (select from clearing.announcement where state <> 'Cancelled')
     or exists (select from clearing.announced_entitlement where state = 'Refused') as open`,
)
/** Whether a close has work with announcements. */
export async function isAnyAnnouncement(tx: Tx): Promise<boolean> {
  return (await tx.row(selectAny))?.open === true
}

const updateState = statement(
  'examine-announcement',
  `update clearing.announcement set state = $2, examined_on = $3 where external_id = $1 and state = $4 and version = $5`,
)
/** Notes that every holder was examined on a business date. Returns false when the state or the terms changed. */
export async function noteExamined(
  tx: Tx,
  { externalId, state, version }: StoredAnnouncement,
  to: AnnouncementState,
  businessDate: string,
): Promise<boolean> {
  return (await tx.run(updateState, [externalId, to, businessDate, state, version])) > 0
}

const shareOne = statement<Pick<AnnouncementRow, 'state' | 'version'>>(
  'share-announcement',
  `select state, version from clearing.announcement where external_id = $1 for share`,
)
/** Whether the announcement still has its state and terms. They cannot change until the transaction ends. */
export async function holdAnnouncement(
  tx: Tx,
  { externalId, state, version }: StoredAnnouncement,
): Promise<boolean> {
  const row = await tx.row(shareOne, [externalId])
  return row?.state === state && row.version === version
}

const examineBooked = statement(
  'examine-booked-announcements',
  `update clearing.announcement set examined_on = $1 where state = 'Booked' and examined_on < $1`,
)
/** Notes that the lines of all booked announcements were compared with what arrived before a business date. */
export function noteBookedExamined(tx: Tx, businessDate: string): void {
  tx.later(examineBooked, [businessDate])
}

export type AnnouncementPlace = readonly [payDate: string, externalId: string]

const selectPage = statement<AnnouncementRow>(
  'select-page-of-announcements',
  `select ${columns} from clearing.announcement
   where ($1::text is null or external_id = $1) and ($2::bigint[] is null or sec_no = any ($2))
     and ($3::text is null or state = $3)
     and ($4::date is null or (pay_date, external_id) < ($4, $5))
   order by pay_date desc, external_id desc limit $6`,
)
/** The latest pay date first. */
export async function findAnnouncements(
  tx: Tx,
  filter: {
    readonly externalId: string | undefined
    readonly secNos: readonly string[] | undefined
    readonly state: string | undefined
  },
  after: AnnouncementPlace | undefined,
  most: number,
): Promise<StoredAnnouncement[]> {
  const [payDate, externalId] = after ?? [null, null]
  const values = [
    filter.externalId ?? null,
    filter.secNos ?? null,
    filter.state ?? null,
    payDate,
    externalId,
    most,
  ]
  return (await tx.rows(selectPage, values)).map(parseRow)
}

const selectUnexamined = statement<{ external_id: string }>(
  'select-unexamined-announcements',
  `select external_id from clearing.announcement where state in ('Amending', 'Cancelling')
     or state = 'Announced' and book_on <= coalesce((select business_date from clearing.business_day), current_date)
   order by external_id limit 20`,
)
/** Ids of actions whose lines are due now and not all booked, or not all reversed. */
export async function readUnexamined(tx: Tx): Promise<string[]> {
  return (await tx.rows(selectUnexamined)).map(({ external_id }) => external_id)
}

const selectAwaited = statement<{ external_id: string; terms: string }>(
  'select-awaited-announcements',
  `select external_id, concat_ws(' ', sec_no, type, ex_date, pay_date, deadline, default_option, options) as terms
   from clearing.announcement where state = 'Announced' and ($1::uuid is null or exists (
     select from clearing.holding where holding.sec_no = announcement.sec_no and holding.firm_id = $1))
   order by external_id`,
)
/** The terms of each action that is not booked yet, by its id: of all securities, or of those that the firm holds. */
export async function readAwaitedTerms(tx: Tx, firmId: string | null): Promise<Map<string, string>> {
  const rows = await tx.rows(selectAwaited, [firmId])
  return new Map(rows.map(({ external_id, terms }) => [external_id, terms]))
}
