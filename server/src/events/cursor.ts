/**
 * A position in the event log as callers store it: opaque text that does not reveal the number of events. It
 * contains the number of the firm's moves between cells, because each cell has its own positions. After a restore of
 * the database, it also contains the line of the log.
 */
import { firstLine } from '../store/event-lines.ts'
import type { LogPosition } from '../store/event-log.ts'

/** The first byte of a cursor of a firm that has never moved. Each move adds 1. */
const firstVersion = 1
const movesMax = 200
const sizeBytes = 17
const sizeWithLineBytes = sizeBytes + 4
const linesMax = 2 ** 31 - 1
const largest = 2n ** 63n - 1n

export interface Cursor extends LogPosition {
  readonly moves: number
}

export function renderCursor({ transaction, position, line }: LogPosition, moves: number): string {
  const bytes = Buffer.alloc(line === firstLine ? sizeBytes : sizeWithLineBytes)
  bytes[0] = firstVersion + moves
  bytes.writeBigUInt64BE(transaction, 1)
  bytes.writeBigUInt64BE(position, 9)
  if (line !== firstLine) bytes.writeUInt32BE(line, sizeBytes)
  return bytes.toString('base64url')
}

/** Returns the position, or undefined for a text that is not a cursor of this service. */
export function parseCursor(text: string): Cursor | undefined {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) return undefined
  if (bytes.length !== sizeBytes && bytes.length !== sizeWithLineBytes) return undefined
  const moves = (bytes[0] ?? 0) - firstVersion
  if (moves < 0 || moves > movesMax) return undefined
  const transaction = bytes.readBigUInt64BE(1)
  const position = bytes.readBigUInt64BE(9)
  if (transaction > largest || position > largest) return undefined
  if (bytes.length === sizeBytes) return { transaction, position, line: firstLine, moves }
  const line = bytes.readUInt32BE(sizeBytes)
  return line === firstLine || line > linesMax ? undefined : { transaction, position, line, moves }
}
