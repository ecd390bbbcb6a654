/** Counts the delimiters between the parts of a multipart form (RFC 2046, 5.1.1) while its bytes arrive. */
export class DelimiterCount {
  count = 0
  readonly #delimiter: Buffer
  /** The end of the bytes so far, which may be the beginning of a delimiter. The first one needs no line before it. */
  #tail: Buffer = Buffer.from('\r\n')

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`)
  }

  add(piece: Buffer): void {
    const bytes = Buffer.concat([this.#tail, piece])
    let from = 0
    for (let at = bytes.indexOf(this.#delimiter); at >= 0; at = bytes.indexOf(this.#delimiter, from)) {
      this.count++
      from = at + this.#delimiter.length
    }
    this.#tail = bytes.subarray(Math.max(from, bytes.length - this.#delimiter.length + 1))
  }
}
