// The cost of the streams of a PDF for a viewer: their expanded bytes and the pixels of their images, limited without
// expanding or decoding any. A few kilobytes of data can stand for gigabytes.
import { measureZlib } from './deflated-size.ts'
import {
  IMAGE_SPARE_BYTES_MAX,
  JPEG_SCANS_MAX,
  PDF_EXPANDED_BYTES_MAX,
  PDF_IMAGE_BYTES_MAX,
  PDF_PLAIN_BYTES_MAX,
  PIXELS_MAX,
  PIXELS_TOTAL_MAX,
} from './limits.ts'
import { measureLzw } from './lzw-size.ts'
import type { PlacedStream } from './pdf-layout.ts'
import type { DataPlace } from './pdf-streams.ts'
import { decode, decodeText } from './pdf-streams.ts'
import type { PdfDictionary, PdfValue } from './pdf-value.ts'
import { lookUp, nameOf } from './pdf-value.ts'
import { findJpeg2000Size, findJpegSize } from './picture-header.ts'

const MANY_PIXELS = `The PDF has an image of more than ${PIXELS_MAX / 1e6} million pixels.`
const MANY_PIXELS_TOGETHER = 'The images of the PDF have too many pixels together.'
const TOO_LARGE = 'The PDF has compressed parts that expand too far. Print it to a new PDF.'
const UNKNOWN = 'The PDF has data that cannot be checked. Print it to a new PDF.'
/** Channels of 16 bits that an image may have: process colours, spot colours. */
const PIXEL_BYTES_MAX = 16

export class StreamWeight {
  private readonly bytes: Buffer
  private readonly integers: ReadonlyMap<number, number | undefined>
  private plainBytes = 0
  private imageBytes = 0
  private pixels = 0

  /** `integers` are the objects that are the same whole number everywhere. */
  constructor(bytes: Buffer, integers: ReadonlyMap<number, number | undefined>) {
    this.bytes = bytes
    this.integers = integers
  }

  /** Returns a sentence when a total over all added streams is too large. */
  add({ dictionary, place }: PlacedStream, filters: readonly string[] | undefined): string | undefined {
    const pixels = this.readPixels(dictionary)
    this.pixels += pixels ?? 0
    if (pixels !== undefined && pixels > PIXELS_MAX) return MANY_PIXELS
    if (this.pixels > PIXELS_TOTAL_MAX) return MANY_PIXELS_TOGETHER
    if (!filters) return UNKNOWN
    const picture = this.measurePicture(place, filters)
    if (picture) return picture
    const room = pixels === undefined ? PDF_PLAIN_BYTES_MAX : pixels * PIXEL_BYTES_MAX + IMAGE_SPARE_BYTES_MAX
    const early = growsEarly(dictionary)
    const size = measure(this.bytes.subarray(place.from, place.to), filters, early, room)
    if (size === undefined) return UNKNOWN
    if (size > room) return TOO_LARGE
    if (pixels === undefined) this.plainBytes += size
    else this.imageBytes += size
    const tooMuch = this.plainBytes > PDF_PLAIN_BYTES_MAX || this.imageBytes > PDF_IMAGE_BYTES_MAX
    return tooMuch ? TOO_LARGE : undefined
  }

  /** Undefined for a stream that is not an image. */
  private readPixels(dictionary: PdfDictionary): number | undefined {
    const [width, height] = ['Width', 'Height'].map((key) => {
      const value = lookUp(dictionary, key)
      if (value?.kind === 'number') return value.number
      return value?.kind === 'reference' ? this.integers.get(value.object) : undefined
    })
    if (width !== undefined && height !== undefined) return Math.abs(width * height)
    return nameOf(lookUp(dictionary, 'Subtype')) === 'Image' ? 0 : undefined
  }

