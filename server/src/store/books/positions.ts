/**
 * The facts from which the value of an account is computed. Each fact is read by one statement that needs
 * only the account's number, so that statements sent in one turn travel together.
 */
import type { AccountRecord } from '@clearing/domain'
import type { AcctType, LotMethod } from '@clearing/domain/books'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { accountsWithRecords, recordOfAccount } from '../accounts.ts'
import { endOfEasternDay } from './calendar.ts'
import { type HeldAwayRow, selectHeldAway } from './held-away.ts'
import { type LotsRow, selectAccountLots } from './holdings.ts'

export { type HeldAwayRow, type LotsRow, selectAccountLots, selectHeldAway }

export interface AccountRow {
  readonly account_name: string
  readonly registration_type: string
  /** The settings of the record, such as margin. Null if the record has none. */
  readonly main: AccountRecord['main'] | null
  /** Null for an account that never had a line. */
  readonly lot_method: LotMethod | null
  readonly house_long_percent: string | null
  readonly house_short_percent: string | null
  readonly business_date: string
  /** The codes of the restrictions in force. */
  readonly restrictions: readonly string[]
}

/** The first version of an account that was replaced after the close of a day. */
const versionAtClose = `from clearing.account_version
   where account_number = $1 and coalesce(superseded_on > $2::date, valid_to > $3::timestamptz) order by version limit 1`
/**
 * The account's name at the close of a day, before later changes of its record. There is no row when the name has not
 * changed since.
 */
export const selectNameKnown = statement<{ account_name: string }>(
  'select-account-name-known',
  `select account_name ${versionAtClose}`,
)

const selectMain = statement<Pick<AccountRow, 'main'>>(
  'select-account-settings-of-day',
  `select record -> 'main' as main ${versionAtClose}`,
)
/** The settings in force at the end of a past day. Undefined when the record has not changed since. */
export function readSettingsOn(
  tx: Tx,
  accountNumber: string,
  day: string,
): Promise<Pick<AccountRow, 'main'> | undefined> {
  return tx.row(selectMain, [accountNumber, day, endOfEasternDay(day)])
}

/** `$2` is the current market day, which is the business date before the first business day was opened. */
export const selectAccount = statement<AccountRow>(
  'select-account-to-value',
  `select account.account_name, account.registration_type, ${recordOfAccount} -> 'main' as main, books.lot_method, books.house_long_percent, books.house_short_percent,
     coalesce((select business_date from clearing.business_day), $2::date) as business_date,
     array(select code from clearing.restriction where restriction.account_number = account.account_number
       and ended_at is null) as restrictions
   from ${accountsWithRecords} left join clearing.account_books as books using (account_number)
   where account_number = $1 and account.status <> 'Reserved'`,
)

/** The restrictions that were in force at an instant. */
export const selectRestrictionsAt = statement<Pick<AccountRow, 'restrictions'>>(
  'select-restrictions-at',
  `select array(select code from clearing.restriction where account_number = $1
     and placed_at <= $2 and (ended_at is null or ended_at > $2)) as restrictions`,
)

export interface CashRow {
  readonly acct_type: AcctType
  readonly currency: string
  readonly amount: string
  /**
   * For unsettled lines: the cash that they will move, the debits among it, the proceeds of sales, and the proceeds of
   * short sales.
   */
  readonly unsettled: string
  readonly pending_debits: string
  readonly pending_sales: string
  readonly pending_short_sales: string
}

/** The unsettled proceeds of lines that fulfil a condition. */
function pendingProceeds(condition: string): string {
  return `coalesce(sum(unsettled.amount) filter (where unsettled.amount > 0 and exists (
       select from clearing.activity where activity.account_number = unsettled.account_number
         and activity.process_date = unsettled.process_date and activity.sequence = unsettled.sequence and ${condition}
     )), 0)`
}

export const selectCash = statement<CashRow>(
  'select-cash-with-unsettled',
  `select balance.acct_type, balance.currency, balance.amount,
     coalesce(sum(unsettled.amount), 0) as unsettled, coalesce(sum(least(unsettled.amount, 0)), 0) as pending_debits,
     ${pendingProceeds("trans_type = 'Trade'")} as pending_sales,
     ${pendingProceeds("(buy_sell = 'SSL' or activity.acct_type = 3 and trans_type in ('Trade', 'Exercise', 'Assignment'))")} as pending_short_sales
   from clearing.cash_balance as balance
   left join clearing.unsettled on unsettled.account_number = balance.account_number
     and unsettled.acct_type = balance.acct_type and unsettled.currency = balance.currency
     and unsettled.settle_date > coalesce((select business_date from clearing.business_day), $2::date)
   where balance.account_number = $1
   group by balance.acct_type, balance.currency, balance.amount
   order by balance.currency, balance.acct_type`,
)

const selectBookedBefore = statement<{ external_id: string }>(
  'select-lines-entered-before',
  `select named.external_id
   from unnest($2::text[], $3::date[]) as named (external_id, day)
   join clearing.account_books as books on books.account_number = $1
   join clearing.activity_key as key on key.firm_id = books.firm_id and key.external_id = named.external_id
   join clearing.activity on activity.account_number = key.account_number and activity.process_date = key.process_date
     and activity.sequence = key.sequence
   where activity.entered_on < named.day`,
)
/** The lines that were entered on an earlier business date than the day given with each. */
export async function readEnteredBefore(
  tx: Tx,
  accountNumber: string,
  lines: readonly { readonly externalId: string; readonly day: string }[],
): Promise<Set<string>> {
  if (lines.length === 0) return new Set()
  const ids = lines.map(({ externalId }) => externalId)
  const rows = await tx.rows(selectBookedBefore, [accountNumber, ids, lines.map(({ day }) => day)])
  return new Set(rows.map(({ external_id }) => external_id))
}

export interface BreakLineRow {
  readonly sec_no: bigint
  readonly acct_type: AcctType
}

/** Positions with an open break. */
export const selectBreakLines = statement<BreakLineRow>(
  'select-break-lines',
  `select distinct sec_no, acct_type from clearing.books_break
   where account_number = $1 and resolved_at is null and sec_no is not null and acct_type is not null`,
)
