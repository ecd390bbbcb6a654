/**
 * load-watch-list: loads one file of a list in the SDN layout. All files of a list together are the list in force. New
 * and changed entries are compared with the names of all open accounts.
 */
import { Rejected } from '../answers.ts'
import { startRescreening } from '../changes/rescreen-accounts.ts'
import { readSentList, receiveList, renderLines } from '../screening/read-sent-list.ts'
import type { WatchListEntry } from '../screening/watch-list.ts'
import { writeAudit } from '../store/audit.ts'
import { holdLists, holdLoading, writeList, writeListPart } from '../store/screening.ts'
import { type Handler, linesOf } from './context.ts'

export const loadWatchList: Handler<'load-watch-list'> = async (request, context) => {
  const { tx, now, caller } = context
  const file = await receiveList(request, linesOf(context.body))
  if (file instanceof Rejected) return file
  await holdLoading(tx)
  const sent = await readSentList(tx, file)
  if (sent instanceof Rejected) return sent
  const { listName, part, content, before, reading } = sent
  const { listVersion } = reading
  const gained = gainedBy(before, reading.entries)
  await holdLists(tx)
  writeListPart(tx, { listName, part, content, at: now, by: caller.clientId, source: request.source ?? '' })
  writeList(tx, { listName, listVersion, entries: reading.entries.length, at: now })
  if (gained.length > 0) startRescreening(context, { listName, listVersion, gained })
  const { received, rejected, ...lines } = renderLines(sent)
  writeAudit(context, {
    action: 'load-watch-list',
    target: `${listName}/${part}`,
    changes: { listVersion, received, rejected, gained: gained.length },
  })
  return { listName, listVersion, received, rejected, gained: gained.length, ...lines }
}

/** Ids of the entries that are new or changed. */
function gainedBy(before: readonly WatchListEntry[], after: readonly WatchListEntry[]): string[] {
  const known = new Map(before.map(({ entryId, entryVersion }) => [entryId, entryVersion]))
  return after
    .filter(({ entryId, entryVersion }) => known.get(entryId) !== entryVersion)
    .map(({ entryId }) => entryId)
}
