/** Breaks: facts that the books accepted although they contradict other facts. */

import type { AcctType, Break, BreakKind } from '@clearing/domain/books'
import type { Decimal } from '@clearing/domain/decimal'
import { renderDecimal } from '@clearing/domain/decimal'
import type { CodeOf } from '@clearing/protocol'
import { statement, unprepared } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { Conditions } from '../conditions.ts'
import { countRows } from '../count-rows.ts'
import { type OrderColumns, type OrderedPage, orderPage } from '../ordered-page.ts'
import { decimalOfColumn, insertRows, newIds, Rows } from './bulk.ts'

export interface NewBreak {
  readonly accountNumber: string
  readonly firmId: string
  readonly kind: string
  readonly externalId: string
  readonly secNo: string | undefined
  readonly acctType: AcctType | undefined
  readonly quantity: Decimal | undefined
  readonly reason: string
}

const insertBreaks = insertRows('insert-breaks', 'books_break')
const resolve = statement(
  'resolve-breaks',
  `update clearing.books_break as open set resolved_at = $3
   from unnest($1::text[], $2::uuid[]) as gone (account_number, break_id)
   where open.account_number = gone.account_number and open.break_id = gone.break_id and open.resolved_at is null`,
)

export function raiseBreaks(tx: Tx, breaks: readonly NewBreak[], at: Date): void {
  if (breaks.length === 0) return
  const rows = new Rows()
  const ids = newIds(breaks.length, at)
  for (const [index, raised] of breaks.entries()) {
    const { accountNumber, firmId, kind, externalId, secNo, acctType, quantity, reason } = raised
    rows.add(
      ids[index] as string,
      accountNumber,
      firmId,
      kind,
      externalId,
      secNo ?? null,
      acctType ?? null,
      quantity === undefined ? null : renderDecimal(quantity),
      reason,
      at.toISOString(),
      null,
    )
  }
  tx.later(insertBreaks, [rows.bytes()])
}

const selectOfKind = statement<{
  account_number: string
  break_id: string
  external_id: string
  reason: string
}>(
  'select-open-breaks-of-kind',
  `select account_number, break_id, external_id, reason from clearing.books_break
   where account_number > $1 and account_number <= $2 and resolved_at is null and kind = $3`,
)
/** The open breaks of a kind in a range of accounts. */
export async function readBreaksOfKind(
  tx: Tx,
  [after, upTo]: readonly [after: string, upTo: string],
  kind: BreakKind,
): Promise<(GoneBreak & { readonly externalId: string; readonly reason: string })[]> {
  const rows = await tx.rows(selectOfKind, [after, upTo, kind])
  return rows.map(({ account_number: accountNumber, break_id: breakId, external_id: externalId, reason }) => {
    return { accountNumber, breakId, externalId, reason }
  })
}

export interface GoneBreak {
  readonly accountNumber: string
  readonly breakId: string
}

export function resolveBreaks(tx: Tx, gone: readonly GoneBreak[], at: Date): void {
  if (gone.length === 0) return
  const numbers = gone.map(({ accountNumber }) => accountNumber)
  tx.later(resolve, [numbers, gone.map(({ breakId }) => breakId), at])
}

/** A break that the fold of a line raises. */
export function breakOfPosting(accountNumber: string, firmId: string, found: Break): NewBreak {
  return {
    accountNumber,
    firmId,
    kind: found.kind,
    externalId: found.lineId,
    secNo: found.securityKey,
    acctType: found.acctType,
    quantity: found.quantity,
    reason: found.reason,
  }
}

export interface OpenBreak {
  readonly break_id: string
  readonly account_number: string
  readonly kind: string
  readonly external_id: string
  readonly sec_no: bigint | null
  readonly acct_type: AcctType | null
  readonly quantity: string | null
  readonly reason: string
  readonly raised_at: string
}

const columns = 'break_id, account_number, kind, external_id, sec_no, acct_type, quantity, reason, raised_at'
const selectOfLines = statement<OpenBreak>(
  'select-breaks-of-lines',
  `select ${columns} from clearing.books_break
   where resolved_at is null and account_number = $1 and external_id = any ($2)`,
)

export type BreakOrder = CodeOf<'breakSort'>

const orders: Readonly<Record<BreakOrder, OrderColumns>> = {
  accountNumber: [
    ['account_number', 'text'],
    ['raised_at', 'timestamptz'],
    ['break_id', 'uuid'],
  ],
  raisedDate: [
    ['raised_at', 'timestamptz'],
    ['break_id', 'uuid'],
  ],
}

export interface BreakFilter {
  readonly accountNumber: string | undefined
  readonly kind: string | undefined
}

function open({ accountNumber, kind }: BreakFilter): Conditions {
  return new Conditions()
    .and('resolved_at is null')
    .when(accountNumber, (at) => `account_number = ${at}`)
    .when(kind, (at) => `kind = ${at}`)
}

/** A break with the identifiers of its security and the trade date of its line. */
export interface ListedBreak extends OpenBreak {
  readonly symbol: string | null
  readonly trade_date: string | null
}

/** Open breaks of one account, or of all accounts, in the order of the page. */
export function findOpenBreaks(
  tx: Tx,
  filter: BreakFilter,
  page: OrderedPage<BreakOrder>,
): Promise<ListedBreak[]> {
  const c = open(filter)
  const ordered = orderPage(c, orders[page.sortBy], page)
  return tx.rows(
    unprepared<ListedBreak>(
      `select ${columns},
         (select coalesce(symbol, cusip, isin, sedol) from clearing.security where security.sec_no = books_break.sec_no) as symbol,
         (select trade_date from clearing.activity_key as key join clearing.activity using (account_number, process_date, sequence)
          where key.firm_id = books_break.firm_id and key.external_id = books_break.external_id) as trade_date
       from clearing.books_break${c.where()}${ordered}`,
    ),
    c.values,
  )
}

/** The number of open breaks, up to the limit of counts. */
export function countOpenBreaks(tx: Tx, filter: BreakFilter): Promise<number> {
  return countRows(tx, 'clearing.books_break', open(filter))
}

/** The open breaks that postings of these lines raised. */
export function readBreaksOfLines(
  tx: Tx,
  accountNumber: string,
  externalIds: readonly string[],
): Promise<OpenBreak[]> {
  return tx.rows(selectOfLines, [accountNumber, externalIds])
}

/** Distinguishes the breaks of one line. */
export function nameOfBreak(found: Break): string {
  return `${found.kind} ${found.securityKey ?? ''} ${found.acctType} ${found.quantity} ${found.lineId}`
}
export function nameOfOpenBreak(open: OpenBreak): string {
  return `${open.kind} ${open.sec_no ?? ''} ${open.acct_type} ${open.quantity === null ? 0n : decimalOfColumn(open.quantity)} ${open.external_id}`
}
