/** A line of a load as it came: its number in the body, and its members or why it cannot be read. */
import type { Rejection } from '@clearing/protocol'

export type RawLine =
  | { readonly line: number; readonly members: Readonly<Record<string, unknown>> }
  | { readonly line: number; readonly rejection: Rejection }

/** Lines in parts of bounded size, so that memory does not grow with the load. */
export type RawLines = AsyncIterable<readonly RawLine[]>

/** Lines handed on together. */
export const rawLinesMax = 20_000

/** A JSON number as its text: exact, where a float would not be. */
export class NumberText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
