/** Interest lines without a security: they charge a margin account, or pay it. */
import type { InterestLine } from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import { nameOfTaken, readTaken } from '../../store/interest-lines.ts'
import type { MarginLine } from '../../store/margin-lines.ts'
import type { MarketFacts } from './market-facts.ts'

/** The interest lines among lines, by account. A cancel has what its original took. */
export async function readInterestLines(
  tx: Tx,
  lines: Iterable<MarginLine>,
  facts: Pick<MarketFacts, 'inUsd'>,
): Promise<Map<string, InterestLine[]>> {
  const interest = [...lines].filter(
    ({ transType, secNo }) => transType === 'Interest' && secNo === undefined,
  )
  const named = interest.flatMap(({ accountNumber, correction, tagNo }) =>
    correction === 'C' && tagNo !== undefined ? [{ accountNumber, externalId: tagNo }] : [],
  )
  const taken = await readTaken(tx, named)
  const byAccount = new Map<string, InterestLine[]>()
  for (const { accountNumber, externalId: id, netAmount, currency, correction, tagNo = '' } of interest) {
    const original = { id: tagNo, taken: taken.get(nameOfTaken(accountNumber, tagNo)) }
    const of = byAccount.get(accountNumber) ?? []
    const cancels = correction === 'C' ? original : undefined
    of.push({ id, amount: facts.inUsd(netAmount, currency), cancels })
    byAccount.set(accountNumber, of)
  }
  return byAccount
}
