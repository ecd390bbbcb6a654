// Files of every accepted type, made in code for the tests: valid in structure, with meaningless images.
import { crc32, deflateSync } from 'node:zlib'

function u16be(value: number) {
  return Buffer.of(value >> 8, value & 255)
}
function u32be(value: number) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
function u16le(value: number) {
  return u16be(value).reverse()
}
function u32le(value: number) {
  return u32be(value >>> 0).reverse()
}
function latin1(text: string) {
  return Buffer.from(text, 'latin1')
}

export function pngChunk(type: string, body: Buffer = Buffer.alloc(0)): Buffer {
  const typed = Buffer.concat([latin1(type), body])
  return Buffer.concat([u32be(body.length), typed, u32be(crc32(typed))])
}

export type PngShape = {
  width?: number
  height?: number
  depth?: number
  colourType?: number
  interlace?: number
}

export function pngHeader(shape: PngShape = {}): Buffer {
  const { width = 4, height = 3, depth = 8, colourType = 2, interlace = 0 } = shape
  return pngChunk(
    'IHDR',
    Buffer.concat([u32be(width), u32be(height), Buffer.of(depth, colourType, 0, 0, interlace)]),
  )
}

export function joinPng(...chunks: Buffer[]): Buffer {
  return Buffer.concat([latin1('\x89PNG\r\n\x1a\n'), ...chunks])
}

export function samplePng(shape: PngShape = {}): Buffer {
  const data = deflateSync(Buffer.alloc(256, 7))
  return joinPng(
    pngHeader(shape),
    pngChunk('gAMA', u32be(45455)),
    pngChunk('tEXt', latin1('Title\0A sample')),
    ...(shape.colourType === 3 ? [pngChunk('PLTE', Buffer.alloc(12, 9))] : []),
    pngChunk('IDAT', data.subarray(0, 5)),
    pngChunk('IDAT', data.subarray(5)),
    pngChunk('tIME', Buffer.of(7, 234, 1, 2, 3, 4, 5)),
    pngChunk('IEND'),
  )
}

export function jpegSegment(marker: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.of(0xff, marker), u16be(body.length + 2), body])
}

export type JpegShape = { width?: number; height?: number; frame?: number; extra?: Buffer[]; scans?: number }

export function sampleJpeg(shape: JpegShape = {}): Buffer {
  const { width = 16, height = 8, frame = 0xc0, extra = [], scans = 1 } = shape
  const scan = Buffer.concat([
    jpegSegment(0xda, Buffer.of(1, 1, 0, 0, 63, 0)),
    // A stuffed FF, a restart mark, and an FF as fill before the next marker.
    Buffer.of(0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56, 0x78, 0xff),
  ])
  return Buffer.concat([
    Buffer.of(0xff, 0xd8),
    jpegSegment(0xe0, latin1('JFIF\0\x01\x01\0\0\x01\0\x01\0\0')),
    ...extra,
    jpegSegment(0xdb, Buffer.alloc(65, 1)),
    jpegSegment(frame, Buffer.concat([Buffer.of(8), u16be(height), u16be(width), Buffer.of(1, 1, 0x11, 0)])),
    jpegSegment(0xc4, Buffer.alloc(20, 0)),
    ...Array.from({ length: scans }, () => scan),
    Buffer.of(0xff, 0xd9),
  ])
}

export type BmpShape = {
  width?: number
  height?: number
  bits?: number
  headerBytes?: number
  compression?: number
  colours?: number
  gap?: Buffer
  pixels?: Buffer
}

export function sampleBmp(shape: BmpShape = {}): Buffer {
  const { width = 5, height = 3, bits = 24, headerBytes = 40, compression = 0, colours = 0, gap } = shape
  const core = headerBytes === 12
  const header = Buffer.alloc(headerBytes)
  header.writeUInt32LE(headerBytes)
  if (core) {
    header.writeUInt16LE(width, 4)
    header.writeUInt16LE(height, 6)
    header.writeUInt16LE(1, 8)
    header.writeUInt16LE(bits, 10)
  } else {
    header.writeInt32LE(width, 4)
    header.writeInt32LE(height, 8)
    header.writeUInt16LE(1, 12)
    header.writeUInt16LE(bits, 14)
    if (headerBytes >= 20) header.writeUInt32LE(compression, 16)
    if (headerBytes >= 36) header.writeUInt32LE(colours, 32)
  }
  const masks = headerBytes === 40 && compression === 3 ? Buffer.alloc(12, 0xf8) : Buffer.alloc(0)
  const entries = bits <= 8 ? colours || 2 ** bits : colours
  const palette = Buffer.alloc(entries * (core ? 3 : 4), 0x20)
  const pixels =
    shape.pixels ?? Buffer.alloc(Math.floor((bits * width + 31) / 32) * 4 * Math.abs(height), 0x55)
  const before = Buffer.concat([header, masks, palette, gap ?? Buffer.alloc(0)])
  const offset = 14 + before.length
  return Buffer.concat([latin1('BM'), u32le(offset + pixels.length), u32le(0), u32le(offset), before, pixels])
}

export type TiffPage = {
  width?: number
  height?: number
  tags?: [tag: number, type: number, values: number[]][]
}

