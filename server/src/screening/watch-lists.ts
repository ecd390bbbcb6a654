// The lists in force, indexed and held in memory. The tables show when a list has changed, so that every process
// screens against the same versions.
import { Readable } from 'node:stream'
import type { Tx } from '../database/transaction.ts'
import { awaitLists, type ListVersion, readListParts, readListVersions } from '../store/screening.ts'
import { indexWatchList, type WatchListIndex } from './names/name-index.ts'
import { parseSdnFiles, type SdnReading } from './sdn-file.ts'

export interface IndexedList {
  readonly listName: string
  readonly listVersion: string
  readonly index: WatchListIndex
}

/** Thrown when no list is loaded. Screening then waits, so that no party passes without it. */
export class NoWatchList extends Error {
  override readonly name = 'NoWatchList'
}

export class WatchLists {
  readonly #held = new Map<string, Promise<IndexedList>>()

  /**
   * Returns the lists in force for a decision that this transaction stores. No list changes before the transaction
   * ends, so that later entries are compared with the stored decision. Throws NoWatchList when there is none.
   */
  async current(tx: Tx): Promise<IndexedList[]> {
    awaitLists(tx)
    return this.seen(tx)
  }

  /** Returns the lists that this transaction sees, for a read that stores no decision. */
  async seen(tx: Tx): Promise<IndexedList[]> {
    const versions = await readListVersions(tx)
    if (versions.length === 0) throw new NoWatchList('no watch list is loaded: screening waits until one is')
    const names = new Set(versions.map(keyOf))
    for (const key of this.#held.keys()) if (!names.has(key)) this.#held.delete(key)
    return Promise.all(versions.map((version) => this.#indexed(tx, version)))
  }

  #indexed(tx: Tx, version: ListVersion): Promise<IndexedList> {
    const key = keyOf(version)
    let held = this.#held.get(key)
    if (held === undefined) {
      held = indexParts(tx, version)
      this.#held.set(key, held)
      held.catch(() => this.#held.delete(key))
    }
    return held
  }
}

function keyOf({ list_name, list_version }: ListVersion): string {
  return `${list_name} ${list_version}`
}

async function indexParts(tx: Tx, version: ListVersion): Promise<IndexedList> {
  const parts = await readListParts(tx, version.list_name)
  const reading = await parseParts(
    new Map(parts.map(({ part, content }) => [part, content])),
    version.list_name,
  )
  return {
    listName: version.list_name,
    listVersion: version.list_version,
    index: await indexWatchList(reading),
  }
}

/** Builds the list from its files. */
export function parseParts(parts: ReadonlyMap<string, Buffer>, listName: string): Promise<SdnReading> {
  const source = (part: string) => Readable.from([parts.get(part) ?? Buffer.alloc(0)])
  return parseSdnFiles(
    {
      sdn: source('sdn'),
      ...(parts.has('alt') ? { alt: source('alt') } : {}),
      ...(parts.has('add') ? { add: source('add') } : {}),
      ...(parts.has('comments') ? { comments: source('comments') } : {}),
    },
    listName,
  )
}
