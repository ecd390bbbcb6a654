/**
 * Finds the entries of the lists in force for matches, so that a person can compare them with the customer.
 */
import type { Tx } from '../database/transaction.ts'
import type { WatchListEntry } from './watch-list.ts'
import { NoWatchList, type WatchLists } from './watch-lists.ts'

export interface SoughtEntry {
  readonly list_name: string
  readonly entry_id: string
}

/**
 * Finds an entry. Undefined when the lists in force no longer have it, or when the service found the match by
 * its own rule.
 */
export type FindEntry = (sought: SoughtEntry) => WatchListEntry | undefined

export async function listedEntries(
  tx: Tx,
  lists: WatchLists,
  sought: readonly SoughtEntry[],
): Promise<FindEntry> {
  if (sought.length === 0) return () => undefined
  const wanted = new Set(sought.map(({ entry_id }) => entry_id))
  const found = new Map<string, WatchListEntry>()
  for (const { listName, index } of await inForce(tx, lists))
    for (const { entry } of index.names)
      if (wanted.has(entry.entryId)) found.set(keyOf(listName, entry.entryId), entry)
  return ({ list_name: listName, entry_id: entryId }) => found.get(keyOf(listName, entryId))
}

async function inForce(tx: Tx, lists: WatchLists) {
  try {
    return await lists.seen(tx)
  } catch (fault) {
    if (fault instanceof NoWatchList) return []
    throw fault
  }
}

function keyOf(listName: string, entryId: string): string {
  return `${listName} ${entryId}`
}
