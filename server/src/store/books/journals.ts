/** Journals of accounts, with the account that the feed names as the other side, and the lines that cancelled them. */
import type { AcctType } from '@clearing/domain/books'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'

export interface JournalRow {
  readonly account_number: string
  readonly firm_id: string
  readonly external_id: string
  readonly sequence: bigint
  readonly acct_type: AcctType
  readonly sec_no: bigint | null
  readonly quantity: string
  readonly net_amount: string | null
  readonly currency: string
  readonly trade_date: string
  readonly record: string
  /** The sequence of the first cancel that names the line. */
  readonly cancelled_by: bigint | null
}

const columns = `account_number, firm_id, external_id, sequence, acct_type, sec_no, quantity, net_amount, currency, trade_date, record,
  (select min(named.sequence) from clearing.correction as named where named.account_number = activity.account_number
    and named.tag_no = activity.external_id and named.correction = 'C') as cancelled_by`
const isJournal = "trans_type = 'Journal' and correction is distinct from 'C'"
const selectSince = statement<JournalRow>(
  'select-journals-since',
  `select ${columns} from clearing.activity where account_number = any ($1) and trade_date >= $2 and ${isJournal}
   order by account_number, sequence`,
)
const selectAhead = statement<JournalRow>(
  'select-journals-ahead',
  `select ${columns} from clearing.activity
   where account_number = $1 and entered_on > $2 and trade_date > $2 and ${isJournal} order by sequence`,
)

/** The journals that are traded from a day on, in the order of entry. */
export function readJournalsSince(
  tx: Tx,
  accountNumbers: readonly string[],
  day: string,
): Promise<JournalRow[]> {
  return tx.rows(selectSince, [accountNumbers, day])
}

/** The journals that were entered and are traded after a day, in the order of entry. */
export function readJournalsAhead(tx: Tx, accountNumber: string, day: string): Promise<JournalRow[]> {
  return tx.rows(selectAhead, [accountNumber, day])
}
