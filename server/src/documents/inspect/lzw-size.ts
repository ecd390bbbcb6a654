// Counts the bytes to which an LZW stream (ISO 32000-1, 7.4.4; TIFF 6.0, section 13) expands without expanding it: for
// each code only the length of its expansion is stored.

const CLEAR = 256
const END = 257
const CODES_MAX = 4_096

/** `early`: codes grow one entry before they must, as is usual in both formats. */
export function measureLzw(content: Uint8Array, early: boolean, bytesMax = Number.POSITIVE_INFINITY): number {
  const ahead = early ? 1 : 0
  const lengths = new Uint32Array(CODES_MAX).fill(1, 0, 256)
  let next = 258
  let width = 9
  let before = 0
  let total = 0
  let held = 0
  let bits = 0
  for (const byte of content) {
    held = ((held << 8) | byte) & 0xffffff
    bits += 8
    if (bits < width) continue
    bits -= width
    const code = (held >>> bits) & ((1 << width) - 1)
    if (code === END || code > next || total > bytesMax) return total
    if (code === CLEAR) {
      next = 258
      width = 9
      before = 0
      continue
    }
    // A code that is being defined means the previous expansion and its first byte again.
    if (before > 0 && next < CODES_MAX) lengths[next++] = before + 1
    before = lengths[code] ?? 0
    total += before
    width = next + ahead >= 2048 ? 12 : next + ahead >= 1024 ? 11 : next + ahead >= 512 ? 10 : 9
  }
  return total
}
