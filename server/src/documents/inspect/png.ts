// PNG: header, critical chunks and their order, every checksum, and the end (W3C PNG, third edition). No pixel is
// decoded.
import { crc32 } from 'node:zlib'
import type { Structure } from './file-kind.ts'
import { PIXELS_MAX } from './limits.ts'
import { AFTER_END, isPadding } from './padding.ts'
import { PngVolume } from './png-volume.ts'

const SIGNATURE_BYTES = 8
const CHUNK_FRAME_BYTES = 12
const TOO_LARGE = 'The PNG has compressed data that expand too far.'
const TOO_SHORT = 'The PNG has image data that cannot be read or are too short for its size.'
const depthsByColourType: Record<number, number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

export function inspectPng(bytes: Buffer): Structure {
  let at = SIGNATURE_BYTES
  let colourType = -1
  let palette = false
  let imageData: 'none' | 'open' | 'closed' = 'none'
  const volume = new PngVolume(bytes)

  for (;;) {
    if (at + CHUNK_FRAME_BYTES > bytes.length) return { problem: 'The PNG ends too early.' }
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const bodyAt = at + 8
    const next = bodyAt + length + 4
    if (!/^[A-Za-z]{4}$/.test(type)) return { problem: 'The PNG has a damaged chunk.' }
    if (next > bytes.length) return { problem: 'The PNG ends too early.' }
    if (crc32(bytes.subarray(at + 4, bodyAt + length)) !== bytes.readUInt32BE(bodyAt + length)) {
      return { problem: 'The PNG has a chunk with a wrong checksum.' }
    }
    if (colourType < 0 && type !== 'IHDR') return { problem: 'The PNG does not begin with its header.' }
    if (type !== 'IDAT' && imageData === 'open') imageData = 'closed'
    volume.add(type, bodyAt, length)

    switch (type) {
      case 'IHDR': {
        if (colourType >= 0 || length !== 13) return { problem: 'The PNG has a wrong header.' }
        const problem = judgeHeader(bytes, bodyAt)
        if (problem) return { problem }
        colourType = bytes[bodyAt + 9] ?? -1
        break
      }
      case 'PLTE':
        if (palette || imageData !== 'none' || colourType === 0 || colourType === 4) {
          return { problem: 'The PNG has a palette where none may be.' }
        }
        if (length === 0 || length % 3 !== 0 || length > 768)
          return { problem: 'The PNG has a wrong palette.' }
        palette = true
        break
      case 'IDAT':
        if (imageData === 'closed') return { problem: 'The PNG has image data in two places.' }
        if (colourType === 3 && !palette) return { problem: 'The PNG lacks its palette.' }
        imageData = 'open'
        break
      case 'IEND':
        if (length !== 0) return { problem: 'The PNG has a wrong end.' }
        if (imageData === 'none') return { problem: 'The PNG has no image data.' }
        if (!isPadding(bytes, next)) return { problem: AFTER_END }
        if (volume.isTooLarge()) return { problem: TOO_LARGE }
        return volume.isTooShort() ? { problem: TOO_SHORT } : { pages: 1 }
      default:
        // An upper-case first letter marks a chunk that a reader must understand.
        if ((type.charCodeAt(0) & 0x20) === 0) return { problem: 'The PNG has an unknown critical chunk.' }
    }
    at = next
  }
}

function judgeHeader(bytes: Buffer, at: number): string | undefined {
  const width = bytes.readUInt32BE(at)
  const height = bytes.readUInt32BE(at + 4)
  if (width === 0 || height === 0 || width > 0x7fffffff || height > 0x7fffffff) {
    return 'The PNG has no width or height.'
  }
  if (width * height > PIXELS_MAX) return `The image has more than ${PIXELS_MAX / 1e6} million pixels.`
  const depths = depthsByColourType[bytes[at + 9] ?? -1]
  if (!depths?.includes(bytes[at + 8] ?? -1)) return 'The PNG has an unknown colour type or depth.'
  if (bytes[at + 10] !== 0 || bytes[at + 11] !== 0 || (bytes[at + 12] ?? 2) > 1) {
    return 'The PNG has an unknown compression, filter or interlace method.'
  }
  return undefined
}
