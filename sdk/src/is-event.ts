/** The data of an event by its type, for the compiler and for completion in an editor. */
import type { EventData, EventType } from '@clearing/protocol'
import type { CloudEvent } from './events.ts'

/** An event of a known type, with the members of its data. */
export type EventOf<T extends EventType> = T extends EventType
  ? Omit<CloudEvent, 'type' | 'data'> & { readonly type: T; readonly data: EventData<T> }
  : never

/**
 * Whether an event has one of the types. The compiler then knows the members of its data.
 *
 * ```ts
 * if (isEvent(event, 'account.updated')) console.log(event.data.accountNumber, event.data.fields)
 * ```
 */
export function isEvent<const T extends EventType>(
  event: CloudEvent | EventOf<EventType>,
  ...types: readonly T[]
): event is EventOf<T> {
  return types.some((type) => type === event.type)
}
