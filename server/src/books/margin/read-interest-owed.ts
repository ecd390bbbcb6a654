/** Margin interest that an account owes now. */
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import { addDays, interestLeft } from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import { isClosing } from '../../store/business-day.ts'
import { readLedgerUntil } from '../../store/margin-ledger.ts'
import { readInterestLines } from './interest-lines.ts'
import { mayChangeNights } from './late-nights.ts'
import { securitiesOf } from './margin-events.ts'
import { readMarginTail } from './margin-tail.ts'
import { MarketFacts } from './market-facts.ts'

export interface InterestOwed {
  /** US dollars that closes accrued and no line has charged. Negative: a refund that no line has paid. */
  readonly owed: Decimal
  /** Lines since the last close, or a close that has not ended, may change the interest. */
  readonly mayChange: boolean
}

/** `today` is the business date. */
export async function readInterestOwed(
  tx: Tx,
  accountNumber: string,
  { now, today }: { readonly now: Date; readonly today: string },
): Promise<InterestOwed> {
  const kept = await readLedgerUntil(tx, accountNumber, null)
  if (kept === undefined) return { owed: ZERO, mayChange: false }
  const { lines } = await readMarginTail(tx, { accountNumber, kept })
  const facts = new MarketFacts(now.toISOString(), today)
  if (lines.length > 0) await facts.learn(tx, securitiesOf(lines))
  const interest = (await readInterestLines(tx, lines, facts)).get(accountNumber) ?? []
  return {
    owed: interestLeft(kept.interestAccrued, ZERO, interest).left,
    mayChange: mayChangeNights(lines, addDays(today, -1)) || (await isClosing(tx)),
  }
}
