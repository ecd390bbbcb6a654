/** A position in the event log as callers store it: opaque text that does not reveal the number of events. */
import type { LogPlace } from '../store/event-log.ts'

const version = 1
const sizeBytes = 17
const largest = 2n ** 63n - 1n

export function renderCursor({ transaction, position }: LogPlace): string {
  const bytes = Buffer.alloc(sizeBytes)
  bytes[0] = version
  bytes.writeBigUInt64BE(transaction, 1)
  bytes.writeBigUInt64BE(position, 9)
  return bytes.toString('base64url')
}

/** Returns the position, or undefined for a text that is not a cursor of this service. */
export function parseCursor(text: string): LogPlace | undefined {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== sizeBytes || bytes[0] !== version || bytes.toString('base64url') !== text)
    return undefined
  const transaction = bytes.readBigUInt64BE(1)
  const position = bytes.readBigUInt64BE(9)
  return transaction > largest || position > largest ? undefined : { transaction, position }
}
