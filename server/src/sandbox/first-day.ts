/**
 * The first business day of a sandbox. A sandbox that starts after the close of a market day begins with the next one,
 * so that it never starts on a day that is already over.
 */
import { addMarketDays } from '@clearing/domain/market'
import { endOfBusinessDay, usualCloseTime } from '../business-day/close-time.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { marketDayOf, openBusinessDay } from '../store/business-day.ts'

/** The first market day whose close is still to come. */
export function firstDayAt(now: Date, closeAt: string = usualCloseTime): string {
  const day = marketDayOf(now)
  return endOfBusinessDay(day, closeAt) > now ? day : addMarketDays(day, 1)
}

/** Opens the business day, unless one is open. */
export async function openFirstDay(
  operations: Pool,
  settings: { readonly now: Date; readonly closeAt: string | undefined },
): Promise<void> {
  const day = firstDayAt(settings.now, settings.closeAt)
  await inTransaction(operations, { firm: null, repeatable: true }, async (tx) => openBusinessDay(tx, day))
}
