/**
 * Facts that no feed sent: the lines of options and bonds that ended and are still held, the lines of corporate actions
 * that reached other holders or other account types of the account, and the factor of a pool after its last factor
 * change. Each is a break until the fact arrives. So is a line of an announced action that the feed cancelled, and a
 * payment of the feed that may be the same as a line of an announced action.
 */
import type { BreakKind } from '@clearing/domain/books'
import { json, statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { AccountRange } from '../business-day.ts'
import { dayOf } from '../conditions.ts'
import { isHeldAfterAll, raiseNeverHeld } from './never-held.ts'
import { isFollowed, isUnadjusted, originsOf } from './prices/changed-underlyings.ts'
import { optionsNaming } from './prices/named-underlyings.ts'
import { isRebilledElsewhere } from './rebilled-elsewhere.ts'

/**
 * The number of days by which a holder's own line of an action may differ from the lines of other holders.
 */
const actionDaysApart = 10
/** The number of days for which a reported action is checked. */
const actionDaysMax = 30

/** Whether the position of the break or candidate `$name` has a line of the action. */
function hasLine(position: string): string {
  return `exists (
    select from clearing.activity as reported
    where reported.account_number = ${position}.account_number and reported.sec_no = ${position}.sec_no and reported.acct_type = ${position}.acct_type
      and reported.trans_type = action.trans_type and reported.correction is distinct from 'C'
      and coalesce(case when reported.trans_type = 'ReturnOfCapital' then reported.as_of_date end, reported.trade_date)
        between action.effective_date - ${actionDaysApart} and action.effective_date + ${actionDaysApart}
      and not exists (select from clearing.correction as taken where taken.account_number = reported.account_number
        and taken.tag_no = reported.external_id and taken.correction = 'C')
  )`
}

// A position that was transferred in may have had the action at another custodian.
function cameIn(position: string): string {
  return `exists (
    select from clearing.activity as moved
    where moved.account_number = ${position}.account_number and moved.acct_type = ${position}.acct_type
      and ${position}.sec_no in (moved.sec_no, moved.to_sec_no) and moved.trade_date >= action.effective_date
      and (moved.trans_type in ('Journal', 'TransferIn') or moved.to_sec_no = ${position}.sec_no)
  )`
}

/** The last FactorChange of the position of the break or candidate `$name`. */
function lastFactor(position: string): string {
  return `(
    select changed.external_id, changed.trade_date, (changed.terms -> 'ratio' ->> 0)::numeric as factor,
      (changed.terms -> 'ratio' ->> 1)::numeric as factor_before
    from clearing.activity as changed
    where changed.account_number = ${position}.account_number and changed.sec_no = ${position}.sec_no and changed.acct_type = ${position}.acct_type
      and changed.trans_type = 'FactorChange' and changed.correction is distinct from 'C'
      and not exists (select from clearing.correction as taken where taken.account_number = changed.account_number
        and taken.tag_no = changed.external_id and taken.correction = 'C')
    order by changed.trade_date desc, changed.sequence desc limit 1
  )`
}

// A factor is often published before its principal is paid, so a factor beyond that of the line is no contradiction.
const factorIsOld = `case when last.factor < last.factor_before then security.current_factor > last.factor
       when last.factor > last.factor_before then security.current_factor < last.factor end`

const nameOfSecurity = 'coalesce(security.symbol, security.cusip, security.isin, security.sedol)'
const raised = `insert into clearing.books_break
     (break_id, account_number, firm_id, kind, external_id, sec_no, acct_type, quantity, reason, raised_at)
   select gen_random_uuid(), account_number, firm_id, kind, external_id, sec_no, acct_type, quantity, reason, $4::timestamptz
   from missing where not exists (
     select from clearing.books_break as open where open.account_number = missing.account_number and open.resolved_at is null
       and open.kind = missing.kind and open.sec_no = missing.sec_no and open.acct_type = missing.acct_type
       and open.external_id = missing.external_id`

// `offset 0` keeps the search for an open break apart: it then looks up the breaks of the account by index. As a join,
// it compared each candidate with every open break when the tables had no statistics yet, such as after a first load.
// Actions have many more candidates than open breaks of other kinds, and are joined.
const raiseEnded = statement(
  'raise-breaks-of-ended-securities',
  `with missing as (
     select position.account_number, position.firm_id, position.sec_no, position.acct_type, position.quantity, '' as external_id,
       case when expiration is null then 'MaturedHeld' else 'ExpiredHeld' end as kind,
       case when expiration is null
         then 'The bond ' || ${nameOfSecurity} || ' matured on ' || maturity_date || ' and is still held. Load its Maturity line, or mend its maturityDate.'
         else 'The option ' || ${nameOfSecurity} || ' expired on ' || expiration
           || ' and is still held. Load its Expiration, Exercise or Assignment line, or mend its expiration.'
       end as reason
     from clearing.position join clearing.security on security.sec_no = position.sec_no
     where position.account_number > $2 and position.account_number <= $3
       and coalesce(expiration, maturity_date) <= $1
   ) ${raised} offset 0)`,
)

// In the ids of its lines, the account follows the id of the announcement: the id of another announcement may begin
// with the same text.
function isOfAnnouncement(line: string, announcement: string): string {
  const prefix = `'CA-' || ${announcement}.external_id || '-'`
  return `starts_with(${line}.external_id, ${prefix}) and substr(${line}.external_id, length(${prefix}) + 1) ~ '^[^-]{8}-'`
}

// Holders who chose another option of an announced action miss nothing, nor do those whose line waits for its day. If
// the feed cancels the line of a holder, the examination of the action raises the break, before the close or after it.
const raiseMissed = statement(
  'raise-breaks-of-missed-actions',
  `with recent as (
     select * from clearing.corporate_action where entered_on > $1::date - ${actionDaysMax} and effective_date <= $1::date
       and not exists (select from clearing.announcement as choice
         where choice.sec_no = corporate_action.sec_no and choice.deadline is not null
           and ${isOfAnnouncement('corporate_action', 'choice')})
   ), holder as (
     select lot.account_number, lot.firm_id, lot.sec_no, lot.acct_type, action.trans_type, action.effective_date, action.external_id,
       sum(lot.quantity) as quantity
     from recent as action join clearing.lot on lot.sec_no = action.sec_no
     where lot.account_number > $2 and lot.account_number <= $3
       and (lot.open_date < action.effective_date or (action.trans_type = 'ReturnOfCapital' and lot.open_date = action.effective_date))
     group by lot.account_number, lot.firm_id, lot.sec_no, lot.acct_type, action.trans_type, action.effective_date, action.external_id
   ), missing as (
     select action.account_number, action.firm_id, action.sec_no, action.acct_type, action.quantity, action.external_id, 'ActionMissed' as kind,
       'Holders of ' || ${nameOfSecurity} || ' got a ' || action.trans_type || ' of ' || action.effective_date || ', and account type '
         || action.acct_type || ' of this account did not. Load its line, or cancel those of the others.' as reason
     from holder as action join clearing.security on security.sec_no = action.sec_no
     where not ${hasLine('action')} and not ${cameIn('action')}
       and not exists (
         select from clearing.announced_entitlement as taken
         where taken.account_number = action.account_number and taken.acct_type = action.acct_type
           and (taken.state = 'Booked' or taken.state = 'Reversed' and taken.reason <> '')
           and ${isOfAnnouncement('action', 'taken')})
       and not exists (
         select from clearing.announced_entitlement as awaited join clearing.announcement using (external_id)
         where awaited.account_number = action.account_number and awaited.acct_type = action.acct_type and awaited.state = 'Expected'
           and announcement.sec_no = action.sec_no and announcement.state = 'Announced'
           and action.effective_date in (announcement.ex_date, announcement.ex_date - 1, announcement.pay_date)
           and jsonb_path_exists(options, '$[*] ? (@.type == $type)', jsonb_build_object('type', action.trans_type)))
   ) ${raised})`,
)

const knownNow = { day: 'null', knownOn: 'null' }
/**
 * Positions in an `option` that is not adjusted to the `change` of units of its underlying by an `action`, or to its
 * exchange for another security. An exchange one for one changes nothing if the security received took the symbol.
 */
const unadjusted = `clearing.corporate_action as action
     join clearing.unit_change as change on change.firm_id = action.firm_id and change.external_id = action.external_id
       and (change.received <> change.held or change.sec_no <> change.to_sec_no) and change.cancelled_on is null and ${isFollowed(knownNow)}
     cross join lateral ${originsOf('change.sec_no', 'change.effective_on')} as origin
     join clearing.security as stock on stock.sec_no = origin.sec_no
     join clearing.security as received on received.sec_no = change.to_sec_no
     cross join lateral ${optionsNaming('stock')} as naming
     join clearing.security as option on option.sec_no = naming.sec_no and ${isUnadjusted(knownNow)}
       and (change.received <> change.held
         or not coalesce(option.underlying in (received.symbol, received.cusip, received.isin, received.sedol), false))
     join clearing.position on position.sec_no = option.sec_no and position.quantity <> 0`
const raiseUnadjusted = statement(
  'raise-breaks-of-unadjusted-options',
  `with missing as (
     select distinct on (position.account_number, position.sec_no, position.acct_type)
       position.account_number, position.firm_id, position.sec_no, position.acct_type, position.quantity, action.external_id,
       'ActionMissed' as kind,
       case when change.received <> change.held then 'The units of ' || security.underlying || ' changed on '
           else security.underlying || ' became ' || coalesce(received.symbol, received.cusip, received.isin, received.sedol) || ' on ' end
         || action.effective_date || ', and its option ' || ${nameOfSecurity}
         || ' was not adjusted. Load the line that adjusts the position, such as its Split.' as reason
     from ${unadjusted}
     join clearing.security on security.sec_no = position.sec_no
     where position.account_number > $2 and position.account_number <= $3
       and action.entered_on > $1::date - ${actionDaysMax} and action.effective_date <= $1::date
     order by position.account_number, position.sec_no, position.acct_type, action.effective_date desc, action.external_id
   ) ${raised})`,
)

// Positions in pools are found first: the search for the last factor change reads every month of activity.
const raiseFactors = statement(
  'raise-breaks-of-old-factors',
  `with pooled as materialized (
     select account_number, firm_id, sec_no, acct_type, quantity from clearing.position
     where account_number > $2 and account_number <= $3 and quantity <> 0
       and exists (select from clearing.corporate_action as action
         where action.sec_no = position.sec_no and action.trans_type = 'FactorChange' and action.effective_date <= $1::date)
   ), missing as (
     select position.account_number, position.firm_id, position.sec_no, position.acct_type, position.quantity, last.external_id,
       'FactorDisagrees' as kind,
       'The FactorChange of ' || last.trade_date || ' states the factor ' || trim_scale(last.factor) || ' for ' || ${nameOfSecurity}
         || ', and the security has ' || trim_scale(security.current_factor)
         || ', which values the position. '
         || case when last.factor = 0 then 'Load the Maturity line of the position' else 'Load the currentFactor of the security' end
         || ', or cancel the line.' as reason
     from pooled as position join clearing.security on security.sec_no = position.sec_no
     cross join lateral ${lastFactor('position')} as last
     where ${factorIsOld}
   ) ${raised} offset 0)`,
)

const mended = `(
     open.kind in ('ExpiredHeld', 'MaturedHeld') and not exists (
       select from clearing.position join clearing.security on security.sec_no = position.sec_no
       where position.account_number = open.account_number and position.sec_no = open.sec_no and position.acct_type = open.acct_type
         and coalesce(expiration, maturity_date) <= ${dayOf('open.raised_at')}
     )
     or open.kind = 'FactorDisagrees' and not exists (
       select from clearing.position join clearing.security on security.sec_no = position.sec_no
       cross join lateral ${lastFactor('position')} as last
       where position.account_number = open.account_number and position.sec_no = open.sec_no and position.acct_type = open.acct_type
         and position.quantity <> 0 and last.external_id = open.external_id and ${factorIsOld}
     )
     or open.kind = 'ActionMissed' and not exists (
       select from clearing.corporate_action as action
       where action.external_id = open.external_id and action.sec_no = open.sec_no and not ${hasLine('open')}
     )
     and not exists (
       select from ${unadjusted}
       where option.sec_no = open.sec_no and change.external_id = open.external_id
         and position.account_number = open.account_number and position.acct_type = open.acct_type
     )
     and not exists (
       select from clearing.announced_entitlement as taken join clearing.announcement using (external_id)
       where taken.account_number = open.account_number and taken.acct_type = open.acct_type and announcement.sec_no = open.sec_no
         and taken.state = 'Reversed' and taken.reason = open.external_id and announcement.state not in ('Cancelling', 'Cancelled')
     )
     or open.kind = 'ActionPaidTwice' and not exists (
       select from clearing.announced_entitlement as paid join clearing.announcement using (external_id)
       where paid.account_number = open.account_number and paid.acct_type = open.acct_type and announcement.sec_no = open.sec_no
         and paid.state = 'Booked' and paid.reason = open.external_id
         and not exists (select from clearing.announced_entitlement as other where other.account_number = open.account_number
           and other.state = 'ByFeed' and other.reason = open.external_id)
     )
     or open.kind = 'NotReversed' and not exists (
       select from clearing.announced_entitlement as unreversed
       where unreversed.account_number = open.account_number and unreversed.acct_type = open.acct_type and unreversed.state = 'Refused'
         and unreversed.lines @> jsonb_build_array(jsonb_build_object('externalId', open.external_id))
     )
     or ${isRebilledElsewhere}
     or ${isHeldAfterAll}
   )`
/** Resolves the breaks of some accounts (`$1`) that fulfil a condition. */
function resolveIf(name: string, condition: string) {
  return statement(
    name,
    `update clearing.books_break as open set resolved_at = $2
     where open.account_number = any ($1) and open.resolved_at is null and ${condition}`,
  )
}
const resolveOfAccounts = resolveIf('resolve-mended-breaks-of-accounts', mended)
const resolveHeldOfAccounts = resolveIf('resolve-breaks-of-payments-never-held', isHeldAfterAll)
// A break takes up to a millisecond, so a statement examines few of them: it must end before its timeout however many
// are open.
const breaksAtOnce = 2_000
interface ExaminedPart {
  /** The last break that was examined. */
  readonly account_number: string
  readonly break_id: string
  readonly examined: number
}
const resolveOfPart = statement<ExaminedPart>(
  'resolve-mended-breaks-of-part',
  `with part as (
     select account_number, break_id from clearing.books_break
     where (account_number, break_id) > ($1, $2::uuid) and account_number <= $3 and resolved_at is null
       and kind in ('ExpiredHeld', 'MaturedHeld', 'FactorDisagrees', 'ActionMissed', 'UnknownOriginal', 'RebillWithoutCancel',
         'NeverHeld', 'ActionPaidTwice', 'NotReversed')
     order by account_number, break_id limit ${breaksAtOnce}
   ), resolved as (
     update clearing.books_break as open set resolved_at = $4 from part
     where open.account_number = part.account_number and open.break_id = part.break_id and ${mended}
   )
   select account_number, break_id, (count(*) over ())::integer as examined from part
   order by account_number desc, break_id desc limit 1`,
)
const afterBreaksOfAccount = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Resolves the mended breaks of some accounts, a bounded number with each statement. */
async function resolveOfRange(tx: Tx, [after, upTo]: AccountRange, at: Date): Promise<void> {
  let part = await tx.row(resolveOfPart, [after, afterBreaksOfAccount, upTo, at])
  while (part?.examined === breaksAtOnce)
    part = await tx.row(resolveOfPart, [part.account_number, part.break_id, upTo, at])
}

/** Resolves breaks of accounts whose missing facts arrived. */
export function resolveMended(tx: Tx, accountNumbers: readonly string[], at: Date): void {
  if (accountNumbers.length > 0) tx.later(resolveOfAccounts, [accountNumbers, at])
}

/** The same for breaks of the kind NeverHeld only, after lines that may have brought a position. */
export function resolveNeverHeld(tx: Tx, accountNumbers: readonly string[], at: Date): void {
  if (accountNumbers.length > 0) tx.later(resolveHeldOfAccounts, [accountNumbers, at])
}

// The id of a break follows from the line, so that two processes that find it raise one break.
const raiseOfLines = statement(
  'raise-breaks-of-entitlements',
  `insert into clearing.books_break
     (break_id, account_number, firm_id, kind, external_id, sec_no, acct_type, quantity, reason, raised_at)
   select md5(concat_ws(' ', announcement, line, account_number, acct_type))::uuid, account_number, firm_id, kind, line, $2,
     acct_type, quantity, reason, $3
   from jsonb_to_recordset($1::jsonb) as given (announcement text, line text, account_number text, firm_id uuid, acct_type smallint,
     quantity numeric, kind text, reason text)
   on conflict do nothing`,
)

/** A position of an announced action about which the feed has sent a line that contradicts it. */
export interface BreakOfEntitlement {
  readonly kind: BreakKind
  readonly announcement: string
  /** The feed's line. */
  readonly line: string
  readonly account_number: string
  readonly firm_id: string
  readonly acct_type: number
  readonly quantity: string
  readonly reason: string
}

export function raiseOfEntitlements(
  tx: Tx,
  secNo: string,
  breaks: readonly BreakOfEntitlement[],
  at: Date,
): void {
  if (breaks.length > 0) tx.later(raiseOfLines, [json(breaks), secNo, at])
}

/** Raises breaks for the missing facts of some accounts at the end of a day. */
export async function raiseMissing(tx: Tx, day: string, range: AccountRange, at: Date): Promise<void> {
  await resolveOfRange(tx, range, at)
  const [after, upTo] = range
  tx.later(raiseEnded, [day, after, upTo, at])
  tx.later(raiseFactors, [day, after, upTo, at])
  tx.later(raiseMissed, [day, after, upTo, at])
  tx.later(raiseNeverHeld, [day, after, upTo, at])
  tx.later(raiseUnadjusted, [day, after, upTo, at])
}
