/** Breaks: facts that the books took as they are, though they do not fit. */

import type { AcctType, Break } from '@clearing/domain/books'
import type { Decimal } from '@clearing/domain/decimal'
import { renderDecimal } from '@clearing/domain/decimal'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
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

export const raiseBreaks = (tx: Tx, breaks: readonly NewBreak[], at: Date): void => {
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
  tx.later(insertBreaks, [rows.text()])
}

export interface GoneBreak {
  readonly accountNumber: string
  readonly breakId: string
}

export const resolveBreaks = (tx: Tx, gone: readonly GoneBreak[], at: Date): void => {
  if (gone.length === 0) return
  const numbers = gone.map(({ accountNumber }) => accountNumber)
  tx.later(resolve, [numbers, gone.map(({ breakId }) => breakId), at])
}

/** A break as the fold raises it. */
export const breakOfPosting = (accountNumber: string, firmId: string, found: Break): NewBreak => ({
  accountNumber,
  firmId,
  kind: found.kind,
  externalId: found.lineId,
  secNo: found.securityKey,
  acctType: found.acctType,
  quantity: found.quantity,
  reason: found.reason,
})

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
const selectOpen = statement<OpenBreak>(
  'select-open-breaks',
  `select ${columns} from clearing.books_break
   where resolved_at is null and ($1::text is null or account_number = $1)
     and account_number >= $2 and (account_number, raised_at, break_id) > ($2, $3::timestamptz, $4::uuid)
   order by account_number, raised_at, break_id limit $5`,
)
const selectOfLines = statement<OpenBreak>(
  'select-breaks-of-lines',
  `select ${columns} from clearing.books_break
   where resolved_at is null and account_number = $1 and external_id = any ($2)`,
)

/** Where a list goes on. */
export type BreakPlace = readonly [accountNumber: string, raisedAt: string, breakId: string]
const beforeAll: BreakPlace = ['', '-infinity', '00000000-0000-0000-0000-000000000000']

/** What is open, of one account or (null) of all, by account and then the oldest first. */
export const readOpenBreaks = (
  tx: Tx,
  accountNumber: string | null,
  after: BreakPlace | undefined,
  most: number,
): Promise<OpenBreak[]> => tx.rows(selectOpen, [accountNumber, ...(after ?? beforeAll), most])

/** What postings of these lines raised and is open. */
export const readBreaksOfLines = (
  tx: Tx,
  accountNumber: string,
  externalIds: readonly string[],
): Promise<OpenBreak[]> => tx.rows(selectOfLines, [accountNumber, externalIds])

/** Tells breaks of one line apart. */
export const nameOfBreak = (found: Break): string =>
  `${found.kind} ${found.securityKey ?? ''} ${found.acctType} ${found.quantity} ${found.lineId}`
export const nameOfOpenBreak = (open: OpenBreak): string =>
  `${open.kind} ${open.sec_no ?? ''} ${open.acct_type} ${open.quantity === null ? 0n : decimalOfColumn(open.quantity)} ${open.external_id}`
