/** What a handler is given beside its request, and what it may answer. */
import type { Data, OperationName, Rejection, Request } from '@clearing/protocol'
import type { Answered, FileAnswer, Rejected, Streamed } from '../answers.ts'
import type { LinesBody } from '../books/loads/load-body.ts'
import type { ReceivedUpload } from '../documents/receive-upload.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import type { Parts } from './parts.ts'

export interface Context extends FirmContext {
  readonly parts: Parts
  /** Called below `/sandbox-api/`, of an operation that has a path of its own elsewhere. */
  readonly asControl: boolean
  /** The files and lines of a body that is not one JSON object. */
  readonly body: RequestBody
}

/** Operations whose handler runs although reading refused something, to find every error at once. */
export const operationsWithFurtherRules: ReadonlySet<OperationName> = new Set([
  'new-account',
  'update-account',
  'validate-account',
])

export type RequestBody =
  | { readonly kind: 'json' }
  | { readonly kind: 'file'; readonly file: ReceivedFile; readonly judgement: Judgement }
  | LinesBody

/**
 * What speaks against a file: settled before the transaction is opened, so that no connection waits while the file
 * waits for its turn. Rejects with PartUnavailable when it cannot be judged now.
 */
export type Judgement = Promise<readonly Rejection[]>

/** A file of a multipart body, received and waiting in an encrypted temporary file. */
export interface ReceivedFile {
  readonly fileName: string
  readonly declaredMediaType: string
  readonly upload: ReceivedUpload
}

export type Outcome<N extends OperationName> = Data<N> | Answered<Data<N>> | Rejected | Streamed | FileAnswer

export type Handler<N extends OperationName> = (request: Request<N>, context: Context) => Promise<Outcome<N>>

/** One handler for each operation: forget one and it does not compile. */
export type Handlers = { readonly [N in OperationName]: Handler<N> }
