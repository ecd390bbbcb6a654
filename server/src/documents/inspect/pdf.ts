// PDF: its header, its end, a document catalogue, no encryption, and no active content in any object, wherever the object
// hides. Objects are found by looking for "obj" in the whole file instead of trusting the cross-reference table, because
// readers differ in what they trust; object streams are expanded and looked into.
import type { Structure } from './file-kind.ts'
import { PAGES_MAX, PDF_EXPANDED_BYTES_MAX, PDF_OBJECTS_MAX } from './limits.ts'
import { isBlank } from './padding.ts'
import { ActiveContentFinder } from './pdf-active-content.ts'
import { PdfReader } from './pdf-reader.ts'
import type { ExpansionAllowance } from './pdf-streams.ts'
import { expandStream } from './pdf-streams.ts'
import type { PdfDictionary, PdfValue } from './pdf-value.ts'
import { lookUp, nameOf, ReadingBudget } from './pdf-value.ts'

/** Readers look for the end mark in this many last bytes. */
const TAIL_BYTES = 1_024
/** What mail gateways and web servers add after it. */
const JUNK_BYTES_MAX = 64
const READINGS_MAX = 8
const TANGLED = 'The PDF is too tangled to be checked. Print it to a new PDF.'
const TOO_LARGE = 'The PDF has compressed parts that expand too far. Print it to a new PDF.'
const END_OF_STREAM = 'endstream'

export function inspectPdf(bytes: Buffer): Structure {
  return new PdfInspection(bytes).inspect()
}

class PdfInspection {
  private readonly bytes: Buffer
  private readonly budget: ReadingBudget
  private readonly allowance: ExpansionAllowance
  private readonly finder = new ActiveContentFinder()
  private readonly pageObjects = new Set<number>()
  private encrypted = false
  private hasCatalog = false
  private hasRoot = false
  private nextEndOfStream = -1
  private problem: string | undefined

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.budget = new ReadingBudget(bytes.length * READINGS_MAX + 65_536)
    this.allowance = { inputBytes: bytes.length * 2, outputBytes: PDF_EXPANDED_BYTES_MAX }
  }

  inspect(): Structure {
    // Content first: of a file that is both active and damaged, the first is the better thing to say.
    this.visitTrailers()
    this.visitObjects()
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
    const problem = judgeFrame(this.bytes)
    if (problem) return { problem }
    if (!this.hasRoot || !this.hasCatalog) return { problem: 'The PDF has no document catalogue.' }
    if (this.pageObjects.size > PAGES_MAX) return { problem: `The PDF has more than ${PAGES_MAX} pages.` }
    return { pages: this.pageObjects.size }
  }

  private visitTrailers(): void {
    const { bytes, budget } = this
    for (let at = bytes.indexOf('trailer'); at >= 0 && !budget.spent; at = bytes.indexOf('trailer', at + 7)) {
      const value = new PdfReader(bytes, at + 7, budget).readValue()
      if (value?.kind !== 'dictionary') continue
      this.judgeTrailer(value)
      this.finder.judgeObject(-1, value, false)
    }
  }

  private visitObjects(): void {
    const { bytes, budget } = this
    for (let at = bytes.indexOf('obj'); at >= 0; at = bytes.indexOf('obj', at + 3)) {
      if (isLetter(bytes[at - 1]) || isLetter(bytes[at + 3])) continue
      const reader = new PdfReader(bytes, at + 3, budget)
      const value = reader.readValue()
      if (budget.spent || this.problem || this.encrypted) return
      if (!value) continue
      const stream = value.kind === 'dictionary' && reader.skipWord('stream')
      this.judgeObject(readNumberBefore(bytes, at), value, stream)
      if (this.finder.objects > PDF_OBJECTS_MAX) this.problem = TANGLED
      if (stream && value.kind === 'dictionary') this.visitStream(value, reader.at)
    }
  }

  private judgeObject(object: number, value: PdfValue, stream: boolean): void {
    this.finder.judgeObject(object, value, stream)
    if (value.kind !== 'dictionary') return
    const type = nameOf(lookUp(value, 'Type'))
    if (type === 'Catalog' || (type === undefined && lookUp(value, 'Pages'))) this.hasCatalog = true
    if (type === 'Page') this.pageObjects.add(object)
    if (type === 'XRef' || (stream && lookUp(value, 'W'))) this.judgeTrailer(value)
  }

  private judgeTrailer(trailer: PdfDictionary): void {
    if (lookUp(trailer, 'Root')) this.hasRoot = true
    const encrypt = lookUp(trailer, 'Encrypt')
    if (encrypt && encrypt.kind !== 'word') this.encrypted = true
  }

  private visitStream(dictionary: PdfDictionary, afterWord: number): void {
    const holdsObjects =
      lookUp(dictionary, 'First') !== undefined || nameOf(lookUp(dictionary, 'Type')) === 'ObjStm'
    const holdsXml =
      nameOf(lookUp(dictionary, 'Type')) === 'Metadata' || nameOf(lookUp(dictionary, 'Subtype')) === 'XML'
    const functionType = lookUp(dictionary, 'FunctionType')
    const calculates = functionType?.kind === 'number' && functionType.number === 4
    if (!holdsObjects && !holdsXml && !calculates) return

    const from = this.bytes[afterWord] === 0x0d ? afterWord + 1 : afterWord
    const dataAt = this.bytes[from] === 0x0a ? from + 1 : from
    const expanded = expandStream(
      this.bytes,
      dictionary,
      dataAt,
      this.findEndOfStream(dataAt),
      this.allowance,
    )
    if (!expanded.content) {
      if (expanded.problem === 'too-large') this.problem = TOO_LARGE
      else if (holdsObjects)
        this.problem = 'The PDF has objects that cannot be checked. Print it to a new PDF.'
    } else if (holdsObjects) {
      this.visitObjectStream(expanded.content, dictionary)
    } else if (holdsXml && declaresEntities(expanded.content)) {
      this.problem = 'The PDF has metadata with declarations of its own, which are not accepted.'
    } else if (calculates && !isCalculation(expanded.content)) {
      this.problem = 'The PDF has a function that is not a calculation.'
    }
  }

  /** Pairs of object number and place, then the objects (ISO 32000-1, 7.5.7). All pairs are read, whatever N says. */
  private visitObjectStream(content: Buffer, dictionary: PdfDictionary): void {
    const budget = new ReadingBudget(content.length * 3 + 1_024)
    const first = lookUp(dictionary, 'First')
    const pairs = new PdfReader(content, 0, budget)
    const places: [number, number][] = []
    for (;;) {
      const back = pairs.at
      const object = pairs.readValue()
      const place = object?.kind === 'number' ? pairs.readValue() : undefined
      if (object?.kind !== 'number' || place?.kind !== 'number') {
        pairs.at = back
        break
      }
      places.push([object.number, place.number])
      if (places.length > PDF_OBJECTS_MAX) {
        this.problem = TANGLED
        return
      }
    }
    const origin = first?.kind === 'number' ? first.number : pairs.at
    for (const [object, place] of places) {
      const reader = new PdfReader(content, Math.max(0, origin + place), budget)
      const value = reader.readValue()
      if (value) this.judgeObject(object, value, false)
      if (budget.spent) break
    }
    if (budget.spent || this.finder.objects > PDF_OBJECTS_MAX) this.problem = TANGLED
  }

  /** Streams are met in the order of the file, so the search never goes back. */
  private findEndOfStream(from: number): number {
    if (this.nextEndOfStream < from) {
      const found = this.bytes.indexOf(END_OF_STREAM, from)
      this.nextEndOfStream = found < 0 ? this.bytes.length : found
    }
    return this.nextEndOfStream
  }
}

