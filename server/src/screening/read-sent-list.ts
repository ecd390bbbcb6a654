/** Reads the file of a watch list in a request, and computes the resulting list. */
import { limits, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import type { Tx } from '../database/transaction.ts'
import { readListParts } from '../store/screening.ts'
import { ownLists } from './screen-parts.ts'
import type { SdnReading } from './sdn-file.ts'
import type { SdnFileName } from './sdn-records.ts'
import type { WatchListEntry } from './watch-list.ts'
import { parseParts } from './watch-lists.ts'

export interface ListFile {
  readonly listName: string
  readonly part: SdnFileName
  readonly content: Buffer
}

export interface SentList extends ListFile {
  /** The entries of the list without the file. */
  readonly before: readonly WatchListEntry[]
  readonly versionBefore: string
  /** The list with the file. */
  readonly reading: SdnReading
}

export async function receiveList(
  request: { readonly listName: string; readonly part?: string | undefined },
  lines: AsyncIterable<Uint8Array>,
): Promise<ListFile | Rejected> {
  const listName = request.listName.toUpperCase()
  if (!/^[A-Z0-9_-]{1,40}$/.test(listName)) {
    return new Rejected([reject('ERR.1016', 'listName', 'List name must be letters, digits, - and _.')])
  }
  if (ownLists.includes(listName)) {
    return new Rejected([reject('ERR.1014', 'listName', 'The service has its own list with this name.')])
  }
  const content = await receive(lines)
  return content instanceof Rejected
    ? content
    : { listName, part: (request.part ?? 'sdn') as SdnFileName, content }
}

export async function readSentList(tx: Tx, file: ListFile): Promise<SentList | Rejected> {
  const { listName, part, content } = file
  const parts = new Map((await readListParts(tx, listName)).map((row) => [row.part, row.content]))
  if (part !== 'sdn' && !parts.has('sdn')) {
    return new Rejected([reject('ERR.1000', 'part', 'Load the part sdn of this list first.')])
  }
  const known = parts.size === 0 ? undefined : await parseParts(parts, listName)
  parts.set(part, content)
  const reading = await parseParts(parts, listName)
  if (part === 'sdn' && reading.entries.length === 0) {
    return new Rejected([reject('ERR.2004', '', 'The file has no entry in the layout of the SDN list.')])
  }
  const before = known?.entries ?? []
  return { ...file, before, versionBefore: known?.listVersion ?? '', reading }
}

async function receive(lines: AsyncIterable<Uint8Array>): Promise<Buffer | Rejected> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of lines) {
    bytes += piece.length
    if (bytes > limits.watchListPartSizeBytesMax) {
      const most = limits.watchListPartSizeBytesMax.toLocaleString('en-US')
      return new Rejected([reject('ERR.2015', '', `A file of a watch list is at most ${most} bytes.`)])
    }
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** The number of lines read, and the lines that were not read. */
export function renderLines({ part, reading }: SentList) {
  const [received, rejected] = [reading.received[part], reading.rejected[part]]
  return {
    received,
    accepted: received - rejected,
    rejected,
    rejects: reading.problems
      .filter(({ file, kept }) => file === part && !kept)
      .map(({ line, reason }) => ({ line, code: 'ERR.2004', field: '', reason })),
  }
}
