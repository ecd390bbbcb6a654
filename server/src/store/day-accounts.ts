/** The accounts of a portion and their present holdings. */
import type { AcctType, LotMethod } from '@clearing/domain/books'
import type { Decimal } from '@clearing/domain/decimal'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { decimalOfColumn } from './books/bulk.ts'
import type { AccountRange } from './business-day.ts'
import { groupByAccount } from './group-by-account.ts'

export interface DayAccount {
  readonly accountNumber: string
  readonly firmId: string
  /** Lines that belong to the day or earlier ones. */
  readonly lineCount: number
  /** True if the account got lines after the day ended. */
  readonly movedOn: boolean
  readonly registrationType: string
  readonly lotMethod: LotMethod
  readonly houseLongPercent: Decimal | undefined
  readonly houseShortPercent: Decimal | undefined
}

export interface HeldPosition {
  readonly secNo: string
  readonly acctType: AcctType
  readonly quantity: Decimal
  /** The part that was bought within the last 30 days, where it was read. */
  readonly recentQuantity?: Decimal
}

/** A position with its cost, the sum of the costs of its lots. */
export interface CostedPosition extends HeldPosition {
  readonly cost: Decimal
}

export interface HeldCash {
  readonly acctType: AcctType
  readonly currency: string
  readonly amount: Decimal
}

interface AccountRow {
  readonly account_number: string
  readonly firm_id: string
  readonly line_count: bigint
  readonly moved_on: boolean
  readonly registration_type: string | null
  readonly lot_method: LotMethod
  readonly house_long_percent: string | null
  readonly house_short_percent: string | null
}

// An account without a row of the day had no line since its last seal, which counted all its lines.
const selectAccounts = statement<AccountRow>(
  'select-accounts-of-day',
  `select account_number, firm_id, coalesce(day.line_count, sealed_lines) as line_count,
     books.line_count > coalesce(day.line_count, sealed_lines) as moved_on, registration_type, lot_method, house_long_percent,
     house_short_percent
   from clearing.account_books as books left join clearing.account using (account_number, firm_id)
   left join (select account_number, line_count from clearing.day_account where close_date = $3) as day using (account_number)
   where account_number > $1 and account_number <= $2 order by account_number`,
)
const selectPositions = statement<{
  account_number: string
  sec_no: bigint
  acct_type: AcctType
  quantity: string
}>(
  'select-positions-of-range',
  `select account_number, sec_no, acct_type, quantity from clearing.position
   where account_number > $1 and account_number <= $2 and acct_type = any ($3) and quantity <> 0`,
)
const selectRecent = statement<{
  account_number: string
  sec_no: bigint
  acct_type: AcctType
  quantity: string
}>(
  'select-recent-lots-of-range',
  `select account_number, sec_no, acct_type, sum(quantity) as quantity from clearing.lot
   where account_number > $1 and account_number <= $2 and sec_no = any ($3) and open_date >= $4
   group by account_number, sec_no, acct_type`,
)
const selectFundPositions = statement<{ account_number: string; sec_no: bigint; quantity: string }>(
  'select-fund-positions-of-range',
  `select account_number, sec_no, sum(quantity) as quantity from clearing.position join clearing.security using (sec_no)
   where account_number > $1 and account_number <= $2 and money_market and quantity <> 0
   group by account_number, sec_no`,
)
const selectHeldFunds = statement<{ account_number: string }>(
  'select-accounts-that-held-funds',
  `select distinct account_number from clearing.holding join clearing.security using (sec_no)
   where account_number = any ($1) and money_market`,
)
const selectFunds = statement<{ account_number: string; sec_no: bigint; quantity: string }>(
  'select-money-market-funds-of-accounts',
  `select account_number, sec_no, quantity from clearing.position join clearing.security using (sec_no)
   where account_number = any ($1) and acct_type = $2 and money_market and quantity > 0`,
)
const selectCash = statement<{
  account_number: string
  acct_type: AcctType
  currency: string
  amount: string
}>(
  'select-cash-of-range',
  `select account_number, acct_type, currency, amount from clearing.cash_balance
   where account_number > $1 and account_number <= $2 and acct_type = any ($3)`,
)
const selectUnsettled = statement<{
  account_number: string
  sequence: bigint
  process_date: string
  acct_type: AcctType
  currency: string
  amount: string
}>(
  'select-unsettled-of-range',
  `select account_number, sequence, process_date, acct_type, currency, amount from clearing.unsettled
   where account_number > $1 and account_number <= $2 and acct_type in (2, 3)`,
)
const selectTraded = statement<{
  account_number: string
  sec_no: bigint
  acct_type: AcctType
  quantity: string
}>(
  'select-quantities-of-unsettled',
  `select account_number, case trans_type when 'Trade' then activity.sec_no else to_sec_no end as sec_no, acct_type, sum(case
       when trans_type = 'Trade' then quantity
       when (put_call = 'Call') = (trans_type = 'Exercise') then quantity * multiplier
       else -quantity * multiplier end) as quantity
   from unnest($1::text[], $2::date[], $3::bigint[]) as wanted (account_number, process_date, sequence)
   join clearing.activity using (account_number, process_date, sequence)
   join clearing.security on security.sec_no = activity.sec_no
   where trans_type = 'Trade' or trans_type in ('Exercise', 'Assignment') and to_sec_no is not null group by 1, 2, 3`,
)
const countPositions = statement<{ count: bigint }>(
  'count-positions-of-range',
  `select count(*) as count from clearing.position
   where account_number > $1 and account_number <= $2 and quantity <> 0`,
)

