/**
 * load-watch-list: loads one file of a list in the SDN layout. All files of a list together are the list in force. New and
 * changed entries are compared with the names of all open accounts.
 */
import { limits, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { startRescreening } from '../changes/rescreen-accounts.ts'
import { ownLists } from '../screening/screen-parts.ts'
import type { WatchListEntry } from '../screening/watch-list.ts'
import { parseParts } from '../screening/watch-lists.ts'
import { writeAudit } from '../store/audit.ts'
import { holdLists, holdLoading, readListParts, writeList, writeListPart } from '../store/screening.ts'
import type { Context, Handler } from './context.ts'

export const loadWatchList: Handler<'load-watch-list'> = async (request, context) => {
  const { tx, now } = context
  const listName = request.listName.toUpperCase()
  if (!/^[A-Z0-9_-]{1,40}$/.test(listName)) {
    return new Rejected([reject('ERR.1016', 'listName', 'List name must be letters, digits, - and _.')])
  }
  if (ownLists.includes(listName)) {
    return new Rejected([reject('ERR.1014', 'listName', 'The service has a list of this name of its own.')])
  }
  const part = (request.part ?? 'sdn') as 'sdn' | 'alt' | 'add'
  const content = await receive(context)
  if (content instanceof Rejected) return content
  await holdLoading(tx)
  const parts = new Map((await readListParts(tx, listName)).map((row) => [row.part, row.content]))
  if (part !== 'sdn' && !parts.has('sdn')) {
    return new Rejected([reject('ERR.1000', 'part', 'Load the part sdn of this list first.')])
  }
  const before = parts.size === 0 ? [] : (await parseParts(parts, listName)).entries
  parts.set(part, content)
  const reading = await parseParts(parts, listName)
  const problems = reading.problems.filter(({ file, kept }) => file === part && !kept)
  if (part === 'sdn' && reading.entries.length === 0) {
    return new Rejected([reject('ERR.2004', '', 'The file has no entry in the layout of the SDN list.')])
  }
  const { listVersion } = reading
  const gained = gainedBy(before, reading.entries)
  await holdLists(tx)
  writeListPart(tx, { listName, part, content, at: now })
  writeList(tx, { listName, listVersion, entries: reading.entries.length, at: now })
  if (gained.length > 0) startRescreening(context, { listName, listVersion, gained })
  const received = reading.received[part]
  writeAudit(context, {
    action: 'load-watch-list',
    target: `${listName}/${part}`,
    changes: { listVersion, received, rejected: problems.length, gained: gained.length },
  })
  return {
    listName,
    listVersion,
    received,
    accepted: received - problems.length,
    rejected: problems.length,
    gained: gained.length,
    rejects: problems
      .slice(0, limits.loadRejectsMax)
      .map(({ line, reason }) => ({ line, code: 'ERR.2004', field: '', reason })),
  }
}

async function receive({ body }: Context): Promise<Buffer | Rejected> {
  if (body.kind !== 'lines') throw new Error('load-watch-list was called without lines')
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body.stream) {
    bytes += piece.length
    if (bytes > limits.watchListPartSizeBytesMax) {
      const most = limits.watchListPartSizeBytesMax.toLocaleString('en-US')
      return new Rejected([reject('ERR.2015', '', `A file of a watch list is at most ${most} bytes.`)])
    }
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** Ids of the entries that are new or different. */
function gainedBy(before: readonly WatchListEntry[], after: readonly WatchListEntry[]): string[] {
  const known = new Map(before.map(({ entryId, entryVersion }) => [entryId, entryVersion]))
  return after
    .filter(({ entryId, entryVersion }) => known.get(entryId) !== entryVersion)
    .map(({ entryId }) => entryId)
}
