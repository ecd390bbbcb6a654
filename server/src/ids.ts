/** Identifiers: UUIDv7 for rows, digits for customers and accounts. The service makes them, and requests name them. */
import { randomBytes, randomFillSync, randomInt } from 'node:crypto'

// Random bytes are generated in advance, because each call of the generator costs more than an id.
const stock = Buffer.alloc(8_192)
let drawn = stock.length

/** Random bytes that no other caller gets. */
export function drawRandom(bytes: number): Buffer {
  if (drawn + bytes > stock.length) {
    randomFillSync(stock)
    drawn = 0
  }
  drawn += bytes
  return stock.subarray(drawn - bytes, drawn)
}

/** A UUIDv7 (RFC 9562): ordered by time, 74 random bits. */
export function newId(at: Date): string {
  const bytes = drawRandom(16)
  bytes.writeUIntBE(at.getTime(), 0, 6)
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The id of a row as PostgreSQL renders it, in lower case; undefined for a text that is not a UUID. */
export function parseUuid(text: string): string | undefined {
  return uuid.test(text) ? text.toLowerCase() : undefined
}

/** A customer id: 18 digits, not starting with 0, unguessable (Reading 3.8). */
export function newCustomerId(): string {
  return (
    String(randomInt(1, 10)) +
    randomInt(0, 1e8).toString().padStart(8, '0') +
    randomInt(0, 1e9).toString().padStart(9, '0')
  )
}

/**
 * A candidate for an account number: 8 digits, the first two within `beginnings`, not sequential. Only the
 * table shows whether it is free (Reading 3.1).
 */
export function newAccountNumber(beginnings = { first: 10, last: 99 }): string {
  const { first, last } = beginnings
  return randomInt(first * 1_000_000, (last + 1) * 1_000_000).toString()
}

/** A trace of work that no call caused. */
export function newTraceId(): string {
  return `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`
}
