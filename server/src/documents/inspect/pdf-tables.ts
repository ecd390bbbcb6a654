// Checks the cross-reference tables and streams of a PDF (ISO 32000-1, 7.5.4 and 7.5.8): an entry must not lead to
// another object than a search of the file finds under that number. An entry without a target is harmless, because
// readers then search the file.
import { readHeaderLeniently } from './pdf-layout.ts'
import { PdfReader } from './pdf-reader.ts'
import type { PdfDictionary, ReadingBudget } from './pdf-value.ts'
import { lookUp, wholeOf } from './pdf-value.ts'

export type KnownObjects = {
  /** Objects in the file: the offset of the header, and its number. */
  starts: ReadonlyMap<number, number>
  /** Object streams: the numbers of their objects in order. */
  packed: ReadonlyMap<number, readonly number[]>
}

const POINTER = 'startxref'
const FIELD_BYTES_MAX = 8
/** Larger fields exceed the integers of some readers, which then read another number. */
const FIELD_MAX = 0x7fffffff
/** The value at which their integers wrap. */
const WRAP = 2 ** 32

export class TableCheck {
  private readonly bytes: Buffer
  private readonly known: KnownObjects
  private readonly budget: ReadingBudget
  misleads = false

  constructor(bytes: Buffer, known: KnownObjects, budget: ReadingBudget) {
    this.bytes = bytes
    this.known = known
    this.budget = budget
  }

  /** Checks every table in the file, whether it is referenced or not. */
  checkTables(): void {
    const { bytes } = this
    for (let at = bytes.indexOf('xref'); at >= 0; at = bytes.indexOf('xref', at + 4)) {
      const reader = new PdfReader(bytes, at + 4, this.budget)
      while (!this.budget.spent && this.checkSection(reader));
    }
  }

  /** Every target of a pointer must be a known cross-reference stream, if it is one. */
  checkPointers(further: readonly number[]): void {
    const { bytes } = this
    // The first table of a linearized file follows the first object.
    const places = new Set([...further, bytes.indexOf('endobj') + 'endobj'.length])
    for (let at = bytes.indexOf(POINTER); at >= 0; at = bytes.indexOf(POINTER, at + POINTER.length)) {
      const place = new PdfReader(bytes, at + POINTER.length, this.budget).readNumber()
      if (place !== undefined) places.add(place)
    }
    for (const place of [...places].flatMap((one) => [one, one % WRAP])) {
      if (!(place >= 0 && place < bytes.length)) continue
      const header = readHeaderLeniently(bytes, Math.floor(place), this.budget)
      if (header && !this.known.starts.has(header.at)) this.misleads = true
    }
  }

  /** Checks the expanded content of a cross-reference stream. */
  checkStream(content: Buffer, dictionary: PdfDictionary): void {
    const widths = readWholes(dictionary, 'W')
    const ranges = readWholes(dictionary, 'Index') ?? [0, wholeOf(lookUp(dictionary, 'Size')) ?? -1]
    const known = widths?.length === 3 && ranges.length % 2 === 0 && !ranges.includes(-1)
    if (!known || widths.some((width) => width > FIELD_BYTES_MAX)) {
      this.misleads = true
      return
    }
    const [typeBytes = 0, placeBytes = 0, indexBytes = 0] = widths
    const entryBytes = typeBytes + placeBytes + indexBytes
    let at = 0
    for (let range = 0; range < ranges.length; range += 2) {
      const first = ranges[range] ?? 0
      const count = ranges[range + 1] ?? 0
      for (let entry = 0; entry < count; entry++, at += entryBytes) {
        // A stream that ends early is not a table.
        if (entryBytes === 0 || at + entryBytes > content.length) return
        const type = typeBytes === 0 ? 1 : readField(content, at, typeBytes)
        const place = readField(content, at + typeBytes, placeBytes)
        const index = readField(content, at + typeBytes + placeBytes, indexBytes)
        if (Math.max(type, place, index) > FIELD_MAX) this.misleads = true
        else if (type === 1) this.checkPlace(first + entry, place)
        else if (type === 2) this.checkPacked(first + entry, place, index)
      }
    }
  }

  /** Reads "first count", then "offset generation n" or "f" for each; returns false at the end of the table. */
  private checkSection(reader: PdfReader): boolean {
    const first = reader.readNumber()
    const count = first === undefined ? undefined : reader.readNumber()
    if (first === undefined || count === undefined) return false
    for (let entry = 0; entry < count; entry++) {
      const place = reader.readNumber()
      if (place === undefined || reader.readNumber() === undefined) return false
      if (reader.skipWord('n')) this.checkPlace(first + entry, place)
      else if (!reader.skipWord('f')) return false
      if (this.budget.spent) return false
    }
    return true
  }

  private checkPlace(number: number, place: number): void {
    if (this.known.starts.get(place) === number || place >= this.bytes.length) return
    const header = readHeaderLeniently(this.bytes, place, this.budget)
    if (!header || this.known.starts.has(header.at)) return
    // Readers treat a table whose first entry is number 1 and free as one that begins at 0.
    if (header.number === number || header.number === number - 1 || !header.plain) this.misleads = true
  }

  private checkPacked(number: number, stream: number, index: number): void {
    const found = this.known.packed.get(stream)?.[index]
    if (found !== undefined && found !== number) this.misleads = true
  }
}

function readWholes(dictionary: PdfDictionary, key: string): number[] | undefined {
  const value = lookUp(dictionary, key)
  if (value === undefined) return undefined
  if (value.kind !== 'array' || value.cut) return [-1]
  return value.items.map((item) => wholeOf(item) ?? -1)
}

function readField(content: Buffer, at: number, bytes: number): number {
  let value = 0
  for (let index = 0; index < bytes; index++) value = value * 256 + (content[at + index] ?? 0)
  return value
}
