// The values of PDF objects (ISO 32000-1, 7.3), the filling and closing of open arrays and dictionaries, and the budget
// of bytes that may be read.

export type PdfValue =
  | PdfDictionary
  | PdfArray
  | { kind: 'name'; name: string }
  | { kind: 'string'; text: string }
  /** `whole`: written with digits only, which every reader takes for the same integer. */
  | { kind: 'number'; number: number; whole: boolean }
  | { kind: 'reference'; object: number }
  | { kind: 'word'; word: string }

/** Entries in written order; a repeated key occurs twice. */
export type PdfDictionary = { kind: 'dictionary'; entries: [string, PdfValue][] }

/** `cut`: further plain items were read and dropped. */
export type PdfArray = { kind: 'array'; items: PdfValue[]; cut: boolean }

/** The number of bytes that all readers of one file may read. */
export class ReadingBudget {
  private left: number

  constructor(bytes: number) {
    this.left = bytes
  }

  get spent(): boolean {
    return this.left < 0
  }

  spend(bytes: number): void {
    this.left -= bytes
  }

  exhaust(): void {
    this.left = -1
  }
}

/** Returns the value of a key, the last one if it is repeated; undefined when absent. */
export function lookUp(dictionary: PdfDictionary, key: string): PdfValue | undefined {
  return dictionary.entries.findLast(([name]) => name === key)?.[1]
}

export function nameOf(value: PdfValue | undefined): string | undefined {
  return value?.kind === 'name' ? value.name : undefined
}

/** Returns a whole number, or undefined for anything else. */
export function wholeOf(value: PdfValue | undefined): number | undefined {
  return value?.kind === 'number' && value.whole ? value.number : undefined
}

/** An array or dictionary that is being read. With `wholly`, an array drops no item. */
export type Frame = { value: PdfDictionary | PdfArray; key: string | undefined; wholly: boolean }

/** Numbers and references beyond this index of an array are read and dropped: glyph widths, destinations. */
const ARRAY_PLAIN_MAX = 64

/** Puts a value into its frame. Returns false when the frame has no room for it, and the value is dropped. */
export function place(frame: Frame, value: PdfValue): boolean {
  if (frame.value.kind === 'array') {
    const plain = value.kind === 'number' || value.kind === 'reference'
    if (!plain || frame.wholly || frame.value.items.length < ARRAY_PLAIN_MAX) frame.value.items.push(value)
    else frame.value.cut = true
    return true
  }
  if (frame.key !== undefined) {
    frame.value.entries.push([frame.key, value])
    frame.key = undefined
    return true
  }
  if (value.kind !== 'name') return false
  frame.key = value.name
  return true
}

/** Closes the innermost frame of this kind and the open frames inside it; does nothing when none is open. */
export function close(frames: Frame[], kind: 'array' | 'dictionary'): PdfValue | undefined {
  if (!frames.some((frame) => frame.value.kind === kind)) return undefined
  for (;;) {
    const frame = frames.pop()
    if (!frame) return undefined
    if (frame.value.kind === kind) return frame.value
    const outer = frames.at(-1)
    if (outer) place(outer, frame.value)
  }
}

/** Closes all open frames at the end of the bytes. */
export function closeAll(frames: Frame[]): PdfValue | undefined {
  let value: PdfValue | undefined
  for (let frame = frames.pop(); frame; frame = frames.pop()) {
    value = frame.value
    const outer = frames.at(-1)
    if (outer) place(outer, value)
  }
  return value
}
