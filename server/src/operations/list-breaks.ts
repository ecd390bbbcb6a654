/** list-breaks: what operations should look at in the books: facts that were taken as they are though they do not fit. */
import type { Handler } from '../context.ts'
import { readOpenBreaks } from '../store/books/breaks.ts'

const breaksMax = 1_000

export const listBreaks: Handler<'list-breaks'> = async ({ accountNumber }, { tx }) => {
  const open = await readOpenBreaks(tx, accountNumber ?? null, breaksMax)
  return {
    breaks: open.map((row) => ({
      kind: row.kind,
      accountNumber: row.account_number,
      secNo: row.sec_no === null ? '' : String(row.sec_no),
      reason: row.reason,
      raisedOn: row.raised_at,
    })),
  }
}
