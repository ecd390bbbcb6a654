/**
 * Makes a checkpoint: signs the heads and the checkpoint, writes the file, and stores copies and events of
 * its new heads.
 */
import { sign } from 'node:crypto'
import {
  type ChainPosition,
  type Checkpoint,
  renderCheckpoint,
  renderSignedHead,
  type SignedHead,
} from '@clearing/protocol/audit'
import type { Tx } from '../database/transaction.ts'
import { newTraceId } from '../ids.ts'
import { insertSignedHeads } from '../store/audit-heads.ts'
import { writeEventOfFirm } from '../store/firm-events.ts'
import { digestOf, type HeadFiles, sha256 } from './head-files.ts'
import type { SealKey } from './seal-key.ts'

export interface NewCheckpoint {
  readonly number: number
  /** The previous checkpoint; undefined when there is none, or none that can be read. */
  readonly before: Checkpoint | undefined
  /** The member `keeps` of the checkpoint and its heads. */
  readonly keeps: number | null
  readonly filesFrom: number
  readonly key: SealKey
  readonly now: Date
}

/**
 * Signs the firm's head. `last` is its last head in this cell. The new head follows `before`, which may be a
 * head of another cell.
 */
export function signHead(
  checkpoint: NewCheckpoint,
  firmId: string,
  { sequence, hash }: ChainPosition,
  last: SignedHead | undefined,
  before: SignedHead | undefined,
): SignedHead {
  const { number, key, now } = checkpoint
  const keeps = checkpoint.keeps === null ? null : (last?.number ?? 0)
  const previous = before === undefined ? '' : sha256(renderSignedHead(before))
  const { keyId } = key
  const head = { firmId, number, sequence, hash, at: now.toISOString(), previous, keeps, keyId }
  return { ...head, signature: signText(renderSignedHead(head), key) }
}

export function signCheckpoint(
  { number, before, keeps, filesFrom, key, now }: NewCheckpoint,
  heads: readonly SignedHead[],
): Checkpoint {
  const checkpoint = {
    checkpoint: number,
    at: now.toISOString(),
    previous: before === undefined ? '' : digestOf(before),
    keeps,
    filesFrom,
    heads: heads.toSorted((one, other) => (one.firmId < other.firmId ? -1 : 1)),
    keyId: key.keyId,
  }
  return { ...checkpoint, signature: signText(renderCheckpoint(checkpoint, sha256), key) }
}

function signText(text: string, { privateKey }: SealKey): string {
  return sign(null, Buffer.from(text), privateKey).toString('base64url')
}

/** The file comes first: a copy without its file would count as a lost file. */
export async function keepCheckpoint(tx: Tx, files: HeadFiles, checkpoint: Checkpoint): Promise<void> {
  await files.put(checkpoint)
  keepHeads(tx, checkpoint)
}

/** Stores copies of the new heads of a checkpoint, and sends each firm an event with its own head. */
export function keepHeads(tx: Tx, { checkpoint, heads }: Checkpoint): void {
  const fresh = heads.filter(({ number }) => number === checkpoint)
  insertSignedHeads(tx, fresh)
  for (const head of fresh) {
    const at = new Date(head.at)
    const traceId = newTraceId()
    writeEventOfFirm(tx, { firmId: head.firmId, type: 'audit.head.signed', at, traceId, content: head })
  }
}
