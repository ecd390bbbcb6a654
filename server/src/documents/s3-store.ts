// Blobs as objects of one bucket of any store with the S3 interface. Sealed bytes are streamed, with their size known
// in advance. Encryption by the store itself comes in addition to ours.
import { pipeline, Readable, Transform } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import type { BlobSource, BlobStore, StoredBlob } from './blob-store.ts'
import { BlobMissing, checkBlobId, isBlobId, WrongBlobId } from './blob-store.ts'
import { withStoreFaults } from './store-faults.ts'

export type S3StoreSettings = {
  bucket: string
  region: string
  /** The address of a store other than AWS: `https://host:port`. */
  endpoint?: string
  /** Absent: the AWS SDK uses its usual sources (environment, instance role). */
  credentials?: { accessKeyId: string; secretAccessKey: string }
  /** The prefix of every key, so that several services can share a bucket: `documents/`. */
  keyPrefix?: string
  connectTimeoutMs?: number
  requestTimeoutMs?: number
  attemptsMax?: number
}

export type S3Store = BlobStore & { close(): void }

const CONNECT_TIMEOUT_MS = 3_000
const REQUEST_TIMEOUT_MS = 30_000
const ATTEMPTS_MAX = 3
const PAUSE_MS = 200
const CHECK_TIMEOUT_MS = 2_000
/**
 * How long a success proves that the bucket accepts and returns contents. A probe may leave a version in the bucket.
 */
const PROVEN_MS = 300_000
/** No blob id, so that lists leave it out. */
const PROBE_KEY = 'probe'

export function openS3Store(settings: S3StoreSettings): S3Store {
  const bucket = new Bucket(settings)
  // The SDK throws errors of many classes. An error that is neither the caller's nor a missing blob is a fault of the
  // store.
  const store = withStoreFaults<BlobStore>(bucket, (fault) => {
    if (fault instanceof BlobMissing || fault instanceof SourceMismatch || fault instanceof WrongBlobId)
      return false
    bucket.doubt()
    return true
  })
  return { ...store, close: () => bucket.close() }
}

