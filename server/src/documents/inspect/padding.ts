// Decides whether the bytes after the end of a file are padding or another file. Padding may have any length.

export function isPadding(bytes: Buffer, from: number): boolean {
  return isBlank(bytes, from, bytes.length)
}

/** For kinds of files that do not end with blank bytes themselves, as images may. */
export function withoutPadding(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && isBlank(bytes, end - 1, end)) end--
  return bytes.subarray(0, end)
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
