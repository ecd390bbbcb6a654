/**
 * The event log of a firm in its new cell: stores the position of each row in the previous cell, and sets
 * the positions of webhooks and deliveries in this cell. For the owner's pool of the new cell, after the rows
 * were copied.
 */
import type { Pool } from '../database/pool.ts'
import { unprepared } from '../database/statement.ts'
import { inTransaction, readInFirm } from '../database/transaction.ts'
import { positionNowOf } from './event-rows.ts'
import type { Copying } from './firm-copy.ts'

const placesMax = 5_000

const takeBegin = unprepared<{ transaction: string }>('select pg_current_xact_id()::text as transaction')
/** A position before every event that is copied from now on. */
export async function takePositionBefore(to: Pool): Promise<string> {
  const begin = await inTransaction(to, { firm: null }, (tx) => tx.row(takeBegin))
  if (begin === undefined) throw new Error('a transaction has a number')
  return begin.transaction
}

const selectRemoval = unprepared<{ transaction: string; position: bigint; moves: number }>(
  `select removal.transaction_id::text as transaction, removal.position,
     (select count(*)::integer from clearing.event_log_before where firm_id = $1) as moves
   from clearing.event_removal as removal`,
)
const insertLog = unprepared(
  `insert into clearing.event_log_before (firm_id, moves, removed_transaction, removed_position, transaction_id, position)
   values ($1, $2, $3::xid8, $4, $5::xid8, 0)`,
)
const renewLogs = unprepared(
  'update clearing.event_log_before set transaction_id = $2::xid8, position = 0 where firm_id = $1',
)
const selectPositions = unprepared<{ transaction: string; position: bigint; event_id: string }>(
  `select transaction_id::text as transaction, position, event_id from clearing.event_row where firm_id = $1
   order by transaction_id, position`,
)
const insertPositions = unprepared(
  `insert into clearing.event_place_before (firm_id, moves, transaction_id, position, event_id)
   select $1::uuid, $2::integer, * from unnest($3::text[]::xid8[], $4::bigint[], $5::uuid[])`,
)
const placeWebhooks = unprepared(
  `update clearing.webhook as hook set (transaction_id, position) = (
     select now.transaction_id, now.position
     from clearing.event_log_before as log
       cross join lateral (${positionNowOf('log', 'hook.transaction_id', 'hook.position')}) as now
     where log.firm_id = $1 and log.moves = $2
   ), sender = null, sender_until = null
   where firm_id = $1`,
)
const placeDeliveries = unprepared(
  `update clearing.webhook_delivery as delivery
   set transaction_id = coalesce(place.transaction_id, '0'), position = coalesce(place.position, 0)
   from clearing.webhook_delivery as one left join clearing.logged_event as place on place.event_id = one.event_id and place.firm_id = one.firm_id
   where delivery.firm_id = $1 and one.delivery_id = delivery.delivery_id`,
)

/** Copies the positions. `begin` is the result of `takePositionBefore`, called before the rows were copied. */
export async function copyPositions({ from, to, firmId }: Copying, begin: string): Promise<void> {
  const [removal] = await readInFirm(from, null, selectRemoval, [firmId])
  if (removal === undefined) throw new Error('the event log has no row of removals')
  const { moves, transaction, position } = removal
  const places = await readInFirm(from, null, selectPositions, [firmId])
  await inTransaction(to, { firm: null }, async (tx) => {
    await tx.run(renewLogs, [firmId, begin])
    await tx.run(insertLog, [firmId, moves, transaction, position, begin])
    for (let at = 0; at < places.length; at += placesMax) {
      const some = places.slice(at, at + placesMax)
      await tx.run(insertPositions, [
        firmId,
        moves,
        some.map((place) => place.transaction),
        some.map((place) => place.position),
        some.map(({ event_id }) => event_id),
      ])
    }
    await tx.run(placeWebhooks, [firmId, moves])
    await tx.run(placeDeliveries, [firmId])
  })
}
