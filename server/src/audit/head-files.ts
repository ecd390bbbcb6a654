/**
 * Checkpoints as files of the document store, outside the database. They are numbered from 1, written once
 * and never changed. All readers may see them, because they contain no personal data.
 */
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type Checkpoint, isCheckpoint, renderCheckpoint, renderSignedHead } from '@clearing/protocol/audit'
import { BlobMissing, type BlobStore } from '../documents/blob-store.ts'
import { isSigned, type OwnKeys } from './own-keys.ts'

/** The id of a checkpoint's file ends with its number. */
function idOf(number: number): string {
  return `a0d17000-0000-8000-8000-${String(number).padStart(12, '0')}`
}

/** A limit above the heads of thirty thousand firms. */
const fileBytesMax = 16 * 1024 * 1024

export function sha256(text: string): string {
  return hash('sha256', text)
}

export function digestOf(checkpoint: Checkpoint): string {
  return sha256(renderCheckpoint(checkpoint, sha256))
}

function render(checkpoint: unknown): string {
  return `${JSON.stringify(checkpoint)}\n`
}

/** A checkpoint, or the reason why it is not valid. */
export type ReadCheckpoint = Checkpoint | { readonly wrong: string }

export class HeadFiles {
  readonly #blobs: BlobStore

  constructor(blobs: BlobStore) {
    this.#blobs = blobs
  }

  /** Resolves when the file survives a loss of power. */
  async put(checkpoint: Checkpoint): Promise<void> {
    const bytes = Buffer.from(render(checkpoint))
    const source = { sizeBytes: bytes.length, open: () => Readable.from([bytes]) }
    await this.#blobs.put(idOf(checkpoint.checkpoint), source)
  }

  /** Reads the checkpoint with a number. It is valid when one of the keys signed it and its new heads. */
  async read(number: number, keys: OwnKeys): Promise<ReadCheckpoint> {
    const bytes = await this.#blobs.measure(idOf(number))
    if (bytes === undefined) return { wrong: 'is missing from the document store' }
    const checkpoint = bytes > fileBytesMax ? undefined : await this.#parse(number)
    if (!isCheckpoint(checkpoint) || checkpoint.checkpoint !== number)
      return { wrong: 'is not what was written' }
    if (!keys.has(checkpoint.keyId)) return { wrong: 'is signed by a key that is not the service’s own' }
    const isGenuine =
      isSigned(keys, renderCheckpoint(checkpoint, sha256), checkpoint) &&
      checkpoint.heads.every((head) => head.number < number || isSigned(keys, renderSignedHead(head), head))
    return isGenuine ? checkpoint : { wrong: 'differs from what was signed' }
  }

  /** Returns the number of the last file, when the file `known` exists or there is none after 0. */
  async findNewest(known: number): Promise<number> {
    const isThere = async (number: number) => (await this.#blobs.measure(idOf(number))) !== undefined
    let newest = known
    let step = 1
    for (; await isThere(newest + step); step *= 2) newest += step
    for (step /= 2; step >= 1; step /= 2) if (await isThere(newest + step)) newest += step
    return newest
  }

  async #parse(number: number): Promise<unknown> {
    try {
      const written = await text(await this.#blobs.get(idOf(number)))
      const parsed: unknown = JSON.parse(written)
      return render(parsed) === written ? parsed : undefined
    } catch (fault) {
      if (fault instanceof SyntaxError || fault instanceof BlobMissing) return undefined
      throw fault
    }
  }
}
