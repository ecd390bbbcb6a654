// Finds the beginning and end of each object of a PDF. Objects are found by searching the whole file for
// "obj". This module decides which of them are inside another one. A header inside a string, a comment or a
// stream is an object only for readers that are led there. Such a file can be read in two ways.
import { isRegularCode, isWhiteCode, PdfReader } from './pdf-reader.ts'
import type { DataPlace } from './pdf-streams.ts'
import type { PdfDictionary, PdfValue, ReadingBudget } from './pdf-value.ts'
import { lookUp, wholeOf } from './pdf-value.ts'

/**
 * "12 0 obj" as every reader reads it, and the number 12; -1 for any other text before "obj". `loose`: some reader may
 * read two numbers here.
 */
export type Header = { number: number; at: number; loose: boolean }

export type Found = Header & {
  valueEnd: number
  doubtful: boolean
  /** The entries of its dictionary about its data, and the end of the word "stream". */
  stream?: { dictionary: PdfDictionary; wordEnd: number }
}

export type PlacedStream = { number: number; dictionary: PdfDictionary; place: DataPlace }
export type Layout = { streams: PlacedStream[]; starts: Map<number, number>; doubtful: boolean }

/** The largest allowed object number (ISO 32000-1, annex C); a reader with narrower integers would wrap larger ones. */
const OBJECT_NUMBER_MAX = 8_388_607
const GENERATION_MAX = 65_535
const HEADER_BYTES_MAX = 64
const LOOSE_HEADER = /[-+.\d][-+.\deE]*[\0\t\n\f\r ]+[-+.\d][-+.\deE]*[\0\t\n\f\r ]*$/
const END_OF_STREAM = 'endstream'
const streamKeys = new Set(
  [
    'Type',
    'Subtype',
    'Length',
    'Filter',
    'F',
    'DecodeParms',
    'DP',
    'First',
    'N',
    'W',
    'Index',
    'Size',
  ].concat(['Width', 'Height', 'BitsPerComponent', 'ImageMask', 'FunctionType', 'Prev', 'Root']),
)

/** `at` is the offset of "obj". */
export function readHeader(bytes: Buffer, at: number): Header {
  const plain = readPlainHeader(bytes, at)
  if (plain) return { ...plain, loose: true }
  const before = bytes.toString('latin1', Math.max(0, at - HEADER_BYTES_MAX), at)
  return { number: -1, at, loose: LOOSE_HEADER.test(before) }
}

function readPlainHeader(bytes: Buffer, at: number): { number: number; at: number } | undefined {
  const generationEnd = skipBack(bytes, at, isWhiteCode)
  const generationAt = skipBack(bytes, generationEnd, isDigit)
  const numberEnd = skipBack(bytes, generationAt, isWhiteCode)
  const numberAt = skipBack(bytes, numberEnd, isDigit)
  if (generationEnd === at || generationAt === generationEnd || numberEnd === generationAt) return undefined
  if (numberAt === numberEnd || numberEnd - numberAt > 10 || generationEnd - generationAt > 5)
    return undefined
  if (isRegularCode(bytes[numberAt - 1]) && !followsAnEnd(bytes, numberAt)) return undefined
  const number = Number(bytes.toString('latin1', numberAt, numberEnd))
  const generation = Number(bytes.toString('latin1', generationAt, generationEnd))
  return number > OBJECT_NUMBER_MAX || generation > GENERATION_MAX ? undefined : { number, at: numberAt }
}

export function readFound(header: Header, reader: PdfReader, value: PdfValue): Found {
  // "12 0 obj endobj" is an empty object.
  const empty = value.kind === 'word' && value.word === 'endobj'
  const doubtful = (reader.doubtful && !empty) || value.kind === 'reference'
  const found = { ...header, valueEnd: reader.at, doubtful }
  if (value.kind !== 'dictionary' || !reader.skipWord('stream')) return found
  const entries = value.entries.filter(([key]) => streamKeys.has(key))
  return { ...found, stream: { dictionary: { kind: 'dictionary', entries }, wordEnd: reader.at } }
}

