/** Renders an event of the log as CloudEvents 1.0. Every kind of delivery uses the same form. */
import type { cloudEventShape, Static } from '@clearing/protocol'
import type { LoggedEvent } from '../store/event-log.ts'
import { renderCursor } from './cursor.ts'

export type CloudEvent = Static<typeof cloudEventShape>

/**
 * `source` is the service's public address. `consistency` is a position of the database's log that covers the commit of
 * the event.
 */
export function renderEvent(event: LoggedEvent, source: string, consistency?: string): CloudEvent {
  const { accountNumber, entityNumber, repCode } = event
  const ofAccount = accountNumber !== ''
  return {
    specversion: '1.0',
    id: event.eventId,
    source,
    type: event.type,
    ...(ofAccount ? { subject: accountNumber } : {}),
    time: event.at,
    datacontenttype: 'application/json',
    ...(entityNumber === '' ? {} : { entitynumber: entityNumber }),
    ...(repCode === '' ? {} : { repcode: repCode }),
    ...(ofAccount ? { accountnumber: accountNumber, sequence: event.sequence } : {}),
    traceparent: event.traceId,
    cursor: renderCursor(event.place, event.moves),
    ...(consistency === undefined ? {} : { consistency }),
    data: ofAccount ? { accountNumber, ...event.content } : event.content,
  }
}
