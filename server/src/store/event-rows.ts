/**
 * Rows of the event log. A row of `event_row` holds up to 16 events of one account that one transaction writes; the
 * view `logged_event` shows each of them as a row. `row_id` and `row_position` are columns of the stored row.
 * Conditions and orders that name them use its indexes; those on `event_id` or `position` alone read the whole log of
 * the firm.
 */

export const eventsOfRowMax = 16

/**
 * A condition: the event comes after a place. An event is at most 15 positions after its row, so no row with such an
 * event is left out.
 */
export function isAfterPosition(transaction: string, position: string): string {
  return `(event.transaction_id, event.row_position) > (${transaction}, ${position} - ${eventsOfRowMax - 1})
    and (event.transaction_id, event.position) > (${transaction}, ${position})`
}

/** The order of the log. Rows do not overlap, so this is the order by transaction and position. */
export const logOrder = 'event.transaction_id, event.row_position, event.position'

/** The rows that can contain these events: a row of its own, or a row with several events. */
export function rowIdsOf(eventIds: readonly string[]): string[] {
  return eventIds.flatMap((id) => [id, idInRow(id, 0)])
}

/** A condition: the event has the id, which is a column of another table. For roles that see every firm. */
export function hasIdOf(column: string): string {
  return `event.row_id = any (array[${column}, clearing.event_row_id(${column})]) and event.event_id = ${column}`
}

/** The id of an event of a row with several, from the id of any of them. */
export function idInRow(id: string, place: number): string {
  return id.slice(0, -1) + place.toString(16)
}

/**
 * A query of the position, in this cell, of a position in an earlier cell: that of the last event up to it. An event
 * keeps its place within its row. `log` is the alias of the row of `event_log_before`.
 */
export function positionNowOf(log: string, transaction: string, position: string): string {
  return `select coalesce(last.transaction_id, ${log}.transaction_id) as transaction_id, coalesce(last.position, ${log}.position) as position
    from (select) as one left join lateral (
      select stored.transaction_id, stored.position + least(
        case when place.transaction_id = ${transaction} then ${position} - place.position end,
        coalesce(cardinality(stored.more), 0)) as position
      from clearing.event_place_before as place join clearing.event_row as stored using (event_id)
      where place.firm_id = ${log}.firm_id and place.moves = ${log}.moves
        and (place.transaction_id, place.position) <= (${transaction}, ${position})
      order by place.transaction_id desc, place.position desc limit 1
    ) as last on true`
}