/** Directories before their strips, each page with two strips; big- or little-endian. */
export function sampleTiff(pages: TiffPage[] = [{}], little = true): Buffer {
  const u16 = little ? u16le : u16be
  const u32 = little ? u32le : u32be
  const parts: Buffer[] = [latin1(little ? 'II' : 'MM'), u16(42), u32(8)]
  let at = 8
  for (const [index, { width = 8, height = 4, tags = [] }] of pages.entries()) {
    const strip = Buffer.alloc(width * 2, 0x33)
    const all: [number, number, number[]][] = [
      [256, 4, [width]],
      [257, 4, [height]],
      [258, 3, [8]],
      [259, 3, [1]],
      [262, 3, [1]],
      [273, 4, [0, 0]],
      [277, 3, [1]],
      [278, 4, [2]],
      [279, 4, [strip.length, strip.length]],
      ...tags,
    ]
    const directoryBytes = 2 + all.length * 12 + 4
    const valuesAt = at + directoryBytes
    const values: Buffer[] = []
    let valuesBytes = 0
    const stripsAt = valuesAt + all.reduce((sum, [, type, list]) => sum + outOfLine(type, list), 0)
    const entries = all.map(([tag, type, list]) => {
      const given = tag === 273 ? [stripsAt, stripsAt + strip.length] : list
      const body = Buffer.concat(given.map((value) => (type === 3 ? u16(value) : u32(value))))
      const head = Buffer.concat([u16(tag), u16(type), u32(given.length)])
      if (body.length <= 4) return Buffer.concat([head, body, Buffer.alloc(4 - body.length)])
      values.push(body)
      valuesBytes += body.length
      return Buffer.concat([head, u32(valuesAt + valuesBytes - body.length)])
    })
    const next = stripsAt + strip.length * 2
    const last = index === pages.length - 1
    parts.push(u16(all.length), ...entries, u32(last ? 0 : next), ...values, strip, strip)
    at = next
  }
  return Buffer.concat(parts)
}

function outOfLine(type: number, values: number[]): number {
  const bytes = values.length * (type === 3 ? 2 : 4)
  return bytes > 4 ? bytes : 0
}

export type PdfObject = { number: number; text: string; stream?: Buffer }

export const pdfBasics: PdfObject[] = [
  { number: 1, text: '<< /Type /Catalog /Pages 2 0 R >>' },
  { number: 2, text: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>' },
  {
    number: 3,
    text: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>',
  },
  { number: 4, text: '', stream: latin1('BT /F1 24 Tf 72 720 Td (Hello) Tj ET') },
]

export type PdfShape = {
  /** Objects that replace those of the same number, or are added. */
  objects?: PdfObject[]
  /** Numbers of the objects in a compressed object stream. */
  inObjectStream?: number[]
  /** The filters of that stream, outermost first. */
  filters?: ('FlateDecode' | 'ASCIIHexDecode')[]
  trailer?: string
  tail?: string
}

export function samplePdf(shape: PdfShape = {}): Buffer {
  const byNumber = new Map([...pdfBasics, ...(shape.objects ?? [])].map((object) => [object.number, object]))
  const packed = (shape.inObjectStream ?? []).flatMap((number) => byNumber.get(number) ?? [])
  for (const { number } of packed) byNumber.delete(number)
  const plain = [...byNumber.values()]
  if (packed.length > 0) plain.push(packObjects(900, packed, shape.filters ?? ['FlateDecode']))

  let file = latin1('%PDF-1.5\n%\xe2\xe3\xcf\xd3\n')
  const places: [number, number][] = []
  for (const object of plain) {
    places.push([object.number, file.length])
    file = Buffer.concat([file, renderPdfObject(object)])
  }
  const table = places
    .map(([number, at]) => `${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`)
    .join('')
  const trailer = `xref\n0 1\n0000000000 65535 f \n${table}trailer\n<< /Size 901 /Root 1 0 R ${shape.trailer ?? ''} >>\n`
  return Buffer.concat([file, latin1(`${trailer}startxref\n${file.length}\n%%EOF${shape.tail ?? '\n'}`)])
}

export function renderPdfObject(object: PdfObject): Buffer {
  const { number, text, stream } = object
  if (!stream) return latin1(`${number} 0 obj\n${text}\nendobj\n`)
  return Buffer.concat([
    latin1(`${number} 0 obj\n<< /Length ${stream.length} ${text} >>\nstream\n`),
    stream,
    latin1('\nendstream\nendobj\n'),
  ])
}

function packObjects(number: number, objects: PdfObject[], filters: string[]): PdfObject {
  let body = ''
  let header = ''
  for (const object of objects) {
    header += `${object.number} ${body.length} `
    body += `${object.text} `
  }
  let stream: Buffer = latin1(header + body)
  for (const filter of filters.toReversed()) {
    stream = filter === 'FlateDecode' ? deflateSync(stream) : latin1(`${stream.toString('hex')}>`)
  }
  const names = filters.map((filter) => `/${filter}`).join(' ')
  return {
    number,
    text: `/Type /ObjStm /N ${objects.length} /First ${header.length} /Filter [${names}]`,
    stream,
  }
}
