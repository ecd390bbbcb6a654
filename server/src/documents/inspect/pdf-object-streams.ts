// The objects of an object stream (ISO 32000-1, 7.5.7): pairs of number and offset, then the objects. All pairs are
// read, independent of N. The result is doubtful unless N, First and the offsets lead to the same objects in every
// reader.
import { PDF_OBJECTS_MAX } from './limits.ts'
import { PdfReader } from './pdf-reader.ts'
import type { PdfDictionary, PdfValue } from './pdf-value.ts'
import { lookUp, nameOf, ReadingBudget, wholeOf } from './pdf-value.ts'

export type PackedObjects = {
  objects: { number: number; value: PdfValue }[]
  doubtful: boolean
  /** The stream is built to be read without end. */
  tangled: boolean
}

type Pair = { number: number; place: number }

export function readObjectStream(content: Buffer, dictionary: PdfDictionary): PackedObjects {
  const budget = new ReadingBudget(content.length * 3 + 1_024)
  const { pairs, end, doubtful: pairsDoubtful } = readPairs(content, budget)
  if (pairs.length > PDF_OBJECTS_MAX) return { objects: [], doubtful: true, tangled: true }
  const first = wholeOf(lookUp(dictionary, 'First'))
  const origin = first ?? end
  let doubtful =
    pairsDoubtful ||
    first === undefined ||
    nameOf(lookUp(dictionary, 'Type')) !== 'ObjStm' ||
    wholeOf(lookUp(dictionary, 'N')) !== pairs.length ||
    origin < end ||
    !isGap(content, end, origin, budget)
  const objects: PackedObjects['objects'] = []
  for (const [index, { number, place }] of pairs.entries()) {
    const reader = new PdfReader(content, Math.max(0, origin + place), budget)
    const value = reader.readValue()
    if (budget.spent) return { objects, doubtful: true, tangled: true }
    const next = pairs[index + 1]
    const limit = next ? origin + next.place : content.length
    if (!value || reader.doubtful || value.kind === 'reference') doubtful = true
    if (reader.at > limit || !isGap(content, reader.at, limit, budget)) doubtful = true
    if (value) objects.push({ number, value })
  }
  return { objects, doubtful, tangled: false }
}

function readPairs(
  content: Buffer,
  budget: ReadingBudget,
): { pairs: Pair[]; end: number; doubtful: boolean } {
  const reader = new PdfReader(content, 0, budget)
  const pairs: Pair[] = []
  let doubtful = false
  for (;;) {
    const end = reader.at
    const object = reader.readValue()
    const place = object?.kind === 'number' ? reader.readValue() : undefined
    if (object?.kind !== 'number' || place?.kind !== 'number') return { pairs, end, doubtful }
    if (!object.whole || !place.whole) doubtful = true
    pairs.push({ number: object.number, place: place.number })
    if (pairs.length > PDF_OBJECTS_MAX) return { pairs, end, doubtful }
  }
}

/** Returns true when the range has only white space and complete comments. */
function isGap(content: Buffer, from: number, to: number, budget: ReadingBudget): boolean {
  const [gap, next] = [new PdfReader(content, from, budget), new PdfReader(content, to, budget)]
  gap.skipWhite()
  next.skipWhite()
  return gap.at === next.at
}
