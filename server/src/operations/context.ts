/** The context that a handler gets with its request, and its possible outcomes. */
import type { Data, OperationName, Rejection, Request } from '@clearing/protocol'
import type { Answered, FileAccepted, FileAnswer, Rejected, Streamed } from '../answers.ts'
import type { LinesBody } from '../books/loads/load-body.ts'
import type { StoredUpload } from '../documents/content.ts'
import type { ReceivedUpload } from '../documents/receive-upload.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import type { Parts } from './parts.ts'

export interface Context extends FirmContext {
  readonly parts: Parts
  /** True when the call used a path below `/sandbox-api/` of an operation that also has another path. */
  readonly asControl: boolean
  /** The files and lines of a body that is not one JSON object. */
  readonly body: RequestBody
}

/**
 * Operations whose handler also runs for requests that were read with errors, to find every error at once.
 */
export const operationsWithFurtherRules: ReadonlySet<OperationName> = new Set([
  'new-account',
  'update-account',
  'validate-account',
])

export type RequestBody =
  /** `text` is the body as it was received. */
  | { readonly kind: 'json'; readonly text: string }
  | {
      readonly kind: 'file'
      readonly file: ReceivedFile
      readonly judgement: Judgement
      /** The stored content, after the handler returned FileAccepted. */
      readonly stored?: StoredUpload
    }
  | LinesBody

/** The lines of an operation that takes lines. */
export function linesOf(body: RequestBody): AsyncIterable<Buffer> {
  if (body.kind !== 'lines') throw new Error('the body is not lines')
  return body.stream
}

/** The body of an operation that takes one JSON object, as it was received. */
export function textOf(body: RequestBody): string {
  if (body.kind !== 'json') throw new Error('the body is not one JSON object')
  return body.text
}

/**
 * The errors of a file. They are found before the transaction begins, so that an inspection that waits holds
 * no connection. Rejects with PartUnavailable if the file cannot be inspected now.
 */
export type Judgement = Promise<readonly Rejection[]>

/** A file of a multipart body, received and waiting in an encrypted temporary file. */
export interface ReceivedFile {
  readonly fileName: string
  readonly upload: ReceivedUpload
}

export type Outcome<N extends OperationName> =
  | Data<N>
  | Answered<Data<N>>
  | Rejected
  | Streamed
  | FileAnswer
  | FileAccepted

export type Handler<N extends OperationName> = (request: Request<N>, context: Context) => Promise<Outcome<N>>

/** One handler for each operation. A missing handler is a compile-time error. */
export type Handlers = { readonly [N in OperationName]: Handler<N> }
