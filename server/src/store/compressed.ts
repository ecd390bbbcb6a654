/** Text that is stored compressed (RFC 8878). Releases before decision 142 stored it as it is. */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** How every Zstandard frame begins (RFC 8878, 3.1.1); no JSON does. */
const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

export function compress(text: string): Buffer {
  return zstdCompressSync(text, options)
}

/** The text of a column, compressed or not. */
export function readText(stored: Buffer): string {
  return (stored.subarray(0, frame.length).equals(frame) ? zstdDecompressSync(stored) : stored).toString()
}