  /** An image in its own format may be larger than its dictionary declares. */
  private measurePicture(place: DataPlace, filters: readonly string[]): string | undefined {
    const find = pictureFormats.get(filters.at(-1) ?? '')
    if (!find) return undefined
    let data: Buffer | undefined = this.bytes.subarray(place.from, place.to)
    for (const filter of filters.slice(0, -1)) data = data && unwrap(filter, data)
    if (!data) return UNKNOWN
    const { pixels, scans } = find(data)
    if (pixels > PIXELS_MAX) return MANY_PIXELS
    return scans > JPEG_SCANS_MAX ? TOO_LARGE : undefined
  }
}

/**
 * Measures after the expanding filters; image formats declare their own size. Undefined for a double expansion and for
 * unknown filters.
 */
function measure(
  content: Buffer,
  filters: readonly string[],
  early: boolean | undefined,
  bytesMax: number,
): number | undefined {
  let data = content
  for (const [index, filter] of filters.entries()) {
    const further = filters.slice(index + 1).some((name) => expanding.has(name) || texts.has(name))
    if (texts.has(filter)) {
      data = decodeText(filter, data)
    } else if (expanding.has(filter)) {
      return further ? undefined : measureExpanded(filter, data, early, bytesMax)
    } else {
      return others.has(filter) ? data.length : undefined
    }
  }
  return data.length
}

const pictureFormats = new Map([
  ['DCTDecode', findJpegSize],
  ['DCT', findJpegSize],
  ['JPXDecode', findJpeg2000Size],
])

/** Decodes a filter around an image; undefined when the content is larger than a file may be. */
function unwrap(filter: string, data: Buffer): Buffer | undefined {
  if (texts.has(filter)) return decodeText(filter, data)
  const inflated = decode(filter, data, PDF_EXPANDED_BYTES_MAX)
  return inflated.problem ? undefined : inflated.content
}

const texts = new Set(['ASCIIHexDecode', 'AHx', 'ASCII85Decode', 'A85'])
const others = new Set(['DCTDecode', 'DCT', 'JPXDecode', 'JBIG2Decode', 'CCITTFaxDecode', 'CCF', 'Crypt'])
const expanding = new Set(['FlateDecode', 'Fl', 'LZWDecode', 'LZW', 'RunLengthDecode', 'RL'])

function measureExpanded(
  filter: string,
  data: Buffer,
  early: boolean | undefined,
  bytesMax: number,
): number | undefined {
  switch (filter) {
    case 'FlateDecode':
    case 'Fl':
      return measureZlib(data, bytesMax)
    case 'LZWDecode':
    case 'LZW':
      return early === undefined ? undefined : measureLzw(data, early, bytesMax)
    default:
      return measureRuns(data)
  }
}

function measureRuns(data: Buffer): number {
  let total = 0
  for (let at = 0; at < data.length; ) {
    const length = data[at] ?? 128
    if (length === 128) return total
    total += length < 128 ? length + 1 : 257 - length
    at += length < 128 ? length + 2 : 2
  }
  return total
}

/** The growth of LZW codes from the parameters of the filter; undefined when the parameters are in another object. */
function growsEarly(dictionary: PdfDictionary): boolean | undefined {
  const parameters = lookUp(dictionary, 'DecodeParms') ?? lookUp(dictionary, 'DP')
  const all = parameters?.kind === 'array' ? parameters.items : [parameters]
  let early = true
  for (const one of all) {
    if (one?.kind === 'reference') return undefined
    const written = one?.kind === 'dictionary' ? lookUp(one, 'EarlyChange') : undefined
    if (written && written.kind !== 'number') return undefined
    if (written?.kind === 'number' && written.number === 0) early = false
  }
  return early
}

/** Names that are written out; undefined for anything else. */
export function readFilterNames(filter: PdfValue | undefined): string[] | undefined {
  if (!filter || (filter.kind === 'word' && filter.word === 'null')) return []
  const items = filter.kind === 'array' ? filter.items : [filter]
  const names = items.flatMap((item) => nameOf(item) ?? [])
  return names.length === items.length ? names : undefined
}
