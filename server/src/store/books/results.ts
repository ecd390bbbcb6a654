/** Stored closings and washes. Rows are appended, and a later revision replaces an earlier one. */
import type { AcctType, Closing, ClosingKind, Term, Wash, WashedClosing } from '@clearing/domain/books'
import { renderDecimal, ZERO } from '@clearing/domain/decimal'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { decimalOfColumn, type GatheredRows, insertRows } from './bulk.ts'

export interface Revised<T> {
  readonly accountNumber: string
  readonly firmId: string
  /** Sequence of the account's last line when the row was written. */
  readonly revision: bigint
  readonly of: T
  /** True if the books no longer contain it. */
  readonly gone: boolean
}

const closingColumns =
  'account_number, external_id, ordinal, revision, firm_id, gone, kind, sec_no, acct_type, lot_id, opened_by, quantity, open_date, holding_start, close_date, settle_date, proceeds, cost, wash_added, gain, cost_known, term, open_fx_rate, close_fx_rate'
const insertClosings = insertRows('insert-closings', 'closing')

function rateCell(rate: bigint): string | null {
  return rate === ZERO ? null : renderDecimal(rate)
}

export function appendClosings(to: GatheredRows, closings: readonly Revised<Closing>[]): void {
  for (const { accountNumber, firmId, revision, of, gone } of closings) {
    to.of(insertClosings).add(
      accountNumber,
      of.lineId,
      of.ordinal,
      revision,
      firmId,
      gone,
      of.kind,
      of.securityKey,
      of.acctType,
      of.lotId,
      of.openedBy,
      renderDecimal(of.quantity),
      of.openDate,
      of.holdingStart,
      of.closeDate,
      of.settleDate,
      renderDecimal(of.proceeds),
      renderDecimal(of.cost),
      renderDecimal(of.washAdded),
      renderDecimal(of.gain),
      of.costKnown,
      of.term,
      rateCell(of.openFxRate),
      rateCell(of.closeFxRate),
    )
  }
}

const washColumns =
  'account_number, loss_external_id, loss_ordinal, lot_id, revision, firm_id, gone, sec_no, quantity, disallowed, wash_date'
const insertWashes = insertRows('insert-washes', 'wash')

export function appendWashes(to: GatheredRows, washes: readonly Revised<Wash>[]): void {
  for (const { accountNumber, firmId, revision, of, gone } of washes) {
    to.of(insertWashes).add(
      accountNumber,
      of.lossLineId,
      of.lossOrdinal,
      of.lotId,
      revision,
      firmId,
      gone,
      of.securityKey,
      renderDecimal(of.quantity),
      renderDecimal(of.disallowed),
      of.date,
    )
  }
}

interface ClosingRow {
  readonly external_id: string
  readonly ordinal: number
  readonly gone: boolean
  readonly kind: ClosingKind
  readonly sec_no: bigint
  readonly acct_type: AcctType
  readonly lot_id: string
  readonly opened_by: string
  readonly quantity: string
  readonly open_date: string
  readonly holding_start: string
  readonly close_date: string
  readonly settle_date: string
  readonly proceeds: string
  readonly cost: string
  readonly wash_added: string
  readonly gain: string
  readonly cost_known: boolean
  readonly term: Term
  readonly open_fx_rate: string | null
  readonly close_fx_rate: string | null
}

interface WashRow {
  readonly loss_external_id: string
  readonly loss_ordinal: number
  readonly lot_id: string
  readonly gone: boolean
  readonly sec_no: bigint
  readonly quantity: string
  readonly disallowed: string
  readonly wash_date: string
}

// The latest revision of each name that ever belonged to one of the securities, even if it now belongs to another.
const selectClosings = statement<ClosingRow>(
  'select-closings-of-securities',
  `select distinct on (external_id, ordinal) ${closingColumns} from clearing.closing
   where account_number = $1 and ($2::bigint[] is null or sec_no = any ($2)) order by external_id, ordinal, revision desc`,
)
const selectWashes = statement<WashRow>(
  'select-washes-of-securities',
  `select distinct on (loss_external_id, loss_ordinal, lot_id) ${washColumns} from clearing.wash
   where account_number = $1 and ($2::bigint[] is null or sec_no = any ($2))
   order by loss_external_id, loss_ordinal, lot_id, revision desc`,
)

function rateOf(text: string | null): bigint {
  return text === null ? ZERO : decimalOfColumn(text)
}

/** The current closings of some securities, or (null) of all. */
export async function readClosings(
  tx: Tx,
  accountNumber: string,
  securities: readonly string[] | null,
): Promise<Closing[]> {
  const rows = await tx.rows(selectClosings, [accountNumber, securities])
  return rows.filter((row) => !row.gone).map(parseClosing)
}

