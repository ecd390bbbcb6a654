/** Margin interest that an account owes now. */
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import { interestLeft } from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import { readLedgerUntil, readMarginLines } from '../../store/margin-ledger.ts'
import { interestLinesOf } from './interest-lines.ts'
import { securitiesOf } from './margin-events.ts'
import { MarketFacts } from './market-facts.ts'

/**
 * Interest in US dollars that closes accrued and no line has charged. Negative: a refund that no line has paid. `today`
 * is the business date.
 */
export async function readInterestOwed(
  tx: Tx,
  accountNumber: string,
  { now, today }: { readonly now: Date; readonly today: string },
): Promise<Decimal> {
  const kept = await readLedgerUntil(tx, accountNumber, null)
  if (kept === undefined || kept.interestAccrued === ZERO) return ZERO
  const wanted = { accountNumber, after: kept.lineCount, upTo: Number.MAX_SAFE_INTEGER }
  const lines = (await readMarginLines(tx, [wanted])).get(accountNumber) ?? []
  const facts = new MarketFacts(now.toISOString(), today)
  if (lines.length > 0) await facts.learn(tx, securitiesOf(lines))
  return interestLeft(kept.interestAccrued, interestLinesOf(lines, facts))
}
