/** The interest of margin accounts, night by night, and what lines have moved by their settlement dates. */
import type { AcctType } from '@clearing/domain/books'
import { type Decimal, renderDecimal } from '@clearing/domain/decimal'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { decimalOfColumn, insertRows, Rows } from './books/bulk.ts'
import { groupByAccount } from './group-by-account.ts'
import type { LinesWanted } from './margin-lines.ts'

/** Interest of the nights after a close, US dollars. */
export interface MarginInterest {
  /** The close that computed it. */
  readonly closeDate: string
  /** The close after which the nights begin. */
  readonly ofDate: string
  /** What was owed; not negative. */
  readonly debit: Decimal
  /** The debit on which the nights were computed before; undefined if they are computed for the first time. */
  readonly debitBefore: Decimal | undefined
  /** Percent a year, for each night. */
  readonly rates: readonly Decimal[]
  /** The difference if the nights are computed again. */
  readonly interest: Decimal
}

export interface NewMarginInterest extends MarginInterest {
  readonly accountNumber: string
  readonly firmId: string
}

const insertInterest = insertRows('insert-margin-interest', 'margin_interest', 'on conflict do nothing')

export function insertMarginInterest(tx: Tx, all: readonly NewMarginInterest[]): void {
  if (all.length === 0) return
  const rows = new Rows()
  for (const one of all) {
    const { debitBefore, rates } = one
    rows.add(
      one.accountNumber,
      one.closeDate,
      one.ofDate,
      one.firmId,
      renderDecimal(one.debit),
      debitBefore === undefined ? null : renderDecimal(debitBefore),
      `{${rates.map((rate) => renderDecimal(rate)).join(',')}}`,
      renderDecimal(one.interest),
    )
  }
  tx.later(insertInterest, [rows.bytes()])
}

/** What lines moved in a margin account on a settlement date: cash of a currency, or units of a security. */
export interface SettledMove {
  readonly settleDate: string
  readonly acctType: AcctType
  /** A currency, or the number of a security. */
  readonly asset: string
  readonly amount: Decimal
  /** The lines came after the last close. */
  readonly late: boolean
}

// A correction of an earlier line counts on the settlement date of that line.
const selectMoves = statement<{
  account_number: string
  settle_date: string
  acct_type: AcctType
  asset: string
  amount: string
  late: boolean
}>(
  'select-settled-moves',
  `with line as materialized (
     select account_number, sequence, settle_date, after, up_to, acct_type, ledger, asset, amount
     from unnest($1::text[], $2::bigint[], $3::bigint[]) as wanted (account_number, after, up_to)
     join clearing.activity using (account_number) where sequence <= up_to and settle_date < $4::date
   ), posted as (
     select account_number, settle_date, sequence > after as late, acct_type, ledger, asset, amount from line
     union all
     select line.account_number, settle_date, caused_by > after, entry.acct_type, entry.ledger, entry.asset, entry.amount
     from line join clearing.entry on entry.account_number = line.account_number and of_line = line.sequence
     where caused_by <= up_to
   )
   select account_number, settle_date, acct_type, leg.asset, sum(leg.amount) as amount, late
   from posted cross join lateral unnest(ledger, asset, amount) as leg (ledger, asset, amount)
   where acct_type in (2, 3) and leg.ledger = 'customer'
   group by account_number, settle_date, acct_type, leg.asset, late having sum(leg.amount) <> 0
   order by account_number, settle_date`,
)

/** What the lines of margin accounts moved that settled before a day, by account, in the order of their dates. */
export async function readSettledMoves(
  tx: Tx,
  wanted: readonly LinesWanted[],
  before: string,
): Promise<Map<string, SettledMove[]>> {
  const found = await tx.rows(selectMoves, [
    wanted.map(({ accountNumber }) => accountNumber),
    wanted.map(({ after }) => after),
    wanted.map(({ upTo }) => upTo),
    before,
  ])
  return groupByAccount(found, (row) => ({
    settleDate: row.settle_date,
    acctType: row.acct_type,
    asset: row.asset,
    amount: decimalOfColumn(row.amount),
    late: row.late,
  }))
}

