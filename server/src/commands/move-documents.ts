/**
 * Moves the contents of a firm's documents from the document store of one cell to that of another. They stay
 * sealed, because their keys move too.
 */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { BlobStore } from '../documents/blob-store.ts'

interface Stores {
  readonly from: { readonly blobs: BlobStore }
  readonly to: { readonly blobs: BlobStore }
}

/** Copies the documents that the other store lacks or has incompletely. */
export async function copyDocuments({ from, to }: Stores, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const sizeBytes = await from.blobs.measure(id)
    if (sizeBytes === undefined || (await to.blobs.measure(id)) === sizeBytes) continue
    await to.blobs.put(id, { sizeBytes, open: () => Readable.from(contents(from.blobs, id)) })
  }
}

async function* contents(blobs: BlobStore, id: string): AsyncGenerator<Buffer> {
  yield* await blobs.get(id)
}

export async function removeDocuments(blobs: BlobStore, ids: readonly string[]): Promise<void> {
  for (const id of ids) await blobs.remove(id)
}

/** Whether both document stores are the same. */
export async function shareDocuments(one: BlobStore, other: BlobStore): Promise<boolean> {
  const id = randomUUID()
  await other.put(id, { sizeBytes: 1, open: () => Readable.from([Buffer.of(0)]) })
  const found = await one.measure(id)
  await other.remove(id)
  return found !== undefined
}
