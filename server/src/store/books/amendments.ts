/** Amendments of announcements: the terms that each replaced, and those that it made. */
import { type AnnouncedTerms, bookingDay } from '@clearing/domain/books'
import { json, statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { parseTerms, type StoredTerms, storedOption, storedTerms } from './announced-terms.ts'
import type { StoredAnnouncement } from './announcements.ts'

export interface Amendment {
  /** The id of the line that amended the announcement. */
  readonly externalId: string
  /** The id of the announcement. */
  readonly amends: string
  readonly version: number
  readonly replaced: AnnouncedTerms
  readonly terms: AnnouncedTerms
  readonly amendedAt: string
  readonly loadId: string
}

interface AmendmentRow {
  readonly external_id: string
  readonly amends: string
  readonly version: number
  readonly replaced: StoredTerms
  readonly terms: StoredTerms
  readonly amended_at: string
  readonly load_id: string
}

function parseRow(row: AmendmentRow): Amendment {
  return {
    externalId: row.external_id,
    amends: row.amends,
    version: row.version,
    replaced: parseTerms(row.replaced),
    terms: parseTerms(row.terms),
    amendedAt: row.amended_at,
    loadId: row.load_id,
  }
}

const columns = 'external_id, amends, version, replaced, terms, amended_at, load_id'

const selectOne = statement<AmendmentRow>(
  'select-amendment',
  `select ${columns} from clearing.announcement_amendment where external_id = $1`,
)
export async function readAmendment(tx: Tx, externalId: string): Promise<Amendment | undefined> {
  const row = await tx.row(selectOne, [externalId])
  return row && parseRow(row)
}

const selectOf = statement<AmendmentRow>(
  'select-amendments-of-announcements',
  `select ${columns} from clearing.announcement_amendment where amends = any ($1) order by amends, version`,
)
/** Of announcements, the first one first. */
export async function readAmendmentsOf(tx: Tx, announcements: readonly string[]): Promise<Amendment[]> {
  return announcements.length === 0 ? [] : (await tx.rows(selectOf, [announcements])).map(parseRow)
}

const insertOne = statement(
  'insert-amendment',
  `insert into clearing.announcement_amendment (${columns}) values ($1, $2, $3, $4, $5, $6, $7)`,
)
const replaceTerms = statement(
  'replace-terms-of-announcement',
  `update clearing.announcement set record_date = $2, ex_date = $3, pay_date = $4, book_on = $5, deadline = $6, default_option = $7,
     options = $8, version = $9, amended_at = $10,
     state = case when state = 'Announced' and not exists (
       select from clearing.announced_entitlement as booked where booked.external_id = $1 and booked.lines <> '[]')
       then 'Announced' else 'Amending' end
   where external_id = $1`,
)
/**
 * Replaces the terms of an announcement that `lockAnnouncement` has locked. If lines were booked, they are to be
 * reversed first.
 */
export async function amendAnnouncement(
  tx: Tx,
  before: StoredAnnouncement,
  terms: AnnouncedTerms,
  by: { readonly externalId: string; readonly at: Date; readonly loadId: string },
): Promise<void> {
  const [made, version] = [storedTerms(terms), before.version + 1]
  const { recordDate, exDate, payDate, deadline, defaultOption } = made
  tx.later(insertOne, [
    by.externalId,
    before.externalId,
    version,
    json(storedTerms(before)),
    json(made),
    by.at,
    by.loadId,
  ])
  await tx.run(replaceTerms, [
    ...[before.externalId, recordDate, exDate, payDate, bookingDay(terms), deadline, defaultOption],
    json(terms.options.map(storedOption)),
    version,
    by.at,
  ])
}
