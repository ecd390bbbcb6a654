/** trade-activity: the trades of an account in a range of dates, with their cancels and rebills, streamed. */
import { streamActivity } from '../books/positions/stream-activity.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { readAccountHead } from '../store/accounts.ts'
import type { Handler } from './context.ts'

export const tradeActivity: Handler<'trade-activity'> = async (request, { firm, tx, now }) =>
  (await readAccountHead(tx, request.accountNumber))
    ? streamActivity(tx, 'trades', request, now)
    : accountNotFound(firm)
