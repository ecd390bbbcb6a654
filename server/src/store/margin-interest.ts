/** The interest of margin accounts, night by night. */
import { type Decimal, renderDecimal } from '@clearing/domain/decimal'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { decimalOfColumn, insertRows, Rows } from './books/bulk.ts'
import { groupByAccount } from './group-by-account.ts'

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
