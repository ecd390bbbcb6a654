/**
 * Finds a process whose folder or bucket of documents is not that of the other processes: documents that it
 * acknowledges would be missing in the others. The database has the id of the store, and the store has an object with
 * this id.
 */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Pool } from '../database/pool.ts'
import { noteStoreId, readStoreId } from '../store/document-store.ts'
import type { BlobStore } from './blob-store.ts'

/** The document store is not that of the database. The message names the remedy. */
export class OtherStore extends Error {
  override readonly name = 'OtherStore'
}

/** `marks`: the part of the store that holds the object. `setting` names the place of the store. */
export interface StoreOfDatabase {
  readonly operations: Pool
  readonly marks: BlobStore
  readonly setting: string
}

/** Throws OtherStore. The first process of a database makes the object and notes its id. */
export async function checkStore(store: StoreOfDatabase): Promise<void> {
  const id = (await readStoreId(store.operations)) ?? (await noteStore(store))
  if ((await store.marks.measure(id)) === undefined)
    throw new OtherStore(describeOtherStore(store.setting, id))
}

export function describeOtherStore(setting: string, id: string): string {
  return `${setting} is not the document store of this database, which has the object store-id/${id}: all processes must use the same folder or bucket`
}

/** The object is stored before its id is noted, so that a process that is killed leaves no id without an object. */
async function noteStore({ operations, marks }: StoreOfDatabase): Promise<string> {
  const own = (await findMark(marks)) ?? randomUUID()
  const bytes = Buffer.from(own)
  await marks.put(own, { sizeBytes: bytes.length, open: () => Readable.from([bytes]) })
  await noteStoreId(operations, own)
  return (await readStoreId(operations)) ?? own
}

/** A database that was restored to a time before the id was noted finds its store again. */
async function findMark(marks: BlobStore): Promise<string | undefined> {
  for await (const { id } of marks.list()) return id
  return undefined
}
