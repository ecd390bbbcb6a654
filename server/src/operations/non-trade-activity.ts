/**
 * non-trade-activity: activity other than trades, such as cash movements, dividends, transfers and corporate actions;
 * streamed.
 */
import { streamActivity } from '../books/positions/stream-activity.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { readAccountHead } from '../store/accounts.ts'
import type { Handler } from './context.ts'

export const nonTradeActivity: Handler<'non-trade-activity'> = async (request, { firm, tx, now }) =>
  (await readAccountHead(tx, request.accountNumber))
    ? streamActivity(tx, 'others', request, now)
    : accountNotFound(firm)
