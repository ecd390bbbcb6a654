/** The holders of a security, and what could change what they are entitled to. */
import type { AcctType, FeedPayment } from '@clearing/domain/books'
import type { Decimal } from '@clearing/domain/decimal'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { decimalOfColumn } from './bulk.ts'

/** An account that holds a security, or held it once. */
export interface Holder {
  readonly accountNumber: string
  readonly firmId: string
  /** The positions now, by account type. */
  readonly quantities: readonly [cash: Decimal, margin: Decimal, short: Decimal]
  /** The effective date of the last line of the holding. */
  readonly lastDate: string
}

interface HolderRow {
  readonly account_number: string
  readonly firm_id: string
  readonly quantity_cash: string
  readonly quantity_margin: string
  readonly quantity_short: string
  readonly last_date: string
}

const columns = 'account_number, firm_id, quantity_cash, quantity_margin, quantity_short, last_date'
const selectHolders = statement<HolderRow>(
  'select-holders',
  `select ${columns} from clearing.holding where sec_no = $1 and account_number > $2 order by account_number limit $3`,
)
const selectNamed = statement<HolderRow>(
  'select-named-holders',
  `select ${columns} from clearing.holding where sec_no = $1 and account_number = any ($2) order by account_number`,
)

function parseHolder(row: HolderRow): Holder {
  return {
    accountNumber: row.account_number,
    firmId: row.firm_id,
    quantities: [
      decimalOfColumn(row.quantity_cash),
      decimalOfColumn(row.quantity_margin),
      decimalOfColumn(row.quantity_short),
    ],
    lastDate: row.last_date,
  }
}

/** The next holders in the order of their account numbers. */
export async function readHolders(tx: Tx, secNo: string, after: string, most: number): Promise<Holder[]> {
  return (await tx.rows(selectHolders, [secNo, after, most])).map(parseHolder)
}

export async function readNamedHolders(
  tx: Tx,
  secNo: string,
  accountNumbers: readonly string[],
): Promise<Holder[]> {
  return (await tx.rows(selectNamed, [secNo, accountNumbers])).map(parseHolder)
}

// A late trade lies before the ex-date; a cancel can have any date; a line of the kind can come from the feed itself.
// The lines of the announcement itself have its id and the account: the id of another may begin with its id.
function touchedBy(column: 'sec_no' | 'to_sec_no'): string {
  return `
  select booked.external_id, activity.account_number from booked join clearing.activity on activity.${column} = booked.sec_no
  where activity.entered_on >= (select min(examined_on) from booked) and activity.entered_on >= booked.examined_on
    and (activity.trade_date < booked.ex_date or activity.correction is not null or activity.trans_type = any (booked.types))
    and not starts_with(activity.external_id, 'CA-' || booked.external_id || '-' || activity.account_number || '-')`
}
const selectTouched = statement<{ external_id: string; account_number: string }>(
  'select-holders-to-examine-again',
  `with booked as materialized (
     select external_id, sec_no, ex_date, examined_on,
       array(select option ->> 'type' from jsonb_array_elements(options) as given (option)) as types
     from clearing.announcement where state = 'Booked'
   )
   ${touchedBy('sec_no')} union ${touchedBy('to_sec_no')}
   union select external_id, account_number from clearing.announced_entitlement as refused join clearing.announcement using (external_id)
   where refused.state = 'Refused' and announcement.state in ('Booked', 'Cancelled') and not exists (
     select from clearing.account where account.account_number = refused.account_number and status = 'Closed')
   order by 1, 2`,
)
/**
 * By booked announcement: the accounts with lines since its last examination. By booked or cancelled announcement:
 * those with a refused entitlement, unless they are closed.
 */
export async function readTouchedHolders(tx: Tx): Promise<Map<string, string[]>> {
  const touched = new Map<string, string[]>()
  for (const { external_id, account_number } of await tx.rows(selectTouched)) {
    const accounts = touched.get(external_id)
    if (accounts === undefined) touched.set(external_id, [account_number])
    else accounts.push(account_number)
  }
  return touched
}