function parseClosing(row: ClosingRow): Closing {
  return {
    lineId: row.external_id,
    ordinal: row.ordinal,
    kind: row.kind,
    securityKey: String(row.sec_no),
    acctType: row.acct_type,
    lotId: row.lot_id,
    openedBy: row.opened_by,
    quantity: decimalOfColumn(row.quantity),
    openDate: row.open_date,
    holdingStart: row.holding_start,
    closeDate: row.close_date,
    settleDate: row.settle_date,
    proceeds: decimalOfColumn(row.proceeds),
    cost: decimalOfColumn(row.cost),
    washAdded: decimalOfColumn(row.wash_added),
    gain: decimalOfColumn(row.gain),
    costKnown: row.cost_known,
    term: row.term,
    openFxRate: rateOf(row.open_fx_rate),
    closeFxRate: rateOf(row.close_fx_rate),
  }
}

// A line of a later day (`$4`) is pending: its closings and its washes do not count yet. The washes of each closing are
// looked up by their key. A join of both would be planned by statistics, and a nested loop over thousands of closings
// takes longer than the time limit.
const selectWashedClosings = statement<ClosingRow & { disallowed: string | null }>(
  'select-washed-closings',
  `select closing.*, (
     select sum(disallowed) from (
       select distinct on (lot_id) disallowed, gone, wash_date from clearing.wash
       where account_number = $1 and loss_external_id = closing.external_id and loss_ordinal = closing.ordinal
       order by lot_id, revision desc
     ) as wash where not gone and wash_date <= $4
   ) as disallowed
   from (
     select distinct on (external_id, ordinal) ${closingColumns} from clearing.closing
     where account_number = $1 order by external_id, ordinal, revision desc
   ) as closing
   where not gone and close_date <= least($3::date, $4::date)
     and (close_date >= $2 or ($5 and kind = 'Cover' and settle_date >= $2))
   order by close_date, external_id collate "C", ordinal`,
)

/** The size of a page in rows, as for activity. */
const pageRowsMax = 100

export interface ClosingRange {
  /** Compared with the closing date. */
  readonly dateFrom: string
  readonly dateTo: string
  /** Also covers that were traded before the range and settle on its first day or later. */
  readonly orSettled?: boolean
}

/**
 * The current closings of a range of days with their disallowed losses, in pages. Lines of days after `until` are
 * pending.
 */
export async function* readWashedClosings(
  tx: Tx,
  accountNumber: string,
  { dateFrom, dateTo, orSettled = false }: ClosingRange,
  until: string,
): AsyncGenerator<WashedClosing[]> {
  const values = [accountNumber, dateFrom, dateTo, until, orSettled]
  for await (const rows of tx.pages(selectWashedClosings, values, pageRowsMax)) {
    yield rows.map((row) => ({
      ...parseClosing(row),
      washDisallowed: row.disallowed === null ? ZERO : decimalOfColumn(row.disallowed),
    }))
  }
}

const selectClosingsOfLines = statement<{ place: number; external_id: string; ordinal: number }>(
  'select-closings-of-lines',
  `select array_position($2::text[], external_id) as place, external_id, ordinal from (
     select distinct on (external_id, ordinal) external_id, ordinal, gone from clearing.closing
     where account_number = $1 and external_id = any ($2) and ($3::bigint is null or revision <= $3)
     order by external_id, ordinal, revision desc
   ) as latest where not gone order by place, ordinal`,
)

/**
 * The names of the closings of each line. `lines` is the sequence of the last line known; null for all.
 *
 * The result is a list and no map, because V8 keeps each text that a map is asked for until the next full collection
 * (decision 172).
 */
export async function readClosingNames(
  tx: Tx,
  { accountNumber, lines }: { readonly accountNumber: string; readonly lines: number | null },
  externalIds: readonly string[],
): Promise<readonly string[][]> {
  const names: string[][] = externalIds.map(() => [])
  for (const { place, external_id: lineId, ordinal } of await tx.rows(selectClosingsOfLines, [
    accountNumber,
    externalIds,
    lines,
  ]))
    names[place - 1]?.push(closingIdOf({ lineId, ordinal }))
  return names
}

/** The id of a closing in responses: the line, and the number of the closing within it, from 1. */
export function closingIdOf({ lineId, ordinal }: Pick<Closing, 'lineId' | 'ordinal'>): string {
  return `${lineId}:${ordinal + 1}`
}

/** The current washes of some securities, or (null) of all. */
export async function readWashes(
  tx: Tx,
  accountNumber: string,
  securities: readonly string[] | null,
): Promise<Wash[]> {
  const rows = await tx.rows(selectWashes, [accountNumber, securities])
  return rows
    .filter((row) => !row.gone)
    .map((row) => ({
      lossLineId: row.loss_external_id,
      lossOrdinal: row.loss_ordinal,
      securityKey: String(row.sec_no),
      lotId: row.lot_id,
      quantity: decimalOfColumn(row.quantity),
      disallowed: decimalOfColumn(row.disallowed),
      date: row.wash_date,
    }))
}

export function nameOfClosing({ lineId, ordinal }: Closing): string {
  return `${ordinal} ${lineId}`
}
export function nameOfWash({ lossLineId, lossOrdinal, lotId }: Wash): string {
  return `${lossOrdinal} ${lossLineId} ${lotId}`
}
