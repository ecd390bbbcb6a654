/**
 * The facts from which the value of an account is computed. Each fact is read by one statement that needs
 * only the account's number, so that statements sent in one turn travel together.
 */
import type { AccountRecord } from '@clearing/domain'
import type { AcctType, LotMethod } from '@clearing/domain/books'
import type { PriceType } from '@clearing/domain/market'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { accountsWithRecords, recordOfAccount } from '../accounts.ts'
import { endOfEasternDay } from './calendar.ts'
import { correctedPrices, correctedRates, correctedValue } from './corrected-facts.ts'
import { type HeldAwayRow, selectHeldAway } from './held-away.ts'
import { type LotsRow, selectAccountLots } from './holdings.ts'
import { isKnown } from './known.ts'
import { latestYield } from './quotes.ts'
import { type SecurityRow, securityColumns } from './securities.ts'
import { unitsChanged, type ViewOfChanges } from './unit-changes.ts'

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
  /** The privilege of delaying payment is withdrawn (12 CFR 220.8(c)). */
  readonly settled_cash_only: boolean
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
     exists (select from clearing.restriction where restriction.account_number = account.account_number
       and ended_at is null and code = 'NinetyDayCash') as settled_cash_only
   from ${accountsWithRecords} left join clearing.account_books as books using (account_number)
   where account_number = $1 and account.status <> 'Reserved'`,
)

/** The cash balances at an instant. */
export const selectSettledCashOnly = statement<{ settled_cash_only: boolean }>(
  'select-settled-cash-only',
  `select exists (select from clearing.restriction where account_number = $1 and code = 'NinetyDayCash'
     and placed_at <= $2 and (ended_at is null or ended_at > $2)) as settled_cash_only`,
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

export interface PriceRow {
  readonly sec_no: bigint
  readonly price: string
  readonly price_type: PriceType
  readonly priced_at: string
  /** The last closing price before the latest price. */
  readonly close_price: string | null
  /** The last yield that a fund reported. */
  readonly yield: string | null
  /** The price of the feed is from before a change of units, and was converted. */
  readonly carried?: true
}

/** A price as the feed stated it. */
interface QuotedRow {
  /** The units of the security changed after the price. */
  readonly units_changed: boolean
}

// If a security has several prices of one instant, the one nearest to the market counts. The names of the kinds sort in
// that order.
function latestPrices(view: ViewOfChanges, first: string): string {
  const { knownOn: day } = view
  return `select ${first}, latest.price, latest.price_type, latest.priced_at, closed.price as close_price, reported.yield,
     ${unitsChanged('named.sec_no', 'latest.priced_at', view)} as units_changed
   from named
   left join lateral (
     select ${correctedValue(correctedPrices, 'price', day)} as price, price_type, priced_at from clearing.price
     where price.sec_no = named.sec_no and priced_at <= $2 and ${isKnown(day)} order by priced_at desc, price_type limit 1
   ) as latest on true
   left join lateral (
     select ${correctedValue(correctedPrices, 'price', day)} as price from clearing.price
     where price.sec_no = named.sec_no and price_type = 'LastClose' and priced_at < latest.priced_at and ${isKnown(day)}
     order by priced_at desc limit 1
   ) as closed on true
   left join lateral (
     ${latestYield(day)}
   ) as reported on true`
}

/** A security with its latest price, if it has one, and the time at which its next known price begins to count. */
export type PricedSecurityRow = SecurityRow & { readonly next_priced_at: string | null } & QuotedRow &
  (PriceRow | { readonly price: null })

/**
 * Securities by number, and the underlyings of options among them, with their latest prices until `$2`. It is one
 * statement, so that the securities are found once.
 */
export const selectPricedSecurities = statement<PricedSecurityRow>(
  'select-priced-securities',
  `with given as materialized (
     select ${securityColumns} from clearing.security where sec_no = any ($1::bigint[])
   ), named as (
     select * from given
     union all
     select ${securityColumns} from clearing.security
     where symbol = any (array(select underlying from given where underlying is not null))
       and sec_no not in (select sec_no from given)
   )
   ${latestPrices({ day: 'null', knownOn: 'null' }, 'named.*, next.priced_at as next_priced_at')}
   left join lateral (
     select priced_at from clearing.price where price.sec_no = named.sec_no and priced_at > $2 order by priced_at limit 1
   ) as next on true`,
)
/**
 * The latest prices until `$2` for securities by number, among the prices known at the close of `$3` (null: of all).
 * `$4` is the day of the view.
 */
export const selectNamedPrices = statement<
  QuotedRow & (PriceRow | { readonly sec_no: bigint; readonly price: null })
>(
  'select-named-prices',
  `with named as (select * from unnest($1::bigint[]) as named (sec_no))
   ${latestPrices({ day: '$4', knownOn: '$3' }, 'named.sec_no')}`,
)

export interface OpenRateRow {
  readonly currency: string
  readonly open_date: string
  readonly rate: string | null
  /**
   * The day of the rate, and the business date on which it was entered. Null without a rate, or for a rate
   * older than these dates.
   */
  readonly rate_date: string | null
  readonly entered_on: string | null
}

// The rate for the day on which a lot was opened: the latest until that day, or the table's first rate if it begins
// later.
/**
 * Rates for the days on which lots were opened without a rate from the feed, among the rates known at the close of `$3`
 * (null: of all).
 */
export const selectOpenRates = statement<OpenRateRow>(
  'select-open-rates',
  `with opened as (
     select * from unnest($1::text[], $2::date[]) as opened (currency, open_date)
   ) select opened.currency, opened.open_date, rate, rate_date, entered_on
   from opened left join lateral (
     select ${correctedValue(correctedRates, 'rate', '$3', 'candidate')} as rate, rate_date,
       ${correctedValue(correctedRates, 'entered_on', '$3', 'candidate')} as entered_on
     from (
       (select 1 as choice, currency, rate, rate_date, entered_on from clearing.fx_rate
        where fx_rate.currency = opened.currency and rate_date <= opened.open_date and ${isKnown('$3')} order by rate_date desc limit 1)
       union all
       (select 2, currency, rate, rate_date, entered_on from clearing.fx_rate
        where fx_rate.currency = opened.currency and ${isKnown('$3')} order by rate_date limit 1)
     ) as candidate order by choice limit 1
   ) as reported on true`,
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
