/**
 * Reviews open accounts with items that are due on the business day, each account in a transaction of its
 * own. A killed run continues with the remaining accounts. An account that fails delays no other and is tried
 * again.
 */
import { previousMarketDay } from '@clearing/domain/market'
import { countOf } from '@clearing/protocol/values'
import type { Logger } from 'pino'
import { queueHolds } from '../changes/end-expired-holds.ts'
import { queueForgotten } from '../changes/remember-listed-person.ts'
import { queueReopening } from '../changes/reopen-clearances.ts'
import { reviewAccount } from '../changes/review-account.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Parts } from '../operations/parts.ts'
import { easternDay } from '../store/books/calendar.ts'
import { readBusinessDay } from '../store/business-day.ts'
import {
  enterAccounts,
  queueDayReview,
  type ReviewAccountPayload,
  type ReviewDayPayload,
  readDueAccounts,
} from '../store/renewals.ts'

const portionAccounts = 200
const enteredAtOnce = 2_000

/** Reviews the next due accounts, and queues the ones after them. */
export async function reviewDay(
  { after, closed }: ReviewDayPayload,
  pool: Pool,
  parts: Parts,
  log: Logger,
): Promise<void> {
  const day = easternDay(parts.clock.now())
  const due = await inTransaction(pool, { firm: null, repeatable: true }, async (tx) => {
    if (after === undefined) {
      await queueForgotten(tx)
      queueReopening(tx, { day, after: null })
      // The close may run on a later day than the one that it closes.
      queueHolds(tx, closed ?? previousMarketDay(await readBusinessDay(tx, parts.clock.now())))
    }
    const more = await enterAccounts(tx, enteredAtOnce, parts.clock.now())
    const accounts = await readDueAccounts(tx, day, after, portionAccounts)
    const last = accounts.at(-1)
    if (last !== undefined && accounts.length === portionAccounts)
      queueDayReview(tx, day, { after: { reviewOn: last.review_on, accountNumber: last.account_number } })
    else if (more) queueDayReview(tx, day, { ...(closed && { closed }) })
    return accounts
  })
  const failed: string[] = []
  for (const { account_number: accountNumber, firm_id: firmId } of due) {
    try {
      await reviewOne({ accountNumber, firmId, traceId: '' }, pool, parts)
    } catch (fault) {
      failed.push(accountNumber)
      log.error({ err: fault, accountNumber }, 'the review of an account failed')
    }
  }
  if (failed.length > 0)
    throw new Error(`${countOf(failed.length, 'account')} of a portion could not be reviewed`)
}

/** Reviews one account. */
export async function reviewOne(
  { accountNumber, firmId, traceId }: ReviewAccountPayload,
  pool: Pool,
  parts: Parts,
): Promise<void> {
  const { clock, sandbox } = parts
  await inTransaction(pool, { firm: null, repeatable: true }, (tx) =>
    parts.keyring.using(firmId, (keys) =>
      reviewAccount({ tx, keys, clock, sandbox, now: clock.now(), traceId }, { accountNumber, firmId }),
    ),
  )
}
