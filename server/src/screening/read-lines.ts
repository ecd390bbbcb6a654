// Reads the lines of a byte stream, for files with one record a line: removes CR, LF and CRLF ends, a byte order mark
// at the start and a Ctrl-Z at the end. Bytes that are not UTF-8 are read as Latin-1, the encoding of the older files.
// Promises: holds one line at a time, and at most LINE_BYTES_MAX of it.

import { isUtf8 } from 'node:buffer'

export const LINE_BYTES_MAX = 65_536

export type Line = { text: string; line: number; tooLong: boolean }

const LF = 0x0a
const CR = 0x0d
const CTRL_Z = 0x1a

export async function* readLines(
  source: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
): AsyncGenerator<Line> {
  let parts: Buffer[] = []
  let held = 0
  let line = 0
  let afterCr = false
  const finish = (): Line => {
    line++
    const finished: Line =
      held > LINE_BYTES_MAX
        ? { text: '', line, tooLong: true }
        : { text: decodeLine(Buffer.concat(parts), line), line, tooLong: false }
    parts = []
    held = 0
    return finished
  }
  const hold = (bytes: Buffer) => {
    held += bytes.length
    if (held <= LINE_BYTES_MAX) parts.push(bytes)
    else parts = []
  }
  for await (const piece of source) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece)
    let start = 0
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]
      if (byte !== LF && byte !== CR) {
        afterCr = false
        continue
      }
      const isSecondHalf = byte === LF && afterCr
      afterCr = byte === CR
      if (!isSecondHalf) {
        hold(bytes.subarray(start, at))
        yield finish()
      }
      start = at + 1
    }
    if (start < bytes.length) hold(bytes.subarray(start))
  }
  if (held > 0) yield finish()
}

function decodeLine(bytes: Buffer, line: number): string {
  const end = bytes.at(-1) === CTRL_Z ? bytes.length - 1 : bytes.length
  const body = bytes.subarray(0, end)
  const text = isUtf8(body) ? body.toString('utf8') : body.toString('latin1')
  return line === 1 && text.startsWith('\ufeff') ? text.slice(1) : text
}
