// Where sealed documents lie: a folder, or an object store that speaks S3. A blob has an id made by us and nothing else;
// callers' names never come here.
import type { Readable } from 'node:stream'

export type BlobSource = {
  /** Known before the first byte. A source that gives more or fewer is a fault and leaves no blob. */
  sizeBytes: number
  /** Opens the bytes from the start; asked again when a store tries again. */
  open: () => Readable
}

export type StoredBlob = { id: string; bytes: number; storedAt: Date }

/** Whatever a store does may also fail with StoreUnavailable. */
export type BlobStore = {
  /** Returns only when the blob would survive loss of power. Storing an id again replaces its blob. */
  put(id: string, source: BlobSource): Promise<{ bytes: number }>
  /** The blob's bytes. Throws BlobMissing. */
  get(id: string): Promise<Readable>
  /** Its size; undefined when there is no such blob. */
  measure(id: string): Promise<number | undefined>
  /** No blob of that id is fine. */
  remove(id: string): Promise<void>
  /** Every blob, or those whose id begins with `prefix`; in no promised order. */
  list(prefix?: string): AsyncIterable<StoredBlob>
  /** Removes what puts that were cut off have left, as far as it is older than `ageMsMin`; returns how many. */
  removeUnfinished(ageMsMin: number, now: Date): Promise<number>
  /** Throws when the store cannot be reached or takes no contents: for the readiness check. */
  check(): Promise<void>
}

/** The store cannot be reached, or takes or gives no contents now: "not now", answered 503. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  /** What the file system or the object store calls it, when it does. */
  readonly code: unknown
  constructor(cause: Error) {
    super('the document store is not available', { cause })
    this.code = 'code' in cause ? cause.code : undefined
  }
}

/** Thrown by `get`: the record says there is content and the store has none. Always a fault. */
export class BlobMissing extends Error {}

const BLOB_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function isBlobId(text: string): boolean {
  return BLOB_ID.test(text)
}

/** A mistake of ours. */
export class WrongBlobId extends Error {}

/** Guards every path and key: a blob id is a lower-case UUID. Throws WrongBlobId for anything else. */
export function checkBlobId(id: string): void {
  if (!BLOB_ID.test(id)) throw new WrongBlobId('A blob id must be a lower-case UUID.')
}
