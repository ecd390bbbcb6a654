// The frame of a PDF: its version, its end mark, and the pointer to its cross-reference table.
import { isBlank } from './padding.ts'

/** Readers look for the end mark in this many last bytes. */
const TAIL_BYTES = 1_024
/** What mail gateways and web servers add after it. */
const JUNK_BYTES_MAX = 64

export function judgeFrame(bytes: Buffer): string | undefined {
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
