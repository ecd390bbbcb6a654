/**
 * The results of a handler other than plain data: a refusal, data with its own message, a stream, a file, or the
 * acceptance of a file that must be stored first.
 */
import type { Rejection } from '@clearing/protocol'

/** The request was refused, and no data is stored. */
export class Rejected {
  readonly rejections: readonly Rejection[]
  /** A message that replaces the usual one. */
  readonly message: string | undefined
  /** The time after which the same request may succeed, when it is known (ERR.1004); sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined
  constructor(rejections: readonly Rejection[], message?: string, retryAfterSeconds?: number) {
    this.rejections = rejections
    this.message = message
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Data that is JSON text already. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Data with its own message in the envelope, or marked as a stored response. */
export class Answered<T> {
  readonly data: T | JsonText
  readonly message: string | undefined
  readonly replayed: boolean
  constructor(data: T | JsonText, settings: { message?: string; replayed?: boolean }) {
    this.data = data
    this.message = settings.message
    this.replayed = settings.replayed ?? false
  }
}

/** Data with one long array, which is written while it is read, so that memory does not grow with it. */
export class Streamed {
  readonly member: string
  /** Each chunk is JSON text of one or more items, joined by commas. */
  readonly chunks: AsyncIterable<string>
  /** Returns the members after the list, such as totals; called when the list has ended. */
  readonly rest: () => object
  constructor(member: string, chunks: AsyncIterable<string>, rest: () => object = () => ({})) {
    this.member = member
    this.chunks = chunks
    this.rest = rest
  }
}

async function* inOnePart(content: Buffer): AsyncGenerator<Buffer> {
  yield content
}

/** A file that is sent as an attachment. */
export class FileAnswer {
  readonly fileName: string
  readonly mediaType: string
  /** Undefined for a file that is made while it is sent. */
  readonly sizeBytes: number | undefined
  readonly content: AsyncIterable<Buffer>
  constructor(
    fileName: string,
    mediaType: string,
    sizeBytes: number | undefined,
    content: AsyncIterable<Buffer> | Buffer,
  ) {
    this.fileName = fileName
    this.mediaType = mediaType
    this.sizeBytes = sizeBytes
    this.content = Buffer.isBuffer(content) ? inOnePart(content) : content
  }
}

/**
 * The request has no errors, and nothing is written yet. The handler is called again in another transaction when its
 * file is in the document store.
 */
export class FileAccepted {}
