/** Lines that arrived after the close of their day. */
import type { TransType } from '@clearing/domain/books'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'

export interface LateLine {
  readonly external_id: string
  readonly correction: 'C' | 'R' | null
  readonly tag_no: string | null
  readonly trans_type: TransType
  readonly buy_sell: string | null
  readonly sec_no: bigint | null
  readonly trade_date: string
  readonly entered_on: string
}

const selectLate = statement<LateLine>(
  'select-late-lines',
  `select external_id, correction, tag_no, trans_type, buy_sell, sec_no, trade_date, entered_on from clearing.activity
   where account_number = $1 and ($2::date is null or trade_date > $2) and trade_date <= $3 and sequence > $4 order by sequence`,
)

export interface LateFor {
  /** The close before the day; null before the first close. */
  readonly after: string | null
  readonly day: string
  /** The sequence of the last line known at the close of the day. */
  readonly lines: number
}

/** Lines of a closed day, or of a day since the previous close, that were not known at its close. */
export function readLateLines(
  tx: Tx,
  accountNumber: string,
  { after, day, lines }: LateFor,
): Promise<LateLine[]> {
  return tx.rows(selectLate, [accountNumber, after, day, lines])
}

const selectOpenedAt = statement<{ opened_at: string | null }>(
  'select-account-opened-at',
  'select opened_at from clearing.account where account_number = $1',
)

/** When the account was opened here. Null while it is not open; undefined when the caller sees no such account. */
export async function readOpenedAt(tx: Tx, accountNumber: string): Promise<string | null | undefined> {
  return (await tx.row(selectOpenedAt, [accountNumber]))?.opened_at
}
