// A byte stream as AES-256-GCM chunks of 64 KiB, under a key that is used for one stream only. The nonce of a chunk is
// its number (11 bytes) and a flag for the last chunk (1 byte), so that missing, repeated, swapped or truncated chunks
// do not open. A reader releases a chunk only after its tag is verified. (The construction is STREAM: Hoang,
// Reyhanitabar, Rogaway and Vizár, "Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance", 2015.)
import type { KeyObject } from 'node:crypto'
import { Transform } from 'node:stream'
import { NONCE_BYTES, startDecryption, startEncryption, TAG_BYTES } from '../encryption/aes-gcm.ts'

export const CHUNK_BYTES = 65_536
export const SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES

const nothing = Buffer.alloc(0)

/** Thrown by a reading stream when the bytes are not exactly the written ones in order. Always a fault. */
export class ChunksBroken extends Error {}

/** Returns the sealed size of `plainBytes` bytes. */
export function countSealedBytes(plainBytes: number): number {
  return plainBytes + Math.max(1, Math.ceil(plainBytes / CHUNK_BYTES)) * TAG_BYTES
}

function sealChunk(key: KeyObject, number: number, last: boolean, plain: Uint8Array): Buffer {
  const cipher = startEncryption(key, nameChunk(number, last), nothing)
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

export function openChunk(key: KeyObject, number: number, last: boolean, sealed: Buffer): Buffer {
  const tagStart = sealed.length - TAG_BYTES
  if (tagStart < 0) throw new ChunksBroken('A sealed stream ends inside a tag.')
  try {
    const decipher = startDecryption(key, nameChunk(number, last), nothing, sealed.subarray(tagStart))
    const plain = decipher.update(sealed.subarray(0, tagStart))
    decipher.final()
    return plain
  } catch (cause) {
    throw new ChunksBroken(`Chunk ${number} of a sealed stream does not open.`, { cause })
  }
}

/** Turns plain bytes into sealed chunks; at most one chunk is held in memory. */
export function sealChunks(key: KeyObject): Transform {
  const held = Buffer.allocUnsafe(CHUNK_BYTES)
  let heldBytes = 0
  let number = 0
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      let at = 0
      while (at < bytes.length) {
        // A full chunk is held back until a further byte shows that it is not the last.
        if (heldBytes === CHUNK_BYTES) {
          this.push(sealChunk(key, number++, false, held))
          heldBytes = 0
        }
        const taken = bytes.copy(held, heldBytes, at)
        heldBytes += taken
        at += taken
      }
      done()
    },
    flush(done) {
      this.push(sealChunk(key, number, true, held.subarray(0, heldBytes)))
      held.fill(0)
      done()
    },
  })
}

/** Turns sealed chunks into verified plain bytes; at most one chunk is held in memory. */
export function openChunks(key: KeyObject): Transform {
  const held = Buffer.allocUnsafe(SEALED_CHUNK_BYTES)
  let heldBytes = 0
  let number = 0
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      try {
        let at = 0
        while (at < bytes.length) {
          if (heldBytes === SEALED_CHUNK_BYTES) {
            this.push(openChunk(key, number++, false, held))
            heldBytes = 0
          }
          const taken = bytes.copy(held, heldBytes, at)
          heldBytes += taken
          at += taken
        }
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    flush(done) {
      try {
        const plain = openChunk(key, number, true, held.subarray(0, heldBytes))
        if (plain.length === 0 && number > 0)
          throw new ChunksBroken('A sealed stream ends with an empty chunk.')
        this.push(plain)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
}

function nameChunk(number: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeUIntBE(number, 5, 6)
  nonce[NONCE_BYTES - 1] = last ? 1 : 0
  return nonce
}
