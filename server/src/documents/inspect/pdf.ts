// PDF: its header, its end, a document catalogue, no encryption, no active content in any object, hidden or
// not, and only one interpretation. Objects are found by searching the whole file for "obj". The
// cross-reference table is not trusted, because readers trust different parts. Object streams are expanded
// and inspected. Structures that readers may interpret in different ways are refused, whether they hide
// content or not.
import type { Structure } from './file-kind.ts'
import { findPdfHeader } from './file-kind.ts'
import { PAGES_MAX, PDF_EXPANDED_BYTES_MAX, PDF_OBJECTS_MAX } from './limits.ts'
import { ActiveContentFinder } from './pdf-active-content.ts'
import { judgeFrame } from './pdf-frame.ts'
import type { Found, PlacedStream } from './pdf-layout.ts'
import { readFound, readHeader, settleLayout } from './pdf-layout.ts'
import { readObjectStream } from './pdf-object-streams.ts'
import { PdfReader } from './pdf-reader.ts'
import type { Expanded, ExpansionAllowance } from './pdf-streams.ts'
import { expandStream } from './pdf-streams.ts'
import { TableCheck } from './pdf-tables.ts'
import { Trees } from './pdf-trees.ts'
import type { PdfDictionary, PdfValue } from './pdf-value.ts'
import { lookUp, nameOf, ReadingBudget, wholeOf } from './pdf-value.ts'
import { readFilterNames, StreamWeight } from './pdf-weight.ts'

/** How often every byte may be read on average before the file counts as built for endless reading. */
const READINGS_MAX = 8
const TANGLED = 'The PDF is too complex to be checked. Print it to a new PDF.'
const TOO_LARGE = 'The PDF has compressed parts that expand too far. Print it to a new PDF.'
const UNREADABLE = 'The PDF has objects that cannot be checked. Print it to a new PDF.'
const DOUBTFUL = 'The PDF is damaged, or written so that programs read it differently. Print it to a new PDF.'

/**
 * With bytes before the header, some readers count offsets from the header and others from the first byte: the file
 * must be valid in both ways.
 */
export function inspectPdf(bytes: Buffer): Structure {
  const headerAt = findPdfHeader(bytes)
  const whole = new PdfInspection(bytes, headerAt).inspect()
  if (headerAt <= 0 || whole.problem !== undefined) return whole
  return new PdfInspection(bytes.subarray(headerAt), 0).inspect()
}

class PdfInspection {
  private readonly bytes: Buffer
  private readonly headerAt: number
  private readonly budget: ReadingBudget
  private readonly allowance: ExpansionAllowance
  private readonly finder = new ActiveContentFinder()
  private readonly trees = new Trees()
  private readonly pageObjects = new Set<number>()
  /** Objects that are one whole number; undefined when the values differ. */
  private readonly integers = new Map<number, number | undefined>()
  /** Objects that are the names of filters. */
  private readonly filters = new Map<number, string[]>()
  private readonly packed = new Map<number, number[]>()
  private readonly found: Found[] = []
  /** The declared offsets of tables. */
  private readonly pointers: number[] = []
  private encrypted = false
  private hasCatalog = false
  private hasRoot = false
  private doubtful = false
  private problem: string | undefined

  constructor(bytes: Buffer, headerAt: number) {
    this.bytes = bytes
    this.headerAt = headerAt
    this.budget = new ReadingBudget(bytes.length * READINGS_MAX + 65_536)
    this.allowance = { inputBytes: bytes.length * 2, outputBytes: PDF_EXPANDED_BYTES_MAX }
  }