const selectCloses = statement<{ account_number: string; close_date: string }>(
  'select-closes-of-margin-accounts',
  `select account_number, close_date from unnest($1::text[], $2::date[]) as wanted (account_number, since)
   join clearing.margin_ledger using (account_number) join clearing.business_day_close using (close_date)
   where close_date >= since and close_date < $3 and counts_late_nights
     and coalesce((select margin_interest from clearing.day_accrual as accrual
         where accrual.account_number = margin_ledger.account_number and accrual.close_date = margin_ledger.close_date), 0)
       = coalesce((select interest from clearing.margin_interest as first where first.account_number = margin_ledger.account_number
         and first.close_date = margin_ledger.close_date and first.of_date = first.close_date), 0)
   order by account_number, close_date`,
)

/**
 * The closes from a day on that saw the account as a margin account, in ascending order. Closes of an earlier release,
 * here or in another cell, are not returned: they left out late lines and did not record the debit.
 */
export async function readClosesOf(
  tx: Tx,
  wanted: ReadonlyMap<string, string>,
  before: string,
): Promise<Map<string, string[]>> {
  const found = await tx.rows(selectCloses, [[...wanted.keys()], [...wanted.values()], before])
  return groupByAccount(found, ({ close_date }) => close_date)
}

/** The interest of the nights after a close, as closes have computed it until now. */
export interface ComputedNights {
  readonly ofDate: string
  readonly debit: Decimal
  readonly rates: readonly Decimal[]
  readonly interest: Decimal
}

const selectComputed = statement<{
  account_number: string
  of_date: string
  debit: string
  rates: readonly string[]
  interest: string
}>(
  'select-computed-margin-interest',
  `select account_number, of_date, (array_agg(debit order by close_date desc))[1] as debit,
     (array_agg(rates::text order by close_date))[1]::numeric[] as rates, sum(interest) as interest
   from unnest($1::text[], $2::date[]) as wanted (account_number, since)
   join clearing.margin_interest using (account_number)
   where close_date >= since and of_date >= since and close_date < $3 group by account_number, of_date`,
)

/** The nights from a day on for which closes have computed interest, by account. */
export async function readComputedNights(
  tx: Tx,
  wanted: ReadonlyMap<string, string>,
  before: string,
): Promise<Map<string, ComputedNights[]>> {
  const found = await tx.rows(selectComputed, [[...wanted.keys()], [...wanted.values()], before])
  return groupByAccount(found, (row) => ({
    ofDate: row.of_date,
    debit: decimalOfColumn(row.debit),
    rates: row.rates.map(decimalOfColumn),
    interest: decimalOfColumn(row.interest),
  }))
}

interface InterestRow {
  readonly close_date: string
  readonly of_date: string
  readonly debit: string
  readonly debit_before: string | null
  readonly rates: readonly string[]
  readonly interest: string
}

const interestColumns = 'close_date, of_date, debit, debit_before, rates, interest'
const selectInterest = statement<InterestRow>(
  'select-margin-interest',
  `select ${interestColumns} from clearing.margin_interest
   where account_number = $1 and close_date >= $2 and close_date <= $3 order by close_date, of_date`,
)
const selectPage = statement<InterestRow>(
  'select-page-of-margin-interest',
  `select ${interestColumns} from clearing.margin_interest
   where account_number = $1 and close_date >= $2 and close_date <= $3 and (close_date, of_date) < ($4, $5)
   order by close_date desc, of_date desc limit $6`,
)

/** Days of closes, both included. */
export interface CloseRange {
  readonly from: string
  readonly to: string
}

/** The interest that the closes of a period computed, in their order. */
export async function readMarginInterest(
  tx: Tx,
  accountNumber: string,
  { from, to }: CloseRange,
): Promise<MarginInterest[]> {
  return (await tx.rows(selectInterest, [accountNumber, from, to])).map(parseInterest)
}

/** A page of the same, the latest first, before a row. */
export async function readMarginInterestPage(
  tx: Tx,
  accountNumber: string,
  { from, to }: CloseRange,
  page: { readonly before: readonly [closeDate: string, ofDate: string]; readonly most: number },
): Promise<MarginInterest[]> {
  return (await tx.rows(selectPage, [accountNumber, from, to, ...page.before, page.most])).map(parseInterest)
}

function parseInterest(row: InterestRow): MarginInterest {
  return {
    closeDate: row.close_date,
    ofDate: row.of_date,
    debit: decimalOfColumn(row.debit),
    debitBefore: row.debit_before === null ? undefined : decimalOfColumn(row.debit_before),
    rates: row.rates.map(decimalOfColumn),
    interest: decimalOfColumn(row.interest),
  }
}
