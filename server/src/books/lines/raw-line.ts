/** A line of a load before it is read: its number in the body, and its members or the reason why it cannot be read. */
import type { Rejection } from '@clearing/protocol'

export type RawLine =
  | { readonly line: number; readonly members: Readonly<Record<string, unknown>> }
  | { readonly line: number; readonly rejection: Rejection }

/** Lines in groups of bounded size, so that memory does not grow with the load. */
export type RawLines = AsyncIterable<readonly RawLine[]>

/** The lines of one group. */
export const rawLinesMax = 20_000

/** The text of a JSON number, which is exact where a float is not. */
export class NumberText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