  inspect(): Structure {
    // Active content is reported before damage, because it is the more useful reason.
    this.findTrailers()
    this.findObjects()
    if (!this.stopped) this.visitStreams()
    if (this.encrypted)
      return { problem: 'The PDF is encrypted. Save it without a password and restrictions.' }
    this.finder.settleReferences()
    if (this.finder.found) {
      return {
        problem: `The PDF has active content (${this.finder.found}). Remove it, or print the document to a new PDF.`,
      }
    }
    if (this.problem) return { problem: this.problem }
    if (this.budget.spent) return { problem: TANGLED }
    const problem = judgeFrame(this.bytes, this.headerAt)
    if (problem) return { problem }
    if (!this.hasRoot || !this.hasCatalog) return { problem: 'The PDF has no document catalogue.' }
    if (this.pageObjects.size > PAGES_MAX) return { problem: `The PDF has more than ${PAGES_MAX} pages.` }
    const tree = this.trees.judge()
    if (tree) return { problem: tree }
    if (this.doubtful || this.finder.doubtful) return { problem: DOUBTFUL }
    return { pages: this.pageObjects.size }
  }

  private get stopped(): boolean {
    return this.budget.spent || this.problem !== undefined || this.encrypted
  }

  private findTrailers(): void {
    const { bytes, budget } = this
    for (let at = bytes.indexOf('trailer'); at >= 0 && !budget.spent; at = bytes.indexOf('trailer', at + 7)) {
      const reader = new PdfReader(bytes, at + 7, budget)
      const value = reader.readValue()
      if (value?.kind !== 'dictionary') continue
      this.found.push({ number: TRAILER, at, loose: true, valueEnd: reader.at, doubtful: reader.doubtful })
      this.judgeTrailer(value)
      this.finder.judgeObject(-1, value, false)
    }
  }

  private findObjects(): void {
    const { bytes, budget } = this
    for (let at = bytes.indexOf('obj'); at >= 0; at = bytes.indexOf('obj', at + 3)) {
      if (isLetter(bytes[at - 1]) || isLetter(bytes[at + 3])) continue
      const reader = new PdfReader(bytes, at + 3, budget)
      const value = reader.readValue()
      if (this.stopped) return
      if (!value) continue
      const found = readFound(readHeader(bytes, at), reader, value)
      this.found.push(found)
      this.judgeObject(found.number, value, found.stream !== undefined)
      if (this.found.length > PDF_OBJECTS_MAX) this.problem = TANGLED
    }
  }

  private judgeObject(object: number, value: PdfValue, stream: boolean): void {
    this.finder.judgeObject(object, value, stream)
    this.trees.add(object, value)
    const integer = wholeOf(value)
    if (integer !== undefined) {
      const known = this.integers.has(object) && this.integers.get(object) !== integer
      this.integers.set(object, known ? undefined : integer)
    }
    if (value.kind === 'name' || value.kind === 'array') {
      const names = readFilterNames(value)
      if (names && names.length <= 4) this.filters.set(object, names)
    }
    if (value.kind !== 'dictionary') return
    const type = nameOf(lookUp(value, 'Type'))
    if (type === 'Catalog' || (type === undefined && lookUp(value, 'Pages'))) this.hasCatalog = true
    if (type === 'Page') this.pageObjects.add(object)
    if (type === 'XRef' || (stream && lookUp(value, 'W'))) this.judgeTrailer(value)
  }

  private judgeTrailer(trailer: PdfDictionary): void {
    if (lookUp(trailer, 'Root')) this.hasRoot = true
    for (const key of ['Prev', 'XRefStm']) {
      const pointer = lookUp(trailer, key)
      if (pointer?.kind === 'number') this.pointers.push(pointer.number)
      // Some readers use the number of a reference as the offset.
      if (pointer?.kind === 'reference') this.pointers.push(pointer.object)
    }
    const encrypt = lookUp(trailer, 'Encrypt')
    if (encrypt && encrypt.kind !== 'word') this.encrypted = true
  }

