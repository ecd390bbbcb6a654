/**
 * What a handler is given beside its request, and what it may answer. One transaction per request, opened with
 * the caller's firm set for row-level security; time and identity are passed, never asked for.
 */
import type { Data, OperationName, Rejection, Request, Scope, StaffRole } from '@clearing/protocol'
import type { Tx } from './database/transaction.ts'
import type { FirmKeys } from './encryption/keyring.ts'
import type { Parts } from './parts.ts'

/** A client firm as a request needs it (Reading 2.5). */
export interface Firm {
  readonly firmId: string
  readonly name: string
  readonly entityNumbers: ReadonlySet<string>
  readonly repCodes: ReadonlySet<string>
  readonly settings: FirmSettings
}

export interface FirmSettings {
  readonly duplicateApplications: 'Flag' | 'Review' | 'Refuse'
  readonly documentCatalogueClosed: boolean
  readonly requestsPerSecond: number
  /** What needs a second person's approval whoever asks (code list approvalSubject). */
  readonly changesNeedingApproval: readonly string[]
}

/** Who calls: the credential of a firm, as its token says, or a person of the clearing firm's staff by their session. */
export interface Caller {
  /** The credential, or the person's e-mail address: what audit rows and access records name. */
  readonly clientId: string
  readonly scopes: ReadonlySet<Scope>
  readonly person?: Person | undefined
}

/** A person of the clearing firm's staff. */
export interface Person {
  readonly staffId: string
  readonly email: string
  readonly name: string
  readonly role: StaffRole
}

export interface Context {
  readonly tx: Tx
  readonly firm: Firm
  /** The firm's keys, in memory. */
  readonly keys: FirmKeys
  readonly caller: Caller
  /** The service's time: the wall clock, or the sandbox's. */
  readonly now: Date
  readonly traceId: string
  /** As the caller gave it, of an operation that writes. */
  readonly idempotencyKey: string | undefined
  readonly parts: Parts
  /** Called below `/sandbox-api/`, of an operation that has a path of its own elsewhere. */
  readonly asControl: boolean
  /** The files and lines of a body that is not one JSON object. */
  readonly body: RequestBody
  /**
   * What reading the request already refused. Empty, except for `operationsToldOfRefusals`: their handlers are
   * called with what could be read, so that their own rules' rejections are answered together with these (Reading
   * 1.9); they answer `Rejected` whenever `rejections` is not empty.
   */
  readonly refused: Refused
}

export interface Refused {
  readonly rejections: readonly Rejection[]
  /** Canonical paths of values that were refused and are absent from the request. */
  readonly paths: ReadonlySet<string>
}

/** Operations whose handler runs although reading refused something, to find every error at once. */
export const operationsToldOfRefusals: ReadonlySet<OperationName> = new Set([
  'new-account',
  'update-account',
  'validate-account',
])

export type RequestBody =
  | { readonly kind: 'json' }
  | { readonly kind: 'file'; readonly file: ReceivedFile; readonly judgement: Judgement }
  | { readonly kind: 'lines'; readonly format: 'ndjson' | 'csv'; readonly stream: AsyncIterable<Buffer> }

/**
 * What speaks against a file: settled before the transaction is opened, so that no connection waits while the file
 * waits for its turn. Rejects with PartUnavailable when it cannot be judged now.
 */
export type Judgement = Promise<readonly Rejection[]>

/** A file of a multipart body, received and waiting in an encrypted temporary file. */
export interface ReceivedFile {
  readonly fileName: string
  readonly declaredMediaType: string
  readonly upload: import('./documents/receive-upload.ts').ReceivedUpload
}

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

/** Data whose one array member is written to the wire as it is read, so that memory does not grow with it. */
export class Streamed {
  readonly member: string
  /** Each chunk is JSON text of one or more items, joined by commas. */
  readonly chunks: AsyncIterable<string>
  constructor(member: string, chunks: AsyncIterable<string>) {
    this.member = member
    this.chunks = chunks
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

export type Outcome<N extends OperationName> = Data<N> | Answered<Data<N>> | Rejected | Streamed | FileAnswer

export type Handler<N extends OperationName> = (request: Request<N>, context: Context) => Promise<Outcome<N>>

/** One handler for each operation: forget one and it does not compile. */
export type Handlers = { readonly [N in OperationName]: Handler<N> }
