/** The ledger of margin accounts at the close of each day, and the amounts that closes accrued. */
import { type Decimal, renderDecimal, ZERO } from '@clearing/domain/decimal'
import { joinCalls, type MaintenanceCall, type MarginLedger, type RegTCall } from '@clearing/domain/market'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { decimalOfColumn, insertRows, jsonWithDecimals, Rows } from './books/bulk.ts'
import type { Known } from './books/known.ts'
import type { AccountRange } from './business-day.ts'

export interface StoredMarginLedger {
  readonly accountNumber: string
  readonly closeDate: string
  readonly ledger: MarginLedger
  readonly equity: Decimal
  readonly maintenanceExcess: Decimal
  /** Accrued and not charged yet. Negative: owed to the customer. */
  readonly interestAccrued: Decimal
  /** The ledger includes lines up to this sequence. */
  readonly lineCount: number
}

type Rendered<T> = { readonly [Member in keyof T]: T[Member] extends bigint ? string : T[Member] }

interface LedgerRow {
  readonly account_number: string
  readonly close_date: string
  readonly sma: string
  readonly reg_t_calls: readonly Rendered<RegTCall>[]
  readonly maintenance_call: Rendered<MaintenanceCall> | null
  readonly equity: string
  readonly maintenance_excess: string
  readonly interest_accrued: string
  readonly line_count: bigint
}

const names = [
  'account_number',
  'close_date',
  'sma',
  'reg_t_calls',
  'maintenance_call',
  'equity',
  'maintenance_excess',
  'interest_accrued',
  'line_count',
]
  .map((name) => `latest.${name}`)
  .join(', ')

const insertLedgers = insertRows('insert-margin-ledgers', 'margin_ledger', 'on conflict do nothing')
const selectLatestOfRange = statement<LedgerRow>(
  'select-margin-ledgers-of-range',
  `select ${names} from clearing.account_books as books cross join lateral (
     select * from clearing.margin_ledger as ledger
     where ledger.account_number = books.account_number and close_date < $3 order by close_date desc limit 1
   ) as latest where books.account_number > $1 and books.account_number <= $2`,
)
const selectOfDay = statement<LedgerRow>(
  'select-margin-ledgers-of-day',
  `select ${names} from clearing.margin_ledger as latest
   where account_number > $1 and account_number <= $2 and close_date = $3
     and (jsonb_array_length(reg_t_calls) > 0 or maintenance_call is not null)`,
)
const selectLatest = statement<LedgerRow>(
  'select-margin-ledger-until',
  `select ${names} from clearing.margin_ledger as latest
   where account_number = $1 and ($2::date is null or close_date <= $2) order by close_date desc limit 1`,
)
const selectLast = statement<LedgerRow>(
  'select-last-margin-ledgers',
  `select ${names} from clearing.margin_ledger as latest
   where account_number = $1 and close_date <= $2 order by close_date desc limit $3`,
)

function parseLedger(row: LedgerRow): StoredMarginLedger {
  return {
    accountNumber: row.account_number,
    closeDate: row.close_date,
    ledger: {
      sma: decimalOfColumn(row.sma),
      // An earlier release stored two calls of one day.
      calls: joinCalls(
        row.reg_t_calls.map(({ openedOn, dueOn, amount, outstanding }) => ({
          openedOn,
          dueOn,
          amount: decimalOfColumn(amount),
          outstanding: decimalOfColumn(outstanding),
        })),
      ),
      maintenanceCall: row.maintenance_call && {
        openedOn: row.maintenance_call.openedOn,
        amount: decimalOfColumn(row.maintenance_call.amount),
      },
    },
    equity: decimalOfColumn(row.equity),
    maintenanceExcess: decimalOfColumn(row.maintenance_excess),
    interestAccrued: decimalOfColumn(row.interest_accrued),
    lineCount: Number(row.line_count),
  }
}

/** The latest ledger before a day, for each account that has one. */
export async function readLedgersBefore(
  tx: Tx,
  [after, upTo]: AccountRange,
  day: string,
): Promise<Map<string, StoredMarginLedger>> {
  const rows = await tx.rows(selectLatestOfRange, [after, upTo, day])
  return new Map(rows.map((row) => [row.account_number, parseLedger(row)]))
}

/** The ledgers of a close with a call. */
export async function readLedgersWithCalls(
  tx: Tx,
  [after, upTo]: AccountRange,
  day: string,
): Promise<StoredMarginLedger[]> {
  return (await tx.rows(selectOfDay, [after, upTo, day])).map(parseLedger)
}

/** The ledger of an account at the last close until a day, or (null) at the last close. */
export async function readLedgerUntil(
  tx: Tx,
  accountNumber: string,
  day: string | null,
): Promise<StoredMarginLedger | undefined> {
  const row = await tx.row(selectLatest, [accountNumber, day])
  return row && parseLedger(row)
}