  private visitStreams(): void {
    const layout = settleLayout(
      this.bytes,
      this.found.sort((one, other) => one.at - other.at),
      this.integers,
    )
    if (layout.doubtful) this.doubtful = true
    const tables: [Buffer, PdfDictionary][] = []
    const weight = new StreamWeight(this.bytes, this.integers)
    for (const stream of layout.streams) {
      this.visitStream(stream, tables)
      this.problem ??= weight.add(stream, this.filterNames(stream.dictionary))
      if (this.problem) return
    }
    const check = new TableCheck(this.bytes, { starts: layout.starts, packed: this.packed }, this.budget)
    check.checkTables()
    check.checkPointers(this.pointers)
    for (const [content, dictionary] of tables) check.checkStream(content, dictionary)
    if (check.misleads) this.doubtful = true
  }

  private filterNames(dictionary: PdfDictionary): string[] | undefined {
    const filter = lookUp(dictionary, 'Filter')
    return filter?.kind === 'reference' ? this.filters.get(filter.object) : readFilterNames(filter)
  }

  private visitStream(stream: PlacedStream, tables: [Buffer, PdfDictionary][]): void {
    const { dictionary, place } = stream
    const type = nameOf(lookUp(dictionary, 'Type'))
    const holdsObjects = lookUp(dictionary, 'First') !== undefined || type === 'ObjStm'
    const holdsTable = lookUp(dictionary, 'W') !== undefined || type === 'XRef'
    const holdsXml = type === 'Metadata' || nameOf(lookUp(dictionary, 'Subtype')) === 'XML'
    const functionType = lookUp(dictionary, 'FunctionType')
    const calculates =
      functionType?.kind === 'number' ? functionType.number === 4 : functionType !== undefined
    for (const key of ['Type', 'Subtype'])
      if (lookUp(dictionary, key)?.kind === 'reference') this.doubtful = true
    if (!holdsObjects && !holdsTable && !holdsXml && !calculates) return

    const expanded = expandStream(this.bytes, dictionary, place, this.allowance, holdsTable)
    if ((holdsObjects || holdsTable) && !place.exact) this.doubtful = true
    if (!expanded.content) {
      this.judgeUnexpanded(expanded, holdsObjects || holdsTable)
      return
    }
    if (holdsObjects) this.visitObjectStream(stream, expanded.content)
    if (holdsTable) tables.push([expanded.content, dictionary])
    if (holdsXml && declaresEntities(expanded.content)) {
      this.problem = 'The PDF has metadata with declarations of its own, which are not accepted.'
    }
    if (calculates && !isCalculation(expanded.content)) {
      this.problem = 'The PDF has a function that is not a calculation.'
    }
  }

  private judgeUnexpanded(expanded: Expanded, needed: boolean): void {
    if (expanded.problem === 'too-large') this.problem = TOO_LARGE
    else if (needed) this.problem = UNREADABLE
  }

  private visitObjectStream({ number, dictionary }: PlacedStream, content: Buffer): void {
    const { objects, doubtful, tangled } = readObjectStream(content, dictionary)
    if (tangled) this.problem = TANGLED
    const length = lookUp(dictionary, 'Length')
    if (doubtful || this.packed.has(number)) this.doubtful = true
    this.packed.set(
      number,
      objects.map((object) => object.number),
    )
    for (const { number: object, value } of objects) {
      if (length?.kind === 'reference' && length.object === object) this.doubtful = true
      this.judgeObject(object, value, false)
    }
    if (this.finder.objects > PDF_OBJECTS_MAX) this.problem = TANGLED
  }
}

/** Used instead of an object's number. */
const TRAILER = 0

function isLetter(code: number | undefined): boolean {
  if (code === undefined) return false
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

/** Entity declarations let an XML reader fetch files and addresses. UTF-16 is handled too. */
function declaresEntities(content: Buffer): boolean {
  return /<!(?:DOCTYPE|ENTITY)/i.test(content.toString('latin1').replaceAll('\0', ''))
}

/** A calculator function has only numbers, operators and braces (ISO 32000-1, 7.10.5), and comments. */
function isCalculation(content: Buffer): boolean {
  const code = content.toString('latin1').replace(/%[^\r\n]*/g, '')
  return /^[\s\0{}A-Za-z0-9.+-]*$/.test(code)
}
