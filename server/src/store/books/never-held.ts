/**
 * Payments of a security that the account has not held: dividends, interest and distributions of gains. They are
 * booked as the feed states them, and are often of another account.
 */
import { statement } from '../../database/statement.ts'

const paying = "('Dividend', 'Interest', 'CapitalGain')"
/** Lines about a security that do not move a position. */
const withoutPosition = "('Dividend', 'Interest', 'CapitalGain', 'Tax', 'TaxRefund', 'Fee', 'FeeRefund')"

function isCancelled(line: string): string {
  return `exists (select from clearing.correction as taken where taken.account_number = ${line}.account_number
      and taken.tag_no = ${line}.external_id and taken.correction = 'C')`
}

// Any line until the day of the payment counts, because a payment often comes long after the sale of the position. The
// payment of a position that is transferred in can come before it.
function wasHeld(payment: string): string {
  return `(exists (
      select from clearing.activity as moved
      where moved.account_number = ${payment}.account_number and (moved.sec_no = ${payment}.sec_no or moved.to_sec_no = ${payment}.sec_no)
        and moved.trans_type not in ${withoutPosition} and moved.correction is distinct from 'C'
        and (moved.trade_date <= ${payment}.trade_date or moved.trans_type in ('TransferIn', 'Journal'))
        and not ${isCancelled('moved')})
    or exists (select from clearing.held_away as away
      where away.account_number = ${payment}.account_number and away.sec_no = ${payment}.sec_no))`
}

/** Raises the breaks of the lines of a day: `$1` the day, `$2` and `$3` the range of accounts, `$4` the time. */
export const raiseNeverHeld = statement(
  'raise-breaks-of-payments-never-held',
  `with payment as materialized (
     select line.account_number, line.firm_id, line.external_id, line.sec_no, line.acct_type, line.trans_type, line.trade_date
     from clearing.activity as line
     where line.entered_on = $1::date and line.account_number > $2 and line.account_number <= $3
       and line.trans_type in ${paying} and line.sec_no is not null and line.correction is distinct from 'C')
   insert into clearing.books_break
     (break_id, account_number, firm_id, kind, external_id, sec_no, acct_type, quantity, reason, raised_at)
   select gen_random_uuid(), payment.account_number, payment.firm_id, 'NeverHeld', payment.external_id, payment.sec_no, payment.acct_type,
     null, 'The account has not held ' || coalesce(security.symbol, security.cusip, security.isin, security.sedol)
       || ', of which this line is a payment. If it is of another account, cancel it and load it there. Otherwise load the lines of the position.',
     $4::timestamptz
   from payment join clearing.security on security.sec_no = payment.sec_no
   where not security.money_market and not ${isCancelled('payment')} and not ${wasHeld('payment')}
     and not exists (select from clearing.books_break as open where open.account_number = payment.account_number
       and open.resolved_at is null and open.kind = 'NeverHeld' and open.external_id = payment.external_id offset 0)`,
)

/** The SQL condition for a break `open` whose line was cancelled, or whose position has arrived. */
export const isHeldAfterAll = `open.kind = 'NeverHeld' and exists (
    select from clearing.activity_key as key
    join clearing.activity as payment on payment.account_number = key.account_number
      and payment.process_date = key.process_date and payment.sequence = key.sequence
    where key.firm_id = open.firm_id and key.external_id = open.external_id
      and (${isCancelled('payment')} or ${wasHeld('payment')})
  )`
