/** Stored lines of activity: found by their ids, and read back for folding. */
import type { AcctType, ActivityLine, BuySell, Security, TransType } from '@clearing/domain/books'
import { decimal, ZERO } from '@clearing/domain/decimal'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { decimalOfColumn } from './bulk.ts'
import type { Terms } from './line-terms.ts'

/** A booked line with its position in the books. */
export interface StoredLine {
  readonly line: ActivityLine
  readonly processDate: string
}

/** A line with the business date on which it was entered. */
export interface KnownLine extends StoredLine {
  readonly enteredOn: string
}

interface LineRow {
  readonly process_date: string
  readonly sequence: bigint
  readonly external_id: string
  readonly acct_type: AcctType
  readonly trans_type: TransType
  readonly buy_sell: BuySell | null
  readonly sec_no: bigint | null
  readonly to_sec_no: bigint | null
  readonly quantity: string
  readonly price: string | null
  readonly commission: string
  readonly sec_fee: string
  readonly interest: string
  readonly net_amount: string | null
  readonly currency: string
  readonly trade_date: string
  readonly settle_date: string
  readonly as_of_date: string | null
  readonly lot_id: string | null
  readonly order_id: string | null
  readonly correction: 'C' | 'R' | null
  readonly tag_no: string | null
  readonly fx_rate: string | null
  readonly terms: Terms | null
  readonly entered_on: string
}

const lineColumns = [
  ...[
    'process_date',
    'sequence',
    'external_id',
    'acct_type',
    'trans_type',
    'buy_sell',
    'sec_no',
    'to_sec_no',
  ],
  ...[
    'quantity',
    'price',
    'commission',
    'sec_fee',
    'interest',
    'net_amount',
    'currency',
    'trade_date',
    'settle_date',
  ],
  ...['as_of_date', 'lot_id', 'order_id', 'correction', 'tag_no', 'fx_rate', 'terms', 'entered_on'],
]
  .map((name) => `activity.${name}`)
  .join(', ')

const selectOriginals = statement<LineRow & { firm_id: string; account_number: string }>(
  'select-corrected-lines',
  `select ${lineColumns}, activity.firm_id, activity.account_number
   from unnest($1::uuid[], $2::text[]) as named (firm_id, external_id)
   join clearing.activity_key as key using (firm_id, external_id)
   join clearing.activity using (account_number, process_date, sequence)`,
)
const selectKept = statement<
  LineRow & { firm_id: string; account_number: string; record: string; entered_on: string }
>(
  'select-kept-lines',
  `select ${lineColumns}, activity.firm_id, activity.account_number, activity.record, activity.entered_on
   from unnest($1::uuid[], $2::text[]) as named (firm_id, external_id)
   join clearing.activity_key as key using (firm_id, external_id)
   join clearing.activity using (account_number, process_date, sequence)`,
)
const selectOfSecurities = statement<LineRow>(
  'select-lines-of-securities',
  `select ${lineColumns} from clearing.activity
   where account_number = $1 and (sec_no = any ($2) or to_sec_no = any ($2) or (0 = any ($2) and sec_no is null))`,
)
const selectOfAccount = statement<LineRow>(
  'select-lines-of-account',
  `select ${lineColumns} from clearing.activity where account_number = $1`,
)
const selectUntil = statement<LineRow>(
  'select-lines-until',
  `select ${lineColumns} from clearing.activity
   where account_number = $1 and ($3::bigint is null or sequence <= $3)
     and (trade_date <= $2 or correction = 'C' or external_id = any (array(
       select tag_no from clearing.correction as named where named.account_number = $1 and named.correction = 'R')))`,
)
const selectAhead = statement<LineRow>(
  'select-lines-after-a-day',
  `select ${lineColumns} from clearing.activity
   where account_number = $1 and entered_on > $2 and trade_date > $2 and correction is distinct from 'C' and not exists (
     select from clearing.correction as named where named.account_number = $1 and named.tag_no = activity.external_id
       and named.correction = 'C')
   order by sequence`,
)
const selectKnownIds = statement<{ external_id: string }>(
  'select-known-activity-ids',
  `select external_id from clearing.activity_key join unnest($2::text[]) as named (external_id) using (external_id)
   where firm_id = $1`,
)
const selectDeliveries = statement<{ external_id: string }>(
  'select-lines-that-deliver',
  `select activity.external_id from clearing.account
   join clearing.activity_key as key on key.firm_id = account.firm_id and key.external_id = any ($2)
   join clearing.activity on activity.account_number = key.account_number and activity.process_date = key.process_date
     and activity.sequence = key.sequence
   where account.account_number = $1 and key.account_number = $1 and to_sec_no is not null`,
)
const selectCorrections = statement<CorrectionRow>(
  'select-corrections-of-lines',
  `select account_number, tag_no, correction, sec_no from clearing.correction
   join unnest($1::text[], $2::text[]) as named (account_number, tag_no) using (account_number, tag_no)`,
)

