/** Screens a change before it takes effect: names and addresses that are new or different (Reading 3.9). */
import { type AccountRecord, changedParts } from '@clearing/domain'
import { type Rejection, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import { type Hit, openMatchRow, screenParts } from '../screening/screen-parts.ts'
import { NoWatchList } from '../screening/watch-lists.ts'
import type { Account } from '../store/accounts.ts'
import { writeMatch } from '../store/screening.ts'

/** Matches that no earlier decision cleared. Throws NoWatchList if no list is loaded. */
export async function screenChange(
  context: FirmContext,
  before: AccountRecord,
  after: AccountRecord,
): Promise<readonly Hit[]> {
  const { tx, keys, now, parts } = context
  const { names, addresses } = changedParts(before, after)
  if (names.length === 0 && addresses.length === 0) return []
  const lists = await parts.watchLists.current(tx)
  const hits = await screenParts({ tx, lists, keys, keyring: parts.keyring, now }, { names, addresses })
  return hits.filter(({ standing }) => standing !== 'cleared')
}

/** Stores the matches for which a change waits. They concern the person as changed, not the person on record. */
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

/**
 * Without a watch list no name can be screened: no change that needs screening takes effect, and the outcome of an
 * application is unknown.
 */
export async function unlessNoList<T>(screen: () => Promise<T>): Promise<T | Rejected> {
  try {
    return await screen()
  } catch (fault) {
    if (!(fault instanceof NoWatchList)) throw fault
    return new Rejected([noList], undefined, retryAfterSeconds)
  }
}

const retryAfterSeconds = 60
const noList: Rejection = reject(
  'ERR.5003',
  '',
  'No watch list is loaded: names and addresses cannot be screened until one is loaded.',
)