interface LineOfFeedRow {
  readonly account_number: string
  readonly external_id: string
  readonly acct_type: AcctType
  readonly trans_type: FeedPayment['transType']
  readonly quantity: string
  readonly net_amount: string
  readonly of_other: boolean
}

export interface LineOfFeed extends FeedPayment {
  readonly accountNumber: string
}

/** Whether a line with a quantity has the cash for each share of an announcement. */
function paysAmountOf(announcement: string): string {
  return `activity.quantity <> 0 and exists (
    select from jsonb_array_elements(${announcement}.options) as given (option)
    where option ->> 'type' = activity.trans_type
      and abs(abs(activity.net_amount) - abs(activity.quantity) * (option ->> 'cashPerShare')::numeric) <= 0.01)`
}
const selectOfFeed = statement<LineOfFeedRow>(
  'select-lines-of-feed-for-announcement',
  `select account_number, external_id, acct_type, trans_type, coalesce(quantity, 0) as quantity, coalesce(net_amount, 0) as net_amount,
     exists (select from clearing.announced_entitlement as other where other.account_number = activity.account_number
       and other.state = 'ByFeed' and other.reason = activity.external_id and other.external_id <> $8) as of_other
   from clearing.activity
   where activity.account_number = any ($1) and activity.sec_no = $2 and activity.trans_type = any ($3)
     and (activity.trade_date between $5 and $7 or activity.settle_date between $5 and $7 or activity.trade_date = $4 and not exists (
       select from clearing.announcement as paid where paid.sec_no = $2 and paid.external_id <> $8 and paid.state not in ('Cancelling', 'Cancelled')
         and paid.pay_date in (activity.trade_date, activity.settle_date) and paid.ex_date < $4
         and exists (select from jsonb_array_elements(paid.options) as given (option) where option ->> 'type' = activity.trans_type)))
     and activity.correction is distinct from 'C'
     and not exists (select from clearing.announcement as other where other.sec_no = $2 and other.external_id <> $8
       and other.pay_date = $5 and other.state not in ('Cancelling', 'Cancelled') and ${paysAmountOf('other')}
       and not exists (select from clearing.announcement as own where own.external_id = $8 and ${paysAmountOf('own')}))
     and not starts_with(activity.external_id, $6)
     and not exists (select from clearing.announced_entitlement as other where other.account_number = activity.account_number
       and other.lines @> jsonb_build_array(jsonb_build_object('externalId', activity.external_id)))
     and not exists (select from clearing.correction as taken where taken.account_number = activity.account_number
       and taken.tag_no = activity.external_id and taken.correction = 'C')
   order by account_number, external_id`,
)
/**
 * The lines by which the feed itself reported the action, by the dates of the announcement. A line of another
 * announcement, such as a special dividend of the same day, is none. Nor is a line on the ex-date that pays an earlier
 * announcement.
 */
export async function readLinesOfFeed(
  tx: Tx,
  accountNumbers: readonly string[],
  of: {
    readonly secNo: string
    readonly types: readonly string[]
    readonly exDate: string
    readonly payDate: string
    /** The pay date, or the next business day on which a payment of that day arrives. */
    readonly paidBy: string
    readonly externalId: string
    /** With which the ids of the announcement's own lines begin. */
    readonly prefix: string
  },
): Promise<LineOfFeed[]> {
  const rows = await tx.rows(selectOfFeed, [
    accountNumbers,
    of.secNo,
    of.types,
    of.exDate,
    of.payDate,
    of.prefix,
    of.paidBy,
    of.externalId,
  ])
  return rows.map((row) => ({
    accountNumber: row.account_number,
    externalId: row.external_id,
    acctType: row.acct_type,
    transType: row.trans_type,
    quantity: decimalOfColumn(row.quantity),
    netAmount: decimalOfColumn(row.net_amount),
    isOfOther: row.of_other,
  }))
}
