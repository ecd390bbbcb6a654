// Decides whether the bytes after the end of an image are padding or another file.
import { PADDING_BYTES_MAX } from './limits.ts'

export function isPadding(bytes: Buffer, from: number): boolean {
  if (bytes.length - from > PADDING_BYTES_MAX) return false
  return isBlank(bytes, from, bytes.length)
}

/** Returns true for NUL, space, tab, form feed and line ends only. */
export function isBlank(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const byte = bytes[at]
    if (byte !== 0 && byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09 && byte !== 0x0c)
      return false
  }
  return true
}

export const AFTER_END =
  'The file has data after the end of the image. Save it anew with an image program, or print it to PDF.'
