// BMP: the header in all its sizes (OS/2 1 and 2, Windows 3 to 5), the palette, and the beginning and end of the
// pixels. Run-length encoded pixels are read up to their end mark. No pixel is decoded.
import type { Structure } from './file-kind.ts'
import { PIXELS_MAX } from './limits.ts'
import { AFTER_END, isBlank, isPadding } from './padding.ts'

type Header = {
  headerBytes: number
  width: number
  height: number
  bits: number
  compression: number
  paletteEntries: number
  entryBytes: number
}

const FILE_HEADER_BYTES = 14
const CORE_HEADER_BYTES = 12
const V5_HEADER_BYTES = 124
const RGB = 0
const RLE8 = 1
const RLE4 = 2
const BIT_FIELDS = 3
const ALPHA_BIT_FIELDS = 6
/** Unused bytes between palette and pixels that some writers leave. */
const GAP_BYTES_MAX = 128
const EARLY = 'The BMP ends too early.'

export function inspectBmp(bytes: Buffer): Structure {
  if (bytes.length < FILE_HEADER_BYTES + CORE_HEADER_BYTES) return { problem: EARLY }
  const header = readHeader(bytes)
  if ('problem' in header) return header
  const { width, height, bits, compression } = header
  if (width * height > PIXELS_MAX)
    return { problem: `The image has more than ${PIXELS_MAX / 1e6} million pixels.` }

  const pixelsAt = bytes.readUInt32LE(10)
  const problem = judgePixelsAt(bytes, header, pixelsAt)
  if (problem) return { problem }
  let end: number
  if (compression === RLE8 || compression === RLE4) {
    end = walkRuns(bytes, pixelsAt, compression)
    if (end < 0) return { problem: EARLY }
  } else {
    end = pixelsAt + Math.floor((bits * width + 31) / 32) * 4 * height
  }
  end = Math.max(end, findProfileEnd(bytes, header))
  if (end > bytes.length) return { problem: EARLY }
  return isPadding(bytes, end) ? { pages: 1 } : { problem: AFTER_END }
}

function readHeader(bytes: Buffer): Header | { problem: string } {
  const headerBytes = bytes.readUInt32LE(FILE_HEADER_BYTES)
  const core = headerBytes === CORE_HEADER_BYTES
  const known =
    core ||
    (headerBytes >= 16 && headerBytes <= 64 && headerBytes % 4 === 0) ||
    headerBytes === 108 ||
    headerBytes === V5_HEADER_BYTES
  if (!known) return { problem: 'The BMP has an unknown header.' }
  if (FILE_HEADER_BYTES + headerBytes > bytes.length) return { problem: EARLY }

  const width = core ? bytes.readUInt16LE(18) : bytes.readInt32LE(18)
  const signedHeight = core ? bytes.readUInt16LE(20) : bytes.readInt32LE(22)
  const planes = bytes.readUInt16LE(core ? 22 : 26)
  const bits = bytes.readUInt16LE(core ? 24 : 28)
  // Headers of 16 bytes end here; headers of OS/2 may end at any field.
  const compression = headerBytes >= 20 ? bytes.readUInt32LE(30) : RGB
  const coloursUsed = headerBytes >= 36 ? bytes.readUInt32LE(46) : 0
  const height = Math.abs(signedHeight)
  const topDown = signedHeight < 0
  if (width <= 0 || height === 0) return { problem: 'The BMP has no width or height.' }
  if (planes !== 1) return { problem: 'The BMP has a wrong number of planes.' }
  if (!suits(bits, compression, topDown)) return { problem: 'The BMP has an unknown depth or compression.' }
  if (coloursUsed > 0x10000) return { problem: 'The BMP has a wrong palette.' }
  const paletteEntries = bits <= 8 && coloursUsed === 0 ? 2 ** bits : coloursUsed
  return { headerBytes, width, height, bits, compression, paletteEntries, entryBytes: core ? 3 : 4 }
}

function suits(bits: number, compression: number, topDown: boolean): boolean {
  switch (compression) {
    case RGB:
      return [1, 2, 4, 8, 16, 24, 32].includes(bits)
    case RLE8:
      return bits === 8 && !topDown
    case RLE4:
      return bits === 4 && !topDown
    case BIT_FIELDS:
    case ALPHA_BIT_FIELDS:
      return bits === 16 || bits === 32
    default:
      return false
  }
}

function judgePixelsAt(bytes: Buffer, header: Header, pixelsAt: number): string | undefined {
  const headerEnd = FILE_HEADER_BYTES + header.headerBytes
  if (pixelsAt < headerEnd) return 'The BMP has its pixels inside its header.'
  if (pixelsAt > bytes.length) return EARLY
  const maskBytes =
    header.headerBytes !== 40 ? 0 : ({ [BIT_FIELDS]: 12, [ALPHA_BIT_FIELDS]: 16 }[header.compression] ?? 0)
  // The palette may be complete even when fewer colours are used.
  const entries = header.bits <= 8 ? Math.max(header.paletteEntries, 256) : header.paletteEntries
  const roomEnd = headerEnd + maskBytes + entries * header.entryBytes
  const gapIsSmall = pixelsAt <= roomEnd + GAP_BYTES_MAX
  if (!gapIsSmall && !isBlank(bytes, roomEnd, pixelsAt))
    return 'The BMP has data between its header and its pixels.'
  return undefined
}

/** Returns the end of the end-of-bitmap mark; -1 when there is none. */
function walkRuns(bytes: Buffer, from: number, compression: number): number {
  let at = from
  while (at + 2 <= bytes.length) {
    const count = bytes[at] ?? 0
    const value = bytes[at + 1] ?? 0
    at += 2
    if (count > 0) continue
    if (value === 1) return at
    if (value === 2) at += 2
    else if (value > 2) {
      const literalBytes = compression === RLE8 ? value : Math.ceil(value / 2)
      at += literalBytes + (literalBytes & 1)
    }
  }
  return -1
}

/** A version 5 header may put a colour profile after the pixels. */
function findProfileEnd(bytes: Buffer, header: Header): number {
  if (header.headerBytes !== V5_HEADER_BYTES) return 0
  if (bytes.toString('latin1', 70, 74) !== 'DEBM') return 0
  return FILE_HEADER_BYTES + bytes.readUInt32LE(126) + bytes.readUInt32LE(130)
}
