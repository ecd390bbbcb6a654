/**
 * Converts a TIFF to a PDF, so that one viewer shows both. The strips and tiles of each page are copied into a
 * PDF unchanged, because both formats have the same compressions (none, CCITT, LZW, JPEG, Deflate, PackBits).
 * Nothing is decoded here. TIFF 6.0; ISO 32000-1, 8.9.
 */

interface Page {
  readonly widthPx: number
  readonly heightPx: number
  readonly tags: Tags
}

type Tags = ReadonlyMap<number, readonly number[]>

const tag = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  samples: 277,
  rowsPerStrip: 278,
  stripBytes: 279,
  xResolution: 282,
  yResolution: 283,
  planar: 284,
  faxOptions: 292,
  predictor: 317,
  colours: 320,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileBytes: 325,
  jpegTables: 347,
} as const

const sizes: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4 }
const pagesMax = 500

/** Why a TIFF cannot be shown. */
class TiffUnsupported extends Error {}

export function tiffToPdf(file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const pages = readPages(file)
  const pdf = new PdfWriter()
  for (const page of pages) addPage(pdf, file, page)
  return pdf.finish()
}

function readPages(file: Uint8Array<ArrayBuffer>): Page[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const little = view.getUint16(0) === 0x4949
  const pages: Page[] = []
  const seen = new Set<number>()
  let at = view.getUint32(4, little)
  while (at !== 0 && !seen.has(at) && pages.length < pagesMax) {
    seen.add(at)
    const count = view.getUint16(at, little)
    const tags = new Map<number, readonly number[]>()
    for (let entry = 0; entry < count; entry++) {
      const from = at + 2 + entry * 12
      tags.set(view.getUint16(from, little), readValues(view, from, little))
    }
    at = view.getUint32(at + 2 + count * 12, little)
    const [widthPx = 0, heightPx = 0] = [tags.get(tag.width)?.[0], tags.get(tag.height)?.[0]]
    if (widthPx > 0 && heightPx > 0) pages.push({ widthPx, heightPx, tags })
  }
  if (pages.length === 0) throw new TiffUnsupported('The file has no pages.')
  return pages
}

function readValues(view: DataView, from: number, little: boolean): number[] {
  const type = view.getUint16(from + 2, little)
  const count = view.getUint32(from + 4, little)
  const size = sizes[type] ?? 0
  if (size === 0) return []
  const at = count * size <= 4 ? from + 8 : view.getUint32(from + 8, little)
  const values: number[] = []
  for (let index = 0; index < count; index++) {
    const place = at + index * size
    if (size === 8) values.push(view.getUint32(place, little) / (view.getUint32(place + 4, little) || 1))
    else if (size === 4) values.push(view.getUint32(place, little))
    else values.push(size === 2 ? view.getUint16(place, little) : view.getUint8(place))
  }
  return values
}

function addPage(pdf: PdfWriter, file: Uint8Array<ArrayBuffer>, { widthPx, heightPx, tags }: Page): void {
  const one = (name: keyof typeof tag, fallback: number) => tags.get(tag[name])?.[0] ?? fallback
  if (one('planar', 1) === 2 && one('samples', 1) > 1)
    throw new TiffUnsupported('Its colours lie in separate planes.')
  const [xResolution, yResolution] = [one('xResolution', 1) || 1, one('yResolution', 1) || 1]
  const widthPt = 612
  const heightPt = (widthPt * heightPx * xResolution) / (widthPx * yResolution)
  const tiled = tags.has(tag.tileOffsets)
  const pieceWidth = tiled ? one('tileWidth', widthPx) : widthPx
  const pieceHeight = tiled ? one('tileHeight', heightPx) : Math.min(one('rowsPerStrip', heightPx), heightPx)
  const offsets = tags.get(tiled ? tag.tileOffsets : tag.stripOffsets) ?? []
  const lengths = tags.get(tiled ? tag.tileBytes : tag.stripBytes) ?? []
  const across = Math.ceil(widthPx / pieceWidth)
  const pieces = offsets.map((offset, index) => {
    const left = (index % across) * pieceWidth
    const top = Math.floor(index / across) * pieceHeight
    const rows = tiled ? pieceHeight : Math.min(pieceHeight, heightPx - top)
    const packed = file.slice(offset, offset + (lengths[index] ?? file.length - offset))
    const id = addPiece(pdf, tags, packed, pieceWidth, rows)
    const [x, y, width, height] = [
      left / widthPx,
      1 - (top + rows) / heightPx,
      pieceWidth / widthPx,
      rows / heightPx,
    ]
    return { id, place: [width * widthPt, 0, 0, height * heightPt, x * widthPt, y * heightPt] }
  })
  pdf.addPage(widthPt, heightPt, pieces)
}

