// Expands the streams of a PDF that must be inspected (object streams, cross-reference streams, metadata, calculator
// functions), with a limit on their total expanded size.
import { inflateRawSync, inflateSync, constants as zlib } from 'node:zlib'
import type { PdfDictionary, PdfValue } from './pdf-value.ts'
import { lookUp, wholeOf } from './pdf-value.ts'

export type Expanded =
  | { content: Buffer; problem?: never }
  | { content?: never; problem: 'too-large' | 'unreadable' }

/** The remaining expansion of this file. */
export type ExpansionAllowance = { inputBytes: number; outputBytes: number }

/**
 * The offsets of a stream's data. `exact`: the length, and the end mark directly after it, allow only one
 * interpretation. Otherwise readers trust the length or the end mark: `end` is the offset of the mark, and
 * `to` the larger of both.
 */
export type DataPlace = { from: number; to: number; end: number; exact: boolean }

/** `predicted`: rows may be predicted from each other, as in tables. */
export function expandStream(
  bytes: Buffer,
  dictionary: PdfDictionary,
  place: DataPlace,
  allowance: ExpansionAllowance,
  predicted: boolean,
): Expanded {
  const filters = readFilters(dictionary)
  if (!filters || (!predicted && filters.some(({ columns }) => columns > 0))) return { problem: 'unreadable' }
  let content = bytes.subarray(place.from, place.to)
  allowance.inputBytes -= content.length
  if (allowance.inputBytes < 0) return { problem: 'too-large' }

  for (const { name, columns } of filters) {
    const decoded = decode(name, content, allowance.outputBytes)
    if (decoded.problem) return decoded
    content = columns === 0 ? decoded.content : undoPrediction(decoded.content, columns)
    allowance.outputBytes -= content.length
    if (allowance.outputBytes < 0) return { problem: 'too-large' }
  }
  return { content }
}

/** `columns` is the number of bytes of a predicted row (ISO 32000-1, 7.4.4.4), otherwise 0. */
type Filter = { name: string; columns: number }

/** Returns the filters in order; undefined unless all are written in one plain way. */
function readFilters(dictionary: PdfDictionary): Filter[] | undefined {
  const filter = lookUp(dictionary, 'Filter')
  if (!filter || (filter.kind === 'word' && filter.word === 'null')) return []
  const items = filter.kind === 'array' ? filter.items : [filter]
  const parameters = lookUp(dictionary, 'DecodeParms') ?? lookUp(dictionary, 'DP')
  const all = !parameters ? [] : parameters.kind === 'array' ? parameters.items : [parameters]
  if (items.length > FILTERS_MAX || all.length > items.length) return undefined
  const filters: Filter[] = []
  for (const [index, item] of items.entries()) {
    const columns = readColumns(all[index])
    if (item.kind !== 'name' || columns === undefined) return undefined
    filters.push({ name: item.name, columns })
  }
  return filters
}

const FILTERS_MAX = 4
const COLUMNS_MAX = 4_096

function readColumns(parameters: PdfValue | undefined): number | undefined {
  if (!parameters || (parameters.kind === 'word' && parameters.word === 'null')) return 0
  if (parameters.kind !== 'dictionary') return undefined
  const [predictor, columns, colors, bits] = ['Predictor', 'Columns', 'Colors', 'BitsPerComponent'].map(
    (key) => {
      const value = lookUp(parameters, key)
      return value === undefined ? ({ Columns: 1, BitsPerComponent: 8 }[key] ?? 1) : wholeOf(value)
    },
  )
  if (predictor === 1) return 0
  const known = predictor !== undefined && predictor >= 10 && predictor <= 15 && colors === 1 && bits === 8
  return known && columns !== undefined && columns >= 1 && columns <= COLUMNS_MAX ? columns : undefined
}

/** Each row has one byte for the prediction, and the columns (W3C PNG, 9.2). The last row may be short. */
function undoPrediction(content: Buffer, columns: number): Buffer {
  const rows = Math.ceil(content.length / (columns + 1))
  const plain = Buffer.alloc(Math.max(0, content.length - rows))
  for (let row = 0; row < rows; row++) {
    const type = content[row * (columns + 1)]
    const to = row * columns
    for (let column = 0; column < columns && to + column < plain.length; column++) {
      const left = column > 0 ? (plain[to + column - 1] ?? 0) : 0
      const up = row > 0 ? (plain[to + column - columns] ?? 0) : 0
      const corner = row > 0 && column > 0 ? (plain[to + column - columns - 1] ?? 0) : 0
      const raw = content[row * (columns + 1) + 1 + column] ?? 0
      plain[to + column] = raw + predict(type, left, up, corner)
    }
  }
  return plain
}

function predict(type: number | undefined, left: number, up: number, corner: number): number {
  switch (type) {
    case 1:
      return left
    case 2:
      return up
    case 3:
      return (left + up) >> 1
    case 4: {
      const [toLeft, toUp] = [Math.abs(up - corner), Math.abs(left - corner)]
      const toCorner = Math.abs(left + up - 2 * corner)
      if (toLeft <= toUp && toLeft <= toCorner) return left
      return toUp <= toCorner ? up : corner
    }
    default:
      return 0
  }
}

export function decode(filter: string, content: Buffer, outputBytesMax: number): Expanded {
  switch (filter) {
    case 'FlateDecode':
    case 'Fl':
      return inflate(content, outputBytesMax)
    case 'ASCIIHexDecode':
    case 'AHx':
    case 'ASCII85Decode':
    case 'A85':
      return { content: decodeText(filter, content) }
    default:
      return { problem: 'unreadable' }
  }
}

/** Decodes the two filters that write bytes as text. */
export function decodeText(filter: string, content: Buffer): Buffer {
  return filter === 'ASCIIHexDecode' || filter === 'AHx' ? decodeHex(content) : decodeAscii85(content)
}

function inflate(content: Buffer, outputBytesMax: number): Expanded {
  const options = { maxOutputLength: Math.max(1, outputBytesMax), finishFlush: zlib.Z_SYNC_FLUSH }
  try {
    return { content: inflateSync(content, options) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return { problem: 'too-large' }
  }
  try {
    // Readers ignore a wrong checksum or header.
    return { content: inflateRawSync(content.subarray(2), options) }
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    return { problem: tooLarge ? 'too-large' : 'unreadable' }
  }
}

function decodeHex(content: Buffer): Buffer {
  const end = content.indexOf('>')
  const digits = content.toString('latin1', 0, end < 0 ? content.length : end).replace(/[^0-9A-Fa-f]/g, '')
  return Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex')
}

function decodeAscii85(content: Buffer): Buffer {
  const decoded = Buffer.alloc(content.length * 4)
  let written = 0
  let group = 0
  let digits = 0
  for (const code of content) {
    if (code === 0x7e) break
    if (code === 0x7a && digits === 0) {
      written = decoded.writeUInt32BE(0, written)
      continue
    }
    if (code < 0x21 || code > 0x75) continue
    group = group * 85 + (code - 0x21)
    if (++digits < 5) continue
    written = decoded.writeUInt32BE(group % 2 ** 32, written)
    group = 0
    digits = 0
  }
  if (digits > 1) {
    for (let missing = digits; missing < 5; missing++) group = group * 85 + 84
    const last = Buffer.alloc(4)
    last.writeUInt32BE(group % 2 ** 32)
    written += last.copy(decoded, written, 0, digits - 1)
  }
  return decoded.subarray(0, written)
}
