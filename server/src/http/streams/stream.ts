/**
 * One open stream of events: from a position in the log to its end, and then new events, as server-sent events (WHATWG
 * HTML, 9.2).
 */
import type { ServerResponse } from 'node:http'
import { renderEvent } from '../../events/cloud-event.ts'
import { renderCursor } from '../../events/cursor.ts'
import type { FirmTail } from '../../events/log-tail.ts'
import { unknownLine } from '../../store/event-lines.ts'
import {
  type EventFilter,
  type LoggedEvent,
  type LogPosition,
  matches,
  type NoPage,
  type ReadRows,
  readLogPage,
  readLowWatermark,
} from '../../store/event-log.ts'
import { findKeptPosition } from '../../store/kept-position.ts'
import { drained } from '../answer/answer.ts'

/** Events that are read and written at once; a stream holds no more in memory. */
const batchMax = 200
const reconnectMs = 1_000
const removedReason =
  'Events after your cursor were removed because of their age. Read your accounts again; the stream continues from now.'
const lostReason =
  'The service was restored to a moment before your cursor, and later events were lost. Read your accounts again; the stream continues from that moment.'
const idLostReason =
  'No event in the log has the id of your cursor; it may be lost, because the service was restored to an earlier moment. Read your accounts again; the stream continues from that moment.'

export interface StreamSettings {
  readonly response: ServerResponse
  readonly firmId: string
  /** How many times the firm has moved to another cell. */
  readonly moves: number
  readonly filter: EventFilter
  /** Undefined: only events from now on. */
  readonly after: LogPosition | undefined
  /** A comment of the first block. */
  readonly note?: string | undefined
  /** Reads with the rights of the firm. */
  readonly rows: ReadRows
  readonly tail: FirmTail
  readonly render: (event: LoggedEvent) => string
  /** How long a reader may take to read the sent data. */
  readonly slowReaderTimeoutMs: number
  readonly signal: AbortSignal
}

export function renderStreamed(event: LoggedEvent, source: string, consistency: string | undefined): string {
  const data = JSON.stringify(renderEvent(event, source, consistency))
  return `id: ${renderCursor(event.place, event.moves)}\ndata: ${data}\n\n`
}

export class EventStream {
  readonly #settings: StreamSettings
  #wake: () => void = () => {}
  #place: LogPosition
  #wroteMs = performance.now()

  private constructor(settings: StreamSettings, place: LogPosition) {
    this.#settings = settings
    this.#place = place
    settings.signal.addEventListener('abort', () => this.#wake(), { once: true })
  }

  static async open(settings: StreamSettings): Promise<EventStream> {
    return new EventStream(settings, settings.after ?? (await readLowWatermark(settings.rows)).end)
  }

  /**
   * Writes until the signal aborts, the reader has disconnected or the reader is too slow. Throws when the
   * log cannot be read.
   */
  async run(): Promise<void> {
    const { tail, signal, note } = this.#settings
    const comment = note === undefined ? '' : `: ${note}\n`
    if (!(await this.#write(`retry: ${reconnectMs}\n${comment}${this.#mark()}`))) return
    while (!signal.aborted) {
      const changed = tail.changed()
      const batch = await this.#next()
      this.#place = batch.end
      if (batch.text !== '' && !(await this.#write(batch.text))) return
      if (batch.idle && !signal.aborted) await this.#wait(changed)
    }
  }

  /**
   * Waits for a change or the end of the stream. A race with a promise that lives as long as the stream would keep
   * memory for each wait.
   */
  #wait(changed: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
      void changed.then(resolve)
    })
  }

  /** After a silence, sends a comment with the position reached, so that a reader reconnects at that position. */
  beat(silenceMs: number): void {
    const { response } = this.#settings
    if (performance.now() - this.#wroteMs < silenceMs || response.writableNeedDrain) return
    this.#wroteMs = performance.now()
    response.write(`: heartbeat\n${this.#mark()}`)
  }

  #mark(): string {
    return `id: ${renderCursor(this.#place, this.#settings.moves)}\n\n`
  }

  async #next(): Promise<{ text: string; end: LogPosition; idle: boolean }> {
    const { tail, filter, firmId, rows, render } = this.#settings
    const held = tail.after(this.#place, batchMax)
    if (held !== undefined) {
      let text = ''
      for (const { event, text: rendered } of held.events) if (matches(filter, event)) text += rendered
      return { text, end: held.end, idle: held.events.length === 0 }
    }
    const page = await readLogPage(rows, firmId, this.#place, filter, { size: batchMax })
    if (typeof page === 'string') return this.#reset(page)
    return {
      text: page.events.map(render).join(''),
      end: page.end,
      idle: !page.more && page.events.length === 0,
    }
  }

  async #reset(why: NoPage): Promise<{ text: string; end: LogPosition; idle: boolean }> {
    const { rows, moves } = this.#settings
    const ofLost = this.#place.line === unknownLine ? idLostReason : lostReason
    const end =
      why === 'lost' ? await findKeptPosition(rows, this.#place) : (await readLowWatermark(rows)).end
    const cursor = renderCursor(end, moves)
    const data = JSON.stringify({ cursor, reason: why === 'lost' ? ofLost : removedReason })
    return { text: `id: ${cursor}\nevent: reset\ndata: ${data}\n\n`, end, idle: false }
  }

  async #write(text: string): Promise<boolean> {
    const { response, slowReaderTimeoutMs } = this.#settings
    if (response.destroyed) return false
    this.#wroteMs = performance.now()
    return response.write(text) || drained(response, slowReaderTimeoutMs)
  }
}
