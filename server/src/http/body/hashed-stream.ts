/**
 * A body of lines, hashed while its consumer reads it. Its beginning can be read ahead, before the load takes anything
 * that other calls need.
 */
import { createHash, type Hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ClientGone } from '../faults.ts'

export class HashedStream implements AsyncIterable<Buffer> {
  readonly #raw: IncomingMessage
  readonly #hash: Hash = createHash('sha256')
  readonly #ahead: Buffer[] = []
  #digest: Buffer | undefined

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

  async *#pieces(): AsyncGenerator<Buffer> {
    // A body that was read to its end has no iterator any more.
    if (this.#raw.readableEnded) return
    for await (const piece of this.#raw.iterator({ destroyOnReturn: false })) {
      this.#hash.update(piece as Buffer)
      yield piece as Buffer
    }
  }
}
