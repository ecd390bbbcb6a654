/** For tests: a reader of server-sent events that controls its request and records the events that it receives. */

import { inTime } from '../database/test-waiting.ts'
import type { CloudEvent } from './cloud-event.ts'

export interface StreamReader extends AsyncDisposable {
  readonly status: number
  readonly headers: Headers
  /** The received text. */
  readonly text: () => string
  /** The received events, in order. */
  readonly events: CloudEvent[]
  readonly resets: unknown[]
  /** The last received `id`. */
  readonly lastId: () => string | undefined
  /**
   * Resolves when the condition holds, which is checked at each piece. Fails if the stream ends first, and after a
   * time limit.
   */
  until(what: string, condition: (reader: StreamReader) => boolean): Promise<void>
  /** Resolves when the stream has sent its start position. */
  begun(): Promise<void>
  /** Resolves when the service ends the stream; fails after a time limit. */
  ended(): Promise<void>
  leave(): Promise<void>
}

/** A delivered event as `list-events` returns it: that response names the state in a header. */
export function asListed({ consistency, ...event }: CloudEvent): CloudEvent {
  if (!/^[0-9A-F]{16}$/.test(`${consistency}`)) throw new Error('the event names no state')
  return event
}

export async function readStream(
  address: string,
  query = '',
  headers: Record<string, string> = {},
): Promise<StreamReader> {
  const controller = new AbortController()
  const response = await inTime(
    'the stream to be opened',
    fetch(`${address}/account-api/v1/events${query}`, {
      headers: { authorization: 'Bearer alpha', ...headers },
      signal: controller.signal,
    }),
  )
  let text = ''
  let parsed = 0
  let lastId: string | undefined
  const events: CloudEvent[] = []
  const resets: unknown[] = []
  const waiting = new Set<() => void>()
  const parse = () => {
    for (;;) {
      const end = text.indexOf('\n\n', parsed)
      if (end < 0) return
      const fields = new Map(
        text
          .slice(parsed, end)
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      )
      parsed = end + 2
      lastId = fields.get('id') ?? lastId
      const data = fields.get('data')
      if (data === undefined) continue
      if (fields.get('event') === 'reset') resets.push(JSON.parse(data))
      else events.push(JSON.parse(data))
    }
  }
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  const read = async () => {
    const decoder = new TextDecoder()
    try {
      for await (const piece of response.body ?? []) {
        text += decoder.decode(piece, { stream: true })
        if (isStream) parse()
        for (const each of waiting) each()
      }
    } catch {
      // The reader closed the stream.
    }
  }
  const ended = read()
  const reader: StreamReader = {
    status: response.status,
    headers: response.headers,
    text: () => text,
    events,
    resets,
    lastId: () => lastId,
    until: (what, condition) => {
      const come = new Promise<void>((resolve, reject) => {
        const look = () => {
          if (!condition(reader)) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        ended.then(() => reject(new Error(`the stream ended before ${what}`)))
        look()
      })
      const seen = () => events.map(({ accountnumber, sequence, type }) => [accountnumber, sequence, type])
      return inTime(what, come, seen)
    },
    begun: () => reader.until('the beginning of the stream', () => lastId !== undefined),
    ended: () => inTime('the end of the stream', ended),
    async leave() {
      controller.abort()
      await reader.ended()
    },
    [Symbol.asyncDispose]: () => reader.leave(),
  }
  return reader
}
