/** Breaks for lines of an announced action that should be reversed, and whose reversal the books refused. */
import { renderDecimal } from '@clearing/domain/decimal'
import { json, statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { ExaminedEntitlement } from './announced-entitlements.ts'
import type { StoredAnnouncement } from './announcements.ts'

// The id follows from the line, the terms that reverse it and what is to be settled, so a break that a person settled
// is not raised again until one of them changes. The break of former terms ends.
const raise = statement(
  'raise-breaks-of-unreversed-lines',
  `with given as (
     select * from jsonb_to_recordset($1::jsonb) as given (announcement text, terms text, lines text[], account_number text, firm_id uuid,
       acct_type smallint, quantity numeric, refusal text, due numeric)
   ), moved as (
     select given.*, lines[1] as line, (
       select coalesce(sum(net_amount), 0) from clearing.activity_key as key
       join clearing.activity using (account_number, process_date, sequence)
       where key.firm_id = given.firm_id and key.external_id = any (lines)) as amount
     from given
   ), found as (
     select *, 'The corporate action ' || announcement || ' was cancelled or amended, and the line ' || line || ' was not reversed: ' || refusal
       || case when due is not null then ' The line paid ' || round(amount, 2) || ' and ' || round(due, 2) || ' is due. Settle the difference with the owner.'
         when amount > 0 then ' Recover ' || round(amount, 2) || ' from the owner.'
         when amount < 0 then ' Return ' || round(-amount, 2) || ' to the owner.'
         else ' Settle what the line moved with the owner.' end as reason
     from moved
   ), named as (
     select *, md5(concat_ws(' ', announcement, terms, line, account_number, acct_type, reason))::uuid as break_id from found
   ), former as (
     update clearing.books_break as open set resolved_at = $3 from named
     where open.account_number = named.account_number and open.kind = 'NotReversed' and open.external_id = named.line
       and open.acct_type = named.acct_type and open.break_id <> named.break_id and open.resolved_at is null
   )
   insert into clearing.books_break
     (break_id, account_number, firm_id, kind, external_id, sec_no, acct_type, quantity, reason, raised_at)
   select break_id, account_number, firm_id, 'NotReversed', line, $2, acct_type, quantity, reason, $3 from named
   on conflict do nothing`,
)

export function raiseOfUnreversed(
  tx: Tx,
  announcement: StoredAnnouncement,
  examined: readonly ExaminedEntitlement[],
  at: Date,
): void {
  const rows = examined.flatMap(({ unreversed, ...one }) =>
    unreversed === undefined
      ? []
      : [
          {
            announcement: one.externalId,
            terms: termsOf(announcement),
            lines: unreversed.lines,
            account_number: one.accountNumber,
            firm_id: one.firmId,
            acct_type: one.acctType,
            quantity: renderDecimal(one.quantity),
            refusal: one.reason,
            due: unreversed.due ?? null,
          },
        ],
  )
  if (rows.length > 0) tx.later(raise, [json(rows), announcement.security, at])
}

/** Names the terms: an amendment reverses the lines of all holders before it books new ones. */
function termsOf({ state, version }: StoredAnnouncement): string {
  switch (state) {
    case 'Cancelling':
    case 'Cancelled':
      return 'cancelled'
    case 'Amending':
      return `reversed ${version}`
    default:
      return `booked ${version}`
  }
}
