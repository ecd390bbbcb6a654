// Counts the bytes to which a deflate stream (RFC 1951) expands without expanding it: only the lengths of repeats are
// read. The work is proportional to the input, whatever the output: a bomb of gigabytes costs as much as a photograph.

const LENGTH_BASES = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
]
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
const CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
const END_OF_BLOCK = 256
const MAX_BITS = 15
const TABLE_BITS = 10

/**
 * Measures a zlib stream (RFC 1950). A truncated or damaged stream counts up to the damage, because readers expand it
 * up to there. Counting stops soon after `bytesMax`.
 */
export function measureZlib(content: Uint8Array, bytesMax = Number.POSITIVE_INFINITY): number {
  return new DeflateCounter(content, 2, bytesMax).count()
}

/** Whether the content begins as a zlib stream of deflate without a preset dictionary (RFC 1950, 2.2). */
export function hasZlibHeader(content: Uint8Array): boolean {
  const [method = 0, flags = 0] = content
  return (method & 15) === 8 && method >> 4 <= 7 && (method * 256 + flags) % 31 === 0 && (flags & 0x20) === 0
}

/**
 * Decodes a code by its first TABLE_BITS bits in stream order: symbol and length. Longer codes are found by reading
 * further bits.
 */
type Code = { table: Int32Array; counts: Uint16Array; symbols: Uint16Array }

class DeflateCounter {
  private readonly bytes: Uint8Array
  private at: number
  private held = 0
  private bits = 0
  private total = 0
  private readonly totalMax: number

  constructor(bytes: Uint8Array, from: number, totalMax: number) {
    this.bytes = bytes
    this.at = from
    this.totalMax = totalMax
  }

  count(): number {
    for (;;) {
      const last = this.take(1)
      const type = this.take(2)
      if (last < 0 || type < 0) return this.total
      const whole = type === 0 ? this.countStored() : this.countCoded(type)
      if (!whole || last === 1 || this.total > this.totalMax) return this.total
    }
  }

  private countStored(): boolean {
    this.take(this.bits % 8)
    const length = this.take(16)
    const check = this.take(16)
    if (length < 0 || check < 0 || (length ^ check) !== 0xffff) return false
    // Returns whole bytes that were read in advance.
    this.at -= this.bits / 8
    this.held = 0
    this.bits = 0
    const present = Math.min(length, this.bytes.length - this.at)
    this.at += length
    this.total += Math.max(0, present)
    return present === length
  }

  private countCoded(type: number): boolean {
    const codes = type === 1 ? fixedCodes() : type === 2 ? this.readCodes() : undefined
    if (!codes) return false
    const { literals, distances } = codes
    for (;;) {
      const symbol = this.decode(literals)
      if (symbol < 0) return false
      if (symbol < END_OF_BLOCK) this.total++
      else if (symbol === END_OF_BLOCK) return true
      else {
        const base = LENGTH_BASES[symbol - END_OF_BLOCK - 1]
        const extra = this.take(LENGTH_BITS[symbol - END_OF_BLOCK - 1] ?? 0)
        if (base === undefined || extra < 0) return false
        const distance = this.decode(distances)
        if (distance < 0 || distance > 29) return false
        if (this.take(distance < 4 ? 0 : (distance >> 1) - 1) < 0) return false
        this.total += base + extra
        if (this.total > this.totalMax) return false
      }
    }
  }

  private readCodes(): { literals: Code; distances: Code } | undefined {
    const literalCount = this.take(5) + 257
    const distanceCount = this.take(5) + 1
    const orderCount = this.take(4) + 4
    if (orderCount < 4) return undefined
    const orderLengths = new Uint8Array(19)
    for (let index = 0; index < orderCount; index++) {
      const length = this.take(3)
      if (length < 0) return undefined
      orderLengths[CODE_ORDER[index] ?? 0] = length
    }
    const order = makeCode(orderLengths)
    if (!order) return undefined
    const lengths = new Uint8Array(literalCount + distanceCount)
    for (let index = 0; index < lengths.length; ) {
      const symbol = this.decode(order)
      if (symbol < 0) return undefined
      if (symbol < 16) {
        lengths[index++] = symbol
        continue
      }
      if (symbol === 16 && index === 0) return undefined
      const repeated = symbol === 16 ? (lengths[index - 1] ?? 0) : 0
      const extra = this.take(symbol === 16 ? 2 : symbol === 17 ? 3 : 7)
      const times = extra + (symbol === 18 ? 11 : 3)
      if (extra < 0 || index + times > lengths.length) return undefined
      lengths.fill(repeated, index, index + times)
      index += times
    }
    const literals = makeCode(lengths.subarray(0, literalCount))
    const distances = makeCode(lengths.subarray(literalCount))
    return literals && distances ? { literals, distances } : undefined
  }

  /** Returns -1 at the end of the input and for an unassigned code. */
  private decode({ table, counts, symbols }: Code): number {
    this.fill(MAX_BITS)
    const entry = table[this.held & ((1 << TABLE_BITS) - 1)] ?? 0
    if (entry > 0) {
      const length = entry & 15
      if (length > this.bits) return -1
      this.held >>>= length
      this.bits -= length
      return entry >> 4
    }
    let code = 0
    let first = 0
    let index = 0
    for (let length = 1; length <= MAX_BITS && length <= this.bits; length++) {
      code |= (this.held >>> (length - 1)) & 1
      const count = counts[length] ?? 0
      if (code - first < count) {
        this.held >>>= length
        this.bits -= length
        return symbols[index + code - first] ?? -1
      }
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    return -1
  }

  private take(count: number): number {
    this.fill(count)
    if (count > this.bits) return -1
    const value = this.held & ((1 << count) - 1)
    this.held >>>= count
    this.bits -= count
    return value
  }

  private fill(count: number): void {
    while (this.bits < count && this.at < this.bytes.length) {
      this.held |= (this.bytes[this.at++] ?? 0) << this.bits
      this.bits += 8
    }
  }
}

/** Undefined when there are more codes than fit. */
function makeCode(lengths: Uint8Array): Code | undefined {
  const counts = new Uint16Array(MAX_BITS + 1)
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1
  counts[0] = 0
  const offsets = new Uint16Array(MAX_BITS + 2)
  const firsts = new Uint16Array(MAX_BITS + 2)
  let left = 1
  for (let length = 1; length <= MAX_BITS; length++) {
    const count = counts[length] ?? 0
    left = (left << 1) - count
    if (left < 0) return undefined
    offsets[length + 1] = (offsets[length] ?? 0) + count
    firsts[length + 1] = ((firsts[length] ?? 0) + count) << 1
  }
  const symbols = new Uint16Array(lengths.length)
  const table = new Int32Array(1 << TABLE_BITS)
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue
    const offset = offsets[length] ?? 0
    const code = firsts[length] ?? 0
    offsets[length] = offset + 1
    firsts[length] = code + 1
    symbols[offset] = symbol
    if (length > TABLE_BITS) continue
    for (let at = reverse(code, length); at < table.length; at += 1 << length)
      table[at] = (symbol << 4) | length
  }
  return { table, counts, symbols }
}

function reverse(code: number, length: number): number {
  let reversed = 0
  for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit)
  return reversed
}

let fixed: { literals: Code; distances: Code } | undefined

function fixedCodes(): { literals: Code; distances: Code } | undefined {
  if (fixed) return fixed
  const lengths = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280)
  const literals = makeCode(lengths)
  const distances = makeCode(new Uint8Array(30).fill(5))
  fixed = literals && distances ? { literals, distances } : undefined
  return fixed
}
