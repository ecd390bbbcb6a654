// The sealed form of a document's content in every blob store: a header, and sealed chunks under a key that is derived
// for this one document from the firm's data key. Header: magic 'CLD1' (4), data key id (4, big-endian), salt (32).
import type { KeyObject } from 'node:crypto'
import { createHash, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'
import { Transform } from 'node:stream'
import type { FirmKeys } from '../encryption/keyring.ts'
import { KeyNotHeld } from '../encryption/keyring.ts'
import { ChunksBroken, countSealedBytes, openChunks, sealChunks } from './sealed-chunks.ts'

/** Identifies the document of a stream. Content of another document or firm does not open. */
export type DocumentPlace = { firm: string; documentId: string }

/** The facts about the content in the record of a document. */
export type ContentFacts = { bytes: number; sha256: Buffer }

const MAGIC = 'CLD1'
const SALT_BYTES = 32
export const SEALED_HEADER_BYTES = 8 + SALT_BYTES

/** The exact size of a sealed document, which object stores need before its stream begins. */
export function countSealedDocumentBytes(plainBytes: number): number {
  return SEALED_HEADER_BYTES + countSealedBytes(plainBytes)
}

/** Turns plain bytes into the sealed document. */
export function sealDocument(keys: FirmKeys, place: DocumentPlace): Transform {
  const header = Buffer.alloc(SEALED_HEADER_BYTES)
  header.write(MAGIC, 'latin1')
  header.writeUInt32BE(keys.data.currentId, 4)
  randomBytes(SALT_BYTES).copy(header, 8)
  const sealing = sealChunks(deriveDocumentKey(keys, place, header))
  sealing.push(header)
  return sealing
}

/**
 * Turns the chunks of a sealed document (after the header) into verified plain bytes. The stream fails with
 * ChunksBroken, before its last bytes are released, when content, size or hash differ from the record.
 */
export function openDocument(
  keys: FirmKeys,
  place: DocumentPlace,
  header: Buffer,
  expected: ContentFacts,
): { chunks: Transform; plain: Transform } {
  const chunks = openChunks(deriveDocumentKey(keys, place, header))
  return { chunks, plain: verifyContent(expected) }
}

/** Passes bytes on while it counts and hashes them; holds the last piece back until the whole is verified. */
function verifyContent(expected: ContentFacts): Transform {
  const hash = createHash('sha256')
  let bytes = 0
  let held: Buffer | undefined
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece)
      bytes += piece.length
      if (held) this.push(held)
      held = piece
      done()
    },
    flush(done) {
      if (bytes !== expected.bytes) {
        done(new ChunksBroken(`A document has ${bytes} bytes instead of ${expected.bytes}.`))
      } else if (!hash.digest().equals(expected.sha256)) {
        done(new ChunksBroken('A document does not have the SHA-256 recorded for it.'))
      } else {
        if (held) this.push(held)
        done()
      }
    },
  })
}

function deriveDocumentKey(keys: FirmKeys, place: DocumentPlace, header: Buffer): KeyObject {
  if (place.firm !== keys.firmId)
    throw new ChunksBroken("A document cannot be opened with another firm's keys.")
  if (header.length !== SEALED_HEADER_BYTES || header.toString('latin1', 0, 4) !== MAGIC) {
    throw new ChunksBroken('These bytes are not a sealed document.')
  }
  const keyId = header.readUInt32BE(4)
  const dataKey = keys.data.byId.get(keyId)
  if (!dataKey) throw new KeyNotHeld(keys.firmId, keyId)
  const info = JSON.stringify(['document', place.firm, place.documentId])
  const key = Buffer.from(hkdfSync('sha256', dataKey, header.subarray(8), info, 32))
  try {
    return createSecretKey(key)
  } finally {
    key.fill(0)
  }
}
