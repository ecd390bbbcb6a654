// The store of sealed documents: a folder, or an object store with the S3 interface. The service makes each blob's id;
// names from callers are never used here.
import type { Readable } from 'node:stream'
import { parseUuid } from '../ids.ts'

export type BlobSource = {
  /** The known size. A source with more or fewer bytes is a fault, and its blob is not stored. */
  sizeBytes: number
  /** Opens the bytes from the start; called again when a store retries. */
  open: () => Readable
}

export type StoredBlob = { id: string; bytes: number; storedAt: Date }

/** Every method may also fail with StoreUnavailable. */
export type BlobStore = {
  /** Resolves when the blob would survive a loss of power. Storing an id again replaces its blob. */
  put(id: string, source: BlobSource): Promise<{ bytes: number }>
  /** Returns the blob's bytes. Throws BlobMissing. */
  get(id: string): Promise<Readable>
  /** Returns the size; undefined when there is no such blob. */
  measure(id: string): Promise<number | undefined>
  /** Succeeds also when there is no such blob. */
  remove(id: string): Promise<void>
  /** Lists every blob, or the blobs whose id begins with `prefix`, in no fixed order. */
  list(prefix?: string): AsyncIterable<StoredBlob>
  /** Removes the leftovers of interrupted puts that are older than `ageMsMin`; returns their number. */
  removeUnfinished(ageMsMin: number, now: Date): Promise<number>
  /** For the readiness check: throws when the store cannot be reached or refuses contents. */
  check(): Promise<void>
}

/** The store cannot be reached, or refuses reads or writes now; the response is 503. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  /** The error code of the file system or the object store, if any. */
  readonly code: unknown
  constructor(cause: Error) {
    super('the document store is not available', { cause })
    this.code = 'code' in cause ? cause.code : undefined
  }
}

/** Thrown by `get` when the record names content that the store does not have. Always a fault. */
export class BlobMissing extends Error {}

/** Whether the name of a file or object is the id of a blob, which is in lower case. */
export function isBlobId(text: string): boolean {
  return parseUuid(text) === text
}

/** An error in the code. */
export class WrongBlobId extends Error {}

/** Checks every path and key: a blob id is a lower-case UUID. Throws WrongBlobId for anything else. */
export function checkBlobId(id: string): void {
  if (!isBlobId(id)) throw new WrongBlobId('A blob id must be a lower-case UUID.')
}
