// TIFF 6.0 in both byte orders: every directory, and the offsets of all values, strips and tiles, which must be inside
// the file. A directory is visited once: loops are refused. No pixel is decoded.
import type { Structure } from './file-kind.ts'
import {
  PAGES_MAX,
  PIXELS_MAX,
  PIXELS_TOTAL_MAX,
  TIFF_ENTRIES_MAX,
  TIFF_STRIPS_MAX,
  TIFF_USES_MAX,
} from './limits.ts'
import { AFTER_END, isPadding } from './padding.ts'

type Entry = { type: number; count: number; valueAt: number }

/** Bytes of a value by field type; 13 is the directory offset of TIFF Technical Note 1. */
const typeBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
const NEW_SUBFILE_TYPE = 254
const WIDTH = 256
const LENGTH = 257
const BITS_PER_SAMPLE = 258
const COMPRESSION = 259
const STRIP_OFFSETS = 273
const SAMPLES_PER_PIXEL = 277
const STRIP_BYTE_COUNTS = 279
const TILE_OFFSETS = 324
const TILE_BYTE_COUNTS = 325
const OLD_JPEG_OFFSET = 513
const OLD_JPEG_BYTES = 514
/** Sub-images, EXIF, GPS and interoperability directories. */
const DIRECTORY_TAGS = [330, 34665, 34853, 40965]
const EARLY = 'The TIFF ends too early.'

export function inspectTiff(bytes: Buffer): Structure {
  return new TiffWalk(bytes).walk()
}