/** `found` is in file order. `integers` are the objects that are the same whole number everywhere. */
export function settleLayout(
  bytes: Buffer,
  found: readonly Found[],
  integers: ReadonlyMap<number, number | undefined>,
): Layout {
  const streams: PlacedStream[] = []
  const starts = new Map<number, number>()
  const endMark = new EndMark(bytes)
  let doubtful = false
  let end = 0
  for (const { number, at, valueEnd, stream, ...object } of found) {
    if (at < end) {
      // Without a header, "obj" is part of stream data or of a text.
      if (object.loose) doubtful = true
      continue
    }
    if (number < 0 || object.doubtful) doubtful = true
    starts.set(at, number)
    end = valueEnd
    if (!stream) continue
    const { dictionary, wordEnd } = stream
    const place = placeData(bytes, dictionary, wordEnd, integers, endMark)
    streams.push({ number, dictionary, place })
    end = place.end
  }
  return { streams, starts, doubtful }
}

function placeData(
  bytes: Buffer,
  dictionary: PdfDictionary,
  wordEnd: number,
  integers: ReadonlyMap<number, number | undefined>,
  endMark: EndMark,
): DataPlace {
  const feed = bytes[wordEnd] === 0x0d ? wordEnd + 1 : wordEnd
  const from = bytes[feed] === 0x0a ? feed + 1 : feed
  const written = lookUp(dictionary, 'Length')
  const length = written?.kind === 'reference' ? integers.get(written.object) : wholeOf(written)
  const mark = endMark.find(from)
  if (length === undefined) return { from, to: mark, end: mark, exact: false }
  const to = from + length
  const fits = to <= bytes.length && startsWithEndMark(bytes, to)
  // Readers that rebuild the file cut data that contains the end mark.
  if (fits) return { from, to, end: to, exact: bytes[from - 1] === 0x0a && mark >= to }
  return { from, to: Math.min(bytes.length, Math.max(to, mark)), end: mark, exact: false }
}

function startsWithEndMark(bytes: Buffer, at: number): boolean {
  let from = at
  if (bytes[from] === 0x0d) from++
  if (bytes[from] === 0x0a) from++
  return bytes.toString('latin1', from, from + END_OF_STREAM.length) === END_OF_STREAM
}

/** Streams come in file order, so the search never goes back. */
class EndMark {
  private readonly bytes: Buffer
  private next = -1

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  find(from: number): number {
    if (this.next < from) {
      const found = this.bytes.indexOf(END_OF_STREAM, from)
      this.next = found < 0 ? this.bytes.length : found
    }
    return this.next
  }
}

/** Finds a header at this offset or after white space and comments, in any spelling. */
export function readHeaderLeniently(
  bytes: Buffer,
  at: number,
  budget: ReadingBudget,
): { number: number; at: number; plain: boolean } | undefined {
  const reader = new PdfReader(bytes, at, budget)
  const number = reader.readNumber()
  const from = reader.numberAt
  if (number === undefined || reader.readNumber() === undefined || !reader.skipWord('obj')) return undefined
  return { number, at: from, plain: /^\d+[\0\t\n\f\r %]/.test(bytes.toString('latin1', from, from + 16)) }
}

function skipBack(bytes: Buffer, from: number, belongs: (code: number | undefined) => boolean): number {
  let at = from
  while (at > 0 && from - at < HEADER_BYTES_MAX && belongs(bytes[at - 1])) at--
  return at
}

/** Some writers omit the line end between two objects, or before an update. */
function followsAnEnd(bytes: Buffer, at: number): boolean {
  return /(?:endobj|%%EOF)$/.test(bytes.toString('latin1', Math.max(0, at - 6), at))
}

function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= 0x30 && code <= 0x39
}
