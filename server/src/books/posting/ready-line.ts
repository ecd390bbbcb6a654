/** A line of a batch before it is posted: completed, or as far as it can be completed without earlier lines. */
import type { BookedLine } from './booked-line.ts'
import type { LocatedLine, UnnamedLine } from './locate-line.ts'

export type RawMembers = Readonly<Record<string, unknown>>

/** A completed line, a cancel that takes its missing facts from its original, or a line without a known security. */
export type ReadyLine = (
  | { readonly booked: BookedLine }
  | { readonly cancel: LocatedLine }
  | { readonly unnamed: UnnamedLine }
) & { readonly members: RawMembers }

/** The number, the account and the values of a line. */
export function partOf(ready: ReadyLine): Pick<LocatedLine, 'source' | 'account' | 'values'> {
  if ('booked' in ready) return ready.booked
  return 'cancel' in ready ? ready.cancel : ready.unnamed
}
