/** Margin calls. Each close ages the open calls and records payments on them. */

import type { Decimal } from '@clearing/domain/decimal'
import { renderDecimal } from '@clearing/domain/decimal'
import { type CallKind, marketDaysBetween } from '@clearing/domain/market'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { decimalOfColumn, Rows, rowsOf } from './books/bulk.ts'
import type { AccountRange } from './business-day.ts'
import { unsatisfiedDeficitsOf } from './unsatisfied-deficits.ts'

export interface StoredCall {
  readonly accountNumber: string
  readonly firmId: string
  readonly kind: CallKind
  readonly issuedOn: string
  readonly dueBy: string
  readonly amount: Decimal
  /** The amount that the last close found outstanding; zero when met. */
  readonly outstanding: Decimal
  readonly agedOn: string
  /** Business days since the call was issued, at the last close. */
  readonly ageDays: number
  readonly metOn: string | null
}

/** A call as a list shows it. */
export interface ListedCall extends StoredCall {
  /** The current title of the account. */
  readonly accountName: string
  /** See `unsatisfiedDeficitsOf`. Null for a closed day. */
  readonly unsatisfiedDeficits: number | null
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
  /** Null if no close recorded it. */
  readonly age_days: number | null
  readonly met_on: string | null
}

const names =
  'account_number, kind, issued_on, firm_id, due_by, amount, outstanding, aged_on, age_days, met_on'

// Besides its current state, a call has its state at each close, for reads of closed days.
const putCalls = statement(
  'put-margin-calls',
  `with put as (
     insert into clearing.margin_call select * from ${rowsOf('margin_call')}
     on conflict (account_number, kind, issued_on) do update set due_by = excluded.due_by, amount = excluded.amount, outstanding = excluded.outstanding,
       aged_on = excluded.aged_on, age_days = excluded.age_days, met_on = excluded.met_on
     returning ${names}
   )
   insert into clearing.margin_call_day (${names}) select ${names} from put`,
)
const selectOpenOfRange = statement<CallRow>(
  'select-open-calls-of-range',
  `select ${names} from clearing.margin_call where account_number > $1 and account_number <= $2 and met_on is null`,
)
const selectIntraday = statement<CallRow>(
  'select-intraday-calls-of-range',
  `select ${names} from clearing.margin_call where account_number > $1 and account_number <= $2 and kind = 'Intraday'
     and (met_on is null or issued_on >= $3) order by account_number, issued_on`,
)
const selectFirmsOfRange = statement<{ account_number: string; firm_id: string }>(
  'select-firms-of-accounts',
  'select account_number, firm_id from clearing.account_books where account_number = any ($1)',
)
const selectDue = statement<{ due_by: string }>(
  'select-due-day-of-open-call',
  'select due_by from clearing.margin_call where account_number = $1 and kind = $2 and issued_on = $3 and met_on is null',
)
interface PageRow extends CallRow {
  readonly account_name: string
  readonly unsatisfied_deficits: number | null
}
function selectPage(name: string, calls: string, unsatisfied: string) {
  return statement<PageRow>(
    name,
    `select ${names}, (select account_name from clearing.account where account.account_number = call.account_number),
       ${unsatisfied} as unsatisfied_deficits
     from ${calls} as call
     where ($1::text is null or account_number = $1) and ($2::text is null or (met_on is null) = ($2 = 'Open'))
       and (account_number, kind, issued_on) > ($3, $4, $5::date)
     order by account_number, kind, issued_on limit $6`,
  )
}
const selectCalls = selectPage('select-margin-calls', 'clearing.margin_call', unsatisfiedDeficitsOf('call'))
// A call whose closes recorded no days is shown with its original amount until it was met. A late line may
// make a later close issue a call for an earlier day. Such a call is in no ledger of that day.
const selectCallsOfDay = selectPage(
  'select-margin-calls-of-day',
  `(
     (select distinct on (account_number, kind, issued_on) ${names} from clearing.margin_call_day
      where aged_on <= $7 and ($1::text is null or account_number = $1)
      order by account_number, kind, issued_on, aged_on desc)
     union all
     select account_number, kind, issued_on, firm_id, due_by, amount, case when met_on <= $7 then outstanding else amount end,
       $7::date, null::integer, case when met_on <= $7 then met_on end
     from clearing.margin_call as call
     where issued_on <= $7 and ($1::text is null or account_number = $1) and not exists (
       select from clearing.margin_call_day as kept where kept.account_number = call.account_number and kept.kind = call.kind
         and kept.issued_on = call.issued_on and kept.aged_on <= $7)
       and exists (
         select from clearing.margin_ledger as ledger
         where ledger.account_number = call.account_number and ledger.close_date <= $7 and case call.kind
           when 'Fed' then exists (
             select from jsonb_array_elements(reg_t_calls) as known where known ->> 'openedOn' = call.issued_on::text)
           when 'Maintenance' then maintenance_call ->> 'openedOn' = call.issued_on::text end)
   )`,
  'null::integer',
)
const selectClose = statement<{ close_date: string }>(
  'select-close-known-until',
  "select close_date from clearing.known_at_close('', $1)",
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
    ageDays: row.age_days ?? marketDaysBetween(row.issued_on, row.met_on ?? row.aged_on),
    metOn: row.met_on,
  }
}

