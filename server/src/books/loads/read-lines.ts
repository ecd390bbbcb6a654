/**
 * Reads the lines of a batch by the shape of their load. Returns the values of the lines, and the rejects.
 */
import type { RefusedLine } from '../../store/books/loads.ts'
import type { RawLine } from '../lines/raw-line.ts'
import { LineReader, type Shape, type ValuesOf } from '../lines/read-line.ts'

export interface ReadLines<Values> {
  readonly lines: readonly { readonly source: number; readonly values: Values }[]
  readonly refused: readonly RefusedLine[]
}

const readers = new WeakMap<Shape, LineReader<Shape>>()

export function readLinesOf<S extends Shape>(shape: S, raw: readonly RawLine[]): ReadLines<ValuesOf<S>> {
  const reader = (readers.get(shape) ?? new LineReader<Shape>(shape)) as unknown as LineReader<S>
  readers.set(shape, reader as unknown as LineReader<Shape>)
  const lines: { source: number; values: ValuesOf<S> }[] = []
  const refused: RefusedLine[] = []
  for (const line of raw) {
    if ('rejection' in line) {
      refused.push({ line: line.line, rejections: [line.rejection] })
      continue
    }
    const reading = reader.read(line.members)
    if ('rejections' in reading) refused.push({ line: line.line, rejections: reading.rejections })
    else lines.push({ source: line.line, values: reading.values })
  }
  return { lines, refused }
}
