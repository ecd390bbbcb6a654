/**
 * Text that is stored compressed (RFC 8878) where that makes it shorter. A short text is stored as it is, as releases
 * before decision 142 stored every text.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** How every Zstandard frame begins (RFC 8878, 3.1.1); no JSON does. */
const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** `chunkSize` is what is allocated at first for the result; the default is 16 kB. */
const options = { chunkSize: 1_024, params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/**
 * Below it a frame saves a sixth at most, or is longer than the text. A compressor is a stream with 10 kB of memory
 * that waits for a full collection, and takes 35 µs (decision 150).
 */
const bytesMin = 256

export function compress(text: string): Buffer {
  const bytes = Buffer.from(text)
  return bytes.length < bytesMin ? bytes : zstdCompressSync(bytes, options)
}

/** The text of a column, compressed or not. */
export function readText(stored: Buffer): string {
  return (stored.subarray(0, frame.length).equals(frame) ? zstdDecompressSync(stored) : stored).toString()
}
