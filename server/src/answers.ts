/** What a handler may answer beside plain data: a refusal, data with a message of its own, a stream, a file. */
import type { Rejection } from '@clearing/protocol'

/** The request was refused; nothing is stored. */
export class Rejected {
  readonly rejections: readonly Rejection[]
  /** Instead of the usual message. */
  readonly message: string | undefined
  /** When the same request may do better, where that is known (ERR.1004): the answer's Retry-After. */
  readonly retryAfterSeconds: number | undefined
  constructor(rejections: readonly Rejection[], message?: string, retryAfterSeconds?: number) {
    this.rejections = rejections
    this.message = message
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Data with a message of its own in the envelope, or marked as the repeat of an earlier answer. */
export class Answered<T> {
  readonly data: T
  readonly message: string | undefined
  readonly replayed: boolean
  constructor(data: T, settings: { message?: string; replayed?: boolean }) {
    this.data = data
    this.message = settings.message
    this.replayed = settings.replayed ?? false
  }
}

/** Data whose one long array member is written to the wire as it is read, so that memory does not grow with it. */
export class Streamed {
  readonly member: string
  /** Each chunk is JSON text of one or more items, joined by commas. */
  readonly chunks: AsyncIterable<string>
  /** The members that follow the list, asked for when it has ended: totals. */
  readonly rest: () => object
  constructor(member: string, chunks: AsyncIterable<string>, rest: () => object = () => ({})) {
    this.member = member
    this.chunks = chunks
    this.rest = rest
  }
}

/** A file answered as an attachment. */
export class FileAnswer {
  readonly fileName: string
  readonly mediaType: string
  /** Undefined for a file that is made as it is sent. */
  readonly sizeBytes: number | undefined
  readonly content: AsyncIterable<Buffer>
  constructor(
    fileName: string,
    mediaType: string,
    sizeBytes: number | undefined,
    content: AsyncIterable<Buffer>,
  ) {
    this.fileName = fileName
    this.mediaType = mediaType
    this.sizeBytes = sizeBytes
    this.content = content
  }
}
