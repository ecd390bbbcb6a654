/** A line of a load before it is read: its number in the body, and its members or the reason why it cannot be read. */
import type { Rejection } from '@clearing/protocol'
import type { Pace } from '../pace.ts'

export type RawLine =
  | { readonly line: number; readonly members: Readonly<Record<string, unknown>> }
  | { readonly line: number; readonly rejection: Rejection }

/** Lines in groups of bounded size, so that memory does not grow with the load. */
export type RawLines = AsyncIterable<readonly RawLine[]>

/** The lines of one group. */
const rawLinesMax = 40_000
/** The same at a slow pace, at which a batch holds its locks for longer. */
const rawLinesMaxSlow = 5_000

export function linesMaxAt({ isSlow }: Pace): number {
  return isSlow ? rawLinesMaxSlow : rawLinesMax
}

/** The text of a JSON number, which is exact where a float is not. */
export class NumberText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
