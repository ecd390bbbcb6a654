/**
 * A position in the event log as callers store it: opaque text that does not reveal the number of events. It
 * contains the number of the firm's moves between cells, because each cell has its own positions.
 */
import type { LogPlace } from '../store/event-log.ts'

/** The first byte of a cursor of a firm that has never moved. Each move adds 1. */
const firstVersion = 1
const movesMax = 200
const sizeBytes = 17
const largest = 2n ** 63n - 1n

export interface Cursor extends LogPlace {
  readonly moves: number
}

export function renderCursor({ transaction, position }: LogPlace, moves: number): string {
  const bytes = Buffer.alloc(sizeBytes)
  bytes[0] = firstVersion + moves
  bytes.writeBigUInt64BE(transaction, 1)
  bytes.writeBigUInt64BE(position, 9)
  return bytes.toString('base64url')
}

/** Returns the position, or undefined for a text that is not a cursor of this service. */
export function parseCursor(text: string): Cursor | undefined {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== sizeBytes || bytes.toString('base64url') !== text) return undefined
  const moves = (bytes[0] ?? 0) - firstVersion
  if (moves < 0 || moves > movesMax) return undefined
  const transaction = bytes.readBigUInt64BE(1)
  const position = bytes.readBigUInt64BE(9)
  return transaction > largest || position > largest ? undefined : { transaction, position, moves }
}
