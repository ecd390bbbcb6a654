/**
 * A body of lines, hashed while its consumer reads it. Its beginning can be read ahead, before the load takes anything
 * that other calls need. A body whose sender is slow can be cut off in favor of other loads.
 */
import { createHash, type Hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Holder } from '../../turns.ts'
import { ClientGone, SenderSlow } from '../faults.ts'

/** A sender is slow if these bytes took the service more than this time of waiting. A test may shorten the time. */
export const slowSenderLimits = { bytes: 65_536, waitedMs: 10_000 }

export class HashedStream implements AsyncIterable<Buffer>, Holder {
  readonly #raw: IncomingMessage
  readonly #hash: Hash = createHash('sha256')
  readonly #ahead: Buffer[] = []
  #digest: Buffer | undefined
  /** The time of waiting for the last bytes of the body that arrived, and their number. */
  #waitedMs = 0
  #arrived = 0
  /** Set while the consumer waits for the sender. */
  #waitsSinceMs: number | undefined
  #interrupt: (fault: Error) => void = () => {}

  constructor(raw: IncomingMessage) {
    this.#raw = raw
  }

  /** Reads ahead: to the end of the body, or until more than `bytesMax` bytes have arrived. Throws ClientGone. */
  async endsWithin(bytesMax: number): Promise<boolean> {
    let bytes = 0
    try {
      for await (const piece of this.#pieces()) {
        this.#ahead.push(piece)
        bytes += piece.length
        if (bytes > bytesMax) return false
      }
    } catch (fault) {
      throw new ClientGone('the connection ended before the body did', { cause: fault })
    }
    return true
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (let piece = this.#ahead.shift(); piece !== undefined; piece = this.#ahead.shift()) yield piece
    yield* this.#pieces()
  }

  /** Returns the hash of the whole body, and reads the rest of the body first. */
  async digest(): Promise<Uint8Array> {
    if (this.#digest === undefined) {
      for await (const _piece of this) {
        // only hashed
      }
      this.#digest = this.#hash.digest()
    }
    return this.#digest
  }

  isSlow(): boolean {
    if (this.#waitsSinceMs === undefined) return false
    return this.#waitedMs + performance.now() - this.#waitsSinceMs > slowSenderLimits.waitedMs
  }

  cutOff(): void {
    this.#interrupt(new SenderSlow('the body arrived slowly while other loads waited for a turn'))
  }

  async *#pieces(): AsyncGenerator<Buffer> {
    // A body that was read to its end has no iterator any more.
    if (this.#raw.readableEnded) return
    const pieces = this.#raw.iterator({ destroyOnReturn: false })
    try {
      for (;;) {
        const { done, value: piece } = await this.#wait(pieces.next())
        if (done) return
        this.#hash.update(piece)
        yield piece
      }
    } finally {
      // Without waiting: the end of a reading that was cut off waits for its sender too.
      pieces.return?.()?.catch(() => {})
    }
  }

  async #wait(next: Promise<IteratorResult<Buffer>>): Promise<IteratorResult<Buffer>> {
    const startedMs = performance.now()
    this.#waitsSinceMs = startedMs
    try {
      const result = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
        this.#interrupt = reject
        next.then(resolve, reject)
      })
      this.#note(performance.now() - startedMs, result.done ? 0 : result.value.length)
      return result
    } finally {
      this.#waitsSinceMs = undefined
    }
  }

  #note(waitedMs: number, bytes: number): void {
    this.#waitedMs += waitedMs
    this.#arrived += bytes
    if (this.#arrived < slowSenderLimits.bytes) return
    this.#waitedMs = 0
    this.#arrived = 0
  }
}