/** The last ledgers of an account until a close, the oldest first. */
export async function readLastLedgers(
  tx: Tx,
  accountNumber: string,
  until: string,
  count: number,
): Promise<StoredMarginLedger[]> {
  return (await tx.rows(selectLast, [accountNumber, until, count])).map(parseLedger).reverse()
}

export interface NewMarginLedger extends StoredMarginLedger {
  readonly firmId: string
}

export function insertMarginLedgers(tx: Tx, ledgers: readonly NewMarginLedger[]): void {
  if (ledgers.length === 0) return
  const rows = new Rows()
  for (const kept of ledgers) {
    const { sma, calls, maintenanceCall } = kept.ledger
    rows.add(
      kept.accountNumber,
      kept.closeDate,
      kept.firmId,
      renderDecimal(sma),
      jsonWithDecimals(calls),
      maintenanceCall === null ? null : jsonWithDecimals(maintenanceCall),
      renderDecimal(kept.equity),
      renderDecimal(kept.maintenanceExcess),
      renderDecimal(kept.interestAccrued),
      kept.lineCount,
    )
  }
  tx.later(insertLedgers, [rows.bytes()])
}

export interface DayAccrual {
  readonly accountNumber: string
  readonly firmId: string
  readonly marginInterest: Decimal
  readonly marginAccrued: Decimal
}

const insertAccruals = insertRows('insert-day-accruals', 'day_accrual', 'on conflict do nothing')
const selectAccruals = statement<{ account_number: string; margin_accrued: string }>(
  'select-day-accruals',
  `select account_number, margin_accrued from clearing.day_accrual
   where account_number > $1 and account_number <= $2 and close_date = $3`,
)

export function insertDayAccruals(tx: Tx, accruals: readonly DayAccrual[], closeDate: string): void {
  if (accruals.length === 0) return
  const rows = new Rows()
  for (const { accountNumber, firmId, marginInterest, marginAccrued } of accruals) {
    // The last value is `bond_interest`, which nothing reads. A later release drops the column: decision 322.
    rows.add(
      accountNumber,
      closeDate,
      firmId,
      renderDecimal(marginInterest),
      renderDecimal(marginAccrued),
      renderDecimal(ZERO),
    )
  }
  tx.later(insertAccruals, [rows.bytes()])
}

/** The earnings of an account from a money-market fund in the nights after a close, US dollars. */
export interface FundAccrual {
  readonly accountNumber: string
  readonly firmId: string
  readonly secNo: string
  readonly interest: Decimal
}

const insertFunds = insertRows('insert-fund-accruals', 'fund_accrual', 'on conflict do nothing')
// A payment of a fund contains the earnings of the nights before it.
const selectPending = statement<{ pending: string }>(
  'select-pending-fund-interest',
  `select coalesce(sum(interest), 0) as pending from clearing.fund_accrual as accrual
   where account_number = $1 and ($2::date is null or close_date <= $2) and ($4::date is null or close_date <= $4)
     and close_date >= coalesce((
     select max(trade_date) from clearing.activity as payment
     where payment.account_number = accrual.account_number and payment.sec_no = accrual.sec_no
       and trans_type in ('Dividend', 'Interest', 'Reinvest') and correction is distinct from 'C'
       and ($2::date is null or trade_date <= $2) and ($3::bigint is null or sequence <= $3)
       and not exists (select from clearing.correction as cancel
         where cancel.account_number = payment.account_number and cancel.tag_no = payment.external_id
           and ($3::bigint is null or cancel.sequence <= $3))
   ), '-infinity')`,
)

export function insertFundAccruals(tx: Tx, accruals: readonly FundAccrual[], closeDate: string): void {
  if (accruals.length === 0) return
  const rows = new Rows()
  for (const { accountNumber, firmId, secNo, interest } of accruals)
    rows.add(accountNumber, secNo, closeDate, firmId, renderDecimal(interest))
  tx.later(insertFunds, [rows.bytes()])
}

/**
 * The earnings of an account's money-market funds that are not paid yet, at the end of a day or (null) now. `knownOn`
 * limits them to facts known at a close.
 */
export async function readPendingFundInterest(
  tx: Tx,
  accountNumber: string,
  asOf: string | null,
  known?: Known,
): Promise<Decimal> {
  const row = await tx.row(selectPending, [accountNumber, asOf, known?.lines ?? null, known?.on ?? null])
  return decimalOfColumn(row?.pending ?? '0')
}

/** Margin interest that was accrued and not charged at a close. */
export async function readMarginAccrued(
  tx: Tx,
  [after, upTo]: AccountRange,
  closeDate: string,
): Promise<Map<string, Decimal>> {
  const rows = await tx.rows(selectAccruals, [after, upTo, closeDate])
  return new Map(rows.map((row) => [row.account_number, decimalOfColumn(row.margin_accrued)]))
}
