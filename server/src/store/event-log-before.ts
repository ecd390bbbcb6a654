/**
 * Translates cursors of the cells in which a firm was before. Moved events have new positions in this cell,
 * in the old order. A cursor of an earlier cell becomes the new position of the last event up to it.
 */
import { statement } from '../database/statement.ts'
import { currentLine } from './event-lines.ts'
import { isAfter, type LogPosition, positionValues, type ReadRows } from './event-log.ts'
import { positionNowOf } from './event-rows.ts'

interface FoundPosition {
  readonly removed_transaction: string
  readonly removed_position: bigint
  readonly transaction: string
  readonly position: bigint
  readonly line: number
}

const selectPositionNow = statement<FoundPosition>(
  'select-place-after-move',
  `select log.removed_transaction::text, log.removed_position, now.transaction_id::text as transaction, now.position, ${currentLine} as line
   from clearing.event_log_before as log cross join lateral (${positionNowOf('log', '$2::xid8', '$3::bigint')}) as now
   where log.moves = $1 and log.firm_id = $4`,
)

/**
 * The position, in this cell, of a position in the firm's log after `moves` moves between cells. `unknown`:
 * the firm has no log with that number of moves; `too-old`: events after the position were removed.
 */
export async function findPositionNow(
  rows: ReadRows,
  { firmId, moves }: { readonly firmId: string; readonly moves: number },
  place: LogPosition,
): Promise<LogPosition | 'unknown' | 'too-old'> {
  const [found] = await rows(selectPositionNow, [moves, ...positionValues(place), firmId])
  if (found === undefined) return 'unknown'
  const { line } = found
  const removed = { transaction: BigInt(found.removed_transaction), position: found.removed_position, line }
  if (isAfter(removed, place)) return 'too-old'
  return { transaction: BigInt(found.transaction), position: found.position, line }
}
