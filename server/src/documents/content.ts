// Stores a document's content in a blob store and reads it back: sealed when stored, opened and verified when read. The
// caller stores the record (id, size, SHA-256), and stores the content before the row that acknowledges it.
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import type { Keyring } from '../encryption/keyring.ts'
import { newId } from '../ids.ts'
import type { BlobStore } from './blob-store.ts'
import type { ReceivedUpload } from './receive-upload.ts'
import { ChunksBroken } from './sealed-chunks.ts'
import type { ContentFacts, DocumentPlace } from './sealed-stream.ts'
import { countSealedDocumentBytes, openDocument, SEALED_HEADER_BYTES, sealDocument } from './sealed-stream.ts'

export type ContentFrom = Pick<ReceivedUpload, 'bytes' | 'sha256' | 'open'>

/** The content of a document that has no row yet. Housekeeping removes it if it gets none. */
export type StoredUpload = ContentFacts & { documentId: string }

/** Seals and stores an upload under a new id. */
export async function storeUpload(
  blobs: BlobStore,
  keyring: Keyring,
  firm: string,
  now: Date,
  upload: ContentFrom,
): Promise<StoredUpload> {
  const documentId = newId(now)
  return { documentId, ...(await storeContent(blobs, keyring, { firm, documentId }, upload)) }
}

/** Seals and stores an upload under the document's id. Returns the values for the record. */
export async function storeContent(
  blobs: BlobStore,
  keyring: Keyring,
  place: DocumentPlace,
  upload: ContentFrom,
): Promise<ContentFacts> {
  const keys = await keyring.load(place.firm)
  await blobs.put(place.documentId, {
    sizeBytes: countSealedDocumentBytes(upload.bytes),
    open: () => {
      const sealing = sealDocument(keys, place)
      // The reader of `sealing` gets the error of the source.
      pipeline(upload.open(), sealing, () => {})
      return sealing
    },
  })
  return { bytes: upload.bytes, sha256: upload.sha256 }
}

/**
 * Returns the plain content. Throws BlobMissing, or ChunksBroken when its beginning was not sealed for this document.
 * The stream fails with ChunksBroken, before its last bytes, when a later part is wrong.
 */
export async function readContent(
  blobs: BlobStore,
  keyring: Keyring,
  place: DocumentPlace,
  expected: ContentFacts,
): Promise<Readable> {
  const sealed = await blobs.get(place.documentId)
  try {
    const { header, rest } = await takeHeader(sealed)
    const { chunks, plain } = await keyring.using(place.firm, (keys) =>
      openDocument(keys, place, header, expected),
    )
    chunks.write(rest)
    pipeline(sealed, chunks, plain, () => {})
    return plain
  } catch (error) {
    sealed.destroy()
    throw error
  }
}

async function takeHeader(sealed: Readable): Promise<{ header: Buffer; rest: Buffer }> {
  const pieces: Buffer[] = []
  let bytes = 0
  while (bytes < SEALED_HEADER_BYTES) {
    const piece = await readPiece(sealed)
    if (!piece) throw new ChunksBroken('A sealed document ends inside its header.')
    pieces.push(piece)
    bytes += piece.length
  }
  const all = Buffer.concat(pieces)
  return { header: all.subarray(0, SEALED_HEADER_BYTES), rest: all.subarray(SEALED_HEADER_BYTES) }
}

/** Returns the next piece; undefined at the end. */
function readPiece(stream: Readable): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      stream.off('readable', look)
      stream.off('end', end)
      stream.off('error', fail)
      act()
    }
    const look = () => {
      const piece: Buffer | null = stream.read()
      if (piece !== null) settle(() => resolve(piece))
    }
    const end = () => settle(() => resolve(undefined))
    const fail = (error: Error) => settle(() => reject(error))
    stream.on('readable', look)
    stream.on('end', end)
    stream.on('error', fail)
  })
}
