/**
 * Reads the delimiters between the parts of a multipart form (RFC 2046, 5.1.1) and the headers after them while the
 * bytes arrive.
 */
import { limits } from '@clearing/protocol'

export class Delimiters {
  count = 0
  /** Whether a part names its file in several pieces (RFC 2231, 3). The parser keeps the last piece only. */
  namesFileInPieces = false
  readonly #delimiter: Buffer
  /** The end of the bytes so far, which may be the beginning of a delimiter. The first one needs no line before it. */
  #tail: Buffer = Buffer.from('\r\n')
  /** The headers of the last part as far as they have arrived; undefined once they have ended. */
  #headers: Buffer | undefined

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`)
  }

  add(piece: Buffer): void {
    if (this.#headers !== undefined) this.#readHeaders(Buffer.concat([this.#headers, piece]))
    const bytes = Buffer.concat([this.#tail, piece])
    let from = 0
    for (let at = bytes.indexOf(this.#delimiter); at >= 0; at = bytes.indexOf(this.#delimiter, from)) {
      this.count++
      from = at + this.#delimiter.length
      this.#readHeaders(bytes.subarray(from))
    }
    this.#tail = bytes.subarray(Math.max(from, bytes.length - this.#delimiter.length + 1))
  }

  #readHeaders(bytes: Buffer): void {
    const within = bytes.subarray(0, limits.uploadPartHeadersSizeBytesMax)
    const end = within.indexOf('\r\n\r\n')
    const arrived = end < 0 ? within : within.subarray(0, end)
    const ended = end >= 0 || within.length === limits.uploadPartHeadersSizeBytesMax
    // A copy, so that the piece is not kept.
    this.#headers = ended ? undefined : Buffer.from(arrived)
    if (!ended) return
    const unquoted = arrived.toString('latin1').replace(/"(?:[^"\\]|\\.)*"/gs, '""')
    if (/;\s*filename\*\d+\*?\s*=/i.test(unquoted)) this.namesFileInPieces = true
  }
}
