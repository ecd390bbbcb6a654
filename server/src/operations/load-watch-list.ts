/** load-watch-list: takes one file of a list in the SDN layout; the list in force is what its files make together. */
import { limits, reject } from '@clearing/protocol'
import { type Handler, Rejected } from '../context.ts'
import { parseParts } from '../screening/watch-lists.ts'
import { writeAudit } from '../store/audit.ts'
import { readListParts, writeList, writeListPart } from '../store/screening.ts'

export const loadWatchList: Handler<'load-watch-list'> = async (request, context) => {
  const { tx, body, now } = context
  if (body.kind !== 'lines') throw new Error('load-watch-list was called without lines')
  const listName = request.listName.toUpperCase()
  if (!/^[A-Z0-9_-]{1,40}$/.test(listName)) {
    return new Rejected([reject('ERR.1016', 'listName', 'List name must be letters, digits, - and _.')])
  }
  const part = (request.part ?? 'sdn') as 'sdn' | 'alt' | 'add'
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
  const parts = new Map((await readListParts(tx, listName)).map((row) => [row.part, row.content]))
  if (part !== 'sdn' && !parts.has('sdn')) {
    return new Rejected([reject('ERR.1000', 'part', 'Load the part sdn of this list first.')])
  }
  const content = Buffer.concat(pieces)
  parts.set(part, content)
  const reading = await parseParts(parts, listName)
  const problems = reading.problems.filter(({ file, kept }) => file === part && !kept)
  if (part === 'sdn' && reading.entries.length === 0) {
    return new Rejected([reject('ERR.2004', '', 'The file has no entry in the layout of the SDN list.')])
  }
  writeListPart(tx, { listName, part, content, at: now })
  writeList(tx, { listName, listVersion: reading.listVersion, entries: reading.entries.length, at: now })
  const received = reading.received[part]
  const answer = {
    listName,
    listVersion: reading.listVersion,
    received,
    accepted: received - problems.length,
    rejected: problems.length,
    rejects: problems
      .slice(0, limits.loadRejectsMax)
      .map(({ line, reason }) => ({ line, code: 'ERR.2004', field: '', reason })),
  }
  writeAudit(context, {
    action: 'load-watch-list',
    target: `${listName}/${part}`,
    changes: { listVersion: answer.listVersion, received, rejected: answer.rejected },
  })
  return answer
}