export interface CorrectionRow {
  readonly account_number: string
  readonly tag_no: string
  readonly correction: 'C' | 'R'
  /** Sequence of the correcting line; 0 without one. */
  readonly sec_no: bigint
}

/** A security by its number. The security must be known. */
export type SecurityOf = (secNo: string) => Security

function parseLine(row: LineRow, securityOf: SecurityOf): KnownLine {
  const { terms } = row
  const amount = (text: string | null | undefined) =>
    text === null || text === undefined ? undefined : decimalOfColumn(text)
  const security = row.sec_no === null ? undefined : securityOf(String(row.sec_no))
  const line: ActivityLine = {
    externalId: row.external_id,
    sequence: Number(row.sequence),
    acctType: row.acct_type,
    transType: row.trans_type,
    buySell: row.buy_sell ?? undefined,
    security:
      security !== undefined && terms?.factor !== undefined
        ? { ...security, factor: decimal(terms.factor) }
        : security,
    quantity: decimalOfColumn(row.quantity),
    price: amount(row.price),
    commission: decimalOfColumn(row.commission),
    secFee: decimalOfColumn(row.sec_fee),
    interest: decimalOfColumn(row.interest),
    netAmount: amount(row.net_amount),
    currency: row.currency,
    tradeDate: row.trade_date,
    settleDate: row.settle_date,
    asOfDate: row.as_of_date ?? undefined,
    lotId: row.lot_id ?? undefined,
    order: row.order_id ?? row.external_id,
    cancels: row.correction === 'C',
    rebills: row.correction === 'R',
    tagNo: row.tag_no ?? undefined,
    openDate: terms?.openDate,
    cost: amount(terms?.cost),
    ratio:
      terms?.ratio === undefined
        ? undefined
        : { received: decimal(terms.ratio[0]), held: decimal(terms.ratio[1]) },
    signedByRatio: terms?.signedByRatio,
    pairs: terms?.pairs,
    soldShort: terms?.soldShort,
    besideShares: terms?.besideShares,
    startOfDay: terms?.startOfDay,
    toSecurity: row.to_sec_no === null ? undefined : securityOf(String(row.to_sec_no)),
    cashPerShare: amount(terms?.cashPerShare),
    costShare: amount(terms?.costShare),
    taxable: terms?.taxable,
    inherited: terms?.inherited,
    cashInLieu: amount(terms?.cashInLieu),
    fxRate: row.fx_rate === null ? ZERO : decimalOfColumn(row.fx_rate),
  }
  return { line, processDate: row.process_date, enteredOn: row.entered_on }
}

/** Makes the securities of lines known before they are parsed. */
export type LearnSecurities = (secNos: Iterable<string>) => Promise<void>

function* numbersOf(rows: Iterable<LineRow>): Generator<string> {
  for (const { sec_no, to_sec_no } of rows) {
    if (sec_no !== null) yield String(sec_no)
    if (to_sec_no !== null) yield String(to_sec_no)
  }
}

export interface FoundLine extends StoredLine {
  readonly firmId: string
  readonly accountNumber: string
}