export async function readDayAccounts(
  tx: Tx,
  [after, upTo]: AccountRange,
  closeDate: string,
): Promise<DayAccount[]> {
  const percent = (text: string | null) => (text === null ? undefined : decimalOfColumn(text))
  return (await tx.rows(selectAccounts, [after, upTo, closeDate])).map((row) => ({
    accountNumber: row.account_number,
    firmId: row.firm_id,
    lineCount: Number(row.line_count),
    movedOn: row.moved_on,
    registrationType: row.registration_type ?? '',
    lotMethod: row.lot_method,
    houseLongPercent: percent(row.house_long_percent),
    houseShortPercent: percent(row.house_short_percent),
  }))
}

/** Positions other than zero of some account types, by account. */
export async function readPositionsOfRange(
  tx: Tx,
  [after, upTo]: AccountRange,
  acctTypes: readonly AcctType[],
): Promise<Map<string, HeldPosition[]>> {
  return groupByAccount(await tx.rows(selectPositions, [after, upTo, acctTypes]), (row) => ({
    secNo: String(row.sec_no),
    acctType: row.acct_type,
    quantity: decimalOfColumn(row.quantity),
  }))
}

/** Quantities of some securities that were bought from a day on, by account, security and account type. */
export async function readRecentOfRange(
  tx: Tx,
  [after, upTo]: AccountRange,
  secNos: readonly string[],
  from: string,
): Promise<Map<string, Decimal>> {
  if (secNos.length === 0) return new Map()
  const rows = await tx.rows(selectRecent, [after, upTo, secNos, from])
  return new Map(
    rows.map((row) => [
      `${row.account_number} ${row.sec_no} ${row.acct_type}`,
      decimalOfColumn(row.quantity),
    ]),
  )
}

/** Positions in money-market funds, all account types together, by account. */
export async function readFundPositions(
  tx: Tx,
  [after, upTo]: AccountRange,
): Promise<Map<string, { readonly secNo: string; readonly quantity: Decimal }[]>> {
  return groupByAccount(await tx.rows(selectFundPositions, [after, upTo]), (row) => ({
    secNo: String(row.sec_no),
    quantity: decimalOfColumn(row.quantity),
  }))
}

/** The accounts that hold a money-market fund, or held one once. */
export async function readAccountsThatHeldFunds(
  tx: Tx,
  accountNumbers: readonly string[],
): Promise<ReadonlySet<string>> {
  if (accountNumbers.length === 0) return new Set()
  return new Set(
    (await tx.rows(selectHeldFunds, [accountNumbers])).map(({ account_number }) => account_number),
  )
}

/** Positions in money-market funds of an account type, by account. */
export async function readFundsOf(
  tx: Tx,
  accountNumbers: readonly string[],
  acctType: AcctType,
): Promise<Map<string, HeldPosition[]>> {
  return groupByAccount(await tx.rows(selectFunds, [accountNumbers, acctType]), (row) => ({
    secNo: String(row.sec_no),
    acctType,
    quantity: decimalOfColumn(row.quantity),
  }))
}

/** Trade-date cash of some account types, by account. */
export async function readCashOfRange(
  tx: Tx,
  [after, upTo]: AccountRange,
  acctTypes: readonly AcctType[],
): Promise<Map<string, HeldCash[]>> {
  return groupByAccount(await tx.rows(selectCash, [after, upTo, acctTypes]), (row) => ({
    acctType: row.acct_type,
    currency: row.currency,
    amount: decimalOfColumn(row.amount),
  }))
}

/** An unsettled line, with the cash that it will move. */
export interface UnsettledLine extends HeldCash {
  readonly sequence: number
  readonly processDate: string
}

/** The unsettled lines of margin accounts, by account. */
export async function readUnsettledOfRange(
  tx: Tx,
  [after, upTo]: AccountRange,
): Promise<Map<string, UnsettledLine[]>> {
  return groupByAccount(await tx.rows(selectUnsettled, [after, upTo]), (row) => ({
    sequence: Number(row.sequence),
    processDate: row.process_date,
    acctType: row.acct_type,
    currency: row.currency,
    amount: decimalOfColumn(row.amount),
  }))
}

/** The quantities that unsettled trades and deliveries bought and, negative, sold, by account. */
export async function readTradedOf(
  tx: Tx,
  lines: readonly (Pick<UnsettledLine, 'sequence' | 'processDate'> & { readonly accountNumber: string })[],
): Promise<Map<string, HeldPosition[]>> {
  if (lines.length === 0) return new Map()
  const rows = await tx.rows(selectTraded, [
    lines.map(({ accountNumber }) => accountNumber),
    lines.map(({ processDate }) => processDate),
    lines.map(({ sequence }) => sequence),
  ])
  return groupByAccount(rows, (row) => ({
    secNo: String(row.sec_no),
    acctType: row.acct_type,
    quantity: decimalOfColumn(row.quantity),
  }))
}

export async function countPositionsOfRange(tx: Tx, [after, upTo]: AccountRange): Promise<number> {
  return Number((await tx.row(countPositions, [after, upTo]))?.count ?? 0n)
}