export async function readOpenCalls(tx: Tx, [after, upTo]: AccountRange): Promise<StoredCall[]> {
  return (await tx.rows(selectOpenOfRange, [after, upTo])).map(parseCall)
}

/** The calls for intraday margin deficits that are open or of a day since `from`, by account, the oldest first. */
export async function readIntradayCalls(
  tx: Tx,
  [after, upTo]: AccountRange,
  from: string,
): Promise<Map<string, StoredCall[]>> {
  const calls = (await tx.rows(selectIntraday, [after, upTo, from])).map(parseCall)
  return Map.groupBy(calls, ({ accountNumber }) => accountNumber)
}

/** The due date of an open call; undefined if no such call is open. */
export async function readOpenCallDue(
  tx: Tx,
  accountNumber: string,
  kind: CallKind,
  issuedOn: string,
): Promise<string | undefined> {
  return (await tx.row(selectDue, [accountNumber, kind, issuedOn]))?.due_by
}

export async function readFirmsOf(tx: Tx, accounts: readonly string[]): Promise<Map<string, string>> {
  return new Map(
    (await tx.rows(selectFirmsOfRange, [accounts])).map((row) => [row.account_number, row.firm_id]),
  )
}

/** The position at which a list continues. */
export type CallPlace = readonly [accountNumber: string, kind: string, issuedOn: string]

/** Calls that the caller may see, ordered by account, kind and day. */
export async function readCalls(
  tx: Tx,
  wanted: {
    readonly accountNumber: string | null
    readonly state: 'Open' | 'Met' | null
    readonly after: CallPlace | undefined
    readonly most: number
    /** The close whose results are shown; undefined for the current state. */
    readonly closed: string | undefined
  },
): Promise<ListedCall[]> {
  const { accountNumber, state, after, most, closed } = wanted
  const asked = [accountNumber, state, ...(after ?? ['', '', '0001-01-01']), most]
  const rows =
    closed === undefined
      ? await tx.rows(selectCalls, asked)
      : await tx.rows(selectCallsOfDay, [...asked, closed])
  return rows.map((row) => ({
    ...parseCall(row),
    accountName: row.account_name,
    unsatisfiedDeficits: row.unsatisfied_deficits,
  }))
}

/** The close to which a day belongs; undefined for a day before the first close. */
export async function readCloseUntil(tx: Tx, day: string): Promise<string | undefined> {
  return (await tx.row(selectClose, [day]))?.close_date
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
  tx.later(putCalls, [rows.bytes()])
}
