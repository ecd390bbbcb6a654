/**
 * Reads the filter and the start position of a request for events, and checks them against the firm, the list
 * of types and the log.
 */
import { codeLists, limits, nearestCodes, type Rejection, reject } from '@clearing/protocol'
import type { FirmContext } from '../firm-rules/context.ts'
import { checkOwnership } from '../firm-rules/ownership.ts'
import { parseUuid } from '../ids.ts'
import { firstLine, unknownLine } from '../store/event-lines.ts'
import { type EventFilter, findPosition, type LogPosition, type ReadRows } from '../store/event-log.ts'
import { findPositionNow } from '../store/event-log-before.ts'
import { findKeptPosition } from '../store/kept-position.ts'
import { parseCursor, renderCursor } from './cursor.ts'

export interface AskedEvents {
  readonly types?: readonly string[] | string
  readonly entityNumber?: string | number
  readonly repCode?: string
  readonly accountNumber?: string
  /** An empty one counts as absent (Reading 1.2). */
  readonly cursor?: string | undefined
}

export interface WantedEvents {
  readonly filter: EventFilter
  /** Undefined when the request has no cursor. */
  readonly after: LogPosition | undefined
  /**
   * The cursor is of an earlier cell of the firm. Its events are in the log of this cell, but may still wait for an
   * open transaction, so that the position is not reached yet.
   */
  readonly isMoved: boolean
}

/** Returns the wanted events, or every rejection. */
export async function readWanted(
  asked: AskedEvents,
  context: Pick<FirmContext, 'firm' | 'tx'>,
): Promise<WantedEvents | { readonly rejections: readonly Rejection[] }> {
  const { repCode, accountNumber, cursor } = asked
  const entityNumber =
    asked.entityNumber === undefined ? undefined : String(asked.entityNumber).padStart(3, '0')
  const named = {
    ...(entityNumber === undefined ? {} : { entityNumber }),
    ...(repCode === undefined ? {} : { repCode }),
  }
  const types = readTypes(asked.types)
  const after = cursor ? await readCursor(cursor, context) : undefined
  const rejections = [
    ...checkTypes(types, Array.isArray(asked.types)),
    ...(await checkOwnership(context, named, 'repCode')),
    ...(after === 'unknown' ? [cursorUnknown] : after === 'too-old' ? [cursorTooOld] : []),
  ]
  if (rejections.length > 0 || typeof after === 'string') return { rejections }
  const every = types.includes('*')
  const filter = { types: every ? [] : types, entityNumber, repCode, accountNumber }
  return { filter, after, isMoved: isOfEarlierCell(cursor, context.firm.moves) }
}

function isOfEarlierCell(cursor: string | undefined, moves: number): boolean {
  const parsed = cursor ? parseCursor(cursor) : undefined
  return parsed !== undefined && parsed.moves < moves
}

function readTypes(given: readonly string[] | string = []): string[] {
  return (typeof given === 'string' ? given.split(',') : given).map((type) => type.trim().toLowerCase())
}

function checkTypes(types: readonly string[], listed: boolean): Rejection[] {
  if (types.length > limits.eventFilterTypesMax) {
    return [reject('ERR.1015', 'types', `A filter names at most ${limits.eventFilterTypesMax} types.`)]
  }
  const distinct = listed ? types : [...new Set(types)]
  return distinct.flatMap((type, at) => checkType(type, listed ? `types[${at}]` : 'types'))
}

/** Only a text with a comma too many has one: the item of a list is rejected before. */
const emptyType = reject('ERR.1015', 'types', 'The list has an empty type. Remove the comma beside it.')

const knownTypes = codeLists.eventType.map(({ value }) => value as string)

function checkType(type: string, field: string): Rejection[] {
  if (type === '*' || knownTypes.includes(type)) return []
  if (type === '') return [emptyType]
  const wildcard = /^([a-z0-9_]+\.)+\*$/.test(type)
  if (wildcard && knownTypes.some((known) => known.startsWith(type.slice(0, -1)))) return []
  const nearest = nearestCodes('eventType', type.replace(/\.?\*$/, '')).join(', ')
  return [reject('ERR.1015', field, `There is no such type of event. The nearest: ${nearest}.`)]
}

/**
 * Reads a cursor, or the id of an event that the firm can see. An id names no line, so after a restore an unknown id
 * can be of the lost time.
 */
async function readCursor(
  cursor: string,
  { firm, tx }: Pick<FirmContext, 'firm' | 'tx'>,
): Promise<LogPosition | 'unknown' | 'too-old'> {
  const rows = tx.rows.bind(tx)
  const eventId = parseUuid(cursor)
  if (eventId !== undefined) return (await findPosition(rows, eventId)) ?? positionOfUnknownId(rows)
  const parsed = parseCursor(cursor)
  if (parsed === undefined || parsed.moves > firm.moves) return 'unknown'
  return parsed.moves === firm.moves
    ? parsed
    : findPositionNow(rows, { firmId: firm.firmId, moves: parsed.moves }, parsed)
}

const positionOfLostId: LogPosition = { transaction: 0n, position: 0n, line: unknownLine }

async function positionOfUnknownId(rows: ReadRows): Promise<LogPosition | 'unknown'> {
  const { line } = await findKeptPosition(rows, positionOfLostId)
  return line === firstLine ? 'unknown' : positionOfLostId
}

const cursorUnknown = reject(
  'ERR.1015',
  'cursor',
  'This is neither a cursor of the event log nor the id of an event in it.',
)
export const cursorTooOld = reject(
  'ERR.1015',
  'cursor',
  `Events after this cursor were removed because they were older than ${limits.eventKeptDays} days. Read your accounts again and continue without a cursor.`,
)
export const cursorInFuture = reject(
  'ERR.1015',
  'cursor',
  'The event log has not reached this cursor: it belongs to another service, or no response contained it.',
)

/** Rejects a position of the time that a restore of the database has lost, and names the cursor to continue with. */
export async function cursorLost(rows: ReadRows, lost: LogPosition, moves: number): Promise<Rejection> {
  const kept = renderCursor(await findKeptPosition(rows, lost), moves)
  const why =
    lost.line === unknownLine
      ? 'No event in the log has this id. If the service was restored to a moment before the event, read'
      : 'The service was restored to a moment before this cursor, and later events were lost. Read'
  return reject('ERR.1015', 'cursor', `${why} your accounts again and continue with the cursor ${kept}.`)
}
