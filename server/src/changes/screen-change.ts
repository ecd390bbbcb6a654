/** What of a change is screened before it takes effect: the names and addresses that are new or say something else (Reading 3.9). */
import { type AccountRecord, changedParts } from '@clearing/domain'
import type { FirmContext } from '../firm-rules/context.ts'
import { type Hit, openMatchRow, screenParts } from '../screening/screen-parts.ts'
import type { Account } from '../store/accounts.ts'
import { writeMatch } from '../store/screening.ts'

/** Matches that no earlier decision cleared. Throws NoWatchList while there is none to compare with. */
export async function screenChange(
  context: FirmContext,
  before: AccountRecord,
  after: AccountRecord,
): Promise<readonly Hit[]> {
  const { tx, keys, now, parts } = context
  const { names, addresses } = changedParts(before, after)
  if (names.length === 0 && addresses.length === 0) return []
  const lists = await parts.watchLists.current(tx)
  const hits = await screenParts({ tx, lists, keys, now }, { names, addresses })
  return hits.filter(({ standing }) => standing !== 'cleared')
}

/** Keeps the matches that a change waits for: of the person whom it would make, who is another than the one on record. */
export function keepMatchesOfChange(
  { tx, now }: Pick<FirmContext, 'tx' | 'now'>,
  account: Account,
  changeId: string,
  hits: readonly Hit[],
): void {
  for (const hit of hits) {
    const row = openMatchRow(hit, account, now)
    writeMatch(tx, { ...row, customer_id: `${row.customer_id}@${changeId}`, change_id: changeId }, now)
  }
}
