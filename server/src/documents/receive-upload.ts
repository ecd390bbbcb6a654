// Receives a file from a caller into a temporary file that never contains plain text. The file has sealed
// chunks under a random key that exists only in this process, so the leftovers of a crash are unreadable. The
// chunks have a fixed size, so that an inspecting process with the key can read any part. Each upload needs
// the memory of a few chunks, whatever its size.
import type { KeyObject } from 'node:crypto'
import { createHash, createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeFolder } from '../make-folder.ts'
import { CHUNK_BYTES, openChunk, openChunks, SEALED_CHUNK_BYTES, sealChunks } from './sealed-chunks.ts'

export type ReceiveSettings = {
  /** For temporary files only; made when absent. */
  folder: string
  /** The largest accepted size in bytes. */
  sizeBytesMax: number
  signal?: AbortSignal
}

/** A received file. Call `remove`, or declare it with `await using`. */
export type ReceivedUpload = AsyncDisposable & {
  readonly received: true
  readonly tempPath: string
  readonly tempKey: KeyObject
  readonly bytes: number
  readonly sha256: Buffer
  /** The plain content from the start. It can be opened any number of times until it is removed. */
  open(): Readable
  remove(): Promise<void>
}

export type UploadTooLarge = { readonly received: false; readonly sizeBytesMax: number }

/** The suffix of every file in the folder of uploads. */
export const uploadSuffix = '.upload'

/**
 * Reads `source` to its end. At the first byte beyond the limit, destroys the source and removes the file. When the
 * source fails (the client disconnected) or the disk is full, throws and removes the file too.
 */
export async function receiveUpload(
  source: Readable,
  settings: ReceiveSettings,
): Promise<ReceivedUpload | UploadTooLarge> {
  // A client may disconnect before the pipeline below listens.
  source.on('error', () => {})
  await makeFolder(settings.folder, 0o700)
  const tempPath = join(settings.folder, `${randomUUID()}${uploadSuffix}`)
  const tempKey = createSecretKey(randomBytes(32))
  const remove = () => rm(tempPath, { force: true })
  const hash = createHash('sha256')
  let bytes = 0
  const tooLarge = new Error('The upload is larger than allowed.')
  const measure = new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length
      if (bytes > settings.sizeBytesMax) return done(tooLarge)
      hash.update(piece)
      done(null, piece)
    },
  })
  try {
    await pipeline(
      source,
      measure,
      sealChunks(tempKey),
      createWriteStream(tempPath, { flags: 'wx', mode: 0o600 }),
      settings.signal ? { signal: settings.signal } : {},
    )
  } catch (error) {
    await remove()
    if (error === tooLarge) return { received: false, sizeBytesMax: settings.sizeBytesMax }
    throw error
  }
  return {
    received: true,
    tempPath,
    tempKey,
    bytes,
    sha256: hash.digest(),
    open: () => openReceived(tempPath, tempKey),
    remove,
    [Symbol.asyncDispose]: remove,
  }
}

/** Reads the whole content into memory: only for the inspecting process, whose memory is limited. */
export async function readReceived(tempPath: string, tempKey: KeyObject, bytes: number): Promise<Buffer> {
  const plain = Buffer.allocUnsafe(bytes)
  const sealed = Buffer.allocUnsafe(SEALED_CHUNK_BYTES)
  const file = await open(tempPath, 'r')
  try {
    let at = 0
    for (let number = 0; number === 0 || at < bytes; number++) {
      const { bytesRead } = await file.read(sealed, 0, SEALED_CHUNK_BYTES, number * SEALED_CHUNK_BYTES)
      const last = bytes - at <= CHUNK_BYTES
      at += openChunk(tempKey, number, last, sealed.subarray(0, bytesRead)).copy(plain, at)
    }
    if (at !== bytes) throw new Error(`A received file has ${at} bytes instead of ${bytes}.`)
    return plain
  } finally {
    await file.close()
  }
}

/**
 * Called at start: removes the files of a crashed process. Files younger than `ageMsMin` may belong to another
 * instance.
 */
export async function removeStaleUploads(folder: string, ageMsMin: number, now: Date): Promise<number> {
  const names = await readdir(folder).catch((error) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  let removed = 0
  for (const name of names) {
    if (!name.endsWith(uploadSuffix)) continue
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (!found || now.getTime() - found.mtimeMs < ageMsMin) continue
    await rm(path, { force: true })
    removed++
  }
  return removed
}

function openReceived(tempPath: string, tempKey: KeyObject): Readable {
  const file = createReadStream(tempPath, { highWaterMark: SEALED_CHUNK_BYTES })
  const plain = openChunks(tempKey)
  file.on('error', (error) => plain.destroy(error))
  plain.on('close', () => file.destroy())
  return file.pipe(plain)
}
