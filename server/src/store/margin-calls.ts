/** Margin calls as they were issued, aged and met by the closes of days. */

import type { Decimal } from '@clearing/domain/decimal'
import { renderDecimal } from '@clearing/domain/decimal'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { decimalOfColumn, insertRows, Rows } from './books/bulk.ts'
import type { AccountRange } from './business-day.ts'

export type CallKind = 'Fed' | 'Maintenance'

export interface StoredCall {
  readonly accountNumber: string
  readonly firmId: string
  readonly kind: CallKind
  readonly issuedOn: string
  readonly dueBy: string
  readonly amount: Decimal
  /** What the last close found still to be met; zero when met. */
  readonly outstanding: Decimal
  readonly agedOn: string
  /** Business days since it was issued, at the last close. */
  readonly ageDays: number
  readonly metOn: string | null
}

interface CallRow {
  readonly account_number: string
  readonly firm_id: string
  readonly kind: CallKind
  readonly issued_on: string
  readonly due_by: string
  readonly amount: string
  readonly outstanding: string
  readonly aged_on: string
  readonly age_days: number
  readonly met_on: string | null
}

const names =
  'account_number, kind, issued_on, firm_id, due_by, amount, outstanding, aged_on, age_days, met_on'

const putCalls = insertRows(
  'put-margin-calls',
  'margin_call',
  `on conflict (account_number, kind, issued_on) do update set amount = excluded.amount, outstanding = excluded.outstanding,
    aged_on = excluded.aged_on, age_days = excluded.age_days, met_on = excluded.met_on`,
)
const selectOpenOfRange = statement<CallRow>(
  'select-open-calls-of-range',
  `select ${names} from clearing.margin_call where account_number > $1 and account_number <= $2 and met_on is null`,
)
const selectFirmsOfRange = statement<{ account_number: string; firm_id: string }>(
  'select-firms-of-accounts',
  'select account_number, firm_id from clearing.account_books where account_number = any ($1)',
)
const selectCalls = statement<CallRow>(
  'select-margin-calls',
  `select ${names} from clearing.margin_call
   where ($1::text is null or account_number = $1) and ($2::text is null or (met_on is null) = ($2 = 'Open'))
     and (account_number, kind, issued_on) > ($3, $4, $5::date)
   order by account_number, kind, issued_on limit $6`,
)

function parseCall(row: CallRow): StoredCall {
  return {
    accountNumber: row.account_number,
    firmId: row.firm_id,
    kind: row.kind,
    issuedOn: row.issued_on,
    dueBy: row.due_by,
    amount: decimalOfColumn(row.amount),
    outstanding: decimalOfColumn(row.outstanding),
    agedOn: row.aged_on,
    ageDays: row.age_days,
    metOn: row.met_on,
  }
}

export async function readOpenCalls(tx: Tx, [after, upTo]: AccountRange): Promise<StoredCall[]> {
  return (await tx.rows(selectOpenOfRange, [after, upTo])).map(parseCall)
}

export async function readFirmsOf(tx: Tx, accounts: readonly string[]): Promise<Map<string, string>> {
  return new Map(
    (await tx.rows(selectFirmsOfRange, [accounts])).map((row) => [row.account_number, row.firm_id]),
  )
}

/** Where a list goes on. */
export type CallPlace = readonly [accountNumber: string, kind: string, issuedOn: string]

/** Calls in the caller's sight, in the order of accounts, kinds and days. */
export async function readCalls(
  tx: Tx,
  wanted: {
    readonly accountNumber: string | null
    readonly state: 'Open' | 'Met' | null
    readonly after: CallPlace | undefined
    readonly most: number
  },
): Promise<StoredCall[]> {
  const { accountNumber, state, after, most } = wanted
  const rows = await tx.rows(selectCalls, [accountNumber, state, ...(after ?? ['', '', '0001-01-01']), most])
  return rows.map(parseCall)
}

export function putMarginCalls(tx: Tx, calls: readonly StoredCall[]): void {
  if (calls.length === 0) return
  const rows = new Rows()
  for (const call of calls) {
    rows.add(
      call.accountNumber,
      call.kind,
      call.issuedOn,
      call.firmId,
      call.dueBy,
      renderDecimal(call.amount),
      renderDecimal(call.outstanding),
      call.agedOn,
      call.ageDays,
      call.metOn,
    )
  }
  tx.later(putCalls, [rows.text()])
}
