// Expands the streams of a PDF that must be looked into (object streams, metadata, calculator functions), within a bound
// on what all of them together may expand to.
import { inflateRawSync, inflateSync, constants as zlib } from 'node:zlib'
import type { PdfDictionary } from './pdf-value.ts'
import { lookUp } from './pdf-value.ts'

export type Expanded =
  | { content: Buffer; problem?: never }
  | { content?: never; problem: 'too-large' | 'unreadable' }

/** What may still be expanded in this file. */
export type ExpansionAllowance = { inputBytes: number; outputBytes: number }

/** `from` is the first byte of the stream's data, `end` the `endstream` that follows it, or the end of the file. */
export function expandStream(
  bytes: Buffer,
  dictionary: PdfDictionary,
  from: number,
  end: number,
  allowance: ExpansionAllowance,
): Expanded {
  const filters = readFilters(dictionary)
  if (!filters) return { problem: 'unreadable' }
  // Readers believe either the length or the end mark: take whatever either would.
  const length = lookUp(dictionary, 'Length')
  const lengthEnd = length?.kind === 'number' ? from + length.number : end
  let content = bytes.subarray(from, Math.max(from, Math.min(bytes.length, Math.max(end, lengthEnd))))
  allowance.inputBytes -= content.length
  if (allowance.inputBytes < 0) return { problem: 'too-large' }

  for (const filter of filters) {
    const decoded = decode(filter, content, allowance.outputBytes)
    if (decoded.problem) return decoded
    content = decoded.content
    allowance.outputBytes -= content.length
    if (allowance.outputBytes < 0) return { problem: 'too-large' }
  }
  return { content }
}

/** Names in order; undefined for anything but plain names, and for predictors, which such streams never have. */
function readFilters(dictionary: PdfDictionary): string[] | undefined {
  const parameters = lookUp(dictionary, 'DecodeParms') ?? lookUp(dictionary, 'DP')
  if (parameters && !isPlain(parameters)) return undefined
  const filter = lookUp(dictionary, 'Filter')
  if (!filter || (filter.kind === 'word' && filter.word === 'null')) return []
  const items = filter.kind === 'array' ? filter.items : [filter]
  const names: string[] = []
  for (const item of items) {
    if (item.kind !== 'name') return undefined
    names.push(item.name)
  }
  return names.length <= 4 ? names : undefined
}

function isPlain(parameters: NonNullable<ReturnType<typeof lookUp>>): boolean {
  switch (parameters.kind) {
    case 'word':
      return true
    case 'array':
      return parameters.items.every(isPlain)
    case 'dictionary': {
      const predictor = lookUp(parameters, 'Predictor')
      return !predictor || (predictor.kind === 'number' && predictor.number <= 1)
    }
    default:
      return false
  }
}

function decode(filter: string, content: Buffer, outputBytesMax: number): Expanded {
  switch (filter) {
    case 'FlateDecode':
    case 'Fl':
      return inflate(content, outputBytesMax)
    case 'ASCIIHexDecode':
    case 'AHx':
      return { content: decodeHex(content) }
    case 'ASCII85Decode':
    case 'A85':
      return { content: decodeAscii85(content) }
    default:
      return { problem: 'unreadable' }
  }
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