class TiffWalk {
  private readonly bytes: Buffer
  private readonly little: boolean
  private readonly visited = new Set<number>()
  private end = 8
  private entries = 0
  private strips = 0
  private stripBytes = 0
  private pixels = 0
  private pages = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.little = bytes[0] === 0x49
  }

  walk(): Structure {
    if (this.bytes.length < 8) return { problem: EARLY }
    const waiting: { at: number; inChain: boolean }[] = [{ at: this.u32(4), inChain: true }]
    for (let place = waiting.pop(); place; place = waiting.pop()) {
      const { at, inChain } = place
      if (this.visited.has(at)) return { problem: 'The TIFF has directories in a loop.' }
      this.visited.add(at)
      if (this.visited.size > PAGES_MAX * 2) return { problem: 'The TIFF has too many directories.' }
      if (at < 8 || at + 2 > this.bytes.length) return { problem: EARLY }
      const count = this.u16(at)
      const nextAt = at + 2 + count * 12
      this.entries += count
      if (this.entries > TIFF_ENTRIES_MAX) return { problem: 'The TIFF has too many entries.' }
      if (count === 0 || nextAt + (inChain ? 4 : 0) > this.bytes.length) return { problem: EARLY }
      this.reach(nextAt + (inChain ? 4 : 0))

      const tags = this.readTags(at, count)
      if (!tags) return { problem: EARLY }
      for (const tag of DIRECTORY_TAGS) {
        const entry = tags.get(tag)
        if (!entry || ![4, 13].includes(entry.type) || entry.count > PAGES_MAX) continue
        for (let index = 0; index < entry.count; index++)
          waiting.push({ at: this.value(entry, index), inChain: false })
      }
      const image = tags.has(STRIP_OFFSETS) || tags.has(TILE_OFFSETS) || tags.has(OLD_JPEG_OFFSET)
      if (inChain && !image) return { problem: 'The TIFF has a page without an image.' }
      if (image) {
        const problem = this.judgeImage(tags)
        if (problem) return { problem }
      }
      if (!inChain) continue
      const reduced = (this.first(tags, NEW_SUBFILE_TYPE) ?? 0) & 1
      if (!reduced && ++this.pages > PAGES_MAX)
        return { problem: `The TIFF has more than ${PAGES_MAX} pages.` }
      const next = this.u32(nextAt)
      if (next !== 0) waiting.push({ at: next, inChain: true })
    }
    if (this.pages === 0) return { problem: 'The TIFF has no page.' }
    return isPadding(this.bytes, this.end) ? { pages: this.pages } : { problem: AFTER_END }
  }

  /** Reads tags with a known type, by number; undefined when a value is outside the file. */
  private readTags(at: number, count: number): Map<number, Entry> | undefined {
    const tags = new Map<number, Entry>()
    for (let index = 0; index < count; index++) {
      const entryAt = at + 2 + index * 12
      const type = this.u16(entryAt + 2)
      const valueCount = this.u32(entryAt + 4)
      const size = typeBytes[type]
      // Readers skip unknown types (TIFF 6.0, section 2).
      if (!size) continue
      const valueBytes = size * valueCount
      const valueAt = valueBytes <= 4 ? entryAt + 8 : this.u32(entryAt + 8)
      if (valueAt + valueBytes > this.bytes.length) return undefined
      this.reach(valueAt + valueBytes)
      tags.set(this.u16(entryAt), { type, count: valueCount, valueAt })
    }
    return tags
  }

  private judgeImage(tags: Map<number, Entry>): string | undefined {
    const oldJpegAt = this.first(tags, OLD_JPEG_OFFSET)
    if (oldJpegAt !== undefined) {
      const oldJpegEnd = oldJpegAt + (this.first(tags, OLD_JPEG_BYTES) ?? 0)
      if (oldJpegAt === 0 || oldJpegEnd > this.bytes.length) return EARLY
      this.reach(oldJpegEnd)
      if (!tags.has(STRIP_OFFSETS) && !tags.has(TILE_OFFSETS)) return undefined
    }
    const width = this.first(tags, WIDTH) ?? 0
    const length = this.first(tags, LENGTH) ?? 0
    if (width === 0 || length === 0) return 'The TIFF has a page without width or height.'
    if (width * length > PIXELS_MAX) return `The image has more than ${PIXELS_MAX / 1e6} million pixels.`
    this.pixels += width * length
    if (this.pixels > PIXELS_TOTAL_MAX) return 'The images of the TIFF have too many pixels together.'

    const offsets = tags.get(STRIP_OFFSETS) ?? tags.get(TILE_OFFSETS)
    const counts = tags.get(tags.has(STRIP_OFFSETS) ? STRIP_BYTE_COUNTS : TILE_BYTE_COUNTS)
    if (!offsets || offsets.count === 0) return 'The TIFF has a page without an image.'
    this.strips += offsets.count
    if (this.strips > TIFF_STRIPS_MAX) return 'The TIFF has too many strips.'
    if (counts && counts.count < offsets.count) return 'The TIFF has strips without a size.'
    for (let index = 0; index < offsets.count; index++) {
      const stripAt = this.value(offsets, index)
      // Old writers of a single strip omit its size: for every compression it then extends to the end.
      const stripBytes = counts ? this.value(counts, index) : this.guessBytes(tags, width, length, stripAt)
      // A sparse file has no offset and no size for an empty strip.
      if (stripAt === 0 && stripBytes === 0) continue
      if (stripAt < 8 || stripAt + stripBytes > this.bytes.length) return EARLY
      this.reach(stripAt + stripBytes)
      this.stripBytes += stripBytes
    }
    // Every use of the same data is expanded again.
    if (this.stripBytes > this.bytes.length * TIFF_USES_MAX) return 'The TIFF uses the same data too often.'
    return undefined
  }

  private guessBytes(tags: Map<number, Entry>, width: number, length: number, stripAt: number): number {
    if ((this.first(tags, COMPRESSION) ?? 1) !== 1) return Math.max(0, this.bytes.length - stripAt)
    const bits = (this.first(tags, BITS_PER_SAMPLE) ?? 1) * (this.first(tags, SAMPLES_PER_PIXEL) ?? 1)
    const strips = tags.get(STRIP_OFFSETS)?.count ?? 1
    return Math.ceil((width * bits) / 8) * Math.ceil(length / strips)
  }

  private first(tags: Map<number, Entry>, tag: number): number | undefined {
    const entry = tags.get(tag)
    return entry && entry.count > 0 ? this.value(entry, 0) : undefined
  }

  /** Reads a value that is known to be inside the file, as readTags has checked. */
  private value(entry: Entry, index: number): number {
    switch (entry.type) {
      case 1:
      case 2:
      case 6:
      case 7:
        return this.bytes[entry.valueAt + index] ?? 0
      case 3:
      case 8:
        return this.u16(entry.valueAt + index * 2)
      case 4:
      case 9:
      case 13:
        return this.u32(entry.valueAt + index * 4)
      default:
        return 0
    }
  }

  private reach(end: number): void {
    if (end > this.end) this.end = end
  }

  private u16(at: number): number {
    return this.little ? this.bytes.readUInt16LE(at) : this.bytes.readUInt16BE(at)
  }

  private u32(at: number): number {
    return this.little ? this.bytes.readUInt32LE(at) : this.bytes.readUInt32BE(at)
  }
}
