/** Text that may be stored compressed: this release reads it, the next one writes it (decision 130). */
import { zstdDecompressSync } from 'node:zlib'

/** How every Zstandard frame begins (RFC 8878, 3.1.1); no JSON does. */
const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** The text, whether it is stored compressed or as it is. */
export function readText(stored: Buffer): string {
  return (stored.subarray(0, frame.length).equals(frame) ? zstdDecompressSync(stored) : stored).toString()
}