function openClient(settings: S3StoreSettings): S3Client {
  return new S3Client({
    region: settings.region,
    maxAttempts: settings.attemptsMax ?? ATTEMPTS_MAX,
    ...(settings.credentials ? { credentials: settings.credentials } : {}),
    // Stores other than AWS refuse streams with trailing checksums, or store them corrupt with the chunk framing.
    ...(settings.endpoint
      ? {
          endpoint: settings.endpoint,
          forcePathStyle: true,
          requestChecksumCalculation: 'WHEN_REQUIRED' as const,
          responseChecksumValidation: 'WHEN_REQUIRED' as const,
        }
      : {}),
    // Every message that the SDK would log is thrown as an error too.
    logger: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
    requestHandler: {
      connectionTimeout: settings.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      requestTimeout: settings.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  })
}

class Bucket implements S3Store {
  readonly #client: S3Client
  readonly #settings: S3StoreSettings
  readonly #keyPrefix: string
  /** Until when no probe is needed. */
  #provenUntilMs = 0

  constructor(settings: S3StoreSettings) {
    this.#client = openClient(settings)
    this.#settings = settings
    this.#keyPrefix = settings.keyPrefix ?? ''
  }

  #place(id: string): { Bucket: string; Key: string } {
    checkBlobId(id)
    return { Bucket: this.#settings.bucket, Key: this.#keyPrefix + id }
  }

  async put(id: string, source: BlobSource) {
    const place = this.#place(id)
    for (let attempt = 1; ; attempt++) {
      try {
        // The SDK cannot rewind a stream, so it tries once, and this loop opens the source again.
        await sendMeasured(source, (Body, abortSignal) =>
          this.#client.send(
            new PutObjectCommand({
              ...place,
              Body,
              ContentLength: source.sizeBytes,
              ContentType: 'application/octet-stream',
            }),
            { abortSignal },
          ),
        )
        return { bytes: source.sizeBytes }
      } catch (error) {
        const attemptsMax = this.#settings.attemptsMax ?? ATTEMPTS_MAX
        if (attempt >= attemptsMax || error instanceof SourceMismatch) throw error
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt))
      }
    }
  }

  async get(id: string) {
    const place = this.#place(id)
    const answer = await this.#client.send(new GetObjectCommand(place)).catch((cause) => {
      if (isAbsent(cause)) throw new BlobMissing(`Blob ${id} is not in bucket ${place.Bucket}.`, { cause })
      throw cause
    })
    return withoutStalls(answer.Body as Readable, this.#settings.requestTimeoutMs ?? REQUEST_TIMEOUT_MS)
  }

  async measure(id: string) {
    const place = this.#place(id)
    try {
      const answer = await this.#client.send(new HeadObjectCommand(place))
      return answer.ContentLength
    } catch (error) {
      if (isAbsent(error)) return undefined
      throw error
    }
  }

  // An object is stored completely or not at all.
  async removeUnfinished() {
    return 0
  }

  async remove(id: string) {
    await this.#client.send(new DeleteObjectCommand(this.#place(id)))
  }

  async *list(prefix = ''): AsyncGenerator<StoredBlob> {
    let ContinuationToken: string | undefined
    do {
      const page = await this.#client.send(
        new ListObjectsV2Command({
          Bucket: this.#settings.bucket,
          Prefix: this.#keyPrefix + prefix,
          ...(ContinuationToken ? { ContinuationToken } : {}),
        }),
      )
      for (const found of page.Contents ?? []) {
        const id = found.Key?.slice(this.#keyPrefix.length)
        if (id !== undefined && isBlobId(id)) {
          yield { id, bytes: found.Size ?? 0, storedAt: found.LastModified ?? new Date(0) }
        }
      }
      ContinuationToken = page.NextContinuationToken
    } while (ContinuationToken)
  }

  /** Called after a fault: the next check probes. */
  doubt(): void {
    this.#provenUntilMs = 0
  }

  // A bucket that exists may still refuse contents, or refuse to return them.
  async check() {
    const { bucket } = this.#settings
    const place = { Bucket: bucket, Key: this.#keyPrefix + PROBE_KEY }
    const options = { abortSignal: AbortSignal.timeout(CHECK_TIMEOUT_MS) }
    await this.#client
      .send(new HeadBucketCommand({ Bucket: bucket }), options)
      .catch(sayStatus(`bucket ${bucket}`))
    if (performance.now() < this.#provenUntilMs) return
    await this.#client
      .send(new PutObjectCommand({ ...place, Body: Buffer.from('probe') }), options)
      .catch(sayStatus(`bucket ${bucket}: writing`))
    const answer = await this.#client
      .send(new GetObjectCommand(place), options)
      .catch(sayStatus(`bucket ${bucket}: reading`))
    ;(answer.Body as Readable).destroy()
    this.#provenUntilMs = performance.now() + PROVEN_MS
  }

  close() {
    this.#client.destroy()
  }
}

/**
 * Ends a download whose store sends nothing for too long. Only the wait for the store counts, not the time that the
 * reader takes.
 */
function withoutStalls(body: Readable, silenceMaxMs: number): Readable {
  async function* read(): AsyncGenerator<Buffer> {
    const pieces = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    try {
      for (;;) {
        const silence = Promise.withResolvers<never>()
        const timer = setTimeout(
          () => silence.reject(new Error(`The document store sent nothing for ${silenceMaxMs} ms.`)),
          silenceMaxMs,
        )
        const piece = await Promise.race([pieces.next(), silence.promise]).finally(() => clearTimeout(timer))
        if (piece.done) return
        yield piece.value
      }
    } finally {
      body.destroy()
    }
  }
  const pieces = Readable.from(read(), { objectMode: false })
  // Needed also before the first read.
  pieces.once('close', () => body.destroy())
  return pieces
}

/** The response to a HEAD has no body, so its status is all that the store says. */
function sayStatus(what: string) {
  return (cause: { readonly $metadata?: { readonly httpStatusCode?: number } }): never => {
    const status = cause.$metadata?.httpStatusCode
    throw status === undefined ? cause : new Error(`${what}: HTTP status ${status}`)
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound')
}

class SourceMismatch extends Error {}

/** A source that fails or has another size ends the request before the store can accept it as complete. */
async function sendMeasured(
  source: BlobSource,
  send: (body: Readable, signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const abort = new AbortController()
  let bytes = 0
  let held: Buffer | undefined
  let sourceError: Error | undefined
  const measure = new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length
      if (bytes > source.sizeBytes) {
        return done(new SourceMismatch(`A blob is larger than ${source.sizeBytes} bytes.`))
      }
      // The last piece is held back, so that the store never has all bytes of a source that is too long.
      if (held) this.push(held)
      held = piece
      done()
    },
    flush(done) {
      if (bytes !== source.sizeBytes) {
        return done(new SourceMismatch(`A blob of ${source.sizeBytes} bytes gave ${bytes}.`))
      }
      done(null, held)
    },
  })
  pipeline(source.open(), measure, (error) => {
    if (!error) return
    sourceError ??= error
    abort.abort()
  })
  try {
    await send(measure, abort.signal)
  } catch (error) {
    throw sourceError instanceof SourceMismatch ? sourceError : error
  } finally {
    measure.destroy()
  }
}