export interface LineSecurities {
  readonly learn: LearnSecurities
  readonly securityOf: SecurityOf
}

/** The lines with these ids. Ids without a line are left out. */
export async function findLines(
  tx: Tx,
  named: readonly { readonly firmId: string; readonly externalId: string }[],
  { learn, securityOf }: LineSecurities,
): Promise<FoundLine[]> {
  const rows = await tx.rows(selectOriginals, [
    named.map(({ firmId }) => firmId),
    named.map(({ externalId }) => externalId),
  ])
  await learn(numbersOf(rows))
  return rows.map((row) => ({
    ...parseLine(row, securityOf),
    firmId: row.firm_id,
    accountNumber: row.account_number,
  }))
}

/** A line with everything that its feed reported. */
export interface KeptLine extends FoundLine {
  readonly record: string
  readonly enteredOn: string
}

/** The lines with these ids, each with its record. */
export async function readKeptLines(
  tx: Tx,
  named: readonly { readonly firmId: string; readonly externalId: string }[],
  { learn, securityOf }: LineSecurities,
): Promise<KeptLine[]> {
  const rows = await tx.rows(selectKept, [
    named.map(({ firmId }) => firmId),
    named.map(({ externalId }) => externalId),
  ])
  await learn(numbersOf(rows))
  return rows.map((row) => ({
    ...parseLine(row, securityOf),
    firmId: row.firm_id,
    accountNumber: row.account_number,
    record: row.record,
    enteredOn: row.entered_on,
  }))
}

const pageRowsMax = 5_000

/**
 * Lines traded until a day, with all cancels, and the lines that a rebill names. `lines` is the last sequence to read.
 */
export interface LinesUntil {
  readonly until: string
  readonly lines: number | undefined
}

/**
 * Lines of an account: all lines, lines of some securities ('0' means lines without a security), or lines
 * until a day. The order is arbitrary.
 */
export async function readLines(
  tx: Tx,
  accountNumber: string,
  of: { readonly securities: readonly string[] } | LinesUntil | 'all',
  { learn, securityOf }: LineSecurities,
): Promise<KnownLine[]> {
  const pages =
    of === 'all'
      ? tx.pages(selectOfAccount, [accountNumber], pageRowsMax)
      : 'until' in of
        ? tx.pages(selectUntil, [accountNumber, of.until, of.lines ?? null], pageRowsMax)
        : tx.pages(selectOfSecurities, [accountNumber, of.securities], pageRowsMax)
  const lines: KnownLine[] = []
  for await (const rows of pages) {
    await learn(numbersOf(rows))
    for (const row of rows) lines.push(parseLine(row, securityOf))
  }
  return lines
}

/** Lines of an account that were entered and traded after a day, without cancelled lines. */
export async function readLinesAhead(
  tx: Tx,
  accountNumber: string,
  day: string,
  { learn, securityOf }: LineSecurities,
): Promise<StoredLine[]> {
  const rows = await tx.rows(selectAhead, [accountNumber, day])
  await learn(numbersOf(rows))
  return rows.map((row) => parseLine(row, securityOf))
}

/** The ids that the firm's books already contain. */
export async function readKnownIds(
  tx: Tx,
  firmId: string,
  externalIds: readonly string[],
): Promise<Set<string>> {
  return new Set((await tx.rows(selectKnownIds, [firmId, externalIds])).map(({ external_id }) => external_id))
}

/** The lines of an account that deliver another security. */
export async function findDeliveries(
  tx: Tx,
  accountNumber: string,
  externalIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.rows(selectDeliveries, [accountNumber, externalIds])
  return new Set(rows.map(({ external_id }) => external_id))
}

/** Cancels and rebills that arrived before the lines that they name. */
export function readCorrections(
  tx: Tx,
  named: readonly { readonly accountNumber: string; readonly externalId: string }[],
): Promise<CorrectionRow[]> {
  return tx.rows(selectCorrections, [
    named.map(({ accountNumber }) => accountNumber),
    named.map(({ externalId }) => externalId),
  ])
}