function addPiece(
  pdf: PdfWriter,
  tags: Tags,
  packed: Uint8Array<ArrayBuffer>,
  width: number,
  rows: number,
): number {
  const one = (name: keyof typeof tag, fallback: number) => tags.get(tag[name])?.[0] ?? fallback
  const bits = one('bits', 1)
  const samples = one('samples', 1)
  const photometric = one('photometric', 1)
  const compression = one('compression', 1)
  const predictor =
    one('predictor', 1) === 2
      ? ` /Predictor 2 /Colors ${samples} /BitsPerComponent ${bits} /Columns ${width}`
      : ''
  const fax = (k: number, aligned: boolean) =>
    `/Filter /CCITTFaxDecode /DecodeParms << /K ${k} /Columns ${width} /Rows ${rows} /EndOfBlock false${aligned ? ' /EncodedByteAlign true' : ''} >>`
  const filter = ((): string => {
    switch (compression) {
      case 1:
        return ''
      case 2:
        return fax(0, true)
      case 3:
        return fax(one('faxOptions', 0) & 1 ? 4 : 0, (one('faxOptions', 0) & 4) !== 0)
      case 4:
        return fax(-1, false)
      case 5:
        return `/Filter /LZWDecode /DecodeParms <<${predictor} >>`
      case 7:
        return `/Filter /DCTDecode${photometric === 2 ? ' /DecodeParms << /ColorTransform 0 >>' : ''}`
      case 8:
      case 32946:
        return `/Filter /FlateDecode /DecodeParms <<${predictor} >>`
      case 32773:
        return '/Filter /RunLengthDecode'
      default:
        throw new TiffUnsupported(`Its compression (${compression}) is not one that browsers can show.`)
    }
  })()
  const isFax = compression >= 2 && compression <= 4
  const content = isFax && one('fillOrder', 1) === 2 ? packed.map(reverseBits) : packed
  const whole = compression === 7 ? withTables(content, tags.get(tag.jpegTables)) : content
  // The white of a fax is white in a PDF too. Other samples, and a fax that declares that black is zero, are
  // inverted.
  const decode = samples === 1 && photometric === (isFax ? 1 : 0) ? ' /Decode [1 0]' : ''
  const header = `/Type /XObject /Subtype /Image /Width ${width} /Height ${rows} /BitsPerComponent ${bits} /ColorSpace ${colourSpace(photometric, samples, bits, tags)}${decode} ${filter}`
  return pdf.addStream(header, whole)
}

function colourSpace(photometric: number, samples: number, bits: number, tags: Tags): string {
  if (photometric === 3) {
    const map = tags.get(tag.colours) ?? []
    const count = map.length / 3
    const hex = Array.from({ length: count }, (_, index) =>
      [0, 1, 2].map((part) => ((map[part * count + index] ?? 0) >> 8).toString(16).padStart(2, '0')).join(''),
    )
    return `[/Indexed /DeviceRGB ${(1 << bits) - 1} <${hex.join('')}>]`
  }
  if (samples === 1) return '/DeviceGray'
  if (samples === 3) return '/DeviceRGB'
  if (photometric === 5 && samples === 4) return '/DeviceCMYK'
  throw new TiffUnsupported(`It has ${samples} samples a pixel.`)
}

function reverseBits(byte: number): number {
  let turned = 0
  for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) turned |= 128 >> bit
  return turned
}

/** Tables of a JPEG that several pieces share are copied into each piece, before its own segments. */
function withTables(
  piece: Uint8Array<ArrayBuffer>,
  tables: readonly number[] | undefined,
): Uint8Array<ArrayBuffer> {
  if (tables === undefined) return piece
  const shared = tables.slice(2, -2)
  const whole = new Uint8Array(piece.length + shared.length)
  whole.set(piece.subarray(0, 2))
  whole.set(shared, 2)
  whole.set(piece.subarray(2), 2 + shared.length)
  return whole
}

/** The few objects of a PDF that pages of images need. */
class PdfWriter {
  readonly #parts: (string | Uint8Array<ArrayBuffer>)[] = ['%PDF-1.7\n']
  readonly #offsets: number[] = [0, 0]
  readonly #pages: number[] = []
  #length = 9

  #write(part: string | Uint8Array<ArrayBuffer>): void {
    this.#parts.push(part)
    this.#length += part.length
  }

  #begin(): number {
    this.#offsets.push(this.#length)
    const id = this.#offsets.length
    this.#write(`${id} 0 obj\n`)
    return id
  }

  addStream(header: string, content: Uint8Array<ArrayBuffer>): number {
    const id = this.#begin()
    this.#write(`<< ${header} /Length ${content.length} >>\nstream\n`)
    this.#write(content)
    this.#write('\nendstream\nendobj\n')
    return id
  }

  addPage(width: number, height: number, pieces: readonly { id: number; place: readonly number[] }[]): void {
    const drawn = pieces.map(
      ({ id, place }) => `q ${place.map((each) => each.toFixed(3)).join(' ')} cm /P${id} Do Q`,
    )
    const content = this.addStream('', new TextEncoder().encode(drawn.join('\n')))
    const id = this.#begin()
    const images = pieces.map((piece) => `/P${piece.id} ${piece.id} 0 R`).join(' ')
    this.#write(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height.toFixed(3)}] /Contents ${content} 0 R /Resources << /XObject << ${images} >> >> >>\nendobj\n`,
    )
    this.#pages.push(id)
  }

  finish(): Uint8Array<ArrayBuffer> {
    this.#offsets[0] = this.#length
    this.#write('1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n')
    this.#offsets[1] = this.#length
    const kids = this.#pages.map((id) => `${id} 0 R`).join(' ')
    this.#write(`2 0 obj\n<< /Type /Pages /Kids [${kids}] /Count ${this.#pages.length} >>\nendobj\n`)
    const table = this.#length
    const rows = this.#offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
    const count = this.#offsets.length + 1
    this.#write(`xref\n0 ${count}\n0000000000 65535 f \n${rows}`)
    this.#write(`trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`)
    const file = new Uint8Array(this.#length)
    let at = 0
    for (const part of this.#parts) {
      const bytes = typeof part === 'string' ? new TextEncoder().encode(part) : part
      file.set(bytes, at)
      at += bytes.length
    }
    return file
  }
}
