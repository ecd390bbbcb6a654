/** Prices and exchange rates of closed days that were corrected after the closes which used them. */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { wayOf } from './books/prices/changed-underlyings.ts'
import { namedSecurity } from './books/prices/named-underlyings.ts'
import { dayOf } from './conditions.ts'

/** An account, and the day of its last close. */
export interface ClosedAccount {
  readonly accountNumber: string
  readonly closeDate: string
}

/** Which corrections count. */
export interface CorrectionsWanted {
  /** The first of the last closes: corrections that it knew do not count. */
  readonly since: string
  /** The last close whose corrections count. Null: all. */
  readonly knownOn: string | null
  /** Corrections of facts of earlier days do not count. */
  readonly from: string
}

const enteredSince =
  'correction.entered_on > $1::date and ($2::date is null or correction.entered_on <= $2::date)'

// Usually there is none. The accounts and what they held are then not read.
const selectAny = statement<{ any: boolean }>(
  'select-any-correction-since',
  `select exists (select from clearing.price_correction as correction where ${enteredSince})
     or exists (select from clearing.fx_rate_correction as correction where ${enteredSince}) as any`,
)

// A fact that came late was first used by the close of the day on which it came. An account can have used the price of
// a security that it held at any time: at a close, or for what it moved on a day between two closes.
const selectFirst = statement<{ account_number: string; day: string }>(
  'select-first-corrected-days',
  `with priced as materialized (
     select sec_no, correction.entered_on,
       greatest(${dayOf('priced_at')}, price.entered_on) as day
     from clearing.price_correction as correction join clearing.price using (sec_no, priced_at, price_type)
     where ${enteredSince} and priced_at >= $3::date
   ), rated as materialized (
     select currency, correction.entered_on, greatest(rate_date, fx_rate.entered_on) as day
     from clearing.fx_rate_correction as correction join clearing.fx_rate using (currency, rate_date)
     where ${enteredSince} and rate_date >= $3::date
   ), closed as materialized (
     select * from unnest($4::text[], $5::date[]) as closed (account_number, close_date)
   ), held as materialized (
     select account_number, close_date, sec_no, currency,
       case when put_call is not null then ${namedSecurity('security.sec_no', 'security.underlying')} end as underlying_no
     from closed join clearing.holding using (account_number) join clearing.security using (sec_no)
   )
   select account_number, min(day) as day from (
     select account_number, close_date, day, entered_on from held join priced using (sec_no)
     union all
     select account_number, close_date, priced.day, entered_on from held cross join lateral (select distinct sec_no from ${wayOf('held.underlying_no')} as step) as way
     join priced on priced.sec_no = way.sec_no where held.underlying_no is not null
     union all
     select account_number, close_date, day, entered_on from held join rated using (currency)
     union all
     select account_number, close_date, day, entered_on
     from closed join clearing.cash_balance using (account_number) join rated using (currency) where acct_type in (2, 3)
   ) as corrected
   where day <= close_date and entered_on > close_date
   group by account_number`,
)

/** By account, the first close that can have used a price or rate which was corrected since the last close. */
export async function readFirstCorrected(
  tx: Tx,
  accounts: readonly ClosedAccount[],
  { since, knownOn, from }: CorrectionsWanted,
): Promise<Map<string, string>> {
  if (knownOn !== null && knownOn <= since) return new Map()
  const found = await tx.row(selectAny, [since, knownOn])
  if (!found?.any) return new Map()
  const rows = await tx.rows(selectFirst, [
    since,
    knownOn,
    from,
    accounts.map(({ accountNumber }) => accountNumber),
    accounts.map(({ closeDate }) => closeDate),
  ])
  return new Map(rows.map(({ account_number, day }) => [account_number, day]))
}