/** Header, end mark and the pointer to the cross-reference table. */
function judgeFrame(bytes: Buffer): string | undefined {
  if (!/^%PDF-[12]\.\d/.test(bytes.toString('latin1', 0, 8))) return 'The PDF has an unknown version.'
  const end = bytes.lastIndexOf('%%EOF')
  const tailAt = Math.max(0, bytes.length - TAIL_BYTES)
  if (end < tailAt) return 'The PDF ends too early: its end mark is missing.'
  const junkAt = end + 5
  if (
    !isBlank(bytes, junkAt, bytes.length) &&
    bytes.toString('latin1', junkAt).trim().length > JUNK_BYTES_MAX
  ) {
    return 'The file has data after the end of the PDF.'
  }
  const pointerAt = bytes.lastIndexOf('startxref', end)
  if (pointerAt < 0) {
    return bytes.includes('trailer') ? undefined : 'The PDF has no cross-reference table.'
  }
  const pointer = /^startxref\s+(\d{1,10})\s/.exec(bytes.toString('latin1', pointerAt, pointerAt + 64))?.[1]
  // Where it points to is not checked: tables moved by a change of line ends are ordinary, and readers rebuild them.
  if (pointer === undefined || Number(pointer) > bytes.length) {
    return 'The PDF has a wrong pointer to its cross-reference table.'
  }
  return undefined
}

/** The number in "12 0 obj"; -1 when there is none. */
function readNumberBefore(bytes: Buffer, at: number): number {
  const before = bytes.toString('latin1', Math.max(0, at - 32), at)
  const found = /(?:^|[^\d])(\d{1,10})[\s\0]+\d{1,5}[\s\0]*$/.exec(before)?.[1]
  return found === undefined ? -1 : Number(found)
}

function isLetter(code: number | undefined): boolean {
  if (code === undefined) return false
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

/** Entity declarations let an XML reader fetch files and addresses. UTF-16 is seen through. */
function declaresEntities(content: Buffer): boolean {
  return /<!(?:DOCTYPE|ENTITY)/i.test(content.toString('latin1').replaceAll('\0', ''))
}

/** A calculator function has numbers, operators and braces (ISO 32000-1, 7.10.5); comments apart. */
function isCalculation(content: Buffer): boolean {
  const code = content.toString('latin1').replace(/%[^\r\n]*/g, '')
  return /^[\s\0{}A-Za-z0-9.+-]*$/.test(code)
}
