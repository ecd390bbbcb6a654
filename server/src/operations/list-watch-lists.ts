/**
 * list-watch-lists: the watch lists that names are screened against. For each list it gives the progress of
 * its comparison with the open accounts.
 */
import { readListsInForce } from '../store/lists-in-force.ts'
import type { Handler } from './context.ts'

export const listWatchLists: Handler<'list-watch-lists'> = async (_request, { tx }) => {
  const lists = await readListsInForce(tx)
  return {
    lists: lists.map(({ list_name, list_version, entries, loaded_at, files, comparison }) => ({
      listName: list_name,
      listVersion: list_version,
      entries,
      loadedOn: loaded_at,
      files: [...(files ?? [])],
      comparison,
    })),
  }
}
