/** The facts of a security that value its activity cannot change once a line of it is booked. */
import type { Security } from '@clearing/domain/books'
import type { Tx } from '../../database/transaction.ts'
import { markSecuritiesInUse } from '../../store/books/securities.ts'
import type { Directory } from '../directory.ts'
import type { BookedLine } from '../posting/booked-line.ts'

/**
 * Fixes the facts of securities that activity names for the first time. Returns false when they differ from the facts
 * that completed the lines. `inUse` caches the securities whose mark is known to be committed.
 */
export async function fixFacts(
  tx: Tx,
  lines: readonly BookedLine[],
  directory: Directory,
  inUse: Set<string>,
): Promise<boolean> {
  const fresh = new Set<string>()
  const note = (security: Security | undefined) => {
    if (security === undefined || inUse.has(security.key)) return
    if (directory.known(security.key).row.in_use) inUse.add(security.key)
    else fresh.add(security.key)
  }
  for (const { line } of lines) {
    note(line.security)
    note(line.toSecurity)
  }
  if (fresh.size === 0) return true
  for (const { sec_no, updated_at } of await markSecuritiesInUse(tx, [...fresh])) {
    fresh.delete(String(sec_no))
    if (directory.known(String(sec_no)).row.updated_at === updated_at) continue
    return false
  }
  for (const secNo of fresh) inUse.add(secNo)
  return true
}
