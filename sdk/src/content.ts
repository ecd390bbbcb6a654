/**
 * Files and lines of a caller, and the request bodies made from them. Retries send a body again if it can be read
 * again; a stream is sent once.
 */
import { uploadSizeBytesMax } from '@clearing/protocol/calls'
import type { HttpBody } from './exchange.ts'

/** Bytes in memory, on disk (a Blob, such as from Node's `openAsBlob`), or as a stream. */
export type Bytes = Blob | Uint8Array | ArrayBuffer | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/**
 * A file to upload: a `File`, or content with a name. The extension of the name must match the content (Specification,
 * Limits). The default of `mediaType` is the type of the Blob, or application/octet-stream; the service detects the
 * type from the content.
 */
export type UploadFile =
  | File
  | { readonly name: string; readonly content: Bytes; readonly mediaType?: string }

/** Lines as text or bytes. For NDJSON, also the objects themselves, one per line. */
type Pieces = string | Blob | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<string | Uint8Array>

/**
 * The lines of a load in one of two formats. A function is called for each attempt, so that retries can send a new
 * stream; a stream itself is sent once.
 */
export type Lines =
  | { readonly csv: Pieces | (() => Pieces) }
  | {
      readonly ndjson:
        | Pieces
        | Iterable<object>
        | AsyncIterable<object>
        | (() => Pieces | Iterable<object> | AsyncIterable<object>)
    }

/** A body that is opened for each attempt. */
export interface OpenableBody {
  readonly contentType: string | undefined
  readonly open: () => HttpBody
  /** Whether the body can be opened more than once. */
  readonly repeatable: boolean
}

export function jsonBody(request: unknown): OpenableBody {
  const text = JSON.stringify(request)
  return { contentType: 'application/json', open: () => text, repeatable: true }
}

/**
 * The fields as text, then the file. A stream is read into memory first, so that retries can send it again. Reading
 * stops as soon as the stream exceeds the size that the service accepts.
 */
export async function multipartBody(
  fields: Readonly<Record<string, unknown>>,
  file: UploadFile,
): Promise<OpenableBody> {
  if (typeof file !== 'object' || file === null)
    throw new TypeError('file is missing: pass { name, content } or a File')
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) form.append(name, String(value))
  }
  form.append('file', await readFile(file), file.name)
  return { contentType: undefined, open: () => form, repeatable: true }
}

async function readFile(file: UploadFile): Promise<Blob> {
  if (file instanceof Blob) return file
  const { content, mediaType } = file
  // A text is most likely a path: its characters would be sent as the document.
  if (typeof content === 'string' || typeof content !== 'object' || content === null)
    throw new TypeError('content of file must be a Blob, bytes or a stream, such as await openAsBlob(path)')
  const type = mediaType ?? (content instanceof Blob ? content.type : '')
  const settings = { type: type === '' ? 'application/octet-stream' : type }
  if (content instanceof Blob) return content.slice(0, content.size, settings.type)
  if (content instanceof Uint8Array || content instanceof ArrayBuffer) {
    return new Blob([content as Uint8Array<ArrayBuffer>], settings)
  }
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let sizeBytes = 0
  for await (const piece of readPieces(content)) {
    pieces.push(piece as Uint8Array<ArrayBuffer>)
    sizeBytes += piece.byteLength
    if (sizeBytes > uploadSizeBytesMax) break
  }
  return new Blob(pieces, settings)
}

/** The body of a load. A stream is passed on as a stream. */
export function linesBody(lines: Lines): OpenableBody {
  if (typeof lines !== 'object' || lines === null || !('csv' in lines || 'ndjson' in lines))
    throw new TypeError('lines are missing: pass { csv } or { ndjson }')
  const isCsv = 'csv' in lines
  const given = isCsv ? lines.csv : lines.ndjson
  const once = typeof given === 'function' ? undefined : given
  return {
    contentType: isCsv ? 'text/csv' : 'application/x-ndjson',
    open: () => openPieces(typeof given === 'function' ? given() : given),
    repeatable: once === undefined || isKept(once),
  }
}

function isKept(pieces: unknown) {
  return (
    typeof pieces === 'string' ||
    pieces instanceof Blob ||
    pieces instanceof Uint8Array ||
    Array.isArray(pieces)
  )
}

function openPieces(pieces: Pieces | Iterable<object> | AsyncIterable<object>): HttpBody {
  if (typeof pieces === 'string' || pieces instanceof Blob || pieces instanceof Uint8Array) {
    return pieces as HttpBody
  }
  if (pieces instanceof ReadableStream) return pieces
  const iterator = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]()
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next()
        if (done) return controller.close()
        controller.enqueue(value instanceof Uint8Array ? value : encoder.encode(renderPiece(value)))
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    { highWaterMark: 1 },
  )
}

function renderPiece(piece: string | object) {
  return typeof piece === 'string' ? piece : `${JSON.stringify(piece)}\n`
}

/** Iterates over the chunks of a stream, for runtimes whose streams are not iterable. */
async function* readPieces(
  content: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (!(content instanceof ReadableStream)) {
    yield* content
    return
  }
  const reader = content.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}
