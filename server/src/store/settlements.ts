/** Settlement: the amounts due with the street move to the bank and the depository. */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { AccountRange } from './business-day.ts'

const lockDue = statement(
  'lock-books-with-due-lines',
  `select from clearing.account_books where account_number in (
     select account_number from clearing.unsettled where settle_date <= $1 and account_number > $2 and account_number <= $3
   ) order by account_number for no key update`,
)
// Reverses the amount that each line posted with the street, including corrections.
const settleDue = statement(
  'settle-due-lines',
  `with due as (
     delete from clearing.unsettled where settle_date <= $1 and account_number > $2 and account_number <= $3
     returning account_number, process_date, sequence
   ), posted as (
     select account_number, sequence, acct_type, ledger, asset, amount
     from due join clearing.activity using (account_number, process_date, sequence) where entry_no is not null
     union all
     select due.account_number, due.sequence, acct_type, ledger, asset, amount
     from due join clearing.entry on entry.account_number = due.account_number and of_line = due.sequence
   ), leg as (
     select account_number, sequence, acct_type, leg.asset, sum(leg.amount) as amount
     from posted cross join lateral unnest(ledger, asset, amount) as leg (ledger, asset, amount)
     where leg.ledger = 'street:clearing'
     group by account_number, sequence, acct_type, leg.asset having sum(leg.amount) <> 0
   ), turned as (
     select account_number, sequence, acct_type, asset, -amount as amount, 'street:clearing'::clearing.ledger as ledger from leg
     union all
     select account_number, sequence, acct_type, asset, amount,
       (case when asset ~ '^[A-Z]{3}$' then 'location:bank' else 'location:depository' end)::clearing.ledger from leg
   ), made as (
     select account_number, sequence, acct_type, array_agg(ledger order by asset, ledger) as ledger,
       array_agg(asset order by asset, ledger) as asset, array_agg(amount order by asset, ledger) as amount,
       row_number() over (partition by account_number order by sequence, acct_type) as place
     from turned group by account_number, sequence, acct_type
   ), counted as (
     update clearing.account_books as books set entry_count = books.entry_count + made.entries
     from (select account_number, count(*) as entries from made group by account_number) as made
     where books.account_number = made.account_number
     returning books.account_number, books.firm_id, books.entry_count - made.entries as before
   )
   insert into clearing.entry
     (account_number, firm_id, entry_date, entry_no, of_line, caused_by, kind, acct_type, ledger, asset, amount)
   select made.account_number, firm_id, $1::date, before + place, sequence, sequence, 'S', acct_type, ledger, asset, amount
   from made join counted using (account_number)`,
)

/** Settles the lines of some accounts that are due on a day. */
export async function settleLines(tx: Tx, day: string, [after, upTo]: AccountRange): Promise<number> {
  tx.later(lockDue, [day, after, upTo])
  return tx.run(settleDue, [day, after, upTo])
}
